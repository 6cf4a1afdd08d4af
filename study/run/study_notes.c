/* Sentences that are to be read with the numbers. */
#include "study/grammar/data_provider.h"
#include "study/run/study_work.h"

#include "core/text/number_format.h"
#include "study/run/study_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#define MOST_NOTES 64

enum hc_status hc_study_note(struct hc_study_work *work, struct hc_error *err, const char *format,
                             ...)
{
    char text[1024];
    va_list list;
    if (!work->note && !(work->note = hc_arena_new(work->arena, MOST_NOTES * sizeof(char *), err)))
        return err->status;
    if (work->result->n_notes == MOST_NOTES)
        return HC_OK;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *note = hc_arena_format(work->arena, err, "%s", text);
    if (!note)
        return err->status;
    work->note[work->result->n_notes++] = note;
    work->result->notes = work->note;
    return HC_OK;
}

const char *hc_study_of_run(const struct hc_study_work *work, const struct hc_study_run *run,
                            char text[128])
{
    text[0] = '\0';
    if (work->result->n_runs > 1)
        snprintf(text, 128, " of '%.100s'", run->name);
    return text;
}

static enum hc_status note_until(struct hc_study_work *work, const struct hc_study_run *run,
                                 struct hc_error *err)
{
    char of[128], all[HC_NUMBER_TEXT];
    if (work->until == work->columns.n)
        return HC_OK;
    const struct hc_study_value *value = &run->value[work->until];
    double half = (value->high - value->low) / 2;
    if (half <= work->study->half_width)
        return HC_OK;
    if (!isfinite(half))
        return hc_study_note(
            work, err,
            "The interval of %s%s is not known after %s replicas: they are too few "
            "for it.",
            work->columns.figure[work->until]->name, hc_study_of_run(work, run, of),
            hc_format_count((int64_t)run->n_replicas, all));
    return hc_study_note(work, err,
                         "The interval of %s%s is still +- %.3g after %s replicas; +- %.3g was "
                         "asked for.",
                         work->columns.figure[work->until]->name, hc_study_of_run(work, run, of),
                         half, hc_format_count((int64_t)run->n_replicas, all),
                         work->study->half_width);
}

static enum hc_status note_cells(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study_result *result = work->result;
    size_t n = result->n_runs * result->n_points, n_unfinished = 0, n_wide = 0;
    char some[HC_NUMBER_TEXT], all[HC_NUMBER_TEXT], most[HC_NUMBER_TEXT];
    for (size_t i = 0; i < n; i++) {
        n_unfinished += result->cell[i].n_unfinished > 0;
        if (work->until == work->columns.n)
            continue;
        const struct hc_study_value *value = &result->cell[i].value[work->until];
        n_wide += !((value->high - value->low) / 2 <= work->study->half_width);
    }
    if (n_unfinished && hc_study_has_end(work, 0) &&
        hc_study_note(work, err,
                      "At %s of %s points of the sweep, replicas ended before their work was "
                      "done.",
                      hc_format_count((int64_t)n_unfinished, some),
                      hc_format_count((int64_t)n, all)))
        return err->status;
    if (n_wide)
        return hc_study_note(
            work, err,
            "At %s of %s points of the sweep, the interval of %s is wider than "
            "asked for after %s replicas.",
            hc_format_count((int64_t)n_wide, some), hc_format_count((int64_t)n, all),
            work->columns.figure[work->until]->name, hc_format_count(work->study->replicas, most));
    return HC_OK;
}

/* ---- what was fitted ---- */

#define MOST_FITS 8

static enum hc_status note_fit(struct hc_study_work *work, const struct hc_data_source *source,
                               const struct hc_source_fit *made, struct hc_error *err)
{
    const struct hc_fit *fit = &made->fit;
    char shape[160] = "", all[HC_NUMBER_TEXT], cut[HC_NUMBER_TEXT], mean[HC_NUMBER_TEXT],
         rest[HC_NUMBER_TEXT], of_rest[96] = "";
    if (made->family != HC_FIT_EXPONENTIAL)
        snprintf(shape, sizeof shape,
                 "shape %.3g (95 %%: %.3g to %.3g), scale %.4g s (%.4g to %.4g)", fit->shape,
                 fit->shape_low, fit->shape_high, fit->scale, fit->scale_low, fit->scale_high);
    else
        snprintf(shape, sizeof shape, "mean %.4g s (95 %%: %.4g to %.4g)", fit->scale,
                 fit->scale_low, fit->scale_high);
    if (made->n_residual)
        snprintf(of_rest, sizeof of_rest, ", of these %s of nodes in service when watching began",
                 hc_format_count(made->n_residual, rest));
    return hc_study_note(
        work, err,
        "Fitted to '%.200s': %s, %s, mean %s h, from %s times and %s that were cut "
        "off%s.",
        source->name, hc_fit_family_name((enum hc_fit_family)made->family), shape,
        hc_study_number_text(fit->mean / 3600, mean), hc_format_count(made->n_events, all),
        hc_format_count(made->n_censored, cut), of_rest);
}

/* Each once, whatever variants and points share it; the last made are first in their list. */
static enum hc_status note_fits(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_source_fit *list[MOST_FITS];
    enum hc_status status = HC_OK;
    for (const struct hc_data_source *source = work->scenario->sources; source && !status;
         source = source->next) {
        size_t n = 0;
        for (const struct hc_source_fit *fit = source->fits; fit && n < MOST_FITS; fit = fit->next)
            if (fit->n_events && !fit->fit.lacks)
                list[n++] = fit;
        while (n > 0 && !status)
            status = note_fit(work, source, list[--n], err);
    }
    return status;
}

/* What was cut off before its end is not known to be late, nor how late. */
static enum hc_status note_cut_off(struct hc_study_work *work, const struct hc_study_run *run,
                                   size_t which, struct hc_error *err)
{
    char of[128], some[HC_NUMBER_TEXT];
    bool is_asked = work->study->done_by_d != 0 || work->scenario->quantiles;
    if (!is_asked || run->n_finished == run->n_replicas || !hc_study_has_end(work, which))
        return HC_OK;
    return hc_study_note(
        work, err,
        "%s %s%s were cut off before their work was done: done_by_d counts them as "
        "not done, and quantiles take them as if they had ended there.",
        hc_format_count((int64_t)(run->n_replicas - run->n_finished), some), work->result->many,
        hc_study_of_run(work, run, of));
}

enum hc_status hc_study_notes(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_engine *engine = work->scenario->engine;
    if (work->study->replicas < 2 &&
        hc_study_note(work, err, "One replica is one %s: it says nothing of the spread.",
                      engine->one))
        return err->status;
    for (size_t i = 0; i < work->result->n_runs; i++)
        if ((engine->note_run && engine->note_run(work, i, err)) ||
            note_until(work, &work->result->run[i], err))
            return err->status;
    if (work->study->done_by_d != 0 && !hc_study_has_end(work, 0) &&
        hc_study_note(
            work, err,
            "/report/done_by_d asks when the work is done, and no work is given: no %s is "
            "done by any day.",
            engine->one))
        return err->status;
    for (size_t i = 0; i < work->result->n_runs; i++)
        if (note_cut_off(work, &work->result->run[i], i, err))
            return err->status;
    if (note_cells(work, err) || note_fits(work, err))
        return err->status;
    return engine->note_all ? engine->note_all(work, err) : HC_OK;
}
