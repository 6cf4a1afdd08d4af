/* slurm_sacct.c - the accounting of Slurm as `sacct` prints it: --parsable2 (or --parsable, or any
 * --delimiter), with a header; or without one in the order of columns that XDMoD's shredder asks
 * for. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/jobs/job_rows.h"
#include "parsers/jobs/sacct_columns.h"
#include "parsers/jobs/sacct_records.h"

#include <stdlib.h>
#include <string.h>

#define XDMOD_FIELDS 26
static const char *const xdmod_order[XDMOD_FIELDS] = {
    "JobID",   "JobIDRaw",  "Cluster",   "Partition", "QOS",      "Account", "Group",
    "GID",     "User",      "UID",       "Submit",    "Eligible", "Start",   "End",
    "Elapsed", "ExitCode",  "State",     "NNodes",    "NCPUS",    "ReqCPUS", "ReqMem",
    "ReqTRES", "AllocTRES", "Timelimit", "NodeList",  "JobName",
};
enum xdmod_place { XDMOD_JOB_ID = 0, XDMOD_SUBMIT = 10, XDMOD_STATE = 16 };

struct sacct {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_sacct_records records;
    const struct hc_sacct_column *columns[HC_SACCT_MOST_FIELDS]; /* NULL: not read */
    size_t job_id;                                               /* which field it is */
    bool has_header;
    bool at_end;
    int64_t n_steps;          /* rows of steps, which are passed over */
    struct hc_read_mark mark; /* behind the last whole record */
};

/* ---- the header ---- */

static bool is_word_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t word_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && is_word_letter(at[n]))
        n++;
    return n;
}

/* What stands between the first two names of a header: at most HC_SACCT_MOST_DELIMITER bytes, or
 * none where the line does not begin with two names of sacct's columns. */
static struct hc_span find_delimiter(struct hc_span line)
{
    const char *end = line.text + line.length;
    size_t first = word_length(line.text, end), n = 0;
    const char *at = line.text + first;
    while (at + n < end && !is_word_letter(at[n]))
        n++;
    struct hc_span second = {at + n, word_length(at + n, end)};
    bool is_header = hc_sacct_column_is_known((struct hc_span){line.text, first}) &&
                     hc_sacct_column_is_known(second) && n && n <= HC_SACCT_MOST_DELIMITER;
    return (struct hc_span){at, is_header ? n : 0};
}

static struct hc_span first_line(const unsigned char *head, size_t length)
{
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    const unsigned char *end = memchr(head, '\n', length);
    return (struct hc_span){(const char *)head, end ? (size_t)(end - head) : length};
}

static bool is_in_xdmod_order(const struct hc_span *fields, size_t n)
{
    struct hc_date_cache dates = {0};
    struct hc_slurm_job_id id;
    int64_t time_s, by;
    bool is_local;
    int state;
    return n >= XDMOD_FIELDS && hc_slurm_job_id(fields[XDMOD_JOB_ID], &id) == HC_SLURM_VALUE &&
           hc_slurm_time(&dates, fields[XDMOD_SUBMIT], &time_s, &is_local) == HC_SLURM_VALUE &&
           hc_slurm_state(fields[XDMOD_STATE], &state, &by) == HC_SLURM_VALUE;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    /* Readers of numbers look behind their text: of the head that is a copy with room. */
    enum { MOST = 8192 };
    char copy[MOST + HC_TEXT_PADDING] = "";
    struct hc_span fields[HC_SACCT_MOST_FIELDS];
    (void)path;
    length = length < MOST ? length : MOST;
    memcpy(copy, head, length);
    struct hc_span line = first_line((const unsigned char *)copy, length);
    if (find_delimiter(line).length)
        return memmem(line.text, line.length, "JobID", 5) ? 95 : 60;
    return is_in_xdmod_order(fields, hc_sacct_split(line, "|", 1, fields)) ? 90 : 0;
}

/* ---- opening ---- */

static enum hc_status twice(const struct sacct *p, const char *name, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': line 1: column '%s' is there twice", p->source->name,
                   name);
}

