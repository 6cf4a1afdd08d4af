#include "core/text/node_list.h"

#include "core/base/printable.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MOST_DIGITS 18 /* of a number, so that it fits int64 */

/* ---- checking ---- */

/* How far the check of a list has come, and what it found. */
struct check {
    struct hc_node_list_reader *reader;
    size_t at;
    const char *why;    /* NULL: nothing is wrong */
    size_t name_length; /* of the longest name of the item */
};

static bool wrong(struct check *check, const char *why)
{
    check->why = why;
    return false;
}

static char byte_at(const struct hc_node_list_reader *reader, size_t at)
{
    return at < reader->length ? reader->text[at] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits at check->at, which is moved behind them; returns how many there are, up to one more
 * than a number may have, which is not in *value. */
static size_t read_digits(struct check *check, int64_t *value)
{
    size_t n = 0;
    *value = 0;
    for (char c; n <= MOST_DIGITS && is_digit(c = byte_at(check->reader, check->at)); n++) {
        if (n < MOST_DIGITS)
            *value = *value * 10 + (c - '0');
        check->at++;
    }
    return n;
}

/* "07" or "08-12" at check->at, which is moved behind it. */
static bool read_range(struct check *check, struct hc_node_brackets *brackets)
{
    brackets->width = read_digits(check, &brackets->value);
    brackets->last = brackets->value;
    size_t n_digits = brackets->width, n_last = brackets->width;
    if (n_digits && byte_at(check->reader, check->at) == '-') {
        check->at++;
        n_last = read_digits(check, &brackets->last);
    }
    brackets->end = check->at;
    if (n_digits == 0 || n_last == 0)
        return wrong(check, "a number is expected");
    if (n_digits > MOST_DIGITS || n_last > MOST_DIGITS)
        return wrong(check, "a number has too many digits");
    if (brackets->last < brackets->value)
        return wrong(check, "the range descends");
    if (brackets->last - brackets->value >= HC_NODE_LIST_MOST)
        return wrong(check, "the range has too many nodes");
    return true;
}

/* Digits of the longest number of a range. */
static size_t range_digits(const struct hc_node_brackets *brackets)
{
    size_t n = 1;
    for (int64_t left = brackets->last; left >= 10; left /= 10)
        n++;
    return n > brackets->width ? n : brackets->width;
}

/* All ranges of brackets whose first number is at check->at; *n_values is how many they hold. The
 * brackets are left at their first range. */
static bool check_brackets(struct check *check, struct hc_node_brackets *brackets,
                           int64_t *n_values)
{
    struct hc_node_brackets range;
    size_t most_digits = 0;
    *n_values = 0;
    for (bool is_first = true;; is_first = false) {
        if (!is_first)
            check->at++; /* the comma */
        range = (struct hc_node_brackets){.first = is_first ? check->at : brackets->first};
        if (!read_range(check, &range))
            return false;
        if (is_first)
            *brackets = range;
        *n_values += range.last - range.value + 1;
        if (*n_values > HC_NODE_LIST_MOST)
            return wrong(check, "the list has too many nodes");
        if (range_digits(&range) > most_digits)
            most_digits = range_digits(&range);
        if (byte_at(check->reader, check->at) != ',')
            break;
    }
    if (byte_at(check->reader, check->at) != ']')
        return wrong(check, "a bracket is expected that closes the numbers");
    check->at++;
    check->name_length += most_digits;
    return true;
}

/* A name with its brackets at check->at, which is moved behind it; *n_names: what it stands for. */
static bool check_name(struct check *check, int64_t *n_names)
{
    struct hc_node_list_reader *reader = check->reader;
    int64_t n_values;
    *n_names = 1;
    check->name_length = 0;
    reader->n_brackets = 0;
    reader->start = check->at;
    while (check->at < reader->length && reader->text[check->at] != ',') {
        char c = reader->text[check->at];
        if (c <= ' ' || c > '~' || c == ']')
            return wrong(check, "no name of a node holds this byte");
        if (c == '[' && reader->n_brackets == HC_NODE_LIST_DIMENSIONS)
            return wrong(check, "the name has too many brackets");
        check->at++;
        check->name_length += c != '[';
        if (c == '[' && !check_brackets(check, &reader->brackets[reader->n_brackets++], &n_values))
            return false;
        /* Both factors are at most HC_NODE_LIST_MOST. */
        if (c == '[' && (*n_names *= n_values) > HC_NODE_LIST_MOST)
            return wrong(check, "the list has too many nodes");
    }
    reader->end = check->at;
    if (check->name_length == 0)
        return wrong(check, "the name of a node is expected");
    return check->name_length <= HC_NODE_NAME_MOST || wrong(check, "the name is too long");
}

static bool check_list(struct check *check)
{
    int64_t n_names;
    for (bool is_first = true; is_first || check->at < check->reader->length; is_first = false) {
        if (!is_first)
            check->at++; /* the comma */
        if (!check_name(check, &n_names))
            return false;
        check->reader->n_nodes += n_names;
        if (check->reader->n_nodes > HC_NODE_LIST_MOST)
            return wrong(check, "the list has too many nodes");
    }
    return true;
}

enum hc_status hc_node_list_open(struct hc_node_list_reader *reader, const char *text,
                                 size_t length, struct hc_error *err)
{
    struct check check = {.reader = reader};
    int64_t n_names;
    *reader = (struct hc_node_list_reader){.text = text, .length = length};
    if (!check_list(&check))
        return hc_fail(err, HC_BAD_INPUT, "byte %zu of the list of nodes '%s': %s", check.at + 1,
                       hc_printable(text, length).text, check.why);
    if (reader->start == 0) /* it has one name, as most lists do, and that was read last */
        return HC_OK;
    check.at = 0;
    check_name(&check, &n_names);
    return HC_OK;
}

/* ---- reading out ---- */

static size_t write_number(char *to, const struct hc_node_brackets *brackets)
{
    size_t n = 0;
    char digits[MOST_DIGITS + 1];
    for (int64_t left = brackets->value; left || n < brackets->width; left /= 10)
        digits[n++] = (char)('0' + left % 10);
    for (size_t i = 0; i < n; i++)
        to[i] = digits[n - 1 - i];
    return n;
}

/* Put the name together for the present numbers of its brackets. */
static void write_name(struct hc_node_list_reader *reader)
{
    size_t n = 0, brackets = 0;
    for (size_t at = reader->start; at < reader->end; at++) {
        if (reader->text[at] != '[') {
            reader->name[n++] = reader->text[at];
            continue;
        }
        n += write_number(reader->name + n, &reader->brackets[brackets++]);
        while (reader->text[at] != ']')
            at++;
    }
    reader->name[n] = '\0';
}

/* Go on to the next number in brackets; behind the last to the first again, and return false. */
static bool next_number(struct hc_node_list_reader *reader, struct hc_node_brackets *brackets)
{
    struct check check = {.reader = reader};
    if (brackets->value < brackets->last) {
        brackets->value++;
        return true;
    }
    bool is_more = reader->text[brackets->end] == ',';
    check.at = is_more ? brackets->end + 1 : brackets->first;
    read_range(&check, brackets);
    return is_more;
}

/* Go on to the next name: the next number in the last brackets that have one, or else the next
 * name of the list. */
static void next_name(struct hc_node_list_reader *reader)
{
    struct check check = {.reader = reader, .at = reader->end + 1};
    int64_t n_names;
    for (size_t b = reader->n_brackets; b-- > 0;)
        if (next_number(reader, &reader->brackets[b]))
            return;
    if (reader->end < reader->length)
        check_name(&check, &n_names);
    else
        reader->start = reader->end = SIZE_MAX;
}

const char *hc_node_list_next(struct hc_node_list_reader *reader)
{
    if (reader->start == SIZE_MAX)
        return NULL;
    write_name(reader);
    next_name(reader);
    return reader->name;
}

size_t hc_node_short_length(const char *node)
{
    const char *dot = isalpha((unsigned char)node[0]) ? strchr(node, '.') : NULL;
    return dot ? (size_t)(dot - node) : strlen(node);
}
