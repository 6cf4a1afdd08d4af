#include "parsers/failures/failure_patterns.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/needle_set.h"
#include "parsers/failures/pattern_file.h"
#include "parsers/patterns/pattern_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    char *name, *literal;
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    char *section; /* for people: "pattern [nccl] of FILE" */
    struct hc_text_pattern *regex;
    size_t group[N_GROUPS]; /* number of that group; 0: none */
    int32_t next;           /* the next pattern whose literal may begin at the same place, or -1 */
};

struct hc_failure_patterns {
    size_t n, capacity;
    struct pattern *pattern;
    struct hc_needle_set *needles;
};

/* ---- the text of patterns ---- */

/* Every named group must be a column: a mistyped one would be lost without a word. */
static enum hc_status find_groups(const struct hc_pattern_section *section, struct pattern *p,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < hc_text_pattern_names(p->regex); i++) {
        size_t number;
        const char *name = hc_text_pattern_name(p->regex, i, &number);
        int g = 0;
        while (g < N_GROUPS && strcmp(name, group_names[g]) != 0)
            g++;
        if (g == N_GROUPS)
            return hc_pattern_wrong_group(section, name, err);
        p->group[g] = number;
    }
    return HC_OK;
}

static enum hc_status put_text(char **to, const struct hc_pattern_section *section,
                               enum hc_pattern_key key, struct hc_error *err)
{
    struct hc_event_text value = section->value[key].text;
    if (!hc_pattern_has(section, key))
        return HC_OK;
    *to = hc_new_text(err, "%.*s", (int)value.length, value.text);
    return *to ? HC_OK : err->status;
}

static enum hc_status put_section(const struct hc_pattern_section *section, struct pattern *p,
                                  struct hc_error *err)
{
    static const enum hc_pattern_key needed[] = {HC_PATTERN_CLASS, HC_PATTERN_EFFECT};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!hc_pattern_has(section, needed[i]))
            return hc_pattern_lacks(section, needed[i], err);
    struct hc_event_text class_word = section->value[HC_PATTERN_CLASS].text;
    struct hc_event_text effect_word = section->value[HC_PATTERN_EFFECT].text;
    int event_class = hc_event_class_find(class_word.text, class_word.length);
    int effect = hc_event_effect_find(effect_word.text, effect_word.length);
    if (event_class < 0)
        return hc_pattern_wrong(section, HC_PATTERN_CLASS, "unknown class", err);
    if (effect < 0)
        return hc_pattern_wrong(section, HC_PATTERN_EFFECT, "unknown effect", err);
    p->event_class = (enum hc_event_class)event_class;
    p->effect = (enum hc_event_effect)effect;
    if (!(p->section = hc_pattern_title(section, err)) ||
        put_text(&p->name, section, HC_PATTERN_NAME, err) ||
        put_text(&p->literal, section, HC_PATTERN_LITERAL, err) ||
        hc_pattern_compile(section, &p->regex, err))
        return err->status;
    return find_groups(section, p, err);
}

/* Sections with `tells` are of training runs, for other readers. */
static enum hc_status take_section(const struct hc_pattern_section *section, void *context,
                                   struct hc_error *err)
{
    struct hc_failure_patterns *patterns = context;
    if (hc_pattern_has(section, HC_PATTERN_TELLS))
        return HC_OK;
    if (hc_reserve(&patterns->pattern, &patterns->capacity, patterns->n + 1,
                   sizeof *patterns->pattern, err))
        return err->status;
    struct pattern *p = &patterns->pattern[patterns->n++];
    *p = (struct pattern){0};
    return put_section(section, p, err);
}

static enum hc_status make_needles(struct hc_failure_patterns *patterns, struct hc_error *err)
{
    struct hc_needle *needles = hc_new_array(patterns->n, sizeof *needles, err);
    for (size_t i = 0; needles && i < patterns->n; i++) {
        struct pattern *p = &patterns->pattern[i];
        needles[i] = (struct hc_needle){p->literal, strlen(p->literal)};
        p->next = -1;
        for (size_t k = i + 1; k < patterns->n && p->next < 0; k++)
            if (memcmp(patterns->pattern[k].literal, p->literal, HC_PATTERN_LEAST_LITERAL) == 0)
                p->next = (int32_t)k;
    }
    if (needles)
        hc_needle_set_make(&patterns->needles, needles, patterns->n, err);
    free(needles);
    return err->status;
}

