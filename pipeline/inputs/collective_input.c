#include "pipeline/inputs/collective_input.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/collectives/collective_tables.h"
#include "parsers/collectives/rank_of_name.h"
#include "pipeline/sources/tar_sources.h"
#include "store/archive/archive.h"
#include "store/segment/segment_each.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void hc_collective_input_fini(struct hc_collective_input *input)
{
    for (size_t i = 0; i < input->n_files; i++) {
        free(input->files[i].path);
        free(input->files[i].why);
        if (input->files[i].source.name)
            hc_source_close(&input->files[i].source);
    }
    free(input->files);
    hc_collective_set_fini(&input->set);
    memset(input, 0, sizeof *input);
}

/* ---- the files ---- */

static enum hc_status add_file(struct hc_collective_input *input, char *path, bool is_of_directory,
                               struct hc_error *err)
{
    if (!path || hc_reserve(&input->files, &input->capacity, input->n_files + 1,
                            sizeof *input->files, err)) {
        free(path);
        return err->status;
    }
    struct hc_dump_file *file = &input->files[input->n_files++];
    *file = (struct hc_dump_file){.path = path, .is_of_directory = is_of_directory};
    file->has_rank = hc_rank_of_name(path, &file->rank);
    return HC_OK;
}

/* The regular files of a directory but hidden ones, which are never dumps. */
static enum hc_status add_directory(struct hc_collective_input *input, const char *path,
                                    struct hc_error *err)
{
    DIR *directory = opendir(path);
    if (!directory)
        return hc_fail_errno(err, "cannot read directory", path);
    enum hc_status status = HC_OK;
    struct dirent *entry = NULL;
    for (errno = 0; !status && (entry = readdir(directory)); errno = 0) {
        struct stat state;
        if (entry->d_name[0] == '.')
            continue;
        char *name = hc_new_text(err, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                                 entry->d_name);
        bool is_known = name && stat(name, &state) == 0;
        if (name && !is_known && errno != ENOENT)
            status = hc_fail_errno(err, "cannot look at", name);
        if (name && (!is_known || !S_ISREG(state.st_mode)))
            free(name);
        else
            status = add_file(input, name, true, err);
    }
    if (!status && errno)
        status = hc_fail_errno(err, "cannot read directory", path);
    closedir(directory);
    return status;
}

/* Members wait in a temporary file each until all ranks are known. */
#define MOST_MEMBERS 512

static enum hc_status add_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct hc_collective_input *input = context;
    if (input->n_files >= MOST_MEMBERS)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is one of more than %d members: unpack the archive",
                       member->name, MOST_MEMBERS);
    if (add_file(input, hc_copy_text(member->name, err), true, err))
        return err->status;
    struct hc_dump_file *file = &input->files[input->n_files - 1];
    file->is_member = true;
    file->source = *member;
    memset(member, 0, sizeof *member);
    member->fd = -1;
    return HC_OK;
}

static enum hc_status add_path(struct hc_collective_input *input, const char *path,
                               struct hc_error *err)
{
    struct stat state = {.st_mode = S_IFREG};
    if (strcmp(path, "-") != 0 && stat(path, &state))
        return hc_fail_errno(err, "cannot open", path);
    if (S_ISDIR(state.st_mode))
        return add_directory(input, path, err);
    if (hc_is_tar(path))
        return hc_tar_each(path, add_member, input, err);
    return add_file(input, hc_copy_text(path, err), false, err);
}

static int compare_files(const void *a, const void *b)
{
    const struct hc_dump_file *x = a, *y = b;
    if (x->has_rank != y->has_rank)
        return x->has_rank ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->path, y->path);
}

static enum hc_status list_files(struct hc_collective_input *input, const char *const *paths,
                                 size_t n, struct hc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (add_path(input, paths[i], err))
            return err->status;
    if (input->n_files)
        qsort(input->files, input->n_files, sizeof *input->files, compare_files);
    return HC_OK;
}

/* ---- one dump ---- */

/* The last dump that was read. */
struct previous {
    size_t file;
    bool is_there;
    char sha256[HC_DIGEST_TEXT];
};

