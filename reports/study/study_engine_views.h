/* study_engine_views.h - what the views of a study show of one engine only, found by its name. An
 * engine whose tables (struct hc_study_section) say all that it has to say needs no row. */
#ifndef HC_REPORTS_STUDY_STUDY_ENGINE_VIEWS_H
#define HC_REPORTS_STUDY_STUDY_ENGINE_VIEWS_H

#include "core/tables/record.h"
#include "reports/study/study_sections.h"
#include "reports/study/study_views.h"

/* A section of the page and its link. */
struct hc_study_part {
    const char *anchor, *title;
    bool (*is_there)(const struct hc_study_result *result); /* NULL: always */
    hc_study_section *write;
};

/* A file that the engine adds to the directory of a study. */
struct hc_study_engine_file {
    const char *name; /* "life.perfetto.json" */
    bool (*is_there)(const struct hc_study_result *result);
    /* path: where the stream is written to, for what names itself */
    enum hc_status (*write)(FILE *stream, const char *path, const struct hc_study_result *result,
                            struct hc_error *err);
};

/* What an engine has not is NULL. */
struct hc_study_engine_views {
    const char *engine;
    /* ---- the page ---- */
    const struct hc_study_part *first, *last; /* before the variants, after the sensitivities */
    size_t n_first, n_last;
    const char *variants_note;  /* a paragraph before the tables of the variants; NULL: none */
    hc_study_section *variants; /* at the end of the section of the variants */
    enum hc_status (*runs)(FILE *stream, const struct hc_study_result *result,
                           struct hc_error *err); /* what was simulated */
    bool (*has_cautions)(const struct hc_study_result *result);
    void (*cautions)(FILE *stream, const struct hc_study_result *result);
    /* ---- the text ---- */
    enum hc_status (*text_answer)(const struct hc_study_result *result, FILE *stream,
                                  struct hc_error *err);                    /* after the question */
    void (*text_lines)(const struct hc_study_result *result, FILE *stream); /* at its head */
    enum hc_status (*text_tables)(const struct hc_study_result *result, FILE *stream,
                                  struct hc_error *err); /* after the figures */
    /* ---- members of a run in the documents: before and after its figures ---- */
    const struct hc_record_def *counts, *run;
    /* ---- in the directory of a study: its CSV tables, and its files besides them ---- */
    const struct hc_study_csv *csv;
    const struct hc_study_engine_file *files;
    size_t n_csv, n_files;
};

/* Those of the engine of the study; NULL where it has none, or the details are not there. */
const struct hc_study_engine_views *hc_study_views_find(const struct hc_study_result *result);

#endif
