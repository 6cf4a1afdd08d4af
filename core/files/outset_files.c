/* outset_files.c - what is in a set: files to be written, adopted, dropped or kept. Below both the
 * commit (outset.c) and the indexes (outset_index.c), which add files of their own. */
#include "core/base/memory.h"
#include "core/files/outset_internal.h"
#include "core/process/temporary_files.h"

#include <string.h>
#include <unistd.h>

static enum hc_status fail_twice(const char *path, struct hc_error *err)
{
    return hc_fail(err, HC_USAGE, "two outputs of this command have the name '%s': name another",
                   path);
}

/* Only among those that we write: what is adopted or kept comes in thousands, each once. */
static bool has_file(const struct hc_outset *set, const char *path)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->files[i].kind == HC_OUTSET_WRITTEN && strcmp(set->files[i].out.path, path) == 0)
            return true;
    return false;
}

/* Room for one more, zeroed; not counted yet. */
static struct hc_outset_file *new_file(struct hc_outset *set, enum hc_outset_kind kind,
                                       struct hc_error *err)
{
    if (hc_reserve(&set->files, &set->capacity, set->n + 1, sizeof *set->files, err))
        return NULL;
    struct hc_outset_file *file = &set->files[set->n];
    *file = (struct hc_outset_file){.kind = kind, .index = set->index};
    return file;
}

static enum hc_status add(struct hc_outset *set, const char *path, bool hold, FILE **stream,
                          struct hc_error *err)
{
    struct hc_outset_file *file = new_file(set, HC_OUTSET_WRITTEN, err);
    if (!file || hc_outfile_open(&file->out, path, err))
        return err->status;
    bool is_in_place = !file->out.temporary;
    if (is_in_place)
        file->kind = HC_OUTSET_IN_PLACE;
    if (!is_in_place && has_file(set, file->out.path)) {
        hc_outfile_abort(&file->out);
        return fail_twice(path, err);
    }
    if (is_in_place && hold && !(file->held = hc_scratch_stream(err))) {
        hc_outfile_abort(&file->out);
        return err->status;
    }
    *stream = file->held ? file->held : file->out.stream;
    set->n++;
    return HC_OK;
}

enum hc_status hc_outset_add(struct hc_outset *set, const char *path, FILE **stream,
                             struct hc_error *err)
{
    return add(set, path, false, stream, err);
}

enum hc_status hc_outset_add_held(struct hc_outset *set, const char *path, FILE **stream,
                                  struct hc_error *err)
{
    return add(set, path, true, stream, err);
}

enum hc_status hc_outset_add_table(struct hc_outset *set, const char *path, FILE **stream,
                                   struct hc_error *err)
{
    enum hc_status status = add(set, path, false, stream, err);
    if (!status)
        set->files[set->n - 1].is_table = true;
    return status;
}

/* Whether anything stands behind the first line of a file that is being written. */
static enum hc_status look_for_rows(const struct hc_outset_file *file, bool *has_rows,
                                    struct hc_error *err)
{
    char block[4096];
    bool is_behind = false;
    off_t at = 0;
    ssize_t n = 0;
    *has_rows = false;
    if (fflush(file->out.stream) || ferror(file->out.stream))
        return hc_fail_errno(err, "cannot write", file->out.path);
    while (!*has_rows && (n = pread(fileno(file->out.stream), block, sizeof block, at)) > 0) {
        const char *end = is_behind ? block : memchr(block, '\n', (size_t)n);
        if (end && !is_behind)
            end++;
        is_behind = end != NULL;
        *has_rows = is_behind && end < block + n;
        at += n;
    }
    return !*has_rows && n < 0 ? hc_fail_errno(err, "cannot read back", file->out.path) : HC_OK;
}

enum hc_status hc_outset_leave_empty(struct hc_outset *set, struct hc_error *err)
{
    for (size_t i = 0; i < set->n; i++) {
        bool has_rows = true;
        struct hc_outset_file *file = &set->files[i];
        if (file->kind == HC_OUTSET_WRITTEN && file->is_table &&
            look_for_rows(file, &has_rows, err))
            return err->status;
        if (!has_rows)
            file->kind = HC_OUTSET_EMPTY;
    }
    return HC_OK;
}

static enum hc_status add_path(struct hc_outset *set, enum hc_outset_kind kind, const char *path,
                               const char *from, struct hc_error *err)
{
    struct hc_outset_file *file = new_file(set, kind, err);
    if (!file || !(file->out.path = hc_resolved_path(path, err)))
        return err->status;
    if (from && !(file->out.temporary = hc_copy_text(from, err))) {
        hc_outfile_abort(&file->out);
        return err->status;
    }
    set->n++;
    return HC_OK;
}

enum hc_status hc_outset_adopt(struct hc_outset *set, const char *from, const char *path,
                               bool is_ours, struct hc_error *err)
{
    if (add_path(set, HC_OUTSET_ADOPTED, path, from, err))
        return err->status;
    set->files[set->n - 1].is_left = !is_ours;
    return HC_OK;
}

enum hc_status hc_outset_drop(struct hc_outset *set, const char *path, struct hc_error *err)
{
    return add_path(set, HC_OUTSET_DROPPED, path, NULL, err);
}

enum hc_status hc_outset_keep(struct hc_outset *set, const char *path, struct hc_error *err)
{
    return add_path(set, HC_OUTSET_KEPT, path, NULL, err);
}
