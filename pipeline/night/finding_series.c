#include "pipeline/night/finding_series.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* The row of a name, made with zeros when it is new. */
static enum hc_status row_of(struct hc_day_rows *rows, const char *name, size_t n_days,
                             int32_t *code, struct hc_error *err)
{
    if (hc_text_set_add(&rows->names, name, strlen(name), code, err))
        return err->status;
    if ((size_t)*code < rows->n)
        return HC_OK;
    if (hc_reserve(&rows->values, &rows->room, (rows->n + 1) * n_days, sizeof *rows->values, err))
        return err->status;
    memset(rows->values + rows->n * n_days, 0, n_days * sizeof *rows->values);
    rows->n++;
    return HC_OK;
}

static int32_t day_of(const struct hc_night_days *days, int64_t ns)
{
    size_t low = 0, high = days->n;
    if (ns < days->edges_ns[0] || ns >= days->edges_ns[days->n])
        return -1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (days->edges_ns[middle] <= ns)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low;
}

/* Add an amount a nanosecond over [from, to), day by day. */
static void spread(const struct hc_night_days *days, int64_t from_ns, int64_t to_ns, double a_ns,
                   double *row)
{
    from_ns = from_ns > days->edges_ns[0] ? from_ns : days->edges_ns[0];
    to_ns = to_ns < days->edges_ns[days->n] ? to_ns : days->edges_ns[days->n];
    if (from_ns >= to_ns)
        return;
    for (size_t day = (size_t)day_of(days, from_ns); from_ns < to_ns; day++) {
        int64_t end_ns = to_ns < days->edges_ns[day + 1] ? to_ns : days->edges_ns[day + 1];
        row[day] += (double)(end_ns - from_ns) * a_ns;
        from_ns = end_ns;
    }
}

static enum hc_status add_time(struct hc_day_times *times, const char *name, int32_t day,
                               int64_t ns, struct hc_error *err)
{
    int32_t code;
    if (day < 0 || ns < 0)
        return HC_OK;
    if (hc_text_set_add(&times->names, name, strlen(name), &code, err) ||
        hc_reserve(&times->list, &times->room, times->n + 1, sizeof *times->list, err))
        return err->status;
    times->list[times->n++] = (struct hc_day_time){code, day, (double)ns * 1e-9};
    return HC_OK;
}

/* ---- attempts ---- */

/* What a node is told apart by, of a cluster or NULL: nodes of two clusters may have one name. The
 * first `n` bytes of the name count. False: it is too long for any node. */
#define NODE_KEY_SIZE 512
static bool node_key(const char *cluster, const char *node, size_t n, char key[NODE_KEY_SIZE])
{
    int length = snprintf(key, NODE_KEY_SIZE, "%s/%.*s", cluster ? cluster : "", (int)n, node);
    return n < NODE_KEY_SIZE && length > 0 && length < NODE_KEY_SIZE;
}

static enum hc_status use_node(struct hc_finding_series_set *set,
                               const struct hc_walked_attempt *attempt, const char *name,
                               int32_t gpus, struct hc_error *err)
{
    int32_t code;
    char key[NODE_KEY_SIZE];
    if (!node_key(attempt->cluster, name, strlen(name), key))
        return HC_OK; /* its failures are of no node either */
    if (row_of(&set->nodes, key, set->days.n, &code, err) ||
        hc_reserve(&set->gpus_of_node, &set->gpus_room, set->nodes.n, sizeof *set->gpus_of_node,
                   err))
        return err->status;
    for (; set->n_gpus < set->nodes.n; set->n_gpus++)
        set->gpus_of_node[set->n_gpus] = 1;
    if (gpus > set->gpus_of_node[code])
        set->gpus_of_node[code] = gpus;
    spread(&set->days, attempt->start_ns, attempt->end_ns, gpus,
           set->nodes.values + (size_t)code * set->days.n);
    return HC_OK;
}

static enum hc_status use_nodes(struct hc_finding_series_set *set,
                                const struct hc_walked_attempt *attempt, struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    bool is_there = attempt->end_ns > set->days.edges_ns[0] &&
                    attempt->start_ns < set->days.edges_ns[set->days.n];
    if (!attempt->node_list || !is_there ||
        hc_node_list_open(&reader, attempt->node_list, strlen(attempt->node_list), &why))
        return HC_OK; /* a list that cannot be read is told by the night */
    int64_t n = reader.n_nodes > 0 ? reader.n_nodes : 1;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (use_node(set, attempt, name, (int32_t)((attempt->gpus + n - 1) / n), err))
            return err->status;
    return HC_OK;
}

static enum hc_status take_starts(struct hc_finding_series_set *set,
                                  const struct hc_attempt_facts *facts, struct hc_error *err)
{
    static const char *const names[HC_N_PHASES] = {
        [HC_PHASE_IMAGE] = "image",     [HC_PHASE_ENVIRONMENT] = "environment",
        [HC_PHASE_INIT] = "init",       [HC_PHASE_LOAD] = "load",
        [HC_PHASE_COMPILE] = "compile", [HC_PHASE_DATA] = "data"};
    for (size_t k = 0; k < facts->n_launches; k++)
        for (size_t i = 0; i < facts->launches[k].n_phases; i++) {
            const struct hc_phase_span *span = &facts->launches[k].phases[i];
            if (names[span->phase] &&
                add_time(&set->starts, names[span->phase], day_of(&set->days, span->from_ns),
                         span->to_ns - span->from_ns, err))
                return err->status;
        }
    return HC_OK;
}