static enum hc_status take_table(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return hc_collective_set_add(context, rows, err);
}

static enum hc_status read_dump(struct hc_collective_input *input, struct hc_dump_file *file,
                                struct hc_source_input *source, struct hc_error *err)
{
    struct hc_collective_set *set = &input->set;
    if (hc_collective_set_begin(set, file->rank, &source->names, err) ||
        hc_source_input_read(source, take_table, set, err) || hc_collective_set_end(set, err))
        return err->status;
    file->outcome = set->dumps[set->n_dumps - 1].is_cut ? HC_DUMP_CUT : HC_DUMP_READ;
    return HC_OK;
}

/* Two files of one rank: the same bytes are read once. */
static enum hc_status check_twin(struct hc_collective_input *input, struct hc_dump_file *file,
                                 const struct hc_source_input *source,
                                 const struct previous *previous, struct hc_error *err)
{
    const struct hc_dump_file *other = &input->files[previous->file];
    if (!previous->is_there || other->rank != file->rank)
        return HC_OK;
    if (strcmp(previous->sha256, source->source.sha256) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' and '%s' are two dumps of rank %d: name the one that is meant",
                       other->path, file->path, file->rank);
    file->outcome = HC_DUMP_TWIN;
    return HC_OK;
}

/* What cannot be read is said, and the others are read all the same. */
static enum hc_status leave_out(struct hc_collective_input *input, struct hc_dump_file *file,
                                struct hc_error *err)
{
    hc_collective_set_drop(&input->set);
    if (err->status != HC_BAD_INPUT)
        return err->status;
    file->outcome = HC_DUMP_UNREADABLE;
    file->why = hc_copy_text(err->message, err);
    if (file->why)
        *err = (struct hc_error){0};
    return err->status;
}

/* Whether a file of a directory that cannot be opened as a dump is none at all. */
static bool is_foreign(const struct hc_dump_file *file, const struct hc_error *err)
{
    return err->status == HC_BAD_INPUT && file->is_of_directory &&
           !(file->is_empty && file->has_rank);
}

static enum hc_status load_opened(struct hc_collective_input *input, struct hc_dump_file *file,
                                  struct hc_source_input *source, struct previous *previous,
                                  struct hc_error *err)
{
    if (!file->has_rank && input->n_files > 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "nothing says of which rank '%s' is: its name has no digits", file->path);
    if (check_twin(input, file, source, previous, err))
        return err->status;
    if (file->outcome == HC_DUMP_TWIN)
        return HC_OK;
    *previous = (struct previous){(size_t)(file - input->files), true, ""};
    memcpy(previous->sha256, source->source.sha256, sizeof previous->sha256);
    return read_dump(input, file, source, err) ? leave_out(input, file, err) : HC_OK;
}

static enum hc_status open_file(struct hc_dump_file *file, struct hc_source_input *source,
                                const struct hc_trace_options *options, struct hc_error *err)
{
    struct stat state;
    if (file->is_member) {
        file->is_empty = file->source.size == 0;
        return hc_source_input_take(source, &file->source, options, err);
    }
    file->is_empty = stat(file->path, &state) == 0 && S_ISREG(state.st_mode) && state.st_size == 0;
    return hc_source_input_open(source, file->path, options, err);
}

static enum hc_status load_file(struct hc_collective_input *input, struct hc_dump_file *file,
                                const struct hc_trace_options *options, struct previous *previous,
                                struct hc_error *err)
{
    struct hc_source_input source;
    enum hc_status status = open_file(file, &source, options, err);
    if (!status && hc_source_input_expect(&source, &hc_entries_def, err)) {
        status = err->status;
        hc_source_input_close(&source);
    }
    if (status && is_foreign(file, err)) {
        *err = (struct hc_error){0};
        file->outcome = HC_DUMP_FOREIGN;
        return HC_OK;
    }
    if (status)
        return leave_out(input, file, err);
    status = load_opened(input, file, &source, previous, err);
    hc_source_input_close(&source);
    return status;
}

