#include "models/evidence/corrections.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hc_correction_outcome_name(enum hc_correction_outcome outcome)
{
    static const char *const names[HC_N_CORRECTION_OUTCOMES] = {
        [HC_CORRECTION_ACTED] = "acted",
        [HC_CORRECTION_OVERRULED] = "overruled",
        [HC_CORRECTION_UNMATCHED] = "unmatched",
    };
    return names[outcome];
}

void hc_correction_subject(const struct hc_correction *c, char *text, size_t room)
{
    char time[48];
    int n = 0;
    text[0] = '\0';
    if (c->job != HC_MISSING_I64)
        n += snprintf(text, room, "job %" PRId64, c->job);
    if (c->job != HC_MISSING_I64 && c->array_task != HC_MISSING_I32)
        n += snprintf(text + n, room - (size_t)n, "_%" PRId32, c->array_task);
    if (c->job != HC_MISSING_I64 && c->restarts != HC_MISSING_I32)
        n += snprintf(text + n, room - (size_t)n, ", restart %" PRId32, c->restarts);
    if (c->job == HC_MISSING_I64 && c->incident)
        n += snprintf(text, room, "incident %.100s", c->incident);
    else if (c->job == HC_MISSING_I64 && c->node)
        n += snprintf(text, room, "%.100s", c->node);
    if (c->time_ns == HC_MISSING_I64)
        return;
    hc_format_iso8601(c->time_ns, time);
    snprintf(text + n, room - (size_t)n, "%s%.16sZ", n ? " at " : "", time);
}

/* ---- adding ---- */

static enum hc_status keep(struct hc_text_set *set, const char **text, struct hc_error *err)
{
    int32_t code;
    if (!*text)
        return HC_OK;
    if (hc_text_set_add(set, *text, strlen(*text), &code, err))
        return err->status;
    *text = set->text[code];
    return HC_OK;
}

enum hc_status hc_corrections_add(struct hc_corrections *corrections,
                                  const struct hc_correction *row, struct hc_error *err)
{
    struct hc_correction c = *row;
    struct hc_text_set *texts = &corrections->texts;
    if (corrections->as_of_ns && c.date_ns > corrections->as_of_ns)
        return HC_OK;
    if (keep(texts, &c.cluster, err) || keep(texts, &c.incident, err) ||
        keep(texts, &c.node, err) || keep(texts, &c.detail, err) || keep(texts, &c.author, err) ||
        keep(texts, &c.reason, err) || keep(texts, &c.source, err) ||
        hc_reserve(&corrections->list, &corrections->room, corrections->n + 1,
                   sizeof *corrections->list, err))
        return err->status;
    c.n_about = c.n_held = c.n_tied = 0;
    c.gpu_ns = 0;
    corrections->list[corrections->n++] = c;
    return HC_OK;
}

static int compare(const void *a, const void *b)
{
    const struct hc_correction *x = a, *y = b;
    if (x->date_ns != y->date_ns)
        return x->date_ns < y->date_ns ? -1 : 1;
    int order = strcmp(x->source ? x->source : "", y->source ? y->source : "");
    if (order)
        return order;
    return (x->line > y->line) - (x->line < y->line);
}

/* Put the i-th before those of one key that are there. */
static enum hc_status chain(struct hc_corrections *corrections, struct hc_int_map *map,
                            uint64_t key, int32_t i, struct hc_error *err)
{
    size_t entry;
    if (hc_int_map_insert(map, key, -1, &entry, err))
        return err->status;
    corrections->before[i] = map->values[entry];
    map->values[entry] = i;
    return HC_OK;
}

enum hc_status hc_corrections_end(struct hc_corrections *corrections, struct hc_error *err)
{
    int32_t code;
    if (corrections->n)
        qsort(corrections->list, corrections->n, sizeof *corrections->list, compare);
    corrections->before = hc_new_array(corrections->n, sizeof *corrections->before, err);
    if (!corrections->before)
        return err->status;
    for (size_t i = 0; i < corrections->n; i++) {
        const struct hc_correction *c = &corrections->list[i];
        enum hc_status status = HC_OK;
        corrections->before[i] = -1;
        if (c->job != HC_MISSING_I64)
            status = chain(corrections, &corrections->of_job, (uint64_t)c->job, (int32_t)i, err);
        else if (c->incident && !(status = hc_text_set_add(&corrections->incidents, c->incident,
                                                           strlen(c->incident), &code, err)))
            status = chain(corrections, &corrections->of_incident, (uint64_t)code, (int32_t)i, err);
        else if (!status && c->node && c->time_ns != HC_MISSING_I64 &&
                 !(status = hc_text_set_add(&corrections->nodes, c->node,
                                            hc_node_short_length(c->node), &code, err)))
            status = chain(corrections, &corrections->of_node, (uint64_t)code, (int32_t)i, err);
        if (status)
            return status;
    }
    return HC_OK;
}

void hc_corrections_fini(struct hc_corrections *corrections)
{
    hc_text_set_fini(&corrections->texts);
    hc_text_set_fini(&corrections->nodes);
    hc_text_set_fini(&corrections->incidents);
    hc_int_map_fini(&corrections->of_job);
    hc_int_map_fini(&corrections->of_node);
    hc_int_map_fini(&corrections->of_incident);
    free(corrections->list);
    free(corrections->before);
    *corrections = (struct hc_corrections){0};
}

