/* node_renewal.h - times between the faults of a node, on the clock of its use.
 *
 * Faults are thought to age a node while it is used, and only then are they seen: its clock stands
 * while no job has it. A fleet that is in service when the records begin has, as the first time of
 * each node, the rest of a renewal that nobody saw begin (truncated at the left); the last time of
 * each is cut off at the end of the records (censored at the right).
 */
#ifndef HC_MODELS_FIT_NODE_RENEWAL_H
#define HC_MODELS_FIT_NODE_RENEWAL_H

#include "models/stats/survival.h"

/* A stay of a job on a node; those of one node may overlap. */
struct hc_node_use {
    int32_t node; /* from 0 */
    int64_t from_ns, to_ns;
};

struct hc_node_strike {
    int32_t node;
    int64_t time_ns;
};

/* Sort uses, and unite those of a node that touch; *n falls. */
void hc_node_uses_unite(struct hc_node_use *uses, size_t *n);

/* Add to times those between the strikes of each node, in seconds of use. uses are united; strikes
 * are sorted by this. A strike outside any use has the clock of the use before it; those of a node
 * that was never used are left out, and counted in times->n_unknown. HC_INTERNAL only. */
enum hc_status hc_node_renewals_add(struct hc_survival *times, const struct hc_node_use *uses,
                                    size_t n_uses, struct hc_node_strike *strikes, size_t n_strikes,
                                    struct hc_error *err);

#endif
