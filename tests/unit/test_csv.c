#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <check.h>
#include <limits.h>
#include <stdbool.h>
#include <time.h>

#define HEADER "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n"
#define GOOD   "0,1,4,10,forward-compute,0.5,0.25,0,0,1,2\n"

/* ---- the scanner ---- */

/* All records as text: fields in [], records ended by ';', '!' for stray, '~' for no line end. */
static void scan_all(const char *bytes, size_t length, char *out, size_t size)
{
    struct hc_error err = {0};
    struct hc_source source = bytes_source("t.csv", bytes, length);
    struct hc_csv_scanner *scanner = NULL;
    struct hc_csv_record record;
    size_t used = 0;
    out[0] = '\0';
    if (hc_csv_open(&scanner, &source, &err))
        ck_abort_msg("%s", err.message);
    for (;;) {
        if (hc_csv_next(scanner, &record, &err)) {
            snprintf(out + used, size - used, "error: %s", err.message);
            break;
        }
        if (record.n_fields == 0)
            break;
        for (size_t i = 0; i < record.n_fields; i++)
            used += (size_t)snprintf(out + used, size - used, "[%.*s]",
                                     (int)record.fields[i].length, record.fields[i].text);
        used += (size_t)snprintf(out + used, size - used, "%s%s@%lld;", record.stray ? "!" : "",
                                 record.ended ? "" : "~", (long long)record.line);
    }
    hc_csv_close(scanner);
    hc_source_close(&source);
}

static void check_scan(const char *text, const char *expected)
{
    char out[4096];
    scan_all(text, strlen(text), out, sizeof out);
    ck_assert_str_eq(out, expected);
}

START_TEST(scans_records)
{
    check_scan("", "");
    check_scan("a,b\nc,d\n", "[a][b]@1;[c][d]@2;");
    check_scan("a,b\r\nc,d\r\n", "[a][b]@1;[c][d]@2;");
    check_scan("a,b", "[a][b]~@1;");
    check_scan("\xEF\xBB\xBF"
               "a,b\n",
               "[a][b]@1;");
    check_scan("\n\r\n  \t\na\n\n", "[a]@4;");
    check_scan(",\n", "[][]@1;");
    check_scan("a,\n", "[a][]@1;");
    check_scan("a b+c!d#e$f%g&h'i(j)k*l\n", "[a b+c!d#e$f%g&h'i(j)k*l]@1;");
}
END_TEST

START_TEST(scans_quoted_fields)
{
    check_scan("\"a\",\"b,c\"\n", "[a][b,c]@1;");
    check_scan("\"a\"\"b\",\"\"\"\"\n", "[a\"b][\"]@1;");
    check_scan("\"\"\n", "[]@1;");
    check_scan("\"a\nb\",c\nd\n", "[a\nb][c]@1;[d]@3;");
    check_scan("\"a\"\r\n\"b\"\r\n", "[a]@1;[b]@2;");
    check_scan("\"a\"", "[a]~@1;");
    check_scan("a\"b\",c\n", "[a\"b\"][c]@1;");
    check_scan("\"a\"x,b\nc\n", "[a][b]!@1;[c]@2;");
}
END_TEST

START_TEST(refuses_what_is_no_csv)
{
    char out[4096];
    scan_all("a,b\nc,\0\n", 8, out, sizeof out);
    ck_assert_str_eq(out, "[a][b]@1;error: 't.csv': line 2: NUL byte in the line from byte 4 on; "
                          "this is no text file, or one in UTF-16, which must be converted to "
                          "UTF-8");
    scan_all("a\n\"b\0\"\n", 7, out, sizeof out);
    ck_assert_ptr_nonnull(strstr(out, "line 2: NUL byte"));
    check_scan("a\nb,\"c\nd", "[a]@1;error: 't.csv': line 2: a quote in the record from byte 2 on "
                              "is never closed; the file is cut off or the quote is stray");
    size_t n = 3 * HC_CSV_MAX_RECORD;
    char *lengthy = malloc(n);
    ck_assert_ptr_nonnull(lengthy);
    memset(lengthy, 'x', n);
    scan_all(lengthy, n, out, sizeof out);
    ck_assert_ptr_nonnull(strstr(out, "error: 't.csv': line 1: the record from byte 0 on is longer "
                                      "than 1048576 bytes"));
    memset(lengthy, ',', n);
    scan_all(lengthy, n, out, sizeof out);
    ck_assert_ptr_nonnull(strstr(out, "more than 65536 fields"));
    memset(lengthy, '\n', n);
    scan_all(lengthy, n, out, sizeof out);
    ck_assert_str_eq(out, "");
    free(lengthy);
}
END_TEST

