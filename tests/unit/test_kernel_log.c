/* Kernel logs: what lines of each form say, by hand; and that neither the order, nor duplicates,
 * nor where a file was cut change what is known. */
#include "core/base/clock.h"
#include "core/tables/events/event_table.h"
#include "parsers/io/line_stamp.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static struct hc_error err;

/* What was read of a log. */
struct reading {
    struct hc_table_names names;
    struct hc_table rows;
    struct hc_row_report report;
};

static void read_source(struct reading *r, const struct hc_format *format,
                        const struct hc_source *source, size_t capacity)
{
    void *parser = NULL;
    *r = (struct reading){0};
    ck_assert_int_eq(hc_event_names_init(&r->names, &err), HC_OK);
    ck_assert_int_eq(hc_table_init(&r->rows, &hc_events_def, capacity, &err), HC_OK);
    const struct hc_parse_options options = {.names = &r->names};
    ck_assert_int_eq(format->open(&parser, source, &options, &err), HC_OK);
    ck_assert_int_eq(format->next_batch(parser, &r->rows, &r->report, &err), HC_OK);
    format->close(parser);
}

static void read_text(struct reading *r, const struct hc_format *format, const char *name,
                      const char *text)
{
    struct hc_source source = bytes_source(name, text, strlen(text));
    source.state.info.st_mtim.tv_sec = 1741000000; /* 2025-03-03 */
    ck_assert_int_gt(format->probe((const unsigned char *)text, strlen(text), name), 0);
    read_source(r, format, &source, MOST);
    hc_source_close(&source);
}

static void reading_fini(struct reading *r)
{
    hc_table_fini(&r->rows);
    hc_table_names_fini(&r->names);
    hc_row_report_fini(&r->report);
}

static const char *text_of(struct reading *r, enum hc_events_column column, size_t row)
{
    int32_t code = hc_table_i32(&r->rows, column)[row];
    const char *dictionary = hc_events_def.columns[column].dictionary;
    return code == HC_MISSING_I32 ? "" : hc_table_names_find(&r->names, dictionary)->text[code];
}

static int64_t number_of(const struct reading *r, enum hc_events_column column, size_t row)
{
    return hc_events_def.columns[column].type == HC_I64 ? hc_table_i64(&r->rows, column)[row]
                                                        : hc_table_i32(&r->rows, column)[row];
}

/* ---- forms ---- */

#define XID79 "NVRM: Xid (PCI:0000:9b:00): 79, pid=1234, name=python3, GPU has fallen off the bus."

static const struct form {
    const struct hc_format *format;
    const char *name, *text, *node, *time;
    enum hc_event_clock clock;
} forms[] = {
    {&hc_format_kernel_log, "/logs/n7/dmesg",
     "kern  :warn  : 2025-01-21T04:41:44,285060+01:00 " XID79 "\n", "n7",
     "2025-01-21T03:41:44.285060000Z", HC_CLOCK_STAMPED},
    {&hc_format_kernel_log, "dmesg-n7.log.1", "[Tue Jan 21 04:41:44 2025] " XID79 "\n", "n7",
     "2025-01-21T04:41:44.000000000Z", HC_CLOCK_ZONE_ASSUMED},
    {&hc_format_kernel_log, "n7.dmesg",
     "[    1.500000] rtc_cmos 00:00: setting system clock to 2025-01-21T04:00:00 UTC (1737432000)\n"
     "[   11.750000] " XID79 "\n",
     "n7", "2025-01-21T04:00:10.250000000Z", HC_CLOCK_SINCE_BOOT},
    {&hc_format_kernel_log, "kern.log", "Jan 21 04:41:44 n7 kernel: [ 12.5] " XID79 "\n", "n7",
     "2025-01-21T04:41:44.000000000Z", HC_CLOCK_YEAR_INFERRED},
    {&hc_format_kernel_log, "messages-20240102", "Dec 31 23:59:59 n7 kernel: " XID79 "\n", "n7",
     "2023-12-31T23:59:59.000000000Z", HC_CLOCK_YEAR_INFERRED},
    {&hc_format_kernel_log, "syslog", "2025-01-21T04:41:44.25+00:00 n7 kernel: " XID79 "\n", "n7",
     "2025-01-21T04:41:44.250000000Z", HC_CLOCK_STAMPED},
    {&hc_format_kernel_log, "syslog", "<4>1 2025-01-21T04:41:44Z n7 kernel - - - " XID79 "\n", "n7",
     "2025-01-21T04:41:44.000000000Z", HC_CLOCK_STAMPED},
    {&hc_format_kernel_json, "j",
     "{\"__REALTIME_TIMESTAMP\":\"1737434504285060\",\"_HOSTNAME\":\"n7\",\"MESSAGE\":\"" XID79
     "\"}\n",
     "n7", "2025-01-21T04:41:44.285060000Z", HC_CLOCK_STAMPED},
    {&hc_format_kernel_json, "store",
     "{\"ts\":1737434504285,\"kubernetes\":{\"node\":\"n7\"},\"log\":\"" XID79 "\"}\n", "n7",
     "2025-01-21T04:41:44.285000000Z", HC_CLOCK_STAMPED},
};

