#include "reports/study/study_html.h"
#include "reports/study/study_found.h"

#include "reports/figure/figure_page.h"
#include "reports/study/study_engine_views.h"
#include "reports/study/study_sections.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_NOTES  20
#define MAX_RANKED 12 /* variants in the answer */

/* ---- the top: what was asked, and the answer ---- */

static void write_head(FILE *stream, const struct hc_study_result *result)
{
    const struct hc_study_run *base = &result->run[0];
    char subtitle[512], number[HC_NUMBER_TEXT], level[HC_NUMBER_TEXT];
    double percent = 100 * result->confidence;
    hc_format_count((int64_t)base->n_replicas, number);
    hc_format_fixed(percent, fabs(percent - round(percent)) < 1e-9 ? 0 : 2, level);
    if (result->has_given_replicas)
        snprintf(subtitle, sizeof subtitle,
                 "%s. Intervals of %s %% from how %s %s differ, seed %" PRIu64 ".", result->subject,
                 level, number, result->many, result->seed);
    else
        snprintf(subtitle, sizeof subtitle,
                 "%s. %s simulated %s, seed %" PRIu64 "; intervals of %s %%.", result->subject,
                 number, base->n_replicas == 1 ? result->one : result->many, result->seed, level);
    hc_html_start(stream, &(struct hc_html_head){result->title, result->name, subtitle,
                                                 result->run_id, NULL, NULL});
}

static void write_found(FILE *stream, const struct hc_study_found *found)
{
    char number[HC_STUDY_TEXT], noun[HC_FOUND_WORDS], proviso[HC_FOUND_WORDS];
    if (found->is_found)
        hc_html_paragraph(stream, "lead", "The %s with %s is %s%s.",
                          hc_study_found_noun(found, noun), found->such_that,
                          hc_study_html_given(found->number, found->unit, number),
                          hc_study_found_proviso(found, proviso));
    else
        hc_html_paragraph(
            stream, "lead", "None of the %zu values of %s that were tried gives %s%s.",
            found->n_tries, found->path, found->such_that, hc_study_found_none(found, proviso));
}

/* Whether there was something to be said. */
static bool write_best(FILE *stream, const struct hc_study_result *result, size_t c)
{
    size_t at = result->order.best_run[c];
    char text[HC_STUDY_TEXT], change[HC_STUDY_TEXT] = "";
    if (at == HC_STUDY_NONE)
        return false;
    const struct hc_study_run *best = &result->run[at];
    const struct hc_study_column *column = &result->column[c];
    if (best->difference)
        hc_study_html_change(&best->difference[c], column->unit, change);
    hc_html_paragraph(stream, NULL, "%s %s of %zu variants: %s, %s%s%s%s.",
                      column->is_gain ? "Highest" : "Least", column->title, result->n_runs,
                      best->name, hc_study_html_value(&best->value[c], column->unit, text),
                      change[0] ? "; " : "", change,
                      change[0] ? " against the base of the comparison" : "");
    return true;
}

/* The run that comes next after `done` runs in the order of a column, best first. */
static size_t next_best(const struct hc_study_result *result, size_t c, const bool *is_done)
{
    size_t best = HC_STUDY_NONE;
    for (size_t r = 0; r < result->n_runs && r < MAX_RANKED; r++) {
        if (is_done[r] || !result->run[r].difference ||
            !isfinite(result->run[r].difference[c].mean))
            continue;
        double gain = result->run[r].difference[c].mean * (result->column[c].is_gain ? 1 : -1);
        if (best == HC_STUDY_NONE ||
            gain > result->run[best].difference[c].mean * (result->column[c].is_gain ? 1 : -1))
            best = r;
    }
    return best;
}

/* All variants by what each brings, so that the second best is not looked for in a table. */
static void write_ranking(FILE *stream, const struct hc_study_result *result, size_t c)
{
    bool is_done[MAX_RANKED] = {false};
    char text[HC_STUDY_TEXT];
    if (result->n_runs < 3 || result->n_runs > MAX_RANKED)
        return;
    fputs("<p>", stream);
    hc_html_textf(stream, "By %s, best first: ", result->column[c].title);
    for (size_t rank = 0, r; (r = next_best(result, c, is_done)) != HC_STUDY_NONE; rank++) {
        is_done[r] = true;
        hc_html_textf(
            stream, "%s%zu. %s, %s", rank ? "; " : "", rank + 1, result->run[r].name,
            hc_study_html_change(&result->run[r].difference[c], result->column[c].unit, text));
    }
    fputs(".</p>\n", stream);
}

