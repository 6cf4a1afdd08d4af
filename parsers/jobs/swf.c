/* swf.c - the Standard Workload Format 2.2 of the Parallel Workloads Archive
 * (https://www.cs.huji.ac.il/labs/parallel/workload/swf.html): a job a line, 18 numbers between
 * blanks, -1 where one is not known, and a header of comments.
 *
 * Times count from a moment that the header gives. A job that was stopped and went on has a line of
 * its own and one for each of its parts: the parts are passed over, since the former has their sum.
 */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/io/line_reader.h"
#include "parsers/jobs/job_rows.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S     ((int64_t)1000000000)
#define MOST_SECONDS ((int64_t)1 << 33) /* times beyond it have no place in a calendar */
#define MOST_NAMES   64                 /* of queues, and of partitions, that a header names */

enum swf_field {
    SWF_JOB,
    SWF_SUBMIT,
    SWF_WAIT,
    SWF_RUN,
    SWF_PROCESSORS,
    SWF_CPU_TIME,
    SWF_MEMORY,
    SWF_REQUESTED_PROCESSORS,
    SWF_REQUESTED_TIME,
    SWF_REQUESTED_MEMORY,
    SWF_STATUS,
    SWF_USER,
    SWF_GROUP,
    SWF_EXECUTABLE,
    SWF_QUEUE,
    SWF_PARTITION,
    SWF_PRECEDING_JOB,
    SWF_THINK_TIME,
    SWF_N_FIELDS
};

static const char *const field_names[SWF_N_FIELDS] = {
    "job number",     "submit time",      "wait time", "run time",
    "processors",     "CPU time",         "memory",    "requested processors",
    "requested time", "requested memory", "status",    "user",
    "group",          "executable",       "queue",     "partition",
    "preceding job",  "think time",
};

enum swf_status {
    SWF_FAILED = 0,
    SWF_COMPLETED = 1,
    SWF_PART = 2, /* of a job that goes on */
    SWF_LAST_PART_COMPLETED = 3,
    SWF_LAST_PART_FAILED = 4,
    SWF_CANCELLED = 5
};

/* Numbers that the header gives names: "; Queue: 1 batch". */
struct swf_names {
    size_t n;
    struct {
        int64_t number;
        char name[64];
    } of[MOST_NAMES];
};

struct swf {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_line_reader *lines;
    bool at_end;
    int64_t start_s;   /* Unix time from which times count; HC_MISSING_I64: not said */
    int64_t n_records; /* that the header says there are; HC_MISSING_I64: not said */
    int64_t n_read;    /* lines of jobs and parts */
    int64_t n_parts;   /* of jobs, passed over */
    int64_t n_without_wait;
    struct swf_names queues, partitions;
};

/* ---- lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The next word of a text, which is moved behind it; empty where there is none. */
static struct hc_span next_word(struct hc_span *text)
{
    while (text->length && is_blank(*text->text)) {
        text->text++;
        text->length--;
    }
    struct hc_span word = {text->text, 0};
    while (word.length < text->length && !is_blank(text->text[word.length]))
        word.length++;
    text->text += word.length;
    text->length -= word.length;
    return word;
}

/* How many words a line has; the first SWF_N_FIELDS are its fields. */
static size_t split(struct hc_span line, struct hc_span *fields)
{
    size_t n = 0;
    for (struct hc_span word; (word = next_word(&line)).length; n++)
        if (n < SWF_N_FIELDS)
            fields[n] = word;
    return n;
}

/* ---- the header ---- */

static bool takes_key(struct hc_span *text, const char *key)
{
    size_t n = strlen(key);
    if (text->length <= n || memcmp(text->text, key, n) != 0 || text->text[n] != ':')
        return false;
    text->text += n + 1;
    text->length -= n + 1;
    return true;
}

static void take_name(struct swf_names *names, struct hc_span text)
{
    int64_t number;
    struct hc_span word = next_word(&text), name = next_word(&text);
    if (names->n == MOST_NAMES || !name.length || name.length >= sizeof names->of[0].name ||
        hc_text_to_i64(word.text, word.length, &number))
        return;
    names->of[names->n].number = number;
    memcpy(names->of[names->n].name, name.text, name.length);
    names->of[names->n++].name[name.length] = '\0';
}

static void take_number(int64_t *value, struct hc_span text, int64_t most)
{
    int64_t number;
    struct hc_span word = next_word(&text);
    if (!hc_text_to_i64(word.text, word.length, &number) && number >= 0 && number <= most)
        *value = number;
}

/* "; Key: value": keys that are not read are passed over, as are those without a value. */
static void read_comment(struct swf *p, struct hc_span line)
{
    while (line.length && (is_blank(*line.text) || *line.text == ';')) {
        line.text++;
        line.length--;
    }
    if (takes_key(&line, "UnixStartTime"))
        take_number(&p->start_s, line, MOST_SECONDS);
    else if (takes_key(&line, "MaxRecords"))
        take_number(&p->n_records, line, INT64_MAX);
    else if (takes_key(&line, "Queue"))
        take_name(&p->queues, line);
    else if (takes_key(&line, "Partition"))
        take_name(&p->partitions, line);
}

