#include "pipeline/night/rates_input.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"
#include "pipeline/night/night_input.h"

#include <stdlib.h>
#include <string.h>

/* ---- the walk ---- */

static enum hc_status add_span(struct hc_rates_data *data, const struct hc_rates_span *span,
                               struct hc_error *err)
{
    if (span->from_ns >= span->to_ns)
        return HC_OK;
    if (hc_reserve(&data->spans, &data->spans_room, data->n_spans + 1, sizeof *data->spans, err))
        return err->status;
    data->spans[data->n_spans++] = *span;
    return HC_OK;
}

/* The nodes of a list, each remembered; 0: it cannot be read. */
static enum hc_status name_nodes(struct hc_rates_data *data, const char *list, int32_t *n,
                                 struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    *n = 0;
    if (!list || hc_node_list_open(&reader, list, strlen(list), &why))
        return HC_OK;
    for (const char *name; (name = hc_node_list_next(&reader)); ++*n) {
        int32_t code;
        if (hc_text_set_add(&data->nodes, name, strlen(name), &code, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status make_costs(struct hc_rates_data *data, struct hc_error *err)
{
    size_t n = data->walk.records.failures.n;
    data->costs = hc_new_array(n, sizeof *data->costs, err);
    data->ended_launch = data->costs ? hc_new_array(n, sizeof *data->ended_launch, err) : NULL;
    for (size_t i = 0; i < data->walk.launches.n && data->ended_launch; i++) {
        int32_t failure = data->walk.launches.list[i].stop.failure;
        if (failure >= 0)
            data->ended_launch[failure] = true;
    }
    return data->ended_launch ? HC_OK : err->status;
}

static enum hc_status take_attempt(const struct hc_walked_attempt *a,
                                   const struct hc_attempt_facts *facts, void *context,
                                   struct hc_error *err)
{
    struct hc_rates_data *data = context;
    int32_t nodes;
    if ((!data->costs && make_costs(data, err)) || name_nodes(data, a->node_list, &nodes, err))
        return err->status;
    if (nodes == 0 && a->nodes != HC_MISSING_I32)
        nodes = a->nodes;
    data->rates.n_attempts_without_nodes += nodes <= 0;
    if (nodes <= 0)
        return HC_OK;
    if (add_span(data, &(struct hc_rates_span){a->start_ns, a->end_ns, nodes, HC_RATED_ALLOCATED},
                 err))
        return err->status;
    for (size_t i = 0; i < facts->n_launches; i++) {
        const struct hc_launch *launch = facts->launches[i].launch;
        int64_t from_ns = launch->start_ns > a->start_ns ? launch->start_ns : a->start_ns;
        int64_t to_ns = launch->end_ns < a->end_ns ? launch->end_ns : a->end_ns;
        if (add_span(data, &(struct hc_rates_span){from_ns, to_ns, nodes, HC_RATED_RUNNING}, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_slice(const struct hc_walked_attempt *a, const struct hc_slice *slice,
                                 void *context, struct hc_error *err)
{
    struct hc_rates_data *data = context;
    (void)a, (void)err;
    if (slice->failure >= 0)
        data->costs[slice->failure] += hc_slice_gpu_ns(slice);
    return HC_OK;
}

/* ---- days ---- */

static enum hc_status make_days(struct hc_rates_data *data, const struct hc_rates_source *source,
                                struct hc_error *err)
{
    int64_t from_ns = source->walk.from_ns, to_ns = source->walk.to_ns;
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t i = 0; i < data->n_spans; i++) {
        first_ns = data->spans[i].from_ns < first_ns ? data->spans[i].from_ns : first_ns;
        last_ns = data->spans[i].to_ns > last_ns ? data->spans[i].to_ns : last_ns;
    }
    from_ns = from_ns > INT64_MIN ? from_ns : first_ns;
    to_ns = to_ns < INT64_MAX ? to_ns : last_ns;
    if (from_ns >= to_ns)
        return HC_OK;
    return hc_night_days_make(&data->days, source->zone, hc_night_day_of(source->zone, from_ns),
                              hc_night_day_of(source->zone, to_ns - 1), err);
}

static enum hc_status make_rates(struct hc_rates_data *data, const struct hc_rates_source *source,
                                 struct hc_error *err)
{
    struct hc_failure_rates *rates = &data->rates;
    if (make_days(data, source, err))
        return err->status;
    rates->n_days = data->days.n;
    rates->edges_ns = data->days.edges_ns;
    rates->failures = &data->walk.records.failures;
    rates->ended_launch = data->ended_launch;
    rates->costs = data->costs;
    rates->days = hc_new_array(rates->n_days, sizeof *rates->days, err);
    if (!rates->days)
        return err->status;
    for (size_t i = 0; i < data->n_spans; i++)
        hc_rates_take(rates, data->spans[i].basis, data->spans[i].from_ns, data->spans[i].to_ns,
                      data->spans[i].nodes);
    data->n_installed = source->nodes ? source->nodes : (int64_t)data->nodes.n;
    if (rates->n_days)
        hc_rates_take(rates, HC_RATED_INSTALLED, rates->edges_ns[0], rates->edges_ns[rates->n_days],
                      (int32_t)data->n_installed);
    return hc_rates_make(rates, err);
}

enum hc_status hc_rates_load(struct hc_rates_data *data, const struct hc_rates_source *source,
                             struct hc_error *err)
{
    *data = (struct hc_rates_data){.n_spans = 0};
    if (hc_walk_run(
            &data->walk, &source->walk,
            &(struct hc_walk_sink){.attempt = take_attempt, .slice = take_slice, .context = data},
            err) ||
        (!data->costs && make_costs(data, err)))
        return err->status;
    return make_rates(data, source, err);
}

void hc_rates_data_fini(struct hc_rates_data *data)
{
    hc_rates_fini(&data->rates);
    hc_text_set_fini(&data->nodes);
    free(data->spans);
    free(data->costs);
    free(data->ended_launch);
    free(data->days.edges_ns);
    free(data->days.names);
    hc_walk_fini(&data->walk);
}
