/* nvrx_cycle_info.c - what NVIDIA's resiliency extension (NVRx) writes of each launch of the
 * processes within an allocation: cycle_info.<job>.<attempt>.<cycle>, one JSON object. Its keys may
 * be written as cycle_number or as cycleNumber. */
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/nodes/record_rows.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/io/json_source.h"
#include "parsers/logs/log_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 512

struct cycle_info {
    const struct hc_source *source;
    struct hc_json_pull *pull;
    struct hc_table_names *names;
    bool at_end;
    char job[TEXT_MOST], attempt[32], cycle[32], start[40], end[40], log[TEXT_MOST],
        nodes[HC_RECORD_TEXT_MOST];
};

/* Whether a key is that of a name, however it is written: letters and digits alone count. */
static bool is_key(const struct hc_pull_token *key, const char *name)
{
    size_t i = 0;
    for (; *name; name++) {
        if (*name == '_')
            continue;
        while (i < key->length && key->text[i] == '_')
            i++;
        if (i == key->length || tolower((unsigned char)key->text[i++]) != *name)
            return false;
    }
    return i == key->length;
}

static size_t field_of(struct cycle_info *c, const struct hc_pull_token *key, char **to)
{
    const struct {
        const char *name;
        char *to;
        size_t size;
    } fields[] = {
        {"job_id", c->job, sizeof c->job},
        {"attempt_index", c->attempt, sizeof c->attempt},
        {"cycle_number", c->cycle, sizeof c->cycle},
        {"cycle_start_time", c->start, sizeof c->start},
        {"cycle_end_time", c->end, sizeof c->end},
        {"cycle_log_file", c->log, sizeof c->log},
        {"active_nodes", c->nodes, sizeof c->nodes},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (is_key(key, fields[i].name)) {
            *to = fields[i].to;
            return fields[i].size;
        }
    return 0;
}

static enum hc_status read_document(struct cycle_info *c, struct hc_error *err)
{
    struct hc_pull_token token;
    do {
        char *to = NULL;
        if (hc_pull_next(c->pull, &token, err))
            return err->status;
        if (token.kind != HC_PULL_KEY)
            continue;
        size_t size = field_of(c, &token, &to);
        if (!size) {
            if (hc_pull_skip_value(c->pull, err))
                return err->status;
            continue;
        }
        if (hc_pull_next(c->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_STRING || token.kind == HC_PULL_NUMBER) {
            size_t n = token.length < size - 1 ? token.length : size - 1;
            memcpy(to, token.text, n);
            to[n] = '\0';
        } else if ((token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY) &&
                   hc_pull_skip_rest(c->pull, err))
            return err->status;
    } while (token.kind != HC_PULL_END);
    return HC_OK;
}

/* A whole number, or HC_MISSING_I64. */
static int64_t whole(const char *text)
{
    int64_t value;
    return hc_text_to_i64(text, strlen(text), &value) || value < 0 ? HC_MISSING_I64 : value;
}

static int32_t small(const char *text)
{
    int64_t value = whole(text);
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : HC_MISSING_I32;
}

static enum hc_status put_cycle(const struct cycle_info *c, struct hc_table *rows,
                                struct hc_row_report *report, struct hc_error *err)
{
    int64_t start_ns, end_ns = HC_MISSING_I64;
    char key[TEXT_MOST + 40];
    if (!hc_parse_iso8601(c->start, strlen(c->start), &start_ns))
        return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err,
                                 "'%s': cycle_start_time is no time with a zone", c->source->name);
    if (*c->end && !hc_parse_iso8601(c->end, strlen(c->end), &end_ns))
        return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err,
                                 "'%s': cycle_end_time is no time with a zone", c->source->name);
    size_t i = hc_log_row_add(rows);
    const struct hc_record_writer writer = {c->names, rows};
    snprintf(key, sizeof key, "nvrx %s %s", c->job, c->attempt);
    hc_table_i64(rows, HC_CYCLES_START_NS)[i] = start_ns;
    hc_table_i64(rows, HC_CYCLES_END_NS)[i] = end_ns;
    hc_table_i64(rows, HC_CYCLES_LOG_ID)[i] = hc_record_fact(0, key, strlen(key));
    hc_table_i32(rows, HC_CYCLES_NUMBER)[i] = small(c->cycle);
    hc_table_i64(rows, HC_CYCLES_JOB)[i] = whole(c->job);
    hc_table_i32(rows, HC_CYCLES_RESTARTS)[i] = small(c->attempt);
    hc_table_i32(rows, HC_CYCLES_CLOCK)[i] = HC_LOG_STAMPED;
    hc_table_i64(rows, HC_CYCLES_LINE)[i] = 1;
    if (hc_record_put_text(&writer, HC_CYCLES_LOG, c->log, strlen(c->log), err) ||
        hc_record_put_text(&writer, HC_CYCLES_FRAMEWORK, "nvrx", 4, err) ||
        hc_record_put_text(&writer, HC_CYCLES_NODE_LIST, c->nodes, strlen(c->nodes), err))
        return err->status;
    return hc_record_put_text(&writer, HC_CYCLES_SOURCE, c->source->name, strlen(c->source->name),
                              err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct cycle_info *c = parser;
    if (c->at_end || rows->n_rows == rows->capacity)
        return HC_OK;
    c->at_end = true;
    if (read_document(c, err))
        return err->status;
    report->rows_read++;
    return put_cycle(c, rows, report, err);
}

static void close_info(void *parser)
{
    struct cycle_info *c = parser;
    if (c)
        hc_pull_close(c->pull);
    free(c);
}

static enum hc_status open_info(void **parser, const struct hc_source *source,
                                const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct cycle_info *c = hc_new_array(1, sizeof *c, err);
    if (!c)
        return err->status;
    c->source = source;
    c->names = options->names;
    if (hc_pull_open_source(&c->pull, source, err)) {
        close_info(c);
        return err->status;
    }
    *parser = c;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct cycle_info *c = parser;
    return hc_pull_position(c->pull);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    size_t at = 0;
    (void)path;
    while (at < length && isspace(head[at]))
        at++;
    if (at == length || head[at] != '{')
        return 0;
    bool has_number =
        memmem(head, length, "\"cycle_number\"", 14) || memmem(head, length, "\"cycleNumber\"", 13);
    bool has_start = memmem(head, length, "\"cycle_start_time\"", 18) ||
                     memmem(head, length, "\"cycleStartTime\"", 16);
    return has_number && has_start ? 90 : 0;
}

const struct hc_format hc_format_nvrx_cycle_info = {
    .name = "nvrx-cycle-info",
    .description = "launches of a run within its allocation: cycle_info files of NVRx",
    .version = 1,
    .table = &hc_cycles_def,
    .probe = probe,
    .open = open_info,
    .next_batch = next_batch,
    .position = position,
    .close = close_info,
};
