#include "models/steps/rank_clocks.h"

#include "core/base/int_map.h"
#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES 512
#define WINDOW       8 /* samples on either side */
#define NO_FILE      ((size_t)-1)

/* What a file says of one step. Times that are not there are HC_MISSING_I64. */
struct sample {
    int32_t step;
    int32_t column_seq;   /* of the collective that column_ns is of */
    int64_t whole_ns[2];  /* start and end of the clipping of gradients, which all workers share */
    int64_t column_ns[2]; /* of the last reduction, which the dp ranks of a stage share */
    /* The first transfers of each direction. */
    int64_t forward_send_ns, forward_recv_end_ns, backward_send_ns, backward_recv_end_ns;
};

/* How far the clock of a file is ahead of that of another, step by step, ascending. */
struct offset {
    int32_t step;
    double ns;
};

struct file_clock {
    int32_t dp_rank, stage; /* of its first row; HC_MISSING_I32 without any */
    int32_t host;           /* HC_MISSING_I32: not known */
    size_t n_samples, capacity, last;
    struct sample *samples;
    struct hc_int_map by_step; /* step -> sample */
    uint32_t mask;             /* steps are kept whose hash has none of these bits */
    size_t parent;             /* that the offsets are against; NO_FILE: none */
    size_t n_offsets;
    struct offset *offsets;
};

struct hc_rank_clocks {
    size_t n;
    struct file_clock *files;
};

enum hc_status hc_rank_clocks_new(struct hc_rank_clocks **clocks, size_t n_files,
                                  struct hc_error *err)
{
    struct hc_rank_clocks *made = hc_new_array(1, sizeof *made, err);
    *clocks = made;
    if (!made || !(made->files = hc_new_array(n_files, sizeof *made->files, err)))
        return err->status;
    made->n = n_files;
    for (size_t i = 0; i < n_files; i++) {
        made->files[i].dp_rank = made->files[i].stage = made->files[i].host = HC_MISSING_I32;
        made->files[i].parent = NO_FILE;
    }
    return HC_OK;
}

void hc_rank_clocks_free(struct hc_rank_clocks *clocks)
{
    for (size_t i = 0; clocks && i < clocks->n; i++) {
        free(clocks->files[i].samples);
        free(clocks->files[i].offsets);
        hc_int_map_fini(&clocks->files[i].by_step);
    }
    if (clocks)
        free(clocks->files);
    free(clocks);
}

/* ---- samples ---- */

/* Steps are chosen by a hash, so that all files choose the same ones and no period of the job can
 * leave them all out. */
static bool is_chosen(uint32_t mask, int32_t step)
{
    return ((uint32_t)step * 2654435761u >> 16 & mask) == 0;
}

/* Keep about half of the samples. */
static enum hc_status thin(struct file_clock *file, struct hc_error *err)
{
    size_t kept = 0;
    file->mask = file->mask << 1 | 1;
    for (size_t i = 0; i < file->n_samples; i++)
        if (is_chosen(file->mask, file->samples[i].step))
            file->samples[kept++] = file->samples[i];
    file->n_samples = kept;
    file->last = 0;
    hc_int_map_fini(&file->by_step);
    memset(&file->by_step, 0, sizeof file->by_step);
    for (size_t i = 0; i < kept; i++) {
        size_t entry = 0;
        if (hc_int_map_insert(&file->by_step, (uint32_t)file->samples[i].step, (int32_t)i, &entry,
                              err))
            return err->status;
    }
    return HC_OK;
}

/* The sample of a step, or NULL where the step is none of those that are kept. */
static enum hc_status sample_of(struct file_clock *file, int32_t step, struct sample **sample,
                                struct hc_error *err)
{
    *sample = NULL;
    if (file->last < file->n_samples && file->samples[file->last].step == step) {
        *sample = &file->samples[file->last];
        return HC_OK;
    }
    if (!is_chosen(file->mask, step))
        return HC_OK;
    int64_t known = hc_int_map_find(&file->by_step, (uint32_t)step);
    size_t entry = 0;
    if (known < 0) {
        if (file->n_samples == MOST_SAMPLES && file->mask < UINT16_MAX)
            return thin(file, err) ? err->status : sample_of(file, step, sample, err);
        if (hc_reserve(&file->samples, &file->capacity, file->n_samples + 1, sizeof *file->samples,
                       err) ||
            hc_int_map_insert(&file->by_step, (uint32_t)step, (int32_t)file->n_samples, &entry,
                              err))
            return err->status;
        known = (int64_t)entry;
        file->samples[file->n_samples++] = (struct sample){
            step,
            -1,
            {HC_MISSING_I64, HC_MISSING_I64},
            {HC_MISSING_I64, HC_MISSING_I64},
            HC_MISSING_I64,
            HC_MISSING_I64,
            HC_MISSING_I64,
            HC_MISSING_I64,
        };
    }
    file->last = (size_t)file->by_step.values[known];
    *sample = &file->samples[file->last];
    return HC_OK;
}

