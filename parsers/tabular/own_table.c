/* own_table.c - the formats of the own forms of tables (own_form.h), and of whatever a map of a
 * site file says how to read (table_map.h). */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/corrections/correction_table.h"
#include "core/tables/events/event_table.h"
#include "core/tables/incidents/incident_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/tables/nodes/phase_table.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/tabular/cell_reader.h"
#include "parsers/tabular/cell_value.h"
#include "parsers/tabular/own_probe.h"

#include <stdlib.h>
#include <string.h>

struct own_table {
    const struct hc_source *source;
    const struct hc_own_form *form;
    const struct hc_table_map *map; /* NULL: the own form */
    struct hc_cell_reader *cells;
    struct hc_stamp_clock clock;
    struct hc_cell_values values;
    struct hc_map_rule *rules; /* of the map and of the name of the source, or by the header */
    size_t n_rules;
    char *constants;                   /* of the rules, each with HC_TEXT_PADDING bytes behind it */
    size_t source_column, line_column; /* n_columns: the table has none */
    /* Which cells of a row are whose. */
    const char *wanted[HC_MOST_CELLS];
    size_t n_wanted;
    struct {
        size_t from, plus;
    } * places;      /* of each rule; n_wanted: none */
    size_t *filters; /* of each filter */
    struct hc_cell_row row;
    bool at_end;
};

/* ---- opening ---- */

/* The place of a column among those that are wanted. */
static enum hc_status want(struct own_table *p, const char *name, size_t *place,
                           struct hc_error *err)
{
    for (*place = 0; *place < p->n_wanted; ++*place)
        if (strcmp(p->wanted[*place], name) == 0)
            return HC_OK;
    if (p->n_wanted == HC_MOST_CELLS)
        return hc_fail(err, HC_BAD_INPUT, "'%s': its map names more than %d columns",
                       p->source->name, HC_MOST_CELLS);
    p->wanted[p->n_wanted++] = name;
    return HC_OK;
}

/* The rules of an own form: each column of the header is that of the table. */
static enum hc_status make_own_rules(struct own_table *p, struct hc_error *err)
{
    const struct hc_table_def *def = p->form->def;
    size_t n, column;
    const char *const *header = hc_cells_header(p->cells, &n);
    size_t n_rules = n ? n : def->n_columns;
    p->rules = hc_new_array(n_rules, sizeof *p->rules, err);
    if (!p->rules)
        return err->status;
    for (size_t i = 0; i < n_rules; i++) {
        const char *name = n ? header[i] : def->columns[i].name;
        column = hc_own_column(def, name, strlen(name));
        if (column == def->n_columns)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': table '%s' has no column '%.80s'; 'hindcast formats --template "
                           "%s' lists them",
                           p->source->name, def->name, name, def->name);
        p->rules[i] = (struct hc_map_rule){.column = column, .from = name};
    }
    p->n_rules = n_rules;
    return HC_OK;
}

/* Copy a text to *at, which moves on behind its padding. */
static const char *put_constant(char **at, const char *text, size_t length)
{
    char *copy = *at;
    memcpy(copy, text, length);
    *at += length + HC_TEXT_PADDING;
    return copy;
}

/* The rules of the map, and one for each column that the name of the source tells. */
static enum hc_status copy_rules(struct own_table *p, const struct hc_text_pattern *path,
                                 struct hc_error *err)
{
    struct hc_matched groups[HC_PATTERN_MOST_GROUPS];
    const char *name = p->source->name;
    size_t room = (strlen(name) + HC_TEXT_PADDING) * HC_PATTERN_MOST_GROUPS;
    bool is_found = path && hc_text_pattern_find(path, name, strlen(name), groups);
    p->n_rules = p->map->n_rules;
    for (size_t i = 0; i < p->n_rules; i++)
        if (p->map->rules[i].constant)
            room += strlen(p->map->rules[i].constant) + HC_TEXT_PADDING;
    p->constants = hc_new_array(room, 1, err);
    p->rules = p->constants
                   ? hc_new_array(p->n_rules + HC_PATTERN_MOST_GROUPS, sizeof *p->rules, err)
                   : NULL;
    if (!p->rules)
        return err->status;
    char *at = p->constants;
    memcpy(p->rules, p->map->rules, p->n_rules * sizeof *p->rules);
    for (size_t i = 0; i < p->n_rules; i++)
        if (p->rules[i].constant)
            p->rules[i].constant =
                put_constant(&at, p->rules[i].constant, strlen(p->rules[i].constant));
    for (size_t i = 1; is_found && i <= hc_text_pattern_groups(path); i++) {
        const char *group = hc_text_pattern_group(path, i);
        if (group && groups[i].length)
            p->rules[p->n_rules++] = (struct hc_map_rule){
                .column = hc_own_column(p->form->def, group, strlen(group)),
                .constant = put_constant(&at, groups[i].text, groups[i].length)};
    }
    return HC_OK;
}

