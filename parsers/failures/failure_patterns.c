#include "parsers/failures/failure_patterns.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/needle_set.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PATTERNS 1000
/* Steps of backtracking in one line; an expression that needs more does not match. */
#define MATCH_LIMIT 200000

enum group {
    GROUP_NAME,
    GROUP_CODE,
    GROUP_NODE,
    GROUP_DEVICE,
    GROUP_GPU,
    GROUP_JOB,
    GROUP_RANK,
    GROUP_PID,
    GROUP_PROCESS,
    GROUP_TIME,
    GROUP_TIMEOUT_MS,
    GROUP_RAN_MS,
    N_GROUPS
};

static const char *const group_names[N_GROUPS] = {
    "name", "code", "node",    "device", "gpu",        "job",
    "rank", "pid",  "process", "time",   "timeout_ms", "ran_ms",
};

struct pattern {
    char *section, *name, *literal;
    int event_class, effect; /* -1: not said yet */
    int64_t line;            /* where its section begins */
    pcre2_code *code;
    int group[N_GROUPS]; /* number of that group; 0: none */
    int32_t next;        /* the next pattern of the same literal, or -1 */
};

struct hc_failure_patterns {
    size_t n;
    struct pattern pattern[MOST_PATTERNS];
    struct hc_needle_set *needles;
    pcre2_match_data *match;
    pcre2_match_context *limits;
};

/* ---- the text of patterns ---- */

struct reading {
    struct hc_failure_patterns *patterns;
    const char *name; /* of the file */
    int64_t line;
};

static enum hc_status wrong(const struct reading *r, struct hc_error *err, const char *what,
                            struct hc_event_text value)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: %s '%s'", r->name, (long long)r->line, what,
                   hc_printable(value.text, value.length).text);
}

static struct hc_event_text trim(struct hc_event_text text)
{
    while (text.length && (*text.text == ' ' || *text.text == '\t'))
        text = (struct hc_event_text){text.text + 1, text.length - 1};
    while (text.length && strchr(" \t\r", text.text[text.length - 1]))
        text.length--;
    return text;
}

static enum hc_status compile(const struct reading *r, struct pattern *p,
                              struct hc_event_text value, struct hc_error *err)
{
    int code;
    size_t offset;
    if (p->code)
        return wrong(r, err, "a second regex in",
                     (struct hc_event_text){p->section, strlen(p->section)});
    p->code = pcre2_compile((PCRE2_SPTR)value.text, value.length, 0, &code, &offset, NULL);
    if (!p->code) {
        PCRE2_UCHAR why[120];
        pcre2_get_error_message(code, why, sizeof why);
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: regex, at its byte %zu: %s", r->name,
                       (long long)r->line, offset + 1, (const char *)why);
    }
    pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* where the machine has none, it is slower */
    for (int g = 0; g < N_GROUPS; g++) {
        int number = pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)group_names[g]);
        p->group[g] = number > 0 ? number : 0;
    }
    return HC_OK;
}

/* Every named group must be a column: a mistyped one would be lost without a word. */
static enum hc_status check_groups(const struct reading *r, const struct pattern *p,
                                   struct hc_error *err)
{
    uint32_t n = 0, size = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &n);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
    for (uint32_t i = 0; i < n; i++, table += size) {
        const char *name = (const char *)table + 2;
        int g = 0;
        while (g < N_GROUPS && strcmp(name, group_names[g]) != 0)
            g++;
        if (g == N_GROUPS)
            return wrong(r, err, "no column for the group",
                         (struct hc_event_text){name, strlen(name)});
    }
    return HC_OK;
}

static enum hc_status put_text(char **to, struct hc_event_text value, struct hc_error *err)
{
    free(*to);
    *to = hc_new_text(err, "%.*s", (int)value.length, value.text);
    return *to ? HC_OK : err->status;
}

static bool is(struct hc_event_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

static enum hc_status set_key(const struct reading *r, struct pattern *p, struct hc_event_text key,
                              struct hc_event_text value, struct hc_error *err)
{
    struct hc_event_text bare = trim(value);
    if (is(key, "class")) {
        p->event_class = hc_event_class_find(bare.text, bare.length);
        return p->event_class < 0 ? wrong(r, err, "unknown class", bare) : HC_OK;
    }
    if (is(key, "effect")) {
        p->effect = hc_event_effect_find(bare.text, bare.length);
        return p->effect < 0 ? wrong(r, err, "unknown effect", bare) : HC_OK;
    }
    if (is(key, "name"))
        return put_text(&p->name, bare, err);
    if (is(key, "literal")) /* blanks at its ends count, but for the one behind the sign */
        return value.length < 4 ? wrong(r, err, "fewer than four bytes of literal", value)
                                : put_text(&p->literal, value, err);
    if (is(key, "regex")) {
        if (compile(r, p, bare, err))
            return err->status;
        return check_groups(r, p, err);
    }
    return wrong(r, err, "unknown key", key);
}

static enum hc_status check_whole(struct reading *r, struct hc_error *err)
{
    const struct hc_failure_patterns *patterns = r->patterns;
    if (patterns->n == 0)
        return HC_OK;
    const struct pattern *p = &patterns->pattern[patterns->n - 1];
    const char *lacks = p->event_class < 0 ? "class"
                        : p->effect < 0    ? "effect"
                        : !p->literal      ? "literal"
                        : !p->code         ? "regex"
                                           : NULL;
    if (!lacks)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: pattern '%s' has no %s", r->name,
                   (long long)p->line, hc_printable(p->section, strlen(p->section)).text, lacks);
}

