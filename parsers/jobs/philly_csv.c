/* philly_csv.c - tables of jobs that were made of Microsoft's Philly trace for studies of
 * schedulers: that of Pollux and Sia with their workloads, and those of Muri (traces, and jobs as
 * its schedulers ran them). Each is known by names in its header, in any order and among others.
 */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/jobs/job_rows.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S     ((int64_t)1000000000)
#define MOST_SECONDS ((int64_t)1 << 33) /* times beyond it have no place in a calendar */
#define MOST_FIELDS  64                 /* of a table */
#define MOST_COLUMNS 8                  /* that are read of one */

/* How a field is read. */
enum field_kind {
    FIELD_NOT_KEPT,
    FIELD_WHOLE,
    FIELD_TEXT,
    FIELD_LOCAL_TIME,
    FIELD_SECONDS, /* of times: from the beginning of the trace */
    FIELD_MILLISECONDS
};

struct column {
    const char *name;
    enum field_kind kind;
    enum hc_jobs_column column;
    bool is_optional;
};

struct dialect {
    bool has_zone_to_say;               /* its times are of a place, and do not say which */
    bool has_job;                       /* else jobs have the number of their row */
    bool is_over;                       /* every job of it was completed */
    struct column column[MOST_COLUMNS]; /* up to one without a name */
};

/* The first whose names are all there. */
static const struct dialect dialects[] = {
    {.has_zone_to_say = true,
     .column = {{"timestamp", FIELD_LOCAL_TIME, HC_JOBS_SUBMIT_NS, false},
                {"duration", FIELD_SECONDS, HC_JOBS_ELAPSED_NS, false},
                {"num_gpus", FIELD_WHOLE, HC_JOBS_GPUS, false},
                {"cluster", FIELD_TEXT, HC_JOBS_PARTITION, true},
                {"user", FIELD_TEXT, HC_JOBS_USER, true}}},
    {.has_job = true,
     .is_over = true,
     .column = {{"job_id", FIELD_WHOLE, HC_JOBS_JOB, false},
                {"num_gpu", FIELD_WHOLE, HC_JOBS_GPUS, false},
                {"submit_time", FIELD_SECONDS, HC_JOBS_SUBMIT_NS, false},
                {"start_time", FIELD_SECONDS, HC_JOBS_START_NS, false},
                {"end_time", FIELD_SECONDS, HC_JOBS_END_NS, false},
                {"executed_time", FIELD_SECONDS, HC_JOBS_ELAPSED_NS, false}}},
    {.has_job = true,
     .column = {{"job_id", FIELD_WHOLE, HC_JOBS_JOB, false},
                {"num_gpu", FIELD_WHOLE, HC_JOBS_GPUS, false},
                {"submit_time", FIELD_MILLISECONDS, HC_JOBS_SUBMIT_NS, false},
                {"model_name", FIELD_TEXT, HC_JOBS_NAME, false},
                {"duration", FIELD_MILLISECONDS, HC_JOBS_ELAPSED_NS, false},
                {"resource_time_0", FIELD_NOT_KEPT, HC_JOBS_JOB, false}}},
    {.column = {{"time", FIELD_SECONDS, HC_JOBS_SUBMIT_NS, false},
                {"application", FIELD_TEXT, HC_JOBS_NAME, false},
                {"num_gpus", FIELD_WHOLE, HC_JOBS_GPUS, false},
                {"duration", FIELD_SECONDS, HC_JOBS_ELAPSED_NS, true}}},
};

struct philly {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_csv_scanner *scanner;
    const struct dialect *dialect;
    const struct column *field[MOST_FIELDS]; /* NULL: not read */
    size_t n_fields;
    int64_t n_rows; /* read so far */
    bool at_end;
};

/* ---- headers ---- */

static bool is_name(struct hc_span text, const char *name)
{
    return text.length == strlen(name) && memcmp(text.text, name, text.length) == 0;
}

static const struct column *find_column(const struct dialect *dialect, struct hc_span name)
{
    for (size_t c = 0; c < MOST_COLUMNS && dialect->column[c].name; c++)
        if (is_name(name, dialect->column[c].name))
            return &dialect->column[c];
    return NULL;
}

static bool has_all(const struct dialect *dialect, const struct hc_span *names, size_t n)
{
    for (size_t c = 0; c < MOST_COLUMNS && dialect->column[c].name; c++) {
        size_t n_found = 0;
        for (size_t i = 0; i < n; i++)
            n_found += is_name(names[i], dialect->column[c].name);
        if (n_found > 1 || (n_found == 0 && !dialect->column[c].is_optional))
            return false;
    }
    return true;
}

/* The table whose header has these names, or NULL. */
static const struct dialect *find_dialect(const struct hc_span *names, size_t n)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (has_all(&dialects[i], names, n))
            return &dialects[i];
    return NULL;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    struct hc_span names[MOST_FIELDS] = {0}; /* a record of no field has none */
    const char *at = (const char *)head, *end = at + length;
    size_t n = 0;
    (void)path;
    if (length >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    const char *feed = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    end = feed ? feed : end;
    end -= end > at && end[-1] == '\r';
    for (const char *comma; at < end && n < MOST_FIELDS; at = comma + 1) {
        comma = memchr(at, ',', (size_t)(end - at));
        comma = comma ? comma : end;
        bool is_quoted = comma - at > 1 && *at == '"' && comma[-1] == '"';
        names[n++] = (struct hc_span){at + is_quoted, (size_t)(comma - at) - 2 * is_quoted};
    }
    return feed && find_dialect(names, n) ? 95 : 0;
}

/* ---- rows ---- */

