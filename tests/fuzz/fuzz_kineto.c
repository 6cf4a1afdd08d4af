/* Any bytes as a Kineto trace: codes are those of their dictionaries, ends fit into int64, counts
 * add up, batches of one row and of many give the same, and nothing may crash. */
#include "core/base/log.h"
#include "core/tables/profile_tables.h"
#include "tests/fuzz/target.h"
#include "tests/support/bytes_source.h"
#include "tests/support/kineto_case.h"

static size_t n_texts(const struct kineto_case *c, const char *dictionary)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (strcmp(c->names.dictionary[i], dictionary) == 0)
            return c->names.set[i].n;
    return 0;
}

static void check_codes(const struct kineto_case *c, const struct hc_table *table)
{
    for (size_t column = 0; column < table->def->n_columns; column++) {
        const char *dictionary = table->def->columns[column].dictionary;
        for (size_t i = 0; dictionary && i < table->n_rows; i++) {
            int32_t code = hc_table_i32(table, column)[i];
            require(code == HC_MISSING_I32 || (code >= 0 && (size_t)code < n_texts(c, dictionary)));
        }
    }
}

static void check_times(const struct kineto_case *c, enum hc_profile_table which)
{
    const struct hc_table *table = &c->table[which];
    int64_t base_ns = kineto_case_count(c, HC_RANKS_BASE_NS), end_ns = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        int64_t start_ns = hc_table_i64(table, 0)[i], duration_ns = hc_table_i64(table, 1)[i];
        require(duration_ns >= 0);
        require(!__builtin_add_overflow(base_ns, start_ns, &end_ns));
        require(!__builtin_add_overflow(end_ns, duration_ns, &end_ns));
    }
}

static void check_counts(const struct kineto_case *c)
{
    int64_t sum = 0;
    for (int column = HC_RANKS_N_CPU_OPS; column <= HC_RANKS_N_OUT_OF_RANGE; column++)
        if (column != HC_RANKS_N_NO_OBJECTS)
            sum += kineto_case_count(c, (enum hc_ranks_column)column);
    require(sum == kineto_case_count(c, HC_RANKS_N_EVENTS));
    require(c->report.rows_read == sum + kineto_case_count(c, HC_RANKS_N_NO_OBJECTS) +
                                       kineto_case_count(c, HC_RANKS_N_DAMAGED));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_source source = bytes_source("rank-3", data, size);
    struct kineto_case one, many;
    hc_log_hush(true);
    hc_format_kineto.probe(data, size, source.name);
    kineto_case_read(&one, &source, 1, true);
    kineto_case_read(&many, &source, 100, true);
    require(one.status == many.status);
    require(one.status == HC_OK || one.err.message[0]);
    for (size_t i = 0; i < HC_PROFILE_N_TABLES && !one.status; i++) {
        require(one.table[i].n_rows == many.table[i].n_rows);
        check_codes(&one, &one.table[i]);
        if (i < HC_PROFILE_GROUPS)
            check_times(&one, (enum hc_profile_table)i);
    }
    if (!one.status)
        check_counts(&one);
    kineto_case_fini(&one);
    kineto_case_fini(&many);
    hc_source_close(&source);
    return 0;
}
