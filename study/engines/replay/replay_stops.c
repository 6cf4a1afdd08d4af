/* Workers that stop: what an edit `stop` brings about. It changes no step, so that each run tells
 * it, whether it applies the edit or not. */
#include "study/engines/replay/replay_wing.h"

#include "sim/edits/stopped_step.h"

static enum hc_status find_stop(const struct hc_replay_config *config, const struct hc_edit *edit,
                                struct hc_replay_stop *to, struct hc_error *err)
{
    struct hc_stopped_step stopped;
    if (hc_stopped_step_find(&stopped, config->base, &edit->select, edit->stop.at_s,
                             edit->stop.timeout_s, err))
        return err->status;
    *to = (struct hc_replay_stop){.edit = edit->name,
                                  .step = stopped.step,
                                  .at_s = stopped.at_s,
                                  .last_completed_s = stopped.last_completed_s,
                                  .stops_s = stopped.stops_s,
                                  .lost_s = stopped.lost_s,
                                  .timeout_s = edit->stop.timeout_s};
    return HC_OK;
}

enum hc_status hc_replay_check_stops(const struct hc_replay_config *config,
                                     struct hc_refusal *refusal, struct hc_error *err)
{
    struct hc_replay_stop ignored;
    char pointer[HC_POINTER_SIZE];
    for (size_t i = 0; i < config->n_named; i++) {
        const struct hc_edit *edit = &config->named[i];
        struct hc_error wrong = {.status = HC_OK};
        if (edit->kind != HC_EDIT_STOP || !find_stop(config, edit, &ignored, &wrong))
            continue;
        snprintf(pointer, sizeof pointer, "/edits/%s/stop", edit->name);
        if (wrong.status == HC_BAD_INPUT)
            return hc_refuse(refusal, pointer, "%s", wrong.message);
        *err = wrong;
        return err->status;
    }
    return HC_OK;
}

enum hc_status hc_replay_find_stops(struct hc_replay_findings *found,
                                    const struct hc_replay_config *config, struct hc_arena *arena,
                                    struct hc_error *err)
{
    found->stop = hc_arena_new(arena, (config->n_named + 1) * sizeof *found->stop, err);
    for (size_t i = 0; i < config->n_named && found->stop; i++)
        if (config->named[i].kind == HC_EDIT_STOP &&
            find_stop(config, &config->named[i], &found->stop[found->n_stops++], err))
            return err->status;
    return found->stop ? HC_OK : err->status;
}
