#include "pipeline/daily/history_joined.h"

#include "core/base/missing.h"
#include "core/text/node_list.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- launches of training ---- */

/* " 12", or "" where it is not known. */
static const char *known(const char *before, int64_t number, char room[80])
{
    room[0] = '\0';
    if (number != HC_MISSING_I64)
        snprintf(room, 80, "%s%" PRId64, before, number);
    return room;
}

static enum hc_status add_cycle(struct hc_history_search *search, const struct hc_join_cycle *cycle,
                                struct hc_error *err)
{
    const struct hc_joins *joins = &search->joins;
    char text[HC_HISTORY_TEXT], room[2][80];
    const char *run = cycle->run < 0 ? "?" : joins->texts.text[joins->runs[cycle->run].name];
    bool is_late = cycle->first_step_ns != HC_MISSING_I64 && cycle->first_step_ns < cycle->start_ns;
    struct hc_history_item item = {.time_ns = is_late ? cycle->first_step_ns : cycle->start_ns,
                                   .table = "cycles",
                                   .text = text,
                                   .source = joins->texts.text[cycle->source],
                                   .line = cycle->line};
    if (!cycle->has_clock)
        return HC_OK;
    snprintf(text, sizeof text, "launch of run '%s'%s%s", run,
             known(" from the checkpoint of iteration ", cycle->loaded_iteration, room[0]),
             is_late ? known(", its first step: iteration ", cycle->first_iteration, room[1]) : "");
    if (hc_history_add(search->history, &item, err))
        return err->status;
    item.time_ns = cycle->first_step_ns;
    snprintf(text, sizeof text, "first step%s",
             known(", iteration ", cycle->first_iteration, room[0]));
    if (item.time_ns != HC_MISSING_I64 && !is_late && hc_history_add(search->history, &item, err))
        return err->status;
    item.time_ns = cycle->end_ns;
    snprintf(text, sizeof text, "last that the log tells of the launch%s%s%s",
             known(": iteration ", cycle->last_iteration, room[0]),
             known(", saved ", cycle->saved_iteration, room[1]),
             cycle->is_done ? "; training is done" : "");
    return item.time_ns == HC_MISSING_I64 ? HC_OK : hc_history_add(search->history, &item, err);
}

static enum hc_status add_cycles(struct hc_history_search *search, struct hc_error *err)
{
    for (size_t i = 0; i < search->joins.n_cycles; i++)
        if (hc_history_is_its_cycle(search, &search->joins.cycles[i]) &&
            add_cycle(search, &search->joins.cycles[i], err))
            return err->status;
    return HC_OK;
}

/* ---- timelines ---- */

static enum hc_status add_timeline(struct hc_history_search *search,
                                   const struct hc_join_timeline *timeline, struct hc_error *err)
{
    const struct hc_joins *joins = &search->joins;
    char text[HC_HISTORY_TEXT], steps[80], length[HC_NUMBER_TEXT];
    snprintf(text, sizeof text, "timeline '%.300s' begins, of %s%s",
             joins->texts.text[timeline->name],
             hc_format_seconds((double)(timeline->to_ns - timeline->from_ns) / 1e9, length),
             known(", steps: ", timeline->n_steps ? timeline->n_steps : HC_MISSING_I64, steps));
    const struct hc_history_item item = {.time_ns = timeline->from_ns,
                                         .table = "timelines",
                                         .text = text,
                                         .source =
                                             joins->texts.text[joins->logs[timeline->log].path],
                                         .line = HC_MISSING_I64};
    return hc_history_add(search->history, &item, err);
}

static enum hc_status add_timelines(struct hc_history_search *search, struct hc_error *err)
{
    for (size_t i = 0; i < search->joins.n_timelines; i++)
        if (hc_history_is_its_attempt(search, search->joins.timelines[i].attempt) &&
            add_timeline(search, &search->joins.timelines[i], err))
            return err->status;
    return HC_OK;
}

/* ---- recorded incidents ---- */

static bool struck(const struct hc_history_search *search, const struct hc_recorded_incident *is)
{
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    if (search->subject == HC_HISTORY_NODE)
        return hc_history_has_node(is->node, search->name);
    if (is->job != HC_MISSING_I64)
        return search->subject == HC_HISTORY_RUN
                   ? hc_int_map_find(&search->jobs, (uint64_t)is->job) >= 0
                   : is->job == search->job;
    if (!is->node || hc_node_list_open(&reader, is->node, strlen(is->node), &ignored))
        return false;
    for (const char *name; (name = hc_node_list_next(&reader));)
        if (hc_history_is_there(search, name, is->time_ns))
            return true;
    return false;
}

static enum hc_status add_incident(struct hc_history_search *search,
                                   const struct hc_recorded_incident *is, struct hc_error *err)
{
    char text[HC_HISTORY_TEXT], name[HC_HISTORY_TEXT / 2];
    hc_recorded_name(is, name, sizeof name);
    const char *scope = hc_incident_scope_name(is->scope);
    int n = snprintf(text, sizeof text, "%.100s%sincident %.200s%s%s%s, %s%s%.200s",
                     is->node ? is->node : "", is->node ? ": " : "", name, scope ? " (" : "",
                     scope ? scope : "", scope ? ")" : "",
                     is->cause == HC_MISSING_I32
                         ? "?"
                         : hc_incident_cause_info((enum hc_incident_cause)is->cause)->name,
                     is->text ? ": " : "", is->text ? is->text : "");
    struct hc_history_item item = {.time_ns = is->time_ns,
                                   .table = "incidents",
                                   .text = text,
                                   .source = (char *)(uintptr_t)is->source,
                                   .line = HC_MISSING_I64};
    if (hc_history_add(search->history, &item, err))
        return err->status;
    item.time_ns = is->recovered_ns;
    snprintf(text + n, sizeof text - (size_t)n, ": over");
    return item.time_ns == HC_MISSING_I64 ? HC_OK : hc_history_add(search->history, &item, err);
}

/* Those whose time is known. */
static enum hc_status add_incidents(struct hc_history_search *search, struct hc_error *err)
{
    for (size_t i = 0; i < search->recorded.n; i++)
        if (search->recorded.list[i].time_ns != HC_MISSING_I64 &&
            struck(search, &search->recorded.list[i]) &&
            add_incident(search, &search->recorded.list[i], err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_history_add_joined(struct hc_history_search *search, struct hc_error *err)
{
    return add_cycles(search, err) || add_timelines(search, err) ? err->status
                                                                 : add_incidents(search, err);
}
