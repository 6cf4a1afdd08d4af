#include "parsers/tabular/cell_value.h"

#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/jobs/slurm_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define NS_PER_S ((int64_t)1000000000)
/* A time below this many nanoseconds, twelve days after 1970 began, was counted in another unit. */
#define LEAST_TIME_NS ((int64_t)1000000 * NS_PER_S)
#define MOST_NUMBER   64 /* letters of a number, or of a time in a format */

static const struct hc_cell_fault no_fault = {HC_BAD_NUMBER, NULL};

static struct hc_cell_fault fault(enum hc_bad_reason reason, const char *what)
{
    return (struct hc_cell_fault){reason, what};
}

uint64_t hc_cell_worded(const struct hc_own_form *form, struct hc_table_names *names)
{
    uint64_t worded = 0;
    for (size_t c = 0; c < form->def->n_columns; c++)
        worded |= (uint64_t)(hc_own_words(form, names, c) != NULL) << c;
    return worded;
}

/* ---- nanoseconds ---- */

/* A number of a unit. */
static bool read_count(enum hc_map_unit unit, struct hc_cell_text text, int64_t *ns)
{
    static const int64_t factors[HC_N_MAP_UNITS] = {
        [HC_UNIT_S] = 1, [HC_UNIT_MIN] = 60, [HC_UNIT_H] = 3600, [HC_UNIT_D] = 86400};
    switch (unit) {
    case HC_UNIT_NS:
        return hc_text_to_i64(text.text, text.length, ns) == HC_TEXT_OK;
    case HC_UNIT_US:
        return hc_text_us_to_ns(text.text, text.length, ns) == HC_TEXT_OK;
    case HC_UNIT_MS:
        return hc_text_ms_to_ns(text.text, text.length, ns) == HC_TEXT_OK;
    default:
        return hc_text_to_ns(text.text, text.length, ns) == HC_TEXT_OK &&
               !__builtin_mul_overflow(*ns, factors[unit], ns);
    }
}

static bool is_plain_number(struct hc_cell_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!strchr("0123456789", text.text[i]) || !text.text[i])
            return i > 0 && text.text[i] == '.';
    return text.length > 0;
}

static struct hc_cell_fault read_duration(const struct hc_cell_values *v, enum hc_map_unit unit,
                                          struct hc_cell_text text, int64_t *ns)
{
    if (unit == HC_UNIT_OF_COLUMN && v->is_own && is_plain_number(text))
        unit = HC_UNIT_NS;
    if (unit == HC_UNIT_OF_COLUMN && is_plain_number(text))
        return fault(HC_BAD_NUMBER, "is a number without a unit: the map is to say it");
    bool is_read =
        unit == HC_UNIT_OF_COLUMN
            ? hc_slurm_duration((struct hc_span){text.text, text.length}, ns) == HC_SLURM_VALUE
            : read_count(unit, text, ns);
    return is_read ? no_fault : fault(HC_BAD_NUMBER, "is no duration");
}

/* Give a date alone ("2026-03-01") its midnight, and a time of day its seconds
 * ("2026-03-01 10:00+01:00"): what a stamp has to have. */
static struct hc_cell_text complete_stamp(struct hc_cell_text text, char room[64])
{
    static const char midnight[] = " 00:00:00", seconds[] = ":00";
    size_t n = text.length == 10 ? 10 : 16; /* bytes before what is put in */
    const char *put = text.length == 10 ? midnight : seconds;
    bool lacks_seconds = text.length >= 16 && text.length < 40 && text.text[13] == ':' &&
                         (text.length == 16 || text.text[16] != ':');
    if (text.length != 10 && !lacks_seconds)
        return text;
    memset(room, 0, 64); /* what follows a stamp may be looked at */
    memcpy(room, text.text, n);
    memcpy(room + n, put, strlen(put));
    memcpy(room + n + strlen(put), text.text + n, text.length - n);
    return (struct hc_cell_text){room, text.length + strlen(put)};
}

