/* profile_marks.c - which marks of a rank anything still depends on when it is linked. They are
 * most of the rows of a trace, and what is asked of them later is little: when a thread was busy,
 * and, where a gap in it ends, what the other threads of its process did last before (spec:
 * profiler traces 7, wakes). */
#include "core/base/memory.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

/* Beyond so many threads every mark is kept: each gap looks at all of them. */
#define MOST_THREADS 256

/* A mark that was not over when the thread was last looked at. */
struct open_mark {
    int64_t end;
    uint32_t row;
};

struct thread {
    int32_t code;
    size_t process;     /* index of the first thread of its process */
    int64_t busy_until; /* in this step; INT64_MIN: it did nothing yet */
    uint32_t last;      /* mark that began last */
    uint32_t ended;     /* of those of this step that are over, the one that ended last */
    int64_t ended_at;
    size_t n_open, capacity; /* marks of this step */
    struct open_mark *open;
};

/* A gap of a thread may end here. */
struct gap_end {
    int64_t at;
    size_t process;
};

struct sieve {
    const struct hc_profile_rank *rank;
    const struct hc_text_set *names; /* of threads */
    size_t n_threads, n_gaps, gap_capacity;
    struct thread threads[MOST_THREADS];
    struct gap_end *gaps; /* ascending */
    bool *is_needed;      /* of each mark */
    size_t step;
    bool is_too_wide; /* more threads than are looked at */
};

/* ---- threads ---- */

static size_t process_length(const char *thread)
{
    const char *slash = strrchr(thread, '/');
    return slash ? (size_t)(slash - thread) + 1 : 0;
}

static const char *thread_text(const struct sieve *sieve, int32_t code)
{
    return sieve->names && code >= 0 && (size_t)code < sieve->names->n ? sieve->names->text[code]
                                                                       : "";
}

static size_t find_process(const struct sieve *sieve, int32_t code)
{
    const char *text = thread_text(sieve, code);
    size_t length = process_length(text), t = 0;
    for (; t < sieve->n_threads; t++) {
        const char *other = thread_text(sieve, sieve->threads[t].code);
        if (process_length(other) == length && strncmp(other, text, length) == 0)
            break;
    }
    return t < sieve->n_threads ? sieve->threads[t].process : t;
}

/* NULL where there are too many. */
static struct thread *find_thread(struct sieve *sieve, int32_t code)
{
    for (size_t t = 0; t < sieve->n_threads; t++)
        if (sieve->threads[t].code == code)
            return &sieve->threads[t];
    sieve->is_too_wide |= sieve->n_threads == MOST_THREADS;
    if (sieve->is_too_wide)
        return NULL;
    size_t process = find_process(sieve, code);
    struct thread *thread = &sieve->threads[sieve->n_threads++];
    *thread = (struct thread){.code = code, .process = process};
    return thread;
}

static bool is_alone(const struct sieve *sieve, const struct thread *thread)
{
    size_t n = 0;
    for (size_t t = 0; t < sieve->n_threads; t++)
        n += sieve->threads[t].process == thread->process;
    return n == 1;
}

/* ---- steps: a window may begin with any of them, and what began before is then not seen ---- */

static void forget_step(struct sieve *sieve)
{
    for (size_t t = 0; t < sieve->n_threads; t++) {
        struct thread *thread = &sieve->threads[t];
        thread->busy_until = thread->ended_at = INT64_MIN;
        thread->ended = HC_NO_ROW;
        thread->n_open = 0;
    }
}

static void restart(struct sieve *sieve)
{
    sieve->step = 0;
    forget_step(sieve);
    for (size_t t = 0; t < sieve->n_threads; t++)
        sieve->threads[t].last = HC_NO_ROW;
}

/* Go on to the step of a time, which never goes back; false: it is of none. */
static bool enter_step(struct sieve *sieve, int64_t at)
{
    const struct hc_profile_rank *rank = sieve->rank;
    for (; sieve->step < rank->n_steps && at >= rank->steps[sieve->step].cpu_end_ns; sieve->step++)
        forget_step(sieve);
    return sieve->step < rank->n_steps && at >= rank->steps[sieve->step].cpu_start_ns;
}

/* ---- first pass: where gaps may end ---- */

struct span {
    int64_t start, end;
    int32_t code;
};

/* The next of marks and calls by start; false at the end. */
static bool next_span(const struct hc_profile_rank *rank, size_t at[2], struct span *span)
{
    static const size_t thread[2] = {HC_MARKS_THREAD, HC_CALLS_THREAD};
    const struct hc_table *tables[2] = {&rank->table[HC_PROFILE_MARKS],
                                        &rank->table[HC_PROFILE_CALLS]};
    bool is_there[2] = {at[0] < tables[0]->n_rows, at[1] < tables[1]->n_rows};
    if (!is_there[0] && !is_there[1])
        return false;
    size_t k = !is_there[0];
    if (is_there[0] && is_there[1])
        k = hc_table_i64(tables[1], 0)[at[1]] < hc_table_i64(tables[0], 0)[at[0]];
    size_t row = at[k]++;
    span->start = hc_table_i64(tables[k], 0)[row];
    span->end = span->start + hc_table_i64(tables[k], 1)[row];
    span->code = hc_table_i32(tables[k], thread[k])[row];
    return true;
}

