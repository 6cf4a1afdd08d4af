#include "study/grammar/scenario_text.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/files/input_file.h"
#include "core/text/json_pull.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PADDING                                                                                    \
    16 /* NULs behind the text: what a mistake is made of is looked at without asking              \
        */

#define LIBERTIES (HC_PULL_COMMENTS | HC_PULL_TRAILING_COMMAS | HC_PULL_NO_NUL)

/* The text is read by a pull reader, and looked at again for the words of a mistake. */
struct reader {
    struct hc_json_pull *pull;
    const char *text;
    int64_t length;
    /* Where the last place was: places are asked for in the order of the text. */
    int64_t line_start, looked_at;
    int line;
    const char *file;
    struct hc_arena *arena;
    struct hc_scenario_errors *errors;
};

static struct hc_node *read_value(struct reader *r, const struct hc_pull_token *token, int depth);

/* ---- places and complaints ---- */

static struct hc_place place_at(struct reader *r, int64_t byte)
{
    while (r->looked_at < byte) {
        const char *from = r->text + r->looked_at;
        const char *newline = memchr(from, '\n', (size_t)(byte - r->looked_at));
        r->looked_at = newline ? newline - r->text + 1 : byte;
        if (newline) {
            r->line++;
            r->line_start = r->looked_at;
        }
    }
    return (struct hc_place){r->file, r->line, (int)(byte - r->line_start) + 1};
}

