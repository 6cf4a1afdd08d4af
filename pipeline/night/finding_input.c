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

#define REPEAT_NS     ((int64_t)300 * 1000000000) /* events of a node so close are one */
#define TRAILING_DAYS 56
#define MOST_EVENTS   256 /* names of events that are told apart */

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
static enum hc_status count_events(const struct hc_finding_ending *e, struct hc_text_set *names,
                                   double *counts, struct hc_error *err)
{
    const struct hc_evidence_set *set = &e->source->walk->records.set;
    int64_t last_ns[MOST_EVENTS];
    int32_t node = -1;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_node_event *event = &set->events[i];
        int32_t day = hc_finding_day(&e->set->days, event->time_ns), code;
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
static double *event_exposure(const struct hc_finding_ending *e, struct hc_error *err)
{
    size_t n = e->set->days.n;
    double *exposure = hc_finding_room(e->set, n, sizeof *exposure, err), sum = 0, highest = 0;
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

static enum hc_status end_events(struct hc_finding_ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    double *exposure = event_exposure(e, err);
    double *counts = hc_finding_room(set, MOST_EVENTS * set->days.n, sizeof *counts, err);
    struct hc_text_set *names = hc_finding_room(set, 1, sizeof *names, err);
    if (!exposure || !counts || !names || count_events(e, names, counts, err))
        return err->status;
    set->event_names = names;
    for (size_t i = 0; i < names->n; i++)
        if (hc_finding_add_series(set,
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

static enum hc_status end_times(struct hc_finding_ending *e, struct hc_day_times *times,
                                enum hc_finding_kind kind, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    size_t n_days = set->days.n, n_rows = times->names.n * n_days;
    double *seconds = hc_finding_room(set, times->n, sizeof *seconds, err);
    double *numbers = hc_finding_room(set, 3 * n_rows, sizeof *numbers, err);
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
        if (hc_finding_add_series(
                set,
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

static enum hc_status end_runs(struct hc_finding_ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    for (size_t i = 0; i < set->held.n; i++)
        if (hc_finding_add_series(
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

static enum hc_status end_sums(struct hc_finding_ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    if (!set->recorded.n)
        return HC_OK;
    return hc_finding_add_series(set,
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
static enum hc_status end_sources(struct hc_finding_ending *e, struct hc_error *err)
{
    static const char *const tables[] = {"jobs",        "events", "node_states",
                                         "train_steps", "phases", "queue"};
    struct hc_finding_series_set *set = e->set;
    size_t n = sizeof tables / sizeof *tables, n_days = set->days.n;
    double *ages = hc_finding_room(set, 2 * n * n_days, sizeof *ages, err);
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
        if (is_there && hc_finding_add_series(
                            set,
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
    const char **names = hc_finding_room(set, (size_t)reader.n_nodes, sizeof *names, err);
    for (const char *name; names && (name = hc_node_list_next(&reader));) {
        int32_t code = hc_finding_node(set, cluster, name, strlen(name));
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

static enum hc_status end_ends(struct hc_finding_ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    const struct hc_failures *failures = &e->source->walk->records.failures;
    struct hc_failure_end *ends = hc_finding_room(set, failures->n, sizeof *ends, err);
    char(*jobs)[24] = ends ? hc_finding_room(set, failures->n, sizeof *jobs, err) : NULL;
    size_t n = 0;
    if (!jobs)
        return err->status;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        if (f->cycle != HC_MISSING_I32 || f->gpus <= 0 || hc_finding_day(&set->days, f->end_ns) < 0)
            continue;
        snprintf(jobs[n], sizeof *jobs, "%lld", (long long)f->raw_job);
        ends[n] = (struct hc_failure_end){.time_ns = f->end_ns,
                                          .job = jobs[n],
                                          .user = hc_finding_text(&failures->texts, f->user),
                                          .gpu_hours = cost_of(e->source->night, i),
                                          .cause = cause_of(f)};
        ends[n].place[HC_PLACE_PARTITION] = hc_finding_text(&failures->texts, f->partition);
        err->status = HC_OK;
        ends[n].nodes =
            nodes_of(set, hc_finding_text(&failures->texts, f->cluster),
                     hc_finding_text(&failures->texts, f->node_list), &ends[n].n_nodes, err);
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
    struct hc_finding_ending e = {.set = set, .source = source};
    if (hc_finding_end_nodes(&e, err) || end_events(&e, err) ||
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
