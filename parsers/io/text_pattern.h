/* text_pattern.h - a regular expression (PCRE2) that a site gives, and what its groups match.
 *
 * A pattern is not for several threads at once. How long a match may take is limited: what exceeds
 * it does not match.
 */
#ifndef HC_PARSERS_IO_TEXT_PATTERN_H
#define HC_PARSERS_IO_TEXT_PATTERN_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_PATTERN_MOST_GROUPS 32

struct hc_text_pattern;

/* A piece of a text that was searched. */
struct hc_matched {
    const char *text;
    size_t length;
};

/* HC_BAD_INPUT, with what is wrong and where in the expression. */
enum hc_status hc_text_pattern_make(struct hc_text_pattern **pattern, const char *expression,
                                    struct hc_error *err);
void hc_text_pattern_free(struct hc_text_pattern *pattern);

/* The number of groups; the name of group number i, from 1, or NULL where it has none. */
size_t hc_text_pattern_groups(const struct hc_text_pattern *pattern);
const char *hc_text_pattern_group(const struct hc_text_pattern *pattern, size_t i);

/* Search a text: groups[0] is what matched, groups[i] group number i (of length 0 where it took no
 * part), up to HC_PATTERN_MOST_GROUPS in all. */
bool hc_text_pattern_find(const struct hc_text_pattern *pattern, const char *text, size_t length,
                          struct hc_matched groups[HC_PATTERN_MOST_GROUPS]);

/* What the group of that name matches in a text; of length 0 where nothing does, or pattern is
 * NULL. */
struct hc_matched hc_text_pattern_named(const struct hc_text_pattern *pattern, const char *text,
                                        const char *name);

#endif