/* "Start" and "End" may be asked for twice in one command: both then hold the same. */
static enum hc_status set_columns(struct sacct *p, const struct hc_span *names, size_t n,
                                  struct hc_error *err)
{
    bool found_id = false;
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++) {
        p->columns[i] = hc_sacct_column_find(names[i]);
        n_known += hc_sacct_column_is_known(names[i]);
        if (!p->columns[i] || p->columns[i]->column != HC_JOBS_JOB)
            continue;
        if (found_id)
            return twice(p, p->columns[i]->name, err);
        found_id = true;
        p->job_id = i;
    }
    if (!found_id)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line 1: column 'JobID' is missing; add it to --format of sacct (see "
                       "'hindcast formats slurm-sacct')",
                       p->source->name);
    p->records.n_columns = n;
    p->records.last_is_text = p->columns[n - 1] && p->columns[n - 1]->is_text;
    return n_known ? HC_OK : hc_fail(err, HC_INTERNAL, "a header without names");
}

static void warn_lacking(const struct sacct *p)
{
    static const struct {
        enum hc_jobs_column column;
        const char *name, *lost;
    } wanted[] = {
        {HC_JOBS_GPUS, "AllocTRES", "GPUs of the jobs are not known"},
        {HC_JOBS_STATE, "State", "how jobs ended is not known"},
        {HC_JOBS_START_NS, "Start", "when jobs ran is not known"},
        {HC_JOBS_END_NS, "End", "when jobs ended is not known"},
        {HC_JOBS_SUBMIT_NS, "Submit", "how long jobs waited is not known"},
        {HC_JOBS_ELIGIBLE_NS, "Eligible", "time in the queue counts from submission"},
        {HC_JOBS_NODE_LIST, "NodeList", "jobs are not joined to nodes"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool is_there = false;
        for (size_t c = 0; c < p->records.n_columns; c++)
            is_there |= p->columns[c] && p->columns[c]->column == wanted[i].column;
        if (!is_there)
            hc_warn("'%s': column '%s' is missing: %s", p->source->name, wanted[i].name,
                    wanted[i].lost);
    }
}

static enum hc_status read_header(struct sacct *p, const struct hc_line *line, struct hc_error *err)
{
    struct hc_span text = {line->text, line->length}, delimiter = find_delimiter(text);
    struct hc_span names[HC_SACCT_MOST_FIELDS];
    memcpy(p->records.delimiter, delimiter.text, delimiter.length);
    p->records.delimiter_length = delimiter.length;
    size_t n = hc_sacct_split(text, p->records.delimiter, delimiter.length, names);
    if (n == HC_SACCT_MOST_FIELDS)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line 1 has %d columns or more", p->source->name,
                       HC_SACCT_MOST_FIELDS);
    n -= n > 1 && names[n - 1].length == 0; /* --parsable ends lines with a delimiter */
    p->has_header = true;
    return set_columns(p, names, n, err);
}

static enum hc_status use_xdmod_order(struct sacct *p, struct hc_error *err)
{
    struct hc_span names[XDMOD_FIELDS];
    for (size_t i = 0; i < XDMOD_FIELDS; i++)
        names[i] = (struct hc_span){xdmod_order[i], strlen(xdmod_order[i])};
    memcpy(p->records.delimiter, "|", 2);
    p->records.delimiter_length = 1;
    return set_columns(p, names, XDMOD_FIELDS, err);
}

static enum hc_status begin(struct sacct *p, struct hc_error *err)
{
    struct hc_line line;
    bool is_over;
    if (hc_lines_open(&p->records.lines, p->source, err) ||
        hc_lines_next(p->records.lines, &line, &is_over, err))
        return err->status;
    if (is_over)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is empty; the output of sacct is expected",
                       p->source->name);
    if (find_delimiter((struct hc_span){line.text, line.length}).length) {
        if (read_header(p, &line, err))
            return err->status;
    } else {
        /* The line is a record, which is read once more. */
        hc_lines_close(p->records.lines);
        p->records.lines = NULL;
        if (use_xdmod_order(p, err) || hc_lines_open(&p->records.lines, p->source, err))
            return err->status;
    }
    warn_lacking(p);
    return HC_OK;
}

static void close_sacct(void *parser)
{
    struct sacct *p = parser;
    if (!p)
        return;
    hc_lines_close(p->records.lines);
    free(p);
}

