#include "parsers/kernel/boot_time.h"

#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "parsers/io/line_reader.h"
#include "parsers/kernel/kernel_line.h"

#include <string.h>

/* The Unix time behind `before`, which ends at one of the letters of `ends`. */
static bool read_time(struct hc_event_text message, const char *before, const char *ends,
                      int64_t *time_ns)
{
    const char *at = memmem(message.text, message.length, before, strlen(before));
    if (!at)
        return false;
    at += strlen(before);
    size_t left = (size_t)(message.text + message.length - at), n = 0;
    while (n < left && !(at[n] && strchr(ends, at[n])))
        n++;
    return n < left && hc_text_to_ns(at, n, time_ns) == HC_TEXT_OK && *time_ns > 0;
}

/* "rtc_cmos 00:00: setting system clock to 2024-05-02T12:34:56 UTC (1714653296)",
 * "audit: type=2000 audit(1714653296.123:1): state=initialized" */
static void look(struct hc_boot_time *boot, const struct hc_kernel_line *parts)
{
    int64_t time_ns;
    boot->last_ns = parts->stamp.ns;
    if (boot->boot_ns != HC_MISSING_I64)
        return;
    if (read_time(parts->message, "audit(", ":", &time_ns) ||
        (memmem(parts->message.text, parts->message.length, "setting system clock to ", 24) &&
         read_time(parts->message, "UTC (", ")", &time_ns)))
        boot->boot_ns = time_ns - parts->stamp.ns;
}

enum hc_status hc_boot_time_find(struct hc_boot_time *boot, const struct hc_source *source,
                                 struct hc_error *err)
{
    struct hc_line_reader *lines = NULL;
    struct hc_line line;
    bool is_over = false;
    *boot = (struct hc_boot_time){HC_MISSING_I64, HC_MISSING_I64};
    enum hc_status status = hc_lines_open(&lines, source, err);
    while (!status && !(status = hc_lines_next(lines, &line, &is_over, err)) && !is_over) {
        struct hc_kernel_line parts;
        hc_kernel_line_split((struct hc_event_text){line.text, line.length}, &parts);
        if (parts.has_stamp && parts.stamp.kind == HC_STAMP_SINCE_BOOT)
            look(boot, &parts);
    }
    hc_lines_close(lines);
    return status;
}
