#include "core/base/log.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/base/text_layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REDRAW_NS 100000000

static bool is_quiet, is_held, is_hushed;
static _Thread_local struct hc_log_lines *kept; /* of this thread; NULL: nothing is kept */

void hc_log_set_quiet(bool quiet)
{
    is_quiet = quiet;
}

void hc_log_hush(bool hush)
{
    is_hushed = hush;
}

/* Whether there was memory for it. */
static bool keep_line(const char *prefix, const char *line)
{
    struct hc_error ignored;
    size_t length = strlen(prefix) + strlen(line) + 1;
    if (hc_reserve(&kept->text, &kept->capacity, kept->length + length + 1, 1, &ignored))
        return false;
    kept->length += (size_t)sprintf(kept->text + kept->length, "%s%s\n", prefix, line);
    return true;
}

static void print_line(const char *prefix, const char *format, va_list args)
{
    char line[2048], clean[HC_SHOWN_MOST * sizeof line];
    vsnprintf(line, sizeof line, format, args);
    const char *shown = hc_text_head(clean, sizeof clean, line, sizeof clean);
    if (!kept || !keep_line(prefix, shown))
        fprintf(stderr, "%s%s\n", prefix, shown);
}

void hc_log_keep(struct hc_log_lines *lines)
{
    kept = lines;
}

void hc_log_print(struct hc_log_lines *lines)
{
    if (lines->length)
        fputs(lines->text, stderr);
    free(lines->text);
    *lines = (struct hc_log_lines){0};
}

void hc_warn(const char *format, ...)
{
    va_list args;
    if (is_hushed)
        return;
    va_start(args, format);
    print_line("hindcast: warning: ", format, args);
    va_end(args);
}

void hc_note(const char *format, ...)
{
    if (is_quiet)
        return;
    va_list args;
    va_start(args, format);
    print_line("hindcast: ", format, args);
    va_end(args);
}

void hc_progress_hold(bool hold)
{
    is_held = hold;
}

void hc_progress_start(struct hc_progress *progress, const char *label, const char *unit,
                       int64_t total)
{
    memset(progress, 0, sizeof *progress);
    progress->label = label;
    progress->unit = unit;
    progress->total = total;
    progress->started_ns = hc_monotonic_ns();
    progress->shown = !is_quiet && !is_held && isatty(STDERR_FILENO);
}

static void draw(const struct hc_progress *progress, int64_t now_ns)
{
    double elapsed_s = (double)(now_ns - progress->started_ns) * 1e-9;
    double rate = elapsed_s > 0 ? (double)progress->done / elapsed_s : 0;
    bool is_bytes = strcmp(progress->unit, "B") == 0;
    const char *unit = is_bytes ? "MB" : progress->unit;
    double scale = is_bytes ? 1e-6 : 1;
    fputs("\r\033[K", stderr);
    hc_show_text(stderr, progress->label);
    fprintf(stderr, ": %.0f", (double)progress->done * scale);
    if (progress->total > 0)
        fprintf(stderr, " of %.0f", (double)progress->total * scale);
    fprintf(stderr, " %s, %.0f %s/s", unit, rate * scale, unit);
    if (progress->total > progress->done && rate > 0)
        fprintf(stderr, ", %.0f s left", (double)(progress->total - progress->done) / rate);
    fflush(stderr);
}

void hc_progress_update(struct hc_progress *progress, int64_t done)
{
    progress->done = done;
    if (!progress->shown)
        return;
    int64_t now_ns = hc_monotonic_ns();
    if (now_ns - progress->drawn_ns < REDRAW_NS)
        return;
    progress->drawn_ns = now_ns;
    draw(progress, now_ns);
}

void hc_progress_end(struct hc_progress *progress)
{
    if (progress->shown && progress->drawn_ns)
        fputs("\r\033[K", stderr);
}
