/* The four lists of incidents: what rows come of them, and what is said of bad ones. */
#include "core/tables/incidents/incident_table.h"
#include "core/tables/row_report.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 16
#define DAY_NS   INT64_C(86400000000000)

/* All that a text holds, read by a format. */
struct result {
    struct hc_table_names names;
    struct hc_table rows, inventory;
    struct hc_row_report report;
    struct hc_error err;
    enum hc_status status;
};

static struct result read_text(const struct hc_format *format, const char *text)
{
    struct result r = {.status = HC_OK};
    struct hc_source source = bytes_source("list", text, strlen(text));
    void *parser = NULL;
    ck_assert_int_eq(hc_incident_names_init(&r.names, &r.err), HC_OK);
    ck_assert_int_eq(hc_table_init(&r.rows, &hc_incidents_def, CAPACITY, &r.err), HC_OK);
    struct hc_parse_options options = {.names = &r.names};
    r.status = format->open(&parser, &source, &options, &r.err);
    if (r.status == HC_OK)
        r.status = format->next_batch(parser, &r.rows, &r.report, &r.err);
    if (r.status == HC_OK)
        r.status = format->further(parser, &hc_inventory_def, &r.inventory, &r.err);
    format->close(parser);
    hc_source_close(&source);
    return r;
}

static void release(struct result *r)
{
    hc_table_names_fini(&r->names);
    hc_table_fini(&r->rows);
    hc_table_fini(&r->inventory);
    hc_row_report_fini(&r->report);
}

static int64_t time_of(const struct result *r, enum hc_incidents_column column, size_t row)
{
    return hc_table_i64(&r->rows, column)[row];
}

static const char *text_of(const struct result *r, enum hc_incidents_column column, size_t row)
{
    int32_t code = hc_table_i32(&r->rows, column)[row];
    int dictionary = hc_incident_column_dictionary(&hc_incidents_def.columns[column]);
    return code < 0 ? "" : r->names.set[dictionary].text[code];
}

START_TEST(test_csv)
{
    struct result r = read_text(&hc_format_incidents_csv,
                                "time,node,text,recovered,cause,class\n"
                                "2026-01-01T00:00:00+01:00,a,NIC,2026-01-01T00:00:00Z,,\n"
                                "2026-01-02T00:00:00Z,\"b,c\",my words,,software.hang,manual\n"
                                "2026-01-03T00:00:00Z,,gremlins,,,\n");
    ck_assert_int_eq(r.status, HC_OK);
    ck_assert_uint_eq(r.rows.n_rows, 3);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 0) -
                         time_of(&r, HC_INCIDENTS_TIME_NS, 0),
                     3600 * INT64_C(1000000000));
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 0), "hardware.nic");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CLASS, 0), "explicit");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_NODE, 1), "b,c");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 1), "software.hang");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CLASS, 1), "manual");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 2), "unknown");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_TEXT, 2), "gremlins");
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 2), HC_MISSING_I64);
    ck_assert_int_eq(hc_table_i32(&r.inventory, HC_INVENTORY_CLOCK)[0], HC_CLOCK_UNIX);
    release(&r);
}
END_TEST

/* One bad value each: the reason, and words of the message. */
static const struct {
    const char *row;
    enum hc_bad_reason reason;
    const char *words;
} bad_rows[] = {
    {"5,n,x,4,,1", HC_BAD_RANGE, "line 2: 'recovered' is before 'time'"},
    {"soon,n,x,,,1", HC_BAD_NUMBER, "'time' is 'soon', neither seconds"},
    {"2026-01-01T00:00:00,n,x,,,1", HC_BAD_NUMBER, "with a zone"},
    {"5,n,x,2026-01-01T00:00:00Z,,1", HC_BAD_NUMBER, "on the relative clock"},
    {"1e12,n,x,,,1", HC_BAD_RANGE, "out of range"},
    {"5e9,n,x,,,1", HC_BAD_RANGE, "too far away"},
    {",n,x,5,,1", HC_BAD_NULL, "'recovered' is given, but no 'time'"},
    {",n,x,,,", HC_BAD_NULL, "neither 'time' nor 'count'"},
    {"5,n,x,,,0", HC_BAD_RANGE, "'count' is '0'"},
    {"5,n,x,,,2", HC_BAD_RANGE, "'count' is 2, but one 'time'"},
    {"5,n,x,,,1.5", HC_BAD_NUMBER, "not a whole number"},
    {"5,n,x,,gpu,1", HC_BAD_TEXT, "'cause' is 'gpu', which is not one"},
    {"5,n\x01,x,,,1", HC_BAD_TEXT, "'node' is 'n\\x01', which has control bytes"},
    {"5,\xff,x,,,1", HC_BAD_TEXT, "not UTF-8"},
    {"5,n,x,,1", HC_BAD_FIELDS, "5 fields, not 6"},
};