/* What the header of a CSV lacks that every row has to have. */
static enum hc_status check_required(const struct own_table *p, struct hc_error *err)
{
    const struct hc_table_def *def = p->form->def;
    for (size_t c = 0; c < def->n_columns; c++) {
        bool is_there = !hc_own_is_required(p->form, c);
        for (size_t i = 0; i < p->n_rules; i++)
            is_there |= p->rules[i].column == c;
        if (!is_there)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s' lacks the column '%s' of table '%s'; 'hindcast formats --template "
                           "%s' says what it is",
                           p->source->name, def->columns[c].name, def->name, def->name);
    }
    return HC_OK;
}

static enum hc_status place_cells(struct own_table *p, struct hc_error *err)
{
    size_t n_filters = p->map ? p->map->n_filters : 0;
    p->places = hc_new_array(p->n_rules, sizeof *p->places, err);
    p->filters = p->places ? hc_new_array(n_filters, sizeof *p->filters, err) : NULL;
    if (!p->filters)
        return err->status;
    for (size_t i = 0; i < p->n_rules; i++) {
        const struct hc_map_rule *rule = &p->rules[i];
        p->places[i].from = p->places[i].plus = SIZE_MAX;
        if ((rule->from && want(p, rule->from, &p->places[i].from, err)) ||
            (rule->plus && want(p, rule->plus, &p->places[i].plus, err)))
            return err->status;
    }
    for (size_t i = 0; i < n_filters; i++)
        if (want(p, p->map->filters[i].from, &p->filters[i], err))
            return err->status;
    return hc_cells_want(p->cells, p->wanted, p->n_wanted, err);
}

static enum hc_status prepare(struct own_table *p, const struct hc_parse_options *options,
                              struct hc_error *err)
{
    p->source_column = hc_own_column(p->form->def, "source", strlen("source"));
    p->line_column = hc_own_column(p->form->def, "line", strlen("line"));
    hc_stamp_clock_start(&p->clock, p->source, options->zone);
    p->values = (struct hc_cell_values){.form = p->form,
                                        .writer = {options->names, NULL},
                                        .clock = &p->clock,
                                        .is_own = !p->map,
                                        .worded = hc_cell_worded(p->form, options->names)};
    if (hc_cells_open(&p->cells, p->source, p->map, !p->map, err))
        return err->status;
    if (p->map ? copy_rules(p, options->path, err) : make_own_rules(p, err))
        return err->status;
    return check_required(p, err) ? err->status : place_cells(p, err);
}

static void close_table(void *parser)
{
    struct own_table *p = parser;
    if (!p)
        return;
    hc_cells_close(p->cells);
    free(p->rules);
    free(p->constants);
    free(p->places);
    free(p->filters);
    free(p);
}

