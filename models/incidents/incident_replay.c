/* Incidents as a simulation replays them: times from the start of the job, names as slots. */
#include "models/incidents/incident_choice.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- names to slots ---- */

struct place {
    const char *name;
    int32_t group, node;
    int64_t slot;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* By the value of the digits; leading zeros count where all else is the same (strcmp decides). */
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    const char *x = *a, *y = *b;
    while (is_digit(**a))
        ++*a;
    while (is_digit(**b))
        ++*b;
    long n = *a - x, m = *b - y;
    if (n != m)
        return n < m ? -1 : 1;
    return strncmp(x, y, (size_t)n);
}

static int compare_names(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        int order = 0;
        if (is_digit(*x) && is_digit(*y))
            order = compare_numbers(&x, &y);
        else if ((order = (unsigned char)*x - (unsigned char)*y) == 0)
            x++, y++;
        if (order)
            return order;
    }
    return *x ? 1 : *y ? -1 : strcmp(a, b);
}

static int by_name(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return compare_names(x->name, y->name);
}

static int by_code(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Give the named nodes of each group, which are in order, slots that are spread over it. */
static enum hc_status spread(const struct hc_watch *watch, struct place *places, size_t n,
                             struct hc_error *err)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && places[end].group == places[i].group;)
            end++;
        const struct hc_watched_group *group = hc_watch_group(watch, places[i].group);
        int64_t named = (int64_t)(end - i);
        if (named > group->nodes)
            return hc_fail(err, HC_BAD_INPUT, "%lld nodes are named, but %lld were watched",
                           (long long)named, (long long)group->nodes);
        for (int64_t j = 0; j < named; j++)
            places[i + (size_t)j].slot = group->first_slot + j * group->nodes / named;
    }
    return HC_OK;
}

/* Every named node of the watched groups, by code. */
static enum hc_status place_nodes(const struct hc_incident_set *set, const struct hc_watch *watch,
                                  struct place **places, size_t *n_places, struct hc_error *err)
{
    struct place *all = hc_new_array(set->n, sizeof *all, err);
    size_t n = 0, n_all = 0;
    if (!all)
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_incident *incident = &set->incidents[i];
        if (incident->node >= 0 && hc_watch_group(watch, incident->group))
            all[n_all++] = (struct place){set->names.set[HC_NAMES_NODE].text[incident->node],
                                          incident->group, incident->node, 0};
    }
    if (n_all)
        qsort(all, n_all, sizeof *all, by_code);
    for (size_t i = 0; i < n_all; i++)
        if (!n || by_code(&all[n - 1], &all[i]) != 0)
            all[n++] = all[i];
    if (n)
        qsort(all, n, sizeof *all, by_name);
    if (spread(watch, all, n, err)) {
        free(all);
        return err->status;
    }
    if (n)
        qsort(all, n, sizeof *all, by_code);
    *places = all;
    *n_places = n;
    return HC_OK;
}

/* ---- incidents ---- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_time(const void *a, const void *b)
{
    const struct hc_replayed_incident *x = a, *y = b;
    int order = compare(x->replica, y->replica);
    order = order ? order : compare(x->at_ns, y->at_ns);
    order = order ? order : compare(x->part_of, y->part_of);
    return order ? order : compare(x->slot, y->slot);
}

static int32_t or_none(int32_t value)
{
    return value == HC_MISSING_I32 ? -1 : value;
}

static int64_t moment(int64_t time_ns, const struct hc_watch *watch)
{
    return time_ns == HC_MISSING_I64 ? -1 : time_ns - watch->from_ns;
}

static void take(struct hc_incident_replay *replay, const struct hc_incident *incident,
                 const struct hc_watch *watch, int64_t slot, int64_t job_nodes)
{
    if (incident->time_ns == HC_MISSING_I64)
        replay->n_no_time += incident->count;
    else if (incident->time_ns < watch->from_ns || incident->time_ns >= watch->to_ns)
        replay->n_outside++;
    else if (slot >= job_nodes)
        replay->n_beyond++;
    else {
        replay->n_no_node += slot < 0;
        replay->incidents[replay->n++] =
            (struct hc_replayed_incident){.at_ns = moment(incident->time_ns, watch),
                                          .detected_ns = moment(incident->detected_ns, watch),
                                          .located_ns = moment(incident->located_ns, watch),
                                          .recovered_ns = moment(incident->recovered_ns, watch),
                                          .slot = (int32_t)slot,
                                          .part_of = or_none(incident->part_of),
                                          .replica = or_none(incident->replica)};
    }
}

/* Where its node is among those that were watched; -1: the node is not recorded. A slot that the
 * list gives goes first. */