/* A date with its time of day, or a date alone. */
static bool read_stamp(struct hc_cell_values *v, struct hc_cell_text text, int64_t *ns)
{
    char room[64];
    struct hc_line_stamp stamp;
    enum hc_event_clock how;
    text = complete_stamp(text, room);
    if (!hc_line_stamp_read(text.text, text.length, &stamp) || stamp.length != text.length ||
        (stamp.kind != HC_STAMP_ZONED && stamp.kind != HC_STAMP_LOCAL))
        return false;
    v->has_local |= stamp.kind == HC_STAMP_LOCAL;
    return hc_stamp_clock_tell(v->clock, &stamp, ns, &how);
}

/* As strptime reads it: with %z the zone that it says, else that of the source. */
static bool read_format(struct hc_cell_values *v, const char *format, struct hc_cell_text text,
                        int64_t *ns)
{
    char copy[MOST_NUMBER + 1];
    struct tm time = {.tm_mday = 1};
    if (text.length > MOST_NUMBER)
        return false;
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    const char *end = strptime(copy, format, &time);
    if (!end || *end)
        return false;
    bool is_zoned = strstr(format, "%z") || strstr(format, "%s");
    int64_t offset_s = time.tm_gmtoff;
    struct hc_line_stamp stamp = {.kind = HC_STAMP_LOCAL};
    enum hc_event_clock how;
    time.tm_gmtoff = 0;
    time.tm_isdst = 0;
    int64_t seconds = timegm(&time);
    if (seconds < 0 || seconds > HC_TEXT_MOST_SECONDS)
        return false;
    if (is_zoned) {
        *ns = (seconds - offset_s) * NS_PER_S;
        return true;
    }
    stamp.ns = seconds * NS_PER_S;
    v->has_local = true;
    return hc_stamp_clock_tell(v->clock, &stamp, ns, &how);
}

static struct hc_cell_fault read_time(struct hc_cell_values *v, const struct hc_map_rule *rule,
                                      struct hc_cell_text text, int64_t *ns)
{
    enum hc_map_unit unit = rule->unit;
    if (unit == HC_UNIT_OF_COLUMN && is_plain_number(text)) {
        if (!v->is_own)
            return fault(HC_BAD_NUMBER, "is a number without a unit: the map is to say it");
        unit = HC_UNIT_NS;
    }
    bool is_read = unit == HC_UNIT_OF_COLUMN ? read_stamp(v, text, ns)
                   : unit == HC_UNIT_FORMAT  ? read_format(v, rule->format, text, ns)
                                             : read_count(unit, text, ns);
    if (!is_read)
        return fault(HC_BAD_NUMBER,
                     v->is_own || unit != HC_UNIT_OF_COLUMN
                         ? "is no time"
                         : "is no time that is known: give the map a 'unit', as '%d.%m.%Y %H:%M'");
    if (v->is_own && unit == HC_UNIT_NS && *ns < LEAST_TIME_NS)
        return fault(HC_BAD_RANGE, "is no time in nanoseconds since 1970");
    return no_fault;
}

static struct hc_cell_fault put_ns(struct hc_cell_values *v, const struct hc_map_rule *rule,
                                   struct hc_cell_text text, struct hc_cell_text plus)
{
    int64_t ns = HC_MISSING_I64, more = 0;
    bool is_duration = hc_own_is_duration(v->form, rule->column);
    struct hc_cell_fault found =
        is_duration ? read_duration(v, rule->unit, text, &ns) : read_time(v, rule, text, &ns);
    enum hc_map_unit unit = rule->unit == HC_UNIT_FORMAT ? HC_UNIT_OF_COLUMN : rule->unit;
    if (unit == HC_UNIT_OF_COLUMN && is_plain_number(plus))
        unit = HC_UNIT_S;
    if (!found.what && plus.length)
        found = read_duration(v, unit, plus, &more);
    if (!found.what && __builtin_add_overflow(ns, more, &ns))
        found = fault(HC_BAD_RANGE, "is too far away");
    if (!found.what)
        hc_record_put_i64(&v->writer, rule->column, ns);
    return found;
}

/* ---- numbers, texts ---- */

