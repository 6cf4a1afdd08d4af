/* What pictures need of a study: curves, and one life. */
#include "study/run/study_run.h"

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

static enum hc_status add_curve(struct hc_study_answer *answer, struct hc_study_run *run,
                                struct hc_error *err)
{
    uint64_t n =
        hc_life_of(run)->summary.n < CURVE_REPLICAS ? hc_life_of(run)->summary.n : CURVE_REPLICAS;
    hc_life_of(run)->curve = hc_arena_new(&answer->arena, sizeof *hc_life_of(run)->curve, err);
    if (!hc_life_of(run)->curve)
        return err->status;
    return hc_lifetime_curve_run(hc_life_of(run)->curve, hc_life_of(run)->config, n, CURVE_POINTS,
                                 window_s(hc_life_of(run)->config), err);
}

enum hc_status hc_study_add_lives(struct hc_study_answer *answer, struct hc_error *err)
{
    struct hc_study_result *result = &answer->result;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < result->n_runs && status == HC_OK; i++)
        status = add_curve(answer, &result->run[i], err);
    if (status == HC_OK)
        status = hc_lifetime_trace_run(&answer->life, hc_life_of(&result->run[0])->config,
                                       result->life_replica, NULL, err);
    if (status)
        return status;
    hc_life_of(&result->run[0])->life = &answer->life;
    return hc_life_find_all(result, &answer->arena, err);
}

void hc_study_answer_fini(struct hc_study_answer *answer)
{
    for (size_t i = 0; i < answer->result.n_runs; i++)
        if (answer->result.run && hc_life_of(&answer->result.run[i])->curve)
            hc_lifetime_curve_fini(hc_life_of(&answer->result.run[i])->curve);
    hc_lifetime_trace_fini(&answer->life);
    hc_arena_fini(&answer->arena);
    *answer = (struct hc_study_answer){.arena = {NULL}};
}
