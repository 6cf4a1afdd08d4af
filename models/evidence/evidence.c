#include "models/evidence/evidence.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/node_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS    ((int64_t)86400 * 1000000000)
#define REPEAT_NS ((int64_t)5 * 1000000000)

const char *hc_evidence_name(enum hc_failure_evidence evidence)
{
    static const char *const names[HC_N_EVIDENCES] = {[HC_EVIDENCE_CERTAIN] = "certain",
                                                      [HC_EVIDENCE_LIKELY] = "likely",
                                                      [HC_EVIDENCE_COINCIDENT] = "coincident",
                                                      [HC_EVIDENCE_NONE] = "none"};
    return names[evidence];
}

const char *hc_failure_side_name(enum hc_failure_side side)
{
    static const char *const names[HC_N_FAILURE_SIDES] = {[HC_SIDE_INFRASTRUCTURE] =
                                                              "infrastructure",
                                                          [HC_SIDE_USER] = "user",
                                                          [HC_SIDE_UNKNOWN] = "unknown"};
    return names[side];
}

bool hc_evidence_is_of_node(enum hc_event_class event_class)
{
    return event_class < HC_EVENT_WATCHDOG || event_class == HC_EVENT_OTHER;
}

/* ---- events ---- */

static enum hc_status intern(struct hc_text_set *set, const char *text, int32_t *code,
                             struct hc_error *err)
{
    *code = HC_MISSING_I32;
    return text ? hc_text_set_add(set, text, strlen(text), code, err) : HC_OK;
}

enum hc_status hc_evidence_add(struct hc_evidence_set *set, const struct hc_node_event_row *row,
                               struct hc_error *err)
{
    struct hc_node_event event = row->event;
    if (!row->node || !row->node[0])
        return HC_OK;
    event.is_of_tool = hc_event_process_is_tool(row->process);
    event.n_repeats = 0;
    if (hc_text_set_add(&set->nodes, row->node, hc_node_short_length(row->node), &event.node,
                        err) ||
        intern(&set->texts, row->source, &event.source, err) ||
        intern(&set->texts, row->name, &event.name, err) ||
        hc_reserve(&set->events, &set->room, set->n + 1, sizeof *set->events, err))
        return err->status;
    set->n_of_incidents += event.incident > 0;
    set->events[set->n++] = event;
    return HC_OK;
}

static int compare_events(const void *a, const void *b)
{
    const struct hc_node_event *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->event_class != y->event_class)
        return x->event_class < y->event_class ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->incident != y->incident)
        return x->incident < y->incident ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static bool are_same(const struct hc_node_event *a, const struct hc_node_event *b)
{
    return a->node == b->node && a->event_class == b->event_class && a->code == b->code &&
           a->pid == b->pid && a->name == b->name && !a->incident == !b->incident;
}

/* Whether an event repeats one of the kept ones before it, within 5 s of its last repeat; that one.
 * Lines of other kinds may stand between. */
static struct hc_node_event *repeated(struct hc_evidence_set *set, size_t n,
                                      const struct hc_node_event *event, const int64_t *last_ns)
{
    for (size_t i = n; i > 0 && set->events[i - 1].node == event->node; i--) {
        if (event->time_ns - last_ns[i - 1] <= REPEAT_NS && are_same(&set->events[i - 1], event))
            return &set->events[i - 1];
        if (n - i > 64)
            break;
    }
    return NULL;
}

static enum hc_status coalesce(struct hc_evidence_set *set, struct hc_error *err)
{
    int64_t *last_ns = hc_new_array(set->n, sizeof *last_ns, err);
    size_t n = 0;
    if (!last_ns)
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_node_event event = set->events[i];
        struct hc_node_event *before = repeated(set, n, &event, last_ns);
        if (before) {
            before->n_repeats++;
            last_ns[before - set->events] = event.time_ns;
            set->n_repeats += !event.incident;
            set->n_of_incidents -= event.incident > 0;
            continue;
        }
        set->n_of_tools += event.is_of_tool;
        last_ns[n] = event.time_ns;
        set->events[n++] = event;
    }
    set->n = n;
    free(last_ns);
    return HC_OK;
}

