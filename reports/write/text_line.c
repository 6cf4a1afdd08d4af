#include "reports/write/text_line.h"

#include "core/base/text_layout.h"

#include <stdarg.h>

void hc_line_add(struct hc_text_line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line->text + line->used, sizeof line->text - line->used, format, args);
    va_end(args);
    if (n > 0)
        line->used += (size_t)n;
    if (line->used >= sizeof line->text)
        line->used = sizeof line->text - 1;
}

void hc_line_put(FILE *stream, const char *label, struct hc_text_line *line)
{
    fprintf(stream, "%-*s", HC_LABEL_WIDTH, label);
    hc_text_wrap(stream, line->text, HC_LABEL_WIDTH, HC_LABEL_WIDTH, HC_TEXT_WIDTH);
    *line = (struct hc_text_line){.used = 0};
}
