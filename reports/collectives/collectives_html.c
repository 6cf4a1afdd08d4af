#include "reports/collectives/collectives_report.h"

#include "reports/collectives/collectives_words.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"

#include <ctype.h>
#include <inttypes.h>

#define MOST_ROWS 200 /* of a table; JSON and CSV have them all */

static void put_verdict(FILE *stream, const struct hc_collectives_report *report)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char text[HC_VERDICT_TEXT];
    hc_html_callout_start(stream, d->has_finding ? HC_TONE_BAD : HC_TONE_PLAIN,
                          d->n_suspects ? "The job hangs" : "No suspect");
    hc_collectives_verdict(report, text);
    text[0] = (char)toupper((unsigned char)text[0]);
    hc_html_paragraph(stream, "lead", "%s.", text);
    for (int i = 0; hc_collectives_account(report, i, text); i++) {
        text[0] = (char)toupper((unsigned char)text[0]);
        if (text[0])
            hc_html_paragraph(stream, NULL, "%s.", text);
    }
    hc_html_callout_end(stream);
}

static void put_notes(FILE *stream, const struct hc_collectives_report *report)
{
    if (!report->n_notes)
        return;
    hc_html_section_start(stream, "files", "Files");
    hc_html_facts_start(stream);
    for (size_t i = 0; i < report->n_notes && i < MOST_ROWS; i++)
        hc_html_fact(stream, report->notes[i].outcome, "%s",
                     report->notes[i].why ? report->notes[i].why : report->notes[i].path);
    hc_html_facts_end(stream);
    hc_html_section_end(stream);
}

enum hc_status hc_collectives_write_html(const struct hc_collectives_report *report, FILE *stream,
                                         struct hc_error *err)
{
    static const struct {
        const char *anchor, *title;
        struct hc_section (*table)(const struct hc_collectives_report *report, size_t most);
    } sections[] = {
        {"suspects", "Suspects", hc_collectives_suspects_table},
        {"differences", "First differences in each group, the earliest first",
         hc_collectives_waits_table},
        {"waits", "Who waits for whom", hc_collectives_late_table},
        {"progress", "Groups whose members are not equally far", hc_collectives_progress_table},
        {"mismatches", "Called differently by different ranks", hc_collectives_mismatch_table},
        {"unknown", "Waits for ranks of which nothing is known", hc_collectives_unknown_table},
        {"pairs", "Sends and receives without their other end", hc_collectives_pairs_table},
    };
    enum hc_status status = HC_OK;
    hc_html_start(stream, &(struct hc_html_head){"Who hangs?", "Collectives of a job",
                                                 "From the flight recorders of its ranks.",
                                                 report->run_id, NULL, NULL});
    put_verdict(stream, report);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && !status; i++)
        status = hc_section_print_headed(stream, sections[i].anchor, sections[i].title,
                                         sections[i].table(report, MOST_ROWS), err);
    put_notes(stream, report);
    hc_html_end(stream, NULL, 0);
    return status;
}