/* A reader of RFC 4180 one letter at a time, to compare with; writes what scan_all writes. */
static void scan_plainly(const char *text, size_t length, char *out, size_t size)
{
    size_t used = 0, at = 0;
    int line = 1;
    while (at < length) {
        char record[4096];
        size_t n = 0, fields = 0;
        bool stray = false, ended = false, quoted_any = false, inked = false;
        int first_line = line;
        while (at < length && !ended) {
            bool quoted = text[at] == '"';
            size_t begin = n;
            quoted_any |= quoted;
            record[n++] = '[';
            if (quoted) {
                for (at++;; at++) {
                    if (at >= length) {
                        snprintf(out + used, size - used, "open");
                        return;
                    }
                    if (text[at] == '"' && at + 1 < length && text[at + 1] == '"')
                        at++;
                    else if (text[at] == '"')
                        break;
                    line += text[at] == '\n';
                    record[n++] = text[at];
                }
                at++;
            }
            size_t rest = at;
            while (at < length && text[at] != ',' && text[at] != '\n') {
                inked |= !strchr(" \t\r", text[at]);
                if (!quoted)
                    record[n++] = text[at];
                at++;
            }
            bool at_line_end = at == length || text[at] == '\n';
            bool cr = at > rest && at_line_end && text[at - 1] == '\r';
            if (!quoted && cr && n > begin + 1)
                n--;
            if (quoted && at - rest > (size_t)(cr && at - rest == 1))
                stray = true;
            record[n++] = ']';
            fields++;
            ended = at < length && text[at] == '\n';
            line += ended;
            bool comma = at < length && text[at] == ',';
            at++;
            if (comma && at >= length) {
                n += (size_t)sprintf(record + n, "[]");
                fields++;
            }
        }
        record[n] = '\0';
        if (fields == 1 && !quoted_any && !inked)
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s%s@%d;", record, stray ? "!" : "",
                                 ended ? "" : "~", first_line);
        line += !ended;
    }
}

START_TEST(agrees_with_a_plain_reader)
{
    static const char letters[] = "\"\"\"\"\",,,,,\n\n\n\rab 01-.";
    unsigned seed =
        getenv("HC_TEST_SEED") ? (unsigned)atoi(getenv("HC_TEST_SEED")) : (unsigned)time(NULL);
    printf("seed: HC_TEST_SEED=%u\n", seed);
    srand(seed);
    for (int round = 0; round < 20000; round++) {
        char text[300], mine[8192], plain[8192] = "";
        size_t length = (size_t)rand() % sizeof text;
        size_t kinds = 1 + (size_t)rand() % (sizeof letters - 1);
        for (size_t i = 0; i < length; i++)
            text[i] = letters[(size_t)rand() % kinds + (sizeof letters - 1 - kinds)];
        scan_all(text, length, mine, sizeof mine);
        scan_plainly(text, length, plain, sizeof plain);
        char *error = strstr(mine, "error:");
        if (error)
            strcpy(error, "open");
        ck_assert_msg(strcmp(mine, plain) == 0, "'%.*s'\n mine  %s\n plain %s", (int)length, text,
                      mine, plain);
    }
}
END_TEST

/* Records of all lengths across the ends of the read buffer. */
START_TEST(survives_the_ends_of_its_buffer)
{
    size_t n = 0, capacity = 1300000, records = 0;
    char *text = malloc(capacity + 100);
    ck_assert_ptr_nonnull(text);
    for (; n < capacity; records++)
        n += (size_t)sprintf(text + n, records % 3 ? "%zu,\"x\"\"\n%zu\"\r\n" : "%zu,x%zu\n",
                             records + 1, (records + 1) * 7919 % 100003);
    struct hc_error err = {0};
    struct hc_source source = bytes_source("t.csv", text, n);
    struct hc_csv_scanner *scanner = NULL;
    struct hc_csv_record record;
    ck_assert(hc_csv_open(&scanner, &source, &err) == HC_OK);
    int64_t byte = 0;
    for (size_t i = 0; i < records; i++) {
        char expected[64], number[32];
        ck_assert_msg(hc_csv_next(scanner, &record, &err) == HC_OK, "%s", err.message);
        ck_assert_uint_eq(record.n_fields, 2);
        snprintf(number, sizeof number, "%zu", i + 1);
        snprintf(expected, sizeof expected, i % 3 ? "x\"\n%zu" : "x%zu", (i + 1) * 7919 % 100003);
        ck_assert_uint_eq(record.fields[0].length, strlen(number));
        ck_assert_mem_eq(record.fields[0].text, number, strlen(number));
        ck_assert_uint_eq(record.fields[1].length, strlen(expected));
        ck_assert_mem_eq(record.fields[1].text, expected, strlen(expected));
        ck_assert_int_eq(record.byte, byte);
        byte = record.next_byte;
    }
    ck_assert(hc_csv_next(scanner, &record, &err) == HC_OK && record.n_fields == 0);
    ck_assert(hc_csv_next(scanner, &record, &err) == HC_OK && record.n_fields == 0);
    ck_assert_int_eq(byte, (int64_t)n);
    hc_csv_close(scanner);
    hc_source_close(&source);
    free(text);
}
END_TEST

