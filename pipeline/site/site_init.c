#include "pipeline/site/site_init.h"

#include "core/base/memory.h"
#include "core/text/json_writer.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/site/site_file.h"
#include "pipeline/site/site_glob.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_UNKNOWN 20 /* groups of files in no known format that are listed */

/* A file that was looked at. */
struct looked {
    const char *name; /* below the directory */
    char *pattern;    /* that stands for it and its like */
    const struct hc_format *format;
    int64_t n_bytes;
};

/* ---- patterns ---- */

/* Letters that a pattern would read as something else stand for any letter. */
static char plain_letter(char letter)
{
    return strchr("*?[]{}\\", letter) ? '?' : letter;
}

/* A name with a '*' for what begins and ends in a digit: "n07/sacct-2026-03-01.txt" becomes
 * "n*" "/sacct-*.txt". Extensions (".1", ".gz") stay. */
static char *generalise(const char *name, struct hc_error *err)
{
    char *pattern = hc_new_array(strlen(name) + 1, 1, err), *to = pattern;
    for (const char *at = name; pattern && *at;) {
        if (!isdigit((unsigned char)*at)) {
            *to++ = plain_letter(*at++);
            continue;
        }
        *to++ = '*';
        const char *last = at;
        for (; *at && (isalnum((unsigned char)*at) || strchr("-_:T", *at)); at++)
            if (isdigit((unsigned char)*at))
                last = at;
        at = last + 1;
    }
    return pattern;
}

/* The pattern of one file alone. */
static char *exact(const char *name, struct hc_error *err)
{
    char *pattern = hc_copy_text(name, err);
    for (char *at = pattern; at && *at; at++)
        *at = plain_letter(*at);
    return pattern;
}

/* ---- looking ---- */

static bool is_left_out(const char *name)
{
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    const char *dot = strrchr(base, '.');
    bool is_metadata = dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
    bool is_of_archive = strncmp(name, "hindcast-archive/", 17) == 0;
    return is_metadata || is_of_archive || strcmp(name, "site.json") == 0;
}

static enum hc_status look_at(struct looked *looked, const char *path, struct hc_error *err)
{
    struct stat info;
    bool is_there = stat(path, &info) == 0;
    if (!is_there && errno != ENOENT)
        return hc_fail_errno(err, "cannot look up", path);
    looked->n_bytes = is_there ? (int64_t)info.st_size : 0;
    if (looked->n_bytes && hc_format_of_content(&looked->format, path, err))
        return err->status;
    looked->pattern = generalise(looked->name, err);
    return looked->pattern ? HC_OK : err->status;
}

static size_t rank_of(const struct hc_format *format)
{
    size_t n, i = 0;
    const struct hc_format *const *all = hc_formats(&n);
    while (i < n && all[i] != format)
        i++;
    return i;
}

static int compare_looked(const void *a, const void *b)
{
    const struct looked *x = a, *y = b;
    int order = strcmp(x->pattern, y->pattern);
    return order ? order : strcmp(x->name, y->name);
}

static int compare_groups(const void *a, const void *b)
{
    const struct hc_found_group *x = a, *y = b;
    size_t rank_x = rank_of(x->format), rank_y = rank_of(y->format);
    return rank_x != rank_y ? (rank_x > rank_y) - (rank_x < rank_y)
                            : strcmp(x->pattern, y->pattern);
}

/* Whether the pattern of a file names only files of its format, among all that are there. */
static bool is_pure(const struct looked *all, size_t n, const struct looked *one)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].format != one->format && all[i].n_bytes &&
            fnmatch(one->pattern, all[i].name, FNM_PATHNAME | FNM_PERIOD) == 0)
            return false;
    return true;
}

/* Files first to end have one pattern. Where files of other formats have it too, each has its own.
 */
