/* The keys of a lifetime: the job, what goes wrong, and what is done about it. The targets are
 * members of sim/lifetime/lifetime_config.h; choices stand in the order of its enums. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "sim/lifetime/pool/shared_pool.h"
#include "study/binding/recorded_data.h"

#define SECOND 1.0
#define HOUR   3600.0
#define DAY    86400.0

#define BOUND(type, of) HC_KEY_BOUND(type, of)

/* The limits are those of the engine (sim/lifetime/lifetime_config.h), in whole units of the key:
 * no rounding takes a value that is allowed here beyond the limit there. A time, and one that may
 * be drawn (its distributions are checked by the engine). */
#define WHOLE(limit, unit_s) ((double)(int64_t)((limit) / (unit_s)))
#define TIME(name, unit_s)                                                                         \
    .unit = (name), .scale = (unit_s), .high = WHOLE(HC_LIFETIME_MOST_S, unit_s)
#define DRAWN(name, unit_s)                                                                        \
    .unit = (name), .scale = (unit_s), .high = WHOLE(HC_DISTRIBUTION_MOST, unit_s)

/* ---- the job ---- */

static const struct hc_scenario_key code_change_keys[] = {
    {"at_d", HC_KEY_NUMBER, .is_required = true, TIME("d", DAY),
     BOUND(hc_lifetime_code_change, at_s), .help = "Wall time since the job was submitted."},
    {"speed_factor", HC_KEY_NUMBER, .is_required = true, .low = 1.0 / HC_LIFETIME_MOST_SLOW,
     .high = HC_LIFETIME_MOST_SLOW, BOUND(hc_lifetime_code_change, speed_factor),
     .help = "Steps a second after it, over those before it."},
    {.name = NULL},
};

static const struct hc_scenario_key planned_stop_keys[] = {
    {"first_d", HC_KEY_NUMBER, .is_required = true, TIME("d", DAY),
     BOUND(hc_lifetime_planned_stop, first_s),
     .help = "Wall time of the first since the job was submitted."},
    {"every_d", HC_KEY_NUMBER, .value = "0", TIME("d", DAY),
     BOUND(hc_lifetime_planned_stop, every_s), .help = "From stop to stop; 0 is once."},
    {"lasts_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND),
     BOUND(hc_lifetime_planned_stop, lasts_s), .help = "How long the job stands, start-up aside."},
    {"saves_first", HC_KEY_BOOL, .value = "true", BOUND(hc_lifetime_planned_stop, saves_first),
     .help = "A checkpoint is written before, so that no work is lost."},
    {"full_start", HC_KEY_BOOL, .value = "false", BOUND(hc_lifetime_planned_stop, full_start),
     .help = "The start after it is a full one, else a hot one."},
    {.name = NULL},
};

#define PARALLEL(member) BOUND(hc_lifetime_parallel, member)

static const struct hc_scenario_key parallel_keys[] = {
    {"tp", HC_KEY_COUNT, .is_required = true, .low = 1, .high = HC_LIFETIME_MOST_DEGREE,
     PARALLEL(tp), .help = "Tensor-parallel ranks; they are numbered first."},
    {"pp", HC_KEY_COUNT, .is_required = true, .low = 1, .high = HC_LIFETIME_MOST_DEGREE,
     PARALLEL(pp), .help = "Pipeline stages; numbered last."},
    {"dp", HC_KEY_COUNT, .is_required = true, .low = 1, .high = HC_LIFETIME_MOST_DEGREE,
     PARALLEL(dp), .help = "Data-parallel replicas; numbered after tp."},
    {.name = NULL},
};

#define JOB(member) BOUND(hc_lifetime_job, member)

