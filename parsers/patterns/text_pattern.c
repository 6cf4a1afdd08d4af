#include "parsers/patterns/text_pattern.h"

#include "core/base/memory.h"
#include "parsers/patterns/pattern_shape.h"

#include <stdlib.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define BYTES_A_STEP 16    /* that are passed over */
#define HEAP_KIB     65536 /* for places to go back to: 200,000 steps need less */

/* Machine code counts its loops only, anew at each place where a match may begin. So it gets few
 * of them a place, in short texts, where the expression has few ways between two of them. */
#define QUICK_BYTES 2048
#define QUICK_LOOPS 32768 /* in all of a text */
#define QUICK_WAYS  128

struct hc_text_pattern {
    pcre2_general_context *memory;
    pcre2_compile_context *compiling;
    pcre2_code *code;
    pcre2_code *counted; /* the same, with a call before each part; NULL until it is needed */
    pcre2_match_data *match;
    pcre2_match_context *limits;
    char *expression;
    size_t length, n_groups;
    bool is_translated; /* to machine code */
    bool is_quick;      /* machine code may be tried */
    struct hc_pattern_use use;
};

/* ---- making ---- */

/* Without memory the library says that an expression is wrong, or that a line does not match. */
static void *take_memory(size_t size, void *context)
{
    (void)context;
    return hc_library_malloc(size);
}

static void give_memory(void *memory, void *context)
{
    (void)context;
    free(memory);
}

static enum hc_status wrong(struct hc_pattern_mistake *mistake, int code, size_t offset,
                            struct hc_matched expression, struct hc_error *err)
{
    mistake->offset = offset;
    pcre2_get_error_message(code, (PCRE2_UCHAR *)mistake->why, sizeof mistake->why);
    return hc_fail(err, HC_BAD_INPUT, "'%.*s' is no regular expression: %s, at letter %zu",
                   expression.length < 200 ? (int)expression.length : 200, expression.text,
                   mistake->why, offset + 1);
}

static enum hc_status prepare(struct hc_text_pattern *pattern, struct hc_error *err)
{
    uint32_t groups = 0;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (groups >= HC_PATTERN_MOST_GROUPS)
        return hc_fail(err, HC_BAD_INPUT, "has more than %d groups", HC_PATTERN_MOST_GROUPS - 1);
    pattern->n_groups = groups;
    pattern->is_quick = hc_pattern_ways(pattern->expression, pattern->length) <= QUICK_WAYS;
    pattern->match = pcre2_match_data_create_from_pattern(pattern->code, pattern->memory);
    pattern->limits = pcre2_match_context_create(pattern->memory);
    pcre2_set_heap_limit(pattern->limits, HEAP_KIB);
    return HC_OK;
}

enum hc_status hc_text_pattern_make(struct hc_text_pattern **pattern, struct hc_matched expression,
                                    struct hc_pattern_mistake *mistake, struct hc_error *err)
{
    int code = 0;
    PCRE2_SIZE offset = 0;
    struct hc_pattern_mistake own;
    *pattern = NULL;
    struct hc_text_pattern *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    made->length = expression.length;
    made->expression = hc_new_array(expression.length + 1, 1, err);
    enum hc_status status = made->expression ? HC_OK : err->status;
    if (!status && expression.length)
        memcpy(made->expression, expression.text, expression.length);
    made->memory = pcre2_general_context_create(take_memory, give_memory, NULL);
    made->compiling = pcre2_compile_context_create(made->memory);
    if (!status)
        made->code = pcre2_compile((PCRE2_SPTR)made->expression, made->length,
                                   PCRE2_NEVER_BACKSLASH_C, &code, &offset, made->compiling);
    if (!status && !made->code)
        status = wrong(mistake ? mistake : &own, code, offset, expression, err);
    if (status || prepare(made, err)) {
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
    pcre2_code_free(pattern->counted);
    pcre2_match_data_free(pattern->match);
    pcre2_match_context_free(pattern->limits);
    pcre2_compile_context_free(pattern->compiling);
    pcre2_general_context_free(pattern->memory);
    free(pattern->expression);
    free(pattern);
}

size_t hc_text_pattern_groups(const struct hc_text_pattern *pattern)
{
    return pattern->n_groups;
}

size_t hc_text_pattern_names(const struct hc_text_pattern *pattern)
{
    uint32_t n = 0;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMECOUNT, &n);
    return n;
}

/* The library's table: two bytes of number, then the name, in entries of one size. */
const char *hc_text_pattern_name(const struct hc_text_pattern *pattern, size_t i, size_t *number)
{
    uint32_t size = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMETABLE, &table);
    const unsigned char *entry = table + i * size;
    *number = (size_t)entry[0] << 8 | entry[1];
    return (const char *)entry + 2;
}

const char *hc_text_pattern_group(const struct hc_text_pattern *pattern, size_t i)
{
    for (size_t k = 0; k < hc_text_pattern_names(pattern); k++) {
        size_t number;
        const char *name = hc_text_pattern_name(pattern, k, &number);
        if (number == i)
            return name;
    }
    return NULL;
}

/* ---- searching by steps that are counted ---- */

