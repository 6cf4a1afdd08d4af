#include "pipeline/night/finding_series.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"
#include "models/findings/day_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS          86400e9
#define REPEAT_NS       ((int64_t)300 * 1000000000) /* events of a node so close are one */
#define TRAILING_DAYS   56
#define MOST_EVENTS     256 /* names of events that are told apart */
#define ONE_FAULT_NS    ((int64_t)3600 * 1000000000)
#define STILL_BROKEN_NS ((int64_t)300 * 1000000000)

struct ending {
    struct hc_finding_series_set *set;
    const struct hc_finding_series_source *source;
    double *in_use; /* node-days of the cluster, a day each */
};

/* Zeroed memory that lives as long as the set. */
static void *room_for(struct hc_finding_series_set *set, size_t n, size_t size,
                      struct hc_error *err)
{
    if (hc_reserve(&set->blocks, &set->blocks_room, set->n_blocks + 1, sizeof *set->blocks, err))
        return NULL;
    void *block = hc_new_array(n, size, err);
    if (block)
        set->blocks[set->n_blocks++] = block;
    return block;
}

static enum hc_status add_series(struct hc_finding_series_set *set,
                                 const struct hc_finding_series *series, struct hc_error *err)
{
    if (hc_reserve(&set->series, &set->series_room, set->n_series + 1, sizeof *set->series, err))
        return err->status;
    set->series[set->n_series++] = *series;
    return HC_OK;
}

static int32_t day_of(const struct hc_night_days *days, int64_t ns)
{
    if (ns < days->edges_ns[0] || ns >= days->edges_ns[days->n])
        return -1;
    size_t day = 0;
    while (days->edges_ns[day + 1] <= ns)
        day++;
    return (int32_t)day;
}

/* ---- nodes ---- */

/* A failure with a node, as it counts there. */
struct node_failure {
    int64_t start_ns, time_ns; /* of the job's attempt, and its end */
    int32_t node;
    const char *cluster; /* or NULL */
    struct hc_finding_failure failure;
};

struct node_failures {
    size_t n, room;
    struct node_failure *list;
};

/* Its row, or -1: it was not in use in these days. */
static int32_t find_node(const struct hc_finding_series_set *set, const char *cluster,
                         const char *node, size_t n)
{
    char key[HC_NODE_KEY_SIZE];
    return hc_finding_node_key(cluster, node, n, key)
               ? hc_text_set_find(&set->nodes.names, key, strlen(key))
               : -1;
}

static enum hc_status add_failure(struct node_failures *failures,
                                  const struct hc_finding_series_set *set, const char *node,
                                  const struct node_failure *failure, struct hc_error *err)
{
    int32_t code = find_node(set, failure->cluster, node, hc_node_short_length(node));
    if (code < 0)
        code = find_node(set, failure->cluster, node, strlen(node));
    if (code < 0)
        return HC_OK; /* a node that was not in use in these days */
    if (hc_reserve(&failures->list, &failures->room, failures->n + 1, sizeof *failures->list, err))
        return err->status;
    failures->list[failures->n] = *failure;
    failures->list[failures->n++].node = code;
    return HC_OK;
}

/* What no event and no scheduler says the node of is shared among all nodes of the attempt. */
static enum hc_status share_failure(struct node_failures *failures,
                                    const struct hc_finding_series_set *set, const char *list,
                                    struct node_failure *failure, struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    if (hc_node_list_open(&reader, list, strlen(list), &why) || reader.n_nodes < 1)
        return HC_OK;
    failure->failure.weight = 1.0 / (double)reader.n_nodes;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (add_failure(failures, set, name, failure, err))
            return err->status;
    return HC_OK;
}

static const char *text_of(const struct hc_text_set *set, int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : set->text[code];
}

