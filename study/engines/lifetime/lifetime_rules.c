/* What a lifetime cannot be, beyond what the table says. */
#include "study/engines/lifetime/lifetime_wing.h"

#include <string.h>

static bool is_text(const struct hc_node *node, const char *text)
{
    return node && node->type == HC_NODE_TEXT && strcmp(node->text, text) == 0;
}

/* A number that another may be held against. */
static bool is_number(const struct hc_node *node)
{
    return node && node->type == HC_NODE_NUMBER && node->number >= 1;
}

static void too_many(const struct hc_node *node, const struct hc_node *most, const char *pointer,
                     const char *what, struct hc_scenario_errors *errors)
{
    if (is_number(node) && is_number(most) && node->number > most->number)
        hc_scenario_complain(errors, &node->place, pointer, "must be at most %s (%s), not %s",
                             most->text, what, node->text);
}

static void check_incidents(const struct hc_node *incidents, const struct hc_node *nodes,
                            struct hc_path *path, struct hc_scenario_errors *errors)
{
    if (!incidents || incidents->type != HC_NODE_OBJECT || !is_number(nodes))
        return;
    for (const struct hc_node *child = incidents->first; child; child = child->next) {
        const struct hc_node *node = hc_node_member(child, "node"),
                             *n = hc_node_member(child, "nodes");
        double first = is_number(node) ? node->number : 0, count = is_number(n) ? n->number : 1;
        size_t before = hc_path_add(path, child->key);
        if (first + count > nodes->number)
            hc_scenario_complain(errors, &child->place, path->text,
                                 "takes nodes up to %.15g; the job's last is %.15g",
                                 first + count - 1, nodes->number - 1);
        hc_path_back(path, before);
    }
}

static void check_remedy(const struct hc_node *fault, const struct hc_path *path,
                         struct hc_scenario_errors *errors)
{
    const struct hc_node *remedy = hc_node_member(fault, "remedy"),
                         *effect = hc_node_member(fault, "effect");
    const struct hc_node *group = hc_node_member(fault, "group");
    if (is_text(remedy, "evict_group") && (!group || is_text(group, "nodes")) &&
        !hc_node_member(fault, "group_nodes"))
        hc_scenario_complain(errors, &remedy->place, path->text,
                             "remedy 'evict_group' needs 'group_nodes'");
    if (is_text(remedy, "none") && !is_text(effect, "slow"))
        hc_scenario_complain(errors, &remedy->place, path->text,
                             "remedy 'none' is for faults with the effect 'slow'");
    if (is_text(remedy, "none") && !hc_node_member(fault, "lasts_s"))
        hc_scenario_complain(errors, &remedy->place, path->text,
                             "remedy 'none' needs 'lasts_s': when it passes");
    if (is_text(effect, "slow") && !hc_node_member(fault, "slow_factor"))
        hc_scenario_complain(errors, &effect->place, path->text,
                             "effect 'slow' needs 'slow_factor'");
}

static void check_fault(const struct hc_node *fault, const struct hc_node *nodes,
                        struct hc_path *path, struct hc_scenario_errors *errors)
{
    static const char *const counts[] = {"domain_nodes", "group_nodes"};
    check_remedy(fault, path, errors);
    if (is_text(hc_node_member(fault, "unit"), "domain") && !hc_node_member(fault, "domain_nodes"))
        hc_scenario_complain(errors, &hc_node_member(fault, "unit")->place, path->text,
                             "unit 'domain' needs 'domain_nodes'");
    for (size_t i = 0; i < 2; i++) {
        size_t before = hc_path_add(path, counts[i]);
        too_many(hc_node_member(fault, counts[i]), nodes, path->text, "nodes of the job", errors);
        hc_path_back(path, before);
    }
    size_t before = hc_path_add(path, "incidents");
    check_incidents(hc_node_member(fault, "incidents"), nodes, path, errors);
    hc_path_back(path, before);
}

