/* compare_parts.h - what the files of this wing find, each a part of a comparison; they fail
 * when memory is short. Private to this wing. */
#ifndef HC_SIM_COMPARE_COMPARE_PARTS_H
#define HC_SIM_COMPARE_COMPARE_PARTS_H

#include "sim/compare/compare.h"

/* ---- compare_levels.c: sides that change within; after the figures of the job ---- */
enum hc_status hc_compare_levels(struct hc_comparison *c, struct hc_error *err);

/* Times of n steps in seconds. NULL without memory. */
double *hc_new_seconds(const int64_t *ns, size_t n, struct hc_error *err);

/* ---- compare_groups.c: op types and stages ---- */
enum hc_status hc_compare_types(struct hc_comparison *c, struct hc_error *err);
enum hc_status hc_compare_stages(struct hc_comparison *c, struct hc_error *err);

/* ---- compare_workers.c: workers and hosts ---- */
enum hc_status hc_compare_workers(struct hc_comparison *c, struct hc_error *err);
enum hc_status hc_compare_hosts(struct hc_comparison *c, struct hc_error *err);

/* The time of the passes of a worker over that of the middle dp rank of its stage, in each step:
 * ratio[n_steps]. */
enum hc_status hc_pass_ratios(double *ratio, const struct hc_whatif_result *r, size_t worker,
                              struct hc_error *err);

/* ---- compare_culprits.c ---- */
enum hc_status hc_compare_culprits(struct hc_comparison *c, struct hc_error *err);

/* ---- compare_notes.c: what cannot be compared ---- */
enum hc_status hc_compare_note(struct hc_comparison *c, bool is_same_source, struct hc_error *err);

/* ---- compare_words.c: the verdict in a sentence ---- */
void hc_compare_say(struct hc_comparison *c);

#endif
