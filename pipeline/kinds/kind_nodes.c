/* The kinds of input that tell of nodes, of jobs in the queue and on their way to their first step,
 * and of what people know better. */
#include "core/tables/corrections/correction_table.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/tables/nodes/phase_table.h"
#include "pipeline/kinds/kind.h"

#define BIT(column) ((uint64_t)1 << (column))

static const uint8_t phase_key[] = {HC_PHASES_START_NS, HC_PHASES_JOB, HC_PHASES_FACT};
static const struct hc_record_rules phase_rules = {
    .n_key = sizeof phase_key / sizeof *phase_key,
    .key = phase_key,
    .cluster = HC_PHASES_CLUSTER,
    .source = HC_PHASES_SOURCE,
    .line = HC_PHASES_LINE,
    .has_hash = true,
    .of_path = BIT(HC_PHASES_LOG_ID) | BIT(HC_PHASES_FACT),
    .changing = BIT(HC_PHASES_END_NS) | BIT(HC_PHASES_DETAIL),
    .is_later = hc_phase_is_later,
};

const struct hc_kind hc_kind_phases = {
    .name = "phases",
    .phrase = "a list of start-up phases",
    .tables = hc_phase_tables,
    .start_names = hc_phase_names_init,
    .records = &phase_rules,
};

static const uint8_t node_state_key[] = {HC_NODE_STATES_SINCE_NS, HC_NODE_STATES_FACT};
static const struct hc_record_rules node_state_rules = {
    .n_key = sizeof node_state_key / sizeof *node_state_key,
    .key = node_state_key,
    .cluster = HC_NODE_STATES_CLUSTER,
    .source = HC_NODE_STATES_SOURCE,
    .line = HC_NODE_STATES_LINE,
    .has_hash = true,
    .node = HC_NODE_STATES_NODE,
    .changing = BIT(HC_NODE_STATES_UNTIL_NS) | BIT(HC_NODE_STATES_CLOCK),
    .is_later = hc_node_state_is_later,
};

const struct hc_kind hc_kind_node_states = {
    .name = "node_states",
    .phrase = "a list of states of nodes",
    .tables = hc_node_state_tables,
    .ignored = "events of a whole cluster and reservations without nodes",
    .start_names = hc_node_state_names_init,
    .records = &node_state_rules,
};

static const uint8_t queue_key[] = {HC_QUEUE_TIME_NS, HC_QUEUE_FACT};
static const struct hc_record_rules queue_rules = {
    .n_key = sizeof queue_key / sizeof *queue_key,
    .key = queue_key,
    .cluster = HC_QUEUE_CLUSTER,
    .source = HC_QUEUE_SOURCE,
    .line = HC_QUEUE_LINE,
    .has_hash = true,
    .changing = BIT(HC_QUEUE_PARTITION) | BIT(HC_QUEUE_STATE) | BIT(HC_QUEUE_REASON) |
                BIT(HC_QUEUE_WAITS_FOR) | BIT(HC_QUEUE_NODES) | BIT(HC_QUEUE_GPUS),
    .is_later = hc_queue_is_later,
};

const struct hc_kind hc_kind_queue = {
    .name = "queue",
    .phrase = "a list of what stands in a queue",
    .tables = hc_queue_tables,
    .command = "hindcast report capacity",
    .start_names = hc_queue_names_init,
    .records = &queue_rules,
};

static const uint8_t correction_key[] = {HC_CORRECTIONS_DATE_NS, HC_CORRECTIONS_FACT};
static const struct hc_record_rules correction_rules = {
    .n_key = sizeof correction_key / sizeof *correction_key,
    .key = correction_key,
    .cluster = HC_CORRECTIONS_CLUSTER,
    .source = HC_CORRECTIONS_SOURCE,
    .line = HC_CORRECTIONS_LINE,
    .has_hash = true,
    .is_later = hc_correction_is_later,
};

const struct hc_kind hc_kind_corrections = {
    .name = "corrections",
    .phrase = "a list of corrections",
    .tables = hc_correction_tables,
    .command = "hindcast query corrections",
    .start_names = hc_correction_names_init,
    .records = &correction_rules,
};