START_TEST(each_form_says_the_same)
{
    const struct form *form = &forms[_i];
    struct reading r;
    char when[32];
    read_text(&r, form->format, form->name, form->text);
    ck_assert_uint_eq(r.rows.n_rows, 1);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_NODE, 0), form->node);
    hc_format_iso8601(number_of(&r, HC_EVENTS_TIME_NS, 0), when);
    ck_assert_str_eq(when, form->time);
    ck_assert_int_eq(number_of(&r, HC_EVENTS_CLOCK, 0), form->clock);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_CLASS, 0), "xid");
    ck_assert_int_eq(number_of(&r, HC_EVENTS_CODE, 0), 79);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_NAME, 0), "GPU_HAS_FALLEN_OFF_THE_BUS");
    ck_assert_str_eq(text_of(&r, HC_EVENTS_EFFECT, 0), "stops");
    ck_assert_str_eq(text_of(&r, HC_EVENTS_DEVICE, 0), "0000:9b:00");
    ck_assert_str_eq(text_of(&r, HC_EVENTS_PROCESS, 0), "python3");
    ck_assert_int_eq(number_of(&r, HC_EVENTS_PID, 0), 1234);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_MESSAGE, 0), XID79);
    reading_fini(&r);
}
END_TEST

START_TEST(bytes_of_a_message_are_its_text)
{
    struct reading r;
    char text[4096] = "{\"__REALTIME_TIMESTAMP\":\"1737434504285060\",\"_HOSTNAME\":\"n7\","
                      "\"MESSAGE\":[";
    for (const char *at = XID79; *at; at++)
        sprintf(text + strlen(text), "%d,", *at);
    strcpy(text + strlen(text) - 1, "]}\n");
    read_text(&r, &hc_format_kernel_json, "j", text);
    ck_assert_uint_eq(r.rows.n_rows, 1);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_MESSAGE, 0), XID79);
    reading_fini(&r);
}
END_TEST

/* ---- messages ---- */

