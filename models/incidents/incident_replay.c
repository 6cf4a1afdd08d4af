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

static int by_time(const void *a, const void *b)
{
    const struct hc_replayed_incident *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
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
            (struct hc_replayed_incident){incident->time_ns - watch->from_ns, (int32_t)slot};
    }
}

static enum hc_status take_all(struct hc_incident_replay *replay,
                               const struct hc_incident_choice *choice,
                               const struct hc_watch *watch, int64_t job_nodes,
                               struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    struct place *places = NULL;
    size_t n_places = 0;
    if (place_nodes(set, watch, &places, &n_places, err))
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_incident *incident = &set->incidents[i];
        const struct place wanted = {.group = incident->group, .node = incident->node};
        if (!hc_is_chosen(choice, incident))
            continue;
        const struct place *place =
            incident->node < 0 || !n_places
                ? NULL
                : bsearch(&wanted, places, n_places, sizeof *places, by_code);
        take(replay, incident, watch, place ? place->slot : -1, job_nodes);
    }
    free(places);
    if (replay->n)
        qsort(replay->incidents, replay->n, sizeof *replay->incidents, by_time);
    for (size_t i = 1; i < replay->n; i++)
        replay->n_together += replay->incidents[i].at_ns == replay->incidents[i - 1].at_ns;
    return HC_OK;
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
