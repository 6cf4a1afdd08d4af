#include "parsers/io/watermark.h"

#include "core/base/memory.h"
#include "parsers/io/byte_reader.h"
#include "parsers/io/log_name.h"

#include <stdlib.h>
#include <string.h>

#define PIECE ((size_t)1 << 18)

static enum hc_status copy_state(struct hc_watermark *to, const struct hc_watermark *from,
                                 struct hc_error *err)
{
    if (!from->format || !from->format->state_size)
        return HC_OK;
    to->mark.state = hc_new_array(1, from->format->state_size, err);
    if (to->mark.state)
        memcpy(to->mark.state, from->mark.state, from->format->state_size);
    return err->status;
}

enum hc_status hc_watermark_copy(struct hc_watermark *to, const struct hc_watermark *from,
                                 struct hc_error *err)
{
    *to = *from;
    to->mark.state = NULL;
    to->log = NULL;
    if (copy_state(to, from, err) || (from->log && !(to->log = hc_copy_text(from->log, err))))
        hc_watermark_fini(to);
    return err->status;
}

void hc_watermark_fini(struct hc_watermark *watermark)
{
    free(watermark->mark.state);
    free(watermark->log);
    *watermark = (struct hc_watermark){0};
}

/* ---- the set ---- */

enum hc_status hc_watermarks_add(struct hc_watermarks *set, const char *path,
                                 const struct hc_watermark *watermark, struct hc_error *err)
{
    if (hc_reserve(&set->at, &set->capacity, set->n + 1, sizeof *set->at, err))
        return err->status;
    set->at[set->n++] = (struct hc_named_watermark){path, hc_log_path_key(path), watermark};
    return HC_OK;
}

static int compare(const void *a, const void *b)
{
    const struct hc_named_watermark *x = a, *y = b;
    int64_t at_x = x->watermark->mark.offset, at_y = y->watermark->mark.offset;
    int order = (x->key > y->key) - (x->key < y->key);
    if (order == 0)
        order = (int)x->watermark->waits - (int)y->watermark->waits;
    if (order == 0)
        order = (at_x > at_y) - (at_x < at_y);
    return order ? order : strcmp(x->path, y->path);
}

void hc_watermarks_sort(struct hc_watermarks *set)
{
    if (set->n)
        qsort(set->at, set->n, sizeof *set->at, compare);
}

void hc_watermarks_fini(struct hc_watermarks *set)
{
    free(set->at);
    *set = (struct hc_watermarks){0};
}

/* ---- a file ---- */

/* Behind the last watermark of the log of that key, and how many it has. */
static size_t end_of(const struct hc_watermarks *set, uint64_t key, size_t *n)
{
    size_t low = 0, high = set->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->at[middle].key <= key)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; *n < low && set->at[low - 1 - *n].key == key;)
        ++*n;
    return low;
}

/* In the order of their offsets. */
static void add_to_trial(struct hc_watermark_trial *trial, const struct hc_watermark *watermark)
{
    size_t i = trial->n++;
    for (; i > 0 && trial->watermark[i - 1]->mark.offset > watermark->mark.offset; i--)
        trial->watermark[i] = trial->watermark[i - 1];
    trial->watermark[i] = watermark;
}

void hc_watermark_trial_start(struct hc_watermark_trial *trial, const struct hc_watermarks *set,
                              const char *path)
{
    char *whole = set ? realpath(path, NULL) : NULL;
    size_t n = 0, end = whole ? end_of(set, hc_log_path_key(whole), &n) : 0;
    memset(trial, 0, sizeof *trial);
    free(whole);
    if (n > HC_WATERMARKS_MOST)
        n = HC_WATERMARKS_MOST;
    for (size_t i = end - n; i < end; i++)
        add_to_trial(trial, set->at[i].watermark);
    for (size_t i = 0; i < trial->n; i++)
        trial->cut[i].offset = trial->watermark[i]->mark.offset;
    trial->cuts.n = trial->n;
    trial->cuts.cut = trial->cut;
}

static enum hc_status unpack(struct hc_watermark_trial *trial, struct hc_byte_reader *reader,
                             struct hc_digest_run *run, struct hc_error *err)
{
    char *bytes = hc_new_array(PIECE, 1, err);
    int64_t left = trial->cut[trial->n - 1].offset;
    enum hc_status status = bytes ? HC_OK : err->status;
    for (size_t n = 1; left > 0 && n && !status; left -= (int64_t)n) {
        status = hc_byte_reader_read(reader, bytes, PIECE, &n, err);
        if (!status)
            hc_digest_run_take(run, bytes, n);
    }
    free(bytes);
    return status;
}

enum hc_status hc_watermark_trial_unpack(struct hc_watermark_trial *trial,
                                         const struct hc_source *source, struct hc_error *err)
{
    struct hc_byte_reader *reader = NULL;
    struct hc_digest_run *run = NULL;
    char all[HC_DIGEST_TEXT];
    if (!trial->n)
        return HC_OK;
    if (hc_byte_reader_open(&reader, source, err))
        return err->status;
    hc_byte_reader_unbound(reader); /* of lines, as those who read them */
    enum hc_status status = hc_digest_run_start(&run, &trial->cuts, err);
    if (!status) {
        status = unpack(trial, reader, run, err);
        hc_digest_run_end(run, all);
    }
    hc_byte_reader_close(reader);
    return status;
}

bool hc_watermark_trial_fits(const struct hc_watermark_trial *trial, size_t i,
                             const struct hc_format *format)
{
    return trial->watermark[i]->format == format &&
           strcmp(trial->watermark[i]->sha256, trial->cut[i].text) == 0;
}

const struct hc_watermark *hc_watermark_trial_find(const struct hc_watermark_trial *trial,
                                                   const struct hc_format *format)
{
    for (size_t i = trial->n; i-- > 0;)
        if (hc_watermark_trial_fits(trial, i, format))
            return trial->watermark[i];
    return NULL;
}
