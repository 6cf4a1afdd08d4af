#include "models/query/query_condition.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/text/number_text.h"
#include "models/query/query_terms.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

__extension__ typedef __int128 wide;

struct parser {
    const char *text, *at;
    const struct hc_table_def *def;
    struct hc_query_condition *condition;
    int depth;
    struct hc_error *err;
};

#define MOST_DEPTH 32

static enum hc_status wrong(struct parser *p, const char *expected)
{
    if (!*p->at)
        return hc_fail(p->err, HC_USAGE, "condition '%.200s' ends where %s is expected", p->text,
                       expected);
    return hc_fail(p->err, HC_USAGE, "condition '%.200s': %s is expected at '%.40s'", p->text,
                   expected, p->at);
}

/* ---- words ---- */

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || (at[n] && strchr("_.-:+/%@#[]*?", at[n])))
        n++;
    return n;
}

static bool take_word(struct parser *p, const char *word)
{
    skip_blanks(p);
    size_t n = strlen(word);
    if (strncasecmp(p->at, word, n) != 0 || isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
        return false;
    p->at += n;
    return true;
}

static bool take_sign(struct parser *p, const char *sign)
{
    skip_blanks(p);
    size_t n = strlen(sign);
    if (strncmp(p->at, sign, n) != 0)
        return false;
    p->at += n;
    return true;
}

/* A text in quotes or a word, as a copy in the condition. */
static enum hc_status take_text(struct parser *p, char **text)
{
    skip_blanks(p);
    char quote = *p->at;
    const char *start = p->at;
    size_t length;
    if (quote == '\'' || quote == '"') {
        const char *end = strchr(p->at + 1, quote);
        if (!end)
            return hc_fail(p->err, HC_USAGE,
                           "condition '%.200s': no %c ends what begins at '%.40s'", p->text, quote,
                           p->at);
        start++;
        length = (size_t)(end - start);
        p->at = end + 1;
    } else {
        length = word_length(p->at);
        if (length == 0)
            return wrong(p, "a value");
        p->at += length;
    }
    *text = hc_new_text(p->err, "%.*s", (int)length, start);
    return *text ? HC_OK : p->err->status;
}

/* ---- values ---- */

static bool unit_scale(const char *unit, double *scale)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},     {"us", 1e3},   {"ms", 1e6},   {"s", 1e9},
                 {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0) {
            *scale = units[i].ns;
            return true;
        }
    return false;
}

static bool read_time(const char *text, double *value, int64_t *whole)
{
    char full[64];
    size_t n = strlen(text);
    int64_t ns;
    if (n == 10)
        snprintf(full, sizeof full, "%sT00:00:00Z", text);
    if (!hc_parse_iso8601(text, n, &ns) && !(n == 10 && hc_parse_iso8601(full, strlen(full), &ns)))
        return false;
    *value = (double)ns;
    *whole = ns;
    return true;
}

/* What the digits say in whole ns, exactly: decimals such as 0.067 are no doubles, and 0.067 s must
 * equal 67 ms. At most nine places behind the point, which billionths of the unit hold. False: it
 * is written otherwise, is too large, or is no whole number of ns. */
static bool exact_ns(const char *text, size_t n, double unit_ns, int64_t *ns)
{
    const char *point = memchr(text, '.', n);
    int64_t billionths;
    if (memchr(text, 'e', n) || memchr(text, 'E', n) ||
        (point && (size_t)(text + n - point) - 1 > 9) ||
        hc_text_to_ns(text, n, &billionths) != HC_TEXT_OK)
        return false;
    wide scaled = (wide)billionths * (int64_t)unit_ns;
    *ns = (int64_t)(scaled / 1000000000);
    return scaled % 1000000000 == 0 && scaled / 1000000000 == *ns;
}

/* "8", "90min", "2026-03-30": of a column of numbers. */
static enum hc_status read_number(struct parser *p, const struct hc_column_def *column,
                                  const char *text, struct hc_query_term *term)
{
    char *end;
    double scale = 1, value = strtod(text, &end);
    bool is_ns = strcmp(column->unit, "ns") == 0;
    term->is_whole = true;
    if (is_ns && read_time(text, &term->real, &term->whole))
        return HC_OK;
    if (end == text || !isfinite(value) || (*end && !(is_ns && unit_scale(end, &scale))))
        return hc_fail(p->err, HC_USAGE, "condition '%.200s': '%.60s' is no %s, as column '%s' has",
                       p->text, text, is_ns ? "time (2026-03-30) or duration (90min)" : "number",
                       column->name);
    size_t n = (size_t)(end - text);
    term->real = value * scale;
    if (scale > 1 ? exact_ns(text, n, scale, &term->whole)
                  : hc_text_to_i64(text, n, &term->whole) == HC_TEXT_OK)
        return HC_OK;
    bool is_small = fabs(term->real) < 0x1p53;
    term->whole = is_small ? (int64_t)term->real : 0;
    term->is_whole = is_small && (double)term->whole == term->real;
    return HC_OK;
}