static const struct hc_scenario_key job_keys[] = {
    {"nodes", HC_KEY_COUNT, .is_required = true, .low = 1, .high = HC_LIFETIME_MOST_NODES,
     JOB(nodes), .help = "Nodes that the job runs on."},
    {"gpus_per_node", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_GPUS_PER_NODE, .value = "8",
     JOB(gpus_per_node), .help = "GPUs of a node."},
    {"priority", HC_KEY_COUNT, .low = -HC_LIFETIME_MOST_PRIORITY, .high = HC_LIFETIME_MOST_PRIORITY,
     .value = "0", JOB(priority),
     .help = "Among jobs that share a pool (`jobs`): the higher gets nodes first."},
    {"work_d", HC_KEY_NUMBER, .is_above = true, .unset = "no end by work", TIME("d", DAY),
     JOB(work_s), .either = "work", .help = "Productive time until the job is done."},
    {"work_steps", HC_KEY_NUMBER, .is_above = true, .high = 1e12, .unit = "steps",
     .unset = "no end by work", .needs = "step_s", JOB(work_steps), .either = "work",
     .help = "Steps until it is done: with another time of a step it takes another time."},
    {"horizon_d", HC_KEY_NUMBER, .is_above = true, .unset = "no end by time", TIME("d", DAY),
     JOB(horizon_s), .help = "Wall time after which a life ends in any case."},
    {"parallel", HC_KEY_OBJECT, .members = parallel_keys, JOB(parallel),
     .help = "Groups of ranks, rank = tp + TP (dp + DP pp): for copies in memory and the remedy "
             "`evict_group`."},
    {"step_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), JOB(step_s),
     .help = "Time of a step; 0 is progress without steps."},
    {"code_changes", HC_KEY_NAMED, .members = code_change_keys, JOB(code_change),
     .n_target = offsetof(struct hc_lifetime_job, n_code_changes),
     .element_size = sizeof(struct hc_lifetime_code_change),
     .help = "By name, planned changes that make the steps faster."},
    {"planned_stops", HC_KEY_NAMED, .members = planned_stop_keys, JOB(planned_stop),
     .n_target = offsetof(struct hc_lifetime_job, n_planned_stops),
     .element_size = sizeof(struct hc_lifetime_planned_stop),
     .elements = &(const struct hc_key_elements){.start = hc_lifetime_start_planned_stop},
     .help = "By name, stops for maintenance and the like."},
    {.name = NULL},
};

static const char *const strikes[] = {"running", "held", "always", NULL};

static const struct hc_scenario_key exposure_keys[] = {
    {"strikes", HC_KEY_CHOICE, .choices = strikes, .value = "\"running\"",
     BOUND(hc_lifetime_config, strikes),
     .help =
         "Faults strike while steps run, or also during start-up (`held`), or whenever nodes are "
         "held: what strikes while the job stands is found when it starts (`always`)."},
    {"lemon_share", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     BOUND(hc_lifetime_config, lemon_share),
     .help = "Share of nodes that are lemons; which ones is drawn."},
    {.name = NULL},
};

/* ---- faults ---- */

static const char *const classes[] = {"explicit", "implicit", "manual", NULL};
static const char *const whys[] = {"first_start", "infrastructure", "user", "planned",
                                   "preemption",  "unknown",        NULL};
static const char *const ages[] = {"new", "stationary", NULL};
static const char *const effects[] = {"stop", "slow", "corrupt", "none", NULL};
static const char *const units[] = {"node", "device", "job", "domain", NULL};
static const char *const remedies[] = {"reattempt",   "hot_update", "rollback", "evict",
                                       "evict_group", "requeue",    "none",     NULL};

/* Of a stop that was not helped, one more must come. */
static const char *const next_remedies[] = {"reattempt",   "hot_update", "rollback", "evict",
                                            "evict_group", "requeue",    NULL};

static const char *const groups[] = {"nodes", "tp", "pp", "dp", NULL};

#define INCIDENT(member) BOUND(hc_lifetime_incident, member)

/* An incident has no name in the engine: the binder puts them in the order of their times. */
static const struct hc_scenario_key incident_keys[] = {
    {"at_d", HC_KEY_NUMBER, .is_required = true, TIME("d", DAY), INCIDENT(at_s),
     .help = "Wall time since the job was submitted."},
    {"node", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_NODES - 1, .unset = "any", INCIDENT(node),
     .help = "The first node that it takes, from 0."},
    {"nodes", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_NODES, .value = "1", INCIDENT(nodes),
     .help = "How many nodes in a row it takes."},
    {.name = NULL},
};

#define FAULT(member) BOUND(hc_lifetime_fault, member)
#define RATE(of)                                                                                   \
    FAULT(per_day), .either = "rate", .is_above = true,                                            \
                    .also = offsetof(struct hc_lifetime_fault, unit), .also_value = (of)
