/* What pictures need of a study: curves, and one life. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "study/engines/lifetime/lifetime_findings.h"

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
    if (hc_lifetime_trace_run(base->life, base->config, result->drawn_replica, NULL, err))
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
