#include "parsers/jobs/job_rows.h"

#include "core/base/log.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/text/text_hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S ((int64_t)1000000000)

void hc_job_begin(struct hc_job_builder *builder, int64_t line)
{
    builder->line = line;
    builder->is_bad = false;
    builder->row = hc_jobs_add(builder->rows, 1);
    hc_job_nodes_begin(&builder->nodes);
    hc_table_i64(builder->rows, HC_JOBS_LINE)[builder->row] = line;
}

void hc_job_bad(struct hc_job_builder *builder, enum hc_bad_reason reason, const char *format, ...)
{
    if (builder->is_bad)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(builder->why, sizeof builder->why, format, args);
    va_end(args);
    builder->is_bad = true;
    builder->reason = reason;
}

/* ---- texts ---- */

/* Make of a text, terminated, what a dictionary can hold. Returns whether anything was changed. */
static bool clean(char *text, size_t length)
{
    bool is_changed = false;
    for (char *at = text; at < text + length;) {
        size_t n = hc_utf8_length(at);
        if (n == 0 || (unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
            n = 1;
            is_changed = true;
        }
        at += n;
    }
    return is_changed;
}

static bool is_plain(struct hc_span text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.text[i] < ' ' || (unsigned char)text.text[i] >= 0x7f)
            return false;
    return true;
}

static size_t most_of(enum hc_jobs_column column)
{
    return column == HC_JOBS_NODE_LIST ? HC_JOB_NODES_MAX : HC_JOB_TEXT_MAX;
}

/* Of a list of nodes that is too long, up to a comma between names, so that it can be read. */
static size_t whole_names(struct hc_span list, size_t most)
{
    size_t last = 0;
    int depth = 0;
    for (size_t i = 0; i < most; i++) {
        depth += list.text[i] == '[' ? 1 : list.text[i] == ']' ? -1 : 0;
        last = depth == 0 && list.text[i] == ',' ? i : last;
    }
    return last ? last : most;
}

static enum hc_status add_unclean(struct hc_job_builder *builder, enum hc_jobs_column column,
                                  struct hc_span text, int32_t *code, struct hc_error *err)
{
    char copy[HC_JOB_NODES_MAX + 1];
    size_t most = most_of(column), length = text.length < most ? text.length : most;
    if (column == HC_JOBS_NODE_LIST && length < text.length)
        length = whole_names(text, length);
    memcpy(copy, text.text, length);
    copy[length] = '\0';
    bool is_changed = clean(copy, length);
    if (is_changed || length < text.length)
        hc_row_report_unclean(builder->report, "line %lld: '%s' is '%s', %s",
                              (long long)builder->line, hc_jobs_def.columns[column].name,
                              hc_printable(text.text, text.length).text,
                              is_changed ? "which has control bytes or is not UTF-8: kept as '?'"
                                         : "which is too long: cut");
    return hc_text_set_add(&builder->names->set[hc_job_column_dictionary(column)], copy, length,
                           code, err);
}

struct hc_text_set *hc_job_text_set(struct hc_job_builder *builder, enum hc_jobs_column column)
{
    if (builder->dictionary[column] == 0)
        builder->dictionary[column] = (uint8_t)(1 + hc_job_column_dictionary(column));
    return &builder->names->set[builder->dictionary[column] - 1];
}

enum hc_status hc_job_text_code(struct hc_job_builder *builder, enum hc_jobs_column column,
                                struct hc_span text, int32_t *code, struct hc_error *err)
{
    struct hc_text_set *set = hc_job_text_set(builder, column);
    *code = hc_text_set_find(set, text.text, text.length); /* texts there are clean */
    if (*code >= 0 || text.length > most_of(column) || !is_plain(text))
        return HC_OK;
    return hc_text_set_add(set, text.text, text.length, code, err);
}

enum hc_status hc_job_put_text(struct hc_job_builder *builder, enum hc_jobs_column column,
                               struct hc_span text, struct hc_error *err)
{
    int32_t *code = &hc_table_i32(builder->rows, column)[builder->row];
    if (text.length == 0 || builder->is_bad)
        return HC_OK;
    const struct hc_text_set *set = hc_job_text_set(builder, column);
    int32_t last = builder->last_code[column] - 1;
    *code = last;
    if (last >= 0 && (size_t)last < set->n && hc_text_set_length(set, last) == text.length &&
        hc_is_same_text(set->text[last], text.text, text.length))
        return HC_OK;
    if (hc_job_text_code(builder, column, text, code, err) ||
        (*code < 0 && add_unclean(builder, column, text, code, err)))
        return err->status;
    builder->last_code[column] = *code + 1;
    return HC_OK;
}