/* The run that each failure stopped, or -1. */
static const int32_t *runs_of_failures(const struct ending *e, struct hc_error *err)
{
    const struct hc_walk *walk = e->source->walk;
    size_t n = walk->records.failures.n;
    int32_t *run_of = room_for(e->set, n, sizeof *run_of, err);
    for (size_t i = 0; i < n && run_of; i++)
        run_of[i] = -1;
    for (size_t i = 0; i < walk->launches.n && run_of; i++)
        if (walk->launches.list[i].stop.failure >= 0)
            run_of[walk->launches.list[i].stop.failure] = walk->launches.list[i].run;
    return run_of;
}

/* Jobs of one user and name are one run, for all that is known; of two runs both are evidence. */
static uint64_t run_id(const struct ending *e, const int32_t *run_of, size_t failure)
{
    const struct hc_failure *f = &e->source->walk->records.failures.failures[failure];
    if (run_of[failure] >= 0)
        return (uint64_t)run_of[failure] + 1;
    if (f->user == HC_MISSING_I32 || f->name == HC_MISSING_I32)
        return (uint64_t)f->raw_job | (uint64_t)1 << 63;
    return ((uint64_t)f->user << 32 | (uint64_t)f->name) | (uint64_t)1 << 62;
}

static enum hc_status collect_failures(const struct ending *e, struct node_failures *found,
                                       struct hc_error *err)
{
    const struct hc_failures *failures = &e->source->walk->records.failures;
    const int32_t *run_of = runs_of_failures(e, err);
    if (!run_of)
        return err->status;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        struct node_failure failure = {.start_ns = f->start_ns,
                                       .time_ns = f->end_ns,
                                       .cluster = text_of(&failures->texts, f->cluster),
                                       .failure = {.day = day_of(&e->set->days, f->end_ns),
                                                   .source = -1,
                                                   .run = run_id(e, run_of, i),
                                                   .weight = 1}};
        const struct hc_node_event *event = f->event;
        if (failure.failure.day < 0 || f->side != HC_SIDE_INFRASTRUCTURE)
            continue;
        const char *node = hc_failure_node(failures, f);
        const char *list = text_of(&failures->texts, f->node_list);
        if (event && event->node != HC_MISSING_I32 && f->evidence <= HC_EVIDENCE_LIKELY)
            failure.failure.source = event->source;
        enum hc_status status = HC_OK;
        if (node)
            status = add_failure(found, e->set, node, &failure, err);
        else if (list)
            status = share_failure(found, e->set, list, &failure, err);
        if (status)
            return status;
    }
    return HC_OK;
}

static int compare_failures(const void *a, const void *b)
{
    const struct node_failure *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->failure.run != y->failure.run)
        return x->failure.run < y->failure.run ? -1 : 1;
    return (x->failure.source > y->failure.source) - (x->failure.source < y->failure.source);
}

/* From GPU-time held to days in use, of nodes and of the cluster. */
static enum hc_status measure_use(struct ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    e->in_use = room_for(set, set->days.n, sizeof *e->in_use, err);
    if (!e->in_use)
        return err->status;
    for (size_t node = 0; node < set->nodes.n; node++)
        for (size_t day = 0; day < set->days.n; day++) {
            double *value = &set->nodes.values[node * set->days.n + day];
            *value = fmin(*value / set->gpus_of_node[node] / DAY_NS, 25.0 / 24);
            e->in_use[day] += *value;
        }
    return HC_OK;
}

/* Whether a failure is of the fault of the last one on its node: what ran beside it may end up to
 * an hour later, and what is started on a node that is still broken ends at once. What was started
 * after it, and ran for a while, met a fault of its own. */
static bool is_same_fault(const struct node_failure *last, const struct node_failure *one)
{
    int64_t after_ns = one->time_ns - last->time_ns;
    return last->node == one->node &&
           after_ns <= (one->start_ns <= last->time_ns ? ONE_FAULT_NS : STILL_BROKEN_NS);
}