/* ---- the format ---- */

struct result {
    enum hc_status status;
    struct hc_error err;
    struct hc_row_report report;
    struct hc_table ops; /* the last batch */
    int64_t rows;        /* of all batches */
};

static struct result read_source(const struct hc_source *source,
                                 const struct hc_parse_options *options)
{
    struct result r = {0};
    void *parser = NULL;
    ck_assert(hc_table_init(&r.ops, &hc_ops_def, 5000, &r.err) == HC_OK);
    r.status = hc_format_step_csv.open(&parser, source, options, &r.err);
    while (r.status == HC_OK) {
        struct hc_table batch = r.ops;
        batch.n_rows = 0;
        r.status = hc_format_step_csv.next_batch(parser, &batch, &r.report, &r.err);
        if (batch.n_rows == 0)
            break;
        r.ops.n_rows = batch.n_rows;
        r.rows += (int64_t)batch.n_rows;
    }
    hc_format_step_csv.close(parser);
    return r;
}

static struct result read_text(const char *text, const struct hc_parse_options *options)
{
    struct hc_parse_options plain = {0};
    struct hc_source source = bytes_source("t.csv", text, strlen(text));
    struct result r = read_source(&source, options ? options : &plain);
    hc_source_close(&source);
    return r;
}

static void drop(struct result *r)
{
    hc_row_report_fini(&r->report);
    hc_table_fini(&r->ops);
}

static void check_fatal(const char *text, const char *expected)
{
    struct result r = read_text(text, NULL);
    ck_assert_int_eq(r.status, HC_BAD_INPUT);
    ck_assert_str_eq(r.err.message, expected);
    drop(&r);
}

/* One bad row among good ones: it alone is left out, and its reason is kept. */
static void check_bad(const char *row, enum hc_bad_reason reason, int32_t step,
                      const char *expected)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s\n%s", HEADER, GOOD, row, GOOD);
    struct result r = read_text(text, NULL);
    ck_assert_msg(r.status == HC_OK, "%s: %s", row, r.err.message);
    ck_assert_int_eq(r.rows, 2);
    ck_assert_int_eq(r.report.rows_read, 3);
    ck_assert_int_eq(hc_row_report_total_bad(&r.report), 1);
    ck_assert_int_eq(r.report.count[reason], 1);
    ck_assert_str_eq(r.report.example[reason], expected);
    ck_assert_int_eq(r.report.bad_without_step, step == HC_MISSING_I32);
    if (step != HC_MISSING_I32)
        ck_assert_int_ge(hc_int_map_find(&r.report.bad_steps, (uint32_t)step), 0);
    drop(&r);
}

START_TEST(reads_a_row)
{
    struct result r = read_text(HEADER GOOD "0,1,4,11,gc,-1.5,1.5e-05,3,-1,-1,-1\n", NULL);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    ck_assert_int_eq(r.rows, 2);
    struct hc_op_columns c = hc_op_columns(&r.ops);
    ck_assert(c.dp_rank[0] == 0 && c.stage[0] == 1 && c.rank[0] == 4 && c.step[0] == 10);
    ck_assert(c.op_type[0] == HC_FORWARD_COMPUTE && c.seq_id[0] == 0 && c.model_chunk[0] == 0);
    ck_assert(c.microbatch[0] == 1 && c.global_chunk[0] == 2);
    ck_assert(c.start_ns[0] == 500000000 && c.duration_ns[0] == 250000000);
    ck_assert(c.step[1] == 11 && c.op_type[1] == HC_GC && c.seq_id[1] == 3);
    ck_assert(c.model_chunk[1] == HC_MISSING_I32 && c.microbatch[1] == HC_MISSING_I32);
    ck_assert(c.global_chunk[1] == HC_MISSING_I32);
    ck_assert(c.start_ns[1] == -1500000000 && c.duration_ns[1] == 15000);
    drop(&r);
}
END_TEST