START_TEST(test_bad_rows)
{
    char text[256];
    snprintf(text, sizeof text, "time,node,text,recovered,cause,count\n%s\n6,n,x,,,\n",
             bad_rows[_i].row);
    struct result r = read_text(&hc_format_incidents_csv, text);
    ck_assert_int_eq(r.status, HC_OK);
    ck_assert_uint_eq(r.rows.n_rows, 1);
    ck_assert_int_eq(r.report.rows_read, 2);
    ck_assert_int_eq(r.report.count[bad_rows[_i].reason], 1);
    ck_assert_msg(strstr(r.report.example[bad_rows[_i].reason], bad_rows[_i].words), "'%s' in '%s'",
                  bad_rows[_i].words, r.report.example[bad_rows[_i].reason]);
    release(&r);
}
END_TEST

START_TEST(test_csv_headers)
{
    static const char *const texts[][2] = {
        {"time,nod,text\n", "unknown column 'nod' (did you mean 'node'?)"},
        {"time,time,text\n", "column 'time' is there twice"},
        {"node,text\n", "'time' or 'count' is missing"},
        {"", "is empty"},
    };
    for (size_t i = 0; i < 4; i++) {
        struct result r = read_text(&hc_format_incidents_csv, texts[i][0]);
        ck_assert_int_eq(r.status, HC_BAD_INPUT);
        ck_assert_msg(strstr(r.err.message, texts[i][1]), "%s", r.err.message);
        release(&r);
    }
}
END_TEST

START_TEST(test_jsonl)
{
    struct result r = read_text(
        &hc_format_incidents_jsonl,
        "{\"observation\": {\"nodes\": 8, \"start\": 0, \"end\": 86400}}\r\n\n"
        "{\"time\": 12.5, \"node\": \"a\", \"attempt\": 3, \"recovered\": null, \"text\": \"Job "
        "Hang\"}\n"
        "{\"cause\": \"hardware.gpu\", \"count\": 40}");
    ck_assert_int_eq(r.status, HC_OK);
    ck_assert_uint_eq(r.rows.n_rows, 2);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 0), INT64_C(12500000000));
    ck_assert_int_eq(hc_table_i32(&r.rows, HC_INCIDENTS_ATTEMPT)[0], 3);
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 0), "software.hang");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CLASS, 0), "implicit");
    ck_assert_int_eq(hc_table_i32(&r.rows, HC_INCIDENTS_COUNT)[1], 40);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 1), HC_MISSING_I64);
    ck_assert_uint_eq(r.inventory.n_rows, 1);
    ck_assert_int_eq(hc_table_i32(&r.inventory, HC_INVENTORY_NODES)[0], 8);
    ck_assert_int_eq(hc_table_i64(&r.inventory, HC_INVENTORY_END_NS)[0], DAY_NS);
    release(&r);
}
END_TEST

