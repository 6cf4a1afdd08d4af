/* Several jobs in one scenario: each as a document of its own. */
#include "study/engines/lifetime/lifetime_wing.h"

#include <string.h>

struct hc_node *hc_scenario_job(struct hc_arena *arena, const struct hc_node *root,
                                const struct hc_node *job, struct hc_error *err)
{
    static const char *const asked[] = {"variants", "compare",     "sweep",  "find",
                                        "jobs",     "sensitivity", "report", "question"};
    struct hc_node *document = hc_node_shallow(arena, root, err);
    for (size_t i = 0; i < sizeof asked / sizeof *asked && document; i++) {
        const struct hc_node *old = hc_node_member(document, asked[i]);
        if (old)
            hc_node_remove(document, old);
    }
    const struct hc_node *section = document ? job->first : NULL;
    for (; section; section = section->next) {
        const struct hc_node *old = hc_node_member(root, section->key);
        struct hc_node *copy = hc_node_copy(arena, old ? old : section, err);
        if (!copy || (old && !hc_scenario_overlay(arena, copy, section, err)))
            return NULL;
        hc_node_put(document, copy);
    }
    return document;
}

static void check_name(const struct hc_node *job, struct hc_scenario_errors *errors)
{
    if (strcmp(job->key, "job") == 0)
        hc_scenario_complain(errors, &job->key_place, "/jobs/job",
                             "'job' is the job at the top; give this one another name");
}

enum hc_status hc_scenario_check_jobs(struct hc_scenario *scenario, const struct hc_node *root,
                                      struct hc_error *err)
{
    struct hc_scenario_errors *errors = &scenario->errors;
    const struct hc_node *jobs = hc_node_member(root, "jobs"), *job = jobs ? jobs->first : NULL;
    const struct hc_node *priority = hc_node_member(hc_node_member(root, "job"), "priority"),
                         *takes =
                             hc_node_member(hc_node_member(root, "recovery"), "takes_standbys");
    if (!job && priority)
        hc_scenario_complain(errors, &priority->key_place, "/job/priority",
                             "there are no other jobs: needs '/jobs'");
    if (!job && takes)
        hc_scenario_complain(errors, &takes->key_place, "/recovery/takes_standbys",
                             "there are no other jobs: needs '/jobs'");
    if (job && !hc_node_member(hc_node_member(root, "recovery"), "pool_nodes"))
        hc_scenario_complain(errors, &jobs->key_place, "/jobs",
                             "needs '/recovery/pool_nodes': the nodes that all jobs share");
    for (; job && !errors->n; job = job->next) {
        struct hc_path within = {.length = 0};
        struct hc_node *document = hc_scenario_job(&scenario->arena, root, job, err);
        if (!document)
            return err->status;
        check_name(job, errors);
        hc_path_add(&within, "jobs");
        hc_path_add(&within, job->key);
        errors->within = within.text;
        hc_scenario_check_document(scenario, document);
        errors->within = NULL;
    }
    return HC_OK;
}
