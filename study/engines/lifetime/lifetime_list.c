/* The faults of lives as a list of incidents in JSON lines (docs/formats/incidents.md): what
 * `incidents_from` reads back as the same lives, and other simulators read as faults. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "core/base/memory.h"
#include "core/tables/incidents/incident_scope.h"
#include "core/tables/incidents/incident_table.h"
#include "core/text/json_writer.h"
#include "sim/lifetime/lifetime_faults.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS     1000000000
#define MOST_NAME     1000 /* bytes of a text in a list */
#define MOST_REPLICAS INT32_MAX

struct list {
    const struct hc_lifetime_config *config;
    FILE *stream;
    int64_t replica; /* its number */
    int64_t n;       /* rows of the replica */
    int64_t end_ns;  /* later than all rows, and the end of each life */
};

/* ---- what is refused ---- */

static enum hc_status check_name(const char *name, struct hc_error *err)
{
    size_t length = strlen(name);
    bool is_plain = length <= MOST_NAME;
    for (size_t i = 0; i < length; i++)
        is_plain &= (unsigned char)name[i] >= ' ' && name[i] != 0x7f;
    if (is_plain)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "a list of incidents does not take the name of a fault with control bytes or "
                   "more than %d bytes",
                   MOST_NAME);
}

enum hc_status hc_lifetime_list_check(const void *config, struct hc_error *err)
{
    const struct hc_lifetime_config *c = config;
    for (size_t f = 0; f < c->n_faults; f++)
        if (check_name(c->fault[f].name, err))
            return err->status;
    if (c->first_replica > MOST_REPLICAS - (uint64_t)c->replicas)
        return hc_fail(err, HC_BAD_INPUT, "a list of incidents takes replicas up to %d",
                       MOST_REPLICAS - 1);
    return hc_lifetime_faults_check(c, err);
}

/* ---- rows ---- */

static void put_time(FILE *stream, const char *key, int64_t at_ns)
{
    if (at_ns >= 0)
        fprintf(stream, ", \"%s\": %" PRId64 ".%09d", key, at_ns / SECOND_NS,
                (int)(at_ns % SECOND_NS));
}

/* How far a fault of a rate reaches; that of a domain may be a switch or a rack. */
static const char *scope_of(const struct hc_lifetime_fault *fault)
{
    static const int scopes[] = {[HC_PER_NODE] = HC_SCOPE_NODE,
                                 [HC_PER_DEVICE] = HC_SCOPE_DEVICE,
                                 [HC_PER_JOB] = HC_SCOPE_JOB};
    if (fault->n_incidents || fault->unit == HC_PER_DOMAIN)
        return NULL;
    return hc_incident_scope_name(scopes[fault->unit]);
}

static void put_cause(FILE *stream, const struct hc_lifetime_fault *fault)
{
    static const enum hc_incident_class classes[] = {[HC_FAULT_EXPLICIT] = HC_CLASS_EXPLICIT,
                                                     [HC_FAULT_IMPLICIT] = HC_CLASS_IMPLICIT,
                                                     [HC_FAULT_MANUAL] = HC_CLASS_MANUAL};
    const char *scope = scope_of(fault);
    if (hc_incident_cause_find(fault->name, strlen(fault->name)) >= 0)
        fprintf(stream, ", \"cause\": \"%s\"", fault->name);
    fputs(", \"text\": ", stream);
    hc_json_string(stream, fault->name);
    fprintf(stream, ", \"class\": \"%s\"", hc_incident_class_name(classes[fault->fault_class]));
    if (scope)
        fprintf(stream, ", \"scope\": \"%s\"", scope);
}

static enum hc_status put_row(void *context, const struct hc_drawn_fault *fault,
                              struct hc_error *err)
{
    struct list *list = context;
    FILE *stream = list->stream;
    fprintf(stream, "{\"replica\": %" PRId64 ", \"part_of\": %d", list->replica,
            (int)fault->part_of);
    put_time(stream, "time", fault->at_ns);
    put_cause(stream, &list->config->fault[fault->cause]);
    if (fault->slot >= 0)
        fprintf(stream, ", \"node\": \"n%d\", \"slot\": %d", (int)fault->slot, (int)fault->slot);
    put_time(stream, "detected", fault->detected_ns);
    put_time(stream, "located", fault->located_ns);
    put_time(stream, "recovered", fault->recovered_ns);
    fputs("}\n", stream);
    list->n++;
    list->end_ns = fault->at_ns >= list->end_ns ? fault->at_ns + 1 : list->end_ns;
    return ferror(stream) ? hc_fail_errno(err, "cannot write", "the list of incidents") : HC_OK;
}

/* ---- lives ---- */

/* A replica without a row would be none of the list, and those after it be taken for it. */
static enum hc_status check_rows(const struct list *list, size_t n, struct hc_error *err)
{
    if (list->n || n == 1)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "nothing strikes replica %" PRId64 ": a list of several replicas cannot say "
                   "that",
                   list->replica);
}

enum hc_status hc_lifetime_list_write(const void *config, size_t n, FILE *stream,
                                      struct hc_error *err)
{
    struct list list = {.config = config, .stream = stream, .end_ns = 1};
    struct hc_lifetime_replica *life = hc_new_array(1, sizeof *life, err);
    enum hc_status status = life ? HC_OK : err->status;
    for (size_t i = 0; i < n && !status; i++) {
        list.replica = (int64_t)(list.config->first_replica + i);
        list.n = 0;
        status = hc_lifetime_faults_run(config, i, put_row, &list, life, err);
        if (!status)
            status = check_rows(&list, n, err);
        list.end_ns = life->wall_ns > list.end_ns ? life->wall_ns : list.end_ns;
    }
    if (!status) {
        fprintf(stream, "{\"observation\": {\"nodes\": %d, \"start\": 0",
                (int)list.config->job.nodes);
        put_time(stream, "end", list.end_ns);
        fputs("}}\n", stream);
    }
    free(life);
    return status;
}
