/* step_csv.c - step timelines as CSV: a header row that names the eleven columns in any order,
 * other columns ignored (docs/formats/step-csv.md). */
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "core/text/number_text.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/io/format.h"
#include "parsers/steps/step_rows.h"

#include <stdlib.h>
#include <string.h>

#define BATCH                                                                                      \
    HC_BUFFER_SIZE(2048) /* rows decoded at a time: their raw columns stay in the cache            \
                          */
#define N_NAMES   64     /* op type names that are remembered, a power of two */
#define NAME_SIZE 48

/* An op type name of the file and what it stands for. */
struct name {
    size_t length; /* 0: not in use */
    int32_t op_type;
    char text[NAME_SIZE];
};

struct step_csv {
    const struct hc_source *source;
    const struct hc_parse_options *options;
    struct hc_csv_scanner *scanner;
    size_t n_columns;
    size_t column[HC_N_STEP_FIELDS]; /* where each field stands in a record */
    struct hc_step_raw raw;
    struct name names[N_NAMES];
    bool at_end;
};

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Blanks around a name mean nothing. */
static struct hc_csv_field trimmed(const struct hc_csv_field *field)
{
    const char *end = field->text + field->length;
    struct hc_csv_field out = *field;
    out.text = skip_blanks(field->text, end);
    while (end > out.text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    out.length = (uint32_t)(end - out.text);
    return out;
}

/* ---- header ---- */

/* Whether the bytes from at to end name one of our columns. */
static bool is_known_name(const char *at, const char *end)
{
    if (at < end && end[-1] == '\r')
        end--;
    struct hc_csv_field whole = {.text = at, .length = (uint32_t)(end - at)};
    struct hc_csv_field name = trimmed(&whole);
    if (name.length >= 2 && name.text[0] == '"') {
        name.text++;
        name.length -= 2;
    }
    return hc_step_field_find(name.text, name.length) >= 0;
}

/* Names of ours in the first line that has any text. */
static int count_known_names(const char *at, const char *end)
{
    int known = 0;
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    for (const char *name = at; at < end && *at != '\n'; at++) {
        bool is_last = at + 1 == end || at[1] == '\n';
        if (*at != ',' && !is_last)
            continue;
        known += is_known_name(name, *at == ',' ? at : at + 1);
        name = at + 1;
    }
    return known;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    const char *at = (const char *)head, *end = at + length;
    if (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    int known = count_known_names(at, end);
    (void)path;
    if (known >= HC_N_STEP_FIELDS)
        return 95;
    return known >= 3 ? 50 : 0; /* open then says what is lacking */
}

static enum hc_status read_header(struct step_csv *p, struct hc_error *err)
{
    struct hc_csv_record header;
    int found[HC_N_STEP_FIELDS] = {0};
    if (hc_csv_next(p->scanner, &header, err))
        return err->status;
    if (header.n_fields == 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is empty; a line that names the columns is expected", p->source->name);
    for (size_t i = 0; i < header.n_fields; i++) {
        struct hc_csv_field name = trimmed(&header.fields[i]);
        int field = hc_step_field_find(name.text, name.length);
        if (field < 0)
            continue;
        found[field]++;
        p->column[field] = i;
    }
    p->n_columns = header.n_fields;
    if (hc_step_fields_check(found, p->source->name, err)) {
        struct hc_csv_field first = header.fields[0];
        return hc_context(err, "line %lld (which begins '%s') does not name the columns",
                          (long long)header.line, hc_printable(first.text, first.length).text);
    }
    return HC_OK;
}

/* ---- one field ---- */

/* The entry where a name is or would be remembered. */
static struct name *name_slot(struct step_csv *p, const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0], middle = (unsigned char)text[length / 2];
    return &p->names[(length * 7 + first + middle * 5u) % N_NAMES];
}

/* The op type of a name that is not remembered yet; HC_OP_UNKNOWN for an empty one. */
static enum hc_status learn_name(struct step_csv *p, const struct hc_csv_record *record,
                                 const struct hc_csv_field *field, int32_t *op_type,
                                 struct hc_error *err)
{
    struct hc_csv_field name = trimmed(field);
    *op_type = hc_job_op_type(p->options->job, field->text, field->length);
    if (*op_type == HC_OP_UNKNOWN)
        *op_type = hc_job_op_type(p->options->job, name.text, name.length);
    if (*op_type == HC_OP_UNKNOWN && name.length)
        return hc_step_unknown_op_type(p->source, "line", record->line, name.text, name.length,
                                       err);
    if (field->length && field->length <= NAME_SIZE) {
        struct name *slot = name_slot(p, field->text, field->length);
        slot->length = field->length;
        slot->op_type = *op_type;
        memcpy(slot->text, field->text, field->length);
    }
    return HC_OK;
}

static inline enum hc_status read_op_type(struct step_csv *p, const struct hc_csv_record *record,
                                          int32_t *op_type, struct hc_error *err)
{
    const struct hc_csv_field *field = &record->fields[p->column[HC_FIELD_OPTYPE]];
    if (field->length) {
        const struct name *slot = name_slot(p, field->text, field->length);
        if (slot->length == field->length && memcmp(slot->text, field->text, field->length) == 0) {
            *op_type = slot->op_type;
            return HC_OK;
        }
    }
    return learn_name(p, record, field, op_type, err);
}

/* Whole numbers: nan is how writers with float columns spell "nothing". */
static __attribute__((noinline)) enum hc_text_number
read_uncommon_int(const struct hc_csv_field *field, int64_t *value)
{
    enum hc_text_number result = hc_text_to_i64(field->text, field->length, value);
    if (result != HC_TEXT_EMPTY && result != HC_TEXT_NAN)
        return result;
    *value = HC_MISSING_I64;
    return HC_TEXT_OK;
}

static inline enum hc_text_number read_int(const struct hc_csv_field *field, int64_t *value)
{
    if (hc_padded_to_i64(field->text, field->length, value))
        return HC_TEXT_OK;
    return read_uncommon_int(field, value);
}

static enum hc_text_number read_float32_time(const struct hc_csv_field *field, int64_t *ns)
{
    float seconds = 0;
    enum hc_text_number result = HC_TEXT_OK;
    if (!hc_padded_to_float32(field->text, field->length, &seconds))
        result = hc_text_to_float32(field->text, field->length, &seconds);
    if (result == HC_TEXT_OK && hc_seconds_to_ns((double)seconds, ns) != HC_TIME_OK)
        return HC_TEXT_OUT_OF_RANGE;
    return result;
}

static inline enum hc_text_number read_time(const struct step_csv *p,
                                            const struct hc_csv_field *field, int64_t *ns)
{
    if (p->options->float32_times)
        return read_float32_time(field, ns);
    if (hc_padded_to_ns(field->text, field->length, ns))
        return HC_TEXT_OK;
    return hc_text_to_ns(field->text, field->length, ns);
}

/* ---- one row ---- */

static const struct hc_csv_field *
field_of(const struct step_csv *p, const struct hc_csv_record *record, enum hc_step_field field)
{
    return &record->fields[p->column[field]];
}

static int32_t step_of(const struct step_csv *p, const struct hc_csv_record *record)
{
    int64_t step = HC_MISSING_I64;
    bool known = record->n_fields == p->n_columns && !record->stray &&
                 read_int(field_of(p, record, HC_FIELD_STEP), &step) == HC_TEXT_OK && step >= 0 &&
                 step <= INT32_MAX;
    return known ? (int32_t)step : HC_MISSING_I32;
}

static enum hc_status bad_shape(const struct step_csv *p, const struct hc_csv_record *record,
                                struct hc_row_report *report, struct hc_error *err)
{
    if (!record->ended)
        return hc_csv_fail_cut(p->scanner, record, p->n_columns, err);
    if (record->stray)
        return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err,
                                 "'%s': line %lld: text behind a closing quote", p->source->name,
                                 (long long)record->line);
    return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err,
                             "'%s': line %lld: %zu fields, not %zu", p->source->name,
                             (long long)record->line, record->n_fields, p->n_columns);
}

