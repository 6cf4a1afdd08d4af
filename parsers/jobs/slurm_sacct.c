/* slurm_sacct.c - the accounting of Slurm as `sacct` prints it: --parsable2 (or --parsable, or any
 * --delimiter), with a header, again where dumps were put together; or without one in an order of
 * columns that XDMoD's shredder asks for. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/jobs/job_rows.h"
#include "parsers/jobs/sacct_header.h"
#include "parsers/jobs/sacct_plain.h"

#include <stdlib.h>
#include <string.h>

struct sacct {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_sacct_records records;
    struct hc_sacct_header header;
    struct hc_sacct_block block;
    struct hc_sacct_plain plain;
    bool at_end;
    bool has_later_header;
    struct hc_read_mark mark; /* behind the last whole record, before any later header */
};

/* ---- recognising ---- */

/* Whether a line is a header; one behind others (messages of the command) has to have JobID. */
static int sure_of(struct hc_span line, int number)
{
    bool is_quoted;
    if (!hc_sacct_delimiter(line, &is_quoted).length)
        return 0;
    bool has_id = memmem(line.text, line.length, "JobID", 5);
    bool has_small = false; /* sinfo and squeue write capitals only */
    for (size_t i = 0; i < line.length; i++)
        has_small |= line.text[i] >= 'a' && line.text[i] <= 'z';
    return has_id ? 95 : number == 0 && has_small ? 60 : 0;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    /* Readers of numbers look behind their text: of the head that is a copy with room. */
    enum { MOST = 8192 };
    char copy[MOST + HC_TEXT_PADDING] = "";
    struct hc_span fields[HC_SACCT_MOST_FIELDS];
    struct hc_sacct_header header;
    (void)path;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        head += 3;
        length -= 3;
    }
    length = length < MOST ? length : MOST;
    memcpy(copy, head, length);
    const char *at = copy, *end = copy + length;
    for (int i = 0, sure; i <= HC_SACCT_MOST_BEFORE && at < end; i++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        struct hc_span line = {at, (size_t)((feed ? feed : end) - at)};
        if ((sure = sure_of(line, i)))
            return sure;
        if (i == 0 && hc_sacct_header_guess(&header, fields, hc_sacct_split(line, "|", 1, fields)))
            return 90;
        at = feed ? feed + 1 : end;
    }
    return 0;
}

/* ---- opening ---- */

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
        {HC_JOBS_ELIGIBLE_NS, "Eligible", "time in the queue counts from submission"},
        {HC_JOBS_NODE_LIST, "NodeList", "jobs are not joined to nodes"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool is_there = false;
        for (size_t c = 0; c < p->header.n; c++)
            is_there |= p->header.column[c] && p->header.column[c]->column == wanted[i].column;
        if (!is_there)
            hc_warn("'%s': column '%s' is missing: %s", p->source->name, wanted[i].name,
                    wanted[i].lost);
    }
}

static enum hc_status set_header(struct sacct *p, const struct hc_span *names, size_t n,
                                 int64_t line, struct hc_error *err)
{
    n -= n > 1 && names[n - 1].length == 0; /* --parsable ends lines with a delimiter */
    p->records.n_columns = n;
    return hc_sacct_header_set(&p->header, names, n, p->source->name, line, err);
}

static enum hc_status read_header(struct sacct *p, const struct hc_line *line, struct hc_error *err)
{
    struct hc_span text = {line->text, line->length}, names[HC_SACCT_MOST_FIELDS];
    struct hc_span delimiter = hc_sacct_delimiter(text, &p->records.is_quoted);
    memcpy(p->records.delimiter, delimiter.text, delimiter.length);
    p->records.delimiter_length = delimiter.length;
    /* Of a CSV, values may be quoted where its names are not. */
    p->records.is_quoted = delimiter.length == 1 && *delimiter.text == ',';
    size_t n = p->records.is_quoted
                   ? hc_sacct_split_quoted(text, names)
                   : hc_sacct_split(text, p->records.delimiter, p->records.delimiter_length, names);
    if (n == HC_SACCT_MOST_FIELDS)
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld has %d columns or more", p->source->name,
                       (long long)line->number, HC_SACCT_MOST_FIELDS);
    return set_header(p, names, n, line->number, err);
}

