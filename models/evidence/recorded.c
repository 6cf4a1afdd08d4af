#include "models/evidence/recorded.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 300

void hc_recorded_name(const struct hc_recorded_incident *incident, char *text, size_t room)
{
    snprintf(text, room, "%.200s#%" PRId64, incident->list ? incident->list : "?", incident->row);
}

const char *hc_recorded_method_name(enum hc_recorded_method method)
{
    static const char *const names[HC_N_RECORDED_METHODS] = {
        [HC_RECORDED_BY_JOB] = "job",        [HC_RECORDED_BY_NODE] = "node",
        [HC_RECORDED_BY_GROUP] = "group",    [HC_RECORDED_NO_PLACE] = "no_place",
        [HC_RECORDED_NO_CLOCK] = "no_clock",
    };
    return names[method];
}

/* ---- adding ---- */

static enum hc_status keep(struct hc_text_set *set, const char **text, struct hc_error *err)
{
    int32_t code;
    if (!*text || !**text) {
        *text = NULL;
        return HC_OK;
    }
    if (hc_text_set_add(set, *text, strlen(*text), &code, err))
        return err->status;
    *text = set->text[code];
    return HC_OK;
}

static bool is_list(const char *nodes)
{
    struct hc_node_list_reader reader;
    struct hc_error bad = {0};
    return nodes && hc_node_list_open(&reader, nodes, strlen(nodes), &bad) == HC_OK;
}

static enum hc_recorded_method method_of(const struct hc_recorded_incident *incident)
{
    if (incident->job != HC_MISSING_I64)
        return HC_RECORDED_BY_JOB;
    if (incident->time_ns == HC_MISSING_I64)
        return HC_RECORDED_NO_CLOCK;
    if (incident->node)
        return is_list(incident->node) ? HC_RECORDED_BY_NODE : HC_RECORDED_NO_PLACE;
    return incident->group ? HC_RECORDED_BY_GROUP : HC_RECORDED_NO_PLACE;
}

/* What the infrastructure does and somebody notices can stop a job; what was planned, hidden or
 * of unknown origin proves nothing. */
static enum hc_event_effect effect_of(const struct hc_recorded_incident *incident)
{
    if (incident->correction)
        return incident->correction->cause == HC_CORRECTION_INFRASTRUCTURE ? HC_EFFECT_HARDWARE
               : incident->correction->cause == HC_CORRECTION_USER         ? HC_EFFECT_PROGRAM
                                                                           : HC_EFFECT_INFORMS;
    if (incident->cause == HC_MISSING_I32)
        return HC_EFFECT_INFORMS;
    enum hc_fault_origin origin =
        hc_incident_cause_info((enum hc_incident_cause)incident->cause)->origin;
    if (origin == HC_ORIGIN_USER)
        return HC_EFFECT_PROGRAM;
    return origin == HC_ORIGIN_INFRASTRUCTURE && incident->noticed == HC_CLASS_EXPLICIT
               ? HC_EFFECT_HARDWARE
               : HC_EFFECT_INFORMS;
}

enum hc_status hc_recorded_add(struct hc_recorded *recorded, const struct hc_recorded_incident *row,
                               struct hc_corrections *corrections, struct hc_error *err)
{
    struct hc_recorded_incident is = *row;
    struct hc_text_set *texts = &recorded->texts;
    char name[NAME_ROOM];
    if (recorded->as_of_ns && is.time_ns > recorded->as_of_ns)
        return HC_OK;
    if (recorded->as_of_ns && is.recovered_ns > recorded->as_of_ns)
        is.recovered_ns = HC_MISSING_I64;
    if (keep(texts, &is.cluster, err) || keep(texts, &is.list, err) ||
        keep(texts, &is.source, err) || keep(texts, &is.node, err) || keep(texts, &is.group, err) ||
        keep(texts, &is.text, err) ||
        hc_reserve(&recorded->list, &recorded->room, recorded->n + 1, sizeof *recorded->list, err))
        return err->status;
    hc_recorded_name(&is, name, sizeof name);
    is.correction = corrections ? hc_corrections_of_incident(corrections, name) : NULL;
    is.method = method_of(&is);
    is.effect = effect_of(&is);
    is.n_attempts = 0;
    is.gpu_ns = 0;
    recorded->list[recorded->n++] = is;
    return HC_OK;
}

static enum hc_status add_stay(struct hc_recorded *recorded, int32_t i, const char *place,
                               size_t length, struct hc_error *err)
{
    const struct hc_recorded_incident *is = &recorded->list[i];
    struct hc_recorded_stay stay = {.incident = i, .from_ns = is->time_ns, .to_ns = is->time_ns};
    if (is->recovered_ns != HC_MISSING_I64 && is->recovered_ns > stay.to_ns)
        stay.to_ns = is->recovered_ns;
    if (hc_text_set_add(&recorded->places, place, length, &stay.place, err) ||
        hc_reserve(&recorded->stays, &recorded->stays_room, recorded->n_stays + 1,
                   sizeof *recorded->stays, err))
        return err->status;
    recorded->stays[recorded->n_stays++] = stay;
    return HC_OK;
}

