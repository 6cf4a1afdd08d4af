/* study_tables.h - tables of a study, filled once and shown as text and in HTML (reports/write/
 * section.h). Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_TABLES_H
#define HC_REPORTS_STUDY_STUDY_TABLES_H

#include "reports/write/section.h"
#include "study/run/study_digest.h"

#define HC_STUDY_TABLE_COLUMNS 32

/* A section and its columns. It must not be moved; release with hc_section_fini(&table->section).
 */
struct hc_study_listing {
    struct hc_section section;
    struct hc_section_column column[HC_STUDY_TABLE_COLUMNS];
};

/* The figures of the base; only_reported: those that the scenario asks for. */
void hc_study_figures_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            bool only_reported);

/* The spreads of the figures that lead, of each variant; only for the page. */
void hc_study_spreads_table(struct hc_study_listing *table, const struct hc_study_result *result);

/* Whether the inputs leave something open of a change against the base; and the spreads of the
 * figures that are compared, of each variant. */
bool hc_study_has_difference_inputs(const struct hc_study_result *result);
void hc_study_changes_table(struct hc_study_listing *table, const struct hc_study_result *result);

/* Points of the sweep: n of its cells. */
void hc_study_points_table(struct hc_study_listing *table, const struct hc_study_result *result,
                           const size_t *cells, size_t n);
/* How many figures of the sweep such a table has in HTML. */
size_t hc_study_points_figures(const struct hc_study_result *result);

/* The values that were tried for `find`; the first `most` of them. */
void hc_study_tries_table(struct hc_study_listing *table, const struct hc_study_result *result,
                          size_t most);

/* What each key moves, widest first; the first `most` of them. There is a result->bar_column. */
void hc_study_tornado_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            size_t most);

#endif
