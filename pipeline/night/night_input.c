#include "pipeline/night/night_input.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS   ((int64_t)1000000000)
#define DAY_S       86400
#define FINAL_LAG_D 7 /* a day is provisional for so long */

/* ---- days ---- */

int64_t hc_night_day_ns(const struct hc_zone *zone, int64_t day)
{
    int64_t unix_s;
    hc_zone_to_unix_s(zone, day * DAY_S, &unix_s);
    return unix_s * SECOND_NS;
}

int64_t hc_night_day_of(const struct hc_zone *zone, int64_t ns)
{
    int64_t unix_s = ns / SECOND_NS - (ns % SECOND_NS < 0);
    int64_t local_s = unix_s + hc_zone_offset_s(zone, unix_s);
    return local_s / DAY_S - (local_s % DAY_S < 0);
}

enum hc_status hc_night_days_make(struct hc_night_days *days, const struct hc_zone *zone,
                                  int64_t first_day, int64_t last_day, struct hc_error *err)
{
    days->n = (size_t)(last_day - first_day + 1);
    days->edges_ns = hc_new_array(days->n + 1, sizeof *days->edges_ns, err);
    days->names = hc_new_array(days->n, sizeof *days->names, err);
    if (!days->edges_ns || !days->names)
        return err->status;
    for (size_t i = 0; i <= days->n; i++) {
        int64_t day = first_day + (int64_t)i;
        char text[32];
        days->edges_ns[i] = hc_night_day_ns(zone, day);
        hc_format_iso8601(day * DAY_S * SECOND_NS, text);
        if (i < days->n)
            memcpy(days->names[i], text, 10);
    }
    return HC_OK;
}

/* ---- names ---- */

static const char *run_name(int32_t run, const void *context)
{
    const struct hc_joins *joins = &((const struct hc_night_data *)context)->walk.records.joins;
    return hc_joins_find_text(joins, joins->runs[run].name);
}

static const char *run_user(int32_t run, const void *context)
{
    const struct hc_joins *joins = &((const struct hc_night_data *)context)->walk.records.joins;
    int32_t cycle = joins->runs[run].first_cycle;
    int32_t attempt = cycle < 0 ? -1 : joins->cycles[cycle].attempt;
    return attempt < 0 ? NULL : hc_joins_find_text(joins, joins->attempts[attempt].user);
}

static const char *cause_of(int32_t failure, const void *context)
{
    return ((const struct hc_night_data *)context)->causes[failure];
}

/* What a failure is called by: what people say, what its node said, what its log said, its state.
 */
static void name_cause(const struct hc_failures *failures, const struct hc_failure *f,
                       char text[64])
{
    const struct hc_own_event *own = f->own < 0 ? NULL : &failures->own[f->own];
    const struct hc_node_event *event = f->evidence <= HC_EVIDENCE_LIKELY ? f->event : NULL;
    if (f->correction && f->correction->detail)
        snprintf(text, 64, "%s", f->correction->detail);
    else if (event && event->code != HC_MISSING_I32)
        snprintf(text, 64, "%s %d", hc_event_class_name(event->event_class), event->code);
    else if (event && event->name != HC_MISSING_I32 && event->incident)
        snprintf(text, 64, "%.63s", failures->set->texts.text[event->name]);
    else if (event)
        snprintf(text, 64, "%s", hc_event_class_name(event->event_class));
    else if (own && own->name != HC_MISSING_I32)
        snprintf(text, 64, "%s: %.40s", hc_event_class_name(own->event_class),
                 failures->texts.text[own->name]);
    else if (own)
        snprintf(text, 64, "%s", hc_event_class_name(own->event_class));
    else
        snprintf(text, 64, "%s", f->state < 0 ? "?" : hc_job_state_name(f->state));
}

static enum hc_status name_causes(struct hc_night_data *data, struct hc_error *err)
{
    const struct hc_failures *failures = &data->walk.records.failures;
    data->causes = hc_new_array(failures->n, sizeof *data->causes, err);
    for (size_t i = 0; i < failures->n && data->causes; i++)
        name_cause(failures, &failures->failures[i], data->causes[i]);
    return data->causes ? HC_OK : err->status;
}

/* ---- the walk ---- */

static struct hc_night_attempt known_of(const struct hc_walked_attempt *a)
{
    return (struct hc_night_attempt){.raw_job = a->raw_job,
                                     .restarts = a->restarts,
                                     .submit_ns = a->submit_ns,
                                     .eligible_ns = a->eligible_ns,
                                     .start_ns = a->start_ns,
                                     .end_ns = a->end_ns,
                                     .gpus = a->gpus,
                                     .run = a->run,
                                     .is_running = a->is_running,
                                     .user = a->user,
                                     .account = a->account,
                                     .partition = a->partition,
                                     .node_list = a->node_list};
}

