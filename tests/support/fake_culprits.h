/* fake_culprits.h - culprits of a made-up what-if: a worker that is slow from a step on, a link
 * that comes and goes, and the levels of the job. */
#ifndef HC_TESTS_UNIT_FAKE_CULPRITS_H
#define HC_TESTS_UNIT_FAKE_CULPRITS_H

#include "tests/support/fake_whatif.h"

#define FAKE_UNKNOWN ((struct hc_measured){NAN, NAN, NAN})

static void fake_slow_steps(const struct hc_whatif_result *result, struct hc_culprit *culprit)
{
    culprit->is_slow = fake_array(result->n_steps, 1);
    for (size_t i = 0; i < culprit->n_stretches; i++)
        for (size_t s = culprit->stretches[i].first; s <= culprit->stretches[i].last; s++) {
            culprit->is_slow[s] = 1;
            culprit->n_slow_steps++;
        }
    culprit->since = culprit->stretches[0].first;
    culprit->until = culprit->stretches[culprit->n_stretches - 1].last;
    culprit->lasts = culprit->until + 1 == result->n_steps;
}

/* Worker 5, passes 1.6 times as long from the 21st analysed step on. */
static void fake_worker_culprit(struct hc_whatif_result *result, struct hc_culprit *culprit)
{
    size_t n = result->n_steps;
    *culprit = (struct hc_culprit){.kind = HC_CULPRIT_WORKER,
                                   .ops = HC_SLOW_PASSES,
                                   .pattern = HC_SLOW_SINCE,
                                   .cause = HC_STRAGGLER_WORKER,
                                   .dp_rank = result->workers[5].dp_rank,
                                   .stage = result->workers[5].stage,
                                   .rank = result->workers[5].rank,
                                   .direction = -1,
                                   .host = "gpu-042",
                                   .n_members = 1,
                                   .members = fake_array(1, sizeof(int32_t)),
                                   .factor = {1.6, 1.58, 1.62},
                                   .forward_factor = {1.61, 1.57, 1.65},
                                   .backward_factor = {1.59, 1.56, 1.62},
                                   .transfer_factor = FAKE_UNKNOWN,
                                   .duty = {(double)(n - 20) / (double)n, 0.4, 0.6},
                                   .pass_duty = {1, NAN, NAN},
                                   .alone_share = {0.63, 0.601, 0.66},
                                   .alone_s = 0.25,
                                   .split_s = 0.25,
                                   .gpu_hours_lost = 3.21,
                                   .n_stretches = 1};
    culprit->members[0] = 5;
    culprit->stretches = fake_array(1, sizeof *culprit->stretches);
    culprit->stretches[0] = (struct hc_slow_stretch){20, n - 1, 19, 22, n - 1, n - 1, 1.6};
    strcpy(culprit->name, "rank 20 (dp 1, stage 1)");
    strcpy(culprit->when, "from step 146 on");
    strcpy(culprit->text, "rank 20 (dp 1, stage 1), from step 146 on, takes 1.60 times as long");
    fake_slow_steps(result, culprit);
}

static void fake_link_culprit(struct hc_whatif_result *result, struct hc_culprit *culprit)
{
    *culprit = (struct hc_culprit){.kind = HC_CULPRIT_LINK,
                                   .ops = HC_SLOW_TRANSFERS,
                                   .pattern = HC_SLOW_RECURRENT,
                                   .cause = HC_STRAGGLER_LINK,
                                   .dp_rank = 2,
                                   .stage = -1,
                                   .rank = HC_MISSING_I32,
                                   .direction = 1,
                                   .factor = {30.5, NAN, NAN},
                                   .forward_factor = FAKE_UNKNOWN,
                                   .backward_factor = FAKE_UNKNOWN,
                                   .transfer_factor = {30.5, NAN, NAN},
                                   .duty = {0.1, NAN, NAN},
                                   .pass_duty = FAKE_UNKNOWN,
                                   .alone_share = FAKE_UNKNOWN,
                                   .alone_s = 0.01,
                                   .split_s = 0.02,
                                   .gpu_hours_lost = NAN,
                                   .n_stretches = 2};
    culprit->stretches = fake_array(2, sizeof *culprit->stretches);
    culprit->stretches[0] = (struct hc_slow_stretch){3, 3, 3, 3, 3, 3, 28.0};
    culprit->stretches[1] = (struct hc_slow_stretch){9, 11, 9, 9, 11, 12, 31.0};
    strcpy(culprit->name, "link of dp 2 between <stages> 1 and 2");
    strcpy(culprit->when, "in 4 of 44 steps");
    strcpy(culprit->text, "link of dp 2 between <stages> 1 and 2, in 4 of 44 steps");
    fake_slow_steps(result, culprit);
}

/* Of a result of at least 24 steps and 4 x 4 workers. */
static void fake_culprits(struct hc_whatif_result *result)
{
    struct hc_culprits *culprits = &result->depth.culprits;
    *culprits = (struct hc_culprits){.done = true, .n = 2, .together_s = 0.27, .n_levels = 2};
    culprits->culprits = fake_array(2, sizeof *culprits->culprits);
    culprits->levels = fake_array(2, sizeof *culprits->levels);
    fake_worker_culprit(result, &culprits->culprits[0]);
    fake_link_culprit(result, &culprits->culprits[1]);
    culprits->levels[0] = (struct hc_job_level){0, 19, 23.5, {1.001, 1.0, 1.002}};
    culprits->levels[1] = (struct hc_job_level){20, result->n_steps - 1, 37.6, {1.6, 1.58, 1.62}};
}

#endif