/* The engine refuses this of the means; of plain numbers it can be said at its place. */
static void check_overlap(const struct hc_node *checkpoint, struct hc_scenario_errors *errors)
{
    const struct hc_node *every = hc_node_member(checkpoint, "every_s"),
                         *stall = hc_node_member(checkpoint, "stall_s"),
                         *durable = hc_node_member(checkpoint, "durable_after_s");
    if (!is_number(every) || !is_number(durable) || (stall && stall->type != HC_NODE_NUMBER))
        return;
    double most = every->number + (stall ? stall->number : 0);
    if (durable->number > most)
        hc_scenario_complain(errors, &durable->place, "/checkpoint/durable_after_s",
                             "must be at most %.15g (every_s and stall_s: one save at a time), "
                             "not %s",
                             most, durable->text);
}

static void check_checkpoint(const struct hc_node *checkpoint, struct hc_scenario_errors *errors)
{
    const struct hc_node *mode = hc_node_member(checkpoint, "mode"),
                         *interval = hc_node_member(checkpoint, "interval"),
                         *every = hc_node_member(checkpoint, "every_s");
    bool is_timed =
        is_text(mode, "blocking") || is_text(mode, "async") || is_text(mode, "in_memory");
    bool is_measured = is_text(interval, "measured");
    if (is_timed && is_measured && !hc_node_member(checkpoint, "intervals_s"))
        hc_scenario_complain(errors, &interval->place, "/checkpoint",
                             "interval 'measured' needs 'intervals_s'");
    if (is_timed && !every && !is_measured && !is_text(interval, "young_daly"))
        hc_scenario_complain(errors, &mode->place, "/checkpoint",
                             "mode '%s' needs 'every_s', or the interval 'young_daly'", mode->text);
    if (every && is_text(interval, "young_daly"))
        hc_scenario_complain(errors, &every->key_place, "/checkpoint/every_s",
                             "contradicts the interval 'young_daly': give one of them");
    check_overlap(checkpoint, errors);
}

static void check_recovery(const struct hc_node *root, struct hc_scenario_errors *errors)
{
    const struct hc_node *recovery = hc_node_member(root, "recovery"),
                         *repair = hc_node_member(root, "repair"),
                         *pool = hc_node_member(recovery, "pool_nodes"),
                         *nodes = hc_node_member(hc_node_member(root, "job"), "nodes");
    if (repair && !pool)
        hc_scenario_complain(
            errors, &repair->key_place, "/repair",
            "needs '/recovery/pool_nodes': without an end of nodes none is missed");
    if (is_number(pool) && is_number(nodes) && pool->number < nodes->number)
        hc_scenario_complain(errors, &pool->place, "/recovery/pool_nodes",
                             "must be at least %s (nodes of the job), not %s", nodes->text,
                             pool->text);
}

static void check_elastic(const struct hc_node *elastic, struct hc_scenario_errors *errors)
{
    too_many(hc_node_member(elastic, "min_replicas"), hc_node_member(elastic, "dp_replicas"),
             "/elastic/min_replicas", "dp_replicas", errors);
}

void hc_lifetime_rules(struct hc_scenario *scenario, const struct hc_node *root)
{
    struct hc_scenario_errors *errors = &scenario->errors;
    const struct hc_node *job = hc_node_member(root, "job");
    const struct hc_node *faults = hc_node_member(root, "faults");
    if (job && job->type == HC_NODE_OBJECT && !hc_node_member(job, "work_d") &&
        !hc_node_member(job, "work_steps") && !hc_node_member(job, "horizon_d"))
        hc_scenario_complain(errors, &job->place, "/job",
                             "has no end: 'work_d' or 'horizon_d' is missing");
    struct hc_path path = {.length = 0};
    hc_path_add(&path, "faults");
    const struct hc_node *fault = faults && faults->type == HC_NODE_OBJECT ? faults->first : NULL;
    for (; fault; fault = fault->next) {
        size_t before = hc_path_add(&path, fault->key);
        check_fault(fault, hc_node_member(job, "nodes"), &path, errors);
        hc_path_back(&path, before);
    }
    check_checkpoint(hc_node_member(root, "checkpoint"), errors);
    check_recovery(root, errors);
    const struct hc_node *perfetto = hc_node_member(hc_node_member(root, "report"), "perfetto");
    if (perfetto)
        hc_scenario_complain(
            errors, &perfetto->key_place, "/report/perfetto",
            "is for scenarios of the kind 'replay'; the life that is drawn is that "
            "of '/report/replica'");
    check_elastic(hc_node_member(root, "elastic"), errors);
}
