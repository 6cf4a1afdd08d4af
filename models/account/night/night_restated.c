#include "models/account/night/night_restated.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Sums of a day by leaf: of all, then of each run of now, then of the attempts without a run. */
struct sums {
    size_t n_groups; /* a day */
    hc_gpu_ns *ns;   /* [(day * n_groups + group) * HC_WHAT_COUNT + what] */
};

static hc_gpu_ns *at(const struct sums *sums, size_t day, size_t group)
{
    return sums->ns + (day * sums->n_groups + group) * HC_WHAT_COUNT;
}

/* The place of a day of `night` among those of `before`, or -1. */
static int32_t place_of(const struct hc_night *night, const struct hc_night *before, int32_t day)
{
    for (size_t i = 0; i < before->days.n; i++)
        if (strcmp(before->days.names[i], night->days.names[day]) == 0)
            return (int32_t)i;
    return -1;
}

static void add_all(const struct sums *sums, const struct hc_night *night,
                    const struct hc_night *before, const struct hc_restated_runs *runs)
{
    for (size_t i = 0; i < night->cube.of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_gpu_ns gpu_ns = hc_cube_get(&night->cube, i, &place, &cell);
        int32_t day = place_of(night, before, place.day), run = place.name;
        if (day < 0)
            continue;
        if (place.dimension == HC_CUBE_ALL) {
            at(sums, (size_t)day, 0)[cell.what] += gpu_ns;
            at(sums, (size_t)day, sums->n_groups - 1)[cell.what] += gpu_ns;
        }
        if (place.dimension != HC_CUBE_RUN)
            continue;
        if (night == before)
            run = runs->run_now(run, runs->context);
        at(sums, (size_t)day, sums->n_groups - 1)[cell.what] -= gpu_ns;
        if (run >= 0 && (size_t)run + 2 < sums->n_groups)
            at(sums, (size_t)day, (size_t)run + 1)[cell.what] += gpu_ns;
    }
}

/* What most probably made a run's day another, by what became less and what more. */
static const char *reason_of(const hc_gpu_ns *now, const hc_gpu_ns *before)
{
    hc_gpu_ns productive = now[HC_WHAT_PRODUCTIVE_UNSPLIT] - before[HC_WHAT_PRODUCTIVE_UNSPLIT];
    hc_gpu_ns lost = now[HC_WHAT_LOST_WORK] - before[HC_WHAT_LOST_WORK];
    hc_gpu_ns abandoned = now[HC_WHAT_ABANDONED] - before[HC_WHAT_ABANDONED];
    hc_gpu_ns all = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        all += now[what] - before[what];
    if (all)
        return "records of attempts came that were not there";
    if (abandoned > 0)
        return "nobody went on with the run for 7 days";
    if (lost > 0 && productive < 0)
        return "a later launch resumed below steps that counted";
    if (lost < 0 && productive > 0)
        return "what was at risk was gone on from";
    if (now[HC_WHAT_UNKNOWN] < before[HC_WHAT_UNKNOWN])
        return "records came that tell what was not known";
    return "records came that tell more of the ends of launches";
}

/* The group but all whose leaf changed most. */
static size_t most_changed(const struct sums *now, const struct sums *before, size_t day, int what)
{
    size_t most = now->n_groups - 1;
    hc_gpu_ns largest = 0;
    for (size_t group = 1; group < now->n_groups; group++) {
        hc_gpu_ns change = at(now, day, group)[what] - at(before, day, group)[what];
        change = change < 0 ? -change : change;
        if (change > largest) {
            largest = change;
            most = group;
        }
    }
    return most;
}

static enum hc_status compare(struct hc_restated *restated, const struct hc_night *before,
                              const struct sums *now, const struct sums *then, struct hc_error *err)
{
    for (size_t day = 0; day < before->days.n; day++)
        for (int what = 0; what < HC_WHAT_COUNT; what++) {
            if (at(now, day, 0)[what] == at(then, day, 0)[what])
                continue;
            size_t group = most_changed(now, then, day, what);
            if (hc_reserve(&restated->rows, &restated->room, restated->n + 1,
                           sizeof *restated->rows, err))
                return err->status;
            restated->rows[restated->n++] = (struct hc_restated_row){
                .day = before->days.names[day],
                .what = (enum hc_what)what,
                .before_gpu_hours = hc_gpu_hours(at(then, day, 0)[what]),
                .now_gpu_hours = hc_gpu_hours(at(now, day, 0)[what]),
                .run = group + 1 == now->n_groups ? -1 : (int32_t)group - 1,
                .run_gpu_hours =
                    hc_gpu_hours(at(now, day, group)[what] - at(then, day, group)[what]),
                .reason = reason_of(at(now, day, group), at(then, day, group))};
        }
    return HC_OK;
}

enum hc_status hc_restated_make(struct hc_restated *restated, const struct hc_night *now,
                                const struct hc_night *before, const struct hc_restated_runs *runs,
                                struct hc_error *err)
{
    size_t n_groups = now->runs.n + 2, n = before->days.n * n_groups * HC_WHAT_COUNT;
    struct sums of_now = {n_groups, hc_new_array(n, sizeof *of_now.ns, err)};
    struct sums of_then = {n_groups, of_now.ns ? hc_new_array(n, sizeof *of_then.ns, err) : NULL};
    enum hc_status status = of_then.ns ? HC_OK : err->status;
    if (!status) {
        add_all(&of_now, now, before, runs);
        add_all(&of_then, before, before, runs);
        status = compare(restated, before, &of_now, &of_then, err);
    }
    free(of_now.ns);
    free(of_then.ns);
    return status;
}

void hc_restated_fini(struct hc_restated *restated)
{
    free(restated->rows);
    *restated = (struct hc_restated){0};
}
