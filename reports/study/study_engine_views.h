/* study_engine_views.h - what the views of a study show of one engine only, found by its name. An
 * engine whose tables (struct hc_study_section) say all that it has to say needs no row.
 * Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_ENGINE_VIEWS_H
#define HC_REPORTS_STUDY_STUDY_ENGINE_VIEWS_H

#include "core/text/csv_writer.h"
#include "core/text/json_writer.h"
#include "reports/study/study_sections.h"

/* A section of the page and its link. */
struct hc_study_part {
    const char *anchor, *title;
    bool (*is_there)(const struct hc_study_result *result); /* NULL: always */
    hc_study_section *write;
};

struct hc_study_engine_views {
    const char *engine;
    /* ---- the page ---- */
    const struct hc_study_part *first, *last; /* before the variants, after the sensitivities */
    size_t n_first, n_last;
    hc_study_section *variants; /* at the end of the section of the variants */
    void (*runs)(FILE *stream, const struct hc_study_result *result); /* what was simulated */
    bool (*has_cautions)(const struct hc_study_result *result);
    void (*cautions)(FILE *stream, const struct hc_study_result *result);
    /* ---- the text ---- */
    void (*text_lines)(const struct hc_study_result *result, FILE *stream);  /* at its head */
    void (*text_tables)(const struct hc_study_result *result, FILE *stream); /* after the figures */
    /* ---- JSON of a run: before and after its figures ---- */
    void (*json_counts)(struct hc_json_writer *json, const struct hc_study_run *run);
    void (*json_run)(struct hc_json_writer *json, const struct hc_study_result *result,
                     const struct hc_study_run *run);
    /* ---- rows of the tables `account` and `causes` ---- */
    void (*csv_account)(struct hc_csv *csv, const struct hc_study_result *result);
    void (*csv_causes)(struct hc_csv *csv, const struct hc_study_result *result);
};

/* Those of the engine of the study; NULL where it has none, or the details are not there. */
const struct hc_study_engine_views *hc_study_views_of(const struct hc_study_result *result);

#endif
