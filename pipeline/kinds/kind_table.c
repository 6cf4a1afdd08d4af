/* The kinds of input, a row each. */
#include "core/tables/collectives/bandwidth_table.h"
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/collectives/timed_tables.h"
#include "core/tables/events/event_table.h"
#include "core/tables/execution/execution_tables.h"
#include "core/tables/incidents/incident_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/logs/log_tables.h"
#include "core/tables/op_table.h"
#include "core/tables/profile_tables.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/kinds/steps_guard.h"
#include "pipeline/kinds/steps_summary.h"

static const struct hc_table_def *const step_tables[] = {&hc_ops_def, &hc_steps_def, NULL};

const struct hc_kind hc_kind_steps = {
    .name = "steps",
    .phrase = "a step timeline",
    .tables = step_tables,
    .lack = "there is nothing to replay",
    .command = "hindcast whatif",
    .empty = "has no ops: there is nothing to keep or replay",
    .guard = &hc_steps_guard,
    .describe = hc_steps_describe,
    .description_name = "trace",
    .description_record = &hc_steps_summary_record,
};

const struct hc_kind hc_kind_incidents = {
    .name = "incidents",
    .phrase = "a list of incidents",
    .tables = hc_incident_tables,
    .command = "hindcast report reliability",
    .start_names = hc_incident_names_init,
};

const struct hc_kind hc_kind_profiles = {
    .name = "profiles",
    .phrase = "a profiler trace",
    .tables = hc_profile_tables,
    .n_listed = 1,
    .rank_table = &hc_ranks_def,
    .command = "hindcast report breakdown",
};

const struct hc_kind hc_kind_collectives = {
    .name = "collectives",
    .phrase = "a dump of collectives",
    .tables = hc_collective_tables,
    .lack = "who hangs is only in the dumps of PyTorch's flight recorder",
    .n_listed = 1,
    .rank_table = &hc_dumps_def,
    .command = "hindcast diagnose collectives",
};

const struct hc_kind hc_kind_timings = {
    .name = "timings",
    .phrase = "a log of timed collectives",
    .tables = hc_timed_tables,
    .n_listed = 1,
    .rank_table = &hc_logs_def,
    .command = "hindcast report collectives",
};

const struct hc_kind hc_kind_bandwidths = {
    .name = "bandwidths",
    .phrase = "a table of bandwidths",
    .tables = hc_bandwidth_kind_tables,
    .empty = "has no row of a table of nccl-tests",
    .command = "hindcast report collectives --baseline",
};

const struct hc_kind hc_kind_execution = {
    .name = "execution",
    .phrase = "an execution trace",
    .tables = hc_execution_tables,
    .n_listed = 1,
    .rank_table = &hc_executions_def,
    .command = "hindcast whatif --et",
};

static const uint8_t job_key[] = {HC_JOBS_SUBMIT_NS, HC_JOBS_JOB, HC_JOBS_ARRAY_TASK,
                                  HC_JOBS_HET_COMPONENT};
#define BIT(column) ((uint64_t)1 << (column))
static const struct hc_record_rules job_rules = {
    .n_key = sizeof job_key / sizeof *job_key,
    .key = job_key,
    .cluster = HC_JOBS_CLUSTER,
    .source = HC_JOBS_SOURCE,
    .line = HC_JOBS_LINE,
    .changing = BIT(HC_JOBS_STATE) | BIT(HC_JOBS_EXIT_CODE) | BIT(HC_JOBS_EXIT_SIGNAL) |
                BIT(HC_JOBS_CANCELLED_BY) | BIT(HC_JOBS_REASON) | BIT(HC_JOBS_PARTITION) |
                BIT(HC_JOBS_QOS) | BIT(HC_JOBS_ELIGIBLE_NS) | BIT(HC_JOBS_START_NS) |
                BIT(HC_JOBS_END_NS) | BIT(HC_JOBS_ELAPSED_NS) | BIT(HC_JOBS_SUSPENDED_NS) |
                BIT(HC_JOBS_TIME_LIMIT_NS) | BIT(HC_JOBS_NODES) | BIT(HC_JOBS_CPUS) |
                BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_GPU_TYPE) | BIT(HC_JOBS_NODE_LIST) |
                BIT(HC_JOBS_FAILED_NODE) | BIT(HC_JOBS_COMMENT),
    .is_later = hc_job_is_later,
};

const struct hc_kind hc_kind_jobs = {
    .name = "jobs",
    .phrase = "the accounting of a scheduler",
    .tables = hc_job_tables,
    .ignored = "rows of job steps and parts, whose time the rows of their jobs have",
    .command = "hindcast report account",
    .start_names = hc_job_names_init,
    .records = &job_rules,
};

static const uint8_t event_key[] = {HC_EVENTS_TIME_NS, HC_EVENTS_FACT};
static const struct hc_record_rules event_rules = {
    .n_key = sizeof event_key / sizeof *event_key,
    .key = event_key,
    .cluster = HC_EVENTS_CLUSTER,
    .source = HC_EVENTS_SOURCE,
    .line = HC_EVENTS_LINE,
    .has_hash = true,
    .of_path = BIT(HC_EVENTS_FACT),
    .node = HC_EVENTS_NODE,
    .is_later = hc_event_is_later,
};

