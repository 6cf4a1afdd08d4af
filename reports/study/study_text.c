#include "reports/study/study_found.h"
#include "reports/study/study_views.h"

#include "core/base/text_layout.h"
#include "reports/study/study_engine_views.h"
#include "reports/study/study_tables.h"
#include "reports/study/study_text_sections.h"
#include "reports/study/study_winner.h"
#include "reports/write/text_line.h"
#include "study/run/study_ranges.h"

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
    hc_format_count((int64_t)result->run[0].n_replicas, number);
    if (result->has_given_replicas)
        hc_line_add(&line, "; intervals of %g %% from how %s %s differ, seed %" PRIu64,
                    100 * result->confidence, number, result->many, result->seed);
    else
        hc_line_add(&line, "; %s replica%s, seed %" PRIu64 ", intervals of %g %%", number,
                    result->run[0].n_replicas == 1 ? "" : "s", result->seed,
                    100 * result->confidence);
    hc_line_put(stream, "scenario", &line);
}

static void put_try(struct hc_text_line *line, const struct hc_study_try *try)
{
    char number[HC_NUMBER_TEXT], value[HC_STUDY_NUMBER];
    hc_line_add(line, "%s gives %s", hc_study_number_text(try->number, number),
                hc_study_value_text(&try->value, value));
}

/* What was found, with the value beside it that fails. */
static void put_answer(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_found *found = &result->found;
    char again[HC_WINNER_WORDS];
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
    hc_line_add(&line, "%s", hc_study_found_again(result, again));
    if (line.used)
        hc_line_put(stream, "", &line);
}

/* ---- how sure that is ---- */

/* The figures that lead, each with its ranges; is_there says which kinds there were. */
static void put_ranges(const struct hc_study_result *result, FILE *stream,
                       bool is_there[HC_STUDY_RANGES])
{
    bool is_said = false;
    for (size_t i = 0; i < result->order.n_brief; i++) {
        size_t c = result->order.brief[i];
        struct hc_study_range range[HC_STUDY_RANGES];
        struct hc_text_line line = {.used = 0};
        size_t n = hc_study_ranges(&result->run[0], c, range);
        for (size_t k = 0; k < n; k++) {
            char ends[HC_STUDY_NUMBER], name[64], unit[HC_NUMBER_TEXT];
            is_there[range[k].kind] = true;
            hc_study_range_text(range[k].low, range[k].high, ends);
            hc_line_add(&line, "%s%s %s %s%s", k ? ", " : result->column[c].name, k ? "" : ":",
                        hc_study_range_name(result, range[k].kind, name), ends,
                        hc_study_unit_text(result->column[c].unit, unit));
        }
        if (n)
            hc_line_put(stream, is_said ? "" : "spreads", &line);
        is_said = is_said || n;
    }
}

/* The ends are quantiles of the draws, or of few the least and the largest. */
static void put_draws(const struct hc_study_result *result, struct hc_text_line *line)
{
    const char *then = line->used ? "; " : "(";
    if (result->n_input_draws + 1 < 2 / (1 - result->confidence) - 1e-9)
        hc_line_add(line, "%sinputs: least and largest of %d draws of what is known of", then,
                    result->n_input_draws);
    else
        hc_line_add(line, "%sinputs: %g %% by %d draws of what is known of", then,
                    100 * result->confidence, result->n_input_draws);
}

/* The widest first: mostly it is not the one that more replicas would narrow. */
static void put_spreads(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    struct hc_text_line line = {.used = 0};
    bool is_there[HC_STUDY_RANGES] = {false};
    put_ranges(result, stream, is_there);
    if (is_there[HC_RANGE_BETWEEN])
        hc_line_add(&line, "(between %s: 5 %% to 95 %% of them", result->many);
    if (is_there[HC_RANGE_SIMULATION])
        hc_line_add(&line, "%ssimulation: %g %%", line.used ? "; " : "(", 100 * result->confidence);
    if (is_there[HC_RANGE_INPUTS])
        put_draws(result, &line);
    for (size_t i = 0; is_there[HC_RANGE_INPUTS] && i < base->n_input_paths; i++)
        hc_line_add(&line, "%s%s", i ? ", " : " ", base->input_path[i]);
    if (line.used) {
        hc_line_add(&line, ")");
        hc_line_put(stream, "", &line);
    }
}

/* ---- how it went ---- */

static enum hc_status put_figures(const struct hc_study_result *result, FILE *stream,
                                  struct hc_error *err)
{
    struct hc_study_listing table;
    hc_study_figures_table(&table, result, true);
    if (!hc_section_is_empty(&table.section))
        fprintf(stream, "\n");
    return hc_section_print(stream, table.section, err);
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

enum hc_status hc_study_write_text(const struct hc_study_result *result, FILE *stream,
                                   struct hc_error *err)
{
    static hc_study_text_section *const sections[] = {hc_study_write_sections_text,
                                                      hc_study_text_compare, hc_study_text_sweep,
                                                      hc_study_text_tries, hc_study_text_tornado};
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    put_question(result, stream);
    put_answer(result, stream);
    enum hc_status status =
        views && views->text_answer ? views->text_answer(result, stream, err) : HC_OK;
    if (status != HC_OK)
        return status;
    if (!result->has_given_replicas || result->run[0].n_input_paths)
        put_spreads(result, stream);
    if (views && views->text_lines)
        views->text_lines(result, stream);
    status = put_figures(result, stream, err);
    if (status == HC_OK && views && views->text_tables)
        status = views->text_tables(result, stream, err);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && status == HC_OK; i++)
        status = sections[i](result, stream, err);
    if (status != HC_OK)
        return status;
    put_notes(result, stream);
    if (result->run_id)
        fprintf(stream, "\n%-13s %s\n", "run", result->run_id);
    return HC_OK;
}