static struct hc_cell_fault put_number(struct hc_cell_values *v, const struct hc_map_rule *rule,
                                       struct hc_cell_text text)
{
    int64_t value;
    bool is_narrow = v->form->def->columns[rule->column].type == HC_I32;
    if (rule->unit == HC_UNIT_HASH) {
        hc_record_put_i64(&v->writer, rule->column, hc_record_fact(0, text.text, text.length));
        return no_fault;
    }
    enum hc_text_number what = hc_text_to_i64(text.text, text.length, &value);
    if (what == HC_TEXT_OUT_OF_RANGE)
        return fault(HC_BAD_RANGE, "is too large a number");
    if (what != HC_TEXT_OK)
        return fault(HC_BAD_NUMBER, "is no whole number");
    if (is_narrow && (value > INT32_MAX || value <= INT32_MIN))
        return fault(HC_BAD_RANGE, "is too large a number");
    if (is_narrow)
        hc_record_put_i32(&v->writer, rule->column, (int32_t)value);
    else
        hc_record_put_i64(&v->writer, rule->column, value);
    return no_fault;
}

static struct hc_cell_fault put_real(struct hc_cell_values *v, const struct hc_map_rule *rule,
                                     struct hc_cell_text text)
{
    char copy[MOST_NUMBER + 1], *end;
    if (text.length > MOST_NUMBER)
        return fault(HC_BAD_NUMBER, "is no number");
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    double value = strtod(copy, &end);
    if (end == copy || *end)
        return fault(HC_BAD_NUMBER, "is no number");
    hc_record_put_f64(&v->writer, rule->column, value);
    return no_fault;
}

static struct hc_cell_fault put_word(struct hc_cell_values *v, size_t column,
                                     struct hc_cell_text text)
{
    const struct hc_text_set *words = hc_own_words(v->form, v->writer.names, column);
    if (v->form->put_word && v->form->put_word(&v->writer, column, text.text, text.length))
        return no_fault;
    for (size_t i = 0; words && i < words->n; i++)
        if (strlen(words->text[i]) == text.length &&
            strncasecmp(words->text[i], text.text, text.length) == 0) {
            hc_record_put_i32(&v->writer, column, (int32_t)i);
            return no_fault;
        }
    return fault(HC_BAD_TEXT, "is none of the words of the column");
}

/* The part of a text that the pattern of a rule wants; false: none. */
static bool extract(const struct hc_map_rule *rule, struct hc_cell_text *text)
{
    struct hc_matched groups[HC_PATTERN_MOST_GROUPS];
    if (!rule->pattern)
        return true;
    if (!hc_text_pattern_find(rule->pattern, text->text, text->length, groups))
        return false;
    size_t wanted = hc_text_pattern_groups(rule->pattern) > 0;
    *text = (struct hc_cell_text){groups[wanted].text, groups[wanted].length};
    return true;
}

/* What a word of the source means; texts of maps are terminated, and padded by the copy. */
static bool translate(const struct hc_map_rule *rule, struct hc_cell_text *text, char *copy,
                      size_t size)
{
    const char *meaning = NULL;
    for (size_t i = 0; i < rule->n_words && !meaning; i++)
        if (strlen(rule->words[i].from) == text->length &&
            memcmp(rule->words[i].from, text->text, text->length) == 0)
            meaning = rule->words[i].to;
    if (!meaning)
        meaning = rule->otherwise;
    if (!meaning)
        return false;
    *text = (struct hc_cell_text){copy, strlen(meaning)};
    if (text->length + HC_TEXT_PADDING > size)
        text->length = size - HC_TEXT_PADDING;
    memset(copy, 0, size);
    memcpy(copy, meaning, text->length);
    return true;
}

struct hc_cell_fault hc_cell_put(struct hc_cell_values *values, const struct hc_map_rule *rule,
                                 struct hc_cell_text text, struct hc_cell_text plus,
                                 struct hc_error *err)
{
    char copy[512];
    const struct hc_column_def *column = &values->form->def->columns[rule->column];
    if (!extract(rule, &text))
        return no_fault;
    translate(rule, &text, copy, sizeof copy);
    if (text.length == 0)
        return no_fault;
    if (values->worded >> rule->column & 1)
        return put_word(values, rule->column, text);
    if (column->dictionary) {
        hc_record_put_text(&values->writer, rule->column, text.text, text.length, err);
        return no_fault;
    }
    if (column->type == HC_F64)
        return put_real(values, rule, text);
    return strcmp(column->unit, "ns") == 0 ? put_ns(values, rule, text, plus)
                                           : put_number(values, rule, text);
}