#define PER(of)      RATE(of), .high = HC_LIFETIME_MOST_PER_DAY
#define PER_1000(of) RATE(of), .scale = 1e-3, .high = 1000.0 * HC_LIFETIME_MOST_PER_DAY

static const struct hc_scenario_key fault_keys[] = {
    {"class", HC_KEY_CHOICE, .is_required = true, .choices = classes, FAULT(fault_class),
     .help = "Explicit: says what and where. Implicit: must be noticed and placed. Manual: people "
             "stop the job."},
    {"why", HC_KEY_CHOICE, .choices = whys, .unset = "`infrastructure`; `user` for class manual",
     FAULT(why), .help = "The reason under which the time is booked."},
    {"effect", HC_KEY_CHOICE, .choices = effects, .unset = "`stop`; `none` for class manual",
     FAULT(effect),
     .help = "The job stops, goes on slower, goes on with worthless results, or feels nothing "
             "before the remedy."},

    {"per_node_day", HC_KEY_NUMBER, PER(HC_PER_NODE), .is_either_needed = true, .unit = "1/d",
     .help = "Faults of one node in a day of exposure."},
    {"per_1000_node_days", HC_KEY_NUMBER, PER_1000(HC_PER_NODE), .unit = "1/1000 d",
     .help = "Faults in 1,000 node-days of exposure."},
    {"per_device_day", HC_KEY_NUMBER, PER(HC_PER_DEVICE), .unit = "1/d",
     .help = "Faults of one GPU in a day."},
    {"per_job_day", HC_KEY_NUMBER, PER(HC_PER_JOB), .unit = "1/d",
     .help = "Faults of the whole job in a day, whatever its size."},
    {"per_1000_domain_days", HC_KEY_NUMBER, PER_1000(HC_PER_DOMAIN), .unit = "1/1000 d",
     .needs = "domain_nodes",
     .help = "Faults in 1,000 days of a domain (switch, rack, power); each takes all its nodes."},
    {"between_h", HC_KEY_DURATION, FAULT(between_s), DRAWN("h", HOUR), .either = "rate",
     .needs = "unit", .help = "Time between faults of one unit, where they are not exponential."},
    {"age", HC_KEY_CHOICE, .choices = ages, FAULT(age), .either = "age", .needs = "between_h",
     .unset = "`stationary` where `between_h` is `fitted`, else `new`",
     .help = "Of the nodes when the job is submitted, for `between_h`: in service for long, or "
             "`new`."},
    {"age_h", HC_KEY_DURATION, FAULT(age_s), DRAWN("h", HOUR), .either = "age",
     .needs = "between_h", .also = offsetof(struct hc_lifetime_fault, age),
     .also_value = HC_AGE_GIVEN,
     .help = "The same as a time, drawn for each unit: how long ago its last fault was."},
    {"incidents", HC_KEY_NAMED, .members = incident_keys, FAULT(incident),
     .n_target = offsetof(struct hc_lifetime_fault, n_incidents),
     .element_size = sizeof(struct hc_lifetime_incident), .is_nameless = true, .either = "rate",
     .elements = &(const struct hc_key_elements){.finish = hc_lifetime_finish_incident,
                                                 .order = hc_lifetime_incident_order},
     .help = "By name, faults at given times."},
    {"incidents_from", HC_KEY_OBJECT, .members = hc_incidents_from_keys, .either = "rate",
     .help = "Recorded incidents, replayed at their times on their nodes."},
    {"unit", HC_KEY_CHOICE, .choices = units, FAULT(unit), .needs = "between_h",
     .unset = "by the key of the rate", .help = "What `between_h` is the time of."},
    {"domain_nodes", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_NODES, FAULT(domain_nodes),
     .needs = "per_1000_domain_days,unit=domain", .unset = "no domains",
     .help = "Nodes of one domain."},
    {"on_healthy", HC_KEY_NUMBER, .high = HC_LIFETIME_MOST_RATE_FACTOR, .value = "1",
     .unit = "factor", FAULT(on_healthy),
     .help = "Factor on the rate of nodes that are no lemons."},
    {"on_lemon", HC_KEY_NUMBER, .high = HC_LIFETIME_MOST_RATE_FACTOR, .value = "1",
     .unit = "factor", FAULT(on_lemon), .help = "Factor on the rate of lemons."},
    {"infant_factor", HC_KEY_NUMBER, .high = HC_LIFETIME_MOST_RATE_FACTOR, .value = "1",
     .unit = "factor", FAULT(infant_factor), .needs = "infant_h",
     .help = "Factor on the rate of a node that was repaired."},
    {"infant_h", HC_KEY_NUMBER, .value = "0", TIME("h", HOUR), FAULT(infant_s),
     .needs = "infant_factor",
     .help = "For how long after it came back to the job; counts exposure."},

    {"detect_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), FAULT(detection.delay_s),
     .help = "From the fault to its notice."},
    {"inspect_every_s", HC_KEY_NUMBER, .value = "0", TIME("s", SECOND),
     FAULT(detection.inspect_every_s),
     .help = "Noticed at an inspection; 0 is none. `detect_s` comes on top."},
    {"inspect_count", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_INSPECTIONS, .value = "1",
     FAULT(detection.inspect_count), .needs = "inspect_every_s",
     .help = "How many inspections must see it."},
    {"timeout_s", HC_KEY_NUMBER, .value = "0", TIME("s", SECOND), FAULT(detection.timeout_s),
     .help = "Noticed then at the latest; 0 is no timeout."},
    {"localise_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), FAULT(detection.localise_s),
     .help = "From the notice to the place."},
    {"replay_s", HC_KEY_NUMBER, .value = "0", TIME("s", SECOND), FAULT(detection.replay_s),
     .help = "Length of each of the two replays that find the node; 0 is none."},
    {"misdiagnosis", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     FAULT(detection.misdiagnosis),
     .help = "Probability that the first remedy meets the wrong node or cause."},

    {"remedy", HC_KEY_CHOICE, .is_required = true, .choices = remedies, FAULT(remedy),
     .help = "What is done first."},
    {"remedy_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), FAULT(remedy_s),
     .help = "Work of the remedy, before any start-up."},
    {"helps", HC_KEY_NUMBER, .high = 1, .value = "1", .unit = "share", FAULT(helps),
     .help = "Probability that it helps; else the fault strikes again at the next first step."},
    {"ladder", HC_KEY_CHOICES, .choices = next_remedies, FAULT(ladder),
     .n_target = offsetof(struct hc_lifetime_fault, n_ladder), .most = HC_LIFETIME_LADDER,
     .unset = "the remedy again",
     .help = "Remedies that are tried next, in this order; the last is repeated."},
    {"ladder_helps", HC_KEY_NUMBER, .low = HC_LIFETIME_LEAST_HELP, .high = 1, .value = "1",
     .unit = "share", FAULT(ladder_helps), .needs = "ladder",
     .help = "Probability that each of these helps."},
    {"group", HC_KEY_CHOICE, .choices = groups, .value = "\"nodes\"", FAULT(group),
     .needs = "remedy,ladder=evict_group",
     .help =
         "The group that is evicted: `group_nodes` in a row, or all nodes with a rank in one of "
         "the node's groups of `/job/parallel`."},
    {"group_nodes", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_NODES, .unset = "no groups",
     FAULT(group_nodes), .needs = "remedy,ladder=evict_group",
     .help = "Nodes of the group that is evicted."},
    {"rollback_checkpoints", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_ROLLBACK, .value = "0",
     FAULT(rollback_checkpoints), .needs = "remedy,ladder=rollback",
     .help = "How many durable checkpoints further back."},
    {"slow_factor", HC_KEY_NUMBER, .is_above = true, .low = 1, .high = HC_LIFETIME_MOST_SLOW,
     .value = "1", .unit = "factor", FAULT(slow_factor), .needs = "effect=slow",
     .members = hc_whatif_number_keys, .take = hc_bind_whatif_number,
     .help = "Step time with the fault over that without, or the job that says it."},
    {"lasts_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), FAULT(lasts_s),
     .needs = "remedy=none", .help = "Until a slow fault passes by itself."},
    {"forced_after_s", HC_KEY_NUMBER, .value = "0", TIME("s", SECOND), FAULT(forced_after_s),
     .needs = "effect,class=none|manual",
     .help = "How long a change waits to be merged with the next stop before it forces one."},
    {"saves_first", HC_KEY_BOOL, .value = "false", FAULT(saves_first),
     .needs = "effect,class=slow|none|manual",
     .help = "A checkpoint is written before the stop that the remedy needs."},
    {.name = NULL},
};

