#include "parsers/io/text_pattern.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define MATCH_LIMIT 100000 /* steps of a match; an expression that needs more is no good */

struct hc_text_pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    size_t n_groups;
    char *name[HC_PATTERN_MOST_GROUPS];
};

/* The names of its groups, from the table that the library keeps: two bytes of number, then the
 * name, in entries of one size. */
static enum hc_status read_names(struct hc_text_pattern *pattern, struct hc_error *err)
{
    uint32_t n = 0, size = 0, groups = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMECOUNT, &n);
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMETABLE, &table);
    if (groups >= HC_PATTERN_MOST_GROUPS)
        return hc_fail(err, HC_BAD_INPUT, "has more than %d groups", HC_PATTERN_MOST_GROUPS - 1);
    pattern->n_groups = groups;
    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *entry = table + (size_t)i * size;
        size_t number = (size_t)entry[0] << 8 | entry[1];
        if (!(pattern->name[number] = hc_copy_text((const char *)entry + 2, err)))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_text_pattern_make(struct hc_text_pattern **pattern, const char *expression,
                                    struct hc_error *err)
{
    int code = 0;
    PCRE2_SIZE offset = 0;
    *pattern = NULL;
    struct hc_text_pattern *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    made->code = pcre2_compile((PCRE2_SPTR)expression, strlen(expression), PCRE2_NEVER_BACKSLASH_C,
                               &code, &offset, NULL);
    if (!made->code) {
        PCRE2_UCHAR why[128] = "";
        pcre2_get_error_message(code, why, sizeof why);
        hc_fail(err, HC_BAD_INPUT, "'%.200s' is no regular expression: %s, at letter %zu",
                expression, (const char *)why, (size_t)offset + 1);
    } else {
        pcre2_jit_compile(made->code, PCRE2_JIT_COMPLETE); /* where there is none, it is slower */
        made->match = pcre2_match_data_create(HC_PATTERN_MOST_GROUPS, NULL);
        made->limits = pcre2_match_context_create(NULL);
        if (!made->match || !made->limits)
            hc_fail_memory(err, 1);
        else
            pcre2_set_match_limit(made->limits, MATCH_LIMIT);
    }
    if (err->status || read_names(made, err)) {
        hc_text_pattern_free(made);
        return err->status;
    }
    *pattern = made;
    return HC_OK;
}

void hc_text_pattern_free(struct hc_text_pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->code);
    pcre2_match_data_free(pattern->match);
    pcre2_match_context_free(pattern->limits);
    for (size_t i = 0; i < HC_PATTERN_MOST_GROUPS; i++)
        free(pattern->name[i]);
    free(pattern);
}

size_t hc_text_pattern_groups(const struct hc_text_pattern *pattern)
{
    return pattern->n_groups;
}

const char *hc_text_pattern_group(const struct hc_text_pattern *pattern, size_t i)
{
    return i < HC_PATTERN_MOST_GROUPS ? pattern->name[i] : NULL;
}

bool hc_text_pattern_find(const struct hc_text_pattern *pattern, const char *text, size_t length,
                          struct hc_matched groups[HC_PATTERN_MOST_GROUPS])
{
    int n =
        pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, 0, pattern->match, pattern->limits);
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(pattern->match);
    for (size_t i = 0; i < HC_PATTERN_MOST_GROUPS; i++) {
        bool is_there = n > 0 && i < (size_t)n && at[2 * i] != PCRE2_UNSET;
        groups[i] = is_there ? (struct hc_matched){text + at[2 * i], at[2 * i + 1] - at[2 * i]}
                             : (struct hc_matched){"", 0};
    }
    return n > 0;
}

struct hc_matched hc_text_pattern_named(const struct hc_text_pattern *pattern, const char *text,
                                        const char *name)
{
    struct hc_matched groups[HC_PATTERN_MOST_GROUPS], none = {"", 0};
    if (!pattern || !hc_text_pattern_find(pattern, text, strlen(text), groups))
        return none;
    for (size_t i = 1; i <= pattern->n_groups; i++)
        if (pattern->name[i] && strcmp(pattern->name[i], name) == 0)
            return groups[i];
    return none;
}
