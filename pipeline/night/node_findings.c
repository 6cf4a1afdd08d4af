/* The failures of each node, as the findings of lemons take them. */
#include "pipeline/night/finding_series.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS 86400e9
/* How long after a failure what ran beside it may end by the same fault, and what was started after
 * it on a node that is still broken. */
#define ONE_FAULT_NS    ((int64_t)3600 * 1000000000)
#define STILL_BROKEN_NS ((int64_t)300 * 1000000000)

/* A failure with a node, as it counts there. */
struct node_failure {
    int64_t start_ns, time_ns; /* of the job's attempt, and its end */
    int32_t node;
    const char *cluster; /* or NULL */
    struct hc_finding_failure failure;
};

struct node_failures {
    size_t n, room;
    struct node_failure *list;
};

static enum hc_status add_failure(struct node_failures *failures,
                                  const struct hc_finding_series_set *set, const char *node,
                                  const struct node_failure *failure, struct hc_error *err)
{
    int32_t code = hc_finding_node(set, failure->cluster, node, hc_node_short_length(node));
    if (code < 0)
        code = hc_finding_node(set, failure->cluster, node, strlen(node));
    if (code < 0)
        return HC_OK; /* a node that was not in use in these days */
    if (hc_reserve(&failures->list, &failures->room, failures->n + 1, sizeof *failures->list, err))
        return err->status;
    failures->list[failures->n] = *failure;
    failures->list[failures->n++].node = code;
    return HC_OK;
}

/* What no event and no scheduler says the node of is shared among all nodes of the attempt. */
static enum hc_status share_failure(struct node_failures *failures,
                                    const struct hc_finding_series_set *set, const char *list,
                                    struct node_failure *failure, struct hc_error *err)
{
    struct hc_node_list_reader reader;
    struct hc_error why = {0};
    if (hc_node_list_open(&reader, list, strlen(list), &why) || reader.n_nodes < 1)
        return HC_OK;
    failure->failure.weight = 1.0 / (double)reader.n_nodes;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (add_failure(failures, set, name, failure, err))
            return err->status;
    return HC_OK;
}

/* The run that each failure stopped, or -1. */
static const int32_t *runs_of_failures(const struct hc_finding_ending *e, struct hc_error *err)
{
    const struct hc_walk *walk = e->source->walk;
    size_t n = walk->records.failures.n;
    int32_t *run_of = hc_finding_room(e->set, n, sizeof *run_of, err);
    for (size_t i = 0; i < n && run_of; i++)
        run_of[i] = -1;
    for (size_t i = 0; i < walk->launches.n && run_of; i++)
        if (walk->launches.list[i].stop.failure >= 0)
            run_of[walk->launches.list[i].stop.failure] = walk->launches.list[i].run;
    return run_of;
}

/* Jobs of one user and name are one run, for all that is known; of two runs both are evidence. */
static uint64_t run_id(const struct hc_finding_ending *e, const int32_t *run_of, size_t failure)
{
    const struct hc_failure *f = &e->source->walk->records.failures.failures[failure];
    if (run_of[failure] >= 0)
        return (uint64_t)run_of[failure] + 1;
    if (f->user == HC_MISSING_I32 || f->name == HC_MISSING_I32)
        return (uint64_t)f->raw_job | (uint64_t)1 << 63;
    return ((uint64_t)f->user << 32 | (uint64_t)f->name) | (uint64_t)1 << 62;
}

static enum hc_status collect_failures(const struct hc_finding_ending *e,
                                       struct node_failures *found, struct hc_error *err)
{
    const struct hc_failures *failures = &e->source->walk->records.failures;
    const int32_t *run_of = runs_of_failures(e, err);
    if (!run_of)
        return err->status;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        struct node_failure failure = {.start_ns = f->start_ns,
                                       .time_ns = f->end_ns,
                                       .cluster = hc_finding_text(&failures->texts, f->cluster),
                                       .failure = {.day = hc_finding_day(&e->set->days, f->end_ns),
                                                   .source = -1,
                                                   .run = run_id(e, run_of, i),
                                                   .weight = 1}};
        const struct hc_node_event *event = f->event;
        if (failure.failure.day < 0 || f->side != HC_SIDE_INFRASTRUCTURE)
            continue;
        const char *node = hc_failure_node(failures, f);
        const char *list = hc_finding_text(&failures->texts, f->node_list);
        if (event && event->node != HC_MISSING_I32 && f->evidence <= HC_EVIDENCE_LIKELY)
            failure.failure.source = event->source;
        enum hc_status status = HC_OK;
        if (node)
            status = add_failure(found, e->set, node, &failure, err);
        else if (list)
            status = share_failure(found, e->set, list, &failure, err);
        if (status)
            return status;
    }
    return HC_OK;
}

