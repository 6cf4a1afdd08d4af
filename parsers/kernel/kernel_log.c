/* kernel_log.c - logs of kernels as text: dmesg in its styles, syslog, journalctl. */
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/record.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"
#include "parsers/kernel/boot_time.h"
#include "parsers/kernel/kernel_line.h"
#include "parsers/kernel/kernel_message.h"

#include <stdlib.h>
#include <string.h>

struct kernel_log {
    const struct hc_source *source;
    struct hc_event_writer writer;
    struct hc_kernel_rules *rules;
    struct hc_line_reader *lines;
    struct hc_stamp_clock clock;
    bool is_dated_by_file;     /* seconds since boot, of which only the file's time says when */
    struct hc_event_text node; /* of the path */
    bool at_end;
    struct hc_read_mark mark;
    int64_t n_by_path, n_without_year;
};

/* ---- recognising ---- */

enum { PROBED_LINES = 200 };

static int probe(const unsigned char *head, size_t length, const char *path)
{
    int n_lines = 0, n_dmesg = 0, n_syslog = 0, n_kernel = 0;
    const char *at = (const char *)head, *end = at + length;
    while (at < end && n_lines < PROBED_LINES) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        struct hc_kernel_line parts;
        if (!feed && n_lines) /* cut off, perhaps */
            break;
        hc_kernel_line_split((struct hc_event_text){at, (size_t)((feed ? feed : end) - at)},
                             &parts);
        n_lines += at != feed;
        n_dmesg += parts.is_dmesg;
        n_syslog += parts.is_syslog;
        n_kernel += parts.is_of_kernel && parts.is_syslog;
        at = feed ? feed + 1 : end;
    }
    if (n_dmesg * 2 > n_lines)
        return 90;
    if ((n_dmesg + n_syslog) * 2 <= n_lines)
        return 0;
    /* "2026-03-01 11:01:00 CUDA error: out of memory" has a host and a tag, too: without a line of
     * the kernel it is for readers of failures to say whether it is a job's. */
    return n_kernel || n_dmesg || hc_kernel_is_named_by(path) ? 60 : 15;
}

/* ---- opening ---- */

static void close_log(void *parser)
{
    struct kernel_log *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    hc_kernel_rules_free(p->rules);
    free(p);
}

/* Of a log that counts from boot: when that was. */
static enum hc_status date_boot(struct kernel_log *p, struct hc_error *err)
{
    struct hc_boot_time boot;
    if (hc_boot_time_find(&boot, p->source, err))
        return err->status;
    p->clock.boot_ns = boot.boot_ns;
    if (boot.boot_ns != HC_MISSING_I64)
        return HC_OK;
    p->is_dated_by_file = true;
    p->clock.boot_ns = p->clock.end_ns - boot.last_ns;
    hc_warn("'%s' has seconds since boot, and no line that dates them: its last line is taken as "
            "of the time at which the file was written (dump with 'dmesg --time-format iso')",
            p->source->name);
    return HC_OK;
}

/* Whether the first stamp counts from boot. */
static enum hc_status counts_from_boot(const struct hc_source *source, bool *is_so,
                                       struct hc_error *err)
{
    struct hc_line_reader *lines = NULL;
    struct hc_line line;
    bool is_over = false, is_found = false;
    enum hc_status status = hc_lines_open(&lines, source, err);
    *is_so = false;
    for (int n = 0; !status && !is_found && !is_over && n < PROBED_LINES; n++) {
        struct hc_kernel_line parts;
        status = hc_lines_next(lines, &line, &is_over, err);
        if (status || is_over)
            break;
        hc_kernel_line_split((struct hc_event_text){line.text, line.length}, &parts);
        is_found = parts.has_stamp;
        *is_so = is_found && parts.stamp.kind == HC_STAMP_SINCE_BOOT;
    }
    hc_lines_close(lines);
    return status;
}

/* ---- going on ---- */

/* When the machine was started: a file that was written to later, and has no line that dates it
 * yet, would say another time. */
struct kernel_state {
    int64_t boot_ns; /* missing: the lines do not count from it */
    bool is_dated_by_file;
};

#define STATE(...) HC_FIELD(struct kernel_state, __VA_ARGS__)
static const struct hc_field state_fields[] = {
    STATE("boot_ns", boot_ns, "ns", "when the machine was started"),
    STATE("is_dated_by_file", is_dated_by_file, "", "by the time of the file, and no line"),
};
static const struct hc_record_def state_record = HC_RECORD(NULL, state_fields);

static void mark_log(const void *parser, struct hc_read_mark *mark)
{
    const struct kernel_log *p = parser;
    struct kernel_state *state = mark->state;
    *state = (struct kernel_state){p->clock.boot_ns, p->is_dated_by_file};
    *mark = p->mark;
    mark->state = state;
}

