#include "reports/collectives/collectives_report.h"

#include "core/base/text_layout.h"
#include "reports/collectives/collectives_words.h"
#include "reports/write/text_line.h"

#define MOST_ROWS  20 /* of a table; JSON and CSV have them all */
#define MOST_PAIRS 8
#define MOST_NOTES 10

static void put_words(FILE *stream, const char *label, const char *words)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s", words);
    hc_line_put(stream, label, &line);
}

static void put_notes(FILE *stream, const struct hc_collectives_report *report)
{
    for (size_t i = 0; i < report->n_notes && i < MOST_NOTES; i++) {
        struct hc_text_line line = {.used = 0};
        const struct hc_dump_note *note = &report->notes[i];
        if (note->why)
            hc_line_add(&line, "%s: %s", note->outcome, note->why);
        else
            hc_line_add(&line, "%s: '%s'", note->outcome, note->path);
        hc_line_put(stream, i == 0 ? "files" : "", &line);
    }
}

enum hc_status hc_collectives_write_text(const struct hc_collectives_report *report, FILE *stream,
                                         struct hc_error *err)
{
    char text[HC_VERDICT_TEXT];
    put_words(stream, "verdict", hc_collectives_verdict(report, text));
    for (int i = 0; hc_collectives_account(report, i, text); i++)
        if (text[0])
            put_words(stream, i == 0 ? "dumps" : "", text);
    put_notes(stream, report);
    if (report->run_id)
        put_words(stream, "run", report->run_id);
    if (hc_section_print_any(stream, hc_collectives_suspects_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_collectives_waits_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_collectives_late_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_collectives_progress_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_collectives_mismatch_table(report, MOST_ROWS), err) ||
        hc_section_print_any(stream, hc_collectives_unknown_table(report, MOST_ROWS), err))
        return err->status;
    return hc_section_print_any(stream, hc_collectives_pairs_table(report, MOST_PAIRS), err);
}
