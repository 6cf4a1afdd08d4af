#include "parsers/failures/line_prefix.h"

#include "core/base/missing.h"

#include <ctype.h>
#include <string.h>

typedef struct hc_event_text text;

static text drop(text from, size_t n)
{
    return (text){from.text + n, from.length - n};
}

/* Up to six digits behind n bytes of text, and what must follow; bytes of all, or 0. */
static size_t label(text from, size_t n, const char *follows, int32_t *number)
{
    size_t start = n, length = strlen(follows);
    int32_t value = 0;
    for (; n < from.length && n - start < 6 && isdigit((unsigned char)from.text[n]); n++)
        value = value * 10 + (from.text[n] - '0');
    if (n == start || from.length - n < length || memcmp(from.text + n, follows, length) != 0)
        return 0;
    *number = value;
    return n + length;
}

static size_t named_label(text from, const char *name, int32_t *number)
{
    size_t n = strlen(name);
    if (from.length <= n || memcmp(from.text, name, n) != 0)
        return 0;
    n = label(from, n, "]:", number);
    return n + (n && n < from.length && from.text[n] == ' ');
}

/* "12: ", with blanks before it as srun aligns them; not the minutes of a time */
static size_t rank_label(text from, int32_t *number)
{
    size_t n = 0;
    while (n < from.length && n < 6 && from.text[n] == ' ')
        n++;
    return label(from, n, ": ", number);
}

/* "node-7: " where a stamp follows */
static size_t node_label(text from, struct hc_line_prefix *prefix)
{
    struct hc_line_stamp stamp;
    size_t n = 0;
    if (!from.length || !isalpha((unsigned char)*from.text))
        return 0;
    while (n < from.length && n < 64 &&
           (isalnum((unsigned char)from.text[n]) || strchr("-._", from.text[n])) && from.text[n])
        n++;
    if (from.length - n < 3 || from.text[n] != ':' || from.text[n + 1] != ' ' ||
        !hc_line_stamp_read(from.text + n + 2, from.length - n - 2, &stamp))
        return 0;
    prefix->node = (text){from.text, n};
    return n + 2;
}

/* "[E] ", how bad it is, with the blanks behind it */
static size_t severity_label(text from)
{
    size_t n = 3;
    if (from.length < 4 || !strchr("DIWEF", from.text[1]) || from.text[2] != ']' ||
        from.text[3] != ' ')
        return 0;
    while (n < from.length && from.text[n] == ' ')
        n++;
    return n;
}

/* Blanks before a stamp in brackets: " [2026-03-21 19:55:57.000000] iteration ..." */
static size_t blanks_before_stamp(text from)
{
    struct hc_line_stamp stamp;
    size_t n = 0;
    while (n < from.length && n < 6 && from.text[n] == ' ')
        n++;
    return n && n < from.length && from.text[n] == '[' &&
                   hc_line_stamp_read(from.text + n, from.length - n, &stamp)
               ? n
               : 0;
}

static size_t any_label(text from, struct hc_line_prefix *prefix)
{
    size_t n;
    if (*from.text == '[')
        return (n = named_label(from, "[rank", &prefix->rank))            ? n
               : (n = named_label(from, "[default", &prefix->local_rank)) ? n
                                                                          : severity_label(from);
    if (*from.text == ' ' && (n = blanks_before_stamp(from)))
        return n;
    if (*from.text == ' ' || isdigit((unsigned char)*from.text))
        return rank_label(from, &prefix->rank);
    return prefix->node.length ? 0 : node_label(from, prefix);
}

void hc_line_prefix_read(struct hc_event_text line, struct hc_line_prefix *prefix)
{
    *prefix = (struct hc_line_prefix){.rank = HC_MISSING_I32, .local_rank = HC_MISSING_I32};
    for (int i = 0; i < 6 && line.length; i++) {
        size_t n = any_label(line, prefix);
        if (!n && !prefix->has_stamp &&
            (prefix->has_stamp = hc_line_stamp_read(line.text, line.length, &prefix->stamp)))
            n = prefix->stamp.length;
        if (!n)
            break;
        line = drop(line, n);
    }
    prefix->rest = line;
}