const struct hc_kind hc_kind_events = {
    .name = "events",
    .phrase = "a log of health events",
    .tables = hc_event_tables,
    .start_names = hc_event_names_init,
    .records = &event_rules,
};

/* ---- logs of training runs ---- */

static const uint8_t train_step_key[] = {HC_TRAIN_STEPS_END_NS, HC_TRAIN_STEPS_ITERATION,
                                         HC_TRAIN_STEPS_LOG_ID};
static const struct hc_record_rules train_step_rules = {
    .n_key = sizeof train_step_key / sizeof *train_step_key,
    .key = train_step_key,
    .cluster = HC_TRAIN_STEPS_CLUSTER,
    .source = HC_TRAIN_STEPS_SOURCE,
    .line = HC_TRAIN_STEPS_LINE,
    .has_hash = true,
    .of_path = BIT(HC_TRAIN_STEPS_LOG_ID) | BIT(HC_TRAIN_STEPS_LOG),
    .is_later = hc_train_step_is_later,
};

const struct hc_kind hc_kind_train_steps = {
    .name = "train_steps",
    .phrase = "a log of a training run",
    .tables = hc_train_step_tables,
    .yields = hc_log_tables,
    .command = "hindcast query train_steps",
    .start_names = hc_train_step_names_init,
    .records = &train_step_rules,
};

static const uint8_t cycle_key[] = {HC_CYCLES_START_NS, HC_CYCLES_LOG_ID, HC_CYCLES_NUMBER};
static const struct hc_record_rules cycle_rules = {
    .n_key = sizeof cycle_key / sizeof *cycle_key,
    .key = cycle_key,
    .cluster = HC_CYCLES_CLUSTER,
    .source = HC_CYCLES_SOURCE,
    .line = HC_CYCLES_LINE,
    .has_hash = true,
    .of_path = BIT(HC_CYCLES_LOG_ID) | BIT(HC_CYCLES_LOG),
    .changing = BIT(HC_CYCLES_END_NS) | BIT(HC_CYCLES_LAST_ITERATION) |
                BIT(HC_CYCLES_SAVED_ITERATION) | BIT(HC_CYCLES_IS_DONE),
    .is_later = hc_cycle_is_later,
};

const struct hc_kind hc_kind_cycles = {
    .name = "cycles",
    .phrase = "a list of launches",
    .tables = hc_cycle_tables,
    .command = "hindcast query cycles",
    .start_names = hc_cycle_names_init,
    .records = &cycle_rules,
};

static const uint8_t checkpoint_key[] = {HC_CHECKPOINTS_TIME_NS, HC_CHECKPOINTS_ITERATION,
                                         HC_CHECKPOINTS_KIND, HC_CHECKPOINTS_LOG_ID};
static const struct hc_record_rules checkpoint_rules = {
    .n_key = sizeof checkpoint_key / sizeof *checkpoint_key,
    .key = checkpoint_key,
    .cluster = HC_CHECKPOINTS_CLUSTER,
    .source = HC_CHECKPOINTS_SOURCE,
    .line = HC_CHECKPOINTS_LINE,
    .has_hash = true,
    .of_path = BIT(HC_CHECKPOINTS_LOG_ID) | BIT(HC_CHECKPOINTS_LOG),
    .is_later = hc_checkpoint_is_later,
};

const struct hc_kind hc_kind_checkpoints = {
    .name = "checkpoints",
    .phrase = "a list of checkpoints",
    .tables = hc_checkpoint_tables,
    .command = "hindcast query checkpoints",
    .start_names = hc_checkpoint_names_init,
    .records = &checkpoint_rules,
};

static const uint8_t measure_key[] = {HC_TRAIN_MEASURES_TIME_NS, HC_TRAIN_MEASURES_ITERATION,
                                      HC_TRAIN_MEASURES_LOG_ID, HC_TRAIN_MEASURES_FACT};
static const struct hc_record_rules measure_rules = {
    .n_key = sizeof measure_key / sizeof *measure_key,
    .key = measure_key,
    .cluster = HC_TRAIN_MEASURES_CLUSTER,
    .source = HC_TRAIN_MEASURES_SOURCE,
    .line = HC_TRAIN_MEASURES_LINE,
    .has_hash = true,
    .of_path = BIT(HC_TRAIN_MEASURES_LOG_ID) | BIT(HC_TRAIN_MEASURES_LOG),
    .is_later = hc_train_measure_is_later,
};

const struct hc_kind hc_kind_train_measures = {
    .name = "train_measures",
    .phrase = "a list of timers and the like",
    .tables = hc_train_measure_tables,
    .command = "hindcast query train_measures",
    .start_names = hc_train_measure_names_init,
    .records = &measure_rules,
};
