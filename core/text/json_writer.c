#include "core/text/json_writer.h"

#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/number_format.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void hc_json_start(struct hc_json_writer *json, FILE *stream, int indent)
{
    *json = (struct hc_json_writer){.stream = stream, .indent = indent, .is_empty = true};
}

/* JSON lets most of what acts on a terminal stand as it is; an escape loses nothing. */
static void write_escape(FILE *stream, uint32_t code)
{
    if (code > 0xFFFF)
        fprintf(stream, "\\u%04x\\u%04x", 0xD7C0 + (unsigned)(code >> 10),
                0xDC00 + (unsigned)(code & 0x3FF));
    else
        fprintf(stream, "\\u%04x", (unsigned)code);
}

void hc_json_string(FILE *stream, const char *value)
{
    fputc('"', stream);
    while (*value) {
        struct hc_shown shown = hc_show(value);
        if (!shown.is_text)
            fputs("\\ufffd", stream);
        else if (shown.is_escaped)
            write_escape(stream, shown.code);
        else if (*value == '"' || *value == '\\')
            fprintf(stream, "\\%c", *value);
        else
            fwrite(value, 1, shown.length, stream);
        value += shown.length;
    }
    fputc('"', stream);
}

static void new_line(struct hc_json_writer *json)
{
    fprintf(json->stream, "\n%*s", json->indent * json->depth, "");
}

/* What comes before a value: comma, line and key. */
static void lead(struct hc_json_writer *json, const char *key)
{
    if (json->depth > 0) {
        if (!json->is_empty)
            fputs(json->is_line ? ", " : ",", json->stream);
        if (!json->is_line)
            new_line(json);
    }
    json->is_empty = false;
    if (key) {
        hc_json_string(json->stream, key);
        fputs(": ", json->stream);
    }
}

static void begin(struct hc_json_writer *json, const char *key, const char *brackets, bool is_line)
{
    assert(json->depth < HC_JSON_MAX_DEPTH && !json->is_line);
    lead(json, key);
    fputc(brackets[0], json->stream);
    json->closing[json->depth++] = brackets[1];
    json->is_empty = true;
    json->is_line = is_line;
}

void hc_json_object(struct hc_json_writer *json, const char *key)
{
    begin(json, key, "{}", false);
}

void hc_json_array(struct hc_json_writer *json, const char *key)
{
    begin(json, key, "[]", false);
}

void hc_json_object_line(struct hc_json_writer *json, const char *key)
{
    begin(json, key, "{}", true);
}

void hc_json_array_line(struct hc_json_writer *json, const char *key)
{
    begin(json, key, "[]", true);
}

void hc_json_end(struct hc_json_writer *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (!json->is_empty && !json->is_line)
        new_line(json);
    fputc(json->closing[json->depth], json->stream);
    json->is_empty = false;
    json->is_line = false;
}

void hc_json_null(struct hc_json_writer *json, const char *key)
{
    lead(json, key);
    fputs("null", json->stream);
}

void hc_json_bool(struct hc_json_writer *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void hc_json_i64(struct hc_json_writer *json, const char *key, int64_t value)
{
    if (value == HC_MISSING_I64) {
        hc_json_null(json, key);
        return;
    }
    lead(json, key);
    fprintf(json->stream, "%" PRId64, value);
}

void hc_json_i32(struct hc_json_writer *json, const char *key, int32_t value)
{
    hc_json_i64(json, key, value == HC_MISSING_I32 ? HC_MISSING_I64 : value);
}

void hc_json_real(struct hc_json_writer *json, const char *key, double value)
{
    if (!isfinite(value)) {
        hc_json_null(json, key);
        return;
    }
    char text[HC_NUMBER_TEXT];
    lead(json, key);
    fputs(hc_format_real(value, text), json->stream);
}

void hc_json_text(struct hc_json_writer *json, const char *key, const char *value)
{
    if (!value) {
        hc_json_null(json, key);
        return;
    }
    lead(json, key);
    hc_json_string(json->stream, value);
}

enum hc_status hc_json_finish(struct hc_json_writer *json, const char *name, struct hc_error *err)
{
    assert(json->depth == 0);
    if (fflush(json->stream) || ferror(json->stream))
        return hc_fail_errno(err, "cannot write", name);
    return HC_OK;
}