static enum hc_status bad_field(const struct step_csv *p, const struct hc_csv_record *record,
                                enum hc_step_field field, enum hc_text_number what,
                                struct hc_row_report *report, struct hc_error *err)
{
    const struct hc_csv_field *text = field_of(p, record, field);
    struct hc_printable value = hc_printable(text->text, text->length);
    const char *name = hc_step_field_name(field);
    if (field >= HC_N_INT_FIELDS && (what == HC_TEXT_NAN || what == HC_TEXT_INFINITE))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: %s '%s' is not finite; correct or remove the row",
                       p->source->name, (long long)record->line, name, value.text);
    if (!record->ended)
        return hc_csv_fail_cut(p->scanner, record, p->n_columns, err);
    bool out_of_range = what == HC_TEXT_OUT_OF_RANGE;
    const char *why = out_of_range                ? "out of range"
                      : what == HC_TEXT_NOT_WHOLE ? "not a whole number"
                                                  : "not a number";
    return hc_row_report_bad(report, out_of_range ? HC_BAD_RANGE : HC_BAD_NUMBER,
                             step_of(p, record), err, "'%s': line %lld: %s '%s' is %s",
                             p->source->name, (long long)record->line, name, value.text, why);
}

/* Both times of row i; *bad is the field that is no time, with *what being wrong with it. */
static inline bool decode_times(struct step_csv *p, const struct hc_csv_record *record, size_t i,
                                enum hc_step_field *bad, enum hc_text_number *what)
{
    for (int field = HC_FIELD_START_TS; field <= HC_FIELD_DURATION; field++) {
        bool is_start = field == HC_FIELD_START_TS;
        int64_t *ns = is_start ? &p->raw.start_ns[i] : &p->raw.duration_ns[i];
        uint8_t *flag = is_start ? &p->raw.start_flag[i] : &p->raw.duration_flag[i];
        enum hc_text_number result = read_time(p, field_of(p, record, field), ns);
        *flag = HC_TIME_OK;
        if (result == HC_TEXT_EMPTY) {
            *flag = HC_TIME_NULL;
        } else if (result != HC_TEXT_OK) {
            *bad = field;
            *what = result;
            return false;
        }
    }
    return true;
}

