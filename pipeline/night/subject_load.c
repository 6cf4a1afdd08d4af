#include "pipeline/night/subject_load.h"

#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <stdio.h>
#include <string.h>

/* Whether a list has a node; how many it has. */
static bool has_node(const char *list, const char *name, int64_t *n)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    bool is_there = false;
    *n = 0;
    if (!list || hc_node_list_open(&reader, list, strlen(list), &why))
        return false;
    for (const char *node; (node = hc_node_list_next(&reader)); ++*n)
        is_there |= strcmp(node, name) == 0;
    return is_there;
}

static bool is_wanted(struct hc_subject_data *data, const struct hc_walked_attempt *a,
                      double *share)
{
    const struct hc_joins *joins = &data->walk.records.joins;
    const char *name = data->subject.name;
    int64_t n_nodes = 0;
    *share = 1;
    switch (data->subject.kind) {
    case HC_SUBJECT_RUN: {
        const char *run = a->run < 0 ? NULL : hc_joins_find_text(joins, joins->runs[a->run].name);
        return run && strcmp(run, name) == 0;
    }
    case HC_SUBJECT_JOB:
        return (a->job == data->job || a->raw_job == data->job) &&
               (data->array_task == HC_MISSING_I32 || a->array_task == data->array_task);
    default: {
        bool is_there = has_node(a->node_list, name, &n_nodes);
        double days = (double)(a->end_ns - a->start_ns) / 86400e9;
        data->subject.all_node_days += days * (double)n_nodes;
        data->subject.own_node_days += is_there ? days : 0;
        *share = n_nodes ? 1.0 / (double)n_nodes : 1;
        return is_there;
    }
    }
}

static enum hc_status take_attempt(const struct hc_walked_attempt *a,
                                   const struct hc_attempt_facts *facts, void *context,
                                   struct hc_error *err)
{
    struct hc_subject_data *data = context;
    struct hc_subject_attempt attempt = {.job = a->job,
                                         .start_ns = a->start_ns,
                                         .end_ns = a->end_ns,
                                         .array_task = a->array_task,
                                         .restarts = a->restarts,
                                         .gpus = a->gpus,
                                         .state = a->state,
                                         .launches = (int32_t)facts->n_launches,
                                         .is_running = a->is_running,
                                         .failure = -1};
    data->is_taken = is_wanted(data, a, &attempt.share);
    if (!data->is_taken)
        return HC_OK;
    for (size_t i = 0; i < facts->n_launches; i++) {
        int32_t failure = facts->launches[i].launch->stop.failure;
        attempt.n_failures += failure >= 0;
        attempt.failure = failure >= 0 ? failure : attempt.failure;
    }
    return hc_subject_take_attempt(&data->subject, &attempt, a->user, err);
}

static enum hc_status take_slice(const struct hc_walked_attempt *a, const struct hc_slice *slice,
                                 void *context, struct hc_error *err)
{
    struct hc_subject_data *data = context;
    (void)a, (void)err;
    if (data->is_taken)
        hc_subject_take_slice(&data->subject, slice);
    return HC_OK;
}

/* Failures of the infrastructure that a node is the place of: where an event of it was said, or the
 * scheduler says that it failed. */
static void count_own(struct hc_subject_data *data)
{
    const struct hc_failures *failures = &data->walk.records.failures;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        const char *node = hc_failure_node(failures, f);
        if (f->gpus <= 0 || f->side != HC_SIDE_INFRASTRUCTURE || (!f->event && !node))
            continue;
        data->subject.n_all++;
        data->subject.n_own += node && strcmp(node, data->subject.name) == 0;
    }
}

static enum hc_status read_name(struct hc_subject_data *data, struct hc_error *err)
{
    long long job;
    int task, used = 0;
    data->array_task = HC_MISSING_I32;
    if (data->subject.kind != HC_SUBJECT_JOB)
        return HC_OK;
    const char *name = data->subject.name;
    bool is_task = sscanf(name, "%18lld_%9d%n", &job, &task, &used) == 2 && !name[used];
    used = 0;
    if (is_task)
        data->array_task = task;
    else if (sscanf(name, "%18lld%n", &job, &used) != 1 || name[used] || job < 0)
        return hc_fail(err, HC_USAGE, "'%s' is no job: give its number, as 1234 or 1234_5", name);
    data->job = job;
    return HC_OK;
}

enum hc_status hc_subject_load(struct hc_subject_data *data, const struct hc_walk_choice *walk,
                               enum hc_subject_kind kind, const char *name, struct hc_error *err)
{
    *data = (struct hc_subject_data){.subject = {.kind = kind, .name = name}};
    if (read_name(data, err) ||
        hc_walk_run(
            &data->walk, walk,
            &(struct hc_walk_sink){.attempt = take_attempt, .slice = take_slice, .context = data},
            err))
        return err->status;
    if (data->subject.n == 0)
        return hc_fail(err, HC_BAD_INPUT, "no attempt of %s '%s' held GPUs in archive '%s'",
                       hc_subject_kind_name(kind), name, walk->archive->path);
    if (kind == HC_SUBJECT_NODE)
        count_own(data);
    hc_subject_end(&data->subject);
    return HC_OK;
}

void hc_subject_data_fini(struct hc_subject_data *data)
{
    hc_subject_fini(&data->subject);
    hc_walk_fini(&data->walk);
}
