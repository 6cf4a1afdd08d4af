#include "pipeline/site/site_runs.h"

#include "core/text/number_text.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/io/source.h"
#include "pipeline/site/site_keys.h"

#include <string.h>

struct reader {
    struct hc_site *site;
    const char *directory;
    struct hc_path path;
    struct hc_error *err;
};

#define complain(r, node, ...)                                                                     \
    hc_scenario_complain(&(r)->site->errors, &(node)->place, (r)->path.text, __VA_ARGS__)

static const char *text_of(const struct hc_node *object, const char *key)
{
    const struct hc_node *node = hc_node_member(object, key);
    return node && node->type == HC_NODE_TEXT && *node->text ? node->text : NULL;
}

/* ---- partitions ---- */

static double number_of(const struct hc_node *object, const char *key)
{
    const struct hc_node *node = hc_node_member(object, key);
    return node && node->type == HC_NODE_NUMBER && node->number > 0 ? node->number : 0;
}

static enum hc_status read_partitions(struct reader *r, const struct hc_node *root)
{
    struct hc_site *site = r->site;
    const struct hc_node *node = hc_node_member(root, "partitions");
    site->currency = text_of(root, "currency");
    site->zone = text_of(root, "zone");
    site->tracing = text_of(root, "tracing");
    if (!node || node->type != HC_NODE_OBJECT)
        return HC_OK;
    site->partitions = hc_arena_new(&site->arena, (node->n + 1) * sizeof *site->partitions, r->err);
    for (const struct hc_node *at = node->first; site->partitions && at; at = at->next)
        site->partitions[site->n_partitions++] =
            (struct hc_site_partition){.name = at->key,
                                       .gpu_type = text_of(at, "gpu_type"),
                                       .gpus_per_node = (int32_t)number_of(at, "gpus_per_node"),
                                       .price = number_of(at, "price")};
    return r->err->status;
}

/* ---- findings ---- */

static bool is_list(const struct hc_node *node)
{
    return node && node->type == HC_NODE_ARRAY;
}

static enum hc_status read_findings(struct reader *r, const struct hc_node *root)
{
    struct hc_site *site = r->site;
    const struct hc_node *owners = hc_node_member(root, "owners");
    const struct hc_node *known = hc_node_member(root, "acknowledged");
    size_t n_owners = is_list(owners) ? owners->n : 0, n_known = is_list(known) ? known->n : 0;
    site->owners = hc_arena_new(&site->arena, (n_owners + 1) * sizeof *site->owners, r->err);
    site->acknowledged =
        hc_arena_new(&site->arena, (n_known + 1) * sizeof *site->acknowledged, r->err);
    if (!site->owners || !site->acknowledged)
        return r->err->status;
    for (const struct hc_node *at = n_owners ? owners->first : NULL; at; at = at->next)
        if (text_of(at, "kind") && text_of(at, "owner"))
            site->owners[site->n_owners++] =
                (struct hc_site_owner){text_of(at, "kind"), text_of(at, "owner")};
    for (const struct hc_node *at = n_known ? known->first : NULL; at; at = at->next)
        if (text_of(at, "id") && text_of(at, "until"))
            site->acknowledged[site->n_acknowledged++] =
                (struct hc_site_acknowledged){text_of(at, "id"), text_of(at, "until")};
    return HC_OK;
}

/* ---- the file that names the run of each job ---- */

struct run_table {
    struct hc_csv_scanner *csv;
    size_t job, run; /* columns */
    size_t n_fields;
};

static bool is_field(const struct hc_csv_field *field, const char *name)
{
    return field->length == strlen(name) && memcmp(field->text, name, field->length) == 0;
}

static enum hc_status read_header(struct run_table *table, const char *path, struct hc_error *err)
{
    struct hc_csv_record record;
    if (hc_csv_next(table->csv, &record, err))
        return err->status;
    table->n_fields = record.n_fields;
    table->job = table->run = record.n_fields;
    for (size_t i = 0; i < record.n_fields; i++) {
        if (is_field(&record.fields[i], "job"))
            table->job = i;
        if (is_field(&record.fields[i], "run"))
            table->run = i;
    }
    if (table->job == record.n_fields || table->run == record.n_fields)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has not the columns 'job' and 'run'", path);
    return HC_OK;
}

static enum hc_status read_row(struct hc_site_run_rule *rule, const struct run_table *table,
                               const struct hc_csv_record *record, struct hc_error *err)
{
    int64_t job;
    int32_t code;
    size_t entry;
    const struct hc_csv_field *number = &record->fields[table->job];
    const struct hc_csv_field *run = &record->fields[table->run];
    if (record->n_fields != table->n_fields)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld has %zu fields, not %zu", rule->csv,
                       (long long)record->line, record->n_fields, table->n_fields);
    if (hc_text_to_i64(number->text, number->length, &job) != HC_TEXT_OK || !run->length)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld has no number of a job and name of its "
                       "run",
                       rule->csv, (long long)record->line);
    if (hc_text_set_add(&rule->runs, run->text, run->length, &code, err) ||
        hc_int_map_insert(&rule->jobs, (uint64_t)job, code, &entry, err))
        return err->status;
    if (rule->jobs.values[entry] != code)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld puts job %lld into a second run",
                       rule->csv, (long long)record->line, (long long)job);
    return HC_OK;
}

