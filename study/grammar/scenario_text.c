#include "study/grammar/scenario_text.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/base/utf8.h"
#include "core/files/input_file.h"
#include "core/text/json_escape.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PADDING 16 /* NULs behind the text: escapes and words are looked at without asking */

struct reader {
    const char *at, *end;
    const char *line_start;
    int line;
    const char *file;
    struct hc_arena *arena;
    struct hc_scenario_errors *errors;
    char *scratch; /* as long as the text: no string is longer */
};

static struct hc_node *read_value(struct reader *r, int depth);

static struct hc_place place_of(const struct reader *r)
{
    return (struct hc_place){r->file, r->line, (int)(r->at - r->line_start) + 1};
}

static struct hc_node *fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static struct hc_node *fail(struct reader *r, const char *format, ...)
{
    char what[192];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    struct hc_place place = place_of(r);
    hc_scenario_complain(r->errors, &place, NULL, "%s", what);
    return NULL;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static struct hc_node *fail_found(struct reader *r, const char *wanted)
{
    size_t n = 1;
    if (r->at == r->end)
        return fail(r, "the file ends where %s is expected", wanted);
    if (r->at[0] == '/' && r->at[1] == '*')
        return fail(r, "comments go from '//' to the end of the line; '/*' is none");
    while (is_word(r->at[0]) && n < 24 && is_word(r->at[n]))
        n++;
    if (strcmp(wanted, "a value") == 0 && is_word(*r->at))
        return fail(r, "'%s' is no value: texts are in double quotes", hc_printable(r->at, n).text);
    return fail(r, "'%s' where %s is expected", hc_printable(r->at, n).text, wanted);
}

static void skip_blanks(struct reader *r)
{
    for (;;) {
        if (r->at[0] == '/' && r->at[1] == '/') {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        } else if (*r->at == '\n') {
            r->line++;
            r->line_start = ++r->at;
        } else if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') {
            r->at++;
        } else {
            return;
        }
    }
}

static struct hc_node *new_node(struct reader *r, enum hc_node_type type)
{
    struct hc_node *node = hc_arena_new(r->arena, sizeof *node, &r->errors->no_memory);
    if (node) {
        node->type = type;
        node->place = place_of(r);
    }
    return node;
}

/* ---- texts ---- */

/* One character of a string at r->at into *to; false when it is none that may stand there. */
static bool read_character(struct reader *r, char **to)
{
    uint32_t code = 0;
    if (*r->at == '\\') {
        size_t length = hc_json_escape(r->at, &code);
        if (!length || !code) {
            fail(r, code || !length ? "'%s' is no escape" : "'%s': a text cannot hold this",
                 hc_printable(r->at, r->at[1] == 'u' ? 6 : 2).text);
            return false;
        }
        r->at += length;
        *to += hc_json_put_utf8(*to, code);
        return true;
    }
    if ((unsigned char)*r->at < 0x20) {
        if (r->at == r->end || *r->at == '\n')
            fail(r, "the text that begins before here is not closed on its line");
        else
            fail(r, "a text holds the control character '%s'; write it as an escape",
                 hc_printable(r->at, 1).text);
        return false;
    }
    size_t length = hc_utf8_length(r->at);
    if (!length) {
        fail(r, "'%s' is not UTF-8", hc_printable(r->at, 1).text);
        return false;
    }
    memcpy(*to, r->at, length);
    *to += length;
    r->at += length;
    return true;
}

/* At a quote. */
static const char *read_string(struct reader *r)
{
    char *to = r->scratch;
    r->at++;
    while (*r->at != '"')
        if (!read_character(r, &to))
            return NULL;
    r->at++;
    return hc_arena_text(r->arena, r->scratch, (size_t)(to - r->scratch), &r->errors->no_memory);
}

/* ---- numbers ---- */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* The end of the JSON number at `at`, or NULL when there is none. */
static const char *number_end(const char *at)
{
    const char *digits = at + (*at == '-');
    const char *end = skip_digits(digits);
    if (end == digits || (*digits == '0' && end > digits + 1))
        return NULL;
    if (*end == '.') {
        digits = end + 1;
        end = skip_digits(digits);
        if (end == digits)
            return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        digits = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(digits);
        if (end == digits)
            return NULL;
    }
    return is_word(*end) || *end == '.' ? NULL : end;
}

static struct hc_node *read_number(struct reader *r)
{
    const char *end = number_end(r->at);
    size_t length = 1;
    if (!end) {
        while (length < 40 && (is_word(r->at[length]) || strchr("+-.", r->at[length])) &&
               r->at[length])
            length++;
        return fail(r, "'%s' is no number as JSON has them", hc_printable(r->at, length).text);
    }
    struct hc_node *node = new_node(r, HC_NODE_NUMBER);
    if (!node)
        return NULL;
    node->number = strtod(r->at, NULL);
    length = (size_t)(end - r->at);
    if (!isfinite(node->number))
        return fail(r, "the number '%s' is too large", hc_printable(r->at, length).text);
    node->text = hc_arena_text(r->arena, r->at, length, &r->errors->no_memory);
    r->at = end;
    return node->text ? node : NULL;
}

/* ---- containers ---- */