static enum hc_status find_gaps(struct sieve *sieve, struct hc_error *err)
{
    struct span span;
    size_t at[2] = {0, 0};
    restart(sieve);
    while (next_span(sieve->rank, at, &span)) {
        struct thread *thread = find_thread(sieve, span.code);
        if (!thread)
            return HC_OK;
        if (!enter_step(sieve, span.start))
            continue;
        if (thread->busy_until == INT64_MIN || span.start - thread->busy_until >= HC_LEAST_GAP_NS) {
            if (hc_reserve(&sieve->gaps, &sieve->gap_capacity, sieve->n_gaps + 1,
                           sizeof *sieve->gaps, err))
                return err->status;
            sieve->gaps[sieve->n_gaps++] = (struct gap_end){span.start, thread->process};
        }
        thread->busy_until = span.end > thread->busy_until ? span.end : thread->busy_until;
    }
    return HC_OK;
}

/* ---- second pass: what is asked for there ---- */

static void close_marks(struct thread *thread, int64_t before)
{
    size_t n = 0;
    for (size_t i = 0; i < thread->n_open; i++) {
        struct open_mark mark = thread->open[i];
        if (mark.end >= before) {
            thread->open[n++] = mark;
        } else if (mark.end > thread->ended_at) {
            thread->ended_at = mark.end;
            thread->ended = mark.row;
        }
    }
    thread->n_open = n;
}

static void need(struct sieve *sieve, uint32_t row)
{
    if (row != HC_NO_ROW)
        sieve->is_needed[row] = true;
}

static void ask(struct sieve *sieve, const struct gap_end *gap)
{
    for (size_t t = 0; t < sieve->n_threads; t++) {
        struct thread *thread = &sieve->threads[t];
        if (thread->process != gap->process)
            continue;
        close_marks(thread, gap->at);
        need(sieve, thread->last);
        need(sieve, thread->ended);
    }
}

/* What reaches beyond its step hides nothing: a window that begins later does not see it. */
static enum hc_status take_mark(struct sieve *sieve, struct thread *thread, uint32_t row,
                                int64_t end, struct hc_error *err)
{
    bool reaches_beyond = end >= sieve->rank->steps[sieve->step].cpu_end_ns;
    if (end > thread->busy_until) {
        need(sieve, row);
        thread->busy_until = reaches_beyond ? thread->busy_until : end;
    }
    thread->last = row;
    if (thread->n_open == thread->capacity) {
        close_marks(thread, hc_table_i64(&sieve->rank->table[HC_PROFILE_MARKS], 0)[row]);
        if (hc_reserve(&thread->open, &thread->capacity, thread->n_open + 1, sizeof *thread->open,
                       err))
            return err->status;
    }
    thread->open[thread->n_open++] = (struct open_mark){end, row};
    return HC_OK;
}

static enum hc_status sift(struct sieve *sieve, struct hc_error *err)
{
    const struct hc_table *marks = &sieve->rank->table[HC_PROFILE_MARKS];
    const int64_t *start = hc_table_i64(marks, HC_MARKS_START_NS);
    const int64_t *duration = hc_table_i64(marks, HC_MARKS_DURATION_NS);
    const int32_t *code = hc_table_i32(marks, HC_MARKS_THREAD);
    size_t gap = 0;
    restart(sieve);
    for (size_t i = 0; i <= marks->n_rows; i++) {
        for (; gap < sieve->n_gaps && (i == marks->n_rows || sieve->gaps[gap].at <= start[i]);
             gap++) {
            enter_step(sieve, sieve->gaps[gap].at);
            ask(sieve, &sieve->gaps[gap]);
        }
        if (i == marks->n_rows || !enter_step(sieve, start[i]))
            continue;
        struct thread *thread = find_thread(sieve, code[i]);
        if (!is_alone(sieve, thread) &&
            take_mark(sieve, thread, (uint32_t)i, start[i] + duration[i], err))
            return err->status;
    }
    return HC_OK;
}

static void drop_others(struct hc_table *marks, const bool *is_needed)
{
    size_t n = 0;
    for (size_t i = 0; i < marks->n_rows; i++)
        if (is_needed[i])
            hc_table_move_row(marks, n++, i);
    marks->n_rows = n;
}

/* Names are there where ops are to be shown, and then all of them are. */
static bool has_names(const struct hc_table *marks)
{
    const int32_t *name = hc_table_i32(marks, HC_MARKS_NAME);
    for (size_t i = 0; i < marks->n_rows; i++)
        if (name[i] != HC_MISSING_I32)
            return true;
    return false;
}

enum hc_status hc_profile_sift_marks(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                     struct hc_error *err)
{
    struct hc_table *marks = &rank->table[HC_PROFILE_MARKS];
    if (marks->n_rows == 0 || has_names(marks))
        return HC_OK;
    struct sieve *sieve = hc_new_array(1, sizeof *sieve, err);
    if (!sieve)
        return err->status;
    sieve->rank = rank;
    sieve->names = hc_profile_dictionary(profile, "thread");
    sieve->is_needed = hc_new_array(marks->n_rows, sizeof *sieve->is_needed, err);
    enum hc_status status = sieve->is_needed ? find_gaps(sieve, err) : err->status;
    if (status == HC_OK && !sieve->is_too_wide)
        status = sift(sieve, err);
    if (status == HC_OK && !sieve->is_too_wide)
        drop_others(marks, sieve->is_needed);
    for (size_t t = 0; t < sieve->n_threads; t++)
        free(sieve->threads[t].open);
    free(sieve->gaps);
    free(sieve->is_needed);
    free(sieve);
    return status;
}
