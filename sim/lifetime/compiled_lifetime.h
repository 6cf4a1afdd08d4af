/* compiled_lifetime.h - what follows from a config once, before any replica. Private to this wing.
 *
 * A compiled lifetime points at its config, which must outlive it, and is only read afterwards: all
 * threads share one. Durations are in ns, rates per ns of exposure.
 */
#ifndef HC_SIM_LIFETIME_COMPILED_LIFETIME_H
#define HC_SIM_LIFETIME_COMPILED_LIFETIME_H

#include "sim/lifetime/backup_placement.h"
#include "sim/lifetime/life_streams.h"

struct hc_compiled_lifetime {
    const struct hc_lifetime_config *config;
    int64_t work_ns, horizon_ns;
    int64_t every_ns;     /* run time between snapshots; HC_LIFE_NEVER: no checkpoints */
    int32_t remote_every; /* in memory: every how many saves goes to remote storage; 0: n/a */
    double stall_extra_s, durable_extra_s, load_extra_s; /* size / bandwidth */
    double step_mean_s, step_cv;
    int32_t standbys;
    int32_t n_nodes;    /* of the job, or of the pool and its spares */
    bool finite;        /* the pool has an end: each node is followed */
    bool places_copies; /* in memory, and the shape says which node holds which copy */
    struct hc_backup_shape shape;
    bool lemons_differ, has_records, has_clocks, has_infants;
    bool has_moments; /* of records: when they were noticed, or repaired */
    double rate_healthy[HC_LIFETIME_MAX_FAULTS], rate_lemon[HC_LIFETIME_MAX_FAULTS];
    double standby_healthy, standby_lemon;   /* faults of a standby; 0: they do not fail */
    int32_t n_units[HC_LIFETIME_MAX_FAULTS]; /* nodes, where the rate is of a device */
};

/* Of members that passed hc_lifetime_check_members(). HC_BAD_INPUT, with the member named as there,
 * for what only several members together make impossible. */
enum hc_status hc_compile_lifetime(struct hc_compiled_lifetime *compiled,
                                   const struct hc_lifetime_config *config, struct hc_error *err);

/* Round an interval between saves up to a whole number of mean steps, at least one, since saves are
 * taken between steps. Unchanged where the config gives steps no duration. */
double hc_life_whole_steps(const struct hc_compiled_lifetime *compiled, double seconds);

/* closed_forms.c: how many units of the job have a process of this cause. */
int32_t hc_lifetime_units(const struct hc_lifetime_config *config,
                          const struct hc_lifetime_fault *fault);

/* lifetime_config.c: check the range of each member, and that no two are set which exclude each
 * other. The other jobs of a shared pool are not looked at: each is a config of its own.
 * HC_BAD_INPUT names the member. */
enum hc_status hc_lifetime_check_members(const struct hc_lifetime_config *config,
                                         struct hc_error *err);

#endif
