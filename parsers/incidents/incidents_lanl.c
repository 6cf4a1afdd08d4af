/* incidents_lanl.c - the failure records of Los Alamos (LA-UR-05-7318): CSV, a row a failure, with
 * the node, its system, local times, and one of six columns that says the cause
 * (docs/formats/incidents.md). */
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/incidents/incident_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_SYSTEMS 4096

enum field {
    SYSTEM,
    NODES,
    NODE,
    PRODUCTION,
    DECOMMISSION,
    STARTED,
    DOWN_TIME,
    FACILITIES,
    HARDWARE,
    HUMAN_ERROR,
    NETWORK,
    UNDETERMINED,
    SOFTWARE,
    N_FIELDS
};

static const char *const names[N_FIELDS] = {
    "System",       "nodes",        "nodenumz",   "node prod", "node decom",
    "Prob Started", "Down Time",    "Facilities", "Hardware",  "Human Error",
    "Network",      "Undetermined", "Software",
};

/* What is known of the nodes of one system. */
struct system {
    int32_t group, nodes;
    int64_t start_ns, end_ns;
    bool is_current; /* a node of it was still there at the end of the records */
};

struct incidents_lanl {
    struct hc_incident_csv csv;
    const struct hc_source *source;
    size_t column[N_FIELDS];
    size_t n_systems, capacity;
    struct system *systems;
    int64_t last_ns; /* the latest start of a failure */
};

static int probe(const unsigned char *head, size_t length, const char *path)
{
    static const char begin[] = "System,machine type,nodes,";
    (void)path;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    return length >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0 ? 97 : 0;
}

static enum hc_status read_header(struct incidents_lanl *p, struct hc_error *err)
{
    struct hc_csv_record header;
    if (hc_csv_next(p->csv.scanner, &header, err))
        return err->status;
    for (int f = 0; f < N_FIELDS; f++) {
        size_t i = 0;
        while (i < header.n_fields && (header.fields[i].length != strlen(names[f]) ||
                                       memcmp(header.fields[i].text, names[f], strlen(names[f]))))
            i++;
        if (i == header.n_fields)
            return hc_fail(err, HC_BAD_INPUT, "'%s': line 1: column '%s' is missing",
                           p->source->name, names[f]);
        p->column[f] = i;
    }
    p->csv.n_columns = header.n_fields;
    return HC_OK;
}

/* ---- dates ---- */

static bool calendar_ns(int year, int month, int day, int hour, int minute, int64_t *ns)
{
    char text[40];
    int length =
        snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:00Z", year, month, day, hour, minute);
    return hc_parse_iso8601(text, (size_t)length, ns);
}

static bool copy_field(const struct hc_csv_field *field, char text[24])
{
    if (field->length >= 24)
        return false;
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    return true;
}

/* "6/21/2005 10:54", of a local clock. */
static bool read_local(const struct hc_csv_field *field, int64_t *ns)
{
    char text[24];
    int month, day, year, hour, minute, used = 0;
    return copy_field(field, text) &&
           sscanf(text, "%2d/%2d/%4d %2d:%2d%n", &month, &day, &year, &hour, &minute, &used) == 5 &&
           (size_t)used == field->length && month > 0 && day > 0 && year > 0 && hour >= 0 &&
           minute >= 0 && calendar_ns(year, month, day, hour, minute, ns);
}

/* The first day of "Nov-96", or of "5-Nov" (2005), as a spreadsheet turned "Nov-05" into. */
static bool read_month(const struct hc_csv_field *field, int64_t *ns)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char text[24], word[4] = "";
    int year = -1, used = 0;
    if (!copy_field(field, text))
        return false;
    if (sscanf(text, "%3[A-Za-z]-%2d%n", word, &year, &used) != 2 &&
        sscanf(text, "%2d-%3[A-Za-z]%n", &year, word, &used) != 2)
        return false;
    const char *found = strlen(word) == 3 ? strstr(months, word) : NULL;
    if (!found || (found - months) % 3 || (size_t)used != field->length || year < 0)
        return false;
    return calendar_ns(year + (year < 70 ? 2000 : 1900), (int)(found - months) / 3 + 1, 1, 0, 0,
                       ns);
}

static bool is_word(const struct hc_csv_field *field, const char *word)
{
    return field->length == strlen(word) && memcmp(field->text, word, field->length) == 0;
}

