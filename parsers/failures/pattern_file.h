/* pattern_file.h - files of patterns: what their sections say, before it is known what a pattern is
 * for. docs/formats/log-patterns.md is for users.
 *
 *     [name]
 *     class = cuda
 *     literal = CUDA error
 *     regex = CUDA error: (?<name>\w+)
 *
 * A section with `tells` is about lines of a training run (parsers/logs), any other one about
 * failures. Whatever is wrong is told as FILE:LINE:COLUMN.
 */
#ifndef HC_PARSERS_FAILURES_PATTERN_FILE_H
#define HC_PARSERS_FAILURES_PATTERN_FILE_H

#include "core/tables/events/event_table.h"
#include "parsers/io/format.h"
#include "parsers/patterns/text_pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_PATTERN_LEAST_LITERAL 4    /* bytes */
#define HC_MOST_PATTERNS         1000 /* of a text */

/* Patterns, by number, of two texts: of a site and of the program. Zeroed, it is empty. */
typedef uint64_t hc_pattern_set[(2 * HC_MOST_PATTERNS + 63) / 64];

/* Whether it was not there. */
static inline bool hc_pattern_set_add(hc_pattern_set set, int32_t i)
{
    uint64_t bit = UINT64_C(1) << (i % 64), before = set[i / 64];
    set[i / 64] |= bit;
    return !(before & bit);
}

enum hc_pattern_key {
    HC_PATTERN_CLASS,
    HC_PATTERN_EFFECT,
    HC_PATTERN_TELLS,
    HC_PATTERN_NAME,
    HC_PATTERN_UNIT,
    HC_PATTERN_PHASE,
    HC_PATTERN_LITERAL,
    HC_PATTERN_REGEX,
    HC_N_PATTERN_KEYS
};

struct hc_pattern_value {
    struct hc_event_text text;
    int64_t line, column; /* from 1; line 0: the section has no such key */
};

struct hc_pattern_section {
    const char *file;
    struct hc_event_text name;
    int64_t line;
    struct hc_pattern_value value[HC_N_PATTERN_KEYS];
};

/* What becomes of a section, whose texts stay as long as the text of patterns. */
typedef enum hc_status hc_pattern_take(const struct hc_pattern_section *section, void *context,
                                       struct hc_error *err);

/* Give the sections of a text, one after the other. Each has a literal of four bytes or more, and a
 * regex. HC_BAD_INPUT also for more than HC_MOST_PATTERNS. */
enum hc_status hc_pattern_text_read(struct hc_pattern_text text, hc_pattern_take *take,
                                    void *context, struct hc_error *err);

bool hc_pattern_has(const struct hc_pattern_section *section, enum hc_pattern_key key);

/* HC_BAD_INPUT: what is wrong with the value of a key, which is quoted: "unknown class". */
enum hc_status hc_pattern_wrong(const struct hc_pattern_section *section, enum hc_pattern_key key,
                                const char *what, struct hc_error *err);
/* HC_BAD_INPUT: the section lacks that key. */
enum hc_status hc_pattern_lacks(const struct hc_pattern_section *section, enum hc_pattern_key key,
                                struct hc_error *err);

/* "pattern [step] of site.conf", which the caller frees; or NULL with err filled. */
char *hc_pattern_title(const struct hc_pattern_section *section, struct hc_error *err);

/* The expression of a section. HC_BAD_INPUT names the column in which it is wrong. */
enum hc_status hc_pattern_compile(const struct hc_pattern_section *section,
                                  struct hc_text_pattern **regex, struct hc_error *err);
/* HC_BAD_INPUT: a named group of the expression that no column is for; with its column. */
enum hc_status hc_pattern_wrong_group(const struct hc_pattern_section *section, const char *group,
                                      struct hc_error *err);

#endif
