#include "core/json_writer.h"

#include "core/number_format.h"
#include "core/table.h"
#include "core/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void hc_json_start(struct hc_json_writer *json, FILE *stream, int indent)
{
    *json = (struct hc_json_writer){.stream = stream, .indent = indent, .is_empty = true};
}

static void write_string(FILE *stream, const char *value)
{
    fputc('"', stream);
    for (const unsigned char *p = (const unsigned char *)value; *p;) {
        size_t n = hc_utf8_length((const char *)p);
        if (n == 0)
            fputs("\\ufffd", stream);
        else if (*p == '"' || *p == '\\')
            fprintf(stream, "\\%c", *p);
        else if (*p < 0x20 || *p == 0x7F)
            fprintf(stream, "\\u%04x", *p);
        else
            fwrite(p, 1, n, stream);
        p += n ? n : 1;
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
        write_string(json->stream, key);
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
    write_string(json->stream, value);
}

enum hc_status hc_json_finish(struct hc_json_writer *json, const char *name, struct hc_error *err)
{
    assert(json->depth == 0);
    if (fflush(json->stream) || ferror(json->stream))
        return hc_fail_errno(err, "cannot write", name);
    return HC_OK;
}
