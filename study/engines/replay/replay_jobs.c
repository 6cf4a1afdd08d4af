/* The scenario on many jobs, as a document: what it may not ask, and what it is on one of them. */
#include "study/engines/replay/replay_jobs.h"

#include "study/engines/replay/replay_wing.h"

#include <string.h>

static const struct hc_node *jobs_of(const struct hc_node *root)
{
    return hc_node_member(hc_node_member(root, "input"), "jobs");
}

const struct hc_node *hc_replay_asks_jobs(const struct hc_scenario *scenario)
{
    bool is_ours =
        scenario->root && !scenario->is_other && strcmp(scenario->engine->name, "replay") == 0;
    return is_ours ? jobs_of(scenario->root) : NULL;
}

const struct hc_node *hc_replay_jobs_where(const struct hc_scenario *scenario)
{
    return hc_node_member(hc_replay_asks_jobs(scenario), "where");
}

/* ---- what is asked of one job only ---- */

static void refuse(struct hc_scenario *scenario, const struct hc_node *node, const char *pointer,
                   const char *why)
{
    if (node)
        hc_scenario_complain(&scenario->errors, &node->key_place, pointer, "%s", why);
}

/* A grid, a search or a tornado answers with values of a key: over many jobs, each has values of
 * its own, and no table holds them. Variants are compared in all jobs. */
void hc_replay_refuse_of_jobs(struct hc_scenario *scenario, const struct hc_node *root)
{
    static const char only_one[] =
        "is for one job: on '/input/jobs', 'variants' are what is compared";
    const struct hc_node *report = hc_node_member(root, "report");
    if (!jobs_of(root))
        return;
    refuse(scenario, hc_node_member(root, "sweep"), "/sweep", only_one);
    refuse(scenario, hc_node_member(root, "find"), "/find", only_one);
    refuse(scenario, hc_node_member(root, "sensitivity"), "/sensitivity", only_one);
    refuse(scenario, hc_node_member(report, "perfetto"), "/report/perfetto",
           "is for one job: it is the picture of one of its steps");
}

/* ---- the scenario on one of them ---- */

static struct hc_node *text_node(struct hc_arena *arena, const struct hc_node *in_place_of,
                                 const char *key, const char *text, struct hc_error *err)
{
    struct hc_node *node = hc_arena_new(arena, sizeof *node, err);
    if (!node)
        return NULL;
    node->type = HC_NODE_TEXT;
    node->key = key;
    node->place = in_place_of->place;
    node->key_place = in_place_of->key_place;
    node->text = hc_arena_text(arena, text, strlen(text), err);
    return node->text ? node : NULL;
}

struct hc_node *hc_replay_job_document(const struct hc_scenario *scenario, const char *job,
                                       struct hc_arena *arena, struct hc_error *err)
{
    const struct hc_node *jobs = hc_replay_asks_jobs(scenario);
    struct hc_node *root = hc_node_shallow(arena, scenario->root, err);
    struct hc_node *input =
        root ? hc_node_shallow(arena, hc_node_member(root, "input"), err) : NULL;
    struct hc_node *name = input ? text_node(arena, jobs, "job", job, err) : NULL;
    if (!name)
        return NULL;
    hc_node_remove(input, hc_node_member(input, "jobs"));
    hc_node_put(input, name);
    hc_node_put(root, input);
    return root;
}