static enum hc_status begin_pattern(struct reading *r, struct hc_event_text text,
                                    struct hc_error *err)
{
    struct hc_failure_patterns *patterns = r->patterns;
    if (check_whole(r, err))
        return err->status;
    if (patterns->n == MOST_PATTERNS || text.length < 3 || text.text[text.length - 1] != ']')
        return wrong(r, err,
                     patterns->n == MOST_PATTERNS ? "too many patterns before"
                                                  : "not the beginning of a pattern, as '[name]':",
                     text);
    struct pattern *p = &patterns->pattern[patterns->n++];
    *p = (struct pattern){.event_class = -1, .effect = -1, .line = r->line};
    return put_text(&p->section, (struct hc_event_text){text.text + 1, text.length - 2}, err);
}

static enum hc_status read_line(struct reading *r, struct hc_event_text line, size_t first,
                                struct hc_error *err)
{
    struct hc_event_text text = trim(line);
    if (text.length == 0 || *text.text == '#')
        return HC_OK;
    if (*text.text == '[')
        return begin_pattern(r, text, err);
    const char *sign = memchr(line.text, '=', line.length);
    if (!sign || r->patterns->n == first)
        return wrong(r, err, sign ? "a key before the first pattern:" : "no 'KEY = VALUE':", text);
    struct hc_event_text key = trim((struct hc_event_text){line.text, (size_t)(sign - line.text)});
    struct hc_event_text value = {sign + 1, (size_t)(line.text + line.length - sign - 1)};
    if (value.length && *value.text == ' ')
        value = (struct hc_event_text){value.text + 1, value.length - 1};
    if (value.length && value.text[value.length - 1] == '\r')
        value.length--;
    return set_key(r, &r->patterns->pattern[r->patterns->n - 1], key, value, err);
}

static enum hc_status read_text(struct hc_failure_patterns *patterns, struct hc_pattern_text from,
                                struct hc_error *err)
{
    struct reading r = {patterns, from.name, 0};
    size_t first = patterns->n;
    for (const char *at = from.text; at && *at;) {
        size_t length = strcspn(at, "\n");
        r.line++;
        if (read_line(&r, (struct hc_event_text){at, length}, first, err))
            return err->status;
        at += length + (at[length] == '\n');
    }
    return patterns->n > first ? check_whole(&r, err) : HC_OK;
}

static enum hc_status make_needles(struct hc_failure_patterns *patterns, struct hc_error *err)
{
    struct hc_needle needles[MOST_PATTERNS];
    for (size_t i = 0; i < patterns->n; i++) {
        struct pattern *p = &patterns->pattern[i];
        needles[i] = (struct hc_needle){p->literal, strlen(p->literal)};
        p->next = -1;
        for (size_t k = i + 1; k < patterns->n && p->next < 0; k++)
            if (strcmp(patterns->pattern[k].literal, p->literal) == 0)
                p->next = (int32_t)k;
    }
    return hc_needle_set_make(&patterns->needles, needles, patterns->n, err);
}

enum hc_status hc_failure_patterns_make(struct hc_failure_patterns **patterns,
                                        struct hc_pattern_text site, struct hc_error *err)
{
    const struct hc_pattern_text ours = {"data/patterns/failures.conf", hc_failure_patterns_text};
    *patterns = NULL;
    struct hc_failure_patterns *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    enum hc_status status = read_text(made, site, err);
    if (!status)
        status = read_text(made, ours, err);
    if (!status)
        status = make_needles(made, err);
    made->match = pcre2_match_data_create(40, NULL);
    made->limits = pcre2_match_context_create(NULL);
    if (!status && (!made->match || !made->limits))
        status = hc_fail_memory(err, 0);
    if (status) {
        hc_failure_patterns_free(made);
        return status;
    }
    pcre2_set_match_limit(made->limits, MATCH_LIMIT);
    *patterns = made;
    return HC_OK;
}

void hc_failure_patterns_free(struct hc_failure_patterns *patterns)
{
    if (!patterns)
        return;
    for (size_t i = 0; i < patterns->n; i++) {
        free(patterns->pattern[i].section);
        free(patterns->pattern[i].name);
        free(patterns->pattern[i].literal);
        pcre2_code_free(patterns->pattern[i].code);
    }
    hc_needle_set_free(patterns->needles);
    pcre2_match_data_free(patterns->match);
    pcre2_match_context_free(patterns->limits);
    free(patterns);
}

