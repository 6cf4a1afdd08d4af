#include "reports/compare/compare_report.h"

#include "core/text/number_format.h"
#include "reports/compare/compare_figures.h"
#include "reports/compare/compare_views.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_ROWS 50 /* of a table; JSON and CSV have them all */

/* ---- the top ---- */

static void put_answer(FILE *stream, const struct hc_comparison *c)
{
    static const enum hc_html_tone tones[HC_N_COMPARISON_VERDICTS] = {
        [HC_VERDICT_FASTER] = HC_TONE_GOOD,    [HC_VERDICT_SLOWER] = HC_TONE_BAD,
        [HC_VERDICT_MIXED] = HC_TONE_WARNING,  [HC_VERDICT_SAME] = HC_TONE_PLAIN,
        [HC_VERDICT_UNSURE] = HC_TONE_WARNING,
    };
    char sentence[sizeof c->sentence], *detail = sentence + c->detail;
    snprintf(sentence, sizeof sentence, "%s", c->sentence);
    sentence[c->detail - strlen(": ")] = '\0';
    sentence[0] = (char)toupper((unsigned char)sentence[0]);
    detail[0] = (char)toupper((unsigned char)detail[0]);
    hc_html_callout_start(stream, tones[c->verdict], sentence);
    hc_html_paragraph(stream, "lead", "%s.", detail);
    for (size_t i = 0; i < c->n_notes; i++)
        hc_html_paragraph(stream, NULL, "Note: %s.", c->notes[i]);
    hc_html_callout_end(stream);
}

static enum hc_html_tone tone_of(const struct hc_change *change)
{
    return change->sign == HC_CHANGE_UP     ? HC_TONE_BAD
           : change->sign == HC_CHANGE_DOWN ? HC_TONE_GOOD
                                            : HC_TONE_PLAIN;
}

static void put_tile(FILE *stream, const struct hc_comparison *c, enum hc_compared_figure figure,
                     enum hc_change_unit unit)
{
    const struct hc_change *change = &c->figures[figure];
    char label[64], value[HC_CHANGE_TEXT], a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    char note[256], interval[HC_CHANGE_TEXT];
    if (isnan(change->difference))
        return;
    if (unit == HC_CHANGE_OF_TIME)
        snprintf(note, sizeof note, "%s to %s", hc_format_seconds(change->a, a),
                 hc_format_seconds(change->b, b));
    else
        snprintf(note, sizeof note, "%s to %s", hc_format_fixed(change->a, 3, a),
                 hc_format_fixed(change->b, 3, b));
    size_t used = strlen(note);
    const char *reach = hc_change_interval_text(change, unit, interval);
    snprintf(note + used, sizeof note - used, "%s%s", reach[0] ? "; 95 %: " : "", reach);
    snprintf(label, sizeof label, "%s", hc_compared_figure_text(figure));
    label[0] = (char)toupper((unsigned char)label[0]);
    hc_html_tile(stream, tone_of(change), label, hc_change_text(change, unit, value), note);
}

static void put_tiles(FILE *stream, const struct hc_comparison *c)
{
    hc_html_tiles_start(stream);
    put_tile(stream, c, HC_COMPARED_STEP, HC_CHANGE_OF_TIME);
    put_tile(stream, c, HC_COMPARED_SLOWDOWN, HC_CHANGE_OF_RATIO);
    put_tile(stream, c, HC_COMPARED_WASTE, HC_CHANGE_OF_RATIO);
    put_tile(stream, c, HC_COMPARED_LAUNCH, HC_CHANGE_OF_RATIO);
    hc_html_tiles_end(stream);
}

static void put_contents(FILE *stream, const struct hc_comparison *c)
{
    const struct {
        bool is_there;
        const char *anchor, *title;
    } sections[] = {
        {true, "job", "The job"},
        {true, "causes", "Causes"},
        {true, "types", "Op types"},
        {c->n_stages > 0, "stages", "Stages"},
        {c->n_workers > 0, "workers", "Workers"},
        {c->n_hosts > 0, "hosts", "Hosts"},
        {true, "sources", "A and B"},
    };
    hc_html_contents_start(stream);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].is_there)
            hc_html_contents_link(stream, sections[i].anchor, sections[i].title);
    hc_html_contents_end(stream);
}

/* ---- sections ---- */

static enum hc_status put_figures(FILE *stream, const struct hc_compare_report *report,
                                  hc_compare_figure_section *figures, struct hc_error *err)
{
    const struct hc_figure_sink page = hc_figure_page(stream);
    hc_html_grid_start(stream);
    enum hc_status status = figures(&page, report, err);
    hc_html_grid_end(stream);
    return status;
}