START_TEST(columns_come_in_any_order_among_others)
{
    struct result r = read_text("\xEF\xBB\xBF"
                                "note, gmc ,mb_id,\"mc\",seq_id,duration,start_ts,optype,step,"
                                "rank,stage,dp_rank,host\r\n"
                                "\"a,\"\"b\",2,1,0,7,0.25, 0.5 ,\"forward-compute\",10,4,1,3,h\r\n",
                                NULL);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    ck_assert_int_eq(r.rows, 1);
    struct hc_op_columns c = hc_op_columns(&r.ops);
    ck_assert(c.dp_rank[0] == 3 && c.stage[0] == 1 && c.rank[0] == 4 && c.step[0] == 10);
    ck_assert(c.seq_id[0] == 7 && c.global_chunk[0] == 2 && c.start_ns[0] == 500000000);
    drop(&r);
}
END_TEST

START_TEST(whole_floats_and_nulls_of_pandas)
{
    struct result r = read_text(HEADER "0.0,1.0,4.0,10.0,gc,0.5,0.0,0.0,,nan,-1.0\n\n" GOOD, NULL);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    ck_assert_int_eq(r.rows, 2);
    struct hc_op_columns c = hc_op_columns(&r.ops);
    ck_assert(c.rank[0] == 4 && c.model_chunk[0] == HC_MISSING_I32);
    ck_assert(c.microbatch[0] == HC_MISSING_I32 && c.global_chunk[0] == HC_MISSING_I32);
    drop(&r);
}
END_TEST

START_TEST(bad_rows_are_counted_with_their_place)
{
    check_bad("0,1,4,10,gc,0.5,0.25,0,0,1", HC_BAD_FIELDS, HC_MISSING_I32,
              "'t.csv': line 3: 10 fields, not 11");
    check_bad("0,1,4,10,gc,0.5,0.25,0,0,1,2,3", HC_BAD_FIELDS, HC_MISSING_I32,
              "'t.csv': line 3: 12 fields, not 11");
    check_bad("0,1,4,10,\"gc\"x,0.5,0.25,0,0,1,2", HC_BAD_FIELDS, HC_MISSING_I32,
              "'t.csv': line 3: text behind a closing quote");
    check_bad("0,1,4,10,gc,0.5,abc,0,0,1,2", HC_BAD_NUMBER, 10,
              "'t.csv': line 3: duration 'abc' is not a number");
    check_bad("0,1,4,x,gc,0.5,0.25,0,0,1,2", HC_BAD_NUMBER, HC_MISSING_I32,
              "'t.csv': line 3: step 'x' is not a number");
    check_bad("0,1,4,10,gc,0.5,0.25,1.5,0,1,2", HC_BAD_NUMBER, 10,
              "'t.csv': line 3: seq_id '1.5' is not a whole number");
    check_bad("0,1,4,10,gc,1e300,0.25,1,0,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: start_ts '1e300' is out of range");
    check_bad("0,1,4,10,gc,9e9,0.25,1,0,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: start_ts is out of range (146 years either way)");
    check_bad("0,1,99999999999999999999,10,gc,0,0.25,1,0,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: rank '99999999999999999999' is out of range");
    check_bad("0,1,2147483648,10,gc,0,0.25,1,0,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: rank 2147483648 is out of range (0 to 2147483647)");
    check_bad("-1,1,2,10,gc,0,0.25,1,0,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: dp_rank -1 is out of range (0 to 2147483647)");
    check_bad("0,1,2,10,gc,0,0.25,1,-2,1,2", HC_BAD_RANGE, 10,
              "'t.csv': line 3: mc -2 is out of range (-1 to 2147483647)");
    check_bad("0,1,,10,gc,0,0.25,1,0,1,2", HC_BAD_NULL, 10, "'t.csv': line 3: rank is empty");
    check_bad("0,1,4,,gc,0,0.25,1,0,1,2", HC_BAD_NULL, HC_MISSING_I32,
              "'t.csv': line 3: step is empty");
    check_bad("0,1,4,10,gc,,0.25,1,0,1,2", HC_BAD_NULL, 10, "'t.csv': line 3: start_ts is empty");
    check_bad("0,1,4,10,,0,0.25,1,0,1,2", HC_BAD_NULL, 10, "'t.csv': line 3: optype is empty");
}
END_TEST