static enum hc_status split_mixed(struct looked *all, size_t n, size_t first, size_t end,
                                  struct hc_error *err)
{
    bool is_mixed = false;
    for (size_t i = first; i < end && !is_mixed; i++)
        is_mixed = (i == first || all[i].format != all[i - 1].format) && !is_pure(all, n, &all[i]);
    for (size_t i = first; i < end && is_mixed; i++) {
        free(all[i].pattern);
        if (!(all[i].pattern = exact(all[i].name, err)))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status add_to_group(struct hc_found_files *found, const struct looked *looked,
                                   struct hc_error *err)
{
    struct hc_found_group *group = found->n ? &found->groups[found->n - 1] : NULL;
    if (!group || group->format != looked->format || strcmp(group->pattern, looked->pattern) != 0) {
        if (hc_reserve(&found->groups, &found->capacity, found->n + 1, sizeof *group, err))
            return err->status;
        char *pattern = hc_copy_text(looked->pattern, err);
        if (!pattern)
            return err->status;
        group = &found->groups[found->n++];
        *group = (struct hc_found_group){.format = looked->format, .pattern = pattern};
    }
    group->n_files++;
    group->n_bytes += looked->n_bytes;
    return HC_OK;
}

static enum hc_status make_groups(struct hc_found_files *found, struct looked *all, size_t n,
                                  struct hc_error *err)
{
    enum hc_status status = HC_OK;
    qsort(all, n, sizeof *all, compare_looked);
    for (size_t first = 0, end; first < n && !status; first = end) {
        for (end = first + 1; end < n && strcmp(all[first].pattern, all[end].pattern) == 0;)
            end++;
        status = split_mixed(all, n, first, end, err);
    }
    for (size_t i = 0; i < n && !status; i++)
        if (all[i].n_bytes)
            status = add_to_group(found, &all[i], err);
        else
            found->n_empty++;
    qsort(found->groups, found->n, sizeof *found->groups, compare_groups);
    return status;
}

static enum hc_status look_at_all(struct hc_found_files *found, const struct hc_site_files *files,
                                  size_t prefix, struct hc_error *err)
{
    size_t n = 0;
    struct looked *all = hc_new_array(files->n, sizeof *all, err);
    enum hc_status status = all ? HC_OK : err->status;
    for (size_t i = 0; i < files->n && !status; i++)
        if (!is_left_out(files->path[i] + prefix)) {
            all[n].name = files->path[i] + prefix;
            status = look_at(&all[n++], files->path[i], err);
        }
    if (!status)
        status = make_groups(found, all, n, err);
    for (size_t i = 0; i < n; i++)
        free(all[i].pattern);
    free(all);
    return status;
}

enum hc_status hc_site_look(struct hc_found_files *found, const char *directory,
                            struct hc_error *err)
{
    struct hc_site_files files = {0};
    struct stat info;
    *found = (struct hc_found_files){0};
    bool is_there = stat(directory, &info) == 0;
    if (!is_there && errno != ENOENT && errno != ENOTDIR)
        return hc_fail_errno(err, "cannot look up", directory);
    if (!is_there || !S_ISDIR(info.st_mode))
        return hc_fail(err, HC_USAGE, "'%s' is no directory", directory);
    /* Its own name may have letters that a pattern reads as something else. */
    char *literal = exact(directory, err);
    char *pattern = literal ? hc_new_text(err, "%s/**/*", literal) : NULL;
    enum hc_status status = pattern ? hc_site_glob_add(&files, pattern, err) : err->status;
    hc_site_files_sort(&files, 0);
    found->n_forbidden = files.n_forbidden;
    if (!status && files.n_refused > files.n_forbidden) {
        *err = files.refused;
        status = err->status;
    }
    if (!status)
        status = look_at_all(found, &files, strlen(directory) + 1, err);
    hc_site_files_fini(&files);
    free(pattern);
    free(literal);
    return status;
}

void hc_found_files_fini(struct hc_found_files *found)
{
    for (size_t i = 0; i < found->n; i++)
        free(found->groups[i].pattern);
    free(found->groups);
    *found = (struct hc_found_files){0};
}

/* ---- the file ---- */

static void write_source(const struct hc_found_files *found, size_t first, size_t end, FILE *stream)
{
    const struct hc_format *format = found->groups[first].format;
    size_t n_files = 0;
    for (size_t i = first; i < end; i++)
        n_files += found->groups[i].n_files;
    fprintf(stream, "    // %zu %s: %s\n    {\"name\": \"%s\",\n     \"files\": [\n", n_files,
            n_files == 1 ? "file" : "files", format->description, format->name);
    for (size_t i = first; i < end; i++) {
        fputs("       ", stream);
        hc_json_string(stream, found->groups[i].pattern);
        fprintf(stream, ", // %zu, %.1f MB\n", found->groups[i].n_files,
                (double)found->groups[i].n_bytes / 1e6);
    }
    fputs("     ]},\n", stream);
}

static void write_unknown(const struct hc_found_files *found, size_t first, FILE *stream)
{
    if (first == found->n)
        return;
    fputs("    // In no known format. Of a CSV or JSON a map says how to read it (docs/site.md):\n",
          stream);
    for (size_t i = first; i < found->n && i < first + MOST_UNKNOWN; i++) {
        fputs("    //   ", stream);
        hc_json_string(stream, found->groups[i].pattern);
        fprintf(stream, ", %zu\n", found->groups[i].n_files);
    }
    if (found->n - first > MOST_UNKNOWN)
        fprintf(stream, "    //   and %zu more such names\n", found->n - first - MOST_UNKNOWN);
}

void hc_site_init_write(const struct hc_found_files *found, FILE *stream)
{
    size_t first = 0;
    fputs(
        "// Written by 'hindcast site init'; docs/site.md says what may be in it. Then:\n"
        "//   hindcast site check    what is wrong with it\n"
        "//   hindcast ingest        what is new\n"
        "{\n"
        "  \"schema\": \"" HC_SITE_SCHEMA "\",\n"
        "  // \"cluster\": \"north\",        of records that name none\n"
        "  // \"zone\": \"Europe/Berlin\",   of local times that say no zone; UTC where it is not "
        "given\n"
        "  // \"partitions\": {\"gpu\": {\"gpu_type\": \"h100\", \"gpus_per_node\": 8, \"price\": "
        "2.5}},\n"
        "  // \"runs\": [{\"column\": \"name\", \"pattern\": \"^(?<run>.*)-part\\\\d+$\"}],\n"
        "  \"sources\": [\n",
        stream);
    for (size_t end; first < found->n && found->groups[first].format; first = end) {
        for (end = first + 1;
             end < found->n && found->groups[end].format == found->groups[first].format;)
            end++;
        write_source(found, first, end, stream);
    }
    write_unknown(found, first, stream);
    fputs("  ],\n}\n", stream);
}