static enum hc_status put_job(FILE *stream, const struct hc_compare_report *report,
                              struct hc_error *err)
{
    hc_html_section_start(stream, "job", "The job");
    hc_html_paragraph(stream, NULL,
                      "Times change in per cent of A, ratios by their difference, B less A.");
    enum hc_status status =
        hc_section_print_html(stream, hc_compare_figures_table(report->comparison), err);
    if (status == HC_OK)
        status = put_figures(stream, report, hc_compare_step_figures, err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_causes(FILE *stream, const struct hc_comparison *c, struct hc_error *err)
{
    const struct hc_verdict *a = &c->a->depth.verdict, *b = &c->b->depth.verdict;
    enum hc_status status = HC_OK;
    hc_html_section_start(stream, "causes", "Causes");
    hc_html_facts_start(stream);
    if (a->done)
        hc_html_fact(stream, "A", "%s", a->text);
    if (b->done)
        hc_html_fact(stream, "B", "%s", b->text);
    hc_html_facts_end(stream);
    if (c->n_culprits > 0)
        status = hc_section_print_html(stream, hc_compare_culprits_table(c), err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_parts(FILE *stream, const struct hc_compare_report *report,
                                struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    hc_html_section_start(stream, "types", "Op types");
    enum hc_status status = put_figures(stream, report, hc_compare_part_figures, err);
    if (status == HC_OK)
        status = hc_section_print_html(stream, hc_compare_types_table(c), err);
    hc_html_section_end(stream);
    if (status || c->n_stages == 0)
        return status;
    hc_html_section_start(stream, "stages", "Stages");
    status = hc_section_print_html(stream, hc_compare_stages_table(c, MOST_ROWS), err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_workers(FILE *stream, const struct hc_compare_report *report,
                                  struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    struct hc_section section;
    if (c->n_workers == 0)
        return HC_OK;
    hc_html_section_start(stream, "workers", "Workers");
    hc_html_paragraph(stream, NULL,
                      c->a->dp_size > 1
                          ? "The time of the passes of a worker over that of the middle dp rank "
                            "of its stage in the same step."
                          : "S with only one worker as recorded.");
    enum hc_status status = put_figures(stream, report, hc_compare_worker_figures, err);
    if (status == HC_OK)
        status = hc_compare_workers_table(&section, c, MOST_ROWS, err);
    if (status == HC_OK)
        status = hc_section_print_html(stream, section, err);
    hc_html_section_end(stream);
    return status;
}

static enum hc_status put_hosts(FILE *stream, const struct hc_comparison *c, struct hc_error *err)
{
    struct hc_section section;
    if (c->n_hosts == 0)
        return HC_OK;
    hc_html_section_start(stream, "hosts", "Hosts");
    enum hc_status status = hc_compare_hosts_table(&section, c, MOST_ROWS, err);
    if (status == HC_OK)
        status = hc_section_print_html(stream, section, err);
    hc_html_section_end(stream);
    return status;
}

static void put_source(FILE *stream, const char *key, const struct hc_compared_input *input,
                       const struct hc_whatif_result *r)
{
    char number[HC_NUMBER_TEXT], steps[HC_COMPARED_STEPS_TEXT];
    hc_html_fact(stream, key, "%s", input->argument);
    hc_html_fact(stream, "Trace", "%s", input->source_path ? input->source_path : "not known");
    if (input->archive)
        hc_html_fact(stream, "Archive", "%s, segment %s", input->archive,
                     input->segment ? input->segment : "not known");
    hc_html_fact(stream, "Steps", "%s analysed (%s), %zu left out",
                 hc_format_count((int64_t)r->n_steps, number), hc_compared_steps_text(r, steps),
                 r->n_left_out);
    hc_html_fact(stream, "Shape", "dp %" PRId32 " x pp %" PRId32 " x vpp %" PRId32, r->dp_size,
                 r->pp_size, r->vpp_size);
}

enum hc_status hc_compare_write_html(const struct hc_compare_report *report, FILE *stream,
                                     struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    const struct hc_html_input inputs[] = {
        {"A", report->a.source_path, report->a.source_sha256},
        {"B", report->b.source_path, report->b.source_sha256},
    };
    char title[512], from[32], to[32];
    snprintf(title, sizeof title, "%.200s against %.200s", report->b.argument, report->a.argument);
    hc_html_start(stream,
                  &(struct hc_html_head){
                      "Did it get better?", title, "B against A: every change is B less A.",
                      report->run_id, hc_html_time(hc_step_unix_ns(c->a, 0), from),
                      hc_html_time(c->b->n_steps > 0 ? hc_step_unix_ns(c->b, c->b->n_steps - 1)
                                                     : HC_MISSING_I64,
                                   to)});
    put_answer(stream, c);
    put_tiles(stream, c);
    put_contents(stream, c);
    if (put_job(stream, report, err) || put_causes(stream, c, err) ||
        put_parts(stream, report, err) || put_workers(stream, report, err) ||
        put_hosts(stream, c, err))
        return err->status;
    hc_html_section_start(stream, "sources", "A and B");
    hc_html_facts_start(stream);
    put_source(stream, "A", &report->a, c->a);
    put_source(stream, "B", &report->b, c->b);
    hc_html_facts_end(stream);
    hc_html_section_end(stream);
    hc_html_end(stream, inputs, sizeof inputs / sizeof inputs[0]);
    if (fflush(stream) || ferror(stream))
        return hc_fail_errno(err, "cannot write", "the page");
    return HC_OK;
}