static enum hc_status open_sacct(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct sacct *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_job_builder){
        .file = source->name, .zone = options->zone, .names = options->names};
    if (begin(p, err) || hc_read_mark_go_on(options->go_on, p->records.lines, err)) {
        close_sacct(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- rows ---- */

/* "123.batch", "123_4.0": a step of a job. */
static bool is_step(struct hc_span job_id)
{
    struct hc_slurm_job_id id;
    return memchr(job_id.text, '.', job_id.length) &&
           hc_slurm_job_id(job_id, &id) == HC_SLURM_VALUE && id.is_step;
}

static enum hc_status take(struct sacct *p, const struct hc_sacct_record *record,
                           struct hc_error *err)
{
    struct hc_job_builder *builder = &p->builder;
    bool is_whole = record->n_fields == p->records.n_columns;
    if (is_whole && is_step(record->fields[p->job_id])) {
        p->n_steps++;
        builder->report->rows_read++;
        builder->report->rows_ignored++;
        return HC_OK;
    }
    hc_job_begin(builder, record->line);
    if (!is_whole)
        hc_job_bad(builder, HC_BAD_FIELDS, "%zu fields, not %zu", record->n_fields,
                   p->records.n_columns);
    for (size_t i = 0; is_whole && i < record->n_fields && !builder->is_bad; i++)
        if (p->columns[i] && p->columns[i]->put(builder, p->columns[i], record->fields[i], err))
            return err->status;
    return hc_job_end(builder, err);
}

static enum hc_status cut(const struct sacct *p, const struct hc_sacct_record *record,
                          struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: the file is cut off in the middle of a row (%zu of %zu "
                   "fields); fetch or write it again",
                   p->source->name, (long long)record->line, record->n_fields,
                   p->records.n_columns);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct sacct *p = parser;
    struct hc_sacct_record record;
    p->builder.rows = rows;
    p->builder.report = report;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_sacct_records_next(&p->records, &record, err))
            return err->status;
        p->at_end = record.n_fields == 0;
        if (p->at_end && hc_lines_are_cut(p->records.lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end)
            hc_job_warn(&p->builder);
        else if (!record.is_ended && record.n_fields != p->records.n_columns)
            return cut(p, &record, err);
        else if (take(p, &record, err))
            return err->status;
        if (record.n_fields == p->records.n_columns) /* what has fewer may go on in later lines */
            hc_read_mark_put(&p->mark, p->records.lines, report);
    }
    return HC_OK;
}

/* The columns are those of the header, which is read again. */
static void mark_sacct(const void *parser, struct hc_read_mark *mark)
{
    *mark = ((const struct sacct *)parser)->mark;
}

static int64_t position(const void *parser)
{
    const struct sacct *p = parser;
    return hc_lines_position(p->records.lines);
}

const struct hc_format hc_format_slurm_sacct = {
    .name = "slurm-sacct",
    .description = "accounting of Slurm, as sacct --parsable2 prints it",
    .recipe =
        "    TZ=UTC sacct --allusers --parsable2 --allocations --duplicates \\\n"
        "        --starttime \"$(date -u -d '2 days ago' +%F)\" --endtime now \\\n"
        "        --format=JobID,JobIDRaw,Cluster,Partition,QOS,Account,User,Submit,\\\n"
        "Eligible,Start,End,ElapsedRaw,Suspended,State,ExitCode,Reason,NNodes,NCPUS,\\\n"
        "AllocTRES,ReqTRES,Timelimit,NodeList,Reservation,DBIndex,WorkDir,Comment,\\\n"
        "JobName >sacct.txt\n"
        "\n"
        "Windows may overlap: records are merged by job and submission. Add Restarts,\n"
        "FailedNode, StdOut and StdErr where 'sacct --helpformat' has them. JobName is the\n"
        "last column, since it alone may hold the delimiter then.\n"
        "\n"
        "    TZ=UTC         times have no zone; else say --zone to ingest\n"
        "    --duplicates   earlier attempts of requeued jobs\n"
        "    --allocations  without the steps of jobs, which are passed over\n"
        "    AllocTRES      GPUs; without it there is no GPU-time\n"
        "    Eligible       since when a job could start; else its queue counts from Submit\n",
    .version = 1,
    .is_lines = true,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_sacct,
    .next_batch = next_batch,
    .mark = mark_sacct,
    .position = position,
    .close = close_sacct,
};
