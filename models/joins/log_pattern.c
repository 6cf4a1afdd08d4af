#include "models/joins/log_pattern.h"

#include "core/base/missing.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add(struct hc_log_names *names, size_t *used, const char *text, size_t length)
{
    if (*used + length >= sizeof names->text)
        return false;
    memcpy(names->text + *used, text, length);
    *used += length;
    names->text[*used] = '\0';
    return true;
}

static bool add_any(struct hc_log_names *names, size_t *used)
{
    names->is_glob = true;
    return add(names, used, "*", 1);
}

static bool add_number(struct hc_log_names *names, size_t *used, int64_t number, int width)
{
    char text[64];
    if (number == HC_MISSING_I64)
        return add_any(names, used);
    int n = snprintf(text, sizeof text, "%0*" PRId64, width, number);
    return add(names, used, text, (size_t)n);
}

static bool add_text(struct hc_log_names *names, size_t *used, const char *text)
{
    return text ? add(names, used, text, strlen(text)) : add_any(names, used);
}

static int64_t wide(int32_t number)
{
    return number == HC_MISSING_I32 ? HC_MISSING_I64 : number;
}

/* One symbol, its letter and the width before it. */
static bool add_symbol(struct hc_log_names *names, size_t *used, char symbol, int width,
                       const struct hc_log_fields *fields)
{
    bool is_array = fields->array_task != HC_MISSING_I32;
    names->has_number |= strchr("jAJ", symbol) != NULL;
    switch (symbol) {
    case '%':
        return add(names, used, "%", 1);
    case 'j':
    case 'J':
        return add_number(names, used, fields->raw_job, width);
    case 'A':
        return add_number(names, used, fields->job, width);
    case 'a': /* of a job that is no array Slurm writes the number 4294967294 */
        return add_number(names, used, is_array ? fields->array_task : 4294967294, width);
    case 'b':
        return add_number(names, used, is_array ? wide(fields->array_task % 10) : HC_MISSING_I64,
                          width);
    case 'x':
        return add_text(names, used, fields->name);
    case 'u':
        return add_text(names, used, fields->user);
    default:
        return add_any(names, used);
    }
}

bool hc_log_pattern_expand(const char *pattern, const struct hc_log_fields *fields,
                           struct hc_log_names *names)
{
    size_t used = 0;
    names->text[0] = '\0';
    names->is_glob = names->has_number = false;
    if (pattern[0] != '/' && fields->work_dir &&
        !(add(names, &used, fields->work_dir, strlen(fields->work_dir)) &&
          add(names, &used, "/", 1)))
        return false;
    for (const char *c = pattern; *c; c++) {
        if (*c == '/')
            names->has_number = false;
        if (*c != '%' || !c[1]) {
            if (!add(names, &used, c, 1))
                return false;
            continue;
        }
        int width = 0;
        for (c++; isdigit((unsigned char)*c) && c[1]; c++)
            width = width < 10 ? width * 10 + *c - '0' : width;
        if (!add_symbol(names, &used, *c, width < 10 ? width : 10, fields))
            return false;
    }
    return true;
}

/* The start of the component that ends before `end`. */
static const char *component(const char *text, const char *end)
{
    while (end > text && end[-1] != '/')
        end--;
    return end;
}

static bool is_same(const struct hc_log_names *names, const char *a, size_t a_length, const char *b,
                    size_t b_length)
{
    char pattern[512], text[512];
    if (!names->is_glob || !memchr(a, '*', a_length))
        return a_length == b_length && memcmp(a, b, a_length) == 0;
    if (a_length >= sizeof pattern || b_length >= sizeof text)
        return false;
    memcpy(pattern, a, a_length);
    memcpy(text, b, b_length);
    pattern[a_length] = text[b_length] = '\0';
    return fnmatch(pattern, text, FNM_NOESCAPE) == 0;
}

int32_t hc_log_pattern_agree(const struct hc_log_names *names, const char *path)
{
    const char *a_end = names->text + strlen(names->text), *b_end = path + strlen(path);
    for (int32_t n = 0;; n++) {
        const char *a = component(names->text, a_end), *b = component(path, b_end);
        if (!is_same(names, a, (size_t)(a_end - a), b, (size_t)(b_end - b)))
            return n;
        if (a == names->text || b == path)
            return a == names->text && b == path ? INT32_MAX : n + 1;
        a_end = a - 1;
        b_end = b - 1;
    }
}

/* A whole number that stands alone between letters and digits: "70" in "a-70_3.out", "logs/70/a".
 * Moves *at behind it; false at the end of the text. */
static bool next_number(const char **at, const char *path, int64_t *number)
{
    for (const char *c = *at; *c;) {
        size_t n = strspn(c, "0123456789");
        bool stands_alone = n > 0 && n < 16 && (c == path || !isalnum((unsigned char)c[-1])) &&
                            !isalnum((unsigned char)c[n]);
        if (stands_alone)
            *number = strtoll(c, NULL, 10);
        *at = c += n ? n : 1;
        if (stands_alone)
            return true;
    }
    return false;
}

enum hc_log_number hc_log_number_in(const char *path, const struct hc_log_fields *fields)
{
    bool is_array = fields->array_task != HC_MISSING_I32;
    enum hc_log_number best = HC_LOG_NO_NUMBER;
    int64_t number, task;
    for (const char *at = path; next_number(&at, path, &number);) {
        const char *behind = at;
        enum hc_log_number is = HC_LOG_NO_NUMBER;
        if (is_array && number == fields->job && *at && strchr("_-.", *at) &&
            next_number(&behind, path, &task) && task == fields->array_task &&
            strspn(at + 1, "0123456789") > 0)
            is = HC_LOG_TASK;
        else if (number == fields->raw_job && !(is_array && number == fields->job))
            is = HC_LOG_ALLOCATION; /* the last task has the number of its array */
        else if (number == fields->job)
            is = HC_LOG_JOB;
        best = is > best ? is : best;
    }
    return best;
}
