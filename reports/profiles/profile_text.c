#include "reports/profiles/profile_report.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"
#include "reports/profiles/profile_views.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>

#define MOST_ROWS 32 /* of a table; JSON and CSV have them all */

static void put_words(FILE *stream, const char *label, const char *words)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s", words);
    hc_line_put(stream, label, &line);
}

static void put_head(FILE *stream, const struct hc_profile_report *report)
{
    char words[HC_PROFILE_WORDS];
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s, cluster %s, attempt %" PRId32, report->job->id, report->job->cluster,
                report->job->attempt);
    hc_line_put(stream, "job", &line);
    put_words(stream, "traces", hc_profile_extent(report, words));
    if (report->profile->has_unequal_worlds)
        put_words(stream, "note", "the traces do not agree on the size of the world");
    if (report->collectives)
        put_words(stream, "verdict", hc_profile_verdict(report, words));
    if (report->run_id)
        put_words(stream, "run", report->run_id);
}

/* What tells whether the replay can be believed, before anything that follows from it. */
static void put_discrepancy(FILE *stream, const struct hc_profile_whatif_result *w)
{
    char structural[HC_NUMBER_TEXT], unexplained[HC_NUMBER_TEXT];
    struct hc_text_line line = {.used = 0};
    double traced = (double)w->traced_ns;
    hc_line_add(&line,
                "%s by the rules alone (fine up to 5 %%), %s of the critical path unexplained "
                "(fine up to 10 %%)%s",
                hc_format_percent((double)(w->structural_ns - w->traced_ns) / traced, structural),
                hc_format_percent((double)w->unexplained_ns / traced, unexplained),
                w->is_unreliable ? ": UNRELIABLE" : "");
    hc_line_put(stream, "discrepancy", &line);
}

enum hc_status hc_profile_write_text(const struct hc_profile_report *report, FILE *stream,
                                     struct hc_error *err)
{
    put_head(stream, report);
    if (report->whatif)
        put_discrepancy(stream, report->whatif);
    if (report->whatif && report->whatif->n_predictions > 0) {
        char words[HC_PROFILE_WORDS];
        put_words(stream, "prediction", hc_profile_prediction(report, words));
    }
    if (report->whatif && hc_section_print(stream, hc_profile_variants_table(report), err))
        return err->status;
    if (report->whatif && report->whatif->n_predictions > 0 && report->breakdown &&
        hc_section_print(stream, hc_profile_predictions_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_stragglers &&
        hc_section_print(stream, hc_profile_stragglers_table(report, MOST_ROWS), err))
        return err->status;
    if (report->breakdown &&
        hc_section_print(stream, hc_profile_breakdown_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_collectives &&
        hc_section_print(stream, hc_profile_collectives_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_clocks &&
        hc_section_print(stream, hc_profile_clocks_table(report, MOST_ROWS), err))
        return err->status;
    if (report->shows_path &&
        hc_section_print(stream, hc_profile_path_table(report, MOST_ROWS), err))
        return err->status;
    return HC_OK;
}