static void note_op(struct sample *s, int type, int32_t seq, const int64_t times_ns[2])
{
    bool is_first = seq == 0;
    if (type == HC_OPTIMIZER_CLIP_MAIN_GRAD && is_first)
        memcpy(s->whole_ns, times_ns, sizeof s->whole_ns);
    else if (type == HC_GRADS_REDUCE_SCATTER && seq >= s->column_seq) {
        s->column_seq = seq;
        memcpy(s->column_ns, times_ns, sizeof s->column_ns);
    } else if (type == HC_FORWARD_SEND && is_first)
        s->forward_send_ns = times_ns[0];
    else if (type == HC_FORWARD_RECV && is_first)
        s->forward_recv_end_ns = times_ns[1];
    else if (type == HC_BACKWARD_SEND && is_first)
        s->backward_send_ns = times_ns[0];
    else if (type == HC_BACKWARD_RECV && is_first)
        s->backward_recv_end_ns = times_ns[1];
}

void hc_rank_clocks_set_host(struct hc_rank_clocks *clocks, size_t file, int32_t host)
{
    clocks->files[file].host = host;
}

enum hc_status hc_rank_clocks_add(struct hc_rank_clocks *clocks, size_t file,
                                  const struct hc_table *ops, struct hc_error *err)
{
    struct file_clock *f = &clocks->files[file];
    const struct hc_op_columns c = hc_op_columns(ops);
    if (ops->n_rows && f->stage == HC_MISSING_I32) {
        f->dp_rank = c.dp_rank[0];
        f->stage = c.stage[0];
    }
    for (size_t i = 0; i < ops->n_rows; i++) {
        int type = c.op_type[i];
        if (hc_op_is_pass(type) || type == HC_OPTIMIZER || type == HC_GC)
            continue;
        struct sample *sample = NULL;
        if (sample_of(f, c.step[i], &sample, err))
            return err->status;
        int64_t times_ns[2] = {c.start_ns[i], c.start_ns[i] + c.duration_ns[i]};
        if (sample)
            note_op(sample, type, c.seq_id[i], times_ns);
    }
    return HC_OK;
}

/* ---- differences ---- */

#define MOST_APART_NS ((int64_t)1 << 61) /* 73 years: more is no clock */

/* a - b in *ns; false where one of them is not there, or they are too far apart. */
static bool subtract(int64_t a, int64_t b, double *ns)
{
    int64_t difference = 0;
    if (a == HC_MISSING_I64 || b == HC_MISSING_I64 || __builtin_sub_overflow(a, b, &difference) ||
        difference > MOST_APART_NS || difference < -MOST_APART_NS)
        return false;
    *ns = (double)difference;
    return true;
}

/* How far a's clock is ahead of b's in one step, by an end that they share. */
static bool compare_ends(const struct sample *a, const struct sample *b, bool is_column,
                         double bounds_ns[2])
{
    int64_t x = is_column ? a->column_ns[1] : a->whole_ns[1];
    int64_t y = is_column ? b->column_ns[1] : b->whole_ns[1];
    if ((is_column && a->column_seq != b->column_seq) || !subtract(x, y, &bounds_ns[0]))
        return false;
    bounds_ns[1] = bounds_ns[0];
    return true;
}

/* The same by the first transfers between a's stage and b's, the one before: an upper bound by what
 * b sent, a lower one by what a sent. */
static bool compare_transfers(const struct sample *a, const struct sample *b, double bounds_ns[2])
{
    return subtract(a->backward_send_ns, b->backward_recv_end_ns, &bounds_ns[0]) &&
           subtract(a->forward_recv_end_ns, b->forward_send_ns, &bounds_ns[1]);
}

