#include "parsers/incidents/incident_rows.h"

#include "core/base/clock.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/tables/incidents/incident_scope.h"
#include "core/text/number_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const field_names[HC_INCIDENTS_N_COLUMNS] = {
    [HC_INCIDENTS_TIME_NS] = "time",
    [HC_INCIDENTS_JOB] = "job",
    [HC_INCIDENTS_ATTEMPT] = "attempt",
    [HC_INCIDENTS_GROUP] = "group",
    [HC_INCIDENTS_NODE] = "node",
    [HC_INCIDENTS_CAUSE] = "cause",
    [HC_INCIDENTS_TEXT] = "text",
    [HC_INCIDENTS_CLASS] = "class",
    [HC_INCIDENTS_DETECTED_NS] = "detected",
    [HC_INCIDENTS_LOCATED_NS] = "located",
    [HC_INCIDENTS_RECOVERED_NS] = "recovered",
    [HC_INCIDENTS_ACTION] = "action",
    [HC_INCIDENTS_COUNT] = "count",
    [HC_INCIDENTS_SCOPE] = "scope",
    [HC_INCIDENTS_SLOT] = "slot",
    [HC_INCIDENTS_PART_OF] = "part_of",
    [HC_INCIDENTS_REPLICA] = "replica",
};

const char *hc_incident_field_name(enum hc_incidents_column column)
{
    return field_names[column];
}

int hc_incident_field_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_INCIDENTS_N_COLUMNS; i++)
        if (strlen(field_names[i]) == length && memcmp(field_names[i], name, length) == 0)
            return i;
    return -1;
}

void hc_incident_begin(struct hc_incident_builder *builder, long long place)
{
    builder->place = place;
    builder->is_bad = false;
    builder->row = hc_incidents_add(builder->rows);
    hc_table_i32(builder->rows, HC_INCIDENTS_COUNT)[builder->row] = HC_MISSING_I32; /* not said */
}

void hc_incident_bad(struct hc_incident_builder *builder, enum hc_bad_reason reason,
                     const char *format, ...)
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

/* ---- values ---- */