/* ---- checkpoints ---- */

static const char *const modes[] = {"none", "blocking", "async", "in_memory", "every_step", NULL};
static const char *const intervals[] = {"fixed", "young_daly", "measured", NULL};

#define CHECKPOINT(member) BOUND(hc_lifetime_checkpoint, member)

static const struct hc_scenario_key checkpoint_keys[] = {
    {"mode", HC_KEY_CHOICE, .is_required = true, .choices = modes, CHECKPOINT(mode),
     .help = "None; the job stands until it is written; written while it runs; kept in the memory "
             "of other nodes; after every step."},
    {"interval", HC_KEY_CHOICE, .choices = intervals, .value = "\"fixed\"", CHECKPOINT(interval),
     .needs = "mode=blocking|async|in_memory",
     .help = "`every_s`, the optimum of Young and Daly, or `intervals_s`."},
    {"intervals_s", HC_KEY_DURATION, .low = HC_LIFETIME_LEAST_SAVE_S, .unset = "none",
     DRAWN("s", SECOND), CHECKPOINT(intervals_s), .needs = "interval=measured",
     .help = "Times in steps from save to save as they were measured (`empirical`)."},
    {"every_s", HC_KEY_NUMBER, .is_above = true, .unset = "none", TIME("s", SECOND),
     CHECKPOINT(every_s), .needs = "mode=blocking|async|in_memory",
     .help = "Time in steps from save to save."},
    {"stall_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), CHECKPOINT(stall_s),
     .help = "How long the job stands at a save."},
    {"durable_after_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), CHECKPOINT(durable_s),
     .needs = "mode=async|in_memory|every_step",
     .help = "From the snapshot until the save survives a fault."},
    {"load_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), CHECKPOINT(load_s),
     .help = "To load one, at each start from a checkpoint."},
    {"size_bytes", HC_KEY_NUMBER, .is_above = true, .high = HC_LIFETIME_MOST_BYTES,
     .unset = "no part by size", .unit = "bytes", CHECKPOINT(save_bytes),
     .help = "Size of a checkpoint: size / bandwidth is added to the three times above."},
    {"stall_bytes_per_s", HC_KEY_NUMBER, .is_above = true, .high = HC_LIFETIME_MOST_BYTES,
     .unset = "nothing added", .unit = "bytes/s", CHECKPOINT(stall_bytes_per_s),
     .needs = "size_bytes", .help = "Bandwidth of the snapshot."},
    {"durable_bytes_per_s", HC_KEY_NUMBER, .is_above = true, .high = HC_LIFETIME_MOST_BYTES,
     .unset = "nothing added", .unit = "bytes/s", CHECKPOINT(durable_bytes_per_s),
     .needs = "size_bytes", .help = "Bandwidth of writing."},
    {"load_bytes_per_s", HC_KEY_NUMBER, .is_above = true, .high = HC_LIFETIME_MOST_BYTES,
     .unset = "nothing added", .unit = "bytes/s", CHECKPOINT(load_bytes_per_s),
     .needs = "size_bytes", .help = "Bandwidth of loading."},
    {"corrupt", HC_KEY_NUMBER, .high = HC_LIFETIME_MOST_CORRUPT, .value = "0", .unit = "share",
     CHECKPOINT(corrupt),
     .help = "Probability that a load finds it corrupt and takes the one before."},
    {"memory_nodes_lost", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_NODES, .value = "0",
     CHECKPOINT(memory_nodes_lost), .needs = "mode=in_memory",
     .help =
         "Evictions of more nodes at once lose the copies in memory; with `/job/parallel` those "
         "that take a state and its copy do."},
    {"memory_remote_every_s", HC_KEY_NUMBER, .is_above = true, .unset = "none", TIME("s", SECOND),
     CHECKPOINT(memory_remote_every_s), .needs = "mode=in_memory",
     .help = "Time between the remote saves that are left then."},
    {.name = NULL},
};

