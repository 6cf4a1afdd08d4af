/* condition.h - "ettr.low >= 97 % and cost < 2000": the one grammar of conditions on figures, of
 * `find` in scenarios and of --fail-on on the command line.
 *
 *     CONDITION = TERM { "and" TERM }          at most HC_CONDITION_MOST_TERMS
 *     TERM      = FIGURE [".p" DIGIT DIGIT] [".low" | ".high" | ".mean"]
 *                 (">=" | "<=" | ">" | "<") NUMBER [UNIT]
 *               | FIGURE ("=" | "!=") WORD              of a figure whose values are words
 *
 * Blanks are free. FIGURE is a name of lower-case letters, digits, '_' and '.'. UNIT is the unit of
 * the figure, or one that it can be counted in: '%' of a share; ns, us, ms, s, min, h and d of a
 * time. NUMBER is kept in the unit of the figure: 97 % of a share is 0.97. All terms must hold.
 *
 * Who has the figures gives their names, and later their values:
 *
 *     static const struct hc_condition_figure figures[] = {{"slowdown", "", true},
 *                                                          {"waste", "share", false}};
 *     struct hc_condition condition;
 *     if (hc_condition_parse(&condition, "waste > 10 %", figures, 2, &err))
 *         return err.status;
 *     for (size_t i = 0; i < condition.n; i++)
 *         value[i] = ...                       of figures[condition.term[i].figure]
 *     if (hc_condition_holds(&condition, value))
 */
#ifndef HC_CORE_TEXT_CONDITION_H
#define HC_CORE_TEXT_CONDITION_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_CONDITION_MOST_TERMS   8
#define HC_CONDITION_MOST_FIGURES 256

struct hc_condition_figure {
    const char *name;
    /* Of its values: "share", "s", "GPU-h"; "" or NULL: a plain number. "none|worker|stage": they
     * are the places of these words, which conditions name. */
    const char *unit;
    bool has_interval; /* .low and .high may be asked for */
    bool has_spread;   /* so may its quantiles, .p01 to .p99 */
};

enum hc_condition_bound { HC_BOUND_MEAN, HC_BOUND_LOW, HC_BOUND_HIGH };
enum hc_condition_relation {
    HC_AT_LEAST,
    HC_AT_MOST,
    HC_ABOVE,
    HC_BELOW,
    HC_IS, /* of words only, as the next */
    HC_IS_NOT
};

struct hc_condition_term {
    size_t figure;   /* which of the figures that were given */
    int32_t percent; /* of its quantile, 1 to 99; 0: the figure itself */
    enum hc_condition_bound bound;
    enum hc_condition_relation relation;
    double number;        /* in the unit of the figure */
    size_t begin, length; /* where the term stands in the text, for messages */
};

struct hc_condition {
    size_t n; /* at least 1 */
    struct hc_condition_term term[HC_CONDITION_MOST_TERMS];
};

/* What is known of a figure; low and high are NaN where it has no interval. */
struct hc_condition_value {
    double mean, low, high;
};

/* HC_BAD_INPUT with a sentence that quotes the text, or the figure that does not exist with the one
 * that may be meant, when it is no condition; an option may turn the status into HC_USAGE. At most
 * HC_CONDITION_MOST_FIGURES figures. */
enum hc_status hc_condition_parse(struct hc_condition *condition, const char *text,
                                  const struct hc_condition_figure *figures, size_t n,
                                  struct hc_error *err);

/* The word at a place of a figure whose values are words; NULL with *length 0 where there is none,
 * or its values are numbers. */
const char *hc_condition_word(const struct hc_condition_figure *figure, double place,
                              size_t *length);

/* Of ".p95", 95; 0 of what is none of ".p01" to ".p99". */
int32_t hc_condition_percent(const char *word, size_t length);

/* The one of mean, low and high that the term asks about. */
double hc_condition_asked_value(const struct hc_condition_term *term,
                                const struct hc_condition_value *value);

/* Whether all terms hold. value[i] is that of the i-th term: [condition->n]. */
bool hc_condition_holds(const struct hc_condition *condition,
                        const struct hc_condition_value *value);

#endif