/* The column of a place, or HC_STUDY_NONE. */
static size_t compared_at(const struct hc_study_result *result, int place)
{
    for (size_t c = 0; c < result->n_columns; c++)
        if (result->column[c].compare_place == place)
            return c;
    return HC_STUDY_NONE;
}

static size_t lead_at(const struct hc_study_result *result, int place)
{
    for (size_t c = 0; c < result->n_columns; c++)
        if (result->column[c].lead_place == place)
            return c;
    return HC_STUDY_NONE;
}

/* The best variant by the first two figures of comparisons. Where all variants have the same there,
 * as a lifetime with a horizon has its wall time, by the next figure in which they differ. */
static void write_variants(FILE *stream, const struct hc_study_result *result)
{
    bool is_said = false;
    for (int place = 1; place <= 2 || !is_said; place++) {
        size_t c = compared_at(result, place);
        if (c == HC_STUDY_NONE)
            return;
        bool is_first = !is_said;
        is_said |= write_best(stream, result, c);
        if (is_said && is_first)
            write_ranking(stream, result, c);
    }
}

static void write_plain_answer(FILE *stream, const struct hc_study_result *result)
{
    size_t a = lead_at(result, 1), b = lead_at(result, 2);
    const struct hc_study_value *value = result->run[0].value;
    char text[HC_STUDY_TEXT], more[HC_STUDY_TEXT], head[HC_STUDY_TEXT];
    if (a == HC_STUDY_NONE)
        return;
    const char *base = result->n_runs > 1 ? "As it is (base): " : "";
    const struct hc_study_column *column = result->column;
    const char *title = *base ? column[a].title : hc_study_html_head(&column[a], head);
    hc_study_html_value(&value[a], column[a].unit, text);
    if (b == HC_STUDY_NONE)
        hc_html_paragraph(stream, "lead", "%s%s is %s.", base, title, text);
    else
        hc_html_paragraph(stream, "lead", "%s%s is %s, the %s %s.", base, title, text,
                          column[b].title, hc_study_html_value(&value[b], column[b].unit, more));
}

static void write_answer(FILE *stream, const struct hc_study_result *result)
{
    const struct hc_study_found *found = &result->found;
    enum hc_html_tone tone = !found->is_asked  ? HC_TONE_PLAIN
                             : found->is_found ? HC_TONE_GOOD
                                               : HC_TONE_WARNING;
    hc_html_callout_start(stream, tone, result->question ? result->question : "The answer");
    if (found->is_asked)
        write_found(stream, found);
    write_plain_answer(stream, result);
    write_variants(stream, result);
    hc_html_callout_end(stream);
}

static void write_cautions(FILE *stream, const struct hc_study_result *result)
{
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    bool has_more = views && views->has_cautions && views->has_cautions(result);
    if (result->n_notes == 0 && !has_more)
        return;
    hc_html_callout_start(stream, HC_TONE_WARNING, "Read with care");
    if (has_more)
        views->cautions(stream, result);
    for (size_t i = 0; i < result->n_notes && i < MAX_NOTES; i++)
        hc_html_paragraph(stream, NULL, "%s", result->notes[i]);
    hc_study_html_remainder(stream, result->n_notes, MAX_NOTES, "notes");
    hc_html_callout_end(stream);
}

static void write_tile(FILE *stream, const struct hc_study_result *result, size_t c)
{
    char value[HC_STUDY_TEXT], ends[HC_STUDY_TEXT], note[HC_STUDY_TEXT + 16];
    if (!result->column[c].tile || !isfinite(result->run[0].value[c].mean))
        return;
    const struct hc_study_value *v = &result->run[0].value[c];
    const char *unit = result->column[c].unit;
    double half = hc_study_html_half_width(v);
    /* Its label says GPU-hours, and four digits are what large type has room for. */
    const char *interval = hc_study_html_interval(v, unit, ends);
    bool is_said =
        strcmp(unit, "GPU-h") == 0 || strcmp(unit, "share") == 0 || strcmp(unit, "money") == 0;
    snprintf(note, sizeof note, "%s%s%s", interval ? interval : "", is_said || !unit[0] ? "" : " ",
             is_said ? "" : unit);
    hc_html_tile(stream, HC_TONE_PLAIN, result->column[c].tile,
                 hc_study_html_number(v->mean, strcmp(unit, "GPU-h") == 0 ? "" : unit,
                                      half > 0 ? fmax(half, fabs(v->mean) * 1e-3) : NAN, value),
                 interval ? note : NULL);
}