static enum hc_status open_form(void **parser, const char *table, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct own_table *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->form = hc_own_form_find(table);
    p->map = options->map;
    if (prepare(p, options, err)) {
        close_table(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- rows ---- */

static bool is_missing(const struct own_table *p, struct hc_cell_text text)
{
    for (size_t i = 0; p->map && i < p->map->n_missing; i++)
        if (strlen(p->map->missing[i]) == text.length &&
            memcmp(p->map->missing[i], text.text, text.length) == 0)
            return true;
    return text.length == 0;
}

/* A cell without the blanks around it; of length 0 where nothing is known. */
static struct hc_cell_text cell_text(const struct own_table *p, size_t place)
{
    struct hc_cell_text text = {"", 0};
    if (place >= p->n_wanted || !p->row.cell[place].is_there)
        return text;
    text = (struct hc_cell_text){p->row.cell[place].text, p->row.cell[place].length};
    while (text.length && (*text.text == ' ' || *text.text == '\t')) {
        text.text++;
        text.length--;
    }
    while (text.length && strchr(" \t\r", text.text[text.length - 1]))
        text.length--;
    if (is_missing(p, text))
        text.length = 0;
    return text;
}

/* Whether the filters of the map let the row through. */
static bool is_wanted(const struct own_table *p)
{
    for (size_t i = 0; p->map && i < p->map->n_filters; i++) {
        const struct hc_map_filter *filter = &p->map->filters[i];
        struct hc_cell_text text = cell_text(p, p->filters[i]);
        bool is_one = false;
        for (size_t k = 0; k < filter->n_values; k++)
            is_one |= strlen(filter->values[k]) == text.length &&
                      memcmp(filter->values[k], text.text, text.length) == 0;
        if (!is_one)
            return false;
    }
    return true;
}

static enum hc_status bad(const struct own_table *p, size_t rule, struct hc_cell_fault fault,
                          struct hc_row_report *report, struct hc_error *err)
{
    const struct hc_map_rule *of = &p->rules[rule];
    const struct hc_cell_text text = cell_text(p, p->places[rule].from);
    return hc_row_report_bad(report, fault.reason, HC_MISSING_I32, err, "line %lld: %s: '%s' %s",
                             (long long)p->row.line, of->from ? of->from : "constant",
                             of->from ? hc_printable(text.text, text.length).text : of->constant,
                             fault.what);
}

/* The first required column that the last row has nothing in, or n_columns. */
static size_t first_missing(const struct own_table *p)
{
    const struct hc_table *rows = p->values.writer.rows;
    size_t row = rows->n_rows - 1, c = 0;
    for (; c < rows->def->n_columns; c++) {
        bool is_missing = rows->def->columns[c].type == HC_I32
                              ? hc_table_i32(rows, c)[row] == HC_MISSING_I32
                              : rows->def->columns[c].type == HC_I64 &&
                                    hc_table_i64(rows, c)[row] == HC_MISSING_I64;
        if (is_missing && hc_own_is_required(p->form, c))
            break;
    }
    return c;
}

/* Put all values; *rule is the one that a fault is of. */
static struct hc_cell_fault put_values(struct own_table *p, size_t *rule, struct hc_error *err)
{
    struct hc_cell_fault fault = {HC_BAD_NULL, NULL};
    for (size_t i = 0; i < p->n_rules && !fault.what && !err->status; i++) {
        const struct hc_map_rule *of = &p->rules[i];
        struct hc_cell_text text = of->from
                                       ? cell_text(p, p->places[i].from)
                                       : (struct hc_cell_text){of->constant, strlen(of->constant)};
        struct hc_cell_text plus = cell_text(p, p->places[i].plus);
        *rule = i;
        if (text.length && (plus.length || !of->plus))
            fault = hc_cell_put(&p->values, of, text, plus, err);
    }
    return fault;
}

/* Where the last row comes from. */
static enum hc_status put_source(const struct own_table *p, struct hc_error *err)
{
    const struct hc_record_writer *writer = &p->values.writer;
    size_t last = writer->rows->n_rows - 1;
    if (p->source_column == p->form->def->n_columns)
        return HC_OK;
    if (hc_table_i64(writer->rows, p->line_column)[last] == HC_MISSING_I64)
        hc_record_put_i64(writer, p->line_column, p->row.line);
    if (hc_table_i32(writer->rows, p->source_column)[last] != HC_MISSING_I32)
        return HC_OK;
    return hc_record_put_text(writer, p->source_column, p->source->name, strlen(p->source->name),
                              err);
}

static enum hc_status take_row(struct own_table *p, struct hc_row_report *report,
                               struct hc_error *err)
{
    const struct hc_record_writer *writer = &p->values.writer;
    const struct hc_table_def *def = p->form->def;
    size_t rule = 0;
    p->values.has_local = false;
    hc_record_begin(writer);
    struct hc_cell_fault fault = put_values(p, &rule, err);
    size_t missing = fault.what || err->status ? def->n_columns : first_missing(p);
    if (fault.what || missing < def->n_columns)
        writer->rows->n_rows--;
    if (err->status)
        return err->status;
    if (fault.what)
        return bad(p, rule, fault, report, err);
    if (missing < def->n_columns)
        return hc_row_report_bad(report, HC_BAD_NULL, HC_MISSING_I32, err,
                                 "line %lld: nothing is given for '%s'", (long long)p->row.line,
                                 def->columns[missing].name);
    p->form->complete(writer, p->values.has_local);
    const char *wrong = p->form->wrong ? p->form->wrong(writer) : NULL;
    if (!wrong)
        return put_source(p, err);
    writer->rows->n_rows--;
    return hc_row_report_bad(report, HC_BAD_RANGE, HC_MISSING_I32, err, "line %lld: %s",
                             (long long)p->row.line, wrong);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct own_table *p = parser;
    p->values.writer.rows = rows;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_cells_next(p->cells, &p->row, &p->at_end, err))
            return err->status;
        if (p->at_end)
            hc_stamp_clock_warn(&p->clock, p->source->name);
        if (p->at_end)
            break;
        report->rows_read++;
        if (p->row.wrong) {
            if (hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err, "line %lld %s",
                                  (long long)p->row.line, p->row.wrong))
                return err->status;
        } else if (!is_wanted(p)) {
            report->rows_ignored++;
        } else if (take_row(p, report, err)) {
            return err->status;
        }
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct own_table *p = parser;
    return hc_cells_position(p->cells);
}

/* ---- the formats ---- */

/* How the files of a table are recognised and opened. */
#define OWN_FUNCTIONS(of)                                                                          \
    static int probe_##of(const unsigned char *head, size_t length, const char *path)              \
    {                                                                                              \
        (void)path;                                                                                \
        return hc_own_probe(hc_own_form_find(#of), head, length);                                  \
    }                                                                                              \
    static enum hc_status open_##of(void **parser, const struct hc_source *source,                 \
                                    const struct hc_parse_options *options, struct hc_error *err)  \
    {                                                                                              \
        return open_form(parser, #of, source, options, err);                                       \
    }

OWN_FUNCTIONS(jobs)
OWN_FUNCTIONS(events)
OWN_FUNCTIONS(phases)
OWN_FUNCTIONS(node_states)
OWN_FUNCTIONS(queue)
OWN_FUNCTIONS(train_steps)
OWN_FUNCTIONS(cycles)
OWN_FUNCTIONS(checkpoints)
OWN_FUNCTIONS(train_measures)
OWN_FUNCTIONS(corrections)
OWN_FUNCTIONS(incidents)

/* All times of this form are of the calendar; what was watched it does not say. */
static enum hc_status inventory(void *parser, const struct hc_table_def *def, struct hc_table *rows,
                                struct hc_error *err)
{
    (void)parser;
    if (hc_table_init(rows, def, 1, err))
        return err->status;
    hc_inventory_add(rows, HC_CLOCK_UNIX);
    return HC_OK;
}

/* The format of the table `of`, whose definition is given. */
#define OWN_FORMAT(of, definition, further_of)                                                     \
    {                                                                                              \
        .name = #of "-table",                                                                      \
        .description = "the table " #of " in its own form: CSV or JSON lines of its columns",      \
        .recipe = "hindcast formats --template " #of " prints one to fill.\n", .version = 1,       \
        .is_lines = true, .table = &(definition), .probe = probe_##of, .open = open_##of,          \
        .next_batch = next_batch, .position = position, .close = close_table,                      \
        .further = further_of                                                                      \
    }

const struct hc_format hc_format_jobs_table = OWN_FORMAT(jobs, hc_jobs_def, NULL);
const struct hc_format hc_format_events_table = OWN_FORMAT(events, hc_events_def, NULL);
const struct hc_format hc_format_phases_table = OWN_FORMAT(phases, hc_phases_def, NULL);
const struct hc_format hc_format_node_states_table =
    OWN_FORMAT(node_states, hc_node_states_def, NULL);
const struct hc_format hc_format_queue_table = OWN_FORMAT(queue, hc_queue_def, NULL);
const struct hc_format hc_format_train_steps_table =
    OWN_FORMAT(train_steps, hc_train_steps_def, NULL);
const struct hc_format hc_format_cycles_table = OWN_FORMAT(cycles, hc_cycles_def, NULL);
const struct hc_format hc_format_checkpoints_table =
    OWN_FORMAT(checkpoints, hc_checkpoints_def, NULL);
const struct hc_format hc_format_train_measures_table =
    OWN_FORMAT(train_measures, hc_train_measures_def, NULL);
const struct hc_format hc_format_corrections_table =
    OWN_FORMAT(corrections, hc_corrections_def, NULL);
const struct hc_format hc_format_incidents_table =
    OWN_FORMAT(incidents, hc_incidents_def, inventory);