enum tie { TIE_WHOLE, TIE_COLUMN, TIE_TRANSFERS };

struct difference {
    int32_t step;
    double low_ns, high_ns;
};

static int by_step(const void *x, const void *y)
{
    const struct difference *a = x, *b = y;
    return (a->step > b->step) - (a->step < b->step);
}

/* Of the steps that both files kept; *n of them, ascending. */
static void find_differences(const struct file_clock *a, const struct file_clock *b, enum tie tie,
                             struct difference *found, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < a->n_samples; i++) {
        int64_t entry = hc_int_map_find(&b->by_step, (uint32_t)a->samples[i].step);
        double bounds_ns[2];
        if (entry < 0)
            continue;
        const struct sample *x = &a->samples[i], *y = &b->samples[b->by_step.values[entry]];
        if (tie == TIE_TRANSFERS ? compare_transfers(x, y, bounds_ns)
                                 : compare_ends(x, y, tie == TIE_COLUMN, bounds_ns))
            found[(*n)++] = (struct difference){x->step, bounds_ns[0], bounds_ns[1]};
    }
    qsort(found, *n, sizeof *found, by_step);
}

/* Of the steps [from, to): the median of equal bounds, else the middle between the tightest. */
static double offset_around(const struct difference *found, size_t from, size_t to, enum tie tie)
{
    double middle[2 * WINDOW + 1], low = found[from].low_ns, high = found[from].high_ns;
    for (size_t i = from; i < to; i++) {
        middle[i - from] = found[i].high_ns;
        low = found[i].low_ns > low ? found[i].low_ns : low;
        high = found[i].high_ns < high ? found[i].high_ns : high;
    }
    return tie == TIE_TRANSFERS ? (low + high) / 2 : hc_median(middle, to - from);
}

/* Tie file number to a parent, where the two have anything in common. */
static enum hc_status tie_to(struct hc_rank_clocks *clocks, size_t number, size_t parent,
                             enum tie tie, struct hc_error *err)
{
    struct file_clock *file = &clocks->files[number];
    struct difference *found = hc_new_array(file->n_samples + 1, sizeof *found, err);
    if (!found)
        return err->status;
    size_t n = 0;
    find_differences(file, &clocks->files[parent], tie, found, &n);
    if (n && !(file->offsets = hc_new_array(n, sizeof *file->offsets, err))) {
        free(found);
        return err->status;
    }
    for (size_t i = 0; i < n; i++) {
        size_t from = i > WINDOW ? i - WINDOW : 0, to = i + WINDOW + 1 < n ? i + WINDOW + 1 : n;
        file->offsets[i] = (struct offset){found[i].step, offset_around(found, from, to, tie)};
    }
    file->n_offsets = n;
    file->parent = n ? parent : NO_FILE;
    free(found);
    return HC_OK;
}

/* The first file of a stage, which the others of the stage are tied to; or of a stage and dp rank.
 */
static size_t find_file(const struct hc_rank_clocks *clocks, int32_t stage, int32_t dp_rank)
{
    for (size_t i = 0; i < clocks->n; i++)
        if (clocks->files[i].stage == stage &&
            (dp_rank == HC_MISSING_I32 || clocks->files[i].dp_rank == dp_rank))
            return i;
    return NO_FILE;
}

/* ---- ties ---- */

/* Nobody leaves a collective before all have come: whether one of the two seems to, so that their
 * clocks differ. */
static bool contradicts(const int64_t a_ns[2], const int64_t b_ns[2])
{
    return a_ns[0] != HC_MISSING_I64 && b_ns[0] != HC_MISSING_I64 &&
           (a_ns[0] > b_ns[1] || b_ns[0] > a_ns[1]);
}

static bool is_received_early(int64_t recv_end_ns, int64_t send_ns)
{
    return recv_end_ns != HC_MISSING_I64 && send_ns != HC_MISSING_I64 && recv_end_ns < send_ns;
}

/* Whether one step contradicts one clock for a and b; is_next: a is of the stage behind b's. */
static bool step_contradicts(const struct sample *a, const struct sample *b, bool is_column,
                             bool is_next)
{
    if (contradicts(a->whole_ns, b->whole_ns) ||
        (is_column && a->column_seq == b->column_seq && contradicts(a->column_ns, b->column_ns)))
        return true;
    return is_next && (is_received_early(a->forward_recv_end_ns, b->forward_send_ns) ||
                       is_received_early(b->backward_recv_end_ns, a->backward_send_ns));
}