/* From when to when it is known what nodes said: recorded incidents, which may be of years, tell of
 * it only where there is nothing else. */
static void find_extent(struct hc_evidence_set *set)
{
    bool has_nodes = set->n_of_incidents < (int64_t)set->n, is_first = true;
    for (size_t i = 0; i < set->n; i++) {
        int64_t time_ns = set->events[i].time_ns;
        if (has_nodes && set->events[i].incident)
            continue;
        set->first_ns = is_first || time_ns < set->first_ns ? time_ns : set->first_ns;
        set->last_ns = is_first || time_ns > set->last_ns ? time_ns : set->last_ns;
        is_first = false;
    }
    for (size_t i = 0; i < set->nodes.n; i++)
        set->n_places += set->nodes.text[i][0] == HC_EVIDENCE_JOB[0];
}

enum hc_status hc_evidence_end(struct hc_evidence_set *set, struct hc_error *err)
{
    if (set->n)
        qsort(set->events, set->n, sizeof *set->events, compare_events);
    find_extent(set);
    if (coalesce(set, err))
        return err->status;
    set->first = hc_new_array(set->nodes.n + 1, sizeof *set->first, err);
    if (!set->first)
        return err->status;
    for (size_t node = 0, i = 0; node <= set->nodes.n; node++) {
        while (i < set->n && set->events[i].node < (int32_t)node)
            i++;
        set->first[node] = i;
    }
    return HC_OK;
}

void hc_evidence_fini(struct hc_evidence_set *set)
{
    hc_text_set_fini(&set->nodes);
    hc_text_set_fini(&set->texts);
    free(set->events);
    free(set->first);
    *set = (struct hc_evidence_set){0};
}

/* ---- judging ---- */

/* What is looked for, and what was found so far. */
struct search {
    const struct hc_evidence_set *set;
    const struct hc_end *end;
    struct hc_judgement *judgement;
    uint32_t chance; /* bit s: likely on the s-th of the shifted days */
};

/* Whether an event can stop a job by its kind. */
static bool can_stop(const struct hc_node_event *event)
{
    return !event->is_of_tool &&
           (event->effect == HC_EFFECT_STOPS || event->effect == HC_EFFECT_MAY_STOP ||
            event->effect == HC_EFFECT_HARDWARE);
}

static enum hc_failure_evidence weigh(const struct search *search,
                                      const struct hc_node_event *event, int64_t shift_ns)
{
    const struct hc_end *end = search->end;
    if (event->names_job && event->attempt != HC_MISSING_I32 &&
        event->attempt != (end->restarts == HC_MISSING_I32 ? 0 : end->restarts))
        return HC_EVIDENCE_NONE;
    bool is_in_time = event->time_ns <= end->end_ns + shift_ns || end->is_node_failure;
    bool names_rank = shift_ns == 0 && end->root_pid != HC_MISSING_I64 &&
                      event->pid == end->root_pid && end->root_node &&
                      strncmp(search->set->nodes.text[event->node], end->root_node,
                              hc_node_short_length(end->root_node)) == 0;
    if (!can_stop(event))
        return HC_EVIDENCE_COINCIDENT;
    return !is_in_time                      ? HC_EVIDENCE_COINCIDENT
           : names_rank || event->names_job ? HC_EVIDENCE_CERTAIN
                                            : HC_EVIDENCE_LIKELY;
}

