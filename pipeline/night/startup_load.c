#include "pipeline/night/startup_load.h"

#include "models/account/night/night.h"

static enum hc_status take_attempt(const struct hc_walked_attempt *a,
                                   const struct hc_attempt_facts *facts, void *context,
                                   struct hc_error *err)
{
    struct hc_startup_data *data = context;
    const struct hc_joins *joins = &data->walk.records.joins;
    const struct hc_startup_attempt attempt = {
        .job = a->job,
        .gpus = a->gpus,
        .first_launch = facts->n_launches == 0
                            ? -1
                            : (int32_t)(facts->launches[0].launch - data->walk.launches.list),
        .run = a->run < 0 ? NULL : hc_joins_find_text(joins, joins->runs[a->run].name),
        .user = a->user,
        .partition = a->partition,
        .size = hc_night_size_class(a->gpus)};
    return hc_startup_take_attempt(&data->input, &attempt, err);
}

static enum hc_status take_phase(const struct hc_walked_attempt *a,
                                 const struct hc_own_phase *phase, void *context,
                                 struct hc_error *err)
{
    struct hc_startup_data *data = context;
    (void)a;
    return hc_startup_take_phase(&data->input, phase->node,
                                 &(struct hc_startup_row){.launch = phase->launch,
                                                          .phase = phase->phase,
                                                          .from_ns = phase->from_ns,
                                                          .to_ns = phase->to_ns},
                                 err);
}

static enum hc_status take_slice(const struct hc_walked_attempt *a, const struct hc_slice *slice,
                                 void *context, struct hc_error *err)
{
    struct hc_startup_data *data = context;
    (void)a;
    return hc_startup_take_slice(&data->input, slice, err);
}

enum hc_status hc_startup_load(struct hc_startup_data *data, const struct hc_walk_choice *choice,
                               struct hc_error *err)
{
    *data = (struct hc_startup_data){.input = {.from_ns = choice->from_ns, .to_ns = choice->to_ns}};
    if (hc_walk_run(
            &data->walk, choice,
            &(struct hc_walk_sink){
                .attempt = take_attempt, .slice = take_slice, .phase = take_phase, .context = data},
            err))
        return err->status;
    hc_startup_end(&data->input);
    return hc_startup_result_make(&data->result, &data->input, err);
}

void hc_startup_data_fini(struct hc_startup_data *data)
{
    hc_startup_result_fini(&data->result);
    hc_startup_input_fini(&data->input);
    hc_walk_fini(&data->walk);
}
