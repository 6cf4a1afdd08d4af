#include "models/incidents/incident_choice.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_DAY 86400e9

static bool has_group(const struct hc_incident_choice *choice, int32_t group)
{
    if (!choice->n_groups)
        return true;
    for (size_t i = 0; i < choice->n_groups; i++)
        if (choice->group[i] == group)
            return true;
    return false;
}

static bool has_text(const struct hc_incident_choice *choice, int32_t text)
{
    if (!choice->n_texts)
        return true;
    for (size_t i = 0; i < choice->n_texts; i++)
        if (choice->text[i] == text)
            return true;
    return false;
}

bool hc_is_chosen(const struct hc_incident_choice *choice, const struct hc_incident *incident)
{
    return choice->is_cause[incident->cause] && has_group(choice, incident->group) &&
           has_text(choice, incident->text) &&
           (!choice->is_of_replica || choice->replica == incident->replica);
}

/* " of group 'x'", or nothing where the source has no groups. */
struct of_group {
    char text[128];
};

static struct of_group of_group(const struct hc_incident_set *set, int32_t group)
{
    struct of_group of = {""};
    if (group >= 0)
        snprintf(of.text, sizeof of.text, " of group '%s'",
                 set->names.set[HC_NAMES_GROUP].text[group]);
    return of;
}

static enum hc_status watch_group(struct hc_watch *watch, const struct hc_incident_choice *choice,
                                  const struct hc_observation *observation, struct hc_error *err)
{
    struct of_group of = of_group(choice->set, observation->group);
    int64_t nodes = observation->nodes == HC_MISSING_I32 ? choice->nodes : observation->nodes;
    if (hc_watch_group(watch, observation->group))
        return hc_fail(err, HC_BAD_INPUT, "what was watched%s is recorded twice", of.text);
    if (nodes < 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "how many nodes%s were watched is not recorded: give 'nodes'", of.text);
    if (observation->start_ns == HC_MISSING_I64 || observation->end_ns == HC_MISSING_I64)
        return hc_fail(err, HC_BAD_INPUT,
                       "from when to when nodes%s were watched is not recorded: a list in JSON "
                       "lines can say it",
                       of.text);
    watch->groups[watch->n_groups++] =
        (struct hc_watched_group){observation->group, nodes, watch->nodes};
    watch->nodes += nodes;
    if (watch->n_groups == 1 || observation->start_ns > watch->day0_ns)
        watch->day0_ns = observation->start_ns;
    if (watch->n_groups == 1 || observation->end_ns < watch->to_ns)
        watch->to_ns = observation->end_ns;
    return HC_OK;
}

/* A rate needs the time during which a group was watched: refuse incidents that are chosen of a
 * group for which the source has no record of that. */
static enum hc_status check_groups(const struct hc_watch *watch,
                                   const struct hc_incident_choice *choice, struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    if (!watch->n_groups)
        return hc_fail(err, HC_BAD_INPUT,
                       "what was watched is not recorded: a list in JSON lines "
                       "can say it");
    for (size_t i = 0; i < set->n; i++)
        if (hc_is_chosen(choice, &set->incidents[i]) &&
            !hc_watch_group(watch, set->incidents[i].group))
            return hc_fail(err, HC_BAD_INPUT,
                           "what was watched%s is not recorded: a list in JSON lines can say it",
                           of_group(set, set->incidents[i].group).text);
    return HC_OK;
}

static enum hc_status cut(struct hc_watch *watch, const struct hc_incident_choice *choice,
                          struct hc_error *err)
{
    double days = ((double)watch->to_ns - (double)watch->day0_ns) / NS_PER_DAY;
    if (!(days > 0))
        return hc_fail(err, HC_BAD_INPUT,
                       "the chosen groups were never watched at the same time: choose some of them "
                       "with 'groups'");
    if (choice->from_d >= days)
        return hc_fail(err, HC_BAD_INPUT, "'from_d' is %.15g, but the records cover %.6g days",
                       choice->from_d, days);
    if (choice->to_d > days)
        return hc_fail(err, HC_BAD_INPUT, "'to_d' is %.15g, but the records cover %.6g days",
                       choice->to_d, days);
    if (choice->to_d > 0 && choice->to_d <= choice->from_d)
        return hc_fail(err, HC_BAD_INPUT, "'to_d' must be above 'from_d' (%.15g), not %.15g",
                       choice->from_d, choice->to_d);
    watch->from_ns = watch->day0_ns + (int64_t)(choice->from_d * NS_PER_DAY);
    if (choice->to_d > 0)
        watch->to_ns = watch->day0_ns + (int64_t)(choice->to_d * NS_PER_DAY);
    return HC_OK;
}

enum hc_status hc_watch_open(struct hc_watch *watch, const struct hc_incident_choice *choice,
                             struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    *watch =
        (struct hc_watch){.groups = hc_new_array(set->n_observations, sizeof *watch->groups, err)};
    enum hc_status status = watch->groups ? HC_OK : err->status;
    for (size_t i = 0; i < set->n_observations && !status; i++)
        if (has_group(choice, set->observations[i].group))
            status = watch_group(watch, choice, &set->observations[i], err);
    if (!status)
        status = check_groups(watch, choice, err);
    if (!status)
        status = cut(watch, choice, err);
    if (status)
        hc_watch_close(watch);
    return status;
}

void hc_watch_close(struct hc_watch *watch)
{
    free(watch->groups);
    *watch = (struct hc_watch){.groups = NULL};
}

const struct hc_watched_group *hc_watch_group(const struct hc_watch *watch, int32_t group)
{
    for (size_t i = 0; i < watch->n_groups; i++)
        if (watch->groups[i].group == group)
            return &watch->groups[i];
    return NULL;
}
