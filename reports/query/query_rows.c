#include "reports/query/query_rows.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/csv_writer.h"
#include "core/text/json_writer.h"
#include "core/text/number_format.h"
#include "reports/write/section.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values in ns above this are times since 1970, and others durations: it is the 11th of July 1973,
 * and as a duration more than three years and a half. */
#define LEAST_TIME_NS ((int64_t)111111111 * 1000000000)

struct hc_query_rows {
    FILE *stream;
    enum hc_query_form form;
    const struct hc_table_def *def;
    size_t n, columns[HC_TABLE_MAX_COLUMNS];
    int64_t most, n_shown, n_all;
    struct hc_section section; /* text */
    struct hc_section_column heads[HC_TABLE_MAX_COLUMNS];
    char titles[HC_TABLE_MAX_COLUMNS][64];
};

/* ---- a value ---- */

static bool is_ns(const struct hc_column_def *column)
{
    return strcmp(column->unit, "ns") == 0;
}

static void add_cell(struct hc_section *section, const struct hc_column_def *column,
                     struct hc_query_value value)
{
    char text[64];
    if (value.is_missing) {
        hc_section_text(section, "-");
    } else if (value.text) {
        hc_section_text(section, value.text);
    } else if (column && is_ns(column) && value.is_whole && value.whole > LEAST_TIME_NS) {
        hc_format_iso8601(value.whole, text);
        strcpy(text + 19, "Z");
        hc_section_text(section, text);
    } else if (column && is_ns(column)) {
        hc_section_text(section, hc_format_seconds(value.real * 1e-9, text));
    } else if (value.is_whole) {
        snprintf(text, sizeof text, "%" PRId64, value.whole);
        hc_section_text(section, text);
    } else {
        hc_section_text(section, hc_format_fixed(value.real, 3, text));
    }
}

static void add_csv(struct hc_csv *csv, struct hc_query_value value)
{
    if (value.text || value.is_missing)
        hc_csv_text(csv, value.text);
    else if (value.is_whole)
        hc_csv_i64(csv, value.whole);
    else
        hc_csv_real(csv, value.real);
}

static void add_json(struct hc_json_writer *json, const char *key, struct hc_query_value value)
{
    if (value.is_missing)
        hc_json_null(json, key);
    else if (value.text)
        hc_json_text(json, key, value.text);
    else if (value.is_whole)
        hc_json_i64(json, key, value.whole);
    else
        hc_json_real(json, key, value.real);
}

static struct hc_query_value value_at(const struct hc_table *table, struct hc_table_names *names,
                                      size_t column, size_t row)
{
    const struct hc_column_def *def = &table->def->columns[column];
    struct hc_query_value value = {.is_whole = true};
    if (def->type == HC_F64) {
        value.real = hc_table_f64(table, column)[row];
        return (struct hc_query_value){.real = value.real, .is_missing = isnan(value.real)};
    }
    if (def->type == HC_I64) {
        value.whole = hc_table_i64(table, column)[row];
        value.is_missing = value.whole == HC_MISSING_I64;
    } else {
        int32_t code = hc_table_i32(table, column)[row];
        const struct hc_text_set *set =
            def->dictionary ? hc_table_names_find(names, def->dictionary) : NULL;
        value.whole = code;
        value.is_missing = code == HC_MISSING_I32;
        if (set && !value.is_missing)
            value.text = set->text[code];
    }
    value.real = (double)value.whole;
    return value;
}

/* "submit_ns" is shown as "submit", since its values say their unit, unless that is another column.
 */
static void make_title(char title[64], const struct hc_table_def *def, size_t column)
{
    const char *name = def->columns[column].name;
    size_t n = strlen(name);
    if (is_ns(&def->columns[column]) && n > 3 && strcmp(name + n - 3, "_ns") == 0)
        n -= 3;
    for (size_t i = 0; i < def->n_columns; i++)
        if (strlen(def->columns[i].name) == n && strncmp(def->columns[i].name, name, n) == 0)
            n = strlen(name);
    snprintf(title, 64, "%.*s", (int)n, name);
}

