/* The text of a study of step timelines: its answer first, then what the edits did and what the
 * steps are made of. */
#include "reports/study/replay/replay_tables.h"
#include "reports/study/study_text_sections.h"

#include "reports/write/text_line.h"

#include <math.h>
#include <string.h>

#define MOST_RUNS    64  /* rows */
#define MOST_BESIDE  5   /* runs that stand beside each other */
#define WIDTH        110 /* that tables may have */
#define MOST_EFFECTS 100 /* rows */

static void put_discrepancy(const struct hc_replay_findings *found, FILE *stream)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%.2f %% off the trace (at most %.3g %%)", 1e2 * fabs(found->discrepancy),
                1e2 * found->max_discrepancy);
    hc_line_put(stream, "replay", &line);
}

enum hc_status hc_replay_text_answer(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err)
{
    struct hc_study_listing table;
    put_discrepancy(hc_replay_run_findings(&result->run[0]), stream);
    fputc('\n', stream);
    hc_replay_answer_table(&table, result, MOST_RUNS);
    return hc_section_print(stream, table.section, err);
}

static enum hc_status put_effects(const struct hc_study_result *result, FILE *stream,
                                  struct hc_error *err)
{
    struct hc_study_listing table;
    if (!hc_replay_effects_table(&table, result, MOST_EFFECTS))
        return HC_OK;
    fputs("\nedits: ops selected; ops changed, their time and launches later (s a step)\n", stream);
    return hc_section_print(stream, table.section, err);
}

static enum hc_status put_beside(const struct hc_study_result *result, enum hc_replay_beside what,
                                 FILE *stream, struct hc_error *err)
{
    struct hc_study_listing table;
    size_t n_left_out = hc_replay_beside_table(&table, result, what, MOST_BESIDE, WIDTH);
    fputc('\n', stream);
    enum hc_status status = hc_section_print(stream, table.section, err);
    if (n_left_out)
        fprintf(stream, "  and %zu more variants, which --json lists\n", n_left_out);
    return status;
}

/* Whether a table is asked for: all are, or this. */
static bool is_wanted(const struct hc_study_result *result, const char *table)
{
    for (size_t i = 0; i < result->n_tables; i++)
        if (strcmp(result->table[i], table) == 0)
            return true;
    return !result->n_tables;
}

enum hc_status hc_replay_text_tables(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err)
{
    static const char *const table_of[HC_N_BESIDES] = {[HC_BESIDE_RANKS] = "steps",
                                                       [HC_BESIDE_PARTS] = "critical_path",
                                                       [HC_BESIDE_WORKERS] = "critical_path",
                                                       [HC_BESIDE_SLACK] = "critical_path",
                                                       [HC_BESIDE_GAIN] = "gain"};
    enum hc_status status = is_wanted(result, "edits") ? put_effects(result, stream, err) : HC_OK;
    for (int what = 0; what < HC_N_BESIDES && status == HC_OK; what++)
        if (is_wanted(result, table_of[what]) &&
            (what != HC_BESIDE_SLACK || hc_replay_has_slack(result)))
            status = put_beside(result, (enum hc_replay_beside)what, stream, err);
    return status;
}
