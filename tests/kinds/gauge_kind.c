/* A kind of input that hindcast does not have, with a format that yields it: readings of gauges, a
 * segment a source and day. Linked with the program in place of its lists of formats and kinds, it
 * shows what a new kind needs to touch: nothing but tables, a row and a format.
 *
 * The format: a line "gauges", then "<Unix seconds> <gauge> <value>" a line. Readings above 100 are
 * alarms, a table of their own, whose name comes before that of the main one.
 */
#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/kinds/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALARM 100.0

/* ---- the tables ---- */

enum { READINGS_TIME_NS, READINGS_GAUGE, READINGS_VALUE, READINGS_N_COLUMNS };

static const struct hc_column_def readings_columns[READINGS_N_COLUMNS] = {
    [READINGS_TIME_NS] = {"time_ns", HC_I64, "ns", "when it was read, Unix time", NULL},
    [READINGS_GAUGE] = {"gauge", HC_I32, "", "gauge that was read", "gauge"},
    [READINGS_VALUE] = {"value", HC_F64, "degC", "what it showed", NULL},
};
static const struct hc_table_def readings_def = {"readings", READINGS_N_COLUMNS, readings_columns,
                                                 2};

enum { ALARMS_TIME_NS, ALARMS_GAUGE, ALARMS_N_COLUMNS };

static const struct hc_column_def alarms_columns[ALARMS_N_COLUMNS] = {
    [ALARMS_TIME_NS] = {"time_ns", HC_I64, "ns", "when it rang, Unix time", NULL},
    [ALARMS_GAUGE] = {"gauge", HC_I32, "", "gauge that was too hot", "gauge"},
};
static const struct hc_table_def alarms_def = {"alarms", ALARMS_N_COLUMNS, alarms_columns, 2};

/* ---- the format ---- */

struct gauges {
    struct hc_byte_reader *reader;
    const char *name;
    struct hc_table_names *names;
    struct hc_table alarms;
    char *text, *at; /* all of it: a test's files are small */
};

#define MOST_BYTES 65536

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    return length >= 7 && memcmp(head, "gauges\n", 7) == 0 ? 90 : 0;
}

static void close_gauges(void *parser)
{
    struct gauges *p = parser;
    if (!p)
        return;
    hc_byte_reader_close(p->reader);
    hc_table_fini(&p->alarms);
    free(p->text);
    free(p);
}

static enum hc_status open_gauges(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    size_t length = 0;
    struct gauges *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->name = source->name;
    p->names = options->names;
    p->text = hc_new_array(MOST_BYTES + 1, 1, err);
    if (!p->text || hc_table_init(&p->alarms, &alarms_def, MOST_BYTES / 8, err) ||
        hc_byte_reader_open(&p->reader, source, err) ||
        hc_byte_reader_read(p->reader, (unsigned char *)p->text, MOST_BYTES, &length, err)) {
        close_gauges(p);
        return err->status;
    }
    p->at = strchr(p->text, '\n');
    *parser = p;
    return HC_OK;
}

static enum hc_status take_line(struct gauges *p, const char *line, struct hc_table *rows,
                                struct hc_row_report *report, struct hc_error *err)
{
    long long second = 0;
    char gauge[32] = "";
    double value = 0;
    int32_t code = 0;
    report->rows_read++;
    if (sscanf(line, "%lld %31s %lf", &second, gauge, &value) != 3)
        return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err, "'%s': '%s'", p->name,
                                 line);
    if (hc_text_set_add(&p->names->set[0], gauge, strlen(gauge), &code, err))
        return err->status;
    hc_table_i64(rows, READINGS_TIME_NS)[rows->n_rows] = second * 1000000000;
    hc_table_i32(rows, READINGS_GAUGE)[rows->n_rows] = code;
    hc_table_f64(rows, READINGS_VALUE)[rows->n_rows++] = value;
    if (value > ALARM) {
        hc_table_i64(&p->alarms, ALARMS_TIME_NS)[p->alarms.n_rows] = second * 1000000000;
        hc_table_i32(&p->alarms, ALARMS_GAUGE)[p->alarms.n_rows++] = code;
    }
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct gauges *p = parser;
    enum hc_status status = HC_OK;
    while (!status && p->at && p->at[1] && rows->n_rows < rows->capacity) {
        char *line = p->at + 1;
        p->at = strchr(line, '\n');
        if (p->at)
            *p->at = '\0';
        status = take_line(p, line, rows, report, err);
    }
    return status;
}

