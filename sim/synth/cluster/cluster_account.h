/* cluster_account.h - where the GPU-time of a made-up cluster went, by what it did: the truth that
 * an account made of its records is held against.
 *
 * The stretches of an attempt tile its time from its start to its end, or to the end of the life
 * where it runs then. So their sum is its GPUs times that time, whatever they are grouped by.
 *
 * What is decided here (docs/formats/cluster-truth.md has it in full):
 * - an attempt without a run has no log: unknown;
 * - a launch that came to no full step is startup.failed up to its fault, by the reason of its end;
 *   other start-up has the reason of the end of the launch before it;
 * - steps are lost above the iteration from which a later launch with a step resumed, by the reason
 *   of the end of the launch before that one; of a run that has none yet, above its last
 *   checkpoint, at risk; abandoned where that is 7 days ago.
 */
#ifndef HC_SIM_SYNTH_CLUSTER_CLUSTER_ACCOUNT_H
#define HC_SIM_SYNTH_CLUSTER_CLUSTER_ACCOUNT_H

#include "core/tables/account/leaf.h"
#include "sim/synth/cluster/cluster_synth.h"

struct hc_cluster_stretch {
    int64_t from_ms, to_ms; /* Unix time */
    enum hc_what what;
    enum hc_why why;
    bool is_at_risk; /* lost unless the run goes on from a later checkpoint than it has */
};

/* Take the next stretch of an attempt, in order of time, none of them empty. */
typedef void hc_cluster_take_stretch(void *context, const struct hc_cluster_stretch *stretch);

/* The cycles of each run in order of time, which an account looks at. */
struct hc_cluster_account {
    const struct hc_cluster *cluster;
    int32_t *next, *before; /* of a cycle: those of its run, or HC_CLUSTER_NONE */
    int64_t *kept;          /* of a cycle: its steps up to this iteration are never lost */
};

enum hc_status hc_cluster_account_open(struct hc_cluster_account *account,
                                       const struct hc_cluster *cluster, struct hc_error *err);
void hc_cluster_account_close(struct hc_cluster_account *account);

/* All stretches of an attempt; none of one that has not begun. */
void hc_cluster_account_of(const struct hc_cluster_account *account, size_t attempt,
                           hc_cluster_take_stretch *take, void *context);

#endif