/* ---- systems ---- */

static enum hc_status find_system(struct incidents_lanl *p, int32_t group, struct system **found,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < p->n_systems; i++)
        if (p->systems[i].group == group) {
            *found = &p->systems[i];
            return HC_OK;
        }
    if (p->n_systems == MAX_SYSTEMS)
        return hc_fail(err, HC_BAD_INPUT, "'%s': more than %d systems", p->source->name,
                       MAX_SYSTEMS);
    if (hc_reserve(&p->systems, &p->capacity, p->n_systems + 1, sizeof *p->systems, err))
        return err->status;
    *found = &p->systems[p->n_systems++];
    **found = (struct system){.group = group,
                              .nodes = HC_MISSING_I32,
                              .start_ns = HC_MISSING_I64,
                              .end_ns = HC_MISSING_I64};
    return HC_OK;
}

/* What a row says of its system: nodes, the earliest start of production, the latest end. */
static enum hc_status note_system(struct incidents_lanl *p, const struct hc_csv_field *const *field,
                                  int32_t group, struct hc_error *err)
{
    struct system *system = NULL;
    int64_t nodes = 0, ns = 0;
    if (find_system(p, group, &system, err))
        return err->status;
    if (hc_text_to_i64(field[NODES]->text, field[NODES]->length, &nodes) == HC_TEXT_OK &&
        nodes > 0 && nodes <= INT32_MAX && nodes > system->nodes)
        system->nodes = (int32_t)nodes;
    if (read_month(field[PRODUCTION], &ns) &&
        (system->start_ns == HC_MISSING_I64 || ns < system->start_ns))
        system->start_ns = ns;
    if (is_word(field[DECOMMISSION], "current"))
        system->is_current = true;
    else if (read_month(field[DECOMMISSION], &ns) && ns > system->end_ns)
        system->end_ns = ns;
    return HC_OK;
}

/* ---- rows ---- */

static void read_times(struct incidents_lanl *p, const struct hc_csv_field *const *field)
{
    int64_t start_ns = 0, minutes = 0;
    struct hc_incident_builder *builder = &p->csv.builder;
    if (!read_local(field[STARTED], &start_ns)) {
        hc_incident_bad(builder, HC_BAD_NUMBER, "'%s' is '%s', not month/day/year hour:minute",
                        names[STARTED],
                        hc_printable(field[STARTED]->text, field[STARTED]->length).text);
        return;
    }
    if (hc_text_to_i64(field[DOWN_TIME]->text, field[DOWN_TIME]->length, &minutes) != HC_TEXT_OK ||
        minutes < 0 || minutes > 100000000) {
        hc_incident_bad(builder, HC_BAD_NUMBER, "'%s' is '%s', not a number of minutes",
                        names[DOWN_TIME],
                        hc_printable(field[DOWN_TIME]->text, field[DOWN_TIME]->length).text);
        return;
    }
    hc_table_i64(builder->rows, HC_INCIDENTS_TIME_NS)[builder->row] = start_ns;
    hc_table_i64(builder->rows, HC_INCIDENTS_RECOVERED_NS)[builder->row] =
        start_ns + minutes * 60 * 1000000000;
    if (start_ns > p->last_ns)
        p->last_ns = start_ns;
}

/* The one category that is filled, as "Hardware: CPU". */
static enum hc_status read_cause(struct incidents_lanl *p, const struct hc_csv_field *const *field,
                                 struct hc_error *err)
{
    char text[HC_INCIDENT_TEXT_MAX + 1];
    int length = 0;
    for (int f = FACILITIES; f <= SOFTWARE; f++) {
        if (field[f]->length == 0)
            continue;
        if (length) {
            hc_incident_bad(&p->csv.builder, HC_BAD_FIELDS, "more than one cause is filled");
            return HC_OK;
        }
        if (field[f]->length > 200) {
            hc_incident_bad(&p->csv.builder, HC_BAD_TEXT, "'%s' has %u bytes", names[f],
                            (unsigned)field[f]->length);
            return HC_OK;
        }
        length = snprintf(text, sizeof text, "%s: %.*s", names[f], (int)field[f]->length,
                          field[f]->text);
    }
    return hc_incident_put_text(&p->csv.builder, HC_INCIDENTS_TEXT, text, (size_t)length, err);
}

