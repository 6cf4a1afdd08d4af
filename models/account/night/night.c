#include "models/account/night/night.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <stdlib.h>
#include <string.h>

const char *hc_night_size_class(int32_t gpus)
{
    return gpus < 2      ? "1"
           : gpus < 8    ? "2-7"
           : gpus == 8   ? "8"
           : gpus < 64   ? "9-63"
           : gpus < 256  ? "64-255"
           : gpus < 1024 ? "256-1023"
                         : "1024+";
}

/* ---- attempts ---- */

static enum hc_status name_nodes(struct hc_night *night, const struct hc_night_attempt *attempt,
                                 struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    night->n_nodes = 0;
    if (!attempt->node_list)
        return HC_OK;
    if (hc_node_list_open(&reader, attempt->node_list, strlen(attempt->node_list), &why)) {
        night->n_bad_lists++;
        return HC_OK;
    }
    for (const char *name; (name = hc_node_list_next(&reader));) {
        if (hc_reserve(&night->nodes, &night->nodes_room, night->n_nodes + 1, sizeof *night->nodes,
                       err) ||
            hc_cube_name(&night->cube, HC_CUBE_NODE, name, &night->nodes[night->n_nodes], err))
            return err->status;
        night->n_nodes++;
    }
    night->n_uneven += night->n_nodes > 0 && attempt->gpus % (int64_t)night->n_nodes != 0;
    return HC_OK;
}

/* What of [from, to) is in the window. */
static int64_t within(const struct hc_night *night, int64_t from_ns, int64_t to_ns)
{
    int64_t low = night->days.edges_ns[0], high = night->days.edges_ns[night->days.n];
    low = from_ns > low ? from_ns : low;
    high = to_ns < high ? to_ns : high;
    return high > low ? high - low : 0;
}

enum hc_status hc_night_take_attempt(struct hc_night *night, const struct hc_night_attempt *attempt,
                                     const struct hc_attempt_facts *facts, struct hc_error *err)
{
    int32_t *codes = night->codes;
    int64_t held_ns = within(night, attempt->start_ns, attempt->end_ns);
    night->n_attempts += held_ns > 0;
    night->held_gpu_ns += (hc_gpu_ns)held_ns * attempt->gpus;
    if (attempt->run >= 0 &&
        hc_night_runs_take_attempt(
            &night->runs, attempt->run,
            &(struct hc_run_attempt){attempt->raw_job, attempt->restarts, attempt->submit_ns,
                                     attempt->eligible_ns, attempt->start_ns, attempt->end_ns,
                                     attempt->gpus, attempt->is_running},
            facts, err))
        return err->status;
    return hc_cube_name(&night->cube, HC_CUBE_ALL, "all", &codes[HC_CUBE_ALL], err) ||
                   hc_cube_name(&night->cube, HC_CUBE_USER, attempt->user, &codes[HC_CUBE_USER],
                                err) ||
                   hc_cube_name(&night->cube, HC_CUBE_ACCOUNT, attempt->account,
                                &codes[HC_CUBE_ACCOUNT], err) ||
                   hc_cube_name(&night->cube, HC_CUBE_PARTITION, attempt->partition,
                                &codes[HC_CUBE_PARTITION], err) ||
                   hc_cube_name(&night->cube, HC_CUBE_SIZE, hc_night_size_class(attempt->gpus),
                                &codes[HC_CUBE_SIZE], err) ||
                   name_nodes(night, attempt, err)
               ? err->status
               : HC_OK;
}

/* ---- slices ---- */

/* GPUs of the slice that are on the k-th of n nodes: equal parts, what is left over on the first.
 */
static int64_t gpus_on(int32_t gpus, size_t n, size_t k)
{
    return gpus / (int64_t)n + ((int64_t)k < gpus % (int64_t)n);
}

