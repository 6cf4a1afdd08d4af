/* Jobs of several users that ended in failure together.
 *
 * How many users fail within one window by chance: failures come at the rate of the days before,
 * where those of one user in a row are one. Nights are quiet, and storms come in hours, so each
 * hour of these days has its own rate, that which was counted in it; a window that begins with a
 * failure of that hour has u - 1 further ones with the probability of Poisson. The fewest users for
 * which the number of such windows in a day is within the budget make a finding.
 */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <stdlib.h>
#include <string.h>

#define HOUR_NS     INT64_C(3600000000000)
#define MOST_USERS  1000
#define MOST_A_HOUR 3600

/* ---- ends in order ---- */

static int by_time(const void *a, const void *b)
{
    const struct hc_failure_end *x = ((const struct hc_end *)a)->end,
                                *y = ((const struct hc_end *)b)->end;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    int order = strcmp(x->job, y->job);
    return order ? order : strcmp(x->user, y->user);
}

static int by_job(const void *a, const void *b)
{
    return strcmp(((const struct hc_end *)a)->end->job, ((const struct hc_end *)b)->end->job);
}

static int by_user(const void *a, const void *b)
{
    int order =
        strcmp(((const struct hc_end *)a)->end->user, ((const struct hc_end *)b)->end->user);
    return order ? order : by_time(a, b);
}

static void number(struct hc_ends *ends, int64_t window_ns)
{
    qsort(ends->rows, ends->n, sizeof *ends->rows, by_job);
    for (size_t i = 1; i < ends->n; i++)
        ends->rows[i].job =
            ends->rows[i - 1].job + (by_job(&ends->rows[i - 1], &ends->rows[i]) != 0);
    qsort(ends->rows, ends->n, sizeof *ends->rows, by_user);
    ends->rows[0].is_first = true;
    for (size_t i = 1; i < ends->n; i++) {
        const struct hc_end *last = &ends->rows[i - 1];
        bool is_other = strcmp(last->end->user, ends->rows[i].end->user) != 0;
        ends->rows[i].user = last->user + is_other;
        ends->rows[i].is_first =
            is_other || ends->rows[i].end->time_ns - last->end->time_ns > window_ns;
    }
    qsort(ends->rows, ends->n, sizeof *ends->rows, by_time);
}

enum hc_status hc_ends_open(struct hc_ends *ends, const struct hc_findings_input *input,
                            int64_t window_ns, struct hc_error *err)
{
    *ends = (struct hc_ends){.rows = hc_new_array(input->n_ends, sizeof *ends->rows, err)};
    ends->counts = ends->rows ? hc_new_array(2 * input->n_ends, sizeof *ends->counts, err) : NULL;
    if (!ends->counts) {
        hc_ends_close(ends);
        return err->status;
    }
    for (size_t i = 0; i < input->n_ends; i++) {
        const struct hc_failure_end *end = &input->ends[i];
        if (end->job && end->user && end->time_ns >= input->day_start_ns[0] &&
            end->time_ns < input->day_start_ns[input->n_days])
            ends->rows[ends->n++] = (struct hc_end){.end = end};
        else
            ends->n_bad++;
    }
    if (ends->n)
        number(ends, window_ns);
    return HC_OK;
}

void hc_ends_close(struct hc_ends *ends)
{
    free(ends->rows);
    free(ends->counts);
    *ends = (struct hc_ends){.n = 0};
}