struct count {
    const struct hc_text_pattern *pattern;
    int64_t steps, most;
    size_t at; /* where the last part was tried */
};

/* The longest text that a group holds: what comparing with it may pass over. */
static size_t longest_group(const pcre2_callout_block *now)
{
    size_t longest = 0;
    for (uint32_t i = 1; i < now->capture_top; i++) {
        size_t from = now->offset_vector[2 * (size_t)i], to = now->offset_vector[2 * (size_t)i + 1];
        if (from != PCRE2_UNSET && to != PCRE2_UNSET && to > from && to - from > longest)
            longest = to - from;
    }
    return longest;
}

/* Called before each part of the expression. What the part before has passed over shows in the
 * place; what this one may pass over and not find is reckoned before. */
static int take_step(pcre2_callout_block *now, void *context)
{
    struct count *count = context;
    size_t at = now->current_position, passed = at > count->at ? at - count->at : count->at - at;
    const char *part = count->pattern->expression + now->pattern_position;
    passed += hc_pattern_part_bytes(part, now->next_item_length);
    if (hc_pattern_part_refers(part, now->next_item_length))
        passed += longest_group(now);
    count->at = at;
    count->steps += 1 + (int64_t)(passed / BYTES_A_STEP);
    return count->steps > count->most ? PCRE2_ERROR_CALLOUT : 0;
}

static bool compile_counted(struct hc_text_pattern *pattern)
{
    int code;
    PCRE2_SIZE offset;
    if (!pattern->counted)
        pattern->counted = pcre2_compile((PCRE2_SPTR)pattern->expression, pattern->length,
                                         PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT, &code,
                                         &offset, pattern->compiling);
    return pattern->counted != NULL;
}

static bool match_counted(struct hc_text_pattern *pattern, const char *text, size_t length)
{
    struct count count = {pattern, 0, HC_PATTERN_STEPS + HC_PATTERN_STEPS_A_BYTE * (int64_t)length,
                          0};
    int result = PCRE2_ERROR_NOMEMORY;
    if (compile_counted(pattern)) {
        pcre2_set_match_limit(pattern->limits, UINT32_MAX); /* the steps are the limit */
        pcre2_set_callout(pattern->limits, take_step, &count);
        result = pcre2_match(pattern->counted, (PCRE2_SPTR)text, length, 0, 0, pattern->match,
                             pattern->limits);
        pcre2_set_callout(pattern->limits, NULL, NULL);
    }
    pattern->use.n_counted++;
    pattern->use.n_given_up += result < 0 && result != PCRE2_ERROR_NOMATCH;
    if (count.steps > pattern->use.most_steps)
        pattern->use.most_steps = count.steps;
    return result >= 0;
}

/* ---- searching ---- */

/* Most logs have no line of most patterns, and to translate all of them takes longer than to read a
 * short log: so that is done at the first line. */
static void translate(struct hc_text_pattern *pattern)
{
    pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE); /* without it, it is slower */
    pattern->is_translated = true;
}

bool hc_text_pattern_match(const struct hc_text_pattern *given, const char *text, size_t length)
{
    struct hc_text_pattern *pattern = (struct hc_text_pattern *)given; /* its use is kept in it */
    if (!pattern->is_quick || length > QUICK_BYTES)
        return match_counted(pattern, text, length);
    if (!pattern->is_translated)
        translate(pattern);
    pcre2_set_match_limit(pattern->limits, (uint32_t)(QUICK_LOOPS / (length + 1)));
    int result =
        pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, 0, pattern->match, pattern->limits);
    return result >= 0 || (result != PCRE2_ERROR_NOMATCH && match_counted(pattern, text, length));
}

struct hc_matched hc_text_pattern_text(const struct hc_text_pattern *pattern, size_t i,
                                       const char *text)
{
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(pattern->match) + 2 * i;
    if (i > pattern->n_groups || at[0] == PCRE2_UNSET || at[1] < at[0])
        return (struct hc_matched){text, 0};
    return (struct hc_matched){text + at[0], at[1] - at[0]};
}

bool hc_text_pattern_find(const struct hc_text_pattern *pattern, const char *text, size_t length,
                          struct hc_matched groups[HC_PATTERN_MOST_GROUPS])
{
    bool is_found = hc_text_pattern_match(pattern, text, length);
    for (size_t i = 0; i <= pattern->n_groups; i++)
        groups[i] = is_found ? hc_text_pattern_text(pattern, i, text) : (struct hc_matched){"", 0};
    return is_found;
}

struct hc_matched hc_text_pattern_named(const struct hc_text_pattern *pattern, const char *text,
                                        const char *name)
{
    if (pattern && hc_text_pattern_match(pattern, text, strlen(text)))
        for (size_t i = 0; i < hc_text_pattern_names(pattern); i++) {
            size_t number;
            if (strcmp(hc_text_pattern_name(pattern, i, &number), name) == 0)
                return hc_text_pattern_text(pattern, number, text);
        }
    return (struct hc_matched){"", 0};
}

/* ---- what it took ---- */

struct hc_pattern_use hc_text_pattern_use(const struct hc_text_pattern *pattern)
{
    return pattern->use;
}