/* ---- finding ---- */

/* How closely one says what it is about. */
static int closeness(const struct hc_correction *c)
{
    return (c->job != HC_MISSING_I64) * 8 + (c->restarts != HC_MISSING_I32) * 4 +
           (c->array_task != HC_MISSING_I32) * 2 + (c->time_ns != HC_MISSING_I64);
}

/* One more that is about it: the one that holds so far is in *held. */
static void weigh(struct hc_correction *c, struct hc_correction **held)
{
    struct hc_correction *other = *held;
    c->n_about++;
    if (!other) {
        *held = c;
        return;
    }
    if (other->date_ns == c->date_ns && other->cause != c->cause) {
        other->n_tied++;
        c->n_tied++;
    }
    bool is_later = c->date_ns != other->date_ns       ? c->date_ns > other->date_ns
                    : closeness(c) != closeness(other) ? closeness(c) > closeness(other)
                                                       : c > other;
    if (is_later)
        *held = c;
}

/* What names no cluster has that of its source, "default" where nothing was said. */
static bool is_of_cluster(const struct hc_correction *c, const char *cluster)
{
    return !c->cluster || !cluster || strcmp(c->cluster, "default") == 0 ||
           strcmp(c->cluster, cluster) == 0;
}

static bool is_about(const struct hc_correction *c, const struct hc_corrected_end *end)
{
    bool has_time = c->time_ns != HC_MISSING_I64;
    if (!is_of_cluster(c, end->cluster) ||
        (has_time && (c->time_ns < end->from_ns || c->time_ns > end->to_ns)))
        return false;
    if (c->job == HC_MISSING_I64)
        return end->is_failure;
    int32_t restarts = end->restarts == HC_MISSING_I32 ? 0 : end->restarts;
    return (has_time || !end->is_launch) &&
           (c->array_task == HC_MISSING_I32 || c->array_task == end->array_task) &&
           (c->restarts == HC_MISSING_I32 || c->restarts == restarts);
}

static void follow(struct hc_corrections *corrections, const struct hc_int_map *map, uint64_t key,
                   const struct hc_corrected_end *end, struct hc_correction **held)
{
    int64_t entry = hc_int_map_find(map, key);
    for (int32_t i = entry < 0 ? -1 : map->values[entry]; i >= 0; i = corrections->before[i]) {
        struct hc_correction *c = &corrections->list[i];
        if (c != *held && is_about(c, end))
            weigh(c, held);
    }
}

/* Those about its nodes. A list that cannot be read is said where failures are judged. */
static void follow_nodes(struct hc_corrections *corrections, const struct hc_corrected_end *end,
                         struct hc_correction **held)
{
    struct hc_node_list_reader reader;
    struct hc_error bad = {0};
    if (!end->is_failure || !end->nodes || !end->nodes[0] || !corrections->nodes.n ||
        hc_node_list_open(&reader, end->nodes, strlen(end->nodes), &bad))
        return;
    for (const char *name; (name = hc_node_list_next(&reader));) {
        int32_t node = hc_text_set_find(&corrections->nodes, name, hc_node_short_length(name));
        if (node >= 0)
            follow(corrections, &corrections->of_node, (uint64_t)node, end, held);
    }
}

const struct hc_correction *hc_corrections_find(struct hc_corrections *corrections,
                                                const struct hc_corrected_end *end)
{
    struct hc_correction *held = NULL;
    if (!corrections || corrections->n == 0)
        return NULL;
    follow(corrections, &corrections->of_job, (uint64_t)end->job, end, &held);
    follow_nodes(corrections, end, &held);
    if (held) {
        held->n_held++;
        held->gpu_ns += end->gpu_ns;
    }
    return held;
}

const struct hc_correction *hc_corrections_of_incident(struct hc_corrections *corrections,
                                                       const char *name)
{
    struct hc_correction *held = NULL;
    int32_t code = corrections ? hc_text_set_find(&corrections->incidents, name, strlen(name)) : -1;
    int64_t entry = code < 0 ? -1 : hc_int_map_find(&corrections->of_incident, (uint64_t)code);
    for (int32_t i = entry < 0 ? -1 : corrections->of_incident.values[entry]; i >= 0;
         i = corrections->before[i])
        weigh(&corrections->list[i], &held);
    if (held)
        held->n_held++;
    return held;
}

enum hc_correction_outcome hc_correction_outcome(const struct hc_correction *correction)
{
    return correction->n_held    ? HC_CORRECTION_ACTED
           : correction->n_about ? HC_CORRECTION_OVERRULED
                                 : HC_CORRECTION_UNMATCHED;
}

struct hc_correction_counts hc_corrections_count(const struct hc_corrections *corrections)
{
    struct hc_correction_counts counts = {.n_tied = 0};
    for (size_t i = 0; corrections && i < corrections->n; i++) {
        counts.n[hc_correction_outcome(&corrections->list[i])]++;
        counts.n_tied += corrections->list[i].n_tied > 0;
        counts.n_held += corrections->list[i].n_held;
    }
    return counts;
}
