#include "parsers/collectives/object_text.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW     HC_BUFFER_SIZE((size_t)1 << 18) /* at first; it stays in the cache */
#define MOST       HC_BUFFER_SIZE((size_t)1 << 20) /* longest object */
#define MOST_DEPTH 16

enum hc_status hc_object_text_open(struct hc_object_text *text, const struct hc_source *source,
                                   struct hc_error *err)
{
    *text = (struct hc_object_text){.capacity = WINDOW};
    text->bytes = hc_new_array(text->capacity, 1, err);
    if (!text->bytes)
        return err->status;
    return hc_byte_reader_open(&text->reader, source, err);
}

void hc_object_text_close(struct hc_object_text *text)
{
    hc_byte_reader_close(text->reader);
    free(text->bytes);
    *text = (struct hc_object_text){0};
}

/* Read more behind what is left, in a longer window where it is full. */
static enum hc_status read_more(struct hc_object_text *text, struct hc_error *err)
{
    size_t left = text->end - text->at, length = 0;
    memmove(text->bytes, text->bytes + text->at, left);
    text->offset += (int64_t)text->at;
    text->at = 0;
    text->end = left;
    if (text->capacity - left < text->capacity / 4 &&
        hc_reserve(&text->bytes, &text->capacity, text->capacity * 2, 1, err))
        return err->status;
    enum hc_status status =
        hc_byte_reader_read(text->reader, text->bytes + left, text->capacity - left, &length, err);
    if (status == HC_BAD_INPUT && hc_byte_reader_is_cut(text->reader)) {
        *err = (struct hc_error){0};
        text->is_cut = true;
        status = HC_OK;
        text->is_ended = true;
    }
    text->is_ended |= length == 0;
    text->end += length;
    return status;
}

/* ---- one object ---- */

enum walk_end { WALKED, WALKED_SHORT, WALKED_BAD };