static enum hc_status find_slot(int64_t *slot, const struct hc_incident *incident,
                                const struct hc_watch *watch, const struct place *places, size_t n,
                                struct hc_error *err)
{
    const struct place wanted = {.group = incident->group, .node = incident->node};
    const struct hc_watched_group *group = hc_watch_group(watch, incident->group);
    *slot = -1;
    if (incident->slot != HC_MISSING_I32 && group) {
        if (incident->slot >= group->nodes)
            return hc_fail(err, HC_BAD_INPUT,
                           "an incident is of slot %d, but %lld nodes were watched",
                           (int)incident->slot, (long long)group->nodes);
        *slot = group->first_slot + incident->slot;
        return HC_OK;
    }
    const struct place *place =
        incident->node < 0 || !n ? NULL : bsearch(&wanted, places, n, sizeof *places, by_code);
    *slot = place ? place->slot : -1;
    return HC_OK;
}

/* Which replicas of a simulation the list has, whatever is chosen of their faults. */
static enum hc_status find_replicas(struct hc_incident_replay *replay,
                                    const struct hc_incident_choice *choice, struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    int32_t last = -1;
    size_t n_none = 0;
    for (size_t i = 0; i < set->n; i++) {
        int32_t replica = or_none(set->incidents[i].replica);
        if (choice->is_of_replica && replica != choice->replica)
            continue;
        n_none += replica < 0;
        if (replica < 0)
            continue;
        if (last < 0 || replica < replay->first_replica)
            replay->first_replica = replica;
        last = replica > last ? replica : last;
    }
    if (choice->is_of_replica && last < 0)
        return hc_fail(err, HC_BAD_INPUT, "the list has no replica %d", (int)choice->replica);
    if (last >= 0 && n_none)
        return hc_fail(err, HC_BAD_INPUT, "%zu incidents are of no replica, and others are",
                       n_none);
    replay->n_replicas = last < 0 ? 0 : (size_t)(last - replay->first_replica) + 1;
    return HC_OK;
}

static enum hc_status take_all(struct hc_incident_replay *replay,
                               const struct hc_incident_choice *choice,
                               const struct hc_watch *watch, int64_t job_nodes,
                               struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    struct place *places = NULL;
    size_t n_places = 0;
    if (find_replicas(replay, choice, err) || place_nodes(set, watch, &places, &n_places, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < set->n && !status; i++) {
        int64_t slot = -1;
        if (!hc_is_chosen(choice, &set->incidents[i]))
            continue;
        status = find_slot(&slot, &set->incidents[i], watch, places, n_places, err);
        if (!status)
            take(replay, &set->incidents[i], watch, slot, job_nodes);
    }
    free(places);
    if (replay->n && !status)
        qsort(replay->incidents, replay->n, sizeof *replay->incidents, by_time);
    for (size_t i = 1; i < replay->n; i++) {
        const struct hc_replayed_incident *one = &replay->incidents[i], *before = one - 1;
        replay->n_together += one->replica == before->replica && one->at_ns == before->at_ns;
    }
    return status;
}

static enum hc_status check_job(const struct hc_incident_replay *replay, int64_t job_nodes,
                                struct hc_error *err)
{
    if (job_nodes > replay->watched_nodes)
        return hc_fail(err, HC_BAD_INPUT,
                       "the job has %lld nodes, but %lld were watched: nothing is known of the "
                       "others",
                       (long long)job_nodes, (long long)replay->watched_nodes);
    if (job_nodes < replay->watched_nodes && replay->n_no_node)
        return hc_fail(err, HC_BAD_INPUT,
                       "of %lld incidents the node is not recorded: whether they met a job on %lld "
                       "of %lld nodes is not known",
                       (long long)replay->n_no_node, (long long)job_nodes,
                       (long long)replay->watched_nodes);
    if (!replay->n)
        return hc_fail(err, HC_BAD_INPUT, "none of the incidents meets the job");
    return HC_OK;
}

enum hc_status hc_incident_replay_open(struct hc_incident_replay *replay,
                                       const struct hc_incident_choice *choice, int64_t job_nodes,
                                       struct hc_error *err)
{
    struct hc_watch watch;
    *replay = (struct hc_incident_replay){.n = 0};
    if (hc_watch_open(&watch, choice, err))
        return err->status;
    replay->watched_nodes = watch.nodes;
    replay->covered_s = (double)(watch.to_ns - watch.from_ns) / 1e9;
    replay->incidents = hc_new_array(choice->set->n, sizeof *replay->incidents, err);
    enum hc_status status = replay->incidents ? HC_OK : err->status;
    if (!status)
        status = take_all(replay, choice, &watch, job_nodes, err);
    if (!status)
        status = check_job(replay, job_nodes, err);
    hc_watch_close(&watch);
    if (status)
        hc_incident_replay_close(replay);
    return status;
}

void hc_incident_replay_close(struct hc_incident_replay *replay)
{
    free(replay->incidents);
    *replay = (struct hc_incident_replay){.n = 0};
}