static enum hc_status take_value(struct parser *p, struct hc_query_term *term)
{
    const struct hc_column_def *column = &p->def->columns[term->column];
    char *text = NULL;
    if (take_text(p, &text))
        return p->err->status;
    term->text = text;
    if (column->dictionary)
        return HC_OK;
    if (term->relation == HC_QUERY_LIKE)
        return hc_fail(p->err, HC_USAGE,
                       "condition '%.200s': '~' is for texts, and '%s' is a number", p->text,
                       column->name);
    /* "2 h": the unit may stand apart */
    double ignored;
    size_t n;
    skip_blanks(p);
    n = word_length(p->at);
    char unit[8] = "";
    if (n && n < sizeof unit)
        memcpy(unit, p->at, n);
    if (unit_scale(unit, &ignored) && isdigit((unsigned char)text[strlen(text) - 1])) {
        p->at += n;
        term->text = hc_new_text(p->err, "%s%s", text, unit);
        free(text);
        if (!term->text)
            return p->err->status;
    }
    return read_number(p, column, term->text, term);
}

/* ---- terms ---- */

static enum hc_status new_node(struct parser *p, enum hc_query_node_kind kind, int *node)
{
    struct hc_query_condition *c = p->condition;
    if (c->n_nodes == HC_QUERY_MOST_NODES)
        return hc_fail(p->err, HC_USAGE, "condition '%.200s' is too long", p->text);
    *node = (int)c->n_nodes;
    c->nodes[c->n_nodes++] = (struct hc_query_node){.kind = kind, .left = -1, .right = -1};
    return HC_OK;
}

static enum hc_status new_term(struct parser *p, size_t column, enum hc_query_relation relation,
                               int *node, struct hc_query_term **term)
{
    struct hc_query_condition *c = p->condition;
    if (new_node(p, HC_QUERY_TERM, node))
        return p->err->status;
    if (c->n_terms == HC_QUERY_MOST_TERMS)
        return hc_fail(p->err, HC_USAGE, "condition '%.200s' has more than %d terms", p->text,
                       HC_QUERY_MOST_TERMS);
    c->nodes[*node].term = c->n_terms;
    *term = &c->terms[c->n_terms++];
    **term = (struct hc_query_term){.column = column, .relation = relation};
    return HC_OK;
}

/* "in (a, b)": equal to one of them. */
static enum hc_status take_list(struct parser *p, size_t column, int *node)
{
    struct hc_query_term *term;
    if (!take_sign(p, "("))
        return wrong(p, "'('");
    *node = -1;
    do {
        int one = -1, either = -1;
        if (new_term(p, column, HC_QUERY_EQUAL, &one, &term) || take_value(p, term))
            return p->err->status;
        if (*node >= 0) {
            if (new_node(p, HC_QUERY_OR, &either))
                return p->err->status;
            p->condition->nodes[either].left = *node;
            p->condition->nodes[either].right = one;
            one = either;
        }
        *node = one;
    } while (take_sign(p, ","));
    return take_sign(p, ")") ? HC_OK : wrong(p, "',' or ')'");
}

static enum hc_status take_missing(struct parser *p, size_t column, int *node)
{
    struct hc_query_term *term;
    bool is_not = take_word(p, "not");
    if (!take_word(p, "missing"))
        return wrong(p, "'missing' or 'not missing'");
    return new_term(p, column, is_not ? HC_QUERY_PRESENT : HC_QUERY_MISSING, node, &term);
}