/* Without a header, records are in an order of XDMoD; the first is read once more. */
static enum hc_status use_order(struct sacct *p, struct hc_error *err)
{
    struct hc_line line;
    bool is_over;
    hc_lines_close(p->records.lines);
    p->records.lines = NULL;
    if (hc_lines_open(&p->records.lines, p->source, err) ||
        hc_lines_next(p->records.lines, &line, &is_over, err))
        return err->status;
    memcpy(p->records.delimiter, "|", 2);
    p->records.delimiter_length = 1;
    struct hc_span text = {line.text, is_over ? 0 : line.length};
    size_t n = hc_sacct_split(text, "|", 1, p->records.fields);
    if (!hc_sacct_header_guess(&p->header, p->records.fields, n))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has no header of sacct, nor records in an order that is known; dump "
                       "without --noheader (see 'hindcast formats slurm-sacct')",
                       p->source->name);
    p->records.n_columns = p->header.n;
    hc_lines_close(p->records.lines);
    p->records.lines = NULL;
    return hc_lines_open(&p->records.lines, p->source, err);
}

static enum hc_status begin(struct sacct *p, struct hc_error *err)
{
    struct hc_line line;
    bool is_over, is_quoted;
    if (hc_lines_open(&p->records.lines, p->source, err) ||
        hc_lines_next(p->records.lines, &line, &is_over, err))
        return err->status;
    if (is_over)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is empty; the output of sacct is expected",
                       p->source->name);
    bool is_header =
        hc_sacct_delimiter((struct hc_span){line.text, line.length}, &is_quoted).length;
    for (int i = 0; i < HC_SACCT_MOST_BEFORE && !is_header && !is_over; i++) {
        if (hc_lines_next(p->records.lines, &line, &is_over, err))
            return err->status;
        is_header = !is_over && hc_sacct_is_late_header((struct hc_span){line.text, line.length});
    }
    if (is_header ? read_header(p, &line, err) : use_order(p, err))
        return err->status;
    if (is_header && line.number > 1)
        hc_warn("'%s': %lld lines before the header are passed over", p->source->name,
                (long long)(line.number - 1));
    warn_lacking(p);
    return HC_OK;
}

static void close_sacct(void *parser)
{
    struct sacct *p = parser;
    if (!p)
        return;
    hc_lines_close(p->records.lines);
    hc_sacct_plain_fini(&p->plain);
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
    p->plain.builder = &p->builder;
    p->plain.block = &p->block;
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
    bool is_whole = record->n_fields == p->header.n ||
                    (record->n_fields > p->header.n && !p->records.is_quoted &&
                     hc_sacct_header_fit(&p->header, record->fields, record->n_fields));
    if (is_whole && is_step(record->fields[p->header.job_id])) {
        builder->report->rows_read++;
        builder->report->rows_ignored++;
        return HC_OK;
    }
    hc_job_begin(builder, record->line);
    if (!is_whole)
        hc_job_bad(builder, HC_BAD_FIELDS, "%zu fields, not %zu%s", record->n_fields, p->header.n,
                   p->records.is_quoted ? ", between commas, which lists of resources and nodes "
                                          "have, too (dump with --parsable2)"
                                        : "");
    for (size_t i = 0; is_whole && i < p->header.n && !builder->is_bad; i++) {
        const struct hc_sacct_column *column = p->header.column[i];
        if (column && column->put(builder, column, record->fields[i], err))
            return err->status;
    }
    return hc_job_end(builder, err);
}

/* ---- rows of a block ---- */

/* Of one to eight digits, as most numbers of jobs are. */
static bool is_short_number(struct hc_span text)
{
    return text.length - 1 < 8 && hc_are_digits8(hc_behind_zeros(hc_load8(text.text), text.length));
}

