/* study_comparison.h - variants against each other, a row each, filled once: of each figure that is
 * compared its value, its difference from the base, its interaction. A view shows some of its
 * columns. Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_COMPARISON_H
#define HC_REPORTS_STUDY_STUDY_COMPARISON_H

#include "reports/write/section.h"
#include "study/run/study_result.h"

enum hc_compared {
    HC_COMPARED_VALUES,
    HC_COMPARED_DIFFERENCES,
    HC_COMPARED_INTERACTIONS,
    HC_N_COMPARED
};

struct hc_study_comparison {
    struct hc_section section;
    struct hc_section_column *column;
    size_t n_figures; /* result->order.n_compared */
};

/* Release with _fini in any case. HC_INTERNAL without memory. */
enum hc_status hc_study_comparison_init(struct hc_study_comparison *comparison,
                                        const struct hc_study_result *result, struct hc_error *err);
void hc_study_comparison_fini(struct hc_study_comparison *comparison);

/* One figure of all variants, with its difference and interaction where they have them. */
enum hc_status hc_study_comparison_text(FILE *stream, struct hc_study_comparison *comparison,
                                        size_t figure, struct hc_error *err);

/* The first n_figures figures of the variants that have such numbers, to be shown on a page before
 * the next call. */
const struct hc_section *hc_study_comparison_table(struct hc_study_comparison *comparison,
                                                   enum hc_compared what, size_t n_figures,
                                                   const char *caption);

#endif