static int compare_failures(const void *a, const void *b)
{
    const struct node_failure *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->failure.run != y->failure.run)
        return x->failure.run < y->failure.run ? -1 : 1;
    return (x->failure.source > y->failure.source) - (x->failure.source < y->failure.source);
}

/* From GPU-time held to days in use, of nodes and of the cluster. */
static enum hc_status measure_use(struct hc_finding_ending *e, struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    e->in_use = hc_finding_room(set, set->days.n, sizeof *e->in_use, err);
    if (!e->in_use)
        return err->status;
    for (size_t node = 0; node < set->nodes.n; node++)
        for (size_t day = 0; day < set->days.n; day++) {
            double *value = &set->nodes.values[node * set->days.n + day];
            *value = fmin(*value / set->gpus_of_node[node] / DAY_NS, 25.0 / 24);
            e->in_use[day] += *value;
        }
    return HC_OK;
}

/* Whether a failure is of the fault of the last one on its node: what ran beside it may end up to
 * an hour later, and what is started on a node that is still broken ends at once. What was started
 * after it, and ran for a while, met a fault of its own. */
static bool is_same_fault(const struct node_failure *last, const struct node_failure *one)
{
    int64_t after_ns = one->time_ns - last->time_ns;
    return last->node == one->node &&
           after_ns <= (one->start_ns <= last->time_ns ? ONE_FAULT_NS : STILL_BROKEN_NS);
}

/* Of failures by one fault that counts of which most is known to be of this node. */
static void unite_failures(struct node_failures *found)
{
    size_t n = 0;
    if (found->n)
        qsort(found->list, found->n, sizeof *found->list, compare_failures);
    for (size_t i = 0; i < found->n; i++) {
        struct node_failure *last = n ? &found->list[n - 1] : NULL, *one = &found->list[i];
        if (!last || !is_same_fault(last, one))
            found->list[n++] = *one;
        else if (one->failure.weight > last->failure.weight)
            last->failure = one->failure;
    }
    found->n = n;
}

/* Names without their cluster, but where nodes of two clusters have the same. */
static enum hc_status name_nodes(struct hc_finding_series_set *set, struct hc_error *err)
{
    size_t n = set->nodes.n;
    struct hc_text_set short_names = {0};
    set->node_subjects = hc_finding_room(set, n, sizeof *set->node_subjects, err);
    int32_t *code_of = hc_new_array(n, sizeof *code_of, err);
    int32_t *n_of = hc_new_array(n, sizeof *n_of, err);
    enum hc_status status = set->node_subjects && code_of && n_of ? HC_OK : err->status;
    for (size_t i = 0; i < n && !status; i++) {
        set->node_subjects[i] = strrchr(set->nodes.names.text[i], '/') + 1;
        status = hc_text_set_add(&short_names, set->node_subjects[i], strlen(set->node_subjects[i]),
                                 &code_of[i], err);
        n_of[status ? 0 : code_of[i]]++;
    }
    for (size_t i = 0; i < n && !status; i++)
        if (n_of[code_of[i]] > 1)
            set->node_subjects[i] = set->nodes.names.text[i];
    hc_text_set_fini(&short_names);
    free(code_of);
    free(n_of);
    return status;
}

static enum hc_status add_nodes(struct hc_finding_ending *e, struct node_failures *found,
                                struct hc_error *err)
{
    struct hc_finding_series_set *set = e->set;
    unite_failures(found);
    struct hc_finding_failure *list = hc_finding_room(set, found->n, sizeof *list, err);
    size_t at = 0;
    if (!list)
        return err->status;
    for (size_t i = 0; i < found->n; i++)
        list[i] = found->list[i].failure;
    for (size_t node = 0; node < set->nodes.n; node++) {
        size_t first = at;
        while (at < found->n && found->list[at].node == (int32_t)node)
            at++;
        if (hc_finding_add_series(
                set,
                &(struct hc_finding_series){.kind = HC_FINDING_LEMON_NODE,
                                            .subject = set->node_subjects[node],
                                            .exposure = set->nodes.values + node * set->days.n,
                                            .failures = list + first,
                                            .n_failures = at - first},
                err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_finding_end_nodes(struct hc_finding_ending *e, struct hc_error *err)
{
    struct node_failures found = {0};
    enum hc_status status = measure_use(e, err);
    if (!status)
        status = name_nodes(e->set, err);
    if (!status)
        status = collect_failures(e, &found, err);
    if (!status)
        status = add_nodes(e, &found, err);
    free(found.list);
    return status;
}
