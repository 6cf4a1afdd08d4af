/* All figures, and where they come from: the scenario, its inputs, the random numbers. */
#include "reports/page/section_html.h"
#include "reports/study/study_engine_views.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"

#include <inttypes.h>
#include <math.h>

#define MAX_INPUTS   100
#define MAX_SCENARIO 60000 /* bytes that are shown */

enum hc_status hc_study_html_figures(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    struct hc_study_listing table;
    if (result->n_columns == 0)
        return HC_OK;
    hc_html_section_start(stream, "figures", "All figures of the base");
    hc_html_paragraph(stream, NULL,
                      "In brackets the interval of the mean. Beside it what a single %s may "
                      "meet, which does not shrink with more of them.",
                      result->one);
    hc_study_figures_table(&table, result, false);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_html_section_end(stream);
    return status;
}

enum hc_status hc_study_html_spreads(FILE *stream, const struct hc_figure_sink *figures,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    struct hc_study_listing table;
    hc_study_spreads_table(&table, result);
    hc_html_section_start(stream, "spreads", "How sure that is");
    hc_html_paragraph(
        stream, NULL,
        "Three spreads, which are not to be mixed. Simulation: what the number of %s "
        "leaves open, at %g %%. Between %s: what 5 %% and 95 %% of them have at most. "
        "Inputs: what is known of values that were fitted, recorded or given with an "
        "interval, at %g %%, by %d draws of all of them at once.",
        result->many, 100 * result->confidence, result->many, 100 * result->confidence,
        result->n_input_draws);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    for (size_t i = 0; i < result->run[0].n_input_paths && status == HC_OK; i++)
        hc_html_paragraph(stream, "note", "Drawn: %s", result->run[0].input_path[i]);
    hc_html_section_end(stream);
    return status;
}

/* ---- the scenario ---- */

static void new_line(FILE *stream, int depth)
{
    fprintf(stream, "\n%*s", 2 * (depth < 40 ? depth : 40), "");
}

/* JSON on one line as indented lines; what is in quotes stays as it is. Each piece goes through
 * hc_html_text, so that nothing of it is taken for a tag. */
static size_t write_json(FILE *stream, const char *json)
{
    bool in_text = false;
    int depth = 0;
    size_t i = 0;
    for (; json[i] && (i < MAX_SCENARIO || ((unsigned char)json[i] & 0xC0) == 0x80); i++) {
        char c = json[i], piece[2] = {c, '\0'};
        if (in_text && c == '\\' && json[i + 1]) {
            hc_html_text(stream, "\\");
            hc_html_text(stream, (char[]){json[++i], '\0'});
            continue;
        }
        if (c == '"')
            in_text = !in_text;
        bool is_open = !in_text && (c == '{' || c == '['),
             is_end = !in_text && (c == '}' || c == ']');
        if (!in_text && c == ' ' && i > 0 && (json[i - 1] == ',' || json[i - 1] == '{'))
            continue;
        if (is_end && depth > 0)
            new_line(stream, --depth);
        /* Bytes of one character of UTF-8 stay together. */
        if ((unsigned char)c >= 0x80) {
            char character[5] = {c};
            for (int n = 1; n < 4 && ((unsigned char)json[i + 1] & 0xC0) == 0x80; n++)
                character[n] = json[++i];
            hc_html_text(stream, character);
            continue;
        }
        hc_html_text(stream, piece);
        if (is_open)
            new_line(stream, ++depth);
        else if (!in_text && c == ',')
            new_line(stream, depth);
        else if (!in_text && c == ':' && json[i + 1] != ' ')
            fputc(' ', stream);
    }
    return i;
}

static void write_scenario(FILE *stream, const char *scenario)
{
    size_t left = 0;
    if (!scenario)
        return;
    hc_html_details_start(stream, "The scenario, with all that it includes");
    fputs("<pre>", stream);
    size_t shown = write_json(stream, scenario);
    fputs("</pre>\n", stream);
    while (scenario[shown + left])
        left++;
    hc_study_html_remainder(stream, shown + left, shown, "bytes of it");
    hc_html_details_end(stream);
}

/* ---- inputs and runs ---- */

static enum hc_status write_inputs(FILE *stream, const struct hc_study_result *result,
                                   struct hc_error *err)
{
    static const struct hc_section_column columns[] = {{.title = "file"}, {.title = "SHA-256"}};
    struct hc_section section = {
        .caption = "Files that were read", .columns = columns, .n_columns = 2};
    if (result->n_inputs == 0)
        return HC_OK;
    for (size_t i = 0; i < result->n_inputs && i < MAX_INPUTS; i++) {
        hc_section_text(&section, result->inputs[i].path);
        hc_section_text(&section, result->inputs[i].sha256);
    }
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_study_html_remainder(stream, result->n_inputs, MAX_INPUTS, "files");
    return status;
}

enum hc_status hc_study_html_source(FILE *stream, const struct hc_figure_sink *figures,
                                    const struct hc_study_result *result, struct hc_error *err)
{
    (void)figures;
    const struct hc_study_engine_views *views = hc_study_views_find(result);
    char level[HC_NUMBER_TEXT];
    double percent = 100 * result->confidence;
    hc_html_section_start(stream, "source", "Where the numbers come from");
    hc_html_paragraph(
        stream, NULL,
        "Every %s is simulated event by event, with random numbers named by seed, "
        "scenario, %s and purpose: the same scenario and seed give the same page. "
        "Means are over %s, which are independent; intervals are Student's at "
        "%s %%. They say how well the mean of this model is known, and not how well "
        "the model fits a cluster.",
        result->one, result->one, result->many,
        hc_format_fixed(percent, fabs(percent - round(percent)) < 1e-9 ? 0 : 2, level));
    hc_html_facts_start(stream);
    hc_html_fact(stream, "Scenario", "%s", result->name);
    hc_html_fact(stream, "Seed", "%" PRIu64, result->seed);
    if (result->n_runs > 1)
        hc_html_fact(stream, "Random numbers", "%s",
                     result->common_random_numbers ? "common to all variants"
                                                   : "each variant its own");
    hc_html_facts_end(stream);
    enum hc_status status = views && views->runs ? views->runs(stream, result, err) : HC_OK;
    if (status == HC_OK)
        status = write_inputs(stream, result, err);
    write_scenario(stream, result->scenario);
    hc_html_section_end(stream);
    return status;
}