START_TEST(impossible_values_are_fatal)
{
    check_fatal(HEADER GOOD "0,1,4,10,gc,0.5,NaN,0,0,1,2\n",
                "'t.csv': line 3: duration 'NaN' is not finite; correct or remove the row");
    check_fatal(HEADER "0,1,4,10,gc,-inf,0,0,0,1,2\n",
                "'t.csv': line 2: start_ts '-inf' is not finite; correct or remove the row");
    check_fatal(HEADER "0,1,4,10,gc,0,-0.5,0,0,1,2\n",
                "'t.csv': line 2: duration -0.500000000 s is negative; correct or remove the row");
    check_fatal(HEADER "0,1,4,10,foward-compute,0,0.5,0,0,1,2\n",
                "'t.csv': line 2: optype 'foward-compute' is unknown (did you mean "
                "'forward-compute'?); map it to a known type or to 'ignored' under op_types in the "
                "metadata");
    check_fatal(HEADER "0,1,4,10,\x01\xff,0,0.5,0,0,1,2\n",
                "'t.csv': line 2: optype '\\x01\\xff' is unknown; map it to a known type or to "
                "'ignored' under op_types in the metadata");
}
END_TEST

START_TEST(bad_headers_are_fatal)
{
    check_fatal("", "'t.csv' is empty; a line that names the columns is expected");
    check_fatal("\n\n", "'t.csv' is empty; a line that names the columns is expected");
    check_fatal("dp_rank,stage,rank,step,optype,start_ts,seq_id,mc,mb_id\n",
                "line 1 (which begins 'dp_rank') does not name the columns: 't.csv' lacks the "
                "columns 'gmc', 'duration'; all eleven must be there");
    check_fatal("dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc,mc\n",
                "line 1 (which begins 'dp_rank') does not name the columns: 't.csv' has the column "
                "'mc' more than once; remove all but one");
    struct result r = read_text(GOOD, NULL);
    ck_assert_int_eq(r.status, HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(r.err.message, "line 1 (which begins '0')"));
    ck_assert_ptr_nonnull(strstr(r.err.message, "has none of the columns of a step timeline"));
    drop(&r);
}
END_TEST

/* A whole file cut at any byte is refused, or has all rows up to a line end. */
START_TEST(a_cut_file_does_not_pass)
{
    check_fatal(HEADER GOOD "0,1,4,10,gc,0.5",
                "'t.csv': line 3: the file is cut off at byte 126, in the middle of a row (6 of 11 "
                "fields); fetch or write it again, or end the line if it is whole");
    const char whole[] = HEADER GOOD GOOD;
    for (size_t length = strlen(HEADER); length < strlen(whole); length++) {
        char text[sizeof whole];
        memcpy(text, whole, length);
        text[length] = '\0';
        struct result r = read_text(text, NULL);
        size_t behind = length - strlen(HEADER);
        /* A row that lacks only its line end is whole. */
        bool at_line_end = behind % strlen(GOOD) == 0 || behind % strlen(GOOD) == strlen(GOOD) - 1;
        ck_assert_msg(at_line_end == (r.status == HC_OK), "cut to %zu: %s", length, r.err.message);
        if (r.status == HC_OK)
            ck_assert_int_eq(r.rows, (int64_t)((behind + 1) / strlen(GOOD)));
        drop(&r);
    }
}
END_TEST

START_TEST(metadata_rules_rows)
{
    struct hc_error err = {0};
    struct hc_op_alias aliases[] = {{.name = "fwd", .op_type = HC_FORWARD_COMPUTE},
                                    {.name = "checkpoint", .op_type = HC_OP_IGNORED}};
    struct hc_job job;
    ck_assert(hc_job_init(&job, "j", &err) == HC_OK);
    job.dp_size = job.pp_size = 2;
    struct hc_job with = job;
    with.aliases = aliases;
    with.n_aliases = 2;
    struct hc_parse_options options = {.job = &with};
    struct result r = read_text(HEADER "1,1,4,10,fwd,0,0,0,0,1,2\n"
                                       "7,x,y,z,checkpoint,nan,,-1,0,1,2\n",
                                &options);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    ck_assert(r.rows == 1 && r.report.rows_read == 2 && r.report.rows_ignored == 1);
    ck_assert_int_eq(hc_row_report_total_bad(&r.report), 0);
    drop(&r);
    r = read_text(HEADER "2,1,4,10,fwd,0,0,0,0,1,2\n", &options);
    ck_assert_str_eq(r.err.message,
                     "'t.csv': line 2: dp_rank 2 is outside what the metadata says (dp_size 2); "
                     "correct the metadata, or name the file that belongs to this trace");
    drop(&r);
    r = read_text(HEADER "0,2,4,10,fwd,0,0,0,0,1,2\n", &options);
    ck_assert_ptr_nonnull(strstr(r.err.message, "stage 2 is outside what the metadata says"));
    drop(&r);
    hc_job_fini(&job);
}
END_TEST

