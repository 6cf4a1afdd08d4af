#include "pipeline/night/ettr_input.h"

#include "pipeline/night/night_input.h"

#include <stdlib.h>

static enum hc_status take_attempt(const struct hc_walked_attempt *a,
                                   const struct hc_attempt_facts *facts, void *context,
                                   struct hc_error *err)
{
    struct hc_ettr_data *data = context;
    if (a->run < 0)
        return HC_OK;
    return hc_ettr_take_attempt(&data->input, a->run,
                                &(struct hc_run_attempt){a->raw_job, a->restarts, a->submit_ns,
                                                         a->eligible_ns, a->start_ns, a->end_ns,
                                                         a->gpus, a->is_running},
                                facts, &(struct hc_ettr_attempt){a->raw_job, a->restarts}, err);
}

static enum hc_status take_slice(const struct hc_walked_attempt *a, const struct hc_slice *slice,
                                 void *context, struct hc_error *err)
{
    struct hc_ettr_data *data = context;
    return a->run < 0 ? HC_OK : hc_ettr_take_slice(&data->input, a->run, a->gpus, slice, err);
}

/* Days from the first start of a run to the last end of one. */
static enum hc_status make_days(struct hc_ettr_data *data, const struct hc_zone *zone,
                                struct hc_error *err)
{
    int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
    for (size_t i = 0; i < data->input.runs.n; i++) {
        const struct hc_night_run *run = &data->input.runs.list[i];
        if (run->n_attempts == 0)
            continue;
        from_ns = run->first_start_ns < from_ns ? run->first_start_ns : from_ns;
        to_ns = run->last_end_ns > to_ns ? run->last_end_ns : to_ns;
    }
    if (from_ns >= to_ns)
        return HC_OK;
    return hc_night_days_make(&data->days, zone, hc_night_day_of(zone, from_ns),
                              hc_night_day_of(zone, to_ns), err);
}

enum hc_status hc_ettr_load(struct hc_ettr_data *data, const struct hc_ettr_source *source,
                            struct hc_error *err)
{
    *data = (struct hc_ettr_data){.days = {.n = 0}};
    if (hc_walk_run(
            &data->walk, &source->walk,
            &(struct hc_walk_sink){.attempt = take_attempt, .slice = take_slice, .context = data},
            err) ||
        make_days(data, source->zone, err))
        return err->status;
    const struct hc_ettr_choice choice = {.name = source->name,
                                          .least_gpus = source->least_gpus,
                                          .least_hours = source->least_hours,
                                          .from_ns = source->walk.from_ns,
                                          .to_ns = source->walk.to_ns,
                                          .days = &data->days,
                                          .joins = &data->walk.records.joins};
    return hc_ettr_result_make(&data->result, &data->input, &choice, err);
}

void hc_ettr_data_fini(struct hc_ettr_data *data)
{
    hc_ettr_result_fini(&data->result);
    hc_ettr_input_fini(&data->input);
    free(data->days.edges_ns);
    free(data->days.names);
    hc_walk_fini(&data->walk);
}