/* ---- fields ---- */

static void bad_field(struct swf *p, enum swf_field field, struct hc_span text, const char *what)
{
    hc_job_bad(&p->builder, HC_BAD_NUMBER, "field %d (%s) is '%s', not %s", (int)field + 1,
               field_names[field], hc_printable(text.text, text.length).text, what);
}

/* A whole number, HC_MISSING_I64 for -1. */
static int64_t whole(struct swf *p, const struct hc_span *fields, enum swf_field field)
{
    int64_t value;
    if (hc_text_to_i64(fields[field].text, fields[field].length, &value) || value < -1) {
        bad_field(p, field, fields[field], "a whole number from -1 on");
        return HC_MISSING_I64;
    }
    return value == -1 ? HC_MISSING_I64 : value;
}

/* Nanoseconds, HC_MISSING_I64 for -1 s. */
static int64_t duration(struct swf *p, const struct hc_span *fields, enum swf_field field)
{
    int64_t ns;
    if (hc_text_to_ns(fields[field].text, fields[field].length, &ns) ||
        (ns < 0 && ns != -NS_PER_S) || ns > MOST_SECONDS * NS_PER_S) {
        bad_field(p, field, fields[field], "seconds from 0 on, or -1");
        return HC_MISSING_I64;
    }
    return ns == -NS_PER_S ? HC_MISSING_I64 : ns;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a == HC_MISSING_I64 || b == HC_MISSING_I64 ? HC_MISSING_I64 : a + b;
}

static void put(struct swf *p, enum hc_jobs_column column, int64_t value)
{
    if (value != HC_MISSING_I64)
        hc_job_put_i64(&p->builder, column, value);
}

/* A number that stands for something, by its name where the header has one. */
static enum hc_status put_named(struct swf *p, enum hc_jobs_column column, struct hc_span field,
                                const struct swf_names *names, struct hc_error *err)
{
    int64_t number;
    if (field.length == 2 && memcmp(field.text, "-1", 2) == 0)
        return HC_OK;
    for (size_t i = 0; names && i < names->n; i++)
        if (!hc_text_to_i64(field.text, field.length, &number) && number == names->of[i].number)
            field = (struct hc_span){names->of[i].name, strlen(names->of[i].name)};
    return hc_job_put_text(&p->builder, column, field, err);
}

/* ---- rows ---- */

static void put_times(struct swf *p, const struct hc_span *fields, int64_t status)
{
    int64_t submit_ns = duration(p, fields, SWF_SUBMIT), wait_ns = duration(p, fields, SWF_WAIT);
    int64_t run_ns = duration(p, fields, SWF_RUN);
    if (submit_ns != HC_MISSING_I64 && p->start_s != HC_MISSING_I64)
        submit_ns += p->start_s * NS_PER_S;
    if (submit_ns != HC_MISSING_I64 && submit_ns > MOST_SECONDS * NS_PER_S)
        bad_field(p, SWF_SUBMIT, fields[SWF_SUBMIT], "a time before the year 2242");
    /* Who was cancelled while it waited has waited, and has not run. */
    bool never_ran = status == SWF_CANCELLED && (run_ns == HC_MISSING_I64 || run_ns == 0);
    int64_t queue_end_ns = p->builder.is_bad ? HC_MISSING_I64 : sum(submit_ns, wait_ns);
    put(p, HC_JOBS_SUBMIT_NS, submit_ns);
    put(p, HC_JOBS_START_NS, never_ran ? HC_MISSING_I64 : queue_end_ns);
    put(p, HC_JOBS_END_NS, never_ran ? queue_end_ns : sum(queue_end_ns, run_ns));
    put(p, HC_JOBS_ELAPSED_NS, never_ran ? 0 : run_ns);
    put(p, HC_JOBS_TIME_LIMIT_NS, duration(p, fields, SWF_REQUESTED_TIME));
    p->n_without_wait += wait_ns == HC_MISSING_I64 && !p->builder.is_bad;
}

static void put_state(struct swf *p, struct hc_span field, int64_t status)
{
    if (status == SWF_FAILED || status == SWF_COMPLETED || status == SWF_CANCELLED)
        hc_job_put_i64(&p->builder, HC_JOBS_STATE,
                       status == SWF_FAILED      ? HC_JOB_FAILED
                       : status == SWF_COMPLETED ? HC_JOB_COMPLETED
                                                 : HC_JOB_CANCELLED);
    else if (status != HC_MISSING_I64)
        bad_field(p, SWF_STATUS, field, "a status (-1 to 5)");
}

