/* Anonymous rows: every column of every table of records is decided on; what becomes of it. */
#include "models/query/anonymous_rows.h"
#include "pipeline/kinds/kind.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

/* A column that is new is missing in what is exported until somebody decides; so that it is not
 * forgotten, this fails then. */
START_TEST(every_column_of_records_is_decided_on)
{
    size_t n = 0;
    for (size_t k = 0; hc_kind_rows[k]; k++) {
        const struct hc_kind *kind = hc_kind_rows[k];
        if (!kind->records && kind != &hc_kind_incidents)
            continue;
        const struct hc_table_def *def = kind->tables[0];
        for (size_t c = 0; c < def->n_columns; c++, n++) {
            const char *fate = hc_anonymous_fate(&def->columns[c]);
            ck_assert_msg(fate != NULL, "%s.%s", def->name, def->columns[c].name);
            /* A time that stays would undo the offset of all others. */
            const char *name = def->columns[c].name;
            bool is_duration =
                strcmp(name, "elapsed_ns") == 0 || strcmp(name, "suspended_ns") == 0 ||
                strcmp(name, "time_limit_ns") == 0 || strcmp(name, "duration_ns") == 0;
            if (strcmp(def->columns[c].unit, "ns") == 0)
                ck_assert_msg(strcmp(fate, is_duration ? "stays" : "shifted") == 0, "%s.%s",
                              def->name, name);
        }
    }
    ck_assert_uint_gt(n, 100);
}
END_TEST

enum { TIME, LENGTH, JOB, USER, NODES, NODE, COMMENT, STRANGE, NEW, STRUCK, N_COLUMNS };
static const struct hc_column_def columns[] = {
    {"start_ns", HC_I64, "ns", "a time", NULL},
    {"elapsed_ns", HC_I64, "ns", "a duration", NULL},
    {"job", HC_I64, "", "a number", NULL},
    {"user", HC_I32, "", "a name", "user"},
    {"node_list", HC_I32, "", "names", "node_list"},
    {"node", HC_I32, "", "a name", "node_name"},
    {"comment", HC_I32, "", "words", "comment"},
    {"strange", HC_I32, "", "nothing is said of these texts", "strange"},
    {"serial", HC_I64, "", "nothing is said of this number", NULL},
    {"struck", HC_I32, "", "the job of an incident", "incident_job"},
};
static const struct hc_table_def def = {"things", N_COLUMNS, columns, 0};
static const size_t places[] = {TIME, LENGTH,  JOB,     USER, NODES,
                                NODE, COMMENT, STRANGE, NEW,  STRUCK};

static struct hc_table table;
static struct hc_table_names names;
static const struct hc_key key = {{1, 2, 3}};

static void set_text(size_t column, size_t row, const char *text)
{
    ck_assert_int_eq(hc_text_set_add(hc_table_names_find(&names, columns[column].dictionary), text,
                                     strlen(text), &hc_table_i32(&table, column)[row], &err),
                     HC_OK);
}

static void set_up(void)
{
    const struct hc_table_def *const tables[] = {&def, NULL};
    ck_assert_int_eq(hc_table_init(&table, &def, 2, &err), HC_OK);
    ck_assert_int_eq(hc_table_names_init(&names, tables, &err), HC_OK);
    for (size_t row = 0; row < 2; row++) {
        hc_table_i64(&table, TIME)[row] = row ? HC_MISSING_I64 : INT64_C(1772323200000000000);
        hc_table_i64(&table, LENGTH)[row] = 7;
        hc_table_i64(&table, JOB)[row] = 42;
        hc_table_i64(&table, NEW)[row] = 43;
        set_text(USER, row, "root");
        set_text(NODES, row, row ? "n[1-" : "n[1-2],n1");
        set_text(NODE, row, "n1");
        set_text(COMMENT, row, "of root");
        set_text(STRUCK, row, row ? "42_3" : "42");
        set_text(STRANGE, row, "of root");
    }
    table.n_rows = 2;
}

static void tear_down(void)
{
    hc_table_names_fini(&names);
    hc_table_fini(&table);
}

static const char *text_at(struct hc_anonymous_rows *rows, size_t column, size_t row)
{
    int32_t code = hc_table_i32(&rows->table, column)[row];
    return code == HC_MISSING_I32
               ? NULL
               : hc_table_names_find(&rows->names, columns[column].dictionary)->text[code];
}