static enum hc_status take_term(struct parser *p, int *node)
{
    static const struct {
        const char *sign;
        enum hc_query_relation relation;
    } signs[] = {{">=", HC_QUERY_AT_LEAST}, {"<=", HC_QUERY_AT_MOST}, {"!=", HC_QUERY_UNEQUAL},
                 {"==", HC_QUERY_EQUAL},    {">", HC_QUERY_ABOVE},    {"<", HC_QUERY_BELOW},
                 {"=", HC_QUERY_EQUAL},     {"~", HC_QUERY_LIKE}};
    struct hc_query_term *term;
    size_t column, n;
    skip_blanks(p);
    for (n = 0; isalnum((unsigned char)p->at[n]) || p->at[n] == '_';)
        n++;
    if (n == 0)
        return wrong(p, "a column");
    if (hc_query_column(&column, p->def, p->at, n, p->err))
        return hc_context(p->err, "condition '%.200s'", p->text);
    p->at += n;
    if (take_word(p, "in"))
        return take_list(p, column, node);
    if (take_word(p, "is"))
        return take_missing(p, column, node);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!take_sign(p, signs[i].sign))
            continue;
        bool orders = signs[i].relation >= HC_QUERY_AT_LEAST && signs[i].relation <= HC_QUERY_BELOW;
        if (orders && p->def->columns[column].dictionary)
            return hc_fail(p->err, HC_USAGE,
                           "condition '%.200s': '%s' is a text, which has no '%s': use = != ~ in",
                           p->text, p->def->columns[column].name, signs[i].sign);
        return new_term(p, column, signs[i].relation, node, &term) ? p->err->status
                                                                   : take_value(p, term);
    }
    return wrong(p, "one of = != >= <= > < ~ in is");
}

static enum hc_status take_any(struct parser *p, int *node);

static enum hc_status take_one(struct parser *p, int *node)
{
    int inner = -1;
    enum hc_status status;
    if (++p->depth > MOST_DEPTH)
        return hc_fail(p->err, HC_USAGE, "condition '%.200s' is nested too deeply", p->text);
    if (take_word(p, "not")) {
        status = take_one(p, &inner);
        if (!status && !new_node(p, HC_QUERY_NOT, node))
            p->condition->nodes[*node].left = inner;
        status = p->err->status;
    } else if (take_sign(p, "(")) {
        status = take_any(p, node);
        if (!status && !take_sign(p, ")"))
            status = wrong(p, "')'");
    } else {
        status = take_term(p, node);
    }
    p->depth--;
    return status;
}

/* A chain of what `next` takes, joined by a word. */
static enum hc_status take_chain(struct parser *p, const char *word, enum hc_query_node_kind kind,
                                 enum hc_status (*next)(struct parser *, int *), int *node)
{
    if (next(p, node))
        return p->err->status;
    while (take_word(p, word)) {
        int right = -1, both = -1;
        if (next(p, &right) || new_node(p, kind, &both))
            return p->err->status;
        p->condition->nodes[both].left = *node;
        p->condition->nodes[both].right = right;
        *node = both;
    }
    return HC_OK;
}

static enum hc_status take_all(struct parser *p, int *node)
{
    return take_chain(p, "and", HC_QUERY_AND, take_one, node);
}

static enum hc_status take_any(struct parser *p, int *node)
{
    return take_chain(p, "or", HC_QUERY_OR, take_all, node);
}

enum hc_status hc_query_condition_parse(struct hc_query_condition **condition, const char *text,
                                        const struct hc_table_def *def, struct hc_error *err)
{
    *condition = NULL;
    if (!text)
        return HC_OK;
    struct hc_query_condition *c = hc_new_array(1, sizeof *c, err);
    if (!c)
        return err->status;
    struct parser parser = {.text = text, .at = text, .def = def, .condition = c, .err = err};
    enum hc_status status = take_any(&parser, &c->root);
    if (!status) {
        skip_blanks(&parser);
        if (*parser.at)
            status = wrong(&parser, "'and', 'or' or the end");
    }
    if (status)
        hc_query_condition_free(c);
    else
        *condition = c;
    return status;
}

/* ---- columns ---- */

enum hc_status hc_query_column(size_t *column, const struct hc_table_def *def, const char *name,
                               size_t length, struct hc_error *err)
{
    const char *names[HC_TABLE_MAX_COLUMNS];
    char word[64] = "";
    for (size_t i = 0; i < def->n_columns; i++) {
        names[i] = def->columns[i].name;
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) {
            *column = i;
            return HC_OK;
        }
    }
    memcpy(word, name, length < sizeof word ? length : sizeof word - 1);
    const char *nearest = hc_nearest(word, strlen(word), names, def->n_columns);
    if (nearest)
        return hc_fail(err, HC_USAGE, "table '%s' has no column '%s' (did you mean '%s'?)",
                       def->name, word, nearest);
    return hc_fail(err, HC_USAGE, "table '%s' has no column '%s'", def->name, word);
}