/* ---- matching ---- */

bool hc_failure_may_match(const struct hc_failure_patterns *patterns, const char *line,
                          size_t length)
{
    size_t at = 0;
    return hc_needle_set_find(patterns->needles, line, length, &at) >= 0;
}

static struct hc_event_text group_of(const struct hc_failure_patterns *patterns,
                                     const struct pattern *p, struct hc_event_text line,
                                     enum group g)
{
    const size_t *places = pcre2_get_ovector_pointer(patterns->match);
    uint32_t n = pcre2_get_ovector_count(patterns->match);
    size_t number = (size_t)p->group[g];
    if (number == 0 || number >= n || places[2 * number] == PCRE2_UNSET)
        return (struct hc_event_text){line.text, 0};
    return (struct hc_event_text){line.text + places[2 * number],
                                  places[2 * number + 1] - places[2 * number]};
}

/* Plain digits, with a sign perhaps; else HC_MISSING_I64. */
static int64_t number_of(struct hc_event_text text)
{
    bool is_negative = text.length && *text.text == '-';
    int64_t sum = 0;
    size_t n = is_negative;
    for (; n < text.length && n < 18 && text.text[n] >= '0' && text.text[n] <= '9'; n++)
        sum = sum * 10 + (text.text[n] - '0');
    if (n == (size_t)is_negative || n < text.length)
        return HC_MISSING_I64;
    return is_negative ? -sum : sum;
}

static int32_t small_number_of(struct hc_event_text text)
{
    int64_t value = number_of(text);
    return value > INT32_MIN && value <= INT32_MAX ? (int32_t)value : HC_MISSING_I32;
}

static void put_groups(const struct hc_failure_patterns *patterns, const struct pattern *p,
                       struct hc_event_text line, struct hc_event *event,
                       struct hc_failure_groups *groups)
{
    struct hc_event_text text[N_GROUPS];
    for (int g = 0; g < N_GROUPS; g++)
        text[g] = group_of(patterns, p, line, (enum group)g);
    if (text[GROUP_NAME].length)
        event->name = text[GROUP_NAME];
    if (text[GROUP_NODE].length)
        event->node = text[GROUP_NODE];
    if (text[GROUP_DEVICE].length)
        event->device = text[GROUP_DEVICE];
    if (text[GROUP_PROCESS].length)
        event->process = text[GROUP_PROCESS];
    if (text[GROUP_JOB].length)
        event->job = number_of(text[GROUP_JOB]);
    if (text[GROUP_PID].length)
        event->pid = number_of(text[GROUP_PID]);
    if (text[GROUP_CODE].length)
        event->code = small_number_of(text[GROUP_CODE]);
    if (text[GROUP_RANK].length)
        event->rank = small_number_of(text[GROUP_RANK]);
    groups->time = text[GROUP_TIME];
    groups->timeout_ms = number_of(text[GROUP_TIMEOUT_MS]);
    groups->ran_ms = number_of(text[GROUP_RAN_MS]);
    int32_t gpu = small_number_of(text[GROUP_GPU]);
    if (gpu != HC_MISSING_I32) {
        int n = snprintf(groups->device, sizeof groups->device, "GPU %d", gpu);
        event->device = (struct hc_event_text){groups->device, (size_t)n};
    }
}

static bool matches(const struct hc_failure_patterns *patterns, int32_t i,
                    struct hc_event_text line)
{
    return pcre2_match(patterns->pattern[i].code, (PCRE2_SPTR)line.text, line.length, 0, 0,
                       patterns->match, patterns->limits) >= 0;
}

/* The first pattern that knows the line, whose groups are then in patterns->match; or -1. */
static int32_t find_pattern(const struct hc_failure_patterns *patterns, struct hc_event_text line)
{
    int32_t best = -1, last = -1;
    for (size_t at = 0; at < line.length;) {
        int32_t i = hc_needle_set_find(patterns->needles, line.text, line.length, &at);
        for (; i >= 0 && (best < 0 || i < best); i = patterns->pattern[i].next) {
            last = i;
            if (matches(patterns, i, line))
                best = i;
        }
    }
    return best < 0 || best == last || matches(patterns, best, line) ? best : -1;
}

bool hc_failure_match(const struct hc_failure_patterns *patterns, struct hc_event_text line,
                      struct hc_event *event, struct hc_failure_groups *groups)
{
    int32_t best = find_pattern(patterns, line);
    if (best < 0)
        return false;
    const struct pattern *p = &patterns->pattern[best];
    event->event_class = (enum hc_event_class)p->event_class;
    event->effect = (enum hc_event_effect)p->effect;
    event->message = line;
    if (p->name)
        event->name = (struct hc_event_text){p->name, strlen(p->name)};
    put_groups(patterns, p, line, event, groups);
    return true;
}
