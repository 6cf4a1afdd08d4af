/* Failures in order: by place, and what those of one moment have in common. */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- ends in order ---- */

static int by_job(const void *a, const void *b)
{
    return strcmp(((const struct hc_end *)a)->end->job, ((const struct hc_end *)b)->end->job);
}

static int by_user(const void *a, const void *b)
{
    return strcmp(((const struct hc_end *)a)->end->user, ((const struct hc_end *)b)->end->user);
}

/* Numbers are in the order of names, so that these orders are of names. */
static int by_time(const void *a, const void *b)
{
    const struct hc_end *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->end->time_ns != y->end->time_ns)
        return x->end->time_ns < y->end->time_ns ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return (x->user > y->user) - (x->user < y->user);
}

static int by_place_and_user(const void *a, const void *b)
{
    const struct hc_end *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->user != y->user)
        return x->user < y->user ? -1 : 1;
    return by_time(a, b);
}

/* Of the ends of a level, which are first of their user; then in the order of time. */
static void order(struct hc_end_level *level, int64_t window_ns)
{
    if (level->n)
        qsort(level->rows, level->n, sizeof *level->rows, by_place_and_user);
    for (size_t i = 0; i < level->n; i++) {
        const struct hc_end *row = &level->rows[i], *last = row - 1;
        level->rows[i].is_first = i == 0 || last->place != row->place || last->user != row->user ||
                                  row->end->time_ns - last->end->time_ns > window_ns;
    }
    if (level->n)
        qsort(level->rows, level->n, sizeof *level->rows, by_time);
}

struct named {
    const char *name;
    size_t row;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Those of the cluster of which a kind of place is known, with the places numbered. */
static enum hc_status open_level(struct hc_ends *ends, int kind, struct hc_error *err)
{
    const struct hc_end_level *all = &ends->level[HC_CLUSTER_LEVEL];
    struct hc_end_level *level = &ends->level[kind];
    struct named *names = hc_new_array(all->n, sizeof *names, err);
    level->rows = names ? hc_new_array(all->n, sizeof *level->rows, err) : NULL;
    if (!level->rows) {
        free(names);
        return err->status;
    }
    for (size_t i = 0; i < all->n; i++)
        if (all->rows[i].end->place[kind])
            names[level->n++] = (struct named){all->rows[i].end->place[kind], i};
    if (level->n)
        qsort(names, level->n, sizeof *names, by_name);
    int32_t place = 0;
    for (size_t i = 0; i < level->n; i++) {
        place += i && strcmp(names[i].name, names[i - 1].name) != 0;
        level->rows[i] = all->rows[names[i].row];
        level->rows[i].place = place;
    }
    free(names);
    return HC_OK;
}

static void take_ends(struct hc_ends *ends, const struct hc_findings_input *input)
{
    struct hc_end_level *all = &ends->level[HC_CLUSTER_LEVEL];
    for (size_t i = 0; i < input->n_ends; i++) {
        const struct hc_failure_end *end = &input->ends[i];
        if (end->job && end->user && end->time_ns >= input->day_start_ns[0] &&
            end->time_ns < input->day_start_ns[input->n_days])
            all->rows[all->n++] = (struct hc_end){.end = end};
        else
            ends->n_bad++;
    }
    if (all->n)
        qsort(all->rows, all->n, sizeof *all->rows, by_job);
    for (size_t i = 1; i < all->n; i++)
        all->rows[i].job = all->rows[i - 1].job + (by_job(&all->rows[i - 1], &all->rows[i]) != 0);
    if (all->n)
        qsort(all->rows, all->n, sizeof *all->rows, by_user);
    for (size_t i = 1; i < all->n; i++)
        all->rows[i].user =
            all->rows[i - 1].user + (by_user(&all->rows[i - 1], &all->rows[i]) != 0);
}

enum hc_status hc_ends_open(struct hc_ends *ends, const struct hc_findings_input *input,
                            int64_t window_ns, struct hc_error *err)
{
    struct hc_end_level *all = &ends->level[HC_CLUSTER_LEVEL];
    *ends = (struct hc_ends){.n_bad = 0};
    all->rows = hc_new_array(input->n_ends, sizeof *all->rows, err);
    ends->counts = all->rows ? hc_new_array(2 * input->n_ends, sizeof *ends->counts, err) : NULL;
    enum hc_status status = ends->counts ? HC_OK : err->status;
    if (status == HC_OK)
        take_ends(ends, input);
    for (int kind = 0; kind < HC_N_FINDING_PLACES && status == HC_OK; kind++)
        status = open_level(ends, kind, err);
    for (int level = 0; level < HC_N_LEVELS && status == HC_OK; level++)
        order(&ends->level[level], window_ns);
    if (status)
        hc_ends_close(ends);
    return status;
}

void hc_ends_close(struct hc_ends *ends)
{
    for (int level = 0; level < HC_N_LEVELS; level++)
        free(ends->level[level].rows);
    free(ends->counts);
    *ends = (struct hc_ends){.n_bad = 0};
}

/* ---- what they have in common ---- */

/* The first name that each of n_ends has, of n names with the rows that have them. */
static const char *common_name(struct named *nodes, size_t n, size_t n_ends)
{
    size_t n_with = 0;
    if (n)
        qsort(nodes, n, sizeof *nodes, by_name);
    for (size_t i = 0; i < n; i++) {
        bool is_same = i && strcmp(nodes[i].name, nodes[i - 1].name) == 0;
        if (is_same && nodes[i].row == nodes[i - 1].row)
            continue;
        n_with = is_same ? n_with + 1 : 1;
        if (n_with == n_ends)
            return nodes[i].name;
    }
    return NULL;
}

/* What ended most of those whose fault another source tells. */
static void find_cause(struct hc_cofailure *cofailure, const struct hc_end *rows)
{
    size_t most = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++) {
        const char *cause = rows[i].end->cause;
        size_t n = 0;
        if (!cause)
            continue;
        cofailure->n_caused++;
        for (size_t j = cofailure->first; j < cofailure->end; j++)
            n += rows[j].end->cause && strcmp(rows[j].end->cause, cause) == 0;
        if (n > most || (n == most && strcmp(cause, cofailure->cause) < 0)) {
            most = n;
            cofailure->cause = cause;
        }
    }
}

enum hc_status hc_cofailure_scope(struct hc_cofailure *cofailure, const struct hc_ends *ends,
                                  struct hc_error *err)
{
    static const char *const names[HC_N_LEVELS] = {[HC_PLACE_RACK] = "rack",
                                                   [HC_PLACE_SWITCH] = "switch",
                                                   [HC_PLACE_FILE_SYSTEM] = "file system",
                                                   [HC_PLACE_PARTITION] = "partition",
                                                   [HC_CLUSTER_LEVEL] = "cluster"};
    const struct hc_end *rows = ends->level[cofailure->level].rows;
    size_t n = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        n += rows[i].end->n_nodes;
    struct named *nodes = hc_new_array(n, sizeof *nodes, err);
    if (!nodes)
        return err->status;
    n = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        for (size_t j = 0; j < rows[i].end->n_nodes; j++)
            nodes[n++] = (struct named){rows[i].end->nodes[j], i};
    cofailure->place = common_name(nodes, n, cofailure->end - cofailure->first);
    cofailure->scope = cofailure->place ? "node" : names[cofailure->level];
    if (!cofailure->place && cofailure->level != HC_CLUSTER_LEVEL)
        cofailure->place = rows[cofailure->first].end->place[cofailure->level];
    free(nodes);
    find_cause(cofailure, rows);
    return HC_OK;
}