static void bad_field(struct philly *p, enum hc_jobs_column column, struct hc_span text,
                      const char *what)
{
    hc_job_bad(&p->builder, HC_BAD_NUMBER, "'%s' is '%s', not %s", hc_jobs_def.columns[column].name,
               hc_printable(text.text, text.length).text, what);
}

static void put_whole(struct philly *p, enum hc_jobs_column column, struct hc_span text)
{
    int64_t value;
    if (hc_text_to_i64(text.text, text.length, &value) || value < 0)
        bad_field(p, column, text, "a whole number from 0 on");
    else
        hc_job_put_i64(&p->builder, column, value);
}

static void put_seconds(struct philly *p, enum hc_jobs_column column, struct hc_span text,
                        enum field_kind kind)
{
    int64_t ns;
    enum hc_text_number is = kind == FIELD_SECONDS ? hc_text_to_ns(text.text, text.length, &ns)
                                                   : hc_text_ms_to_ns(text.text, text.length, &ns);
    if (is || ns < 0 || ns > MOST_SECONDS * NS_PER_S)
        bad_field(p, column, text, "a time from 0 on");
    else
        hc_job_put_i64(&p->builder, column, ns);
}

static enum hc_status put_field(struct philly *p, size_t i, struct hc_span text,
                                struct hc_error *err)
{
    enum hc_jobs_column column = p->field[i] ? p->field[i]->column : HC_JOBS_JOB;
    switch (p->field[i] ? p->field[i]->kind : FIELD_NOT_KEPT) {
    case FIELD_NOT_KEPT:
        return HC_OK;
    case FIELD_WHOLE:
        put_whole(p, column, text);
        return HC_OK;
    case FIELD_TEXT:
        return hc_job_put_text(&p->builder, column, text, err);
    case FIELD_LOCAL_TIME:
        hc_job_put_time(&p->builder, column, text);
        return HC_OK;
    case FIELD_SECONDS:
    case FIELD_MILLISECONDS:
        put_seconds(p, column, text, p->field[i]->kind);
        return HC_OK;
    }
    return HC_OK;
}

static enum hc_status take(struct philly *p, const struct hc_csv_record *record,
                           struct hc_error *err)
{
    const struct dialect *d = p->dialect;
    hc_job_begin(&p->builder, record->line);
    p->n_rows++;
    if (record->n_fields != p->n_fields)
        hc_job_bad(&p->builder, HC_BAD_FIELDS, "%zu fields, not %zu", record->n_fields,
                   p->n_fields);
    for (size_t i = 0; i < p->n_fields && !p->builder.is_bad; i++)
        if (put_field(p, i, (struct hc_span){record->fields[i].text, record->fields[i].length},
                      err))
            return err->status;
    if (!d->has_job)
        hc_job_put_i64(&p->builder, HC_JOBS_JOB, p->n_rows);
    if (d->is_over)
        hc_job_put_i64(&p->builder, HC_JOBS_STATE, HC_JOB_COMPLETED);
    return hc_job_end(&p->builder, err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct philly *p = parser;
    struct hc_csv_record record;
    p->builder.rows = rows;
    p->builder.report = report;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_csv_next(p->scanner, &record, err))
            return err->status;
        p->at_end = record.n_fields == 0;
        if (p->at_end) {
            hc_job_warn(&p->builder);
            return HC_OK;
        }
        if (!record.ended && record.n_fields != p->n_fields)
            return hc_csv_fail_cut(p->scanner, &record, p->n_fields, err);
        if (!record.ended)
            hc_csv_warn_open_end(p->scanner, &record);
        if (take(p, &record, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- opening ---- */

static void close_philly(void *parser)
{
    struct philly *p = parser;
    if (!p)
        return;
    hc_csv_close(p->scanner);
    free(p);
}

static enum hc_status read_header(struct philly *p, struct hc_error *err)
{
    struct hc_csv_record record;
    struct hc_span names[MOST_FIELDS] = {0}; /* a record of no field has none */
    if (hc_csv_next(p->scanner, &record, err))
        return err->status;
    p->n_fields = record.n_fields < MOST_FIELDS ? record.n_fields : MOST_FIELDS;
    for (size_t i = 0; i < p->n_fields; i++)
        names[i] = (struct hc_span){record.fields[i].text, record.fields[i].length};
    p->dialect = find_dialect(names, p->n_fields);
    for (size_t i = 0; p->dialect && i < p->n_fields; i++)
        p->field[i] = find_column(p->dialect, names[i]);
    return p->dialect ? HC_OK
                      : hc_fail(err, HC_BAD_INPUT,
                                "'%s': line 1 is the header of none of the tables of jobs of "
                                "Pollux, Sia or Muri",
                                p->source->name);
}

static enum hc_status begin(struct philly *p, bool has_zone, struct hc_error *err)
{
    if (hc_csv_open(&p->scanner, p->source, err) || read_header(p, err))
        return err->status;
    if (!p->dialect->has_zone_to_say)
        hc_warn("'%s': times count from the beginning of the trace: they are as if that were "
                "1970-01-01",
                p->source->name);
    else if (!has_zone)
        hc_warn("'%s': times are taken as UTC; those of Philly are of --zone America/Los_Angeles",
                p->source->name);
    return HC_OK;
}

static enum hc_status open_philly(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct philly *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_job_builder){
        .file = source->name, .zone = options->zone, .names = options->names};
    if (begin(p, options->zone && options->zone->n, err)) {
        close_philly(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct philly *p = parser;
    return hc_csv_position(p->scanner);
}

const struct hc_format hc_format_philly_csv = {
    .name = "philly-csv",
    .description = "tables of jobs made of the Philly trace: Pollux, Sia, Muri",
    .version = 2,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_philly,
    .next_batch = next_batch,
    .position = position,
    .close = close_philly,
};
