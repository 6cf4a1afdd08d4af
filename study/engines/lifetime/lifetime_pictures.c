/* What pictures need of a study: curves, and one life. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "core/text/number_format.h"
#include "study/engines/lifetime/lifetime_findings.h"

#include <inttypes.h>

#define CURVE_REPLICAS 100
#define CURVE_POINTS   200
#define SHORT_JOB_S    (10 * 86400.0)

/* Sliding over an hour, as published (arXiv 2509.16293), or over a day where the hours of a long
 * job would be narrower than what can be drawn. */
static double window_s(const struct hc_lifetime_config *config)
{
    double length_s = config->job.work_s > 0 ? config->job.work_s : config->job.horizon_s;
    return length_s > SHORT_JOB_S ? 86400 : 3600;
}

static enum hc_status add_curve(struct hc_arena *arena, const struct hc_study_run *run,
                                struct hc_error *err)
{
    struct hc_life_detail *life = hc_life_run_detail(run);
    uint64_t n = run->n_replicas < CURVE_REPLICAS ? run->n_replicas : CURVE_REPLICAS;
    life->curve = hc_arena_new(arena, sizeof *life->curve, err);
    if (!life->curve)
        return err->status;
    return hc_lifetime_curve_run(life->curve, life->config, n, CURVE_POINTS, window_s(life->config),
                                 err);
}

/* A sentence where the life was too long to be kept one by one. */
static enum hc_status note_summary(struct hc_study_answer *answer,
                                   const struct hc_lifetime_trace *life, struct hc_error *err)
{
    struct hc_study_result *result = &answer->result;
    char stretches[HC_NUMBER_TEXT], events[HC_NUMBER_TEXT], most[HC_NUMBER_TEXT];
    int64_t minutes = life->fold.slice_ns / ((int64_t)60 * 1000000000);
    bool is_days = minutes >= 1440, is_hours = minutes >= 60;
    if (!life->fold.slice_ns)
        return HC_OK;
    result->drawn_note = hc_arena_format(
        &answer->arena, err,
        "life %" PRIu64 " has %s stretches and %s events, and %s are kept one by one at most: it "
        "is summed up in slices of %" PRId64 " %s",
        result->drawn_replica, hc_format_count(hc_life_n_stretches(life), stretches),
        hc_format_count(hc_life_n_events(life), events),
        hc_format_count((int64_t)result->drawn_events, most),
        minutes / (is_days    ? 1440
                   : is_hours ? 60
                              : 1),
        is_days    ? "d"
        : is_hours ? "h"
                   : "min");
    return result->drawn_note ? HC_OK : err->status;
}

enum hc_status hc_lifetime_draw(struct hc_study_answer *answer, struct hc_error *err)
{
    struct hc_study_result *result = &answer->result;
    struct hc_life_detail *base = hc_life_run_detail(&result->run[0]);
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < result->n_runs && status == HC_OK; i++)
        status = add_curve(&answer->arena, &result->run[i], err);
    if (status)
        return status;
    base->life = hc_arena_new(&answer->arena, sizeof *base->life, err);
    if (!base->life)
        return err->status;
    const struct hc_life_request request = {result->drawn_replica, result->drawn_events};
    if (hc_lifetime_trace_within(base->life, base->config, &request, NULL, err) ||
        note_summary(answer, base->life, err))
        return err->status;
    return hc_life_find_all(result, &answer->arena, err);
}

void hc_lifetime_release(void *detail)
{
    struct hc_life_detail *life = detail;
    if (life->curve)
        hc_lifetime_curve_fini(life->curve);
    if (life->life)
        hc_lifetime_trace_fini(life->life);
}