static bool has_phases(const struct hc_attempt_facts *facts)
{
    size_t n = facts->n_phases;
    for (size_t k = 0; k < facts->n_launches; k++)
        n += facts->launches[k].n_phases;
    return n > 0;
}

static enum hc_status take_attempt(const struct hc_walked_attempt *attempt,
                                   const struct hc_attempt_facts *facts, void *context,
                                   struct hc_error *err)
{
    struct hc_night_data *data = context;
    const struct hc_night_attempt known = known_of(attempt);
    if (!data->causes && name_causes(data, err))
        return err->status;
    if (data->series.days.n &&
        hc_finding_series_attempt(&data->series, attempt, facts,
                                  attempt->run < 0 ? NULL : run_name(attempt->run, data), err))
        return err->status;
    const bool is_covered[HC_N_COVERS] = {[HC_COVERED_BY_RECORD] = !attempt->has_estimated_gpus,
                                          [HC_COVERED_BY_LOG] = facts->n_launches > 0,
                                          [HC_COVERED_BY_PHASES] = has_phases(facts),
                                          [HC_COVERED_BY_TRACE] = attempt->is_traced};
    return hc_night_take_attempt(&data->night, &known, facts, err) ||
                   hc_night_cover(&data->night, &known, is_covered, err)
               ? err->status
               : HC_OK;
}

static enum hc_status take_slice(const struct hc_walked_attempt *attempt,
                                 const struct hc_slice *slice, void *context, struct hc_error *err)
{
    struct hc_night_data *data = context;
    const struct hc_night_attempt known = known_of(attempt);
    if (data->series.days.n && hc_finding_series_slice(&data->series, slice, err))
        return err->status;
    const char *cause = slice->failure < 0 ? NULL : data->causes[slice->failure];
    return hc_night_take_slice(&data->night, &known, slice, cause, err);
}

enum hc_status hc_night_load(struct hc_night_data *data, const struct hc_night_choice *choice,
                             struct hc_error *err)
{
    *data = (struct hc_night_data){.n_causes = 0};
    bool has_series = choice->series_day <= choice->last_day;
    if (hc_night_days_make(&data->night.days, choice->zone, choice->first_day, choice->last_day,
                           err) ||
        (has_series && hc_night_days_make(&data->series.days, choice->zone, choice->series_day,
                                          choice->last_day, err)))
        return err->status;
    const struct hc_night_days *days = &data->night.days;
    int64_t from_ns = days->edges_ns[0];
    if (has_series && data->series.days.edges_ns[0] < from_ns)
        from_ns = data->series.days.edges_ns[0];
    const struct hc_walk_choice walk = {.archive = choice->archive,
                                        .cluster = choice->cluster,
                                        .site = choice->site,
                                        .from_ns = from_ns,
                                        .to_ns = days->edges_ns[days->n],
                                        .as_of_ns = choice->as_of_ns};
    const struct hc_walk_sink sink = {
        .attempt = take_attempt, .slice = take_slice, .context = data};
    if (hc_walk_run(&data->walk, &walk, &sink, err))
        return err->status;
    data->night.gaps = data->walk.gaps;
    for (size_t i = 0; i < data->night.runs.n; i++)
        data->night.runs.list[i].n_missing = data->walk.records.joins.runs[i].n_gaps;
    int64_t as_of_ns = choice->as_of_ns == INT64_MAX ? data->walk.last_ns : choice->as_of_ns;
    data->names = (struct hc_night_names){.failures = &data->walk.records.failures,
                                          .run_name = run_name,
                                          .run_user = run_user,
                                          .cause = cause_of,
                                          .context = data,
                                          .final_until_ns =
                                              as_of_ns - FINAL_LAG_D * (int64_t)DAY_S * SECOND_NS};
    if (!data->causes && name_causes(data, err))
        return err->status;
    return has_series ? hc_finding_series_end(&data->series,
                                              &(struct hc_finding_series_source){
                                                  choice->archive, choice->cluster, &data->walk,
                                                  &data->night, choice->series_day},
                                              err)
                      : HC_OK;
}

void hc_night_data_fini(struct hc_night_data *data)
{
    hc_finding_series_fini(&data->series);
    hc_night_fini(&data->night);
    hc_walk_fini(&data->walk);
    free(data->causes);
}
