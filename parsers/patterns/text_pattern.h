/* text_pattern.h - a regular expression (PCRE2) that a site gives, or that is in the program, and
 * what its groups match. The only place that calls PCRE2.
 *
 * What a match may take is limited by steps that are counted, not by PCRE2's own limits: those hold
 * anew at each place where a match may begin, and in machine code they do not count alternatives at
 * all ((a|a)(a|a)... takes 2^n). A step is one part of the expression that is tried at one place,
 * or 16 bytes that are passed over on the way. What needs more than HC_PATTERN_STEPS of them in a
 * text, and HC_PATTERN_STEPS_A_BYTE more for each of its bytes, does not match; how many texts that
 * were is counted, and told (parsers/patterns/pattern_report.h).
 *
 * A pattern is not for several threads at once. */
#ifndef HC_PARSERS_PATTERNS_TEXT_PATTERN_H
#define HC_PARSERS_PATTERNS_TEXT_PATTERN_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_PATTERN_MOST_GROUPS  100
#define HC_PATTERN_STEPS        200000
#define HC_PATTERN_STEPS_A_BYTE 4

struct hc_text_pattern;

/* A piece of a text that was searched. */
struct hc_matched {
    const char *text;
    size_t length;
};

/* Where an expression is wrong, and what PCRE2 says of it. */
struct hc_pattern_mistake {
    size_t offset; /* bytes of the expression before it */
    char why[160];
};

/* HC_BAD_INPUT, with what is wrong and where in the expression; mistake says the same, and may be
 * NULL. */
enum hc_status hc_text_pattern_make(struct hc_text_pattern **pattern, struct hc_matched expression,
                                    struct hc_pattern_mistake *mistake, struct hc_error *err);
void hc_text_pattern_free(struct hc_text_pattern *pattern);

/* The number of groups; the name of group number i, from 1, or NULL where it has none. */
size_t hc_text_pattern_groups(const struct hc_text_pattern *pattern);
const char *hc_text_pattern_group(const struct hc_text_pattern *pattern, size_t i);

/* The number of groups that have a name; the i-th of these by its name, from 0, with its number. */
size_t hc_text_pattern_names(const struct hc_text_pattern *pattern);
const char *hc_text_pattern_name(const struct hc_text_pattern *pattern, size_t i, size_t *number);

/* Whether the expression is found in a text; and what group number i holds of the text that was
 * searched last: of length 0 where it took no part. */
bool hc_text_pattern_match(const struct hc_text_pattern *pattern, const char *text, size_t length);
struct hc_matched hc_text_pattern_text(const struct hc_text_pattern *pattern, size_t i,
                                       const char *text);

/* Both: groups[0] is what matched, groups[i] group number i, up to the last group. */
bool hc_text_pattern_find(const struct hc_text_pattern *pattern, const char *text, size_t length,
                          struct hc_matched groups[HC_PATTERN_MOST_GROUPS]);

/* What the group of that name matches in a text; of length 0 where nothing does, or pattern is
 * NULL. */
struct hc_matched hc_text_pattern_named(const struct hc_text_pattern *pattern, const char *text,
                                        const char *name);

/* What searching has taken. */
struct hc_pattern_use {
    int64_t n_counted;  /* texts in which steps were counted: all others took fewer for certain */
    int64_t n_given_up; /* of these, those in which the steps did not suffice */
    int64_t most_steps; /* in one text */
};
struct hc_pattern_use hc_text_pattern_use(const struct hc_text_pattern *pattern);

#endif