static const struct said {
    const char *message, *event_class, *effect, *device, *process, *name;
    int64_t pid, code;
} said[] = {
    {"NVRM: Xid (PCI:0000:38:00): 45, pid='<unknown>', name=<unknown>, Ch 00000008", "xid",
     "cleanup", "0000:38:00", "", "PREEMPTIVE_REMOVAL", HC_MISSING_I64, 45},
    {"NVRM: Xid (PCI:0000:38:00): 9999, something new", "xid", "may_stop", "0000:38:00", "", "",
     HC_MISSING_I64, 9999},
    {"nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 24007, Non-fatal, Link 45 x y (First)", "sxid",
     "informs", "0000:c1:00", "", "x y", HC_MISSING_I64, 24007},
    {"NVRM: GPU 0000:18:00.0: GPU has fallen off the bus.", "gpu_lost", "stops", "0000:18:00", "",
     "", HC_MISSING_I64, HC_MISSING_I32},
    {"mlx5_core 0000:5e:00.0 ib0: Link down", "infiniband", "may_stop", "0000:5e:00.0", "",
     "link_down", HC_MISSING_I64, HC_MISSING_I32},
    {"igb 0000:02:00.0 eno1: igb: eno1 NIC Link is Down", "ethernet", "may_stop", "0000:02:00.0",
     "", "link_down", HC_MISSING_I64, HC_MISSING_I32},
    {"pcieport 0000:00:01.0: AER: Uncorrected (Fatal) error received: 0000:03:00.0", "pcie",
     "stops", "0000:03:00", "", "", HC_MISSING_I64, HC_MISSING_I32},
    {"pcieport 0000:00:01.0: AER: Corrected error received: 0000:03:00.0", "pcie", "informs",
     "0000:03:00", "", "", HC_MISSING_I64, HC_MISSING_I32},
    {"EDAC MC0: 1 CE memory read error on CPU_SrcID#0", "mce", "informs", "MC0", "", "memory",
     HC_MISSING_I64, HC_MISSING_I32},
    {"Memory cgroup out of memory: Killed process 123 (python) total-vm:1kB", "oom_killer",
     "program", "", "python", "cgroup", 123, HC_MISSING_I32},
    {"INFO: task kworker/u8:2:1234 blocked for more than 120 seconds.", "hung_task", "may_stop", "",
     "kworker/u8:2", "blocked", 1234, HC_MISSING_I32},
    {"nfs: server filer01 not responding, still trying", "filesystem", "may_stop", "filer01", "",
     "not_responding", HC_MISSING_I64, HC_MISSING_I32},
    {"python3[77]: segfault at 7f79 ip 0 sp 0 error 4 in libnccl.so.2[7f7c+d3]", "segfault",
     "program", "", "python3", "libnccl.so.2", 77, 4},
};

START_TEST(messages_say_what_they_are_about)
{
    const struct said *is = &said[_i];
    struct reading r;
    char text[400];
    snprintf(text, sizeof text, "2025-01-21T04:41:44Z n7 kernel: %s\n", is->message);
    read_text(&r, &hc_format_kernel_log, "syslog", text);
    ck_assert_uint_eq(r.rows.n_rows, 1);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_CLASS, 0), is->event_class);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_EFFECT, 0), is->effect);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_DEVICE, 0), is->device);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_PROCESS, 0), is->process);
    ck_assert_str_eq(text_of(&r, HC_EVENTS_NAME, 0), is->name);
    ck_assert_int_eq(number_of(&r, HC_EVENTS_PID, 0), is->pid);
    ck_assert_int_eq(number_of(&r, HC_EVENTS_CODE, 0), is->code);
    reading_fini(&r);
}
END_TEST

START_TEST(other_lines_are_none)
{
    struct reading r;
    read_text(&r, &hc_format_kernel_log, "syslog",
              "2025-01-21T04:41:44Z n7 kernel: docker0: port 3 entered blocking state\n"
              "2025-01-21T04:41:44Z n7 myapp[12]: NVRM: Xid (PCI:0000:38:00): 79, of an app\n"
              "2025-01-21T04:41:44Z n7 kernel: EDAC MC: Ver: 3.0.0\n"
              "2025-01-21T04:41:44Z n7 kernel: NVRM: Xid (PCI:0000:38:00): no number\n");
    ck_assert_uint_eq(r.rows.n_rows, 0);
    ck_assert_int_eq(hc_row_report_total_bad(&r.report), 0);
    reading_fini(&r);
}
END_TEST

START_TEST(an_event_without_a_time_is_bad)
{
    struct reading r;
    read_text(&r, &hc_format_kernel_log, "syslog",
              "2025-01-21T04:41:44Z n7 kernel: hello\n" XID79 "\n");
    ck_assert_uint_eq(r.rows.n_rows, 0);
    ck_assert_int_eq(r.report.count[HC_BAD_NULL], 1);
    ck_assert(strstr(r.report.example[HC_BAD_NULL], "line 2"));
    reading_fini(&r);
}
END_TEST