static enum hc_status read_run_table(struct hc_site_run_rule *rule, struct hc_error *err)
{
    struct hc_source source;
    struct run_table table = {0};
    struct hc_csv_record record;
    if (hc_source_open(&source, rule->csv, err))
        return err->status;
    enum hc_status status = hc_csv_open(&table.csv, &source, err);
    if (!status)
        status = read_header(&table, rule->csv, err);
    while (!status && !(status = hc_csv_next(table.csv, &record, err)) && record.n_fields)
        status = read_row(rule, &table, &record, err);
    hc_csv_close(table.csv);
    hc_source_close(&source);
    return status;
}

/* ---- rules ---- */

static void read_pattern(struct reader *r, const struct hc_node *object,
                         struct hc_site_run_rule *rule)
{
    struct hc_error why = {0};
    const struct hc_node *node = hc_node_member(object, "pattern");
    if (hc_text_pattern_make(&rule->pattern, (struct hc_matched){node->text, strlen(node->text)},
                             NULL, &why)) {
        complain(r, node, "%s", why.message);
        return;
    }
    for (size_t i = 1; i <= hc_text_pattern_groups(rule->pattern); i++) {
        const char *name = hc_text_pattern_group(rule->pattern, i);
        if (name && strcmp(name, "run") == 0)
            rule->group = i;
    }
    if (!rule->group)
        complain(r, node, "'pattern' has no group that names the run: (?<run>...)");
}

static void read_rule(struct reader *r, const struct hc_node *object, struct hc_site_run_rule *rule)
{
    static const char *const columns[] = {[HC_RUN_OF_NAME] = "name",
                                          [HC_RUN_OF_COMMENT] = "comment",
                                          [HC_RUN_OF_WORK_DIR] = "work_dir"};
    const char *column = text_of(object, "column"), *csv = text_of(object, "csv");
    struct hc_error why = {0};
    rule->place = object->place;
    rule->cluster = text_of(object, "cluster");
    for (size_t i = 0; column && i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i], column) == 0)
            rule->column = (enum hc_site_run_column)i;
    if (!csv != (column && text_of(object, "pattern")) || (csv && column))
        complain(r, object,
                 "a rule has 'column' (name, comment or work_dir) and 'pattern', or 'csv'");
    else if (!csv)
        read_pattern(r, object, rule);
    if (!csv)
        return;
    rule->csv =
        hc_arena_format(&r->site->arena, r->err, "%s%s", *csv == '/' ? "" : r->directory, csv);
    if (!rule->csv || !read_run_table(rule, &why))
        return;
    if (why.status != HC_BAD_INPUT && !hc_site_lacks(rule->csv))
        *r->err = why;
    else
        complain(r, hc_node_member(object, "csv"), "%s", why.message);
}

static enum hc_status read_rules(struct reader *r, const struct hc_node *root)
{
    struct hc_site *site = r->site;
    const struct hc_node *node = hc_node_member(root, "runs");
    size_t index = 0;
    if (!node || node->type != HC_NODE_ARRAY || !node->n)
        return HC_OK;
    site->run_rules = hc_arena_new(&site->arena, node->n * sizeof *site->run_rules, r->err);
    size_t before = hc_path_add(&r->path, "runs");
    for (const struct hc_node *at = node->first; site->run_rules && at; at = at->next) {
        size_t outer = hc_path_add_index(&r->path, index++);
        if (at->type == HC_NODE_OBJECT && !r->err->status)
            read_rule(r, at, &site->run_rules[site->n_run_rules++]);
        hc_path_back(&r->path, outer);
    }
    hc_path_back(&r->path, before);
    return r->err->status;
}

enum hc_status hc_site_runs_read(struct hc_site *site, const struct hc_node *root,
                                 const char *directory, struct hc_error *err)
{
    struct reader reader = {.site = site, .directory = directory, .err = err};
    if (read_partitions(&reader, root) || read_findings(&reader, root))
        return err->status;
    return read_rules(&reader, root);
}

void hc_site_runs_fini(struct hc_site *site)
{
    for (size_t i = 0; i < site->n_run_rules; i++) {
        hc_text_pattern_free(site->run_rules[i].pattern);
        hc_int_map_fini(&site->run_rules[i].jobs);
        hc_text_set_fini(&site->run_rules[i].runs);
    }
}