enum hc_status hc_job_put_node_list(struct hc_job_builder *builder, struct hc_span list,
                                    struct hc_error *err)
{
    if (list.length && !builder->is_bad)
        hc_job_nodes_take(&builder->nodes, list, builder->line);
    return hc_job_put_text(builder, HC_JOBS_NODE_LIST, list, err);
}

/* ---- numbers and times ---- */

void hc_job_put_i64(struct hc_job_builder *builder, enum hc_jobs_column column, int64_t value)
{
    if (hc_jobs_def.columns[column].type == HC_I64)
        hc_table_i64(builder->rows, column)[builder->row] = value;
    else if (value >= 0 && value <= INT32_MAX)
        hc_table_i32(builder->rows, column)[builder->row] = (int32_t)value;
    else
        hc_job_bad(builder, HC_BAD_RANGE, "'%s' is %lld, not within 0 to %d",
                   hc_jobs_def.columns[column].name, (long long)value, INT32_MAX);
}

void hc_job_put_time(struct hc_job_builder *builder, enum hc_jobs_column column,
                     struct hc_span text)
{
    int64_t time_s;
    bool is_local;
    enum hc_slurm_text what = hc_slurm_time(&builder->dates, text, &time_s, &is_local);
    if (what == HC_SLURM_WRONG)
        hc_job_bad(builder, HC_BAD_NUMBER, "'%s' is '%s', not a time",
                   hc_jobs_def.columns[column].name, hc_printable(text.text, text.length).text);
    if (what != HC_SLURM_VALUE)
        return;
    if (is_local && builder->zone) {
        enum hc_local_time is = hc_zone_to_unix_s(builder->zone, time_s, &time_s);
        builder->n_twice += is == HC_LOCAL_TWICE;
        builder->n_never += is == HC_LOCAL_NEVER;
    }
    hc_table_i64(builder->rows, column)[builder->row] = time_s * NS_PER_S;
}

/* ---- rows ---- */

/* A job was submitted some time, and did not end before it began. */
static void check_times(struct hc_job_builder *builder)
{
    const struct hc_table *rows = builder->rows;
    if (hc_table_i64(rows, HC_JOBS_SUBMIT_NS)[builder->row] == HC_MISSING_I64)
        hc_job_bad(builder, HC_BAD_NULL, "'submit_ns' is not known");
    int64_t start_ns = hc_table_i64(rows, HC_JOBS_START_NS)[builder->row];
    int64_t end_ns = hc_table_i64(rows, HC_JOBS_END_NS)[builder->row];
    if (start_ns != HC_MISSING_I64 && end_ns != HC_MISSING_I64 && end_ns < start_ns)
        hc_job_bad(builder, HC_BAD_RANGE, "'end_ns' is %lld s before 'start_ns'",
                   (long long)((start_ns - end_ns) / NS_PER_S));
}

static void check_nodes(struct hc_job_builder *builder)
{
    int32_t failed = hc_table_i32(builder->rows, HC_JOBS_FAILED_NODE)[builder->row];
    const struct hc_text_set *nodes = hc_job_text_set(builder, HC_JOBS_FAILED_NODE);
    hc_job_nodes_check(&builder->nodes, hc_table_i32(builder->rows, HC_JOBS_NODES)[builder->row],
                       failed == HC_MISSING_I32 ? NULL : nodes->text[failed], builder->line);
}

enum hc_status hc_job_end(struct hc_job_builder *builder, struct hc_error *err)
{
    builder->report->rows_read++;
    if (!builder->is_bad)
        check_times(builder);
    if (!builder->is_bad) {
        check_nodes(builder);
        return hc_job_put_text(builder, HC_JOBS_SOURCE,
                               (struct hc_span){builder->file, strlen(builder->file)}, err);
    }
    builder->rows->n_rows = builder->row;
    return hc_row_report_bad(builder->report, builder->reason, HC_MISSING_I32, err, "line %lld: %s",
                             (long long)builder->line, builder->why);
}

void hc_job_warn(const struct hc_job_builder *b)
{
    if (b->n_twice)
        hc_warn("'%s': %lld times are of an hour that the clocks showed twice; each is taken as "
                "the first (dump with TZ=UTC)",
                b->file, (long long)b->n_twice);
    if (b->n_never)
        hc_warn("'%s': %lld times are of an hour that the clocks left out (dump with TZ=UTC, or "
                "check the zone)",
                b->file, (long long)b->n_never);
    hc_job_nodes_warn(&b->nodes, b->file);
}