static enum hc_status add_nodes(struct hc_night *night, const struct hc_slice *slice, int32_t day,
                                int64_t ns, struct hc_error *err)
{
    struct hc_cube_place place = {day, HC_CUBE_NODE, 0};
    if (night->n_nodes == 0)
        return hc_cube_name(&night->cube, HC_CUBE_NODE, NULL, &place.name, err) ||
                       hc_cube_add(&night->cube, &place, slice, (hc_gpu_ns)ns * slice->gpus, err)
                   ? err->status
                   : HC_OK;
    for (size_t k = 0; k < night->n_nodes; k++) {
        int64_t gpus = gpus_on(slice->gpus, night->n_nodes, k);
        place.name = night->nodes[k];
        if (gpus && hc_cube_add(&night->cube, &place, slice, (hc_gpu_ns)ns * gpus, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status add_day(struct hc_night *night, const struct hc_night_attempt *attempt,
                              const struct hc_slice *slice, int32_t day, int64_t ns,
                              struct hc_error *err)
{
    hc_gpu_ns gpu_ns = (hc_gpu_ns)ns * slice->gpus;
    for (int d = 0; d <= HC_CUBE_SIZE; d++)
        if (hc_cube_add(&night->cube,
                        &(struct hc_cube_place){day, (enum hc_cube_dimension)d, night->codes[d]},
                        slice, gpu_ns, err))
            return err->status;
    if (attempt->run >= 0 &&
        hc_cube_add(&night->cube, &(struct hc_cube_place){day, HC_CUBE_RUN, attempt->run}, slice,
                    gpu_ns, err))
        return err->status;
    if (slice->failure >= 0 &&
        hc_cube_add(&night->cube,
                    &(struct hc_cube_place){day, HC_CUBE_CAUSE, night->codes[HC_CUBE_CAUSE]}, slice,
                    gpu_ns, err))
        return err->status;
    return add_nodes(night, slice, day, ns, err);
}

static enum hc_status add_cost(struct hc_night *night, int32_t run, const struct hc_slice *slice,
                               struct hc_error *err)
{
    size_t entry, n = night->cost_of.n;
    if (hc_int_map_insert(&night->cost_of, (uint64_t)slice->failure, (int32_t)n, &entry, err))
        return err->status;
    if (entry == n) {
        if (hc_reserve(&night->costs, &night->costs_room, n + 1, sizeof *night->costs, err))
            return err->status;
        night->costs[n] = (struct hc_night_cost){.failure = slice->failure, .run = run};
        night->n_costs = n + 1;
    }
    struct hc_night_cost *cost = &night->costs[entry];
    cost->gpu_ns[slice->what] += hc_slice_gpu_ns(slice);
    cost->total_gpu_ns += hc_slice_gpu_ns(slice);
    if (slice->what == HC_WHAT_DETECTION)
        cost->uncertain_gpu_ns += (hc_gpu_ns)slice->uncertain_ns * slice->gpus;
    return HC_OK;
}

/* Add to a day's sum in an array by day, which is made when it is first needed. */
static enum hc_status add_to_day(const struct hc_night *night, hc_gpu_ns **by_day, size_t day,
                                 hc_gpu_ns gpu_ns, struct hc_error *err)
{
    if (!*by_day)
        *by_day = hc_new_array(night->days.n, sizeof **by_day, err);
    if (!*by_day)
        return err->status;
    (*by_day)[day] += gpu_ns;
    return HC_OK;
}

/* The day of a time in the window. */
static size_t day_of(const struct hc_night_days *days, int64_t ns)
{
    size_t low = 0, high = days->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (days->edges_ns[middle] <= ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum hc_status hc_night_take_slice(struct hc_night *night, const struct hc_night_attempt *attempt,
                                   const struct hc_slice *slice, const char *cause,
                                   struct hc_error *err)
{
    const struct hc_night_days *days = &night->days;
    int64_t from_ns = slice->from_ns > days->edges_ns[0] ? slice->from_ns : days->edges_ns[0];
    int64_t to_ns = slice->to_ns < days->edges_ns[days->n] ? slice->to_ns : days->edges_ns[days->n];
    if (attempt->run >= 0)
        hc_night_runs_take_slice(&night->runs, attempt->run, attempt->gpus, slice);
    if (slice->failure >= 0 &&
        (add_cost(night, attempt->run, slice, err) ||
         hc_cube_name(&night->cube, HC_CUBE_CAUSE, cause, &night->codes[HC_CUBE_CAUSE], err)))
        return err->status;
    if (from_ns < to_ns && slice->what == HC_WHAT_DETECTION &&
        add_to_day(night, &night->uncertain_gpu_ns, day_of(days, from_ns),
                   (hc_gpu_ns)slice->uncertain_ns * slice->gpus, err))
        return err->status;
    /* Slices with a bound end where days do. */
    if (from_ns < to_ns && slice->excess_bound_ns &&
        add_to_day(night, &night->excess_bound_gpu_ns, day_of(days, from_ns),
                   (hc_gpu_ns)slice->excess_bound_ns * slice->gpus, err))
        return err->status;
    for (size_t day = from_ns < to_ns ? day_of(days, from_ns) : days->n; from_ns < to_ns; day++) {
        int64_t end_ns = to_ns < days->edges_ns[day + 1] ? to_ns : days->edges_ns[day + 1];
        if (add_day(night, attempt, slice, (int32_t)day, end_ns - from_ns, err))
            return err->status;
        from_ns = end_ns;
    }
    return HC_OK;
}

enum hc_status hc_night_cover(struct hc_night *night, const struct hc_night_attempt *attempt,
                              const bool is_covered[HC_N_COVERS], struct hc_error *err)
{
    const struct hc_night_days *days = &night->days;
    if (!night->covered_gpu_ns)
        night->covered_gpu_ns = hc_new_array(days->n, sizeof *night->covered_gpu_ns, err);
    if (!night->covered_gpu_ns)
        return err->status;
    for (size_t day = day_of(days, attempt->start_ns); day < days->n; day++) {
        int64_t from_ns = days->edges_ns[day], to_ns = days->edges_ns[day + 1];
        from_ns = attempt->start_ns > from_ns ? attempt->start_ns : from_ns;
        to_ns = attempt->end_ns < to_ns ? attempt->end_ns : to_ns;
        if (from_ns >= to_ns)
            break;
        for (int c = 0; c < HC_N_COVERS; c++)
            if (is_covered[c])
                night->covered_gpu_ns[day][c] += (hc_gpu_ns)(to_ns - from_ns) * attempt->gpus;
    }
    return HC_OK;
}

void hc_night_fini(struct hc_night *night)
{
    hc_cube_fini(&night->cube);
    hc_night_runs_fini(&night->runs);
    hc_int_map_fini(&night->cost_of);
    free(night->excess_bound_gpu_ns);
    free(night->uncertain_gpu_ns);
    free(night->covered_gpu_ns);
    free(night->costs);
    free(night->nodes);
    free(night->days.edges_ns);
    free(night->days.names);
    *night = (struct hc_night){0};
}