static enum hc_status check_any(const struct hc_collective_input *input, struct hc_error *err)
{
    if (input->set.n_dumps)
        return HC_OK;
    for (size_t i = 0; i < input->n_files; i++)
        if (input->files[i].why && input->n_files == 1)
            return hc_fail(err, HC_BAD_INPUT, "%s", input->files[i].why);
    for (size_t i = 0; i < input->n_files; i++)
        if (input->files[i].why)
            return hc_fail(err, HC_BAD_INPUT,
                           "none of %zu files is a dump that can be read; the "
                           "first: %s",
                           input->n_files, input->files[i].why);
    return hc_fail(err, HC_BAD_INPUT,
                   "there is no dump of collectives among %zu files: who hangs is only in the "
                   "dumps of PyTorch's flight recorder",
                   input->n_files);
}

enum hc_status hc_collective_load(struct hc_collective_input *input, const char *const *paths,
                                  size_t n, const struct hc_trace_options *options,
                                  struct hc_error *err)
{
    struct previous previous = {0};
    memset(input, 0, sizeof *input);
    enum hc_status status = list_files(input, paths, n, err);
    for (size_t i = 0; i < input->n_files && !status; i++)
        status = load_file(input, &input->files[i], options, &previous, err);
    if (!status)
        status = check_any(input, err);
    if (!status)
        status = hc_collective_set_finish(&input->set, err);
    if (status)
        hc_collective_input_fini(input);
    return status;
}

/* ---- the archive ---- */

static enum hc_status read_tables(struct hc_segment *segment, struct hc_collective_set *set,
                                  const struct hc_table_names *names, int32_t rank,
                                  struct hc_error *err)
{
    if (hc_collective_set_begin(set, rank, names, err))
        return err->status;
    for (int t = 0; t < HC_COLLECTIVE_N_TABLES; t++) {
        const struct hc_table_def *def = hc_collective_tables[t];
        if (hc_segment_each(segment, def, (1U << def->n_columns) - 1, take_table, set, err))
            return err->status;
    }
    return hc_collective_set_end(set, err);
}

static enum hc_status load_segment(struct hc_collective_input *input,
                                   const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_table_names names = {0};
    int32_t rank = entry->of_rank;
    if (hc_archive_open_segment(archive, entry, &segment, err))
        return err->status;
    enum hc_status status =
        add_file(input, hc_copy_text(hc_segment_provenance(segment)->source_path, err), false, err);
    if (!status)
        status = hc_table_names_init(&names, hc_collective_tables, err);
    for (size_t d = 0; d < names.n && !status; d++)
        status = hc_segment_names(segment, names.dictionary[d], &names.set[d], err);
    if (!status)
        status = read_tables(segment, &input->set, &names, rank, err);
    if (!status && input->set.dumps[input->set.n_dumps - 1].is_cut)
        input->files[input->n_files - 1].outcome = HC_DUMP_CUT;
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status ? hc_context(err, "'%s/%s'", archive->path, entry->file) : HC_OK;
}

/* The entry of a job with the least rank above `above`, or NULL. */
static const struct hc_manifest_entry *next_rank(const struct hc_manifest_entry *entries, size_t n,
                                                 int64_t above)
{
    const struct hc_manifest_entry *next = NULL;
    for (size_t i = 0; i < n; i++)
        if (entries[i].of_rank > above && (!next || entries[i].of_rank < next->of_rank))
            next = &entries[i];
    return next;
}

enum hc_status hc_collective_load_job(struct hc_collective_input *input, const char *archive_path,
                                      const char *job, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    const struct hc_manifest_entry *entries = NULL;
    memset(input, 0, sizeof *input);
    if (hc_archive_open(&archive, archive_path, false, err))
        return err->status;
    enum hc_status status = hc_archive_find(archive, job, hc_entries_def.name, &entries, err);
    size_t n = status ? 0 : hc_archive_n_ranks(archive, entries);
    int64_t above = -1;
    for (const struct hc_manifest_entry *entry; !status && (entry = next_rank(entries, n, above));
         above = entry->of_rank)
        status = load_segment(input, archive, entry, err);
    if (!status)
        status = hc_collective_set_finish(&input->set, err);
    hc_archive_close(archive);
    if (status)
        hc_collective_input_fini(input);
    return status;
}
