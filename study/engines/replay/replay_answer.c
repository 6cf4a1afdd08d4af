/* What a run of a scenario on measured steps gives: the same for step timelines and for profiler
 * traces, each of which replays its draws (config->replay_draws). */
#include "study/engines/replay/replay_wing.h"

#include "core/text/number_format.h"

#include <math.h>

/* ---- before a run ---- */

enum hc_status hc_replay_check_discrepancy(const struct hc_replay_config *config,
                                           struct hc_refusal *refusal)
{
    double off = config->untouched.discrepancy;
    return fabs(off) <= config->max_discrepancy
               ? HC_OK
               : hc_refuse(refusal, "/input/max_discrepancy",
                           "the replay of the untouched job is %+.3g %% off its trace, %.3g %% at "
                           "most: what is changed of it says little of the job",
                           1e2 * off, 1e2 * config->max_discrepancy);
}

void hc_replay_settle(void *config, const struct hc_run_settings *settings)
{
    ((struct hc_replay_config *)config)->settings = *settings;
}

int32_t hc_replay_n_replicas(const void *config)
{
    return (int32_t)hc_replay_n_blocks(config);
}

/* ---- replicas ---- */

enum hc_status hc_replay_name_edit(const struct hc_replay_config *config, size_t failed,
                                   struct hc_error *err)
{
    return hc_context(err, "/edits/%s", config->edits[failed].name);
}

/* Times that were added up over draws, to means. */
static void average(const struct hc_replay_config *config)
{
    struct hc_replay_answer *answer = config->answer;
    double n_draws = hc_replay_n_draws(config);
    double *const all[] = {answer->times.span, answer->times.end, answer->times.ideal_span,
                           answer->times.ideal_end};
    for (size_t i = 0; i < 4; i++)
        for (size_t s = 0; s < config->untouched.n; s++)
            all[i][s] /= n_draws;
    answer->is_there = true;
}

static enum hc_status find_answer(const struct hc_replay_config *config, struct hc_error *err)
{
    enum hc_status status = config->replay_draws(config, err);
    if (!status)
        average(config);
    return status;
}

enum hc_status hc_replay_steps(struct hc_replay_steps *steps, const void *bound,
                               struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    if (!config->answer->is_there && find_answer(config, err))
        return err->status;
    *steps = (struct hc_replay_steps){.n_steps = config->untouched.n,
                                      .traced_ns = config->untouched.traced_ns,
                                      .untouched_ns = config->untouched.span_ns,
                                      .edited_ns = config->answer->times.span};
    return HC_OK;
}

enum hc_status hc_replay_run(const void *bound, uint64_t first, size_t n, void *replicas,
                             struct hc_error *err)
{
    const struct hc_replay_config *config = bound;
    struct hc_replay_block *to = replicas;
    if (!config->answer->is_there && find_answer(config, err))
        return err->status;
    for (size_t i = 0; i < n; i++)
        to[i] = hc_replay_block_of(config, first + i);
    return HC_OK;
}

/* ---- reports ---- */

void hc_replay_start_detail(void *detail, const void *config)
{
    *(struct hc_replay_detail *)detail = (struct hc_replay_detail){.config = config};
}

enum hc_status hc_replay_note_empty(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    const struct hc_replay_config *config = work->study->variant[which].point.config;
    for (size_t i = 0; i < config->n_edits; i++)
        if (!config->answer->n_selected[i] &&
            hc_study_note(work, err, "Of %s, the edit '%s' (/edits/%s) selects nothing.",
                          work->result->run[which].name, config->edits[i].name,
                          config->edits[i].name))
            return err->status;
    return HC_OK;
}

/* As reports/study/replay shows them. */
const char *const hc_replay_table_names[] = {"edits", "steps", "critical_path", "gain", NULL};