/* The first that is not before time. */
static size_t first_at(const struct hc_ends *ends, int64_t time)
{
    size_t low = 0, high = ends->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends->rows[middle].end->time_ns < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- what chance does ---- */

/* Hours of the days before by how many failures they had, those of one user in a row once; of more
 * than the most that are told apart, as the most. */
struct usual {
    double hours[MOST_A_HOUR + 1];
    double n_days, window_h;
    double dispersion; /* of hours */
};

static void add_hour(struct usual *usual, int n)
{
    usual->hours[n < MOST_A_HOUR ? n : MOST_A_HOUR]++;
}

static void look_back(struct usual *usual, const struct hc_ends *ends,
                      const struct hc_finding_batch *batch)
{
    const int64_t *start = batch->input->day_start_ns;
    int from = hc_finding_first_day(batch->day - 1, batch->options->baseline_days), of_hour = 0;
    double all = (double)(start[batch->day] - start[from]) / (double)HOUR_NS, n = 0, squares = 0;
    *usual =
        (struct usual){.n_days = all / 24,
                       .window_h = (double)batch->options->cofailure_window_ns / (double)HOUR_NS};
    int64_t hour = -1;
    for (size_t i = first_at(ends, start[from]); i < ends->n; i++) {
        const struct hc_end *row = &ends->rows[i];
        if (row->end->time_ns >= start[batch->day])
            break;
        int64_t this_hour = (row->end->time_ns - start[from]) / HOUR_NS;
        if (this_hour != hour && hour >= 0)
            add_hour(usual, of_hour);
        of_hour = this_hour == hour ? of_hour + row->is_first : row->is_first;
        hour = this_hour;
    }
    add_hour(usual, of_hour);
    for (int k = 1; k <= MOST_A_HOUR; k++) {
        n += usual->hours[k] * k;
        squares += usual->hours[k] * k * k;
    }
    double mean = n / all;
    usual->dispersion = n > 0 ? hc_round_digits(fmax(1, squares / n - mean), HC_STATS_DIGITS) : 1;
}

static double by_chance(const struct usual *usual, int n_users)
{
    /* Half a failure of the days before, where there was none. */
    double sum = 0.5 * hc_sf_poisson_upper(n_users - 1, usual->window_h);
    for (int k = 1; k <= MOST_A_HOUR; k++)
        if (usual->hours[k] > 0)
            sum += usual->hours[k] * k * hc_sf_poisson_upper(n_users - 1, k * usual->window_h);
    return hc_round_digits(sum / usual->n_days, HC_STATS_DIGITS);
}

static int fewest_users(const struct usual *usual, const struct hc_finding_batch *batch)
{
    double budget = hc_finding_budget(batch->options, HC_FINDING_COFAILURE);
    int n = batch->options->cofailure_least_users;
    while (n < MOST_USERS && by_chance(usual, n) > budget)
        n++;
    return n;
}

/* ---- what they have in common ---- */

struct node_of {
    const char *name;
    size_t end;
};

static int by_name(const void *a, const void *b)
{
    const struct node_of *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->end > y->end) - (x->end < y->end);
}

/* The first name that each of the ends has, of n nodes. */
static const char *common_node(struct node_of *nodes, size_t n, size_t n_ends)
{
    size_t n_with = 0;
    if (n)
        qsort(nodes, n, sizeof *nodes, by_name);
    for (size_t i = 0; i < n; i++) {
        bool is_same = i && strcmp(nodes[i].name, nodes[i - 1].name) == 0;
        if (is_same && nodes[i].end == nodes[i - 1].end)
            continue;
        n_with = is_same ? n_with + 1 : 1;
        if (n_with == n_ends)
            return nodes[i].name;
    }
    return NULL;
}

static enum hc_status find_node(struct hc_cofailure *cofailure, const struct hc_ends *ends,
                                struct hc_error *err)
{
    size_t n = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        n += ends->rows[i].end->n_nodes;
    struct node_of *nodes = hc_new_array(n, sizeof *nodes, err);
    if (!nodes)
        return err->status;
    n = 0;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        for (size_t j = 0; j < ends->rows[i].end->n_nodes; j++)
            nodes[n++] = (struct node_of){ends->rows[i].end->nodes[j], i};
    cofailure->place = common_node(nodes, n, cofailure->end - cofailure->first);
    cofailure->scope = cofailure->place ? "node" : "cluster";
    free(nodes);
    return HC_OK;
}

static void find_place(struct hc_cofailure *cofailure, const struct hc_ends *ends)
{
    static const char *const names[HC_N_FINDING_PLACES] = {"rack", "switch", "file system",
                                                           "partition"};
    for (int place = 0; place < HC_N_FINDING_PLACES && !cofailure->place; place++) {
        const char *name = ends->rows[cofailure->first].end->place[place];
        for (size_t i = cofailure->first; i < cofailure->end && name; i++) {
            const char *other = ends->rows[i].end->place[place];
            if (!other || strcmp(other, name) != 0)
                name = NULL;
        }
        cofailure->place = name;
        cofailure->scope = name ? names[place] : "cluster";
    }
}

