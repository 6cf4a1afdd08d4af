#include "reports/csv_writer.h"

#include "core/number_format.h"
#include "core/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void hc_csv_start(struct hc_csv *csv, FILE *stream, const char *header)
{
    *csv = (struct hc_csv){.stream = stream};
    fprintf(stream, "%s\n", header);
}

static void separate(struct hc_csv *csv)
{
    if (csv->has_field)
        fputc(',', csv->stream);
    csv->has_field = true;
}

void hc_csv_text(struct hc_csv *csv, const char *text)
{
    separate(csv);
    if (!text)
        return;
    /* Spaces at the ends are kept by few readers that see no quotes. */
    size_t length = strlen(text);
    bool is_quoted =
        strpbrk(text, ",\"\r\n") || (length > 0 && (text[0] == ' ' || text[length - 1] == ' '));
    if (!is_quoted) {
        fputs(text, csv->stream);
        return;
    }
    fputc('"', csv->stream);
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            fputc('"', csv->stream);
        fputc(*p, csv->stream);
    }
    fputc('"', csv->stream);
}

void hc_csv_i64(struct hc_csv *csv, int64_t value)
{
    separate(csv);
    if (value != HC_MISSING_I64)
        fprintf(csv->stream, "%" PRId64, value);
}

void hc_csv_i32(struct hc_csv *csv, int32_t value)
{
    hc_csv_i64(csv, value == HC_MISSING_I32 ? HC_MISSING_I64 : value);
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
