#include "core/base/log.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/base/text_layout.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REDRAW_NS 100000000
#define PARTS     1e6 /* of a unit that are counted */

static const char erase[] = "\r\033[K";

/* The progress that is drawn, by the thread that started it; what was told of its units; and
 * whether there is a line to erase. */
static struct hc_progress *_Atomic drawn;
static pthread_t drawer;
static atomic_int_least64_t n_parts;
static atomic_bool has_line, is_over;

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

void hc_note_at_once(const char *format, ...)
{
    struct hc_log_lines *lines = kept;
    va_list args;
    kept = NULL;
    va_start(args, format);
    print_line("hindcast: ", format, args);
    va_end(args);
    kept = lines;
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
    if (progress->shown) {
        drawer = pthread_self();
        n_parts = 0;
        drawn = progress;
    }
}

static void draw(const struct hc_progress *progress, int64_t now_ns)
{
    double elapsed_s = (double)(now_ns - progress->started_ns) * 1e-9;
    double told = drawn == progress ? (double)n_parts / PARTS : 0;
    double done = told > (double)progress->done ? told : (double)progress->done;
    double rate = elapsed_s > 0 ? done / elapsed_s : 0;
    bool is_bytes = strcmp(progress->unit, "B") == 0;
    const char *unit = is_bytes ? "MB" : progress->unit;
    double scale = is_bytes ? 1e-6 : 1;
    if (is_over)
        return;
    has_line = true;
    fputs(erase, stderr);
    hc_show_text(stderr, progress->label);
    fprintf(stderr, ": %.0f", told > 0 ? floor(done) : done * scale);
    if (progress->total > 0)
        fprintf(stderr, " of %.0f", (double)progress->total * scale);
    fprintf(stderr, " %s", unit);
    if (told > 0 && rate < 10)
        fprintf(stderr, " and %.0f %% of the next", floor(100 * (done - floor(done))));
    if (rate > 0)
        fprintf(stderr, ", %.*f %s/s", rate * scale < 10 ? 2 : 0, rate * scale, unit);
    if ((double)progress->total > done && rate > 0)
        fprintf(stderr, ", %.0f s left", ((double)progress->total - done) / rate);
    fflush(stderr);
}

static void draw_in_time(struct hc_progress *progress)
{
    int64_t now_ns = hc_monotonic_ns();
    if (now_ns - progress->drawn_ns < REDRAW_NS)
        return;
    progress->drawn_ns = now_ns;
    draw(progress, now_ns);
}

bool hc_progress_is_drawn(void)
{
    return drawn;
}

void hc_progress_tell(double units)
{
    struct hc_progress *progress = drawn;
    atomic_fetch_add(&n_parts, (int64_t)(units * PARTS + 0.5));
    if (progress && pthread_equal(pthread_self(), drawer))
        draw_in_time(progress);
}

void hc_progress_update(struct hc_progress *progress, int64_t done)
{
    progress->done = done;
    if (progress->shown)
        draw_in_time(progress);
}

void hc_progress_end(struct hc_progress *progress)
{
    if (drawn == progress)
        drawn = NULL;
    if (progress->shown && progress->drawn_ns)
        fputs(erase, stderr);
    has_line = false;
}

void hc_log_interrupted(void)
{
    static const char words[] = "hindcast: interrupted\n";
    is_over = true;
    ssize_t written = has_line ? write(STDERR_FILENO, erase, sizeof erase - 1) : 0;
    written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
}