/* ---- start-up ---- */

static const char *const phases[] = {"image",   "environment", "init", "load",
                                     "compile", "first_step",  NULL};

#define PHASE(member) BOUND(hc_lifetime_phase, member)

static const struct hc_scenario_key phase_keys[] = {
    {"what", HC_KEY_CHOICE, .choices = phases, .unset = "start-up that is not split", PHASE(what),
     .help = "What the time is booked as."},
    {"first_s", HC_KEY_DURATION, .unset = "as `full_s`", DRAWN("s", SECOND), PHASE(first_s),
     .help = "At the first start of the job."},
    {"full_s", HC_KEY_DURATION, .is_required = true, DRAWN("s", SECOND), PHASE(full_s),
     .help = "At a restart with everything anew."},
    {"hot_s", HC_KEY_DURATION, .unset = "as `full_s`", DRAWN("s", SECOND), PHASE(hot_s),
     .help = "At a restart in place."},
    {"per_node", HC_KEY_BOOL, .value = "false", PHASE(per_node),
     .help = "Every node takes its own time and all wait for the slowest."},
    {"factor", HC_KEY_NUMBER, .high = HC_LIFETIME_MOST_SLOW, .value = "1", .unit = "factor",
     PHASE(factor), .help = "Factor of a remedy (prefetch, snapshot, striped read) on the phase."},
    {.name = NULL},
};