static void write_tiles(FILE *stream, const struct hc_study_result *result)
{
    hc_html_tiles_start(stream);
    for (size_t c = 0; c < result->n_columns; c++)
        write_tile(stream, result, c);
    hc_html_tiles_end(stream);
}

/* ---- sections ---- */

static bool has_variants(const struct hc_study_result *result)
{
    return result->n_runs > 1;
}

static bool has_sweep(const struct hc_study_result *result)
{
    return result->n_points > 0;
}

static bool has_find(const struct hc_study_result *result)
{
    return result->found.is_asked;
}

static bool has_tornado(const struct hc_study_result *result)
{
    return result->n_bars > 0 && result->bar_column;
}

static bool has_figures(const struct hc_study_result *result)
{
    return result->n_columns > 0;
}

/* The parts of every study; those of the engine stand before and after the first four. */
static const struct hc_study_part asked[] = {
    {"variants", "Variants", has_variants, hc_study_html_compare},
    {"sweep", "Sweep", has_sweep, hc_study_html_sweep},
    {"find", "What was sought", has_find, hc_study_html_find},
    {"tornado", "Sensitivity", has_tornado, hc_study_html_tornado},
};
static const struct hc_study_part given[] = {
    {"spreads", "How sure that is", has_figures, hc_study_html_spreads},
    {"figures", "All figures", has_figures, hc_study_html_figures},
    {"source", "Where it comes from", NULL, hc_study_html_source},
};

static void write_links(FILE *stream, const struct hc_study_part *part, size_t n,
                        const struct hc_study_result *result)
{
    for (size_t i = 0; i < n; i++)
        if (!part[i].is_there || part[i].is_there(result))
            hc_html_contents_link(stream, part[i].anchor, part[i].title);
}

static void write_contents(FILE *stream, const struct hc_study_result *result)
{
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    hc_html_contents_start(stream);
    if (views)
        write_links(stream, views->first, views->n_first, result);
    write_links(stream, asked, sizeof asked / sizeof *asked, result);
    if (views)
        write_links(stream, views->last, views->n_last, result);
    write_links(stream, given, sizeof given / sizeof *given, result);
    for (size_t i = 0; i < result->run[0].n_sections; i++)
        if (!result->run[0].section[i].is_told)
            hc_html_contents_link(stream, result->run[0].section[i].name,
                                  result->run[0].section[i].title);
    hc_html_contents_end(stream);
}

static enum hc_status write_parts(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_part *part, size_t n,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = part[i].write(stream, figures, result, err);
    return status;
}

static enum hc_status write_sections(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    enum hc_status status = HC_OK;
    if (views)
        status = write_parts(stream, figures, views->first, views->n_first, result, err);
    if (status == HC_OK)
        status = write_parts(stream, figures, asked, sizeof asked / sizeof *asked, result, err);
    if (status == HC_OK && views)
        status = write_parts(stream, figures, views->last, views->n_last, result, err);
    if (status == HC_OK)
        status = hc_study_html_engine_sections(stream, figures, result, err);
    if (status == HC_OK)
        status = write_parts(stream, figures, given, sizeof given / sizeof *given, result, err);
    return status;
}

static enum hc_status write_named(FILE *stream, const struct hc_figure_sink *figures,
                                  const struct hc_study_result *result, struct hc_error *err)
{
    write_head(stream, result);
    write_answer(stream, result);
    write_cautions(stream, result);
    write_tiles(stream, result);
    write_contents(stream, result);
    enum hc_status status = write_sections(stream, figures, result, err);
    hc_html_end(stream, NULL, 0);
    return hc_html_written(stream, status, "the page of the study", err);
}

static enum hc_status write_page(FILE *stream, const struct hc_figure_sink *figures,
                                 const struct hc_study_result *result, struct hc_error *err)
{
    struct hc_study_html_keys keys;
    if (result->n_runs == 0)
        return hc_fail(err, HC_INTERNAL, "a study without a run has no page");
    if (hc_study_html_keys_init(&keys, result, err))
        return err->status;
    enum hc_status status = write_named(stream, figures, &keys.result, err);
    hc_study_html_keys_fini(&keys);
    return status;
}

enum hc_status hc_study_html_write(FILE *stream, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    return write_page(stream, &page, result, err);
}

/* The page is written to nowhere, so that no figure of it can be forgotten here. */
enum hc_status hc_study_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    FILE *nowhere = fopen("/dev/null", "we");
    if (!nowhere)
        return hc_fail_errno(err, "cannot open", "/dev/null");
    enum hc_status status = write_page(nowhere, sink, result, err);
    fclose(nowhere);
    return status;
}
