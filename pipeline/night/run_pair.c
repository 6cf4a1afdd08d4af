#include "pipeline/night/run_pair.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "pipeline/night/ettr_input.h"
#include "pipeline/night/night_input.h"

#include <stdlib.h>
#include <string.h>

/* The days of one run, in the order in which its slices tell them. */
struct run_days {
    int32_t run; /* code of the joins */
    struct hc_int_map of_day;
    size_t n, room;
    struct hc_compared_sums *sums;
};

struct pair_walk {
    const struct hc_zone *zone;
    struct run_days runs[2];
};

/* ---- what is told of a run beside its leaves ---- */

static enum hc_status find_run(const struct hc_ettr_result *result, const char *name,
                               const struct hc_ettr_row **found, struct hc_error *err)
{
    *found = NULL;
    for (size_t i = 0; i < result->n; i++) {
        const struct hc_ettr_row *row = &result->rows[i];
        if (!row->name || strcmp(row->name, name) != 0)
            continue;
        if (*found)
            return hc_fail(err, HC_USAGE,
                           "several runs are called '%s': --cluster tells those of clusters apart, "
                           "and rules of the site file name others",
                           name);
        *found = row;
    }
    return *found ? HC_OK
                  : hc_fail(err, HC_USAGE,
                            "no run '%s' held GPUs: 'hindcast report ettr' lists them", name);
}

static void describe_run(struct hc_compared_run *run, struct hc_compared_side *side,
                         const struct hc_ettr_row *row, const struct hc_zone *zone)
{
    run->rule = hc_run_rule_name(row->rule);
    run->attempts = row->run->n_attempts;
    run->launches = row->run->n_launches;
    run->failures = row->run->n_stops;
    run->gpus = row->run->most_gpus;
    for (int e = 0; e < HC_N_ETTRS; e++)
        run->ettr[e] = row->ratio[e].value;
    side->is_provisional = row->is_provisional;
    side->first_day = hc_night_day_of(zone, row->run->first_start_ns);
    side->last_day = hc_night_day_of(zone, row->run->last_end_ns - 1);
}

static enum hc_status find_runs(struct hc_run_pair *pair, struct pair_walk *walk,
                                const struct hc_walk_choice *choice, const char *const names[2],
                                struct hc_error *err)
{
    struct hc_ettr_data data;
    enum hc_status status =
        hc_ettr_load(&data, &(struct hc_ettr_source){.walk = *choice, .zone = walk->zone}, err);
    for (int s = 0; s < 2 && !status; s++) {
        const struct hc_ettr_row *row;
        status = find_run(&data.result, names[s], &row, err);
        if (status)
            break;
        walk->runs[s].run = row->code;
        describe_run(&pair->runs[s], &pair->side[s], row, walk->zone);
    }
    hc_ettr_data_fini(&data);
    return status;
}

/* ---- days ---- */

static enum hc_status add_day(struct run_days *run, int64_t day, const struct hc_slice *slice,
                              int64_t length_ns, struct hc_error *err)
{
    size_t entry;
    if (hc_int_map_insert(&run->of_day, (uint64_t)day, (int32_t)run->n, &entry, err))
        return err->status;
    size_t at = (size_t)run->of_day.values[entry];
    if (at == run->n) {
        if (hc_reserve(&run->sums, &run->room, run->n + 1, sizeof *run->sums, err))
            return err->status;
        run->sums[run->n++] = (struct hc_compared_sums){.held = 0};
    }
    hc_compared_sums_add(&run->sums[at], slice->what, slice->why,
                         (hc_gpu_ns)length_ns * slice->gpus);
    return HC_OK;
}

static enum hc_status take_slice(const struct hc_walked_attempt *attempt,
                                 const struct hc_slice *slice, void *context, struct hc_error *err)
{
    struct pair_walk *walk = context;
    for (int s = 0; s < 2; s++) {
        int64_t from_ns = slice->from_ns;
        if (attempt->run != walk->runs[s].run)
            continue;
        while (from_ns < slice->to_ns) {
            int64_t day = hc_night_day_of(walk->zone, from_ns);
            int64_t end_ns = hc_night_day_ns(walk->zone, day + 1);
            end_ns = end_ns < slice->to_ns ? end_ns : slice->to_ns;
            if (add_day(&walk->runs[s], day, slice, end_ns - from_ns, err))
                return err->status;
            from_ns = end_ns;
        }
    }
    return HC_OK;
}

static int compare_days(const void *a, const void *b)
{
    const struct hc_compared_day *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return (x->day > y->day) - (x->day < y->day);
}

static enum hc_status unite_days(struct hc_run_pair *pair, const struct pair_walk *walk,
                                 struct hc_error *err)
{
    pair->days = hc_new_array(walk->runs[0].n + walk->runs[1].n, sizeof *pair->days, err);
    if (!pair->days)
        return err->status;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < walk->runs[s].n; i++) {
            const struct run_days *run = &walk->runs[s];
            struct hc_compared_day *day = &pair->days[pair->n_days++];
            *day = hc_compared_day_of(&run->sums[i], (int64_t)run->of_day.keys[i]);
            day->set = s ? HC_COMPARED_B : HC_COMPARED_A;
        }
    if (pair->n_days)
        qsort(pair->days, pair->n_days, sizeof *pair->days, compare_days);
    for (int s = 0; s < 2; s++)
        hc_compared_side_sum(&pair->side[s], s ? HC_COMPARED_B : HC_COMPARED_A, pair->days,
                             pair->n_days);
    return HC_OK;
}

enum hc_status hc_run_pair_load(struct hc_run_pair *pair, const struct hc_walk_choice *choice,
                                const struct hc_zone *zone, const char *const names[2],
                                struct hc_error *err)
{
    struct pair_walk walk = {.zone = zone};
    struct hc_walk walked = {.n_attempts = 0};
    *pair = (struct hc_run_pair){.n_days = 0};
    enum hc_status status = find_runs(pair, &walk, choice, names, err);
    if (!status)
        status = hc_walk_run(&walked, choice,
                             &(struct hc_walk_sink){.slice = take_slice, .context = &walk}, err);
    if (!status)
        status = unite_days(pair, &walk, err);
    for (int s = 0; s < 2; s++) {
        hc_int_map_fini(&walk.runs[s].of_day);
        free(walk.runs[s].sums);
    }
    hc_walk_fini(&walked);
    return status;
}

void hc_run_pair_fini(struct hc_run_pair *pair)
{
    free(pair->days);
    *pair = (struct hc_run_pair){.n_days = 0};
}