/* The short form is one phase, which the binder makes; so its rows have no targets here. */
static const struct hc_scenario_key startup_keys[] = {
    {"phases", HC_KEY_NAMED, .members = phase_keys, BOUND(hc_lifetime_startup, phase),
     .n_target = offsetof(struct hc_lifetime_startup, n_phases), .either = "form",
     .is_either_needed = true, .element_size = sizeof(struct hc_lifetime_phase),
     .elements = &(const struct hc_key_elements){.start = hc_lifetime_start_phase,
                                                 .finish = hc_lifetime_finish_phase},
     .help = "By name, phases in this order, with a barrier after each."},
    {"full_s", HC_KEY_DURATION, DRAWN("s", SECOND), .either = "form",
     .help = "Start-up as a whole, with everything anew; instead of `phases`."},
    {"first_s", HC_KEY_DURATION, DRAWN("s", SECOND), .unset = "as `full_s`", .needs = "full_s",
     .help = "The same at the first start of the job."},
    {"hot_s", HC_KEY_DURATION, DRAWN("s", SECOND), .unset = "as `full_s`", .needs = "full_s",
     .help = "The same in place."},
    {.name = NULL},
};

/* ---- recovery ---- */

static const char *const shortfalls[] = {"reschedule", "requeue", NULL};

static const char *const waits[] = {"job", "job_and_standbys", NULL};
static const char *const refills[] = {"always", "at_reschedule", NULL};

#define RECOVERY(member) BOUND(hc_lifetime_recovery, member)