/* What the scheduler says was held, which the account must come to. */
static enum hc_status record_attempt(struct hc_finding_series_set *set,
                                     const struct hc_walked_attempt *attempt, struct hc_error *err)
{
    int32_t all;
    if (row_of(&set->recorded, "allocated time", set->days.n, &all, err) ||
        row_of(&set->accounted, "allocated time", set->days.n, &all, err))
        return err->status;
    if (attempt->end_ns > attempt->start_ns)
        spread(&set->days, attempt->start_ns, attempt->end_ns, attempt->gpus / 3.6e12,
               set->recorded.values);
    return HC_OK;
}

enum hc_status hc_finding_series_attempt(struct hc_finding_series_set *set,
                                         const struct hc_walked_attempt *attempt,
                                         const struct hc_attempt_facts *facts, const char *run,
                                         struct hc_error *err)
{
    int64_t eligible_ns =
        attempt->eligible_ns == HC_MISSING_I64 ? attempt->submit_ns : attempt->eligible_ns;
    int32_t same;
    set->code = -1;
    struct hc_day_rows *const others[] = {&set->productive, &set->kept, &set->going};
    if (run && row_of(&set->held, run, set->days.n, &set->code, err))
        return err->status;
    for (size_t i = 0; run && i < sizeof others / sizeof *others; i++)
        if (row_of(others[i], run, set->days.n, &same, err))
            return err->status;
    if (record_attempt(set, attempt, err) || use_nodes(set, attempt, err) ||
        take_starts(set, facts, err))
        return err->status;
    return eligible_ns == HC_MISSING_I64
               ? HC_OK
               : add_time(&set->waits, attempt->partition ? attempt->partition : "?",
                          day_of(&set->days, attempt->start_ns), attempt->start_ns - eligible_ns,
                          err);
}

/* Whether a stop of the run took the time, or nobody knows what did: what is left shows what slows
 * each hour of the run, however often it stops. Planned stops and first starts are of its usual
 * days, but for the steps that are done again after them, which are hours on some days. */
static bool is_of_stop(const struct hc_slice *slice)
{
    if (slice->what == HC_WHAT_LOST_WORK || slice->what == HC_WHAT_ABANDONED ||
        slice->what == HC_WHAT_UNKNOWN)
        return true;
    return slice->why != HC_WHY_NONE && slice->why != HC_WHY_FIRST_START &&
           slice->why != HC_WHY_PLANNED;
}

static void add_slice(const struct hc_finding_series_set *set, const struct hc_slice *slice,
                      const struct hc_day_rows *rows)
{
    spread(&set->days, slice->from_ns, slice->to_ns, slice->gpus / 3.6e12,
           rows->values + (size_t)set->code * set->days.n);
}

enum hc_status hc_finding_series_slice(struct hc_finding_series_set *set,
                                       const struct hc_slice *slice, struct hc_error *err)
{
    bool is_productive = hc_what_goodput(slice->what) == HC_GOODPUT_PRODUCTIVE;
    (void)err;
    spread(&set->days, slice->from_ns, slice->to_ns, slice->gpus / 3.6e12, set->accounted.values);
    if (set->code < 0)
        return HC_OK;
    add_slice(set, slice, &set->held);
    if (is_productive)
        add_slice(set, slice, &set->productive);
    if (!is_of_stop(slice)) {
        add_slice(set, slice, &set->going);
        if (is_productive)
            add_slice(set, slice, &set->kept);
    }
    return HC_OK;
}

void hc_finding_series_fini(struct hc_finding_series_set *set)
{
    struct hc_day_rows *const rows[] = {&set->nodes, &set->productive, &set->held,    &set->kept,
                                        &set->going, &set->accounted,  &set->recorded};
    struct hc_day_times *const times[] = {&set->starts, &set->waits};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hc_text_set_fini(&rows[i]->names);
        free(rows[i]->values);
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        hc_text_set_fini(&times[i]->names);
        free(times[i]->list);
    }
    free(set->gpus_of_node);
    free(set->days.edges_ns);
    free(set->days.names);
    if (set->event_names)
        hc_text_set_fini(set->event_names);
    for (size_t i = 0; i < set->n_blocks; i++)
        free(set->blocks[i]);
    free(set->blocks);
    free(set->series);
    *set = (struct hc_finding_series_set){0};
}

/* ---- for the files that make the input at the end ---- */

void *hc_finding_room(struct hc_finding_series_set *set, size_t n, size_t size,
                      struct hc_error *err)
{
    if (hc_reserve(&set->blocks, &set->blocks_room, set->n_blocks + 1, sizeof *set->blocks, err))
        return NULL;
    void *block = hc_new_array(n, size, err);
    if (block)
        set->blocks[set->n_blocks++] = block;
    return block;
}

enum hc_status hc_finding_add_series(struct hc_finding_series_set *set,
                                     const struct hc_finding_series *series, struct hc_error *err)
{
    if (hc_reserve(&set->series, &set->series_room, set->n_series + 1, sizeof *set->series, err))
        return err->status;
    set->series[set->n_series++] = *series;
    return HC_OK;
}

int32_t hc_finding_day(const struct hc_night_days *days, int64_t ns)
{
    if (ns < days->edges_ns[0] || ns >= days->edges_ns[days->n])
        return -1;
    size_t day = 0;
    while (days->edges_ns[day + 1] <= ns)
        day++;
    return (int32_t)day;
}

const char *hc_finding_text(const struct hc_text_set *set, int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : set->text[code];
}

int32_t hc_finding_node(const struct hc_finding_series_set *set, const char *cluster,
                        const char *node, size_t n)
{
    char key[NODE_KEY_SIZE];
    return node_key(cluster, node, n, key) ? hc_text_set_find(&set->nodes.names, key, strlen(key))
                                           : -1;
}
