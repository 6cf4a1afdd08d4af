#include "reports/study/lifetime/life_views.h"

#include "reports/export/perfetto/life_perfetto.h"
#include "reports/page/section_html.h"
#include "reports/study/lifetime/life_records.h"
#include "reports/study/lifetime/life_sections.h"
#include "study/engines/lifetime/lifetime_result.h"

#include <inttypes.h>

#define MAX_NOTES 20
#define MAX_RUNS  64

/* ---- the page ---- */

/* Lives that did not end as they should: those with work to do that was not done. */
static uint64_t n_unfinished(const struct hc_study_run *run)
{
    const struct hc_life_findings *life = hc_life_run_findings(run);
    return life && life->work_s > 0 ? run->n_replicas - run->n_finished : 0;
}

static bool has_unfinished(const struct hc_study_result *result)
{
    for (size_t r = 0; r < result->n_runs; r++)
        if (n_unfinished(&result->run[r]))
            return true;
    return false;
}

static void write_unfinished(FILE *stream, const struct hc_study_result *result)
{
    size_t shown = 0, all = 0;
    for (size_t r = 0; r < result->n_runs; r++) {
        const struct hc_study_run *run = &result->run[r];
        uint64_t n = n_unfinished(run);
        if (n == 0)
            continue;
        if (all++ >= MAX_NOTES)
            continue;
        hc_html_paragraph(stream, NULL,
                          "%s: %" PRIu64 " of %" PRIu64 " lives did not get their work done%s. "
                          "Their wall time and GPU-hours are those up to where they ended.",
                          run->name, n, run->n_replicas,
                          hc_life_run_findings(run)->n_starved ? " (some had no node left)" : "");
        shown++;
    }
    hc_study_html_remainder(stream, all, shown, "variants with such lives");
}

static enum hc_status write_runs(FILE *stream, const struct hc_study_result *result,
                                 struct hc_error *err)
{
    struct hc_study_listing table;
    hc_study_runs_table(&table, result, MAX_RUNS);
    enum hc_status status = hc_section_print_html(stream, table.section, err);
    hc_study_html_remainder(stream, result->n_runs, MAX_RUNS, "variants");
    return status;
}

/* ---- the timeline ---- */

static enum hc_status write_timeline(FILE *stream, const char *path,
                                     const struct hc_study_result *result, struct hc_error *err)
{
    const struct hc_life_detail *of = hc_life_run_detail(&result->run[0]);
    const struct hc_life_perfetto options = {.name = result->name,
                                             .output = path,
                                             .run_id = result->run_id,
                                             .replica =
                                                 of->config->first_replica + result->drawn_replica};
    return hc_life_perfetto_write(stream, of->life, of->config, &options, err);
}

/* ---- the row ---- */

static const struct hc_study_part first[] = {
    {"account", "Where the time goes", NULL, hc_study_html_account},
    {"jobs", "Jobs on the pool", hc_study_html_has_jobs, hc_study_html_jobs},
    {"theory", "Closed forms", hc_study_html_has_references, hc_study_html_references},
    {"curves", "ETTR over time", hc_study_html_has_curves, hc_study_html_over_time},
    {"unproductive", "Unproductive time", NULL, hc_study_html_unproductive},
    {"stops", "Interruptions", hc_study_html_has_faults, hc_study_html_stops},
};
static const struct hc_study_part last[] = {
    {"life", "One life", hc_study_html_has_life, hc_study_html_life},
};

static const struct hc_study_csv tables[] = {
    {"account", {"runs.account", "run,what,why,gpu_h,share"}},
    {"causes", {"runs.all_causes", "run,cause,faults,unproductive_s"}},
};
static const struct hc_study_engine_file files[] = {
    {"life.perfetto.json", hc_study_html_has_life, write_timeline},
};

const struct hc_study_engine_views hc_life_views = {
    .engine = "lifetime",
    .first = first,
    .n_first = sizeof first / sizeof *first,
    .last = last,
    .n_last = sizeof last / sizeof *last,
    .variants_note = "Wall time and GPU-hours come first: a faster step can lower ETTR and still "
                     "be better.",
    .variants = hc_study_html_spent,
    .runs = write_runs,
    .has_cautions = has_unfinished,
    .cautions = write_unfinished,
    .text_lines = hc_life_text_lines,
    .text_tables = hc_life_text_tables,
    .counts = &hc_life_counts_record,
    .run = &hc_life_run_record,
    .csv = tables,
    .n_csv = sizeof tables / sizeof *tables,
    .files = files,
    .n_files = sizeof files / sizeof *files,
};
