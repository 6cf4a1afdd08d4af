#include "core/text/condition.h"

#include "core/base/nearest.h"
#include "core/base/printable.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *text, *at;
    const struct hc_condition_figure *figures;
    size_t n_figures;
    struct hc_error *err;
};

static void skip_blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t");
}

/* The example names a figure that exists here. */
static enum hc_status not_so(struct parser *p, const char *why)
{
    const struct hc_condition_figure *figure = &p->figures[0];
    return hc_fail(p->err, HC_BAD_INPUT, "'%s': %s (as in '%s%s >= 0.97')",
                   hc_printable(p->text, strlen(p->text)).text, why,
                   p->n_figures ? figure->name : "figure",
                   p->n_figures && figure->has_interval ? ".low" : "");
}

/* ---- figure ---- */

static bool find_figure(const struct parser *p, const char *name, size_t length, size_t *figure)
{
    for (size_t i = 0; i < p->n_figures; i++)
        if (strlen(p->figures[i].name) == length && memcmp(p->figures[i].name, name, length) == 0) {
            *figure = i;
            return true;
        }
    return false;
}

static enum hc_status no_figure(struct parser *p, const char *name, size_t length)
{
    const char *names[HC_CONDITION_MOST_FIGURES];
    size_t n = 0;
    for (; n < p->n_figures && n < HC_CONDITION_MOST_FIGURES; n++)
        names[n] = p->figures[n].name;
    const char *near = hc_nearest(name, length, names, n);
    return hc_fail(p->err, HC_BAD_INPUT, "there is no figure '%s'%s%s%s",
                   hc_printable(name, length).text, near ? " (did you mean '" : "",
                   near ? near : "", near ? "'?)" : "");
}

static bool read_bound(const char *word, size_t length, enum hc_condition_bound *bound)
{
    static const char *const words[] = {".mean", ".low", ".high"}; /* as the enum */
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
            *bound = (enum hc_condition_bound)i;
            return true;
        }
    return false;
}

int32_t hc_condition_percent(const char *word, size_t length)
{
    bool is_percent = length == 4 && word[0] == '.' && word[1] == 'p' && word[2] >= '0' &&
                      word[2] <= '9' && word[3] >= '0' && word[3] <= '9';
    return is_percent ? 10 * (word[2] - '0') + (word[3] - '0') : 0;
}

/* The last ".word" of a name, or its end. */
static size_t last_part(const char *name, size_t length)
{
    const char *dot = memrchr(name, '.', length);
    return dot ? (size_t)(dot - name) : length;
}

static enum hc_status check_parts(struct parser *p, const struct hc_condition_term *term)
{
    const struct hc_condition_figure *figure = &p->figures[term->figure];
    if (term->percent && !figure->has_spread)
        return not_so(p, "this figure has no quantiles");
    if (term->bound != HC_BOUND_MEAN && !figure->has_interval)
        return not_so(p, "this figure has no interval");
    return HC_OK;
}

/* FIGURE [".pNN"] [".low" | ".high" | ".mean"], where the name of a figure may have points. */
static enum hc_status read_figure(struct parser *p, struct hc_condition_term *term)
{
    const char *word = p->at;
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_."), name = length;
    term->bound = HC_BOUND_MEAN;
    term->percent = 0;
    if (!length || *word == '.')
        return not_so(p, word > p->text ? "no figure follows" : "it begins with no figure");
    p->at += length;
    if (find_figure(p, word, length, &term->figure))
        return HC_OK;
    size_t dot = last_part(word, name);
    if (read_bound(word + dot, name - dot, &term->bound))
        name = dot;
    dot = last_part(word, name);
    if ((term->percent = hc_condition_percent(word + dot, name - dot)))
        name = dot;
    if (find_figure(p, word, name, &term->figure))
        return check_parts(p, term);
    dot = last_part(word, length);
    if (find_figure(p, word, dot, &term->figure))
        return not_so(p, p->figures[term->figure].has_spread
                             ? "after the figure, only '.low', '.high' or '.mean' may stand, or a "
                               "quantile ('.p95')"
                             : "after the figure, only '.low', '.high' or '.mean' may stand");
    return no_figure(p, word, name);
}

/* ---- relation and number ---- */

static bool has_words(const struct hc_condition_figure *figure)
{
    return figure->unit && strchr(figure->unit, '|');
}

static enum hc_status read_relation(struct parser *p, struct hc_condition_term *term)
{
    static const char *const words[] = {">=", "<=", ">", "<", "=", "!="}; /* as the enum */
    bool is_word = has_words(&p->figures[term->figure]);
    skip_blanks(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((i >= HC_IS) == is_word && strncmp(p->at, words[i], length) == 0) {
            term->relation = (enum hc_condition_relation)i;
            p->at += length;
            return HC_OK;
        }
    }
    return not_so(p, is_word ? "'=' or '!=' and one of its words is missing after the figure"
                             : "'>=', '<=', '>' or '<' is missing after the figure");
}

/* Nanoseconds of a unit of time, 0 for what is none. */
static int64_t ns_of(const char *unit, size_t length)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"ns", 1},
                 {"us", 1000},
                 {"ms", 1000000},
                 {"s", 1000000000},
                 {"min", 60000000000},
                 {"h", 3600000000000},
                 {"d", 86400000000000}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, unit, length) == 0)
            return units[i].ns;
    return 0;
}