START_TEST(float32_times_are_rounded_first)
{
    struct hc_parse_options options = {.float32_times = true};
    struct result r = read_text(HEADER "0,0,0,10,gc,46.64917,0.61643934,0,0,1,2\n", &options);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    struct hc_op_columns c = hc_op_columns(&r.ops);
    ck_assert_int_eq(c.start_ns[0], 46649169922);  /* 46.649169921875 */
    ck_assert_int_eq(c.duration_ns[0], 616439342); /* 0.616439342498779296875 */
    drop(&r);
}
END_TEST

static int64_t count_rows(const char *path)
{
    struct hc_error err = {0};
    struct hc_source source;
    struct hc_parse_options options = {0};
    const struct hc_format *format = NULL;
    if (hc_source_open(&source, path, &err) || hc_format_detect(&format, &source, &err))
        ck_abort_msg("%s", err.message);
    ck_assert_str_eq(format->name, "step-csv");
    struct result r = read_source(&source, &options);
    ck_assert_msg(r.status == HC_OK, "%s", r.err.message);
    ck_assert_int_eq(hc_row_report_total_bad(&r.report), 0);
    ck_assert_int_eq(r.report.rows_read, r.rows);
    int64_t rows = r.rows;
    drop(&r);
    hc_source_close(&source);
    return rows;
}

START_TEST(reads_every_fixture)
{
    static const struct {
        const char *name;
        int64_t rows;
    } fixtures[] = {{"absts", 1116}, {"clamp", 6784}, {"dp1", 414}, {"launch", 2976},
                    {"noop1", 1128}, {"ovlp", 2280},  {"pp1", 180}, {"vpp2", 2508}};
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "tests/fixtures/straggler/trace-%s.csv", fixtures[i].name);
        ck_assert_msg(count_rows(path) == fixtures[i].rows, "%s", path);
    }
}
END_TEST

START_TEST(sniffs_by_content)
{
    int (*probe)(const unsigned char *, size_t, const char *) = hc_format_step_csv.probe;
    const unsigned char *header = (const unsigned char *)HEADER;
    ck_assert_int_eq(probe(header, strlen(HEADER), "x"), 95);
    ck_assert_int_eq(probe((const unsigned char *)"step,rank,stage\n1", 17, "x"), 50);
    ck_assert_int_eq(probe((const unsigned char *)"a,b\n", 4, "x.CSV.gz"), 0);
    ck_assert_int_eq(probe((const unsigned char *)"a,b\n", 4, "x.parquet"), 0);
    ck_assert_int_eq(probe((const unsigned char *)"", 0, "x.csv"), 0);
    ck_assert_int_eq(probe((const unsigned char *)"PAR1\0\xff\xfe", 7, "x"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("csv");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, scans_records);
    tcase_add_test(tcase, scans_quoted_fields);
    tcase_add_test(tcase, refuses_what_is_no_csv);
    tcase_add_test(tcase, agrees_with_a_plain_reader);
    tcase_add_test(tcase, survives_the_ends_of_its_buffer);
    tcase_add_test(tcase, reads_a_row);
    tcase_add_test(tcase, columns_come_in_any_order_among_others);
    tcase_add_test(tcase, whole_floats_and_nulls_of_pandas);
    tcase_add_test(tcase, bad_rows_are_counted_with_their_place);
    tcase_add_test(tcase, impossible_values_are_fatal);
    tcase_add_test(tcase, bad_headers_are_fatal);
    tcase_add_test(tcase, a_cut_file_does_not_pass);
    tcase_add_test(tcase, metadata_rules_rows);
    tcase_add_test(tcase, float32_times_are_rounded_first);
    tcase_add_test(tcase, reads_every_fixture);
    tcase_add_test(tcase, sniffs_by_content);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
