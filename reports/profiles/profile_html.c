#include "reports/profiles/profile_report.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/profiles/profile_figures.h"
#include "reports/profiles/profile_views.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define MOST_ROWS 200 /* of a table; JSON and CSV have them all */

static void put_top(FILE *stream, const struct hc_profile_report *report)
{
    char words[HC_PROFILE_WORDS], extent[HC_PROFILE_WORDS];
    if (!report->collectives)
        return;
    bool is_unreliable = report->whatif && report->whatif->is_unreliable;
    hc_profile_verdict(report, words);
    words[0] = (char)toupper((unsigned char)words[0]);
    hc_html_callout_start(stream, is_unreliable ? HC_TONE_WARNING : HC_TONE_PLAIN,
                          is_unreliable ? "The rules do not explain these traces"
                                        : "Who makes the others wait");
    hc_html_paragraph(stream, "lead", "%s.", words);
    hc_html_paragraph(stream, NULL, "%s.", hc_profile_extent(report, extent));
    hc_html_callout_end(stream);
}

static void put_tiles(FILE *stream, const struct hc_profile_whatif_result *w)
{
    char number[HC_NUMBER_TEXT], note[HC_NUMBER_TEXT + 32];
    double traced = (double)w->traced_ns;
    hc_html_tiles_start(stream);
    hc_html_tile(stream, w->slowdown >= 1.1 ? HC_TONE_BAD : HC_TONE_GOOD, "Slowdown S",
                 hc_format_fixed(w->slowdown, 3, number), "T as replayed over T ideal");
    hc_html_tile(stream, HC_TONE_PLAIN, "Waste", hc_format_percent(w->waste, number), "1 - 1/S");
    hc_html_tile(stream, w->is_unreliable ? HC_TONE_WARNING : HC_TONE_PLAIN, "By the rules alone",
                 hc_format_percent((double)(w->structural_ns - w->traced_ns) / traced, number),
                 "off the traced time; fine up to 5 %");
    hc_format_percent((double)w->unexplained_ns / traced, number);
    snprintf(note, sizeof note, "of the critical path; fine up to 10 %%");
    hc_html_tile(stream, w->is_unreliable ? HC_TONE_WARNING : HC_TONE_PLAIN, "Unexplained", number,
                 note);
    hc_html_tiles_end(stream);
}

/* A section of one table. */
static enum hc_status put_table(FILE *stream, const char *anchor, const char *title,
                                struct hc_section section, struct hc_error *err)
{
    hc_html_section_start(stream, anchor, title);
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_sections(FILE *stream, const struct hc_profile_report *report,
                                   struct hc_error *err)
{
    if (report->whatif &&
        put_table(stream, "what-if", "What if", hc_profile_variants_table(report), err))
        return err->status;
    if (report->whatif && report->whatif->n_predictions > 0 &&
        put_table(stream, "prediction", "Each step from the others",
                  hc_profile_predictions_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_stragglers && put_table(stream, "stragglers", "Stragglers",
                                              hc_profile_stragglers_table(report, MOST_ROWS), err))
        return err->status;
    if (report->breakdown && put_table(stream, "breakdown", "What the GPUs did",
                                       hc_profile_breakdown_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_collectives &&
        put_table(stream, "collectives", "Collectives",
                  hc_profile_collectives_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_clocks &&
        put_table(stream, "clocks", "Clocks", hc_profile_clocks_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_path &&
        put_table(stream, "path", "Critical path", hc_profile_path_table(report, MOST_ROWS), err))
        return err->status;
    return HC_OK;
}

static enum hc_status put_figures(FILE *stream, const struct hc_profile_report *report,
                                  struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    hc_html_grid_start(stream);
    enum hc_status status = hc_profile_put_figures(&page, report, err);
    hc_html_grid_end(stream);
    return status;
}

static enum hc_status put_foot(FILE *stream, const struct hc_profile_report *report,
                               struct hc_error *err)
{
    size_t n = report->profile->n_ranks;
    struct hc_html_input *inputs = hc_new_array(n, sizeof *inputs, err);
    if (!inputs)
        return err->status;
    for (size_t r = 0; r < n; r++)
        inputs[r] = (struct hc_html_input){"Trace", report->files[r].path, report->files[r].sha256};
    hc_html_end(stream, inputs, n);
    free(inputs);
    return HC_OK;
}

enum hc_status hc_profile_write_html(const struct hc_profile_report *report, FILE *stream,
                                     struct hc_error *err)
{
    char extent[HC_PROFILE_WORDS];
    hc_html_start(stream, &(struct hc_html_head){"Profiler traces of a job", report->job->id,
                                                 hc_profile_extent(report, extent), report->run_id,
                                                 NULL, NULL});
    put_top(stream, report);
    if (report->whatif)
        put_tiles(stream, report->whatif);
    if (put_figures(stream, report, err) || put_sections(stream, report, err))
        return err->status;
    return put_foot(stream, report, err);
}