START_TEST(test_jsonl_refused)
{
    static const char *const texts[][2] = {
        {"{\"time\": 1, \"nod\": 2}", "'list:1': member 'nod' is unknown"},
        {"{\"time\": 1}\n{\"time\": 1, \"time\": 2}", "'list:2': member 'time'"},
        {"{\"time\": 1", "line 1"},
        {"[1]", "an object is expected"},
        {"{\"observation\": {\"nodes\": 0}}", "'nodes' is '0'"},
        {"{\"observation\": {\"start\": 5, \"end\": 5}}", "'end' is not after 'start'"},
        {"{\"observation\": {\"node\": 5}}", "unknown member 'node'"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct result r = read_text(&hc_format_incidents_jsonl, texts[i][0]);
        ck_assert_int_eq(r.status, HC_BAD_INPUT);
        ck_assert_msg(strstr(r.err.message, texts[i][1]), "%s", r.err.message);
        release(&r);
    }
}
END_TEST

#define EVENT(node, time, type, desc)                                                              \
    "{\"node_id\": \"" node "\", \"event_time\": " time ", \"event_type\": \"fault_" type          \
    "\", \"fault_type\": {\"Level\": \"Hardware Failure\", \"Class\": \"GPU\", \"Desc\": \"" desc  \
    "\"}}"

/* Two faults of one kind are open at once: the first to begin is the first to end. */
START_TEST(test_infinitehbd)
{
    struct result r = read_text(
        &hc_format_incidents_infinitehbd,
        "[" EVENT("a", "1.5", "start", "GPU Lost") "," EVENT("a", "2", "start", "GPU Lost") "," EVENT(
            "b", "2.0001", "start",
            "GPU DBE(Double Bit ECC) > Threshold") "," EVENT("a", "3", "end",
                                                             "GPU Lost") "," EVENT("a", "4", "end",
                                                                                   "GPU Lost") "," EVENT("a",
                                                                                                         "5",
                                                                                                         "end",
                                                                                                         "GPU Lost") "]");
    ck_assert_int_eq(r.status, HC_OK);
    ck_assert_uint_eq(r.rows.n_rows, 3);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 0), DAY_NS * 3 / 2);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 0), 3 * DAY_NS);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 1), 2 * DAY_NS);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 1), 4 * DAY_NS);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 2), INT64_C(172808640000000));
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 2), HC_MISSING_I64);
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_TEXT, 0), "Hardware Failure: GPU: GPU Lost");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 0), "hardware.gpu");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 2), "hardware.gpu_memory");
    ck_assert_int_eq(r.report.rows_read, 6);
    ck_assert_int_eq(r.report.count[HC_BAD_RANGE], 1);
    ck_assert_str_eq(r.report.example[HC_BAD_RANGE], "event 6: a fault ends that did not begin");
    ck_assert_int_eq(hc_table_i64(&r.inventory, HC_INVENTORY_END_NS)[0], 5 * DAY_NS);
    ck_assert_int_eq(hc_table_i32(&r.inventory, HC_INVENTORY_NODES)[0], HC_MISSING_I32);
    release(&r);
}
END_TEST

#define LANL_HEADER                                                                                \
    "System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,node install,node prod,node " \
    "decom,fru type,mem,cputype,memtype,num intercon,purpose,Prob Started,Prob Fixed,Down Time,"   \
    "Facilities,Hardware,Human Error,Network,Undetermined,Software,Same Event\n"

START_TEST(test_lanl)
{
    struct result r = read_text(
        &hc_format_incidents_lanl, LANL_HEADER
        "2,c,49,9,9,1,0,Nov-96,Jan-97,5-Nov,p,1,1,1,1,x,6/21/2005 10:54,,6,,Memory Dimm,,,,,No\n"
        "2,c,49,9,9,2,1,Nov-96,5-Jun,current,p,1,1,1,1,x,1/2/2006 0:00,,0,,,,,,,No\n"
        "7,c,1,9,9,2,0,before tracking,before tracking,Dec-99,p,1,1,1,1,x,13/1/1999 0:00,,1,,,,,,,"
        "No\n"
        "7,c,1,9,9,2,0,before tracking,before tracking,Dec-99,p,1,1,1,1,x,1/1/1999 0:00,,1,,A,B,,,,"
        "No\n"
        "7,c,1,9,9,2,0,before tracking,before tracking,Dec-99,p,1,1,1,1,x,1/1/1999 0:00,,1,,,,N,,,"
        "No\n");
    ck_assert_int_eq(r.status, HC_OK);
    ck_assert_uint_eq(r.rows.n_rows, 3);
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_TIME_NS, 0), INT64_C(1119351240000000000));
    ck_assert_int_eq(time_of(&r, HC_INCIDENTS_RECOVERED_NS, 0), INT64_C(1119351600000000000));
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_NODE, 0), "2/0");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 0), "hardware.memory");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 1), "unknown");
    ck_assert_str_eq(text_of(&r, HC_INCIDENTS_CAUSE, 2), "network.other");
    ck_assert_int_eq(r.report.count[HC_BAD_NUMBER], 1);
    ck_assert_int_eq(r.report.count[HC_BAD_FIELDS], 1);
    ck_assert_uint_eq(r.inventory.n_rows, 2);
    /* January 1997 to the last failure of the records */
    ck_assert_int_eq(hc_table_i64(&r.inventory, HC_INVENTORY_START_NS)[0],
                     INT64_C(852076800000000000));
    ck_assert_int_eq(hc_table_i64(&r.inventory, HC_INVENTORY_END_NS)[0],
                     INT64_C(1136160000000000000));
    ck_assert_int_eq(hc_table_i64(&r.inventory, HC_INVENTORY_START_NS)[1], HC_MISSING_I64);
    release(&r);
}
END_TEST

