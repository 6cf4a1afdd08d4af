/* A step timeline with the edits of a run, replayed. */
#include "study/engines/replay/replay_wing.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum hc_status replay_draw(const struct hc_replay_config *config, uint32_t draw,
                                  int64_t *n_selected, struct hc_error *err)
{
    struct hc_replay_answer *answer = config->answer;
    const struct hc_edited_job job = {config->base, config->edits, config->n_edits};
    const struct hc_edit_draws draws = {config->settings.seed, config->settings.key, draw};
    struct hc_edited_outcome outcome = {.times = &answer->times,
                                        .n_selected = n_selected,
                                        .take = answer->paths ? hc_replay_add_paths : NULL,
                                        .context = answer->paths};
    size_t failed = 0;
    enum hc_status status = hc_edited_job_replay(&outcome, &job, &draws, &failed, err);
    if (status == HC_BAD_INPUT)
        status = hc_replay_name_edit(config, failed, err);
    if (!status && !draw) {
        memcpy(answer->n_selected, n_selected, config->n_edits * sizeof *n_selected);
        answer->dp_size = outcome.dp_size;
        answer->n_stages = outcome.n_stages;
        answer->work = outcome.work;
        answer->extrapolation = outcome.extrapolation;
        answer->dealt = outcome.dealt;
    }
    return status;
}

enum hc_status hc_timeline_replay_draws(const struct hc_replay_config *config, struct hc_error *err)
{
    uint32_t n_draws = hc_replay_n_draws(config);
    int64_t *n_selected = hc_new_array(config->n_edits, sizeof *n_selected, err);
    enum hc_status status = n_selected ? HC_OK : err->status;
    for (uint32_t draw = 0; draw < n_draws && !status; draw++)
        status = replay_draw(config, draw, n_selected, err);
    free(n_selected);
    return status;
}
