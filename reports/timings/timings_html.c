#include "reports/timings/timings_report.h"

#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/timings/timings_views.h"

#include <ctype.h>

#define MOST_ROWS 500 /* of a table; JSON and CSV have them all */

static void put_sentence(FILE *stream, const char *class_name, char *text)
{
    text[0] = (char)toupper((unsigned char)text[0]);
    if (text[0])
        hc_html_paragraph(stream, class_name, "%s.", text);
}

static void put_verdict(FILE *stream, const struct hc_timings_report *report)
{
    char text[HC_TIMINGS_WORDS];
    hc_html_callout_start(stream, HC_TONE_PLAIN, "Who waits for whom");
    hc_timings_verdict(report, text);
    put_sentence(stream, "lead", text);
    hc_timings_extent(report, text);
    put_sentence(stream, NULL, text);
    for (int i = 0; hc_timings_doubt(report, i, text); i++)
        put_sentence(stream, NULL, text);
    hc_html_callout_end(stream);
}

enum hc_status hc_timings_write_html(const struct hc_timings_report *report, FILE *stream,
                                     struct hc_error *err)
{
    static const struct {
        const char *anchor, *title;
        struct hc_section (*table)(const struct hc_timings_report *report, size_t most);
    } sections[] = {
        {"ranks", "Ranks", hc_timings_ranks_table},
        {"classes", "Operations by size", hc_timings_classes_table},
        {"rates", "Communicators and sizes", hc_timings_rates_table},
        {"collectives", "Collectives", hc_timings_collectives_table},
    };
    enum hc_status status = HC_OK;
    hc_html_start(stream, &(struct hc_html_head){"Timed collectives", report->job->id,
                                                 "From the logs of NCCL Inspector.", report->run_id,
                                                 NULL, NULL});
    put_verdict(stream, report);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !status; i++)
        status = hc_section_print_headed(stream, sections[i].anchor, sections[i].title,
                                         sections[i].table(report, MOST_ROWS), err);
    hc_html_end(stream, NULL, 0);
    return status;
}