/* The last of December is of last year, in January. */
START_TEST(years_turn)
{
    struct reading r;
    struct hc_source source;
    const char *text = "Dec 31 23:59:59 n7 kernel: " XID79 "\nJan  1 00:00:01 n7 kernel: " XID79
                       "\nFeb 29 00:00:00 n7 kernel: " XID79 "\n";
    source = bytes_source("kern.log", text, strlen(text));
    source.state.info.st_mtim.tv_sec = 1735700000; /* 2025-01-01T02:53 */
    read_source(&r, &hc_format_kernel_log, &source, MOST);
    hc_source_close(&source);
    ck_assert_uint_eq(r.rows.n_rows, 3);
    ck_assert_int_eq(number_of(&r, HC_EVENTS_TIME_NS, 1) - number_of(&r, HC_EVENTS_TIME_NS, 0),
                     2000000000);
    char when[32];
    hc_format_iso8601(number_of(&r, HC_EVENTS_TIME_NS, 2), when);
    ck_assert_int_eq(strncmp(when, "2024-02-29", 10), 0);
    reading_fini(&r);
}
END_TEST

/* ---- keys ---- */

/* The key says who and what; not the file, its line, or how the stamp was written. */
START_TEST(the_key_is_of_the_fact)
{
    struct reading a, b;
    read_text(&a, &hc_format_kernel_log, "x/syslog",
              "hello\n2025-01-21T04:41:44.285060Z n7 kernel: " XID79 "\n");
    read_text(&b, &forms[7].format[0], "j", forms[7].text);
    ck_assert_int_eq(number_of(&a, HC_EVENTS_TIME_NS, 0), number_of(&b, HC_EVENTS_TIME_NS, 0));
    ck_assert_int_eq(number_of(&a, HC_EVENTS_FACT, 0), number_of(&b, HC_EVENTS_FACT, 0));
    reading_fini(&b);
    read_text(&b, &hc_format_kernel_log, "syslog",
              "2025-01-21T04:41:44.285060Z n8 kernel: " XID79 "\n");
    ck_assert_int_ne(number_of(&a, HC_EVENTS_FACT, 0), number_of(&b, HC_EVENTS_FACT, 0));
    reading_fini(&a);
    reading_fini(&b);
}
END_TEST

/* ---- the logs of others ---- */

static const char *shared(char path[PATH_MAX], const char *file)
{
    const char *root = getenv("HINDCAST_SHARED");
    snprintf(path, PATH_MAX, "%s/data/gpud-dmesg/components/%s", root ? root : "../shared", file);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* Counted by hand: grep -c of each. */
START_TEST(logs_of_gpud)
{
    static const struct {
        const char *file;
        size_t n, n_xid;
        int64_t code;
    } logs[] = {
        {"accelerator/nvidia/xid/testdata/dmesg-with-xid-119.log", 5, 5, 119},
        {"accelerator/nvidia/nccl/testdata/dmesg.decode.iso.log", 2, 0, 4},
        {"memory/testdata/dmesg.decode.iso.log", 24, 17, 13},
        {"os/testdata/dmesg.decode.iso.log", 0, 0, 0},
    };
    char path[PATH_MAX];
    struct reading r;
    struct hc_source source;
    if (!shared(path, logs[_i].file))
        return;
    ck_assert_int_eq(hc_source_open(&source, path, &err), HC_OK);
    read_source(&r, &hc_format_kernel_log, &source, MOST);
    hc_source_close(&source);
    size_t n_xid = 0;
    for (size_t i = 0; i < r.rows.n_rows; i++)
        n_xid += number_of(&r, HC_EVENTS_CLASS, i) == HC_EVENT_XID;
    ck_assert_uint_eq(r.rows.n_rows, logs[_i].n);
    ck_assert_uint_eq(n_xid, logs[_i].n_xid);
    if (r.rows.n_rows)
        ck_assert_int_eq(number_of(&r, HC_EVENTS_CODE, 0), logs[_i].code);
    reading_fini(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel_log");
    TCase *tests = tcase_create("kernel_log");
    tcase_add_loop_test(tests, each_form_says_the_same, 0, sizeof forms / sizeof *forms);
    tcase_add_test(tests, bytes_of_a_message_are_its_text);
    tcase_add_loop_test(tests, messages_say_what_they_are_about, 0, sizeof said / sizeof *said);
    tcase_add_test(tests, other_lines_are_none);
    tcase_add_test(tests, an_event_without_a_time_is_bad);
    tcase_add_test(tests, years_turn);
    tcase_add_test(tests, the_key_is_of_the_fact);
    tcase_add_loop_test(tests, logs_of_gpud, 0, 4);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
