/* Any text as a condition of a query: what is refused says why; what is accepted marks each row
 * with 0 or 1, the same in another batch, and outside its bounds no row is wanted. */
#include "models/query/query_condition.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT, TIME, SHARE, NAME, N_COLUMNS };
static const struct hc_column_def columns[] = {
    {"count", HC_I32, "", "a number", NULL},
    {"time_ns", HC_I64, "ns", "a time or a duration", NULL},
    {"share", HC_F64, "", "a real number", NULL},
    {"name", HC_I32, "", "a text", "names"},
};
static const struct hc_table_def def = {"things", N_COLUMNS, columns, 0};

#define N_ROWS 5

static void fill(struct hc_table *table, struct hc_table_names *names, struct hc_error *err)
{
    static const int32_t counts[N_ROWS] = {INT32_MIN + 1, -1, 8, INT32_MAX, HC_MISSING_I32};
    static const int64_t times[N_ROWS] = {INT64_MIN + 1, 0, 5400000000000, INT64_MAX,
                                          HC_MISSING_I64};
    static const char *const texts[N_ROWS] = {"", "one", "gpu[1-2]", "\xff*?", NULL};
    for (size_t i = 0; i < N_ROWS; i++) {
        int32_t code = HC_MISSING_I32;
        require(!texts[i] || hc_text_set_add(hc_table_names_find(names, "names"), texts[i],
                                             strlen(texts[i]), &code, err) == HC_OK);
        hc_table_i32(table, COUNT)[i] = counts[i];
        hc_table_i64(table, TIME)[i] = times[i];
        hc_table_f64(table, SHARE)[i] = (double)counts[i] / 3;
        hc_table_i32(table, NAME)[i] = code;
    }
    table->n_rows = N_ROWS;
}

static void check_condition(struct hc_query_condition *condition, struct hc_table *table,
                            struct hc_table_names *names, struct hc_error *err)
{
    uint8_t is_wanted[N_ROWS], of_fewer[N_ROWS];
    int64_t from, to;
    memset(is_wanted, 2, sizeof is_wanted);
    require(hc_query_condition_filter(condition, table, names, is_wanted, err) == HC_OK);
    hc_query_condition_bounds(condition, TIME, &from, &to);
    for (size_t i = 0; i < N_ROWS; i++) {
        int64_t time = hc_table_i64(table, TIME)[i];
        require(is_wanted[i] <= 1);
        require(!is_wanted[i] || time == HC_MISSING_I64 || (time >= from && time <= to));
    }
    table->n_rows = N_ROWS - 2;
    require(hc_query_condition_filter(condition, table, names, of_fewer, err) == HC_OK);
    require(memcmp(is_wanted, of_fewer, table->n_rows) == 0);
    require(hc_query_condition_columns(condition) < 1U << N_COLUMNS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hc_table_def *const tables[] = {&def, NULL};
    struct hc_table table = {0};
    struct hc_table_names names = {0};
    struct hc_error err = {0};
    struct hc_query_condition *condition = NULL;
    char *text = malloc(size + 1);
    require(text);
    memcpy(text, data, size);
    text[size] = '\0';
    require(hc_table_init(&table, &def, N_ROWS, &err) == HC_OK);
    require(hc_table_names_init(&names, tables, &err) == HC_OK);
    fill(&table, &names, &err);
    if (hc_query_condition_parse(&condition, text, &def, &err) == HC_OK)
        check_condition(condition, &table, &names, &err);
    else
        require(err.status == HC_USAGE && err.message[0] && !condition);
    hc_query_condition_free(condition);
    hc_table_names_fini(&names);
    hc_table_fini(&table);
    free(text);
    return 0;
}
