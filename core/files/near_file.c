#include "core/files/near_file.h"

#include "core/base/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MOST_LOOKED_AT 10000 /* names of a directory: a suggestion is worth no more */
#define MOST_ENDING    8     /* letters of the ending of a file: ".parquet" */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Length of a name without the ending that it has in common with word, so that this does not make
 * two names alike: "none.json" and "site.json". */
static size_t own_length(const char *word, const char *name)
{
    size_t n = strlen(word), m = strlen(name), same = 0;
    const char *dot = strrchr(word, '.');
    size_t ending = dot && dot != word ? strlen(dot) : 0;
    while (same < ending && same < m && word[n - 1 - same] == name[m - 1 - same])
        same++;
    return m - (same == ending ? ending : 0);
}

/* The nearer of two names to word, the first of the alphabet where both are as near, so that the
 * order of a directory does not matter. */
static const char *nearer(const char *word, const char *a, const char *b)
{
    char own[2][NAME_MAX + 1];
    bool is_turned = strcmp(a, b) > 0;
    const char *names[] = {is_turned ? b : a, is_turned ? a : b};
    for (int i = 0; i < 2; i++)
        snprintf(own[i], sizeof own[i], "%.*s", (int)own_length(word, names[i]), names[i]);
    bool is_same_ending = own_length(word, a) < strlen(a) || own_length(word, b) < strlen(b);
    size_t length = is_same_ending ? own_length(word, word) : strlen(word);
    const char *const both[] = {own[0], own[1]};
    const char *found = hc_nearest(word, length, both, 2);
    return found ? names[found == own[1]] : NULL;
}

/* Whether word is the name up to its ending: "scenario" of "scenario.json". */
static bool is_without_ending(const char *word, const char *name)
{
    size_t n = strlen(word);
    return n > 0 && strncmp(name, word, n) == 0 && name[n] == '.';
}

bool hc_near_file(const char *path, char *found, size_t size)
{
    const char *base = base_of(path);
    char directory[512] = ".", best[NAME_MAX + 1] = "";
    int length = (int)(base - path);
    if (length && snprintf(directory, sizeof directory, "%.*s", length, path) >= 512)
        return false;
    DIR *listing = opendir(directory);
    struct dirent *entry = NULL;
    for (int i = 0; listing && i < MOST_LOOKED_AT && (entry = readdir(listing)); i++) {
        /* Hidden files are meant by hidden names only; the name itself is a link to nowhere. */
        bool is_passed =
            (entry->d_name[0] == '.') != (base[0] == '.') || !strcmp(entry->d_name, base);
        const char *name = is_passed ? "" : entry->d_name;
        if (is_without_ending(base, name) || nearer(base, best, name) == name)
            snprintf(best, sizeof best, "%s", name);
    }
    if (listing)
        closedir(listing);
    return best[0] && snprintf(found, size, "%.*s%s", length, path, best) < (int)size;
}

/* Whether word ends in '.' and some letters, the first of which is none of a number's. */
static bool has_ending(const char *word)
{
    const char *dot = strrchr(base_of(word), '.');
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t length = dot ? strspn(dot + 1, letters) : 0;
    return length > 0 && length <= MOST_ENDING && !dot[length + 1] && dot != word &&
           (dot[1] < '0' || dot[1] > '9');
}

bool hc_looks_like_file(const char *word)
{
    return word[0] == '/' || strncmp(word, "./", 2) == 0 || strncmp(word, "../", 3) == 0 ||
           word[strlen(word) - (*word != '\0')] == '/' || has_ending(word);
}

enum hc_status hc_fail_open(struct hc_error *err, const char *path)
{
    char near[1024];
    int why = errno;
    if (why == ENOENT && strstr(path, "://"))
        return hc_fail(err, HC_IO,
                       "'%s' is an address: download it first, hindcast reads files only", path);
    if (why == ENOENT && strpbrk(path, "*?["))
        return hc_fail(err, HC_IO, "cannot open '%s': no file matches that pattern", path);
    if (why == ENOENT && hc_near_file(path, near, sizeof near))
        return hc_fail(err, HC_IO, "cannot open '%s': %s (did you mean '%s'?)", path, strerror(why),
                       near);
    errno = why;
    return hc_fail_errno(err, "cannot open", path);
}