/* ---- rows ---- */

static void start_csv(FILE *stream, const struct hc_query_rows *rows)
{
    struct hc_csv csv = {.stream = stream};
    for (size_t i = 0; i < rows->n; i++)
        hc_csv_text(&csv, rows->def->columns[rows->columns[i]].name);
    hc_csv_end(&csv);
}

enum hc_status hc_query_rows_new(struct hc_query_rows **rows, FILE *stream, enum hc_query_form form,
                                 const struct hc_table_def *def, const size_t *columns, size_t n,
                                 int64_t most, struct hc_error *err)
{
    struct hc_query_rows *r = *rows = hc_new_array(1, sizeof **rows, err);
    if (!r)
        return err->status;
    *r = (struct hc_query_rows){.stream = stream, .form = form, .def = def, .n = n, .most = most};
    memcpy(r->columns, columns, n * sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        const struct hc_column_def *column = &def->columns[columns[i]];
        make_title(r->titles[i], def, columns[i]);
        r->heads[i] = (struct hc_section_column){
            .title = r->titles[i],
            .gap = i ? 2 : 0,
            .is_right = !column->dictionary,
        };
    }
    r->section.columns = r->heads;
    r->section.n_columns = n;
    if (form == HC_QUERY_CSV)
        start_csv(stream, r);
    return HC_OK;
}

void hc_query_rows_add(struct hc_query_rows *r, const struct hc_table *table,
                       struct hc_table_names *names, size_t row)
{
    struct hc_csv csv = {.stream = r->stream};
    struct hc_json_writer json;
    r->n_all++;
    if (r->n_shown >= r->most)
        return;
    r->n_shown++;
    if (r->form == HC_QUERY_JSONL) {
        hc_json_start(&json, r->stream, 0);
        hc_json_object_line(&json, NULL);
    }
    for (size_t i = 0; i < r->n; i++) {
        const struct hc_column_def *column = &r->def->columns[r->columns[i]];
        struct hc_query_value value = value_at(table, names, r->columns[i], row);
        if (r->form == HC_QUERY_TEXT)
            add_cell(&r->section, column, value);
        else if (r->form == HC_QUERY_CSV)
            add_csv(&csv, value);
        else
            add_json(&json, column->name, value);
    }
    if (r->form == HC_QUERY_CSV)
        hc_csv_end(&csv);
    if (r->form == HC_QUERY_JSONL) {
        hc_json_end(&json);
        fputc('\n', r->stream);
    }
}

enum hc_status hc_query_rows_end(struct hc_query_rows *r, struct hc_error *err)
{
    char count[2][HC_NUMBER_TEXT];
    enum hc_status status = HC_OK;
    if (!r)
        return HC_OK;
    if (r->form == HC_QUERY_TEXT) {
        if (r->n_all > r->n_shown)
            hc_section_note(&r->section, "%s of %s rows; --limit shows more",
                            hc_format_count(r->n_shown, count[0]),
                            hc_format_count(r->n_all, count[1]));
        else
            hc_section_note(&r->section, "%s row%s", hc_format_count(r->n_all, count[0]),
                            r->n_all == 1 ? "" : "s");
        status = hc_section_print(r->stream, r->section, err);
    } else {
        hc_section_fini(&r->section);
    }
    free(r);
    return status;
}

/* ---- groups ---- */

struct group_view {
    FILE *stream;
    struct hc_query_groups *groups;
    const struct hc_query_plan *plan;
    size_t n; /* groups that are shown */
};

/* The column whose unit a figure has; NULL: it is a count. */
static const struct hc_column_def *column_of(const struct group_view *view, size_t aggregate)
{
    const struct hc_query_aggregate *a = &view->plan->aggregates[aggregate];
    return a->function == HC_QUERY_COUNT ? NULL : &view->plan->def->columns[a->column];
}