/* One division by a whole number, so that 97 % is the number that 0.97 is read as. */
static bool convert(double *number, const char *unit, size_t length, const char *to)
{
    if (strlen(to) == length && memcmp(to, unit, length) == 0)
        return true;
    if (length == 1 && *unit == '%' && strcmp(to, "share") == 0) {
        *number /= 100;
        return true;
    }
    int64_t from_ns = ns_of(unit, length), to_ns = ns_of(to, strlen(to));
    if (!from_ns || !to_ns)
        return false;
    if (from_ns >= to_ns)
        *number *= (double)(from_ns / to_ns);
    else
        *number /= (double)(to_ns / from_ns);
    return true;
}

static enum hc_status no_unit(struct parser *p, const struct hc_condition_figure *figure,
                              const char *word, size_t length)
{
    const char *unit = figure->unit ? figure->unit : "";
    struct hc_printable shown = hc_printable(word, length);
    if (!*unit)
        return hc_fail(p->err, HC_BAD_INPUT, "'%s': '%s' is a number without a unit, not in '%s'",
                       hc_printable(p->text, strlen(p->text)).text, figure->name, shown.text);
    return hc_fail(p->err, HC_BAD_INPUT, "'%s': '%s' is in '%s', and cannot be counted in '%s'",
                   hc_printable(p->text, strlen(p->text)).text, figure->name,
                   strcmp(unit, "share") == 0 ? "%" : unit, shown.text);
}

/* "and" and what follows it is no unit. */
static bool is_and(const char *at)
{
    return strncmp(at, "and", 3) == 0 && (at[3] == ' ' || at[3] == '\t' || !at[3]);
}

static enum hc_status read_number(struct parser *p, struct hc_condition_term *term)
{
    const struct hc_condition_figure *figure = &p->figures[term->figure];
    char *end = NULL;
    skip_blanks(p);
    const char *digits = p->at + (*p->at == '-' || *p->at == '+');
    bool is_number = strspn(digits, "0123456789.") && digits[strspn(digits, "0")] != 'x' &&
                     digits[strspn(digits, "0")] != 'X';
    term->number = is_number ? strtod(p->at, &end) : 0;
    if (!is_number || end == p->at || !isfinite(term->number))
        return not_so(p, "it does not end in a number");
    p->at = end;
    skip_blanks(p);
    size_t length = is_and(p->at) ? 0 : strcspn(p->at, " \t");
    if (length && !convert(&term->number, p->at, length, figure->unit ? figure->unit : ""))
        return no_unit(p, figure, p->at, length);
    p->at += length;
    return HC_OK;
}

/* ---- words ---- */

const char *hc_condition_word(const struct hc_condition_figure *figure, double place,
                              size_t *length)
{
    *length = 0;
    if (!has_words(figure) || !(place >= 0))
        return NULL;
    for (const char *word = figure->unit; word; word = strchr(word, '|')) {
        word += *word == '|';
        *length = strcspn(word, "|");
        if (place-- < 1)
            return word;
    }
    *length = 0;
    return NULL;
}

static enum hc_status read_word(struct parser *p, struct hc_condition_term *term)
{
    const struct hc_condition_figure *figure = &p->figures[term->figure];
    size_t of;
    skip_blanks(p);
    size_t length = strspn(p->at, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    const char *word;
    for (term->number = 0; (word = hc_condition_word(figure, term->number, &of)); term->number++)
        if (length == of && memcmp(word, p->at, length) == 0) {
            p->at += length;
            return HC_OK;
        }
    return hc_fail(p->err, HC_BAD_INPUT, "'%s': '%s' is one of %s",
                   hc_printable(p->text, strlen(p->text)).text, figure->name, figure->unit);
}

/* ---- all terms ---- */

enum hc_status hc_condition_parse(struct hc_condition *condition, const char *text,
                                  const struct hc_condition_figure *figures, size_t n,
                                  struct hc_error *err)
{
    struct parser p = {.text = text, .at = text, .figures = figures, .n_figures = n, .err = err};
    *condition = (struct hc_condition){.n = 0};
    for (;;) {
        if (condition->n == HC_CONDITION_MOST_TERMS)
            return not_so(&p, "it has too many terms");
        struct hc_condition_term *term = &condition->term[condition->n++];
        skip_blanks(&p);
        term->begin = (size_t)(p.at - text);
        if (read_figure(&p, term) || read_relation(&p, term) ||
            (term->relation >= HC_IS ? read_word(&p, term) : read_number(&p, term)))
            return err->status;
        term->length = (size_t)(p.at - text) - term->begin;
        while (term->length && strchr(" \t", text[term->begin + term->length - 1]))
            term->length--;
        skip_blanks(&p);
        if (!*p.at)
            return HC_OK;
        if (!is_and(p.at))
            return not_so(&p, "after a term, only 'and' and another may stand");
        p.at += 3;
    }
}

double hc_condition_asked_value(const struct hc_condition_term *term,
                                const struct hc_condition_value *value)
{
    return term->bound == HC_BOUND_LOW    ? value->low
           : term->bound == HC_BOUND_HIGH ? value->high
                                          : value->mean;
}

/* Whether the term holds; never of NaN, whichever the relation. */
static bool term_holds(const struct hc_condition_term *term, const struct hc_condition_value *value)
{
    double figure = hc_condition_asked_value(term, value);
    switch (term->relation) {
    case HC_AT_LEAST:
        return figure >= term->number;
    case HC_AT_MOST:
        return figure <= term->number;
    case HC_ABOVE:
        return figure > term->number;
    case HC_BELOW:
        return figure < term->number;
    case HC_IS:
        return figure == term->number;
    case HC_IS_NOT:
        return !isnan(figure) && figure != term->number;
    }
    return false;
}

bool hc_condition_holds(const struct hc_condition *condition,
                        const struct hc_condition_value *value)
{
    for (size_t i = 0; i < condition->n; i++)
        if (!term_holds(&condition->term[i], &value[i]))
            return false;
    return condition->n > 0;
}