/* The first event of a node from a time on. */
static size_t first_from(const struct hc_evidence_set *set, int32_t node, int64_t from_ns)
{
    size_t low = set->first[node], high = set->first[node + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->events[middle].time_ns < from_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The best evidence in the window of a node, shifted; the earliest event of that kind. */
static enum hc_failure_evidence look(const struct search *search, int32_t node, int64_t shift_ns,
                                     const struct hc_node_event **found)
{
    const struct hc_evidence_set *set = search->set;
    int64_t from_ns = search->end->fault_ns - HC_EVIDENCE_BEFORE_NS + shift_ns;
    int64_t to_ns = search->end->end_ns + HC_EVIDENCE_AFTER_NS + shift_ns;
    enum hc_failure_evidence best = HC_EVIDENCE_NONE;
    for (size_t i = first_from(set, node, from_ns);
         i < set->first[node + 1] && set->events[i].time_ns <= to_ns; i++) {
        enum hc_failure_evidence is = weigh(search, &set->events[i], shift_ns);
        if (is < best) {
            best = is;
            *found = &set->events[i];
        }
    }
    return best;
}

/* The days to which a window is shifted: -7, ..., -1, 1, ..., 7. */
static int64_t shift_of(int s)
{
    int days = s - HC_EVIDENCE_SHIFTS;
    return (days >= 0 ? days + 1 : days) * DAY_NS;
}

static bool is_covered(const struct search *search, int64_t shift_ns)
{
    return search->end->fault_ns - HC_EVIDENCE_BEFORE_NS + shift_ns >= search->set->first_ns &&
           search->end->end_ns + HC_EVIDENCE_AFTER_NS + shift_ns <= search->set->last_ns;
}

static void look_at_node(struct search *search, int32_t node)
{
    const struct hc_node_event *event = NULL;
    struct hc_judgement *judgement = search->judgement;
    enum hc_failure_evidence is = look(search, node, 0, &event);
    if (is < judgement->evidence || (is == judgement->evidence && event && judgement->event &&
                                     event->time_ns < judgement->event->time_ns)) {
        judgement->evidence = is;
        judgement->event = event;
    }
    for (int s = 0; s < 2 * HC_EVIDENCE_SHIFTS; s++)
        if (!(search->chance & 1u << s) && is_covered(search, shift_of(s)) &&
            look(search, node, shift_of(s), &event) <= HC_EVIDENCE_LIKELY)
            search->chance |= 1u << s;
}

static void look_at_place(struct search *search, const char *kind, const char *name)
{
    char text[300];
    if (!name)
        return;
    int n = snprintf(text, sizeof text, "%s%.250s", kind, name);
    int32_t place = hc_text_set_find(&search->set->nodes, text, (size_t)n);
    if (place >= 0)
        look_at_node(search, place);
}

static void look_at_places(struct search *search)
{
    char number[32];
    const struct hc_end *end = search->end;
    if (search->set->n_places == 0)
        return;
    snprintf(number, sizeof number, "%" PRId64, end->job);
    look_at_place(search, HC_EVIDENCE_JOB, number);
    look_at_place(search, HC_EVIDENCE_GROUP, end->partition);
    if (end->cluster && (!end->partition || strcmp(end->cluster, end->partition) != 0))
        look_at_place(search, HC_EVIDENCE_GROUP, end->cluster);
}

void hc_evidence_judge(const struct hc_evidence_set *set, const struct hc_end *end,
                       struct hc_judgement *judgement)
{
    struct search search = {.set = set, .end = end, .judgement = judgement};
    struct hc_node_list_reader reader;
    struct hc_error bad = {0};
    *judgement = (struct hc_judgement){.evidence = HC_EVIDENCE_NONE};
    if (end->nodes && end->nodes[0] && set->n) {
        judgement->has_bad_list =
            hc_node_list_open(&reader, end->nodes, strlen(end->nodes), &bad) != HC_OK;
        for (const char *name; !judgement->has_bad_list && (name = hc_node_list_next(&reader));) {
            int32_t node = hc_text_set_find(&set->nodes, name, hc_node_short_length(name));
            if (node >= 0)
                look_at_node(&search, node);
        }
    }
    look_at_places(&search);
    for (int s = 0; s < 2 * HC_EVIDENCE_SHIFTS; s++) {
        judgement->n_shifts += set->n && is_covered(&search, shift_of(s));
        judgement->n_chance += (search.chance >> s) & 1;
    }
    if (end->is_node_failure)
        judgement->evidence = HC_EVIDENCE_CERTAIN;
}
