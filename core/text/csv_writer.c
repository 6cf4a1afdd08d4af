#include "core/text/csv_writer.h"

#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void separate(struct hc_csv *csv)
{
    if (csv->has_field)
        fputc(',', csv->stream);
    csv->has_field = true;
}

/* Of digits, one point and one exponent, with signs: as harmless in a spreadsheet as it looks. */
static bool is_number(const char *text)
{
    char *end;
    size_t length = strlen(text);
    strtod(text, &end);
    return length > 0 && strspn(text, "0123456789.eE+-") == length && *end == '\0';
}

/* What begins a formula, also in the wide forms that some spreadsheets take for the same; and the
 * apostrophe that says that it is none. */
static bool needs_guard(const char *text)
{
    if (is_number(text))
        return false;
    static const char *const begins[] = {"=",      "+",      "-",      "@",     "'",
                                         "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Spaces at the ends are kept by few readers that see no quotes. */
static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);
    return strpbrk(text, ",\"") || (length > 0 && (text[0] == ' ' || text[length - 1] == ' '));
}

void hc_csv_text(struct hc_csv *csv, const char *text)
{
    separate(csv);
    if (!text)
        return;
    bool is_quoted = needs_quotes(text);
    fputs(is_quoted ? "\"" : "", csv->stream);
    fputs(needs_guard(text) ? "'" : "", csv->stream);
    for (const char *end; (end = strchr(text, '"')); text = end + 1) {
        hc_show_bytes(csv->stream, text, (size_t)(end + 1 - text));
        fputc('"', csv->stream); /* a quote within is doubled */
    }
    hc_show_bytes(csv->stream, text, strlen(text));
    fputs(is_quoted ? "\"" : "", csv->stream);
}

void hc_csv_i64(struct hc_csv *csv, int64_t value)
{
    separate(csv);
    if (value != HC_MISSING_I64)
        fprintf(csv->stream, "%" PRId64, value);
}

void hc_csv_real(struct hc_csv *csv, double value)
{
    char text[HC_NUMBER_TEXT];
    separate(csv);
    if (isfinite(value))
        fputs(hc_format_real(value, text), csv->stream);
}

void hc_csv_bool(struct hc_csv *csv, bool value)
{
    separate(csv);
    fputs(value ? "true" : "false", csv->stream);
}

void hc_csv_end(struct hc_csv *csv)
{
    fputc('\n', csv->stream);
    csv->has_field = false;
}