/* Of failures by one fault that counts of which most is known to be of this node. */
static void unite_failures(struct node_failures *found)
{
    size_t n = 0;
    if (found->n)
        qsort(found->list, found->n, sizeof *found->list, compare_failures);
    for (size_t i = 0; i < found->n; i++) {
        struct node_failure *last = n ? &found->list[n - 1] : NULL, *one = &found->list[i];
        if (!last || !is_same_fault(last, one))
            found->list[n++] = *one;
        else if (one->failure.weight > last->failure.weight)
            last->failure = one->failure;
    }
    found->n = n;
}

/* Names without their cluster, but where nodes of two clusters have the same. */
static enum hc_status name_nodes(struct hc_finding_series_set *set, struct hc_error *err)
{
    size_t n = set->nodes.n;
    struct hc_text_set short_names = {0};
    set->node_subjects = room_for(set, n, sizeof *set->node_subjects, err);
    int32_t *code_of = hc_new_array(n, sizeof *code_of, err);
    int32_t *n_of = hc_new_array(n, sizeof *n_of, err);
    enum hc_status status = set->node_subjects && code_of && n_of ? HC_OK : err->status;
    for (size_t i = 0; i < n && !status; i++) {
        set->node_subjects[i] = strrchr(set->nodes.names.text[i], '/') + 1;
        status = hc_text_set_add(&short_names, set->node_subjects[i], strlen(set->node_subjects[i]),
                                 &code_of[i], err);
        n_of[status ? 0 : code_of[i]]++;
    }
    for (size_t i = 0; i < n && !status; i++)
        if (n_of[code_of[i]] > 1)
            set->node_subjects[i] = set->nodes.names.text[i];
    hc_text_set_fini(&short_names);
    free(code_of);
    free(n_of);
    return status;
}

