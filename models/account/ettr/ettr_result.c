#include "models/account/ettr/ettr_result.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_NS ((int64_t)3600 * 1000000000)

/* ---- taking ---- */

static enum hc_status reach(struct hc_ettr_input *input, size_t n, struct hc_error *err)
{
    if (hc_reserve(&input->tracks, &input->tracks_room, n, sizeof *input->tracks, err))
        return err->status;
    for (; input->n_tracks < n; input->n_tracks++)
        input->tracks[input->n_tracks] = (struct hc_ettr_track){.n_attempts = 0};
    return HC_OK;
}

enum hc_status hc_ettr_take_attempt(struct hc_ettr_input *input, int32_t run,
                                    const struct hc_run_attempt *attempt,
                                    const struct hc_attempt_facts *facts,
                                    const struct hc_ettr_attempt *key, struct hc_error *err)
{
    if (reach(input, (size_t)run + 1, err))
        return err->status;
    struct hc_ettr_track *track = &input->tracks[run];
    if (hc_reserve(&track->attempts, &track->attempts_room, track->n_attempts + 1,
                   sizeof *track->attempts, err))
        return err->status;
    track->attempts[track->n_attempts++] = *key;
    return hc_night_runs_take_attempt(&input->runs, run, attempt, facts, err);
}

enum hc_status hc_ettr_take_slice(struct hc_ettr_input *input, int32_t run, int32_t gpus,
                                  const struct hc_slice *slice, struct hc_error *err)
{
    hc_night_runs_take_slice(&input->runs, run, gpus, slice);
    return hc_run_progress_add(&input->tracks[run].progress, slice, gpus, err);
}

void hc_ettr_input_fini(struct hc_ettr_input *input)
{
    for (size_t i = 0; i < input->n_tracks; i++) {
        hc_run_progress_fini(&input->tracks[i].progress);
        free(input->tracks[i].attempts);
    }
    free(input->tracks);
    hc_night_runs_fini(&input->runs);
    *input = (struct hc_ettr_input){.n_tracks = 0};
}

/* ---- a run ---- */

static int compare_attempts(const void *a, const void *b)
{
    const struct hc_ettr_attempt *x = a, *y = b;
    if (x->raw_job != y->raw_job)
        return x->raw_job < y->raw_job ? -1 : 1;
    return (x->restarts > y->restarts) - (x->restarts < y->restarts);
}

/* A job that was restarted three times has four attempts. */
static int64_t count_missing(const struct hc_ettr_track *track)
{
    int64_t n_missing = 0;
    if (track->n_attempts)
        qsort(track->attempts, track->n_attempts, sizeof *track->attempts, compare_attempts);
    for (size_t i = 0, next; i < track->n_attempts; i = next) {
        int64_t most = -1;
        for (next = i; next < track->n_attempts &&
                       track->attempts[next].raw_job == track->attempts[i].raw_job;
             next++)
            if (track->attempts[next].restarts != HC_MISSING_I32)
                most = track->attempts[next].restarts;
        if (most + 1 > (int64_t)(next - i))
            n_missing += most + 1 - (int64_t)(next - i);
    }
    return n_missing;
}

static struct hc_ettr_ratio ratio_of(double productive, double all)
{
    bool is_known = all > 0 && !isnan(productive);
    return (struct hc_ettr_ratio){productive, all, is_known ? productive / all : NAN};
}

static void fill_ratios(struct hc_ettr_row *row)
{
    const struct hc_night_run *run = row->run;
    hc_gpu_ns all = 0, productive = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        all += run->gpu_ns[what];
        productive += hc_ettr_counts(HC_ETTR_GOODPUT, (enum hc_what)what) ? run->gpu_ns[what] : 0;
    }
    row->gpu_hours = hc_gpu_hours(all);
    row->ratio[HC_ETTR_META] =
        ratio_of(run->productive_s[HC_ETTR_META] / 3600, (run->ran_s + run->queued_s) / 3600);
    if (row->n_missing || row->n_gaps)
        row->ratio[HC_ETTR_META].value = NAN;
    row->ratio[HC_ETTR_BYTEROBUST] =
        ratio_of(run->productive_s[HC_ETTR_BYTEROBUST] / 3600, run->wall_s / 3600);
    row->ratio[HC_ETTR_GOODPUT] = ratio_of(hc_gpu_hours(productive), row->gpu_hours);
    row->ratio[HC_ETTR_NOMINAL] =
        ratio_of((double)run->kept_steps * run->reference_step_s / 3600, run->wall_s / 3600);
}