static enum hc_status put_row(struct swf *p, const struct hc_span *fields, int64_t status,
                              struct hc_error *err)
{
    int64_t job = whole(p, fields, SWF_JOB);
    put(p, HC_JOBS_JOB, job);
    put_state(p, fields[SWF_STATUS], status);
    put_times(p, fields, status);
    put(p, HC_JOBS_CPUS, whole(p, fields, SWF_PROCESSORS));
    if (job == HC_MISSING_I64)
        bad_field(p, SWF_JOB, fields[SWF_JOB], "the number of a job");
    if (put_named(p, HC_JOBS_USER, fields[SWF_USER], NULL, err) ||
        put_named(p, HC_JOBS_ACCOUNT, fields[SWF_GROUP], NULL, err) ||
        put_named(p, HC_JOBS_NAME, fields[SWF_EXECUTABLE], NULL, err) ||
        put_named(p, HC_JOBS_QOS, fields[SWF_QUEUE], &p->queues, err) ||
        put_named(p, HC_JOBS_PARTITION, fields[SWF_PARTITION], &p->partitions, err))
        return err->status;
    return HC_OK;
}

static enum hc_status cut(const struct swf *p, const struct hc_line *line, size_t n,
                          struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: the file is cut off in the middle of a row (%zu of %d "
                   "fields); fetch or write it again",
                   p->source->name, (long long)line->number, n, SWF_N_FIELDS);
}

static enum hc_status take(struct swf *p, const struct hc_line *line, struct hc_error *err)
{
    struct hc_job_builder *builder = &p->builder;
    struct hc_span fields[SWF_N_FIELDS], text = {line->text, line->length};
    size_t n = split(text, fields);
    int64_t status = HC_MISSING_I64;
    if (n == 0 || *fields[0].text == ';') {
        read_comment(p, text);
        return HC_OK;
    }
    if (line->is_open && n < SWF_N_FIELDS)
        return cut(p, line, n, err);
    if (p->n_read++ == 0 && p->start_s == HC_MISSING_I64)
        hc_warn("'%s': the header has no UnixStartTime: times are as if the log began on "
                "1970-01-01",
                p->source->name);
    hc_job_begin(builder, line->number);
    if (n != SWF_N_FIELDS)
        hc_job_bad(builder, HC_BAD_FIELDS, "%zu fields, not %d", n, SWF_N_FIELDS);
    else
        status = whole(p, fields, SWF_STATUS);
    if (status >= SWF_PART && status <= SWF_LAST_PART_FAILED) {
        builder->rows->n_rows = builder->row;
        builder->report->rows_read++;
        builder->report->rows_ignored++;
        p->n_parts++;
        return HC_OK;
    }
    if (!builder->is_bad && put_row(p, fields, status, err))
        return err->status;
    return hc_job_end(builder, err);
}

static void warn_at_end(const struct swf *p)
{
    if (p->n_without_wait)
        hc_warn("'%s': jobs without a wait time: %lld; when they ran is not known", p->source->name,
                (long long)p->n_without_wait);
    if (p->n_records != HC_MISSING_I64 && p->n_records != p->n_read)
        hc_warn("'%s': the header says that there are %lld records, and there are %lld",
                p->source->name, (long long)p->n_records, (long long)p->n_read);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct swf *p = parser;
    struct hc_line line;
    p->builder.rows = rows;
    p->builder.report = report;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_lines_next(p->lines, &line, &p->at_end, err))
            return err->status;
        if (p->at_end && hc_lines_are_cut(p->lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end)
            warn_at_end(p);
        else if (take(p, &line, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- the format ---- */

/* 18 numbers, of which the status is one. */
static bool is_record(struct hc_span line)
{
    struct hc_span fields[SWF_N_FIELDS];
    int64_t status, ns;
    if (split(line, fields) != SWF_N_FIELDS)
        return false;
    for (size_t i = 0; i < SWF_N_FIELDS; i++)
        if (hc_text_to_ns(fields[i].text, fields[i].length, &ns))
            return false;
    return !hc_text_to_i64(fields[SWF_STATUS].text, fields[SWF_STATUS].length, &status) &&
           status >= -1 && status <= SWF_CANCELLED;
}

/* By the first line that is no comment: 18 numbers, whatever the header says. A header that fills
 * the head is known by two keys that each has. */
static int probe(const unsigned char *head, size_t length, const char *path)
{
    const char *at = (const char *)head, *end = at + length;
    (void)path;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        struct hc_span line = {at, (size_t)((feed ? feed : end) - at)}, rest = line;
        struct hc_span word = next_word(&rest);
        if (word.length && *word.text != ';')
            return is_record(line) ? 85 : 0;
        at = feed ? feed + 1 : end;
    }
    return length && *head == ';' && memmem(head, length, "UnixStartTime:", 14) ? 60 : 0;
}

static void close_swf(void *parser)
{
    struct swf *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    free(p);
}

static enum hc_status open_swf(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct swf *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_job_builder){.file = source->name, .names = options->names};
    p->start_s = p->n_records = HC_MISSING_I64;
    if (hc_lines_open(&p->lines, source, err)) {
        close_swf(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct swf *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_swf = {
    .name = "swf",
    .description = "jobs of a cluster in the Standard Workload Format 2.2",
    .version = 1,
    .is_lines = true,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_swf,
    .next_batch = next_batch,
    .position = position,
    .close = close_swf,
};