static enum hc_status add_nodes(struct ending *e, struct node_failures *found, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    unite_failures(found);
    struct hc_finding_failure *list = room_for(set, found->n, sizeof *list, err);
    size_t at = 0;
    if (!list)
        return err->status;
    for (size_t i = 0; i < found->n; i++)
        list[i] = found->list[i].failure;
    for (size_t node = 0; node < set->nodes.n; node++) {
        size_t first = at;
        while (at < found->n && found->list[at].node == (int32_t)node)
            at++;
        if (add_series(
                set,
                &(struct hc_finding_series){.kind = HC_FINDING_LEMON_NODE,
                                            .subject = set->node_subjects[node],
                                            .exposure = set->nodes.values + node * set->days.n,
                                            .failures = list + first,
                                            .n_failures = at - first},
                err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status end_nodes(struct ending *e, struct hc_error *err)
{
    struct node_failures found = {0};
    enum hc_status status = measure_use(e, err);
    if (!status)
        status = name_nodes(e->set, err);
    if (!status)
        status = collect_failures(e, &found, err);
    if (!status)
        status = add_nodes(e, &found, err);
    free(found.list);
    return status;
}

/* ---- events ---- */

static void name_event(const struct hc_node_event *event, char text[64])
{
    if (event->code == HC_MISSING_I32)
        snprintf(text, 64, "%s", hc_event_class_name(event->event_class));
    else
        snprintf(text, 64, "%s %d", hc_event_class_name(event->event_class), event->code);
}

/* Events are by node and time: one of the same name on a node within minutes of the last is it. All
 * that come when there are MOST_EVENTS - 1 names are one more name together. */
static enum hc_status count_events(const struct ending *e, struct hc_text_set *names,
                                   double *counts, struct hc_error *err)
{
    const struct hc_evidence_set *set = &e->source->walk->records.set;
    int64_t last_ns[MOST_EVENTS];
    int32_t node = -1;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_node_event *event = &set->events[i];
        int32_t day = day_of(&e->set->days, event->time_ns), code;
        char name[64];
        if (event->node != node)
            for (size_t k = 0; k < MOST_EVENTS; k++)
                last_ns[k] = INT64_MIN / 2;
        node = event->node;
        if (day < 0 || event->incident || event->is_of_tool)
            continue;
        name_event(event, name);
        if (names->n + 1 >= MOST_EVENTS && hc_text_set_find(names, name, strlen(name)) < 0)
            snprintf(name, sizeof name, "other events");
        if (hc_text_set_add(names, name, strlen(name), &code, err))
            return err->status;
        if (event->time_ns - last_ns[code] > REPEAT_NS)
            counts[(size_t)code * e->set->days.n + (size_t)day]++;
        last_ns[code] = event->time_ns;
    }
    return HC_OK;
}

/* Events come on nodes that are in use, and on others too. Where less is in use than in the weeks
 * that a day is compared with, no fewer events need come: the day counts as the mean of eight weeks
 * did when it was highest. So a fleet that is used less and less has no event that comes more often
 * for that alone. */
static double *event_exposure(const struct ending *e, struct hc_error *err)
{
    size_t n = e->set->days.n;
    double *exposure = room_for(e->set, n, sizeof *exposure, err), sum = 0, highest = 0;
    for (size_t day = 0; day < n && exposure; day++) {
        sum += e->in_use[day];
        if (day >= TRAILING_DAYS)
            sum -= e->in_use[day - TRAILING_DAYS];
        double mean = sum / (double)(day < TRAILING_DAYS ? day + 1 : TRAILING_DAYS);
        highest = fmax(highest, mean);
        exposure[day] = fmax(e->in_use[day], highest);
    }
    return exposure;
}

static enum hc_status end_events(struct ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    double *exposure = event_exposure(e, err);
    double *counts = room_for(set, MOST_EVENTS * set->days.n, sizeof *counts, err);
    struct hc_text_set *names = room_for(set, 1, sizeof *names, err);
    if (!exposure || !counts || !names || count_events(e, names, counts, err))
        return err->status;
    set->event_names = names;
    for (size_t i = 0; i < names->n; i++)
        if (add_series(set,
                       &(struct hc_finding_series){.kind = HC_FINDING_EVENT_RATE,
                                                   .subject = names->text[i],
                                                   .amount = counts + i * set->days.n,
                                                   .exposure = exposure},
                       err))
            return err->status;
    return HC_OK;
}

/* ---- times of a day ---- */

static int compare_times(const void *a, const void *b)
{
    const struct hc_day_time *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static enum hc_status end_times(struct ending *e, struct hc_day_times *times,
                                enum hc_finding_kind kind, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    size_t n_days = set->days.n, n_rows = times->names.n * n_days;
    double *seconds = room_for(set, times->n, sizeof *seconds, err);
    double *numbers = room_for(set, 3 * n_rows, sizeof *numbers, err);
    if (!seconds || !numbers)
        return err->status;
    if (times->n)
        qsort(times->list, times->n, sizeof *times->list, compare_times);
    for (size_t i = 0; i < times->n; i++)
        seconds[i] = times->list[i].seconds;
    for (size_t i = 0, end; i < times->n; i = end) {
        end = i + 1;
        while (end < times->n && times->list[end].name == times->list[i].name &&
               times->list[end].day == times->list[i].day)
            end++;
        struct hc_day_summary day = hc_day_summarise(seconds + i, end - i);
        size_t at = (size_t)times->list[i].name * n_days + (size_t)times->list[i].day;
        numbers[at] = day.location;
        numbers[n_rows + at] = (double)day.n;
        numbers[2 * n_rows + at] = isfinite(day.error) ? day.error : 0;
    }
    for (size_t i = 0; i < times->names.n; i++)
        if (add_series(set,
                       &(struct hc_finding_series){.kind = kind,
                                                   .subject = times->names.text[i],
                                                   .amount = numbers + i * n_days,
                                                   .exposure = numbers + n_rows + i * n_days,
                                                   .error = numbers + 2 * n_rows + i * n_days},
                       err))
            return err->status;
    return HC_OK;
}

/* ---- runs ---- */

static enum hc_status end_runs(struct ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    for (size_t i = 0; i < set->held.n; i++)
        if (add_series(
                set,
                &(struct hc_finding_series){.kind = HC_FINDING_RUN_ETTR,
                                            .subject = set->held.names.text[i],
                                            .amount = set->productive.values + i * set->days.n,
                                            .exposure = set->held.values + i * set->days.n,
                                            .steady_amount = set->kept.values + i * set->days.n,
                                            .steady_exposure = set->going.values + i * set->days.n,
                                            .gpu_hours = set->held.values + i * set->days.n},
                err))
            return err->status;
    return HC_OK;
}

/* ---- sums ---- */

static enum hc_status end_sums(struct ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    if (!set->recorded.n)
        return HC_OK;
    return add_series(set,
                      &(struct hc_finding_series){.kind = HC_FINDING_RECONCILIATION,
                                                  .subject = set->recorded.names.text[0],
                                                  .amount = set->accounted.values,
                                                  .exposure = set->recorded.values,
                                                  .gpu_hours = set->recorded.values},
                      err);
}

/* ---- sources ---- */

/* The end of the day that a segment tells of; of a month that holds to_ns, to_ns. Or missing. */
static int64_t end_of(const char *day, int64_t to_ns)
{
    const int64_t day_ns = 86400 * (int64_t)1000000000;
    char text[48];
    int64_t ns;
    bool is_month = strlen(day) == 7;
    int n = snprintf(text, sizeof text, "%s%sT00:00:00Z", day, is_month ? "-01" : "");
    if (!day[0] || !hc_parse_iso8601(text, (size_t)n, &ns))
        return HC_MISSING_I64;
    if (!is_month)
        return ns + day_ns;
    int64_t end_ns = ns + day_ns * hc_days_in_month(strtol(day, NULL, 10), atoi(day + 5));
    return end_ns > to_ns && ns < to_ns ? to_ns : end_ns;
}

/* A table of records is a source: how old its last day is at the end of each day. */
static enum hc_status end_sources(struct ending *e, struct hc_error *err)
{
    static const char *const tables[] = {"jobs",        "events", "node_states",
                                         "train_steps", "phases", "queue"};
    struct hc_finding_series_set *set = e->set;
    size_t n = sizeof tables / sizeof *tables, n_days = set->days.n;
    double *ages = room_for(set, 2 * n * n_days, sizeof *ages, err);
    if (!ages)
        return err->status;
    for (size_t t = 0; t < n; t++) {
        bool is_there = false;
        for (size_t day = 0; day < n_days; day++) {
            int64_t to_ns = set->days.edges_ns[day + 1], last_ns = INT64_MIN;
            for (size_t i = 0; i < e->source->archive->n_entries; i++) {
                const struct hc_manifest_entry *entry = &e->source->archive->entries[i];
                bool is_of_table = strcmp(entry->table, tables[t]) == 0 &&
                                   hc_entry_tells_of(entry, e->source->cluster);
                int64_t end_ns = is_of_table ? end_of(entry->day, to_ns) : HC_MISSING_I64;
                if (end_ns != HC_MISSING_I64 && end_ns < to_ns + 86400 * (int64_t)1000000000 &&
                    end_ns > last_ns)
                    last_ns = end_ns;
            }
            bool is_known = last_ns != INT64_MIN;
            is_there |= is_known;
            ages[2 * t * n_days + day] =
                is_known && to_ns > last_ns ? (double)(to_ns - last_ns) / 3.6e12 : 0;
            ages[(2 * t + 1) * n_days + day] = is_known;
        }
        if (is_there &&
            add_series(set,
                       &(struct hc_finding_series){.kind = HC_FINDING_STALE_SOURCE,
                                                   .subject = tables[t],
                                                   .amount = ages + 2 * t * n_days,
                                                   .exposure = ages + (2 * t + 1) * n_days},
                       err))
            return err->status;
    }
    return HC_OK;
}

/* ---- ends ---- */

static double cost_of(const struct hc_night *night, size_t failure)
{
    int64_t entry = hc_int_map_find(&night->cost_of, failure);
    return entry < 0 ? 0 : hc_gpu_hours(night->costs[entry].total_gpu_ns);
}

/* The nodes of a list, in one block: pointers, then their texts. */
static const char *const *nodes_of(struct hc_finding_series_set *set, const char *cluster,
                                   const char *list, size_t *n, struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    *n = 0;
    if (!list || hc_node_list_open(&reader, list, strlen(list), &why) || reader.n_nodes < 1)
        return NULL;
    const char **names = room_for(set, (size_t)reader.n_nodes, sizeof *names, err);
    for (const char *name; names && (name = hc_node_list_next(&reader));) {
        int32_t code = find_node(set, cluster, name, strlen(name));
        if (code >= 0)
            names[(*n)++] = set->node_subjects[code];
    }
    return names;
}

/* What an event of its node or the scheduler says ended it; NULL: nothing but its own end does. */
static const char *cause_of(const struct hc_failure *f)
{
    if (f->side != HC_SIDE_INFRASTRUCTURE || f->evidence > HC_EVIDENCE_LIKELY)
        return NULL;
    if (f->event)
        return hc_event_class_name(f->event->event_class);
    return f->failed_node != HC_MISSING_I32 ? "node failure" : NULL;
}

static enum hc_status end_ends(struct ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    const struct hc_failures *failures = &e->source->walk->records.failures;
    struct hc_failure_end *ends = room_for(set, failures->n, sizeof *ends, err);
    char(*jobs)[24] = ends ? room_for(set, failures->n, sizeof *jobs, err) : NULL;
    size_t n = 0;
    if (!jobs)
        return err->status;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        if (f->cycle != HC_MISSING_I32 || f->gpus <= 0 || day_of(&set->days, f->end_ns) < 0)
            continue;
        snprintf(jobs[n], sizeof *jobs, "%lld", (long long)f->raw_job);
        ends[n] = (struct hc_failure_end){.time_ns = f->end_ns,
                                          .job = jobs[n],
                                          .user = text_of(&failures->texts, f->user),
                                          .gpu_hours = cost_of(e->source->night, i),
                                          .cause = cause_of(f)};
        ends[n].place[HC_PLACE_PARTITION] = text_of(&failures->texts, f->partition);
        err->status = HC_OK;
        ends[n].nodes = nodes_of(set, text_of(&failures->texts, f->cluster),
                                 text_of(&failures->texts, f->node_list), &ends[n].n_nodes, err);
        if (err->status)
            return err->status;
        if (!ends[n].user)
            ends[n].user = "?";
        n++;
    }
    set->input.ends = ends;
    set->input.n_ends = n;
    return HC_OK;
}

enum hc_status hc_finding_series_end(struct hc_finding_series_set *set,
                                     const struct hc_finding_series_source *source,
                                     struct hc_error *err)
{
    struct ending e = {.set = set, .source = source};
    if (end_nodes(&e, err) || end_events(&e, err) ||
        end_times(&e, &set->starts, HC_FINDING_STARTUP, err) ||
        end_times(&e, &set->waits, HC_FINDING_QUEUE, err) || end_runs(&e, err) ||
        end_sums(&e, err) || end_sources(&e, err) || end_ends(&e, err))
        return err->status;
    set->input.n_days = (int)set->days.n;
    set->input.first_day = source->first_day;
    set->input.series = set->series;
    set->input.n_series = set->n_series;
    set->input.day_start_ns = set->days.edges_ns;
    return HC_OK;
}