START_TEST(names_are_hashed_and_times_shifted)
{
    const struct hc_anonymous_source source = {&table, &names, N_COLUMNS, places};
    struct hc_anonymous_rows rows;
    char list[128], node[64];
    ck_assert_int_eq(hc_anonymous_init(&rows, &def, &key, &err), HC_OK);
    for (size_t row = 0; row < 2; row++)
        ck_assert_int_eq(hc_anonymous_add(&rows, &source, row, &err), HC_OK);
    ck_assert_uint_eq(rows.table.n_rows, 2);
    int64_t shift = INT64_C(1772323200000000000) - hc_table_i64(&rows.table, TIME)[0];
    ck_assert_int_ge(shift, INT64_C(365) * 86400 * 1000000000);
    ck_assert_int_lt(shift, INT64_C(11) * 365 * 86400 * 1000000000);
    ck_assert_int_eq(shift % 1000000000, 0);
    ck_assert_int_eq(hc_table_i64(&rows.table, TIME)[1], HC_MISSING_I64);
    ck_assert_int_eq(hc_table_i64(&rows.table, LENGTH)[0], 7);
    ck_assert_int_ne(hc_table_i64(&rows.table, JOB)[0], 42);
    ck_assert_int_eq(hc_table_i64(&rows.table, JOB)[0], hc_table_i64(&rows.table, JOB)[1]);
    ck_assert_int_eq(hc_table_i64(&rows.table, NEW)[0], HC_MISSING_I64);
    ck_assert_ptr_null(text_at(&rows, COMMENT, 0));
    ck_assert_ptr_null(text_at(&rows, STRANGE, 0));
    ck_assert_int_eq(strncmp(text_at(&rows, USER, 0), "user-", 5), 0);
    /* Names of a list are those of the column of nodes; what is no list is one name. */
    snprintf(node, sizeof node, "%s", text_at(&rows, NODE, 0));
    snprintf(list, sizeof list, "%s", text_at(&rows, NODES, 0));
    ck_assert_uint_eq(strlen(list), 3 * strlen(node) + 2);
    ck_assert_int_eq(strncmp(list, node, strlen(node)), 0);
    ck_assert_str_eq(list + 2 * strlen(node) + 2, node);
    ck_assert_int_ne(strncmp(list + strlen(node) + 1, node, strlen(node)), 0);
    ck_assert_uint_eq(strlen(text_at(&rows, NODES, 1)), strlen(node));
    /* A job that an incident names is that of other tables, and keeps its task. */
    snprintf(node, sizeof node, "%lld", (long long)hc_table_i64(&rows.table, JOB)[0]);
    ck_assert_str_eq(text_at(&rows, STRUCK, 0), node);
    snprintf(list, sizeof list, "%s_3", node);
    ck_assert_str_eq(text_at(&rows, STRUCK, 1), list);
    /* Cleared, there is room again and no text of before. */
    ck_assert_int_eq(hc_anonymous_clear(&rows, &err), HC_OK);
    ck_assert_uint_eq(rows.table.n_rows, 0);
    ck_assert_uint_eq(hc_table_names_find(&rows.names, "user")->n, 0);
    hc_anonymous_fini(&rows);
}
END_TEST

/* The number is that of openssl: printf 'user\0root' | openssl dgst -sha256 -mac HMAC -macopt
 * hexkey:010203, and 29 bytes of 00. */
/* Times of a list that counts from its own start have no date, and shifted they would tell by how
 * much all others are. */
START_TEST(relative_times_stay)
{
    const struct hc_anonymous_source source = {&table, &names, 1, places};
    struct hc_anonymous_rows rows;
    ck_assert_int_eq(hc_anonymous_init(&rows, &def, &key, &err), HC_OK);
    for (int i = 0; i < 3; i++) {
        hc_table_i64(&table, TIME)[0] = i == 0 ? -5 : i == 1 ? 0 : INT64_C(3600) * 1000000000;
        ck_assert_int_eq(hc_anonymous_add(&rows, &source, 0, &err), HC_OK);
        ck_assert_int_eq(hc_table_i64(&rows.table, TIME)[i], hc_table_i64(&table, TIME)[0]);
    }
    hc_anonymous_fini(&rows);
}
END_TEST

START_TEST(hashes_depend_on_key_and_domain)
{
    const struct hc_key other = {{1, 2, 4}};
    uint64_t hash = hc_keyed_hash(&key, "user", "root", 4);
    ck_assert_uint_eq(hash, UINT64_C(0x1160fc39df698ae3));
    ck_assert_uint_ne(hash, hc_keyed_hash(&other, "user", "root", 4));
    ck_assert_uint_ne(hash, hc_keyed_hash(&key, "node", "root", 4));
    ck_assert_uint_ne(hash, hc_keyed_hash(&key, "user", "root", 3));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("anonymous_rows");
    TCase *cases = tcase_create("anonymous_rows");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, every_column_of_records_is_decided_on);
    tcase_add_test(cases, names_are_hashed_and_times_shifted);
    tcase_add_test(cases, relative_times_stay);
    tcase_add_test(cases, hashes_depend_on_key_and_domain);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