static enum hc_status decode_row(struct step_csv *p, const struct hc_csv_record *record, size_t i,
                                 struct hc_row_report *report, struct hc_error *err)
{
    struct hc_step_raw *raw = &p->raw;
    enum hc_step_field bad = HC_FIELD_DP_RANK;
    enum hc_text_number what = HC_TEXT_OK;
    raw->place[i] = record->line;
    raw->is_bad[i] = 1;
    raw->op_type[i] = HC_OP_UNKNOWN;
    if (record->n_fields != p->n_columns || record->stray)
        return bad_shape(p, record, report, err);
    if (read_op_type(p, record, &raw->op_type[i], err))
        return err->status;
    if (raw->op_type[i] == HC_OP_IGNORED)
        return HC_OK;
    if (!decode_times(p, record, i, &bad, &what))
        return bad_field(p, record, bad, what, report, err);
    for (int field = 0; field < HC_N_INT_FIELDS; field++) {
        what = read_int(field_of(p, record, field), &raw->ints[field][i]);
        if (what != HC_TEXT_OK)
            return bad_field(p, record, field, what, report, err);
    }
    /* No row of a step timeline ends in an empty field. */
    if (!record->ended && record->fields[p->n_columns - 1].length == 0)
        return hc_csv_fail_cut(p->scanner, record, p->n_columns, err);
    if (!record->ended)
        hc_csv_warn_open_end(p->scanner, record);
    raw->is_bad[i] = 0;
    return HC_OK;
}

/* ---- the format ---- */

static void close_csv(void *parser)
{
    struct step_csv *p = parser;
    if (!p)
        return;
    hc_csv_close(p->scanner);
    hc_step_raw_fini(&p->raw);
    free(p);
}

static enum hc_status start(struct step_csv *p, struct hc_error *err)
{
    if (hc_step_raw_init(&p->raw, BATCH, err))
        return err->status;
    p->raw.place_word = "line";
    p->raw.place = hc_new_array(BATCH, sizeof *p->raw.place, err);
    if (!p->raw.place || hc_csv_open(&p->scanner, p->source, err))
        return err->status;
    return read_header(p, err);
}

static enum hc_status open_csv(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct step_csv *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->options = options;
    if (start(p, err)) {
        close_csv(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* Decode up to n rows into the raw columns. */
static enum hc_status decode(struct step_csv *p, size_t n, struct hc_row_report *report,
                             struct hc_error *err)
{
    struct hc_csv_record record;
    for (p->raw.n = 0; p->raw.n < n; p->raw.n++) {
        if (hc_csv_next(p->scanner, &record, err))
            return err->status;
        p->at_end = record.n_fields == 0;
        if (p->at_end)
            return HC_OK;
        if (decode_row(p, &record, p->raw.n, report, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *ops, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct step_csv *p = parser;
    struct hc_step_flow flow = {p->source, p->options, ops, report};
    while (!p->at_end && ops->n_rows < ops->capacity) {
        size_t room = ops->capacity - ops->n_rows;
        enum hc_status status = decode(p, room < BATCH ? room : BATCH, report, err);
        if (status)
            return status;
        if (hc_step_rows_append(&p->raw, 0, p->raw.n, &flow, err))
            return err->status;
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct step_csv *p = parser;
    return hc_csv_position(p->scanner);
}

const struct hc_format hc_format_step_csv = {
    .name = "step-csv",
    .description = "step timeline as CSV (plain, gzip, zstd or xz)",
    .version = 1,
    .table = &hc_ops_def,
    .probe = probe,
    .open = open_csv,
    .next_batch = next_batch,
    .position = position,
    .close = close_csv,
};