static struct hc_node *fail(struct reader *r, int64_t byte, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static struct hc_node *fail(struct reader *r, int64_t byte, const char *format, ...)
{
    char what[192];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    struct hc_place place = place_at(r, byte);
    hc_scenario_complain(r->errors, &place, NULL, "%s", what);
    return NULL;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Something else stands where `wanted` is expected. */
static struct hc_node *fail_found(struct reader *r, int64_t byte, const char *wanted)
{
    const char *at = r->text + byte;
    size_t n = 1;
    if (byte == r->length)
        return fail(r, byte, "the file ends where %s is expected", wanted);
    if (at[0] == '/' && at[1] == '*')
        return fail(r, byte, "comments go from '//' to the end of the line; '/*' is none");
    while (is_word(at[0]) && n < 24 && is_word(at[n]))
        n++;
    if (strcmp(wanted, "a value") == 0 && is_word(*at))
        return fail(r, byte, "'%s' is no value: texts are in double quotes",
                    hc_printable(at, n).text);
    return fail(r, byte, "'%s' where %s is expected", hc_printable(at, n).text, wanted);
}

/* The text holds at byte what may not stand in a string. */
static struct hc_node *fail_string(struct reader *r, int64_t byte)
{
    const char *at = r->text + byte;
    if (*at == '\\') {
        struct hc_printable shown = hc_printable(at, at[1] == 'u' ? 6 : 2);
        bool is_nul = strncmp(at, "\\u0000", 6) == 0;
        return fail(r, byte, is_nul ? "'%s': a text cannot hold this" : "'%s' is no escape",
                    shown.text);
    }
    if ((unsigned char)*at >= 0x80)
        return fail(r, byte, "'%s' is not UTF-8", hc_printable(at, 1).text);
    if (byte == r->length || *at == '\n')
        return fail(r, byte, "the text that begins before here is not closed on its line");
    return fail(r, byte, "a text holds the control character '%s'; write it as an escape",
                hc_printable(at, 1).text);
}

static struct hc_node *fail_number(struct reader *r, int64_t byte)
{
    const char *at = r->text + byte;
    size_t length = 1;
    while (length < 40 && at[length] && (is_word(at[length]) || strchr("+-.", at[length])))
        length++;
    return fail(r, byte, "'%s' is no number as JSON has them", hc_printable(at, length).text);
}

/* The reader gave up: say why. */
static struct hc_node *fail_reading(struct reader *r, const struct hc_error *err)
{
    static const char *const wanted[] = {
        [HC_WANTED_VALUE] = "a value",       [HC_WANTED_KEY] = "a key in double quotes, or '}',",
        [HC_WANTED_COLON] = "':'",           [HC_WANTED_IN_OBJECT] = "',' or '}'",
        [HC_WANTED_IN_ARRAY] = "',' or ']'", [HC_WANTED_END] = "the end of the file",
    };
    const struct hc_pull_mistake mistake = hc_pull_mistake(r->pull);
    if (err->status != HC_BAD_INPUT) {
        r->errors->no_memory = *err;
        return NULL;
    }
    switch (mistake.wanted) {
    case HC_WANTED_STRING:
        return fail_string(r, mistake.byte);
    case HC_WANTED_NUMBER:
        return fail_number(r, mistake.token);
    case HC_WANTED_LESS:
        return fail(r, mistake.token, "a text or number has at most 1 MiB");
    default:
        return fail_found(r, mistake.byte, wanted[mistake.wanted]);
    }
}

static bool next(struct reader *r, struct hc_pull_token *token)
{
    struct hc_error err;
    if (hc_pull_next(r->pull, token, &err) == HC_OK)
        return true;
    fail_reading(r, &err);
    return false;
}

/* ---- values ---- */

static struct hc_node *new_node(struct reader *r, enum hc_node_type type, int64_t byte)
{
    struct hc_node *node = hc_arena_new(r->arena, sizeof *node, &r->errors->no_memory);
    if (node) {
        node->type = type;
        node->place = place_at(r, byte);
    }
    return node;
}

static const char *keep_text(struct reader *r, const struct hc_pull_token *token)
{
    return hc_arena_text(r->arena, token->text, token->length, &r->errors->no_memory);
}

static struct hc_node *read_text(struct reader *r, const struct hc_pull_token *token)
{
    struct hc_node *node = new_node(r, HC_NODE_TEXT, token->byte);
    if (node)
        node->text = keep_text(r, token);
    return node && node->text ? node : NULL;
}

static struct hc_node *read_number(struct reader *r, const struct hc_pull_token *token)
{
    const char *behind = r->text + token->byte + token->length;
    if (is_word(*behind) || *behind == '.')
        return fail_number(r, token->byte);
    struct hc_node *node = new_node(r, HC_NODE_NUMBER, token->byte);
    if (!node)
        return NULL;
    node->text = keep_text(r, token);
    if (!node->text)
        return NULL;
    node->number = strtod(node->text, NULL);
    if (!isfinite(node->number))
        return fail(r, token->byte, "the number '%s' is too large",
                    hc_printable(token->text, token->length).text);
    return node;
}

static struct hc_node *read_word(struct reader *r, const struct hc_pull_token *token)
{
    size_t length = token->kind == HC_PULL_FALSE ? strlen("false") : strlen("true");
    if (is_word(r->text[token->byte + (int64_t)length]))
        return fail_found(r, token->byte, "a value");
    struct hc_node *node =
        new_node(r, token->kind == HC_PULL_NULL ? HC_NODE_NULL : HC_NODE_BOOL, token->byte);
    if (node)
        node->truth = token->kind == HC_PULL_TRUE;
    return node;
}

/* The key of the next member, or NULL with a complaint. */
static const char *read_key(struct reader *r, const struct hc_node *object,
                            const struct hc_pull_token *token)
{
    const char *key = keep_text(r, token);
    const struct hc_node *twin = key ? hc_node_member(object, key) : NULL;
    if (twin)
        fail(r, token->byte, "'%s' is there twice: also in line %d",
             hc_printable(key, strlen(key)).text, twin->key_place.line);
    else if (key && object->n == HC_SCENARIO_MAX_MEMBERS)
        fail(r, token->byte, "more than %d keys in one object", HC_SCENARIO_MAX_MEMBERS);
    else
        return key;
    return NULL;
}

/* token is that of the opening bracket. */
static struct hc_node *read_container(struct reader *r, const struct hc_pull_token *opening,
                                      int depth)
{
    bool is_object = opening->kind == HC_PULL_OBJECT;
    if (depth == HC_SCENARIO_MAX_DEPTH)
        return fail(r, opening->byte, "more than %d objects and arrays within each other",
                    HC_SCENARIO_MAX_DEPTH);
    struct hc_node *node = new_node(r, is_object ? HC_NODE_OBJECT : HC_NODE_ARRAY, opening->byte);
    if (!node)
        return NULL;
    for (;;) {
        struct hc_pull_token token;
        struct hc_place key_place = {r->file, 0, 0};
        const char *key = NULL;
        if (!next(r, &token))
            return NULL;
        if (token.kind == (is_object ? HC_PULL_OBJECT_END : HC_PULL_ARRAY_END)) {
            hc_node_take_interval(node);
            return node;
        }
        if (is_object) {
            key_place = place_at(r, token.byte);
            key = read_key(r, node, &token);
            if (!key || !next(r, &token))
                return NULL;
        }
        struct hc_node *child = read_value(r, &token, depth + 1);
        if (!child)
            return NULL;
        child->key = key;
        child->key_place = key ? key_place : child->place;
        hc_node_append(node, child);
    }
}

static struct hc_node *read_value(struct reader *r, const struct hc_pull_token *token, int depth)
{
    switch (token->kind) {
    case HC_PULL_OBJECT:
    case HC_PULL_ARRAY:
        return read_container(r, token, depth);
    case HC_PULL_STRING:
        return read_text(r, token);
    case HC_PULL_NUMBER:
        return read_number(r, token);
    default:
        return read_word(r, token);
    }
}

static struct hc_node *read_document(struct reader *r)
{
    struct hc_pull_token token;
    if (strncmp(r->text, "\xef\xbb\xbf", 3) == 0)
        return fail(r, 0, "the file begins with a byte order mark; leave it out");
    if (!next(r, &token))
        return NULL;
    struct hc_node *node = read_value(r, &token, 0);
    return node && next(r, &token) ? node : NULL;
}

struct hc_node *hc_scenario_text(const char *file, const char *text, size_t length,
                                 struct hc_arena *arena, struct hc_scenario_errors *errors)
{
    struct reader r = {.text = text,
                       .length = (int64_t)length,
                       .line = 1,
                       .file = file,
                       .arena = arena,
                       .errors = errors};
    struct hc_node *node = NULL;
    if (length > HC_SCENARIO_MAX_BYTES)
        return fail(&r, 0, "a scenario has at most %zu bytes", HC_SCENARIO_MAX_BYTES);
    char *padded = hc_new_array(length + PADDING, 1, &errors->no_memory);
    if (!padded)
        return NULL;
    if (length)
        memcpy(padded, text, length);
    r.text = padded;
    if (hc_pull_open_text(&r.pull, &(struct hc_pull_text){file, padded, length}, LIBERTIES,
                          &errors->no_memory) == HC_OK)
        node = read_document(&r);
    hc_pull_close(r.pull);
    free(padded);
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
