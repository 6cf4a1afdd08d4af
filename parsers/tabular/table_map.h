/* table_map.h - how the columns of some tool's CSV or JSON become those of a table of records: for
 * each column of the table, where its value comes from, in which unit, and what its words mean.
 *
 * Whoever makes a map has checked it before: columns are there, values are
 * permitted. Texts are the maker's. An own form (own_form.h) is read by a map that its header
 * makes.
 */
#ifndef HC_PARSERS_TABULAR_TABLE_MAP_H
#define HC_PARSERS_TABULAR_TABLE_MAP_H

#include "parsers/patterns/text_pattern.h"

#include <stdbool.h>
#include <stddef.h>

enum hc_map_layout {
    HC_LAYOUT_BY_CONTENT, /* JSON lines where the first letter is a brace, else CSV */
    HC_LAYOUT_CSV,
    HC_LAYOUT_JSONL, /* an object a line */
    HC_LAYOUT_JSON   /* one document, with an array of objects in it */
};

/* Of times since 1970, and of durations. */
enum hc_map_unit {
    HC_UNIT_OF_COLUMN, /* of times a date with its time of day, of durations [D-]HH:MM:SS; in own
                          forms also whole nanoseconds; of all else the number or text as it is */
    HC_UNIT_NS,
    HC_UNIT_US,
    HC_UNIT_MS,
    HC_UNIT_S,
    HC_UNIT_MIN,
    HC_UNIT_H,
    HC_UNIT_D,
    HC_UNIT_HASH,   /* of whole numbers: a hash of a text, such as the name of a job */
    HC_UNIT_FORMAT, /* of times: as strptime reads them */
    HC_N_MAP_UNITS
};

/* What a word of the source means. */
struct hc_map_word {
    const char *from, *to;
};

/* Where the values of a column come from. */
struct hc_map_rule {
    size_t column;    /* of the table */
    const char *from; /* column of the source, or "a.b" within objects of JSON; NULL: constant */
    const char *plus; /* of times: column of a duration in the same unit that is added; or NULL */
    const char *constant; /* or NULL */
    enum hc_map_unit unit;
    const char *format; /* of HC_UNIT_FORMAT: "%d.%m.%Y %H:%M" */
    struct hc_text_pattern
        *pattern; /* the value is its first group, or all that matches; or NULL */
    const struct hc_map_word *words;
    size_t n_words;
    const char *otherwise; /* the value of what is none of the words; NULL: it is taken as it is */
};

/* Only rows of which a column has one of these texts are taken. */
struct hc_map_filter {
    const char *from;
    const char *const *values;
    size_t n_values;
};

struct hc_table_map {
    enum hc_map_layout layout;
    const char
        *rows; /* of HC_LAYOUT_JSON: where the array is, as "items"; NULL: it is the document */
    const char *const *header; /* names of the columns of a CSV that has no line of them; or NULL */
    size_t n_header;
    const struct hc_map_rule *rules;
    size_t n_rules;
    const struct hc_map_filter *filters;
    size_t n_filters;
    const char *const *missing; /* texts that mean that nothing is known, besides the empty one */
    size_t n_missing;
};

#endif