static enum hc_status find_boot(struct kernel_log *p, const struct hc_read_mark *go_on,
                                struct hc_error *err)
{
    bool is_since_boot;
    const struct kernel_state *known = go_on ? go_on->state : NULL;
    if (known && known->boot_ns != HC_MISSING_I64 && !known->is_dated_by_file) {
        p->clock.boot_ns = known->boot_ns;
        return HC_OK;
    }
    if (counts_from_boot(p->source, &is_since_boot, err) || (is_since_boot && date_boot(p, err)))
        return err->status;
    if (known && known->boot_ns != HC_MISSING_I64 && p->is_dated_by_file)
        p->clock.boot_ns = known->boot_ns; /* not by a later writing */
    return HC_OK;
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct kernel_log *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->writer = (struct hc_event_writer){options->names, source->name};
    struct hc_matched node = hc_text_pattern_named(options->path, source->name, "node");
    p->node = node.length ? (struct hc_event_text){node.text, node.length}
                          : hc_kernel_node_of_path(options->log ? options->log : source->name);
    hc_stamp_clock_start(&p->clock, source, options->zone);
    if (find_boot(p, options->go_on, err) || hc_kernel_rules_make(&p->rules, err) ||
        hc_lines_open(&p->lines, source, err) ||
        hc_read_mark_go_on(options->go_on, p->lines, err)) {
        close_log(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- rows ---- */

static bool tell_time(struct kernel_log *p, const struct hc_kernel_line *parts,
                      struct hc_event *event)
{
    if (!parts->has_stamp ||
        !hc_stamp_clock_tell(&p->clock, &parts->stamp, &event->time_ns, &event->clock))
        return false;
    p->n_without_year += event->clock == HC_CLOCK_YEAR_INFERRED;
    if (event->clock == HC_CLOCK_SINCE_BOOT && p->is_dated_by_file) {
        event->clock = HC_CLOCK_BEFORE_FILE;
        event->to_ns = event->time_ns;
    }
    return true;
}

static enum hc_status take_line(struct kernel_log *p, const struct hc_line *line,
                                struct hc_table *rows, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_kernel_line parts;
    struct hc_event event = hc_event_none;
    if (line->is_long) {
        report->rows_read++;
        return hc_row_report_bad(report, HC_BAD_TEXT, HC_MISSING_I32, err,
                                 "line %lld is longer than %zu bytes", (long long)line->number,
                                 (size_t)HC_LINE_MOST);
    }
    if (!hc_kernel_may_match(p->rules, line->text, line->length))
        return HC_OK;
    hc_kernel_line_split((struct hc_event_text){line->text, line->length}, &parts);
    if (!parts.is_of_kernel || !hc_kernel_message_read(p->rules, parts.message, &event))
        return HC_OK;
    report->rows_read++;
    event.line = line->number;
    event.node = parts.host.length ? parts.host : p->node;
    p->n_by_path += !parts.host.length && p->node.length;
    if (!tell_time(p, &parts, &event))
        return hc_row_report_bad(report, HC_BAD_NULL, HC_MISSING_I32, err,
                                 "line %lld: an event without a time", (long long)line->number);
    return hc_event_put(&p->writer, &event, rows, err);
}

static void warn_at_end(const struct kernel_log *p)
{
    char end[32];
    hc_stamp_clock_warn(&p->clock, p->source->name);
    if (p->n_by_path)
        hc_warn("'%s': its lines name no node; by its path it is of '%.*s'", p->source->name,
                (int)p->node.length, p->node.text);
    if (p->n_without_year) {
        hc_format_iso8601(p->clock.end_ns, end);
        hc_warn("'%s': %lld times have no year; the file is taken to end by %.10s", p->source->name,
                (long long)p->n_without_year, end);
    }
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct kernel_log *p = parser;
    struct hc_line line;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (hc_lines_next(p->lines, &line, &p->at_end, err))
            return err->status;
        if (!p->at_end && take_line(p, &line, rows, report, err))
            return err->status;
        if (p->at_end && hc_lines_are_cut(p->lines))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': the packed data ends too early; fetch or write it again",
                           p->source->name);
        if (p->at_end) {
            hc_read_mark_put(&p->mark, p->lines, report);
            warn_at_end(p);
        }
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct kernel_log *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_kernel_log = {
    .name = "kernel-log",
    .description = "health events in kernel logs: dmesg, syslog, journalctl as text",
    .version = 2,
    .is_lines = true,
    .table = &hc_events_def,
    .probe = probe,
    .open = open_log,
    .next_batch = next_batch,
    .mark = mark_log,
    .state_size = sizeof(struct kernel_state),
    .state_record = &state_record,
    .position = position,
    .close = close_log,
};
