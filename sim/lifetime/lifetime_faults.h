/* lifetime_faults.h - what struck in one replica, fault by fault: for other simulators, and for
 * lives of the same faults.
 *
 * A replica is lived once more, and each fault that struck is handed out, a row a node that it
 * took. Given back as recorded incidents (hc_lifetime_record) to the same config, in place of what
 * the faults were drawn from, the rows of a replica give the same replica, to the nanosecond: the
 * other random numbers are those of their own streams. Refused is what the rows do not carry
 * (hc_lifetime_faults_check).
 *
 * A row is handed out when no more can come of it: those of nodes in repair wait until that ends.
 * So memory does not grow with the life, and the rows are not in the order of time.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_FAULTS_H
#define HC_SIM_LIFETIME_LIFETIME_FAULTS_H

#include "sim/lifetime/lifetime.h"

/* Times are wall time since submission; -1: that never came, or was not simulated. */
struct hc_drawn_fault {
    int32_t cause;   /* index of config->fault */
    int32_t part_of; /* number of the fault within the life, from 0: the same for all its nodes */
    int32_t slot;    /* node of the job that it took; -1: not drawn (below) */
    int64_t at_ns;
    int64_t detected_ns;  /* noticed */
    int64_t located_ns;   /* the node was known */
    int64_t recovered_ns; /* the first repair of the node ended, or a slow fault passed */
};

typedef enum hc_status hc_drawn_fault_sink(void *context, const struct hc_drawn_fault *fault,
                                           struct hc_error *err);

/* Whether rows can say what strikes a job of this config; HC_BAD_INPUT, with the member named,
 * where they cannot. The config was checked (hc_lifetime_config_check). */
enum hc_status hc_lifetime_faults_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err);

/* Live replica, and put each row into the sink. Where steps vary, a stretch of them is drawn by its
 * length until the next fault: then the fault that would have come after the end is a row as well,
 * without a node. HC_BAD_INPUT where that is too far away to be said. */
enum hc_status hc_lifetime_faults_run(const struct hc_lifetime_config *config, uint64_t replica,
                                      hc_drawn_fault_sink *sink, void *context,
                                      struct hc_lifetime_replica *result, struct hc_error *err);

#endif