/* A walk over an object in the window. */
struct walk {
    struct hc_object_text *text;
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The next byte that is no blank; 0 where the window ends. */
static char look(struct walk *walk)
{
    while (walk->at < walk->end && is_blank(*walk->at))
        walk->at++;
    return walk->at < walk->end ? *walk->at : '\0';
}

static enum walk_end missing(const struct walk *walk)
{
    return walk->at < walk->end ? WALKED_BAD : WALKED_SHORT;
}

/* The string of which the walk is at the quote. */
static enum walk_end walk_string(struct walk *walk, const char **text, uint32_t *length,
                                 bool *is_escaped)
{
    const char *at = walk->at + 1;
    *text = at;
    *is_escaped = false;
    while (at < walk->end && *at != '"') {
        *is_escaped |= *at == '\\';
        at += *at == '\\' ? 2 : 1;
    }
    if (at >= walk->end) {
        walk->at = walk->end;
        return WALKED_SHORT;
    }
    *length = (uint32_t)(at - *text);
    walk->at = at + 1;
    return WALKED;
}

static enum walk_end walk_literal(struct walk *walk, const char **text, uint32_t *length)
{
    const char *at = walk->at;
    *text = at;
    while (at < walk->end && ((*at >= '0' && *at <= '9') || *at == '.' || *at == '-' ||
                              *at == '+' || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z')))
        at++;
    *length = (uint32_t)(at - walk->at);
    walk->at = at;
    return at == walk->end ? WALKED_SHORT : *length ? WALKED : WALKED_BAD;
}

static enum walk_end walk_value(struct walk *walk, struct hc_object_member *member, int parent,
                                int depth);

/* The members of an object, of which the walk is at the brace. parent is their member, -2: they are
 * not kept. */
static enum walk_end walk_object(struct walk *walk, int parent, int depth)
{
    struct hc_object_text *text = walk->text;
    walk->at++;
    if (look(walk) == '}') {
        walk->at++;
        return WALKED;
    }
    for (;;) {
        struct hc_object_member unkept = {0}, *member = &unkept;
        int place = -2;
        if (parent > -2 && text->n_members < HC_OBJECT_MOST_MEMBERS) {
            place = (int)text->n_members++;
            member = &text->members[place];
        }
        *member = (struct hc_object_member){.parent = (int16_t)parent};
        if (look(walk) != '"')
            return missing(walk);
        enum walk_end end =
            walk_string(walk, &member->key, &member->key_length, &member->is_escaped);
        if (end == WALKED && look(walk) != ':')
            end = missing(walk);
        if (end != WALKED)
            return end;
        walk->at++;
        end = walk_value(walk, member, place, depth + 1);
        if (end != WALKED)
            return end;
        char next = look(walk);
        if (next != ',' && next != '}')
            return missing(walk);
        walk->at++;
        if (next == '}')
            return WALKED;
    }
}

static enum walk_end walk_list(struct walk *walk, int depth)
{
    walk->at++;
    if (look(walk) == ']') {
        walk->at++;
        return WALKED;
    }
    for (;;) {
        struct hc_object_member item = {0};
        enum walk_end end = walk_value(walk, &item, -2, depth + 1);
        if (end != WALKED)
            return end;
        char next = look(walk);
        if (next != ',' && next != ']')
            return missing(walk);
        walk->at++;
        if (next == ']')
            return WALKED;
    }
}

/* The value of a member, whose place is that of the members in it. */
static enum walk_end walk_value(struct walk *walk, struct hc_object_member *member, int place,
                                int depth)
{
    enum walk_end end = WALKED_BAD;
    char first = look(walk);
    if (!first && walk->at == walk->end)
        return WALKED_SHORT;
    if (depth > MOST_DEPTH)
        return WALKED_BAD;
    if (first == '"') {
        member->kind = HC_MEMBER_TEXT;
        return walk_string(walk, &member->text, &member->length, &member->is_escaped);
    }
    if (first != '{' && first != '[') {
        member->kind = HC_MEMBER_LITERAL;
        return walk_literal(walk, &member->text, &member->length);
    }
    member->kind = HC_MEMBER_OBJECT;
    member->text = walk->at;
    end = first == '{' ? walk_object(walk, place, depth) : walk_list(walk, depth);
    member->length = (uint32_t)(walk->at - member->text);
    return end;
}

/* ---- from object to object ---- */

/* Whether a brace is followed by one of the keys; *is_short: the window ends before that is known.
 */
static bool begins_object(const char *brace, const char *end, const char *const *keys,
                          bool *is_short)
{
    const char *at = brace + 1;
    while (at < end && is_blank(*at))
        at++;
    size_t left = (size_t)(end - at);
    for (; *keys; keys++) {
        size_t length = strlen(*keys);
        if (left >= length + 2
                ? at[0] == '"' && memcmp(at + 1, *keys, length) == 0 && at[length + 1] == '"'
                : (*is_short = true, false))
            return true;
    }
    return false;
}

/* Go on behind damage: at the next brace that begins an object of the log, or at the end. */
static enum hc_status find_next(struct hc_object_text *text, const char *const *keys,
                                struct hc_error *err)
{
    text->at++;
    for (;;) {
        const char *end = text->bytes + text->end, *at = text->bytes + text->at, *brace;
        bool is_short = false;
        while ((brace = memchr(at, '{', (size_t)(end - at)))) {
            text->at = (size_t)(brace - text->bytes);
            if (begins_object(brace, end, keys, &is_short))
                return HC_OK;
            if (is_short && !text->is_ended)
                break;
            is_short = false;
            at = brace + 1;
        }
        if (!brace)
            text->at = text->end;
        if (text->is_ended)
            return HC_OK;
        if (read_more(text, err))
            return err->status;
    }
}

/* A byte order mark and blanks before an object. */
static enum hc_status skip_blanks(struct hc_object_text *text, struct hc_error *err)
{
    for (;;) {
        if (text->offset + (int64_t)text->at == 0 && text->end >= 3 &&
            memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0)
            text->at = 3;
        while (text->at < text->end && is_blank(text->bytes[text->at]))
            text->at++;
        if (text->is_ended || (text->at < text->end && text->offset + (int64_t)text->end >= 3))
            return HC_OK;
        if (read_more(text, err))
            return err->status;
    }
}

enum hc_status hc_object_text_next(struct hc_object_text *text, const char *const *keys,
                                   enum hc_object_outcome *outcome, struct hc_error *err)
{
    if (skip_blanks(text, err))
        return err->status;
    text->byte = text->offset + (int64_t)text->at;
    *outcome = HC_OBJECT_END;
    while (text->at < text->end) {
        struct walk walk = {text, text->bytes + text->at, text->bytes + text->end};
        text->n_members = 0;
        enum walk_end end = *walk.at == '{' ? walk_object(&walk, -1, 0) : WALKED_BAD;
        if (end == WALKED) {
            text->at = (size_t)(walk.at - text->bytes);
            *outcome = HC_OBJECT_READ;
            return HC_OK;
        }
        *outcome =
            end == WALKED_BAD || text->end - text->at >= MOST ? HC_OBJECT_DAMAGED : HC_OBJECT_CUT;
        if (*outcome == HC_OBJECT_DAMAGED)
            return find_next(text, keys, err);
        if (text->is_ended) {
            text->at = text->end;
            return HC_OK;
        }
        if (read_more(text, err))
            return err->status;
    }
    return HC_OK;
}

const struct hc_object_member *hc_object_text_find(const struct hc_object_text *text, int parent,
                                                   const char *key)
{
    size_t length = strlen(key);
    for (size_t i = parent < 0 ? 0 : (size_t)parent + 1; parent > -2 && i < text->n_members; i++) {
        const struct hc_object_member *member = &text->members[i];
        if (member->parent == parent && member->key_length == length &&
            memcmp(member->key, key, length) == 0)
            return member;
    }
    return NULL;
}

int hc_object_text_inner(const struct hc_object_text *text, int parent, const char *key)
{
    const struct hc_object_member *member = hc_object_text_find(text, parent, key);
    bool is_object = member && member->kind == HC_MEMBER_OBJECT && member->text[0] == '{';
    return is_object ? (int)(member - text->members) : -2;
}