static enum hc_status fill_days(struct hc_ettr_result *result, size_t at,
                                const struct hc_run_progress *progress,
                                const struct hc_night_days *days, struct hc_error *err)
{
    struct hc_ettr_row *row = &result->rows[at];
    int64_t start_ns = row->run->first_start_ns, end_ns = row->run->last_end_ns;
    row->first_day = result->n_days;
    for (size_t d = 0; d < days->n; d++) {
        int64_t from_ns = days->edges_ns[d] > start_ns ? days->edges_ns[d] : start_ns;
        int64_t to_ns = days->edges_ns[d + 1] < end_ns ? days->edges_ns[d + 1] : end_ns;
        if (from_ns >= to_ns)
            continue;
        double until = hc_run_progress_until(progress, to_ns);
        double within = until - hc_run_progress_until(progress, from_ns);
        if (hc_reserve(&result->days, &result->days_room, result->n_days + 1, sizeof *result->days,
                       err))
            return err->status;
        result->days[result->n_days++] = (struct hc_ettr_day){
            .row = at,
            .day = days->names[d],
            .ratio = ratio_of(within / 3600, (double)(to_ns - from_ns) / (double)HOUR_NS),
            .cumulative = until / ((double)(to_ns - start_ns) * 1e-9)};
        row->n_days++;
    }
    return HC_OK;
}

static struct hc_ettr_row row_of(struct hc_ettr_input *input, int32_t code,
                                 const struct hc_ettr_choice *choice)
{
    const struct hc_joins *joins = choice->joins;
    const struct hc_run *joined = &joins->runs[code];
    int32_t attempt = joined->first_cycle < 0 ? -1 : joins->cycles[joined->first_cycle].attempt;
    struct hc_ettr_row row = {
        .code = code,
        .name = hc_joins_find_text(joins, joined->name),
        .user = attempt < 0 ? NULL : hc_joins_find_text(joins, joins->attempts[attempt].user),
        .run = &input->runs.list[code],
        .rule = joined->rule,
        .n_gaps = joined->n_gaps,
        .n_missing = count_missing(&input->tracks[code])};
    row.is_provisional = row.run->is_running;
    fill_ratios(&row);
    row.counts = row.run->most_gpus >= choice->least_gpus &&
                 row.ratio[HC_ETTR_BYTEROBUST].all >= choice->least_hours;
    return row;
}

/* ---- all of them ---- */

static bool is_wanted(const struct hc_ettr_input *input, int32_t code,
                      const struct hc_ettr_choice *choice)
{
    const struct hc_night_run *run = &input->runs.list[code];
    if (run->n_attempts == 0 || run->first_start_ns >= choice->to_ns ||
        run->last_end_ns <= choice->from_ns)
        return false;
    const char *name = hc_joins_find_text(choice->joins, choice->joins->runs[code].name);
    return !choice->name || (name && strcmp(name, choice->name) == 0);
}

static int compare_rows(const void *a, const void *b)
{
    const struct hc_ettr_row *x = a, *y = b;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    if (x->name && y->name && strcmp(x->name, y->name) != 0)
        return strcmp(x->name, y->name);
    return (x->code > y->code) - (x->code < y->code);
}

static void sum_fleet(struct hc_ettr_result *result)
{
    struct hc_ettr_fleet *fleet = &result->fleet;
    for (size_t i = 0; i < result->n; i++) {
        const struct hc_ettr_row *row = &result->rows[i];
        fleet->n_runs += row->counts;
        fleet->n_left_out += !row->counts;
        for (int e = 0; e < HC_N_ETTRS && row->counts; e++) {
            if (isnan(row->ratio[e].value))
                continue;
            fleet->n_of[e]++;
            fleet->ratio[e].productive += row->ratio[e].productive;
            fleet->ratio[e].all += row->ratio[e].all;
        }
    }
    for (int e = 0; e < HC_N_ETTRS; e++)
        fleet->ratio[e] = ratio_of(fleet->ratio[e].productive, fleet->ratio[e].all);
}

enum hc_status hc_ettr_result_make(struct hc_ettr_result *result, struct hc_ettr_input *input,
                                   const struct hc_ettr_choice *choice, struct hc_error *err)
{
    *result = (struct hc_ettr_result){.n = 0};
    hc_night_runs_end(&input->runs);
    result->rows = hc_new_array(input->n_tracks, sizeof *result->rows, err);
    if (!result->rows)
        return err->status;
    for (size_t i = 0; i < input->n_tracks; i++)
        if (is_wanted(input, (int32_t)i, choice))
            result->rows[result->n++] = row_of(input, (int32_t)i, choice);
    if (choice->name && result->n == 0)
        return hc_fail(err, HC_USAGE,
                       "no run '%s' held GPUs in these days: 'hindcast report ettr' without --run "
                       "lists those that did",
                       choice->name);
    if (result->n)
        qsort(result->rows, result->n, sizeof *result->rows, compare_rows);
    for (size_t i = 0; i < result->n; i++) {
        struct hc_ettr_row *row = &result->rows[i];
        struct hc_run_progress *progress = &input->tracks[row->code].progress;
        if (hc_run_progress_end(progress, err) || fill_days(result, i, progress, choice->days, err))
            return err->status;
        row->hour = hc_run_progress_slide(progress, row->run->first_start_ns, row->run->last_end_ns,
                                          HOUR_NS);
    }
    sum_fleet(result);
    return HC_OK;
}

void hc_ettr_result_fini(struct hc_ettr_result *result)
{
    free(result->rows);
    free(result->days);
    *result = (struct hc_ettr_result){.n = 0};
}
