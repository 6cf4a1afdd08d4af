/* Sentences about lives that are to be read with the numbers. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "core/text/number_format.h"
#include "study/run/study_numbers.h"

#include <math.h>

static enum hc_status note_ends(struct hc_study_work *work, const struct hc_study_run *run,
                                struct hc_error *err)
{
    const struct hc_lifetime_summary *summary = &hc_life_run_detail(run)->summary;
    uint64_t n_unfinished = summary->n - summary->n_finished - summary->n_starved;
    char of[128], some[HC_NUMBER_TEXT], all[HC_NUMBER_TEXT], days[HC_NUMBER_TEXT];
    hc_study_of_run(work, run, of);
    double horizon_s = hc_life_run_detail(run)->config->job.horizon_s;
    bool is_given = horizon_s > 0;
    if (!is_given)
        horizon_s = HC_LIFETIME_PATIENCE * hc_life_run_detail(run)->config->job.work_s;
    if (n_unfinished && hc_life_run_detail(run)->config->job.work_s > 0 &&
        hc_study_note(work, err,
                      "%s of %s replicas%s reached the horizon (%s, %s d) before their work was "
                      "done: their wall time and GPU-hours end there.",
                      hc_format_count((int64_t)n_unfinished, some),
                      hc_format_count((int64_t)summary->n, all), of,
                      is_given ? "'horizon_d'" : "as none is given",
                      hc_study_number_text(horizon_s / 86400, days)))
        return err->status;
    if (summary->n_starved)
        return hc_study_note(work, err,
                             "%s of %s replicas%s ended because no node was to be had any more.",
                             hc_format_count((int64_t)summary->n_starved, some),
                             hc_format_count((int64_t)summary->n, all), of);
    return HC_OK;
}

static enum hc_status note_counts(struct hc_study_work *work, const struct hc_study_run *run,
                                  struct hc_error *err)
{
    static const struct {
        enum hc_lifetime_count count;
        const char *text;
    } rows[] = {
        {HC_COUNT_ABSORBED, "recorded incidents or planned stops met a job that stood anyway, or a "
                            "node that it did not have, and did nothing"},
        {HC_COUNT_WAITS, "times the job waited for a repair because no node was to be had"},
        {HC_COUNT_CORRUPT_LOADS, "loads found their checkpoint corrupt"},
    };
    char of[128], number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double mean = hc_life_run_detail(run)->summary.count[rows[i].count].mean;
        if (mean > 0 && hc_study_note(work, err, "In the mean of the replicas%s, %s %s.",
                                      hc_study_of_run(work, run, of),
                                      mean < 10 ? hc_format_fixed(mean, 2, number)
                                                : hc_format_count(llround(mean), number),
                                      rows[i].text))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_lifetime_note_run(struct hc_study_work *work, size_t which, struct hc_error *err)
{
    const struct hc_study_run *run = &work->result->run[which];
    return note_ends(work, run, err) ? err->status : note_counts(work, run, err);
}

/* ---- of all runs ---- */

/* What the model leaves out, as far as it matters to the scenario: the answer is too good by it. */
static enum hc_status note_limits(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_lifetime_config *config = hc_life_run_detail(&work->result->run[0])->config;
    bool has_standbys = config->recovery.warm_standbys || config->recovery.standby_quantile > 0;
    bool has_slow = false;
    for (size_t i = 0; i < config->n_faults; i++)
        has_slow |= config->fault[i].effect == HC_EFFECT_SLOW;
    const char *strikes =
        config->strikes == HC_STRIKES_RUNNING ? "faults while the job stands or starts"
        : config->strikes == HC_STRIKES_HELD  ? "faults while one is noticed, placed and treated"
                                              : NULL;
    const char *standbys =
        has_standbys && !config->recovery.standbys_fail ? "standbys that fail" : NULL;
    const char *slow = has_slow ? "slow faults that multiply (the slowest counts)" : NULL;
    if (!config->n_faults || !(strikes || standbys || slow))
        return HC_OK;
    return hc_study_note(work, err, "The model is without %s%s%s%s%s.", strikes ? strikes : "",
                         strikes && standbys ? ", " : "", standbys ? standbys : "",
                         (strikes || standbys) && slow ? ", " : "", slow ? slow : "");
}

enum hc_status hc_lifetime_note_all(struct hc_study_work *work, struct hc_error *err)
{
    return note_limits(work, err) ? err->status : hc_lifetime_note_records(work, err);
}
