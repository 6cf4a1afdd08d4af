#include "core/base/digest.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/outset_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "# hindcast run "
#define LINE_SIZE  1024 /* of a line that is looked at: digest, two blanks, name */
#define DIGITS     (HC_DIGEST_TEXT - 1)

struct member {
    const char *name; /* within the directory */
    const struct hc_outset_file *file;
};

/* An index being written. */
struct listing {
    struct hc_outset *set;
    const struct hc_outset_index *index;
    struct member *members;
    size_t n;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

/* Those of its files that are in its directory: a name in there may be a link to elsewhere. */
static enum hc_status find_members(struct listing *listing, size_t number, struct hc_error *err)
{
    const struct hc_outset *set = listing->set;
    const struct hc_outset_index *index = listing->index;
    listing->members = hc_new_array(set->n, sizeof *listing->members, err);
    if (!listing->members)
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_outset_file *file = &set->files[i];
        if (file->index == number && file->kind != HC_OUTSET_IN_PLACE &&
            file->kind != HC_OUTSET_DROPPED && file->kind != HC_OUTSET_EMPTY &&
            strncmp(file->out.path, index->path, index->prefix) == 0)
            listing->members[listing->n++] = (struct member){file->out.path + index->prefix, file};
    }
    if (listing->n)
        qsort(listing->members, listing->n, sizeof *listing->members, by_name);
    return HC_OK;
}

static enum hc_status digest_of(const struct hc_outset_file *file, char digest[HC_DIGEST_TEXT],
                                struct hc_error *err)
{
    if (file->kind == HC_OUTSET_ADOPTED)
        return hc_input_file_digest(file->out.temporary, digest, err);
    if (file->kind == HC_OUTSET_KEPT)
        return hc_input_file_digest(file->out.path, digest, err);
    return hc_digest_fd(fileno(file->out.stream), file->out.path, digest, err);
}

/* ---- the index of an older run ---- */

/* At most one directory deep, and neither up nor to itself. */
static bool is_plain_name(const char *name)
{
    const char *slash = strchr(name, '/');
    const char *last = slash ? slash + 1 : name;
    return name[0] && name[0] != '.' && name[0] != '/' && last[0] && last[0] != '.' &&
           !strchr(last, '/');
}