/* The key of the next member and its colon. */
static const char *read_key(struct reader *r, const struct hc_node *object, struct hc_place *place)
{
    if (*r->at != '"') {
        fail_found(r, "a key in double quotes, or '}',");
        return NULL;
    }
    *place = place_of(r);
    struct reader before = *r;
    const char *key = read_string(r);
    if (!key)
        return NULL;
    const struct hc_node *twin = hc_node_member(object, key);
    if (twin || object->n == HC_SCENARIO_MAX_MEMBERS) {
        *r = before;
        if (twin)
            fail(r, "'%s' is there twice: also in line %d", hc_printable(key, strlen(key)).text,
                 twin->key_place.line);
        else
            fail(r, "more than %d keys in one object", HC_SCENARIO_MAX_MEMBERS);
        return NULL;
    }
    skip_blanks(r);
    if (*r->at != ':') {
        fail_found(r, "':'");
        return NULL;
    }
    r->at++;
    skip_blanks(r);
    return key;
}

/* At the opening bracket. */
static struct hc_node *read_container(struct reader *r, enum hc_node_type type, int depth)
{
    char closing = type == HC_NODE_OBJECT ? '}' : ']';
    if (depth == HC_SCENARIO_MAX_DEPTH)
        return fail(r, "more than %d objects and arrays within each other", HC_SCENARIO_MAX_DEPTH);
    struct hc_node *node = new_node(r, type);
    if (!node)
        return NULL;
    r->at++;
    for (skip_blanks(r); *r->at != closing; skip_blanks(r)) {
        struct hc_place key_place = {r->file, 0, 0};
        const char *key = NULL;
        if (type == HC_NODE_OBJECT && !(key = read_key(r, node, &key_place)))
            return NULL;
        struct hc_node *child = read_value(r, depth + 1);
        if (!child)
            return NULL;
        child->key = key;
        child->key_place = key ? key_place : child->place;
        hc_node_append(node, child);
        skip_blanks(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != closing)
            return fail_found(r, type == HC_NODE_OBJECT ? "',' or '}'" : "',' or ']'");
    }
    r->at++;
    return node;
}

static struct hc_node *read_word(struct reader *r)
{
    static const struct {
        const char *word;
        enum hc_node_type type;
        bool truth;
    } words[] = {{"true", HC_NODE_BOOL, true},
                 {"false", HC_NODE_BOOL, false},
                 {"null", HC_NODE_NULL, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(r->at, words[i].word, length) != 0 || is_word(r->at[length]))
            continue;
        struct hc_node *node = new_node(r, words[i].type);
        if (node)
            node->truth = words[i].truth;
        r->at += length;
        return node;
    }
    return fail_found(r, "a value");
}

static struct hc_node *read_text(struct reader *r)
{
    struct hc_node *node = new_node(r, HC_NODE_TEXT);
    if (node)
        node->text = read_string(r);
    return node && node->text ? node : NULL;
}

static struct hc_node *read_value(struct reader *r, int depth)
{
    if (*r->at == '{')
        return read_container(r, HC_NODE_OBJECT, depth);
    if (*r->at == '[')
        return read_container(r, HC_NODE_ARRAY, depth);
    if (*r->at == '"')
        return read_text(r);
    if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
        return read_number(r);
    return read_word(r);
}

static struct hc_node *read_document(struct reader *r)
{
    if (strncmp(r->at, "\xef\xbb\xbf", 3) == 0)
        return fail(r, "the file begins with a byte order mark; leave it out");
    skip_blanks(r);
    struct hc_node *node = read_value(r, 0);
    if (!node)
        return NULL;
    skip_blanks(r);
    return r->at < r->end ? fail_found(r, "the end of the file") : node;
}

struct hc_node *hc_scenario_text(const char *file, const char *text, size_t length,
                                 struct hc_arena *arena, struct hc_scenario_errors *errors)
{
    struct reader r = {
        .at = text, .line_start = text, .line = 1, .file = file, .arena = arena, .errors = errors};
    struct hc_node *node = NULL;
    char *padded = NULL;
    if (length > HC_SCENARIO_MAX_BYTES)
        return fail(&r, "a scenario has at most %zu bytes", HC_SCENARIO_MAX_BYTES);
    padded = hc_new_array(length + PADDING, 1, &errors->no_memory);
    r.scratch = hc_new_array(length + PADDING, 1, &errors->no_memory);
    if (padded && r.scratch) {
        if (length)
            memcpy(padded, text, length);
        r.at = r.line_start = padded;
        r.end = padded + length;
        node = read_document(&r);
    }
    free(padded);
    free(r.scratch);
    return node;
}

/* ---- files ---- */

/* Reads one byte more than a scenario may have, so that the reader sees that it is too long. */
enum hc_status hc_scenario_file(struct hc_scenario_input *input, struct hc_node **node,
                                struct hc_arena *arena, struct hc_scenario_errors *errors,
                                struct hc_error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    *node = NULL;
    if (hc_input_file_load(input->path, HC_SCENARIO_MAX_BYTES, &bytes, &length, err))
        return err->status;
    hc_digest_bytes(bytes, length, input->sha256);
    const char *name = strcmp(input->path, "-") == 0 ? "standard input" : input->path;
    name = hc_arena_text(arena, name, strlen(name), &errors->no_memory);
    *node = name ? hc_scenario_text(name, bytes, length, arena, errors) : NULL;
    free(bytes);
    return HC_OK;
}