static const struct hc_scenario_key recovery_keys[] = {
    {"warm_standbys", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_NODES, .unset = "0",
     RECOVERY(warm_standbys), .either = "standbys",
     .help = "Nodes that wait beside the job, started up."},
    {"standby_quantile", HC_KEY_NUMBER, .is_above = true, .high = HC_LIFETIME_MOST_QUANTILE,
     .unset = "off", .unit = "share", RECOVERY(standby_quantile), .either = "standbys",
     .needs = "standby_p_per_day",
     .help = "Standbys as a quantile of the number of nodes that fail in a day."},
    {"standby_p_per_day", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     RECOVERY(standby_p_per_day), .needs = "standby_quantile",
     .help = "Probability that a node fails in a day, for that number."},
    {"wake_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), RECOVERY(wake_s),
     .help = "To bring in standbys."},
    {"replenish_h", HC_KEY_DURATION, .value = "0", DRAWN("h", HOUR), RECOVERY(replenish_s),
     .help = "Until a standby that was used is there again."},
    {"shortfall", HC_KEY_CHOICE, .choices = shortfalls, .value = "\"reschedule\"",
     RECOVERY(shortfall),
     .help = "When more nodes are gone than standbys are there: schedule these, or queue again."},
    {"reschedule_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), RECOVERY(reschedule_s),
     .help = "To choose the missing nodes."},
    {"queue_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), RECOVERY(queue_s),
     .help = "Wait of a requeue; no nodes are held meanwhile."},
    {"queues_first", HC_KEY_BOOL, .value = "false", RECOVERY(queues_first),
     .help = "The first start waits in the queue as well."},
    {"full_start_on_reschedule", HC_KEY_BOOL, .value = "true", RECOVERY(full_start_on_reschedule),
     .help = "The start after it is a full one, else a hot one."},
    {"pool_nodes", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_NODES,
     .unset = "nodes without end", RECOVERY(pool_nodes),
     .help = "Nodes for this job, or for all of `jobs`: in them, standbys and free ones."},
    {"wait_for", HC_KEY_CHOICE, .choices = waits, .value = "\"job\"", RECOVERY(wait_for),
     .needs = "pool_nodes",
     .help =
         "Where no node is to be had, the job waits for its own nodes, or until its standbys are "
         "there as well."},
    {"takes_standbys", HC_KEY_BOOL, .value = "false", RECOVERY(takes_standbys),
     .needs = "pool_nodes",
     .help =
         "Where no node is free, standbys of a job of lower priority are taken, before spares."},
    {"standbys_fail", HC_KEY_BOOL, .value = "false", RECOVERY(standbys_fail),
     .help = "Standbys fail while they wait, as often as a node stops the job that it is in."},
    {"refill", HC_KEY_CHOICE, .choices = refills, .value = "\"always\"", RECOVERY(refill),
     .needs = "pool_nodes",
     .help =
         "When free nodes become standbys: `replenish_h` after one was used, or only when hosts "
         "are chosen anew."},
    {"spare_nodes", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_NODES, .value = "0",
     RECOVERY(spare_nodes), .needs = "pool_nodes",
     .help = "Nodes of other work that are taken when the pool is empty."},
    {"preempt_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), RECOVERY(preempt_s),
     .needs = "spare_nodes", .help = "To take them."},
    {"spares_return", HC_KEY_BOOL, .value = "false", RECOVERY(spares_return),
     .needs = "spare_nodes",
     .help = "A node that comes back while all standbys are there goes to the other work; else the "
             "spares stay."},
    {.name = NULL},
};

#define REPAIR(member) BOUND(hc_lifetime_repair, member)

static const struct hc_scenario_key repair_keys[] = {
    {"automatic_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), REPAIR(automatic_s),
     .help = "Automatic repair of an evicted node."},
    {"to_manual", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share", REPAIR(to_manual),
     .help = "Share of automatic repairs that go on to a manual one."},
    {"manual_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), REPAIR(manual_s),
     .needs = "to_manual", .help = "Manual repair."},
    {"automatic_false", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     REPAIR(automatic_false), .help = "Share of automatic repairs that only seem to succeed."},
    {"manual_false", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share", REPAIR(manual_false),
     .needs = "to_manual", .help = "Share of manual repairs that only seem to succeed."},
    {"retire", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share", REPAIR(retire),
     .help = "Probability, at the end of a repair, that the node is given up."},
    {"quarantine_h", HC_KEY_NUMBER, .value = "0", TIME("h", HOUR), REPAIR(quarantine_s),
     .needs = "quarantine_faults,quarantine_false", .help = "How long a node stays in quarantine."},
    {"quarantine_faults", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_QUARANTINE, .value = "0",
     REPAIR(quarantine_faults), .needs = "quarantine_window_h",
     .help = "Faults that bring a node there; 0 is never."},
    {"quarantine_window_h", HC_KEY_NUMBER, .value = "0", TIME("h", HOUR),
     REPAIR(quarantine_window_s), .needs = "quarantine_faults",
     .help = "The time within which they count."},
    {"quarantine_false", HC_KEY_NUMBER, .high = 1, .value = "0", .unit = "share",
     REPAIR(quarantine_false), .needs = "quarantine_h",
     .help = "Probability that an evicted node that is no lemon goes there as well."},
    {"innocent_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), REPAIR(innocent_s),
     .help = "Check of nodes that were evicted without fault."},
    {.name = NULL},
};

#define ELASTIC(member) BOUND(hc_lifetime_elastic, member)

