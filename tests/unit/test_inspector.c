/* The figures that the README of NCCL Inspector states, from logs that say size and time as it
 * does; and the order of logs, which may not matter. */
#include "core/tables/collectives/timed_tables.h"
#include "models/timings/timed_result.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N_RANKS 8

static struct hc_error err;

/* One collective of the README; the last rank takes so long, rank r of the others r us more. */
static const struct shown {
    const char *op, *canonical;
    int64_t bytes, time_us;
    double algobw, busbw;
} shown[] = {
    {"AllReduce", "all_reduce", 17179869184, 61974, 277.210914, 485.119099},
    {"ReduceScatter", "reduce_scatter", 2147483648, 41057, 418.439467, 366.134533},
};

static size_t write_log(char *text, size_t room, int rank, int last)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        used += (size_t)snprintf(
            text + used, room - used,
            "{\"header\":{\"id\":\"0x7f8c\",\"rank\":%d,\"n_ranks\":%d,\"nnodes\":1},"
            "\"metadata\":{\"inspector_output_format_version\":\"v4.0\",\"hostname\":\"h\","
            "\"pid\":%d},\"coll_perf\":{\"coll\":\"%s\",\"coll_sn\":1407,"
            "\"coll_msg_size_bytes\":%lld,\"coll_exec_time_us\":%lld,"
            "\"coll_timing_source\":\"kernel_gpu\",\"coll_algobw_gbs\":%.6f,"
            "\"coll_busbw_gbs\":%.6f}}\n",
            rank, N_RANKS, 100 + rank, shown[i].op, (long long)shown[i].bytes,
            (long long)(shown[i].time_us + (rank == last ? 0 : 1000 + rank)), shown[i].algobw,
            shown[i].busbw);
    return used;
}

/* Read a log in batches of one row. */
static void add_log(struct hc_timed_set *set, int rank, int last)
{
    const struct hc_format *format = &hc_format_nccl_inspector;
    char text[4096];
    struct hc_source source = bytes_source("log", text, write_log(text, sizeof text, rank, last));
    struct hc_table_names names;
    struct hc_table tables[HC_TIMED_N_TABLES];
    struct hc_row_report report = {0};
    void *parser = NULL;
    size_t n = 1;
    ck_assert_int_ge(format->probe((const unsigned char *)text, strlen(text), "log"), 90);
    ck_assert_int_eq(hc_table_names_init(&names, hc_timed_tables, &err), HC_OK);
    for (int t = 0; t < HC_TIMED_N_TABLES; t++)
        ck_assert_int_eq(hc_table_init(&tables[t], hc_timed_tables[t], 1, &err), HC_OK);
    ck_assert_int_eq(
        format->open(&parser, &source, &(struct hc_parse_options){.names = &names}, &err), HC_OK);
    ck_assert_int_eq(hc_timed_set_begin(set, &names, &err), HC_OK);
    while (n) {
        n = 0;
        for (int t = 0; t < HC_TIMED_N_TABLES; t++)
            tables[t].n_rows = 0;
        ck_assert_int_eq(format->next_tables(parser, tables, &report, &err), HC_OK);
        for (int t = 0; t < HC_TIMED_N_TABLES; t++) {
            n += tables[t].n_rows;
            ck_assert_int_eq(hc_timed_set_add(set, &tables[t], &err), HC_OK);
        }
    }
    hc_timed_set_end(set);
    ck_assert_int_eq(report.rows_read, 2);
    ck_assert_int_eq(hc_row_report_total_bad(&report), 0);
    format->close(parser);
    hc_row_report_fini(&report);
    for (int t = 0; t < HC_TIMED_N_TABLES; t++)
        hc_table_fini(&tables[t]);
    hc_table_names_fini(&names);
    hc_source_close(&source);
}

static void check_result(const struct hc_timed_result *result, const struct hc_timed_set *set,
                         int last)
{
    ck_assert_uint_eq(result->n_collectives, 2);
    ck_assert_uint_eq(result->n_processes, N_RANKS);
    ck_assert_int_eq(result->totals.n_incomplete, 0);
    ck_assert_int_eq(result->totals.n_compared, 2 * N_RANKS);
    ck_assert_int_eq(result->totals.n_disagree, 2 * (N_RANKS - 1)); /* theirs is for the last */
    for (size_t i = 0; i < 2; i++) {
        const struct hc_timed_collective *collective = &result->collectives[i];
        ck_assert_str_eq(set->ops.text[collective->op], shown[i].canonical);
        ck_assert_int_eq(collective->last, last);
        ck_assert_int_eq(collective->bytes, 17179869184);
        ck_assert(fabs(collective->algobw_gb_s - shown[i].algobw) < 1e-6);
        ck_assert(fabs(collective->busbw_gb_s - shown[i].busbw) < 1e-6);
        ck_assert_int_eq(collective->waited_ns, (7 * 1000 + 28 - last) * 1000);
        for (size_t m = 0; m < collective->n; m++)
            ck_assert_int_eq(hc_timed_wait_ns(result, set, collective, m),
                             (int)m == last ? 0 : (1000 + (int)m) * 1000);
    }
    for (int r = 0; r < N_RANKS; r++) {
        ck_assert_int_eq(result->processes[r].rank, r);
        ck_assert_int_eq(result->processes[r].n_last, r == last ? 2 : 0);
    }
}

START_TEST(readme_is_reproduced)
{
    struct hc_timed_set set = {0};
    struct hc_timed_result result;
    const struct hc_timed_options options = {NULL, 0.8};
    for (int i = 0; i < N_RANKS; i++) /* in an order of their own */
        add_log(&set, (3 * i + _i) % N_RANKS, _i);
    ck_assert_int_eq(hc_timed_analyse(&result, &set, &options, &err), HC_OK);
    check_result(&result, &set, _i);
    hc_timed_result_fini(&result);
    hc_timed_set_fini(&set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inspector");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, readme_is_reproduced, 0, N_RANKS);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