enum hc_status hc_failure_patterns_make(struct hc_failure_patterns **patterns,
                                        struct hc_pattern_text site, struct hc_error *err)
{
    const struct hc_pattern_text ours = {"data/patterns/failures.conf", hc_failure_patterns_text};
    *patterns = NULL;
    struct hc_failure_patterns *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    if (hc_pattern_text_read(site, take_section, made, err) ||
        hc_pattern_text_read(ours, take_section, made, err) || make_needles(made, err)) {
        hc_failure_patterns_free(made);
        return err->status;
    }
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
        hc_text_pattern_free(patterns->pattern[i].regex);
    }
    hc_needle_set_free(patterns->needles);
    free(patterns->pattern);
    free(patterns);
}

/* ---- matching ---- */

size_t hc_failure_literals_count(const struct hc_failure_patterns *patterns)
{
    return patterns->n;
}

const char *hc_failure_literal(const struct hc_failure_patterns *patterns, size_t i)
{
    return patterns->pattern[i].literal;
}

bool hc_failure_may_match(const struct hc_failure_patterns *patterns, const char *line,
                          size_t length)
{
    size_t at = 0;
    return hc_needle_set_find(patterns->needles, line, length, &at) >= 0;
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

static struct hc_event_text group_text(const struct pattern *p, int g, struct hc_event_text line)
{
    if (!p->group[g])
        return (struct hc_event_text){line.text, 0};
    struct hc_matched found = hc_text_pattern_text(p->regex, p->group[g], line.text);
    return (struct hc_event_text){found.text, found.length};
}

static void put_groups(const struct pattern *p, struct hc_event_text line, struct hc_event *event,
                       struct hc_failure_groups *groups)
{
    struct hc_event_text text[N_GROUPS];
    for (int g = 0; g < N_GROUPS; g++)
        text[g] = group_text(p, g, line);
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

static bool has_literal(const struct pattern *p, struct hc_event_text line, size_t at)
{
    size_t length = strlen(p->literal);
    return length <= line.length - at && memcmp(line.text + at, p->literal, length) == 0;
}

/* The first pattern that knows the line; or -1. Of literals that begin at one place only the first
 * is found: one may be the beginning of another. An expression is tried once in a line, however
 * often its literal is in it. */
static int32_t find_pattern(const struct hc_failure_patterns *patterns, struct hc_event_text line)
{
    int32_t best = -1;
    hc_pattern_set tried = {0};
    for (size_t at = 0; at < line.length;) {
        int32_t i = hc_needle_set_find(patterns->needles, line.text, line.length, &at);
        for (; i >= 0 && (best < 0 || i < best); i = patterns->pattern[i].next)
            if (has_literal(&patterns->pattern[i], line, at - 1) && hc_pattern_set_add(tried, i) &&
                hc_text_pattern_match(patterns->pattern[i].regex, line.text, line.length))
                best = i;
    }
    return best;
}

bool hc_failure_match(const struct hc_failure_patterns *patterns, struct hc_event_text line,
                      struct hc_event *event, struct hc_failure_groups *groups)
{
    int32_t best = find_pattern(patterns, line);
    if (best < 0)
        return false;
    const struct pattern *p = &patterns->pattern[best];
    event->event_class = p->event_class;
    event->effect = p->effect;
    event->message = line;
    if (p->name)
        event->name = (struct hc_event_text){p->name, strlen(p->name)};
    put_groups(p, line, event, groups);
    return true;
}

void hc_failure_patterns_report(const struct hc_failure_patterns *patterns, const char *file)
{
    for (size_t i = 0; patterns && i < patterns->n; i++)
        hc_text_pattern_report(patterns->pattern[i].regex, patterns->pattern[i].section, file);
}