/* Open a file within the directory without following a link in name; -1 when there is none. */
static int open_within(const char *directory, const char *name)
{
    const char *slash = strchr(name, '/');
    char inner[LINE_SIZE] = ".";
    if (slash)
        snprintf(inner, sizeof inner, "%.*s", (int)(slash - name), name);
    int outer = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int middle =
        outer < 0 ? -1 : openat(outer, inner, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int fd = middle < 0 ? -1
                        : openat(middle, slash ? slash + 1 : name,
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int why = errno;
    if (outer >= 0)
        close(outer);
    if (middle >= 0)
        close(middle);
    errno = why;
    return fd;
}

/* Whether it is as it was left cannot be told now: it is not left beside the new files unsaid. */
static enum hc_status fail_to_open(const struct listing *listing, const char *name,
                                   struct hc_error *err)
{
    hc_fail_errno(err, "cannot read", name);
    return hc_context(err, "'%s', of an earlier run that this one replaces",
                      listing->index->directory);
}

/* A file that an older run wrote and this one does not: it goes, if it is as that run left it. */
static enum hc_status drop_old(struct listing *listing, const char *digest, const char *name,
                               struct hc_error *err)
{
    struct stat info;
    char there[HC_DIGEST_TEXT];
    const struct member wanted = {.name = name};
    if (!is_plain_name(name) ||
        bsearch(&wanted, listing->members, listing->n, sizeof wanted, by_name))
        return HC_OK;
    int fd = open_within(listing->index->directory, name);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
        return HC_OK; /* somebody removed it, or put a link in its place */
    if (fd < 0)
        return fail_to_open(listing, name, err);
    enum hc_status status = fstat(fd, &info) ? fail_to_open(listing, name, err) : HC_OK;
    bool is_file = status == HC_OK && S_ISREG(info.st_mode);
    if (is_file)
        status = hc_digest_fd(fd, name, there, err);
    bool is_same = is_file && status == HC_OK && strncmp(there, digest, DIGITS) == 0;
    close(fd);
    if (status)
        return status;
    if (!is_same) {
        hc_warn("'%s/%s' is of an earlier run, but no longer as that left it: it stays",
                listing->index->directory, name);
        return HC_OK;
    }
    char *path =
        hc_new_text(err, "%.*s%s", (int)listing->index->prefix, listing->index->path, name);
    status = path ? hc_outset_drop(listing->set, path, err) : err->status;
    free(path);
    return status;
}

/* What else may have the name is not replaced. */
static enum hc_status check_first_line(FILE *stream, const char *path, struct hc_error *err)
{
    char line[LINE_SIZE];
    if (fgets(line, sizeof line, stream) && strncmp(line, FIRST_LINE, sizeof FIRST_LINE - 1) == 0)
        return HC_OK;
    if (ferror(stream))
        return hc_fail_errno(err, "cannot read", path);
    return hc_fail(err, HC_USAGE,
                   "'%s' is not of hindcast, which has its list of files there: name another "
                   "directory",
                   path);
}

/* Open the index that an older run left, and check its first line: *stream then stands behind that
 * line. *stream is NULL when no older run left an index. */
static enum hc_status open_old(const char *path, FILE **stream, struct hc_error *err)
{
    if (hc_input_file_stream(path, stream, err))
        return err->status;
    if (!*stream || check_first_line(*stream, path, err) == HC_OK)
        return HC_OK;
    fclose(*stream);
    *stream = NULL;
    return err->status;
}

static enum hc_status drop_old_files(struct listing *listing, struct hc_error *err)
{
    FILE *stream;
    char line[LINE_SIZE];
    enum hc_status status = open_old(listing->index->path, &stream, err);
    if (status || !stream)
        return status;
    while (status == HC_OK && fgets(line, sizeof line, stream)) {
        size_t length = strlen(line);
        bool is_whole = length > DIGITS + 3 && line[length - 1] == '\n' &&
                        strspn(line, "0123456789abcdef") == DIGITS &&
                        strncmp(line + DIGITS, "  ", 2) == 0;
        if (!is_whole)
            break; /* not a line of ours: what follows is not trusted either */
        line[length - 1] = '\0';
        status = drop_old(listing, line, line + DIGITS + 2, err);
    }
    if (status == HC_OK && ferror(stream))
        status = hc_fail_errno(err, "cannot read", listing->index->path);
    fclose(stream);
    return status;
}

/* ---- the new one ---- */

static enum hc_status write_members(const struct listing *listing, FILE *stream,
                                    struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    fprintf(stream, FIRST_LINE "%s: sha256sum -c tells whether these files are all of it\n",
            listing->index->run_id);
    for (size_t i = 0; i < listing->n; i++) {
        if (digest_of(listing->members[i].file, digest, err))
            return err->status;
        fprintf(stream, "%s  %s\n", digest, listing->members[i].name);
    }
    return HC_OK;
}

/* Into memory, since the members point into the set, which grows by the index itself. */
static enum hc_status write_listing(struct listing *listing, struct hc_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out, *stream = open_memstream(&text, &length);
    if (!stream)
        return hc_fail_memory(err, BUFSIZ);
    enum hc_status status = write_members(listing, stream, err);
    if (fclose(stream) && status == HC_OK)
        status = hc_fail_memory(err, length);
    if (status == HC_OK)
        status = drop_old_files(listing, err);
    if (status == HC_OK)
        status = hc_outset_add(listing->set, listing->index->path, &out, err);
    if (status == HC_OK) {
        struct hc_outset_file *file = &listing->set->files[listing->set->n - 1];
        file->is_index = true;
        fputs(text, out);
        status = hc_outfile_flush(&file->out, err);
    }
    free(text);
    return status;
}

enum hc_status hc_outset_write_indexes(struct hc_outset *set, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    set->index = 0;
    for (size_t i = 0; i < set->n_indexes && status == HC_OK; i++) {
        struct listing listing = {.set = set, .index = &set->indexes[i]};
        status = find_members(&listing, i + 1, err);
        if (status == HC_OK)
            status = write_listing(&listing, err);
        free(listing.members);
    }
    return status;
}

/* ---- which files ---- */

static void free_index(struct hc_outset_index *index)
{
    free(index->directory);
    free(index->path);
}

void hc_outset_free_indexes(struct hc_outset *set)
{
    for (size_t i = 0; i < set->n_indexes; i++)
        free_index(&set->indexes[i]);
    free(set->indexes);
}

static enum hc_status fill_index(struct hc_outset_index *index, const char *directory,
                                 const char *name, struct hc_error *err)
{
    FILE *old;
    char *real = realpath(directory, NULL);
    if (!real)
        return hc_fail_errno(err, "cannot use directory", directory);
    index->path = hc_new_text(err, "%s/%s", strcmp(real, "/") ? real : "", name);
    free(real);
    index->directory = hc_copy_text(directory, err);
    if (!index->path || !index->directory || open_old(index->path, &old, err))
        return err->status;
    if (old)
        fclose(old);
    index->prefix = strlen(index->path) - strlen(name);
    return HC_OK;
}

enum hc_status hc_outset_index_begin(struct hc_outset *set, const char *directory, const char *name,
                                     const char *run_id, struct hc_error *err)
{
    struct hc_outset_index index = {.directory = NULL};
    if (fill_index(&index, directory, name, err) ||
        hc_reserve(&set->indexes, &set->index_capacity, set->n_indexes + 1, sizeof *set->indexes,
                   err)) {
        free_index(&index);
        return err->status;
    }
    /* Two options may name the same directory: then it has one index, of the files of both. */
    for (size_t i = 0; i < set->n_indexes; i++)
        if (strcmp(set->indexes[i].path, index.path) == 0) {
            free_index(&index);
            set->index = i + 1;
            return HC_OK;
        }
    snprintf(index.run_id, sizeof index.run_id, "%s", run_id);
    set->indexes[set->n_indexes++] = index;
    set->index = set->n_indexes;
    return HC_OK;
}

void hc_outset_index_end(struct hc_outset *set)
{
    set->index = 0;
}