static enum hc_status further(void *parser, const struct hc_table_def *def, struct hc_table *table,
                              struct hc_error *err)
{
    struct gauges *p = parser;
    if (hc_table_init(table, def, p->alarms.n_rows, err))
        return err->status;
    hc_table_append(table, &p->alarms, 0, p->alarms.n_rows);
    return HC_OK;
}

static int64_t position(const void *parser)
{
    return hc_byte_reader_position(((const struct gauges *)parser)->reader);
}

static const struct hc_format format_gauges = {
    .name = "gauges-text",
    .description = "readings of gauges, which only this test has",
    .version = 1,
    .table = &readings_def,
    .probe = probe,
    .open = open_gauges,
    .next_batch = next_batch,
    .further = further,
    .position = position,
    .close = close_gauges,
};

/* ---- the guard: a gauge that melted is no gauge, and the hottest is worth a word ---- */

struct readings {
    int64_t n_molten;
    double hottest;
};

static enum hc_status start_guard(void **guard, const struct hc_job *job, int64_t max_part_rows,
                                  struct hc_error *err)
{
    (void)job;
    (void)max_part_rows;
    *guard = hc_new_array(1, sizeof(struct readings), err);
    return *guard ? HC_OK : err->status;
}

static enum hc_status guard_rows(void *guard, const struct hc_table *rows, int64_t *n_duplicates,
                                 struct hc_error *err)
{
    struct readings *readings = guard;
    (void)err;
    (void)n_duplicates;
    for (size_t i = 0; i < rows->n_rows; i++) {
        double value = hc_table_f64(rows, READINGS_VALUE)[i];
        readings->n_molten += value > 1000;
        if (value > readings->hottest)
            readings->hottest = value;
    }
    return HC_OK;
}

static enum hc_status finish_guard(void *guard, struct hc_row_report *report, struct hc_error *err)
{
    (void)guard;
    (void)report;
    (void)err;
    return HC_OK;
}

static enum hc_status judge(void *guard, struct hc_error *err)
{
    return ((struct readings *)guard)->n_molten ? hc_fail(err, HC_BAD_INPUT, "a gauge melted")
                                                : HC_OK;
}

static enum hc_status add_nothing(const void *guard, hc_table_sink *sink, void *context,
                                  struct hc_error *err)
{
    (void)guard;
    (void)sink;
    (void)context;
    (void)err;
    return HC_OK;
}

static enum hc_status account(const void *guard, struct hc_rows_account *account,
                              struct hc_error *err)
{
    const struct readings *readings = guard;
    account->record = readings;
    if (readings->hottest <= ALARM)
        return HC_OK;
    snprintf(account->heading, sizeof account->heading, "it was hot");
    account->n_flawed = 1;
    return hc_facts_add(&account->flawed, err, "the hottest", "%g degC", readings->hottest);
}

static const struct hc_field readings_fields[] = {
    HC_FIELD(struct readings, "hottest", hottest, "degC", "reading"),
};
static const struct hc_record_def readings_record = HC_RECORD(NULL, readings_fields);

static const struct hc_guard guard = {
    .start = start_guard,
    .take = guard_rows,
    .finish = finish_guard,
    .judge = judge,
    .add_tables = add_nothing,
    .account = account,
    .account_record = &readings_record,
    .free = free,
};

/* ---- the rows ---- */

static const struct hc_table_def *const gauge_tables[] = {&readings_def, &alarms_def, NULL};

static const struct hc_kind kind_gauges = {
    .name = "gauges",
    .phrase = "a list of readings",
    .tables = gauge_tables,
    .guard = &guard,
    .day_column = "time_ns",
};

const struct hc_format *const hc_format_rows[] = {HC_FORMAT_ROWS, &format_gauges, NULL};
const struct hc_kind *const hc_kind_rows[] = {HC_KIND_ROWS, &kind_gauges, NULL};
