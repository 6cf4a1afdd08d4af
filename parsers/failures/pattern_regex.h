/* pattern_regex.h - a regular expression whose named groups are columns. The only place that calls
 * PCRE2. */
#ifndef HC_PARSERS_FAILURES_PATTERN_REGEX_H
#define HC_PARSERS_FAILURES_PATTERN_REGEX_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>

struct hc_pattern_regex;

/* Where an expression is wrong, and what PCRE2 says of it. */
struct hc_regex_mistake {
    size_t offset; /* bytes of the expression before it */
    char why[160];
};

/* HC_BAD_INPUT fills mistake, and err with it. */
enum hc_status hc_pattern_regex_make(struct hc_pattern_regex **regex,
                                     struct hc_event_text expression,
                                     struct hc_regex_mistake *mistake, struct hc_error *err);
void hc_pattern_regex_free(struct hc_pattern_regex *regex);

/* Its named groups, in the order of their names. */
size_t hc_pattern_regex_n_names(const struct hc_pattern_regex *regex);
const char *hc_pattern_regex_name(const struct hc_pattern_regex *regex, size_t i);
/* The number of the group with that name; 0: it has none. */
int hc_pattern_regex_group(const struct hc_pattern_regex *regex, const char *name);

/* Whether it is found in a line; its groups are then those of this line until the next call. An
 * expression that needs more than 200,000 steps of backtracking is not found. */
bool hc_pattern_regex_match(struct hc_pattern_regex *regex, struct hc_event_text line);
/* What a group (by its number) holds of the line that was matched last; empty: nothing. */
struct hc_event_text hc_pattern_regex_text(const struct hc_pattern_regex *regex, int group,
                                           struct hc_event_text line);

#endif