static enum hc_status place(struct hc_recorded *recorded, int32_t i, struct hc_error *err)
{
    const struct hc_recorded_incident *is = &recorded->list[i];
    struct hc_node_list_reader reader;
    char group[NAME_ROOM];
    size_t entry;
    if (is->method == HC_RECORDED_BY_JOB) {
        if (hc_int_map_insert(&recorded->of_job, (uint64_t)is->job, -1, &entry, err))
            return err->status;
        recorded->before[i] = recorded->of_job.values[entry];
        recorded->of_job.values[entry] = i;
    } else if (is->method == HC_RECORDED_BY_GROUP) {
        int n = snprintf(group, sizeof group, HC_EVIDENCE_GROUP "%.250s", is->group);
        return add_stay(recorded, i, group, (size_t)n, err);
    } else if (is->method == HC_RECORDED_BY_NODE) {
        if (hc_node_list_open(&reader, is->node, strlen(is->node), err))
            return err->status;
        for (const char *name; (name = hc_node_list_next(&reader));)
            if (add_stay(recorded, i, name, hc_node_short_length(name), err))
                return err->status;
    }
    return HC_OK;
}

static int compare_stays(const void *a, const void *b)
{
    const struct hc_recorded_stay *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return (x->incident > y->incident) - (x->incident < y->incident);
}

enum hc_status hc_recorded_end(struct hc_recorded *recorded, struct hc_error *err)
{
    recorded->before = hc_new_array(recorded->n, sizeof *recorded->before, err);
    if (!recorded->before)
        return err->status;
    for (size_t i = 0; i < recorded->n; i++) {
        recorded->before[i] = -1;
        if (place(recorded, (int32_t)i, err))
            return err->status;
    }
    if (recorded->n_stays)
        qsort(recorded->stays, recorded->n_stays, sizeof *recorded->stays, compare_stays);
    recorded->first = hc_new_array(recorded->places.n + 1, sizeof *recorded->first, err);
    recorded->longest_ns =
        recorded->first ? hc_new_array(recorded->places.n + 1, sizeof *recorded->longest_ns, err)
                        : NULL;
    if (!recorded->longest_ns)
        return err->status;
    for (size_t k = 0, i = 0; k <= recorded->places.n; k++) {
        recorded->first[k] = i;
        recorded->longest_ns[k] = 0;
        for (; i < recorded->n_stays && recorded->stays[i].place == (int32_t)k; i++)
            if (recorded->stays[i].to_ns - recorded->stays[i].from_ns > recorded->longest_ns[k])
                recorded->longest_ns[k] = recorded->stays[i].to_ns - recorded->stays[i].from_ns;
    }
    return HC_OK;
}

void hc_recorded_fini(struct hc_recorded *recorded)
{
    hc_text_set_fini(&recorded->texts);
    hc_text_set_fini(&recorded->places);
    hc_int_map_fini(&recorded->of_job);
    free(recorded->list);
    free(recorded->before);
    free(recorded->stays);
    free(recorded->first);
    free(recorded->longest_ns);
    *recorded = (struct hc_recorded){0};
}

/* ---- joining ---- */

static bool is_of_cluster(const struct hc_recorded_incident *is, const char *cluster)
{
    return !is->cluster || !cluster || strcmp(is->cluster, "default") == 0 ||
           strcmp(is->cluster, cluster) == 0;
}

/* An attempt, once, though both are on several nodes. */
static void join(struct hc_recorded *recorded, struct hc_recorded_incident *is,
                 const struct hc_recorded_attempt *attempt)
{
    if (is->last == recorded->n_offered)
        return;
    is->last = recorded->n_offered;
    is->n_attempts++;
    is->gpu_ns += attempt->gpu_ns;
}

static bool ran_during(const struct hc_recorded_attempt *attempt, int64_t from_ns, int64_t to_ns)
{
    return to_ns >= attempt->start_ns &&
           (attempt->end_ns == HC_MISSING_I64 || from_ns <= attempt->end_ns + HC_EVIDENCE_AFTER_NS);
}

static void join_job(struct hc_recorded *recorded, const struct hc_recorded_attempt *attempt,
                     int64_t job)
{
    int64_t entry = hc_int_map_find(&recorded->of_job, (uint64_t)job);
    int32_t restarts = attempt->restarts == HC_MISSING_I32 ? 0 : attempt->restarts;
    for (int32_t i = entry < 0 ? -1 : recorded->of_job.values[entry]; i >= 0;
         i = recorded->before[i]) {
        struct hc_recorded_incident *is = &recorded->list[i];
        bool ran = is->time_ns == HC_MISSING_I64 || ran_during(attempt, is->time_ns, is->time_ns);
        if (is_of_cluster(is, attempt->cluster) && ran &&
            (is->attempt == HC_MISSING_I32 || is->attempt == restarts))
            join(recorded, is, attempt);
    }
}

