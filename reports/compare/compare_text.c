#include "reports/compare/compare_report.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"
#include "reports/compare/compare_views.h"
#include "reports/write/text_line.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define MOST_ROWS 12 /* of a table; JSON and CSV have them all */

static void put_input(FILE *stream, const char *label, const struct hc_compared_input *input,
                      const struct hc_whatif_result *result)
{
    char shown[HC_TEXT_WIDTH + 8], number[HC_NUMBER_TEXT], steps[HC_COMPARED_STEPS_TEXT];
    struct hc_text_line line = {.used = 0};
    hc_line_add(
        &line, "%s",
        hc_text_tail(shown, sizeof shown, input->argument, HC_TEXT_WIDTH - HC_LABEL_WIDTH - 1));
    if (result->job.attempt != HC_MISSING_I32)
        hc_line_add(&line, ", attempt %" PRId32, result->job.attempt);
    hc_line_add(&line, "; %s step%s (%s), dp %" PRId32 " x pp %" PRId32,
                hc_format_count((int64_t)result->n_steps, number), result->n_steps == 1 ? "" : "s",
                hc_compared_steps_text(result, steps), result->dp_size, result->pp_size);
    if (result->vpp_size > 1)
        hc_line_add(&line, " x vpp %" PRId32, result->vpp_size);
    hc_line_put(stream, label, &line);
}

static void put_words(FILE *stream, const char *label, const char *words)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s", words);
    hc_line_put(stream, label, &line);
}

static void put_head(FILE *stream, const struct hc_compare_report *report)
{
    const struct hc_comparison *c = report->comparison;
    put_input(stream, "A", &report->a, c->a);
    put_input(stream, "B", &report->b, c->b);
    put_words(stream, "answer", c->sentence);
    for (size_t i = 0; i < c->n_notes; i++)
        put_words(stream, i == 0 ? "note" : "", c->notes[i]);
    if (report->run_id)
        put_words(stream, "run", report->run_id);
}

static void put_causes(FILE *stream, const struct hc_comparison *c)
{
    const struct hc_verdict *a = &c->a->depth.verdict, *b = &c->b->depth.verdict;
    fputc('\n', stream);
    if (a->done)
        put_words(stream, "cause in A", a->text);
    if (b->done)
        put_words(stream, "cause in B", b->text);
}

enum hc_status hc_compare_write_text(const struct hc_compare_report *report, FILE *stream,
                                     struct hc_error *err)
{
    const struct hc_comparison *c = report->comparison;
    struct hc_section workers, hosts;
    put_head(stream, report);
    if (hc_section_print_any(stream, hc_compare_figures_table(c), err))
        return err->status;
    put_causes(stream, c);
    if (hc_section_print_any(stream, hc_compare_culprits_table(c), err) ||
        hc_section_print_any(stream, hc_compare_types_table(c), err) ||
        hc_section_print_any(stream, hc_compare_stages_table(c, MOST_ROWS), err) ||
        hc_compare_workers_table(&workers, c, MOST_ROWS, err) ||
        hc_section_print_any(stream, workers, err) ||
        hc_compare_hosts_table(&hosts, c, MOST_ROWS, err))
        return err->status;
    return hc_section_print_any(stream, hosts, err);
}
