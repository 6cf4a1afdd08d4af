/* incidents_csv.c - incidents as CSV in our own form: a header row that names columns of ours in
 * any order (docs/formats/incidents.md). */
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"
#include "parsers/incidents/incident_csv.h"

#include <stdlib.h>
#include <string.h>

struct incidents_csv {
    struct hc_incident_csv csv;
    const struct hc_source *source;
    int column[HC_INCIDENTS_N_COLUMNS]; /* which of ours each field is */
};

/* How many names of ours stand in the first line, or 0 when any other does. */
static int count_names(const char *at, const char *end)
{
    int n = 0;
    bool has_cause = false;
    for (const char *name = at;; at++) {
        if (at < end && *at != ',' && *at != '\n')
            continue;
        size_t length = (size_t)(at - name);
        if (length && name[length - 1] == '\r')
            length--;
        if (length >= 2 && name[0] == '"' && name[length - 1] == '"') {
            name++;
            length -= 2;
        }
        int field = hc_incident_field_find(name, length);
        if (field < 0)
            return 0;
        has_cause |= field == HC_INCIDENTS_CAUSE || field == HC_INCIDENTS_TEXT;
        n++;
        if (at == end || *at == '\n')
            return has_cause ? n : 0;
        name = at + 1;
    }
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    return count_names((const char *)head, (const char *)head + length) >= 2 ? 96 : 0;
}

static enum hc_status unknown_column(const struct incidents_csv *p, const struct hc_csv_field *name,
                                     struct hc_error *err)
{
    const char *names[HC_INCIDENTS_N_COLUMNS];
    for (int i = 0; i < HC_INCIDENTS_N_COLUMNS; i++)
        names[i] = hc_incident_field_name((enum hc_incidents_column)i);
    const char *nearest = hc_nearest(name->text, name->length, names, HC_INCIDENTS_N_COLUMNS);
    struct hc_printable text = hc_printable(name->text, name->length);
    if (nearest)
        return hc_fail(err, HC_BAD_INPUT, "'%s': unknown column '%s' (did you mean '%s'?)",
                       p->source->name, text.text, nearest);
    return hc_fail(err, HC_BAD_INPUT, "'%s': unknown column '%s'; see docs/formats/incidents.md",
                   p->source->name, text.text);
}

static enum hc_status read_header(struct incidents_csv *p, struct hc_error *err)
{
    struct hc_csv_record header;
    bool found[HC_INCIDENTS_N_COLUMNS] = {false};
    if (hc_csv_next(p->csv.scanner, &header, err))
        return err->status;
    if (header.n_fields == 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is empty; a line that names the columns is expected", p->source->name);
    for (size_t i = 0; i < header.n_fields; i++) {
        const struct hc_csv_field *name = &header.fields[i];
        int field = hc_incident_field_find(name->text, name->length);
        if (field < 0)
            return unknown_column(p, name, err);
        if (found[field])
            return hc_fail(err, HC_BAD_INPUT, "'%s': column '%s' is there twice", p->source->name,
                           hc_incident_field_name((enum hc_incidents_column)field));
        found[field] = true;
        p->column[i] = field;
    }
    p->csv.n_columns = header.n_fields;
    if (!found[HC_INCIDENTS_TIME_NS] && !found[HC_INCIDENTS_COUNT])
        return hc_fail(err, HC_BAD_INPUT, "'%s': a column 'time' or 'count' is missing",
                       p->source->name);
    return HC_OK;
}

static enum hc_status take_row(struct hc_incident_csv *csv, const struct hc_csv_record *record,
                               struct hc_error *err)
{
    const struct incidents_csv *p = (const struct incidents_csv *)csv;
    struct hc_incident_builder *builder = &csv->builder;
    hc_incident_begin(builder, record->line);
    if (record->n_fields != csv->n_columns || record->stray)
        hc_incident_bad(builder, HC_BAD_FIELDS, "%zu fields, not %zu%s", record->n_fields,
                        csv->n_columns, record->stray ? ", and text behind a closing quote" : "");
    for (size_t i = 0; i < record->n_fields && !builder->is_bad; i++)
        if (hc_incident_put(builder, (enum hc_incidents_column)p->column[i], record->fields[i].text,
                            record->fields[i].length, err))
            return err->status;
    return hc_incident_end(builder, err);
}

static void close_csv(void *parser)
{
    struct incidents_csv *p = parser;
    if (!p)
        return;
    hc_csv_close(p->csv.scanner);
    free(p);
}

static enum hc_status open_csv(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct incidents_csv *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->csv = (struct hc_incident_csv){.builder = {.file = source->name,
                                                  .place_word = "line",
                                                  .words = HC_SOURCE_PUBLISHED,
                                                  .names = options->names,
                                                  .clock = -1,
                                                  .read = hc_incident_csv_read},
                                      .take = take_row};
    if (hc_csv_open(&p->csv.scanner, source, err) || read_header(p, err)) {
        close_csv(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status inventory(void *parser, const struct hc_table_def *def, struct hc_table *rows,
                                struct hc_error *err)
{
    const struct incidents_csv *p = parser;
    if (hc_table_init(rows, def, 1, err))
        return err->status;
    hc_inventory_add(rows, p->csv.builder.clock < 0 ? HC_CLOCK_RELATIVE
                                                    : (enum hc_incident_clock)p->csv.builder.clock);
    return HC_OK;
}

const struct hc_format hc_format_incidents_csv = {
    .name = "incidents-csv",
    .description = "incidents as CSV, in hindcast's own form",
    .version = 1,
    .table = &hc_incidents_def,
    .probe = probe,
    .open = open_csv,
    .next_batch = hc_incident_next_batch,
    .further = inventory,
    .position = hc_incident_csv_position,
    .close = close_csv,
};