/* ---- the day ---- */

/* Adds an end to the window, or takes it out; returns by how much a number of different ones
 * changes. */
static int count(int32_t *counts, int32_t which, int by)
{
    counts[which] += by;
    return by > 0 ? counts[which] == 1 : -(counts[which] == 0);
}

static void count_different(struct hc_cofailure *cofailure, const struct hc_ends *ends)
{
    cofailure->n_jobs = cofailure->n_users = 0;
    for (int by = 1; by >= -1; by -= 2)
        for (size_t i = cofailure->first; i < cofailure->end; i++) {
            int jobs = count(ends->counts + ends->n, ends->rows[i].job, by);
            int users = count(ends->counts, ends->rows[i].user, by);
            cofailure->n_jobs += by > 0 ? jobs : 0;
            cofailure->n_users += by > 0 ? users : 0;
        }
}

static enum hc_status finish(struct hc_cofailure *cofailure, const struct hc_ends *ends,
                             const struct usual *usual, struct hc_error *err)
{
    count_different(cofailure, ends);
    cofailure->by_chance = by_chance(usual, cofailure->n_users);
    cofailure->dispersion = usual->dispersion;
    cofailure->time_ns = ends->rows[cofailure->first].end->time_ns;
    for (size_t i = cofailure->first; i < cofailure->end; i++)
        if (isfinite(ends->rows[i].end->gpu_hours))
            cofailure->gpu_hours += ends->rows[i].end->gpu_hours;
    if (find_node(cofailure, ends, err))
        return err->status;
    find_place(cofailure, ends);
    return HC_OK;
}

static enum hc_status put(struct hc_cofailures *found, size_t first, size_t end,
                          struct hc_error *err)
{
    struct hc_cofailure *last = found->n ? &found->rows[found->n - 1] : NULL;
    if (last && first < last->end) {
        last->end = end;
        return HC_OK;
    }
    if (hc_reserve(&found->rows, &found->capacity, found->n + 1, sizeof *found->rows, err))
        return err->status;
    found->rows[found->n++] = (struct hc_cofailure){.first = first, .end = end};
    return HC_OK;
}

/* Windows that begin with each end of the day, which slide; those with enough users that overlap
 * are one. */
static enum hc_status slide(struct hc_cofailures *found, const struct hc_ends *ends,
                            const struct hc_finding_batch *batch, int least_users,
                            struct hc_error *err)
{
    const int64_t *start = batch->input->day_start_ns;
    size_t last = first_at(ends, start[batch->day + 1]), first = first_at(ends, start[batch->day]);
    size_t end = first;
    int n_users = 0, n_jobs = 0;
    enum hc_status status = HC_OK;
    for (size_t i = first; i < last; i++) {
        int64_t until = ends->rows[i].end->time_ns + batch->options->cofailure_window_ns;
        for (; end < last && ends->rows[end].end->time_ns <= until; end++) {
            n_users += count(ends->counts, ends->rows[end].user, 1);
            n_jobs += count(ends->counts + ends->n, ends->rows[end].job, 1);
        }
        if (status == HC_OK && n_users >= least_users &&
            n_jobs >= batch->options->cofailure_least_jobs)
            status = put(found, i, end, err);
        n_users += count(ends->counts, ends->rows[i].user, -1);
        n_jobs += count(ends->counts + ends->n, ends->rows[i].job, -1);
    }
    return status;
}

enum hc_status hc_find_cofailures(struct hc_cofailures *found, const struct hc_ends *ends,
                                  const struct hc_finding_batch *batch, struct hc_error *err)
{
    found->n = 0;
    if (batch->day < batch->options->least_baseline || ends->n == 0)
        return HC_OK;
    struct usual usual;
    look_back(&usual, ends, batch);
    enum hc_status status = slide(found, ends, batch, fewest_users(&usual, batch), err);
    for (size_t i = 0; i < found->n && status == HC_OK; i++)
        status = finish(&found->rows[i], ends, &usual, err);
    return status;
}
