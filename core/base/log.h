/* log.h - what the program says on stderr while it works: warnings and progress.
 *
 * Progress is drawn only on a terminal, at 10 Hz, with rate and time left. --quiet silences
 * progress and notes, never errors.
 */
#ifndef HC_CORE_BASE_LOG_H
#define HC_CORE_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void hc_log_set_quiet(bool quiet);

/* "hindcast: warning: ..." on stderr; counted, so that a run can say how many there were. */
void hc_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Some inputs are read twice, first to survey them. While hushed, hc_warn prints and counts
 * nothing, so that the survey does not give each warning a second time. */
void hc_log_hush(bool hush);

/* "hindcast: ..." on stderr, unless quiet. */
void hc_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same at once, though it is quiet and whether lines are kept or not: why nothing goes on. */
void hc_note_at_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Warnings and notes of one piece of work that several threads share: kept while it runs, and
 * printed when its turn comes, so that they stand in one order for any number of threads.
 *
 *     struct hc_log_lines said = {0};
 *     hc_log_keep(&said);      // on the thread that does the piece
 *     ...
 *     hc_log_keep(NULL);
 *     hc_log_print(&said);     // later, in the order of the pieces; frees the lines
 */
struct hc_log_lines {
    char *text;
    size_t length, capacity;
};

/* Put what this thread warns and notes into lines from now on; NULL: to stderr again. What finds no
 * memory is printed at once. */
void hc_log_keep(struct hc_log_lines *lines);
void hc_log_print(struct hc_log_lines *lines);

/* Progress of one piece of work. total is 0 when it is not known. */
struct hc_progress {
    const char *label; /* "ingest AR" */
    const char *unit;  /* "B" (shown as MB) or "ops" */
    int64_t total, done;
    int64_t started_ns, drawn_ns; /* monotonic */
    bool shown;                   /* stderr is a terminal and quiet is off */
};

/* For the handler of a signal that ends the process, and safe there: erase the line, draw no more,
 * and say so: "hindcast: interrupted". */
void hc_log_interrupted(void);

void hc_progress_start(struct hc_progress *progress, const char *label, const char *unit,
                       int64_t total);
/* Set how much is done; draws at most ten times a second. */
void hc_progress_update(struct hc_progress *progress, int64_t done);
/* Within a unit, and before it counts: whoever works on the units tells how much of them came to be
 * since it last told, 1 for a whole one, from any thread. Then what is drawn is the larger of that
 * sum and what hc_progress_update() set, and the share of the next unit, where units take long. It
 * goes to the progress that is drawn at the time; nothing is to be told while none is. */
bool hc_progress_is_drawn(void);
void hc_progress_tell(double units);
/* While held, no progress that is started is drawn: the parts of a larger work that has its own.
 * Called from one thread, before and after the parts run. */
void hc_progress_hold(bool hold);
/* Erase the line. */
void hc_progress_end(struct hc_progress *progress);

#endif