/* A node is "system/number". */
static enum hc_status read_place(struct incidents_lanl *p, const struct hc_csv_field *const *field,
                                 struct hc_error *err)
{
    char text[64];
    const struct hc_csv_field *system = field[SYSTEM], *node = field[NODE];
    if (system->length == 0 || system->length > 30 || node->length > 30) {
        hc_incident_bad(&p->csv.builder, HC_BAD_NULL, "'%s' is empty or too long", names[SYSTEM]);
        return HC_OK;
    }
    if (hc_incident_put_text(&p->csv.builder, HC_INCIDENTS_GROUP, system->text, system->length,
                             err))
        return err->status;
    int length = snprintf(text, sizeof text, "%.*s/%.*s", (int)system->length, system->text,
                          (int)node->length, node->text);
    if (node->length == 0)
        return HC_OK;
    return hc_incident_put_text(&p->csv.builder, HC_INCIDENTS_NODE, text, (size_t)length, err);
}

static enum hc_status take_row(struct hc_incident_csv *csv, const struct hc_csv_record *record,
                               struct hc_error *err)
{
    const struct hc_csv_field *field[N_FIELDS] = {NULL};
    struct incidents_lanl *p = (struct incidents_lanl *)csv;
    struct hc_incident_builder *builder = &csv->builder;
    hc_incident_begin(builder, record->line);
    if (record->n_fields != csv->n_columns || record->stray) {
        hc_incident_bad(builder, HC_BAD_FIELDS, "%zu fields, not %zu", record->n_fields,
                        csv->n_columns);
        return hc_incident_end(builder, err);
    }
    for (int f = 0; f < N_FIELDS; f++)
        field[f] = &record->fields[p->column[f]];
    read_times(p, field);
    if (read_place(p, field, err) || read_cause(p, field, err))
        return err->status;
    int32_t group = hc_table_i32(builder->rows, HC_INCIDENTS_GROUP)[builder->row];
    if (!builder->is_bad && group != HC_MISSING_I32 && note_system(p, field, group, err))
        return err->status;
    return hc_incident_end(builder, err);
}

/* ---- the format ---- */

static void close_lanl(void *parser)
{
    struct incidents_lanl *p = parser;
    if (!p)
        return;
    hc_csv_close(p->csv.scanner);
    free(p->systems);
    free(p);
}

static enum hc_status open_lanl(void **parser, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct incidents_lanl *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->last_ns = HC_MISSING_I64;
    p->csv = (struct hc_incident_csv){.builder = {.file = source->name,
                                                  .place_word = "line",
                                                  .words = HC_SOURCE_LANL,
                                                  .names = options->names,
                                                  .clock = HC_CLOCK_LOCAL,
                                                  .read = hc_incident_csv_read},
                                      .take = take_row};
    if (hc_csv_open(&p->csv.scanner, source, err) || read_header(p, err)) {
        close_lanl(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* A system that is still there was watched to the last failure of the records. */
static enum hc_status inventory(void *parser, const struct hc_table_def *def, struct hc_table *rows,
                                struct hc_error *err)
{
    const struct incidents_lanl *p = parser;
    if (hc_table_init(rows, def, p->n_systems, err))
        return err->status;
    for (size_t i = 0; i < p->n_systems; i++) {
        const struct system *system = &p->systems[i];
        size_t row = hc_inventory_add(rows, HC_CLOCK_LOCAL);
        int64_t end_ns = system->is_current ? p->last_ns : system->end_ns;
        hc_table_i32(rows, HC_INVENTORY_GROUP)[row] = system->group;
        hc_table_i32(rows, HC_INVENTORY_NODES)[row] = system->nodes;
        hc_table_i64(rows, HC_INVENTORY_START_NS)[row] = system->start_ns;
        hc_table_i64(rows, HC_INVENTORY_END_NS)[row] = end_ns;
    }
    return HC_OK;
}

const struct hc_format hc_format_incidents_lanl = {
    .name = "incidents-lanl",
    .description = "failure records of Los Alamos, CSV",
    .version = 1,
    .table = &hc_incidents_def,
    .probe = probe,
    .open = open_lanl,
    .next_batch = hc_incident_next_batch,
    .further = inventory,
    .position = hc_incident_csv_position,
    .close = close_lanl,
};
