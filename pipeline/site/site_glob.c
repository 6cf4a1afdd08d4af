#include "pipeline/site/site_glob.h"

#include "core/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_PATTERNS  4096 /* that braces make of one */
#define MOST_DIRECTORY 64   /* directories within each other that "**" goes down */

/* ---- braces ---- */

/* The brace that closes the one at `open`, or NULL; *comma becomes the first comma between them,
 * outside of inner braces. */
static const char *closing_brace(const char *open, const char **comma)
{
    int depth = 0;
    *comma = NULL;
    for (const char *at = open; *at; at++) {
        if (*at == '{')
            depth++;
        if (*at == ',' && depth == 1 && !*comma)
            *comma = at;
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

/* The end of the choice that begins at `at`: the next comma or closing brace that is its own. */
static const char *choice_end(const char *at, const char *close)
{
    int depth = 0;
    for (; at < close && (*at != ',' || depth); at++)
        depth += (*at == '{') - (*at == '}');
    return at;
}

/* Replace the pattern at `index` by one for each choice of its first braces. False: it has none. */
static enum hc_status open_braces(struct hc_site_files *patterns, size_t index, bool *had,
                                  struct hc_error *err)
{
    const char *comma, *pattern = patterns->path[index], *open = strchr(pattern, '{');
    const char *close = open ? closing_brace(open, &comma) : NULL;
    *had = close && comma;
    if (!*had)
        return HC_OK;
    char *whole = patterns->path[index];
    patterns->path[index] = NULL;
    for (const char *at = open + 1, *end; at <= close && !err->status; at = end + 1) {
        end = choice_end(at, close);
        char *one = hc_new_text(err, "%.*s%.*s%s", (int)(open - whole), whole, (int)(end - at), at,
                                close + 1);
        if (!one)
            break;
        if (!patterns->path[index]) {
            patterns->path[index] = one;
            continue;
        }
        if (patterns->n >= MOST_PATTERNS)
            hc_fail(err, HC_BAD_INPUT, "'%s' stands for more than %d patterns", whole,
                    MOST_PATTERNS);
        else if (!hc_reserve(&patterns->path, &patterns->capacity, patterns->n + 1,
                             sizeof *patterns->path, err)) {
            patterns->path[patterns->n++] = one;
            continue;
        }
        free(one);
    }
    free(whole);
    return err->status;
}

/* ---- names ---- */

static enum hc_status walk(struct hc_site_files *files, const char *directory, const char *rest,
                           int depth, struct hc_error *err);

/* After a call that failed, by errno: there is nothing of that name, or it could not be looked at.
 */
static void note_refusal(struct hc_site_files *files, const char *what, const char *path)
{
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
        return;
    bool is_forbidden = errno == EACCES || errno == EPERM;
    if (files->n_refused == 0 || (!is_forbidden && files->n_refused == files->n_forbidden))
        hc_fail_errno(&files->refused, what, path);
    files->n_refused++;
    files->n_forbidden += is_forbidden;
}

static enum hc_status keep(struct hc_site_files *files, char *path, struct hc_error *err)
{
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    if (!is_there)
        note_refusal(files, "cannot look up", path);
    if (!is_there || !S_ISREG(info.st_mode)) {
        free(path);
        return HC_OK;
    }
    if (hc_reserve(&files->path, &files->capacity, files->n + 1, sizeof *files->path, err)) {
        free(path);
        return err->status;
    }
    files->path[files->n++] = path;
    return HC_OK;
}

/* The name in directory, which the first part of the pattern matched. */
static enum hc_status go_on(struct hc_site_files *files, const char *directory, const char *name,
                            const char *rest, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s%s%s", directory, name, rest ? "/" : "");
    if (!path)
        return err->status;
    if (!rest)
        return keep(files, path, err);
    enum hc_status status = walk(files, path, rest, 0, err);
    free(path);
    return status;
}

static bool is_inner_directory(struct hc_site_files *files, const char *directory,
                               const struct dirent *entry)
{
    char path[4096];
    struct stat info;
    if (entry->d_name[0] == '.')
        return false;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    if ((size_t)snprintf(path, sizeof path, "%s%s", directory, entry->d_name) >= sizeof path)
        return false;
    if (lstat(path, &info) == 0)
        return S_ISDIR(info.st_mode);
    note_refusal(files, "cannot look up", path);
    return false;
}

/* What "**" stands for, from this directory down: `pattern` begins with it. */
static enum hc_status go_down(struct hc_site_files *files, const char *directory,
                              const struct dirent *entry, const char *pattern, int depth,
                              struct hc_error *err)
{
    if (depth >= MOST_DIRECTORY || !is_inner_directory(files, directory, entry))
        return HC_OK;
    char *inner = hc_new_text(err, "%s%s/", directory, entry->d_name);
    enum hc_status status = inner ? walk(files, inner, pattern, depth + 1, err) : err->status;
    free(inner);
    return status;
}

/* The next name, or NULL at the end, and where the directory cannot be read any further. */
static struct dirent *next_name(struct hc_site_files *files, DIR *list, const char *directory)
{
    errno = 0;
    struct dirent *entry = readdir(list);
    if (!entry && errno)
        note_refusal(files, "cannot read the directory", directory);
    return entry;
}

/* Names of directory ("" or with its slash) by the first part of the pattern, and below them. */
static enum hc_status walk(struct hc_site_files *files, const char *directory, const char *pattern,
                           int depth, struct hc_error *err)
{
    while (*pattern == '/')
        pattern++;
    const char *slash = strchr(pattern, '/');
    char *part = strndup(pattern, slash ? (size_t)(slash - pattern) : strlen(pattern));
    if (!part)
        return hc_fail_memory(err, strlen(pattern));
    enum hc_status status = HC_OK;
    bool is_deep = strcmp(part, "**") == 0;
    const char *rest = slash ? slash + 1 : NULL;
    if (!strpbrk(part, "*?[")) {
        status = go_on(files, directory, part, rest, err);
        free(part);
        return status;
    }
    if (is_deep) /* no directory at all */
        status = walk(files, directory, rest ? rest : "*", 0, err);
    const char *opened = *directory ? directory : ".";
    DIR *list = status ? NULL : opendir(opened);
    if (!status && !list)
        note_refusal(files, "cannot read the directory", opened);
    for (struct dirent *entry; list && !status && (entry = next_name(files, list, opened));) {
        if (is_deep)
            status = go_down(files, directory, entry, pattern, depth, err);
        else if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0)
            status = go_on(files, directory, entry->d_name, rest, err);
    }
    if (list)
        closedir(list);
    free(part);
    return status;
}

enum hc_status hc_site_glob_add(struct hc_site_files *files, const char *pattern,
                                struct hc_error *err)
{
    struct hc_site_files patterns = {0};
    char *first = hc_copy_text(pattern, err);
    if (!first || hc_reserve(&patterns.path, &patterns.capacity, 1, sizeof first, err)) {
        free(first);
        return err->status;
    }
    patterns.path[patterns.n++] = first;
    for (size_t i = 0; i < patterns.n && !err->status;) {
        bool had;
        if (open_braces(&patterns, i, &had, err) || had)
            continue;
        const char *one = patterns.path[i++];
        walk(files, *one == '/' ? "/" : "", one, 0, err);
    }
    hc_site_files_fini(&patterns);
    return err->status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void hc_site_files_sort(struct hc_site_files *files, size_t first)
{
    size_t n = first;
    if (files->n <= first)
        return;
    qsort(files->path + first, files->n - first, sizeof *files->path, by_name);
    for (size_t i = first; i < files->n; i++) {
        if (n > first && strcmp(files->path[n - 1], files->path[i]) == 0)
            free(files->path[i]);
        else
            files->path[n++] = files->path[i];
    }
    files->n = n;
}

void hc_site_files_fini(struct hc_site_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct hc_site_files){0};
}
