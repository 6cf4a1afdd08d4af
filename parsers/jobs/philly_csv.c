/* philly_csv.c - tables of jobs that were made of Microsoft's Philly trace for studies of
 * schedulers: that of Pollux and Sia, and those of Muri (traces, and jobs as its schedulers ran
 * them). Each is known by its header, which is fixed.
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
#define MOST_FIELDS  13

/* How a field is read. */
enum field_kind {
    FIELD_NOT_KEPT,
    FIELD_WHOLE,
    FIELD_TEXT,
    FIELD_LOCAL_TIME,
    FIELD_SECONDS, /* of times: from the beginning of the trace */
    FIELD_MILLISECONDS
};

struct dialect {
    const char *header;
    bool has_zone_to_say; /* its times are of a place, and do not say which */
    bool has_job;         /* else jobs have the number of their row */
    bool is_over;         /* every job of it was completed */
    struct {
        enum field_kind kind;
        enum hc_jobs_column column;
    } field[MOST_FIELDS];
    size_t n_fields;
};

static const struct dialect dialects[] = {
    {.header = "timestamp,duration,num_gpus,gpu_time,cluster",
     .has_zone_to_say = true,
     .n_fields = 5,
     .field = {{FIELD_LOCAL_TIME, HC_JOBS_SUBMIT_NS},
               {FIELD_SECONDS, HC_JOBS_ELAPSED_NS},
               {FIELD_WHOLE, HC_JOBS_GPUS},
               [4] = {FIELD_TEXT, HC_JOBS_PARTITION}}},
    {.header = "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,"
               "iteration_time,resource_time_0,resource_time_1,resource_time_2,priority",
     .has_job = true,
     .n_fields = 13,
     .field = {{FIELD_WHOLE, HC_JOBS_JOB},
               {FIELD_WHOLE, HC_JOBS_GPUS},
               {FIELD_MILLISECONDS, HC_JOBS_SUBMIT_NS},
               [4] = {FIELD_TEXT, HC_JOBS_NAME},
               [6] = {FIELD_MILLISECONDS, HC_JOBS_ELAPSED_NS}}},
    {.header = "time,job_id,num_gpu,submit_time,start_time,end_time,executed_time,"
               "real_executed_time,JCT,duration,pending_time,job_counter,promote",
     .has_job = true,
     .is_over = true,
     .n_fields = 13,
     .field = {[1] = {FIELD_WHOLE, HC_JOBS_JOB},
               {FIELD_WHOLE, HC_JOBS_GPUS},
               {FIELD_SECONDS, HC_JOBS_SUBMIT_NS},
               {FIELD_SECONDS, HC_JOBS_START_NS},
               {FIELD_SECONDS, HC_JOBS_END_NS},
               {FIELD_SECONDS, HC_JOBS_ELAPSED_NS}}},
};

struct philly {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_csv_scanner *scanner;
    const struct dialect *dialect;
    int64_t n_rows; /* read so far */
    bool at_end;
};

/* The table that begins with that line, or NULL. */
static const struct dialect *find_dialect(const char *text, size_t length)
{
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        size_t n = strlen(dialects[i].header);
        if (length > n && memcmp(text, dialects[i].header, n) == 0 &&
            (text[n] == '\n' || text[n] == '\r'))
            return &dialects[i];
    }
    return NULL;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    return find_dialect((const char *)head, length) ? 95 : 0;
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
    enum hc_jobs_column column = p->dialect->field[i].column;
    switch (p->dialect->field[i].kind) {
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
        put_seconds(p, column, text, p->dialect->field[i].kind);
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
    if (record->n_fields != d->n_fields)
        hc_job_bad(&p->builder, HC_BAD_FIELDS, "%zu fields, not %zu", record->n_fields,
                   d->n_fields);
    for (size_t i = 0; i < d->n_fields && !p->builder.is_bad; i++)
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
        if (!record.ended && record.n_fields != p->dialect->n_fields)
            return hc_csv_fail_cut(p->scanner, &record, p->dialect->n_fields, err);
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

/* The header, its fields put together again. */
static enum hc_status read_header(struct philly *p, struct hc_error *err)
{
    struct hc_csv_record record;
    char header[512];
    size_t n = 0;
    if (hc_csv_next(p->scanner, &record, err))
        return err->status;
    for (size_t i = 0; i < record.n_fields; i++) {
        const struct hc_csv_field *field = &record.fields[i];
        if (n + field->length + 2 > sizeof header)
            break;
        memcpy(header + n, field->text, field->length);
        n += field->length;
        header[n++] = i + 1 < record.n_fields ? ',' : '\n';
    }
    p->dialect = find_dialect(header, n);
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
    .version = 1,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_philly,
    .next_batch = next_batch,
    .position = position,
    .close = close_philly,
};