static const struct hc_scenario_key elastic_keys[] = {
    {"on", HC_KEY_BOOL, .is_required = true, ELASTIC(on),
     .help =
         "Whether the job goes on smaller when more nodes are evicted than standbys are there."},
    {"dp_replicas", HC_KEY_COUNT, .high = HC_LIFETIME_MOST_NODES, .value = "0",
     ELASTIC(dp_replicas), .help = "Replicas of the whole job, each of nodes in a row."},
    {"min_replicas", HC_KEY_COUNT, .low = 1, .high = HC_LIFETIME_MOST_NODES, .value = "1",
     ELASTIC(min_replicas), .help = "Fewest that it goes on with."},
    {"before_standbys", HC_KEY_BOOL, .value = "false", ELASTIC(before_standbys),
     .help = "It goes on smaller also when standbys are there, which come meanwhile."},
    {"keeps_state", HC_KEY_BOOL, .value = "true", ELASTIC(keeps_state),
     .help = "Each replica has the whole state, so that nothing is lost or loaded; else to leave "
             "and to rejoin is a hot start from a checkpoint."},
    {"leave_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), ELASTIC(leave_s),
     .help = "To go on without a replica."},
    {"rejoin_s", HC_KEY_DURATION, .value = "0", DRAWN("s", SECOND), ELASTIC(rejoin_s),
     .help = "To take it back; the job stands for it."},
    {.name = NULL},
};

/* ---- several jobs ---- */

#define OVERLAY(of) .is_overlay = true, .members = (of)

static const struct hc_scenario_key other_keys[] = {
    {"job", HC_KEY_OBJECT, OVERLAY(job_keys),
     .help = "What differs of `job`, key by key: its size, its work, its priority."},
    {"faults", HC_KEY_NAMED, OVERLAY(fault_keys),
     .help = "What differs of `faults`, or is there in addition."},
    {"checkpoint", HC_KEY_OBJECT, OVERLAY(checkpoint_keys),
     .help = "What differs of `checkpoint`."},
    {"startup", HC_KEY_OBJECT, OVERLAY(startup_keys), .help = "What differs of `startup`."},
    {"recovery", HC_KEY_OBJECT, OVERLAY(recovery_keys),
     .help = "What differs of `recovery`, but not the pool, which all share."},
    {.name = NULL},
};

/* ---- all sections ---- */

#define CONFIG(member) BOUND(hc_lifetime_config, member)

const struct hc_scenario_key hc_lifetime_keys[] = {
    {"job", HC_KEY_OBJECT, .is_required = true, .members = job_keys, CONFIG(job),
     .help = "The job."},
    {"exposure", HC_KEY_OBJECT, .members = exposure_keys, .is_bound = true,
     .help = "What faults strike."},
    {"faults", HC_KEY_NAMED, .most = HC_LIFETIME_MAX_FAULTS, .members = fault_keys, CONFIG(fault),
     .n_target = offsetof(struct hc_lifetime_config, n_faults),
     .element_size = sizeof(struct hc_lifetime_fault),
     .elements = &(const struct hc_key_elements){.start = hc_lifetime_start_fault,
                                                 .finish = hc_lifetime_finish_fault},
     .help = "By name, what goes wrong, how it is noticed and what is done."},
    {"checkpoint", HC_KEY_OBJECT, .members = checkpoint_keys, CONFIG(checkpoint),
     .help = "How work is saved."},
    {"startup", HC_KEY_OBJECT, .members = startup_keys, CONFIG(startup),
     .help = "What a start takes before its first step, loading aside."},
    {"recovery", HC_KEY_OBJECT, .members = recovery_keys, CONFIG(recovery),
     .help = "Where nodes come from."},
    {"repair", HC_KEY_OBJECT, .members = repair_keys, CONFIG(repair),
     .help = "What happens to evicted nodes; for a pool with an end."},
    {"elastic", HC_KEY_OBJECT, .members = elastic_keys, CONFIG(elastic),
     .help = "Going on with fewer replicas while nodes are replaced."},
    {"jobs", HC_KEY_NAMED, .most = HC_LIFETIME_MAX_JOBS - 1, .members = other_keys,
     .help = "By name, other jobs on the same pool; each is as the sections at the top, with "
             "changes."},
    {.name = NULL},
};
