/* whatif_views.h - what the views of a straggler what-if have in common: names and orders. */
#ifndef HC_REPORTS_WHATIF_VIEWS_H
#define HC_REPORTS_WHATIF_VIEWS_H

#include "sim/whatif.h"

#include <stdbool.h>
#include <stddef.h>

/* From this slowdown on a job straggles (paper section 5). */
#define HC_STRAGGLING 1.1
/* Above this simulation discrepancy the paper drops a job (paper section 6). */
#define HC_DISCREPANCY_LIMIT 0.05

/* "dp_rank", "stage", "op_type". */
const char *hc_whatif_partition_key(enum hc_partition partition);

/* "duplicate", ... for JSON; "has duplicate rows", ... for people. */
const char *hc_step_fate_key(enum hc_step_fate fate);
const char *hc_step_fate_text(enum hc_step_fate fate);

/* The indices of n values by descending value; equal values keep their order, NaN comes last. The
 * caller frees it. NULL with err filled when memory is short. */
size_t *hc_descending(const double *values, size_t n, struct hc_error *err);

/* hc_descending of the slowdowns of a split. */
size_t *hc_split_descending(const struct hc_split *split, struct hc_error *err);

/* Whether any row is a send or receive between stages. */
bool hc_whatif_has_p2p(const struct hc_whatif_result *result);

#endif