static enum hc_status write_group_text(const struct group_view *view, struct hc_error *err)
{
    const struct hc_query_plan *plan = view->plan;
    struct hc_section_column heads[HC_QUERY_MOST_KEYS + HC_QUERY_MOST_AGGREGATES] = {0};
    char titles[HC_QUERY_MOST_KEYS][64], count[HC_NUMBER_TEXT];
    struct hc_section section = {.columns = heads, .n_columns = plan->n_keys + plan->n_aggregates};
    for (size_t k = 0; k < plan->n_keys; k++) {
        const struct hc_column_def *column = &plan->def->columns[plan->keys[k]];
        make_title(titles[k], plan->def, plan->keys[k]);
        heads[k] = (struct hc_section_column){
            .title = titles[k], .gap = k ? 2 : 0, .is_right = !column->dictionary};
    }
    for (size_t a = 0; a < plan->n_aggregates; a++)
        heads[plan->n_keys + a] = (struct hc_section_column){
            .title = plan->aggregates[a].text, .gap = plan->n_keys + a ? 2 : 0, .is_right = true};
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = 0; k < plan->n_keys; k++)
            add_cell(&section, &plan->def->columns[plan->keys[k]],
                     hc_query_group_key(view->groups, i, k));
        for (size_t a = 0; a < plan->n_aggregates; a++)
            add_cell(&section, column_of(view, a), hc_query_group_figure(view->groups, i, a));
    }
    size_t all = hc_query_groups_n(view->groups);
    if (all > view->n)
        hc_section_note(&section, "and %s more; --limit shows them",
                        hc_format_count((int64_t)(all - view->n), count));
    return hc_section_print(view->stream, section, err);
}

static void write_group_csv(const struct group_view *view)
{
    const struct hc_query_plan *plan = view->plan;
    struct hc_csv csv = {.stream = view->stream};
    for (size_t k = 0; k < plan->n_keys; k++)
        hc_csv_text(&csv, plan->def->columns[plan->keys[k]].name);
    for (size_t a = 0; a < plan->n_aggregates; a++)
        hc_csv_text(&csv, plan->aggregates[a].text);
    hc_csv_end(&csv);
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = 0; k < plan->n_keys; k++)
            add_csv(&csv, hc_query_group_key(view->groups, i, k));
        for (size_t a = 0; a < plan->n_aggregates; a++)
            add_csv(&csv, hc_query_group_figure(view->groups, i, a));
        hc_csv_end(&csv);
    }
}

static void write_group_json(const struct group_view *view)
{
    const struct hc_query_plan *plan = view->plan;
    for (size_t i = 0; i < view->n; i++) {
        struct hc_json_writer json;
        hc_json_start(&json, view->stream, 0);
        hc_json_object_line(&json, NULL);
        for (size_t k = 0; k < plan->n_keys; k++)
            add_json(&json, plan->def->columns[plan->keys[k]].name,
                     hc_query_group_key(view->groups, i, k));
        for (size_t a = 0; a < plan->n_aggregates; a++)
            add_json(&json, plan->aggregates[a].text, hc_query_group_figure(view->groups, i, a));
        hc_json_end(&json);
        fputc('\n', view->stream);
    }
}

enum hc_status hc_query_write_groups(FILE *stream, enum hc_query_form form,
                                     struct hc_query_groups *groups,
                                     const struct hc_query_plan *plan, int64_t most,
                                     struct hc_error *err)
{
    size_t n = hc_query_groups_n(groups);
    const struct group_view view = {stream, groups, plan, (int64_t)n > most ? (size_t)most : n};
    if (form == HC_QUERY_TEXT)
        return write_group_text(&view, err);
    if (form == HC_QUERY_CSV)
        write_group_csv(&view);
    else
        write_group_json(&view);
    return HC_OK;
}
