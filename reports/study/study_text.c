#include "reports/study/study_found.h"
#include "reports/study/study_views.h"

#include "core/base/text_layout.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what was asked ---- */

static void put_question(const struct hc_study_result *result, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (result->question)
        hc_text_wrap(stream, result->question, 0, 0, HC_TEXT_WIDTH);
    hc_line_add(&line, "%s: %s", result->name, result->subject);
    hc_line_add(&line, "; %s replica%s, seed %" PRIu64 ", intervals of %g %%",
                hc_format_count((int64_t)result->run[0].n_replicas, number),
                result->run[0].n_replicas == 1 ? "" : "s", result->seed, 100 * result->confidence);
    hc_line_put(stream, "scenario", &line);
}

static void put_try(struct hc_text_line *line, const struct hc_study_try *try)
{
    char number[HC_NUMBER_TEXT], value[HC_STUDY_NUMBER];
    hc_line_add(line, "%s gives %s", hc_study_number_text(try->number, number),
                hc_study_value_text(&try->value, value));
}

/* What was found, with the value beside it that fails. */
static void put_answer(const struct hc_study_found *found, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    char noun[HC_FOUND_WORDS], proviso[HC_FOUND_WORDS];
    if (!found->is_asked)
        return;
    if (!found->is_found) {
        hc_line_add(&line, "none of the %zu values of %s that were tried meets %s%s",
                    found->n_tries, found->path, found->such_that,
                    hc_study_found_none(found, proviso));
        hc_line_put(stream, "answer", &line);
        return;
    }
    hc_line_add(&line, "%s is the %s such that %s%s: ", hc_study_number_text(found->number, number),
                hc_study_found_noun(found, noun), found->such_that,
                hc_study_found_proviso(found, proviso));
    if (found->answer != HC_STUDY_NONE)
        put_try(&line, &found->tries[found->answer]);
    if (found->better_fails != HC_STUDY_NONE) {
        hc_line_add(&line, ", ");
        put_try(&line, &found->tries[found->better_fails]);
    }
    hc_line_put(stream, "answer", &line);
}

/* ---- how it went ---- */

static void put_ettr(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_findings_of(base);
    const struct hc_study_value *ettr = hc_study_text_value(result, base->value, "ettr");
    struct hc_text_line line = {.used = 0};
    char text[HC_STUDY_NUMBER], exact[HC_NUMBER_TEXT], first[HC_NUMBER_TEXT];
    if (!ettr)
        return;
    hc_line_add(&line, "%s", hc_study_value_text(ettr, text));
    if (life && isfinite(life->reference.ettr_exact))
        hc_line_add(&line, "; closed form %s, its first order %s",
                    hc_format_fixed(life->reference.ettr_exact, 4, exact),
                    hc_format_fixed(life->reference.ettr_first_order, 4, first));
    hc_line_put(stream, "ETTR", &line);
}

static void put_stop_lengths(const struct hc_life_stops *stops, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char p50[HC_NUMBER_TEXT], p90[HC_NUMBER_TEXT], p99[HC_NUMBER_TEXT], longest[HC_NUMBER_TEXT];
    if (stops->n == 0)
        return;
    hc_line_add(&line, "half of them within %s s, 90 %% within %s s, 99 %% within %s s",
                hc_study_number_text(round(stops->p50_s), p50),
                hc_study_number_text(round(stops->p90_s), p90),
                hc_study_number_text(round(stops->p99_s), p99));
    hc_line_add(&line, "; the longest %s s",
                hc_study_number_text(round(stops->longest_s), longest));
    hc_line_put(stream, "their length", &line);
}