/* Whether what a and b recorded leaves one clock for both. Single steps prove nothing: the end of
 * an asynchronous call is noted late where the process had to wait for a core. */
static bool may_share_clock(const struct file_clock *a, const struct file_clock *b)
{
    bool is_next = a->dp_rank == b->dp_rank && a->stage - 1 == b->stage;
    size_t n_contradict = 0, n = 0;
    for (size_t i = 0; i < a->n_samples; i++) {
        int64_t entry = hc_int_map_find(&b->by_step, (uint32_t)a->samples[i].step);
        if (entry < 0)
            continue;
        n++;
        n_contradict += step_contradicts(&a->samples[i], &b->samples[b->by_step.values[entry]],
                                         a->stage == b->stage, is_next);
    }
    return 2 * n_contradict <= n;
}

/* The first file of the host of file i, when it is another one and may have the same clock. */
static size_t find_same_clock(const struct hc_rank_clocks *clocks, size_t i)
{
    size_t first = 0;
    if (clocks->files[i].host == HC_MISSING_I32)
        return NO_FILE;
    while (clocks->files[first].host != clocks->files[i].host)
        first++;
    return first != i && may_share_clock(&clocks->files[i], &clocks->files[first]) ? first
                                                                                   : NO_FILE;
}

static enum hc_status tie_one(struct hc_rank_clocks *clocks, size_t i, struct hc_error *err)
{
    struct file_clock *file = &clocks->files[i];
    if (i == 0 || file->stage == HC_MISSING_I32)
        return HC_OK;
    file->parent = find_same_clock(clocks, i);
    if (file->parent == NO_FILE && tie_to(clocks, i, 0, TIE_WHOLE, err))
        return err->status;
    size_t first = find_file(clocks, file->stage, HC_MISSING_I32);
    if (file->parent == NO_FILE && first != i && tie_to(clocks, i, first, TIE_COLUMN, err))
        return err->status;
    size_t before = find_file(clocks, file->stage - 1, file->dp_rank);
    if (file->parent == NO_FILE && before != NO_FILE)
        return tie_to(clocks, i, before, TIE_TRANSFERS, err);
    return HC_OK;
}

enum hc_status hc_rank_clocks_tie(struct hc_rank_clocks *clocks, struct hc_error *err)
{
    for (size_t i = 0; i < clocks->n; i++)
        if (tie_one(clocks, i, err))
            return err->status;
    return HC_OK;
}

/* ---- offsets ---- */

/* Of the last step that is not behind this one, else of the first. */
static double own_offset(const struct file_clock *file, int32_t step)
{
    size_t low = 0, high = file->n_offsets;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (file->offsets[middle].step <= step)
            low = middle;
        else
            high = middle;
    }
    return file->n_offsets ? file->offsets[low].ns : 0;
}

int64_t hc_rank_clocks_offset(const struct hc_rank_clocks *clocks, size_t file, int32_t step)
{
    double ns = 0;
    for (; clocks->files[file].parent != NO_FILE; file = clocks->files[file].parent)
        ns += own_offset(&clocks->files[file], step);
    double most = (double)MOST_APART_NS;
    return (int64_t)(ns > most ? most : ns < -most ? -most : ns);
}

/* Whether a chain of ties leads to file 0. */
static bool is_tied(const struct hc_rank_clocks *clocks, size_t file)
{
    while (clocks->files[file].parent != NO_FILE)
        file = clocks->files[file].parent;
    return file == 0;
}

size_t hc_rank_clocks_n_untied(const struct hc_rank_clocks *clocks)
{
    size_t n = 0;
    for (size_t i = 0; i < clocks->n; i++)
        n += !is_tied(clocks, i);
    return n;
}

int64_t hc_rank_clocks_largest(const struct hc_rank_clocks *clocks)
{
    int64_t largest = 0;
    for (size_t i = 0; i < clocks->n; i++)
        for (size_t k = 0; k < clocks->files[i].n_offsets; k++) {
            int64_t ns = hc_rank_clocks_offset(clocks, i, clocks->files[i].offsets[k].step);
            largest = llabs(ns) > largest ? llabs(ns) : largest;
        }
    return largest;
}