static void join_place(struct hc_recorded *recorded, const struct hc_recorded_attempt *attempt,
                       const char *text, size_t length)
{
    int32_t code = hc_text_set_find(&recorded->places, text, length);
    if (code < 0)
        return;
    size_t low = recorded->first[code], high = recorded->first[code + 1], end = high;
    int64_t from_ns = attempt->start_ns - recorded->longest_ns[code];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (recorded->stays[middle].from_ns < from_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < end && (attempt->end_ns == HC_MISSING_I64 ||
                         recorded->stays[low].from_ns <= attempt->end_ns + HC_EVIDENCE_AFTER_NS);
         low++) {
        const struct hc_recorded_stay *stay = &recorded->stays[low];
        struct hc_recorded_incident *is = &recorded->list[stay->incident];
        if (ran_during(attempt, stay->from_ns, stay->to_ns) && is_of_cluster(is, attempt->cluster))
            join(recorded, is, attempt);
    }
}

static void join_group(struct hc_recorded *recorded, const struct hc_recorded_attempt *attempt,
                       const char *group)
{
    char text[NAME_ROOM];
    if (!group)
        return;
    int n = snprintf(text, sizeof text, HC_EVIDENCE_GROUP "%.250s", group);
    join_place(recorded, attempt, text, (size_t)n);
}

void hc_recorded_offer(struct hc_recorded *recorded, const struct hc_recorded_attempt *attempt)
{
    struct hc_node_list_reader reader;
    struct hc_error bad = {0};
    if (recorded->n == 0 || attempt->start_ns == HC_MISSING_I64)
        return;
    recorded->n_offered++;
    join_job(recorded, attempt, attempt->job);
    if (recorded->places.n == 0)
        return;
    join_group(recorded, attempt, attempt->partition);
    join_group(recorded, attempt, attempt->cluster);
    if (!attempt->nodes || !attempt->nodes[0] ||
        hc_node_list_open(&reader, attempt->nodes, strlen(attempt->nodes), &bad))
        return;
    for (const char *name; (name = hc_node_list_next(&reader));)
        join_place(recorded, attempt, name, hc_node_short_length(name));
}

/* ---- evidence ---- */

static enum hc_status add_event(struct hc_evidence_set *set, const struct hc_recorded *recorded,
                                size_t i, const char *node, struct hc_error *err)
{
    const struct hc_recorded_incident *is = &recorded->list[i];
    const struct hc_node_event_row row = {
        .event = {.time_ns = is->time_ns,
                  .pid = HC_MISSING_I64,
                  .line = is->row,
                  .code = HC_MISSING_I32,
                  .event_class = HC_EVENT_OTHER,
                  .effect = is->effect,
                  .incident = (int32_t)i + 1,
                  .names_job = is->method == HC_RECORDED_BY_JOB && node[0] == HC_EVIDENCE_JOB[0],
                  .attempt = is->attempt},
        .node = node,
        .source = is->source,
        .name = is->cause == HC_MISSING_I32
                    ? is->text
                    : hc_incident_cause_info((enum hc_incident_cause)is->cause)->name,
    };
    return hc_evidence_add(set, &row, err);
}

/* One that names its job is beside that about all others on its nodes. */
static enum hc_status add_places(struct hc_evidence_set *set, const struct hc_recorded *recorded,
                                 size_t i, struct hc_error *err)
{
    const struct hc_recorded_incident *is = &recorded->list[i];
    struct hc_node_list_reader reader;
    char text[NAME_ROOM];
    if (is->method == HC_RECORDED_BY_JOB) {
        snprintf(text, sizeof text, HC_EVIDENCE_JOB "%" PRId64, is->job);
        if (add_event(set, recorded, i, text, err))
            return err->status;
    }
    if (is->method == HC_RECORDED_BY_GROUP) {
        snprintf(text, sizeof text, HC_EVIDENCE_GROUP "%.250s", is->group);
        return add_event(set, recorded, i, text, err);
    }
    if (!is_list(is->node))
        return HC_OK;
    if (hc_node_list_open(&reader, is->node, strlen(is->node), err))
        return err->status;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (add_event(set, recorded, i, name, err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_recorded_as_evidence(const struct hc_recorded *recorded,
                                       struct hc_evidence_set *set, struct hc_error *err)
{
    for (size_t i = 0; i < recorded->n; i++)
        if (recorded->list[i].time_ns != HC_MISSING_I64 && add_places(set, recorded, i, err))
            return err->status;
    return HC_OK;
}