/* A file that ends within its last row, wherever that is: an error, or the whole row with what may
 * have been cut from its last field; never one bad row among the good ones. */
static void check_cuts(const struct hc_format *format, const char *text, size_t n_rows)
{
    size_t length = strlen(text), last = length - 1;
    size_t n_refused = 0;
    char *copy = strdup(text);
    while (last && text[last - 1] != '\n')
        last--;
    for (size_t end = last + 1; end < length; end++) {
        copy[end] = '\0';
        struct result r = read_text(format, copy);
        if (r.status == HC_OK)
            ck_assert_msg(r.rows.n_rows == n_rows && !hc_row_report_total_bad(&r.report),
                          "%zu rows of '%s'", r.rows.n_rows, copy + last);
        else
            ck_assert_msg(r.status == HC_BAD_INPUT &&
                              (strstr(r.err.message, "cut off") ||
                               strstr(r.err.message, "ends here, in the middle of")),
                          "%s: '%s'", r.err.message, copy + last);
        n_refused += r.status != HC_OK;
        copy[end] = text[end];
        release(&r);
    }
    ck_assert_uint_gt(n_refused, (length - last) / 2);
    struct result r = read_text(format, text);
    ck_assert(r.status == HC_OK && r.rows.n_rows == n_rows);
    release(&r);
    free(copy);
}

START_TEST(test_cut_files)
{
    check_cuts(&hc_format_incidents_csv,
               "time,node,text,recovered,cause,count\n"
               "2026-01-01T00:00:00Z,a,NIC,,,1\n"
               "2026-01-02T00:00:00Z,\"b,c\",x,2026-01-03T00:00:00Z,software.hang,1\n",
               2);
    check_cuts(&hc_format_incidents_lanl,
               LANL_HEADER
               "2,c,49,9,9,1,0,Nov-96,Jan-97,5-Nov,p,1,1,1,1,x,6/21/2005 10:54,,6,,Dimm,,,,,No\n"
               "2,c,49,9,9,2,1,Nov-96,5-Jun,current,p,1,1,1,1,x,1/2/2006 0:00,,0,,,,,,,No\n",
               2);
    check_cuts(&hc_format_incidents_jsonl,
               "{\"time\": 5, \"node\": \"a\"}\n{\"time\": 6, \"node\": \"b\", \"count\": 1}\n", 2);
    check_cuts(&hc_format_incidents_infinitehbd,
               "[{\"node_id\":\"a\",\"event_time\":1,\"event_type\":\"fault_start\","
               "\"fault_type\":{\"Level\":\"x\"}},\n"
               "{\"node_id\":\"a\",\"event_time\":2.5,\"event_type\":\"fault_end\","
               "\"fault_type\":{\"Level\":\"x\"}}]\n",
               1);
}
END_TEST

/* Every format of incidents knows its own, and none takes a step timeline or another's list. */
START_TEST(test_probes)
{
    static const char *const texts[] = {
        "time,cause\n",
        "{\"time\": 1, \"cause\": \"unknown\"}\n",
        "[" EVENT("a", "1", "start", "x") "]",
        LANL_HEADER,
        "step,dp_rank,pp_rank,start,end,time,text\n",
        "{\"traceEvents\": [{\"ph\": \"X\", \"time\": 1, \"text\": \"a\"}]}",
    };
    const struct hc_format *const formats[] = {&hc_format_incidents_csv, &hc_format_incidents_jsonl,
                                               &hc_format_incidents_infinitehbd,
                                               &hc_format_incidents_lanl};
    for (size_t f = 0; f < 4; f++)
        for (size_t t = 0; t < 6; t++) {
            int sure = formats[f]->probe((const unsigned char *)texts[t], strlen(texts[t]), "x");
            ck_assert_msg((sure > 0) == (f == t), "%s: text %zu: %d", formats[f]->name, t, sure);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("incident_formats");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, test_csv);
    tcase_add_loop_test(tests, test_bad_rows, 0, sizeof bad_rows / sizeof *bad_rows);
    tcase_add_test(tests, test_csv_headers);
    tcase_add_test(tests, test_jsonl);
    tcase_add_test(tests, test_jsonl_refused);
    tcase_add_test(tests, test_infinitehbd);
    tcase_add_test(tests, test_lanl);
    tcase_add_test(tests, test_cut_files);
    tcase_add_test(tests, test_probes);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
