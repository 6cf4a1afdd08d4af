#include "reports/evidence/recorded_report.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/number_format.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <stdlib.h>

#define NS_PER_HOUR 3600e9

/* ---- field by field ---- */

#define INCIDENT(at) HC_OF(struct hc_recorded_incident, at)
#define FIELD(...)   HC_FIELD(struct hc_recorded_incident, __VA_ARGS__)

static const char *cause_name(const struct hc_recorded_incident *is)
{
    return is->cause == HC_MISSING_I32
               ? NULL
               : hc_incident_cause_info((enum hc_incident_cause)is->cause)->name;
}

static const char *name_in(const struct hc_recorded_incident *is, char room[HC_CELL_ROOM])
{
    hc_recorded_name(is, room, HC_CELL_ROOM);
    return room;
}

HC_GIVES_TEXT(name_of, name_in(INCIDENT(at), room))
HC_GIVES_TEXT(cause_of, cause_name(INCIDENT(at)))
HC_GIVES_TEXT(scope_of, hc_incident_scope_name(INCIDENT(at)->scope))
HC_GIVES_TEXT(method_of, hc_recorded_method_name(INCIDENT(at)->method))
HC_GIVES(bool, stops_of, INCIDENT(at)->effect == HC_EFFECT_HARDWARE)
HC_GIVES(double, hours_of, (double)INCIDENT(at)->gpu_ns / NS_PER_HOUR)
HC_GIVES_TEXT(said_of, INCIDENT(at)->correction
                           ? hc_correction_cause_name(INCIDENT(at)->correction->cause)
                           : NULL)

static const struct hc_field recorded_fields[] = {
    HC_TEXT_OF("incident", name_of, "its list and row, by which corrections name it"),
    FIELD("time_ns", time_ns, "ns", "when it began; null: the list has no clock"),
    FIELD("recovered_ns", recovered_ns, "ns", "when it was over"),
    HC_TEXT_OF("cause", cause_of, "of the fixed words (docs/formats/incidents.md)"),
    FIELD("job", job, "", "that it names"),
    FIELD("attempt", attempt, "", "restarts of that job, that it names"),
    FIELD("node", node, "", "or list of nodes, that it names"),
    FIELD("group", group, "", "partition or cluster, that it names"),
    HC_TEXT_OF("scope", scope_of, "how far it reached, as its list says; null: it does not"),
    HC_BOOL_OF("stops", stops_of,
               "it can stop a job: of the infrastructure, and noticed by what it did"),
    HC_TEXT_OF("corrected", said_of, "whose doing it was, by a person; null: nobody says"),
    HC_TEXT_OF(
        "method", method_of,
        "by which it joins: job, node, group; no_place: it names none; no_clock: its time is "
        "relative or of a place that is not said"),
    FIELD("attempts", n_attempts, "", "that it joined"),
    HC_REAL_OF("gpu_hours", hours_of, "GPU-hours", "held by these"),
};
const struct hc_record_def hc_recorded_record = HC_RECORD(NULL, recorded_fields);

/* ---- text ---- */

void hc_recorded_put_head(FILE *stream, const struct hc_recorded *recorded)
{
    static const char *const words[HC_N_RECORDED_METHODS] = {
        [HC_RECORDED_BY_JOB] = "by the job that they name",
        [HC_RECORDED_BY_NODE] = "by node and time",
        [HC_RECORDED_BY_GROUP] = "by partition or cluster and time",
        [HC_RECORDED_NO_PLACE] = "name no job, node or group",
        [HC_RECORDED_NO_CLOCK] = "have no absolute time",
    };
    int64_t joined[HC_N_RECORDED_METHODS] = {0}, n[HC_N_RECORDED_METHODS] = {0}, n_none = 0;
    struct hc_text_line line = {.used = 0};
    char count[HC_NUMBER_TEXT];
    for (size_t i = 0; i < recorded->n; i++) {
        const struct hc_recorded_incident *is = &recorded->list[i];
        n[is->method]++;
        joined[is->method] += is->n_attempts > 0;
        n_none += is->n_attempts == 0 && is->method <= HC_RECORDED_BY_GROUP;
    }
    if (recorded->n == 0)
        return;
    hc_line_add(&line, "%s recorded", hc_format_count((int64_t)recorded->n, count));
    for (int k = 0; k <= HC_RECORDED_BY_GROUP; k++)
        if (joined[k])
            hc_line_add(&line, ", %s joined %s", hc_format_count(joined[k], count), words[k]);
    if (n_none)
        hc_line_add(&line, ", %s when nothing ran there", hc_format_count(n_none, count));
    for (int k = HC_RECORDED_NO_PLACE; k < HC_N_RECORDED_METHODS; k++)
        if (n[k])
            hc_line_add(&line, ", %s %s", hc_format_count(n[k], count), words[k]);
    hc_line_put(stream, "incidents", &line);
}

static int compare(const void *a, const void *b)
{
    const struct hc_recorded_incident *x = *(const struct hc_recorded_incident *const *)a;
    const struct hc_recorded_incident *y = *(const struct hc_recorded_incident *const *)b;
    if (x->gpu_ns != y->gpu_ns)
        return x->gpu_ns > y->gpu_ns ? -1 : 1;
    return (x > y) - (x < y);
}

static void put_one(struct hc_section *section, const struct hc_recorded_incident *is)
{
    char room[HC_CELL_ROOM], time[48], text[HC_NUMBER_TEXT];
    double gpu_hours = (double)is->gpu_ns / NS_PER_HOUR;
    hc_section_text(section, name_in(is, room));
    hc_section_text(section, cause_name(is) ? cause_name(is) : "?");
    if (is->time_ns == HC_MISSING_I64)
        snprintf(time, sizeof time, "-");
    else
        hc_format_iso8601(is->time_ns, time);
    time[16] = '\0';
    hc_section_text(section, time);
    hc_section_text(section, hc_recorded_method_name(is->method));
    hc_section_count(section, is->n_attempts);
    hc_section_text(
        section, is->n_attempts ? hc_format_fixed(gpu_hours, gpu_hours < 100 ? 1 : 0, text) : "-");
}

enum hc_status hc_recorded_put(FILE *stream, const struct hc_recorded *recorded, size_t top,
                               struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "incident", .width = 22},
        {.title = "cause", .gap = 1, .width = 20},
        {.title = "began", .gap = 1, .width = 16},
        {.title = "by", .gap = 1},
        {.title = "attempts", .gap = 1, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .is_right = true},
    };
    struct hc_section section = {.title = "INCIDENTS THAT JOIN NO ATTEMPT OR SEVERAL",
                                 .columns = columns,
                                 .n_columns = sizeof columns / sizeof *columns};
    const struct hc_recorded_incident **order =
        hc_new_array(recorded->n, sizeof(const struct hc_recorded_incident *), err);
    size_t n = 0;
    if (!order)
        return err->status;
    for (size_t i = 0; i < recorded->n; i++)
        if (recorded->list[i].n_attempts != 1)
            order[n++] = &recorded->list[i];
    if (n)
        qsort(order, n, sizeof *order, compare);
    for (size_t i = 0; i < n && i < top; i++)
        put_one(&section, order[i]);
    if (n > top)
        hc_section_note(&section, "and %zu more, which --json lists", n - top);
    free(order);
    if (n)
        return hc_section_print(stream, section, err);
    hc_section_fini(&section);
    return HC_OK;
}
