#include "tests/support/kineto_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(enum hc_status status, const struct hc_error *err)
{
    if (status) {
        fprintf(stderr, "%s\n", err->message);
        abort();
    }
}

/* Append a batch to the whole, which grows. */
static void keep(struct hc_table *whole, const struct hc_table *batch)
{
    struct hc_error err = {0};
    if (whole->n_rows + batch->n_rows > whole->capacity) {
        struct hc_table larger = {0};
        must(hc_table_init(&larger, batch->def, 2 * (whole->n_rows + batch->n_rows), &err), &err);
        hc_table_append(&larger, whole, 0, whole->n_rows);
        hc_table_fini(whole);
        *whole = larger;
    }
    hc_table_append(whole, batch, 0, batch->n_rows);
}

static void read_batches(struct kineto_case *c, void *parser, struct hc_table *batch)
{
    size_t n_rows = 1;
    while (!c->status && n_rows) {
        n_rows = 0;
        for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
            batch[i].n_rows = 0;
        c->status = hc_format_kineto.next_tables(parser, batch, &c->report, &c->err);
        for (size_t i = 0; i < HC_PROFILE_N_TABLES && !c->status; i++) {
            keep(&c->table[i], &batch[i]);
            n_rows += batch[i].n_rows;
        }
    }
}

void kineto_case_read(struct kineto_case *c, const struct hc_source *source, size_t batch_rows,
                      bool op_names)
{
    struct hc_table batch[HC_PROFILE_N_TABLES];
    struct hc_error err = {0};
    void *parser = NULL;
    memset(c, 0, sizeof *c);
    must(hc_table_names_init(&c->names, hc_profile_tables, &err), &err);
    for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++) {
        must(hc_table_init(&batch[i], hc_profile_tables[i], batch_rows, &err), &err);
        must(hc_table_init(&c->table[i], hc_profile_tables[i], batch_rows, &err), &err);
    }
    const struct hc_parse_options options = {.names = &c->names, .op_names = op_names};
    c->status = hc_format_kineto.open(&parser, source, &options, &c->err);
    read_batches(c, parser, batch);
    hc_format_kineto.close(parser);
    for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
        hc_table_fini(&batch[i]);
}

void kineto_case_fini(struct kineto_case *c)
{
    hc_row_report_fini(&c->report);
    hc_table_names_fini(&c->names);
    for (size_t i = 0; i < HC_PROFILE_N_TABLES; i++)
        hc_table_fini(&c->table[i]);
}

int64_t kineto_case_count(const struct kineto_case *c, enum hc_ranks_column column)
{
    const struct hc_table *ranks = &c->table[HC_PROFILE_RANKS];
    if (ranks->n_rows != 1) {
        fprintf(stderr, "%zu rows of ranks\n", ranks->n_rows);
        abort();
    }
    return hc_ranks_def.columns[column].type == HC_I32 ? hc_table_i32(ranks, column)[0]
                                                       : hc_table_i64(ranks, column)[0];
}

int64_t kineto_case_sum(const struct kineto_case *c, enum hc_profile_table which, size_t column)
{
    const struct hc_table *table = &c->table[which];
    bool is_i32 = hc_profile_tables[which]->columns[column].type == HC_I32;
    uint64_t sum = 0; /* of starts it wraps */
    for (size_t i = 0; i < table->n_rows; i++) {
        int64_t value = is_i32 ? hc_table_i32(table, column)[i] : hc_table_i64(table, column)[i];
        if (value != (is_i32 ? HC_MISSING_I32 : HC_MISSING_I64))
            sum += (uint64_t)value;
    }
    return (int64_t)sum;
}

const char *kineto_case_text(const struct kineto_case *c, const char *dictionary, int32_t code)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (strcmp(c->names.dictionary[i], dictionary) == 0 && code >= 0 &&
            (size_t)code < c->names.set[i].n)
            return c->names.set[i].text[code];
    return "-";
}
