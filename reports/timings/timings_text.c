#include "reports/timings/timings_report.h"

#include "reports/timings/timings_views.h"
#include "reports/write/text_line.h"

#include <inttypes.h>

#define MOST_ROWS 32 /* of a table; JSON and CSV have them all */

static void put_words(FILE *stream, const char *label, const char *words)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s", words);
    hc_line_put(stream, label, &line);
}

static void put_head(FILE *stream, const struct hc_timings_report *report)
{
    char words[HC_TIMINGS_WORDS];
    struct hc_text_line line = {.used = 0};
    const char *label = "note";
    hc_line_add(&line, "%s, cluster %s, attempt %" PRId32, report->job->id, report->job->cluster,
                report->job->attempt);
    hc_line_put(stream, "job", &line);
    put_words(stream, "logs", hc_timings_extent(report, words));
    if (report->baseline)
        put_words(stream, "baseline", report->baseline);
    put_words(stream, "verdict", hc_timings_verdict(report, words));
    for (int i = 0; hc_timings_doubt(report, i, words); i++)
        if (words[0]) {
            put_words(stream, label, words);
            label = "";
        }
    if (report->run_id)
        put_words(stream, "run", report->run_id);
}

enum hc_status hc_timings_write_text(const struct hc_timings_report *report, FILE *stream,
                                     struct hc_error *err)
{
    put_head(stream, report);
    if (hc_section_print_any(stream, hc_timings_ranks_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_timings_classes_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_timings_rates_table(report, MOST_ROWS), err))
        return err->status;
    return hc_section_print_any(stream, hc_timings_collectives_table(report, MOST_ROWS), err);
}