/* Steps are passed over. */
static void drop_steps(struct sacct *p)
{
    bool is_dropped[HC_SACCT_BLOCK_RECORDS];
    int64_t n_dropped = 0;
    struct hc_sacct_fields ids = hc_sacct_block_fields(&p->block, p->header.job_id);
    for (size_t r = 0; r < p->block.n; r++) {
        struct hc_span id = hc_sacct_fields_next(&ids);
        is_dropped[r] = !is_short_number(id) && is_step(id);
        n_dropped += is_dropped[r];
    }
    if (n_dropped)
        hc_sacct_block_drop(&p->block, is_dropped);
    p->builder.report->rows_read += n_dropped;
    p->builder.report->rows_ignored += n_dropped;
}

/* Read odd records once more, field by field. The rows of the others close up to them. */
static enum hc_status take_odd(struct sacct *p, struct hc_error *err)
{
    struct hc_table *rows = p->builder.rows;
    struct hc_sacct_record record = {.n_fields = p->header.n, .fields = p->records.fields};
    rows->n_rows = p->plain.first;
    for (size_t r = 0; r < p->block.n; r++) {
        if (!p->plain.is_odd[r]) {
            hc_table_move_row(rows, rows->n_rows++, p->plain.first + r);
            continue;
        }
        record.line = p->block.line[r];
        for (size_t i = 0; i < record.n_fields; i++)
            record.fields[i] = hc_sacct_block_field(&p->block, r, i);
        if (take(p, &record, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_block(struct sacct *p, struct hc_error *err)
{
    drop_steps(p);
    if (hc_sacct_plain_begin(&p->plain, err))
        return err->status;
    for (size_t i = 0; i < p->header.n; i++) {
        const struct hc_sacct_column *column = p->header.column[i];
        if (column && column->put_block(&p->plain, column, i, err))
            return err->status;
    }
    size_t n_odd = hc_sacct_plain_end(&p->plain);
    p->builder.report->rows_read += (int64_t)(p->block.n - n_odd);
    return n_odd ? take_odd(p, err) : HC_OK;
}

/* Take the records that come next and are plain lines; *n_lines of 0: there are none. */
static enum hc_status next_block(struct sacct *p, size_t *n_lines, struct hc_error *err)
{
    const struct hc_table *rows = p->builder.rows;
    struct hc_line_reader *lines = p->records.lines;
    struct hc_span text;
    *n_lines = 0;
    if (p->records.is_quoted || p->records.delimiter_length > 1 || *p->records.delimiter == '\r')
        return HC_OK;
    text.text = hc_lines_view(lines, &text.length);
    p->block.n_fields = p->records.n_columns;
    size_t length = hc_sacct_block_split(&p->block, text, *p->records.delimiter,
                                         rows->capacity - rows->n_rows, hc_lines_number(lines) + 1);
    if (p->block.n == 0)
        return HC_OK;
    *n_lines = p->block.n;
    hc_lines_pass(lines, length, (int64_t)*n_lines);
    if (take_block(p, err))
        return err->status;
    if (!p->has_later_header)
        hc_read_mark_put(&p->mark, lines, p->builder.report);
    return HC_OK;
}

/* ---- all records ---- */

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
    size_t n_lines;
    p->builder.rows = rows;
    p->builder.report = report;
    hc_sacct_plain_forget(&p->plain);
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (next_block(p, &n_lines, err))
            return err->status;
        if (n_lines)
            continue;
        if (hc_sacct_records_next(&p->records, &record, err))
            return err->status;
        p->at_end = record.n_fields == 0;
        if (p->at_end && hc_lines_are_cut(p->records.lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end)
            hc_job_warn(&p->builder);
        else if (record.is_header) {
            p->has_later_header = true;
            if (set_header(p, record.fields, record.n_fields, record.line, err))
                return err->status;
        } else if (!record.is_ended && record.n_fields < p->records.n_columns)
            return cut(p, &record, err);
        else if (take(p, &record, err))
            return err->status;
        /* What has fewer may go on in later lines. */
        if (record.n_fields >= p->records.n_columns && !p->has_later_header)
            hc_read_mark_put(&p->mark, p->records.lines, report);
    }
    return HC_OK;
}

/* The columns are those of the first header, which is read again. */
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
    .version = 2,
    .is_lines = true,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_sacct,
    .next_batch = next_batch,
    .mark = mark_sacct,
    .position = position,
    .close = close_sacct,
};