static void put_stops(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    const struct hc_life_findings *life = hc_life_findings_of(base);
    const struct hc_study_value *stops = hc_study_text_value(result, base->value, "interruptions"),
                                *mtbf = hc_study_text_value(result, base->value, "mtbf_h"),
                                *mttr = hc_study_text_value(result, base->value, "mttr_s");
    struct hc_text_line line = {.used = 0};
    char a[HC_STUDY_NUMBER], b[HC_STUDY_NUMBER], c[HC_STUDY_NUMBER], d[HC_NUMBER_TEXT];
    if (!stops || !mtbf || !mttr)
        return;
    hc_line_add(&line, "%s a life", hc_study_value_text(stops, a));
    if (isfinite(mtbf->mean))
        hc_line_add(&line, ", one each %s h of running; %s s from a stop to the next step",
                    hc_study_value_text(mtbf, b), hc_study_value_text(mttr, c));
    if (life && isfinite(life->reference.mttf_s))
        hc_line_add(&line, "; the rates of what stops it give one each %s h",
                    hc_study_number_text(life->reference.mttf_s / 3600, d));
    hc_line_put(stream, "stops", &line);
    if (life)
        put_stop_lengths(&life->stops, stream);
}

/* How often it saves, and how often the formula would. */
static void put_checkpoints(const struct hc_life_findings *life, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (!isfinite(life->reference.young_interval_s))
        return;
    if (life->save_every_s > 0)
        hc_line_add(&line, "each %s s of steps; ",
                    hc_study_number_text(life->save_every_s, number));
    hc_line_add(&line, "Young's interval is %s s",
                hc_study_number_text(round(life->reference.young_interval_s), number));
    hc_line_put(stream, "checkpoints", &line);
}

static void put_money(const struct hc_study_result *result, const struct hc_life_findings *life,
                      FILE *stream)
{
    const struct hc_study_value *value = result->run[0].value,
                                *cost = hc_study_text_value(result, value, "cost"),
                                *held = hc_study_text_value(result, value, "total_gpu_h");
    struct hc_text_line line = {.used = 0};
    char a[HC_STUDY_NUMBER], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (!cost || !held)
        return;
    hc_line_add(&line, "%s at %s a GPU-hour", hc_study_value_text(cost, a),
                hc_study_number_text(result->price_per_gpu_h, b));
    if (life && held->mean > 0)
        hc_line_add(&line, ", of which %s for GPU-hours that brought no progress",
                    hc_format_count(llround(life->unproductive_money), c));
    hc_line_put(stream, "money", &line);
}

static void put_figures(const struct hc_study_result *result, FILE *stream)
{
    struct hc_study_listing table;
    fprintf(stream, "\n");
    hc_study_figures_table(&table, result, true);
    hc_section_write_text(stream, &table.section);
    hc_section_fini(&table.section);
}

static void put_notes(const struct hc_study_result *result, FILE *stream)
{
    if (result->n_notes)
        fprintf(stream, "\n");
    for (size_t i = 0; i < result->n_notes; i++) {
        fprintf(stream, "%-*s", HC_LABEL_WIDTH, i ? "" : "notes");
        hc_text_wrap(stream, result->notes[i], HC_LABEL_WIDTH, HC_LABEL_WIDTH, HC_TEXT_WIDTH);
    }
}

void hc_study_write_text(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_life_findings *life = hc_life_findings_of(&result->run[0]);
    put_question(result, stream);
    put_answer(&result->found, stream);
    put_ettr(result, stream);
    put_stops(result, stream);
    if (life)
        put_checkpoints(life, stream);
    put_money(result, life, stream);
    put_figures(result, stream);
    if (life) {
        hc_study_text_account(result, stream);
        hc_study_text_causes(result, stream);
        hc_study_text_jobs(result, stream);
    }
    hc_study_write_sections_text(result, stream);
    hc_study_text_compare(result, stream);
    hc_study_text_sweep(result, stream);
    hc_study_text_tries(result, stream);
    hc_study_text_tornado(result, stream);
    put_notes(result, stream);
    if (result->run_id)
        fprintf(stream, "\n%-13s %s\n", "run", result->run_id);
}