/* Texts go into dictionaries of terminated UTF-8 and into reports of one line. */
static bool is_clean(const char *text, size_t length)
{
    char copy[HC_INCIDENT_TEXT_MAX + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (const char *at = copy; at < copy + length;) {
        size_t n = hc_utf8_length(at);
        if (n == 0 || (unsigned char)*at < ' ' || *at == 0x7f)
            return false;
        at += n;
    }
    return true;
}

enum hc_status hc_incident_put_text(struct hc_incident_builder *builder,
                                    enum hc_incidents_column column, const char *text,
                                    size_t length, struct hc_error *err)
{
    int32_t *code = &hc_table_i32(builder->rows, column)[builder->row];
    if (length == 0 || builder->is_bad)
        return HC_OK;
    if (length > HC_INCIDENT_TEXT_MAX) {
        hc_incident_bad(builder, HC_BAD_TEXT, "'%s' has %zu bytes, more than %d",
                        field_names[column], length, HC_INCIDENT_TEXT_MAX);
        return HC_OK;
    }
    if (!is_clean(text, length)) {
        hc_incident_bad(builder, HC_BAD_TEXT,
                        "'%s' is '%s', which has control bytes or is not UTF-8",
                        field_names[column], hc_printable(text, length).text);
        return HC_OK;
    }
    int dictionary = hc_incident_column_dictionary(&hc_incidents_def.columns[column]);
    return hc_text_set_add(&builder->names->set[dictionary], text, length, code, err);
}

static bool fits(struct hc_incident_builder *builder, const char *name, const char *text,
                 size_t length, int64_t time_ns)
{
    if (time_ns <= HC_INCIDENT_TIME_LIMIT && time_ns >= -HC_INCIDENT_TIME_LIMIT)
        return true;
    hc_incident_bad(builder, HC_BAD_RANGE, "'%s' is '%s', which is too far away", name,
                    hc_printable(text, length).text);
    return false;
}

bool hc_incident_time(struct hc_incident_builder *builder, const char *name, const char *text,
                      size_t length, int64_t *time_ns)
{
    int clock = HC_CLOCK_RELATIVE;
    enum hc_text_number what = hc_text_to_ns(text, length, time_ns);
    if (what == HC_TEXT_OUT_OF_RANGE) {
        hc_incident_bad(builder, HC_BAD_RANGE, "'%s' is '%s', which is out of range", name,
                        hc_printable(text, length).text);
        return false;
    }
    if (what != HC_TEXT_OK) {
        clock = HC_CLOCK_UNIX;
        if (!hc_parse_iso8601(text, length, time_ns)) {
            hc_incident_bad(builder, HC_BAD_NUMBER,
                            "'%s' is '%s', neither seconds nor an ISO-8601 time with a zone", name,
                            hc_printable(text, length).text);
            return false;
        }
    }
    if (builder->clock >= 0 && builder->clock != clock) {
        hc_incident_bad(builder, HC_BAD_NUMBER,
                        "'%s' is '%s', but the times before it are on the %s clock", name,
                        hc_printable(text, length).text,
                        hc_incident_clock_name((enum hc_incident_clock)builder->clock));
        return false;
    }
    if (!fits(builder, name, text, length, *time_ns))
        return false;
    builder->clock = clock;
    return true;
}

static void put_count(struct hc_incident_builder *builder, enum hc_incidents_column column,
                      const char *text, size_t length)
{
    int64_t value = 0;
    int64_t least = column == HC_INCIDENTS_COUNT ? 1 : 0;
    enum hc_text_number what = hc_text_to_i64(text, length, &value);
    if (what != HC_TEXT_OK && what != HC_TEXT_OUT_OF_RANGE)
        hc_incident_bad(builder, HC_BAD_NUMBER, "'%s' is '%s', not a whole number",
                        field_names[column], hc_printable(text, length).text);
    else if (what != HC_TEXT_OK || value < least || value > INT32_MAX)
        hc_incident_bad(builder, HC_BAD_RANGE, "'%s' is '%s', not within %d to %d",
                        field_names[column], hc_printable(text, length).text, (int)least,
                        INT32_MAX);
    else
        hc_table_i32(builder->rows, column)[builder->row] = (int32_t)value;
}

static void put_word(struct hc_incident_builder *builder, enum hc_incidents_column column,
                     const char *text, size_t length)
{
    int code = column == HC_INCIDENTS_CAUSE   ? hc_incident_cause_find(text, length)
               : column == HC_INCIDENTS_CLASS ? hc_incident_class_find(text, length)
                                              : hc_incident_scope_find(text, length);
    const char *known = column == HC_INCIDENTS_CAUSE ? "put words of your own in 'text'"
                        : column == HC_INCIDENTS_CLASS
                            ? "explicit, implicit, manual"
                            : "job, device, node, switch, rack, partition, "
                              "file_system, cluster";
    if (code < 0)
        hc_incident_bad(builder, HC_BAD_TEXT, "'%s' is '%s', which is not one (%s)",
                        field_names[column], hc_printable(text, length).text, known);
    else
        hc_table_i32(builder->rows, column)[builder->row] = code;
}

enum hc_status hc_incident_put(struct hc_incident_builder *builder, enum hc_incidents_column column,
                               const char *text, size_t length, struct hc_error *err)
{
    if (length == 0 || builder->is_bad)
        return HC_OK;
    switch (column) {
    case HC_INCIDENTS_TIME_NS:
    case HC_INCIDENTS_DETECTED_NS:
    case HC_INCIDENTS_LOCATED_NS:
    case HC_INCIDENTS_RECOVERED_NS: {
        int64_t time_ns = 0;
        if (hc_incident_time(builder, field_names[column], text, length, &time_ns))
            hc_table_i64(builder->rows, column)[builder->row] = time_ns;
        return HC_OK;
    }
    case HC_INCIDENTS_ATTEMPT:
    case HC_INCIDENTS_COUNT:
    case HC_INCIDENTS_SLOT:
    case HC_INCIDENTS_PART_OF:
    case HC_INCIDENTS_REPLICA:
        put_count(builder, column, text, length);
        return HC_OK;
    case HC_INCIDENTS_CAUSE:
    case HC_INCIDENTS_CLASS:
    case HC_INCIDENTS_SCOPE:
        put_word(builder, column, text, length);
        return HC_OK;
    default:
        return hc_incident_put_text(builder, column, text, length, err);
    }
}

/* ---- rows ---- */

/* Refuse a row whose detection, localisation or recovery is before the incident itself, and one
 * that gives neither a time nor a count. */
static void check_order(struct hc_incident_builder *builder)
{
    int64_t time_ns = hc_table_i64(builder->rows, HC_INCIDENTS_TIME_NS)[builder->row];
    for (int c = HC_INCIDENTS_DETECTED_NS; c <= HC_INCIDENTS_RECOVERED_NS; c++) {
        int64_t later_ns = hc_table_i64(builder->rows, (size_t)c)[builder->row];
        if (later_ns == HC_MISSING_I64)
            continue;
        if (time_ns == HC_MISSING_I64)
            hc_incident_bad(builder, HC_BAD_NULL, "'%s' is given, but no 'time'", field_names[c]);
        else if (later_ns < time_ns)
            hc_incident_bad(builder, HC_BAD_RANGE, "'%s' is before 'time'", field_names[c]);
    }
    int32_t count = hc_table_i32(builder->rows, HC_INCIDENTS_COUNT)[builder->row];
    if (time_ns == HC_MISSING_I64 && count == HC_MISSING_I32)
        hc_incident_bad(builder, HC_BAD_NULL, "neither 'time' nor 'count' is given");
    else if (count == HC_MISSING_I32)
        hc_table_i32(builder->rows, HC_INCIDENTS_COUNT)[builder->row] = 1;
    else if (count > 1 && time_ns != HC_MISSING_I64)
        hc_incident_bad(builder, HC_BAD_RANGE, "'count' is %d, but one 'time' is given",
                        (int)count);
}

static void find_cause(struct hc_incident_builder *builder)
{
    int32_t *cause = &hc_table_i32(builder->rows, HC_INCIDENTS_CAUSE)[builder->row];
    int32_t *class = &hc_table_i32(builder->rows, HC_INCIDENTS_CLASS)[builder->row];
    int32_t text = hc_table_i32(builder->rows, HC_INCIDENTS_TEXT)[builder->row];
    if (*cause == HC_MISSING_I32 && text != HC_MISSING_I32) {
        const char *words = builder->names->set[HC_NAMES_TEXT].text[text];
        *cause = (int32_t)hc_incident_cause_of_text(builder->words, words, strlen(words));
    } else if (*cause == HC_MISSING_I32) {
        *cause = HC_CAUSE_UNKNOWN;
    }
    if (*class == HC_MISSING_I32)
        *class = (int32_t)hc_incident_cause_info((enum hc_incident_cause) * cause)->noticed;
}

enum hc_status hc_incident_end(struct hc_incident_builder *builder, struct hc_error *err)
{
    builder->report->rows_read++;
    if (!builder->is_bad)
        check_order(builder);
    if (!builder->is_bad) {
        find_cause(builder);
        return HC_OK;
    }
    builder->rows->n_rows = builder->row;
    return hc_row_report_bad(builder->report, builder->reason, HC_MISSING_I32, err, "%s %lld: %s",
                             builder->place_word, builder->place, builder->why);
}

enum hc_status hc_incident_next_batch(void *parser, struct hc_table *rows,
                                      struct hc_row_report *report, struct hc_error *err)
{
    struct hc_incident_builder *builder = parser;
    builder->rows = rows;
    builder->report = report;
    while (!builder->at_end && rows->n_rows < rows->capacity)
        if (builder->read(builder, err))
            return err->status;
    return HC_OK;
}
