#include "parsers/collectives/dump_json.h"

#include "core/base/memory.h"
#include "core/text/json_pull.h"
#include "core/text/number_text.h"
#include "parsers/io/json_source.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 16 /* of a value that is kept; sizes need 2 */

struct hc_dump_json {
    const struct hc_source *source;
    const struct hc_dump_taker *taker;
    struct hc_json_pull *pull;
    struct hc_dump_pool kept;  /* what the dump holds besides its entries */
    struct hc_dump_pool entry; /* the current one */
    struct hc_dump_value root;
    bool has_begun, in_entries;
};

static enum hc_status read_value(struct hc_dump_json *p, struct hc_dump_pool *pool, int depth,
                                 struct hc_dump_value *value, struct hc_error *err);

static enum hc_status take_number(const struct hc_pull_token *token, struct hc_dump_value *value)
{
    *value = (struct hc_dump_value){.kind = HC_DUMP_INT};
    enum hc_text_number as = hc_text_to_i64(token->text, token->length, &value->whole);
    if (as == HC_TEXT_NOT_WHOLE) {
        char text[64] = "";
        memcpy(text, token->text, token->length < sizeof text ? token->length : sizeof text - 1);
        *value = (struct hc_dump_value){.kind = HC_DUMP_FLOAT, .real = strtod(text, NULL)};
    } else if (as != HC_TEXT_OK) {
        value->kind = HC_DUMP_OPAQUE;
    }
    return HC_OK;
}

static enum hc_status read_list(struct hc_dump_json *p, struct hc_dump_pool *pool, int depth,
                                struct hc_dump_value *value, struct hc_error *err)
{
    if (hc_dump_list(pool, HC_DUMP_LIST, value, err))
        return err->status;
    for (;;) {
        struct hc_dump_value item;
        enum hc_status status = read_value(p, pool, depth + 1, &item, err);
        if (status)
            return status == HC_FINDING ? HC_OK : status;
        if (hc_dump_append(pool, value->list, &item, 1, err))
            return err->status;
    }
}

/* The members of an object that was begun; frames are read over. */
static enum hc_status read_members(struct hc_dump_json *p, struct hc_dump_pool *pool, int depth,
                                   struct hc_dump_value *value, struct hc_error *err)
{
    struct hc_pull_token token;
    struct hc_dump_value pair[2];
    if (hc_dump_list(pool, HC_DUMP_DICT, value, err))
        return err->status;
    for (;;) {
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END)
            return HC_OK;
        if (hc_dump_text(pool, token.text, token.length, &pair[0], err))
            return err->status;
        if (pair[0].word == HC_WORD_FRAMES) {
            if (hc_pull_skip_value(p->pull, err))
                return err->status;
            continue;
        }
        if (read_value(p, pool, depth + 1, &pair[1], err) ||
            hc_dump_append(pool, value->list, pair, 2, err))
            return err->status;
    }
}

/* The next value; HC_FINDING, without a message, where the list that it would be in ends. */
static enum hc_status read_value(struct hc_dump_json *p, struct hc_dump_pool *pool, int depth,
                                 struct hc_dump_value *value, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    *value = (struct hc_dump_value){.kind = HC_DUMP_NONE};
    switch (token.kind) {
    case HC_PULL_ARRAY_END:
        return HC_FINDING;
    case HC_PULL_STRING:
        return hc_dump_text(pool, token.text, token.length, value, err);
    case HC_PULL_NUMBER:
        return take_number(&token, value);
    case HC_PULL_TRUE:
    case HC_PULL_FALSE:
        *value = (struct hc_dump_value){.kind = HC_DUMP_BOOL, .whole = token.kind == HC_PULL_TRUE};
        return HC_OK;
    case HC_PULL_ARRAY:
    case HC_PULL_OBJECT:
        if (depth >= MOST_DEPTH) {
            value->kind = HC_DUMP_OPAQUE;
            return hc_pull_skip_rest(p->pull, err);
        }
        return token.kind == HC_PULL_ARRAY ? read_list(p, pool, depth, value, err)
                                           : read_members(p, pool, depth, value, err);
    default:
        return HC_OK;
    }
}

/* The next entry of the list; *at_end behind the last. */
static enum hc_status next_entry(struct hc_dump_json *p, bool *at_end, struct hc_error *err)
{
    struct hc_dump_value entry;
    bool was_taken = false;
    hc_dump_release(&p->entry, (struct hc_dump_mark){0});
    enum hc_status status = read_value(p, &p->entry, 0, &entry, err);
    *at_end = status == HC_FINDING;
    if (status)
        return *at_end ? HC_OK : status;
    if (entry.kind != HC_DUMP_DICT)
        return hc_fail(err, HC_BAD_INPUT, "'%s': an entry is no object", p->source->name);
    return p->taker->take(p->taker->context, entry.list->items, entry.list->n, &was_taken, err);
}

static bool is_kept(enum hc_dump_word word)
{
    return word == HC_WORD_PG_CONFIG || word == HC_WORD_PG_STATUS || word == HC_WORD_VERSION ||
           word == HC_WORD_NCCL_VERSION || word == HC_WORD_COMM_LIB_VERSION;
}

/* The next member of the dump: entries are begun, the others read or read over. */
static enum hc_status next_member(struct hc_dump_json *p, bool *at_end, struct hc_error *err)
{
    struct hc_pull_token token;
    struct hc_dump_value pair[2];
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    *at_end = token.kind == HC_PULL_OBJECT_END;
    if (*at_end)
        return HC_OK;
    if (hc_dump_text(&p->kept, token.text, token.length, &pair[0], err))
        return err->status;
    if (pair[0].word == HC_WORD_ENTRIES) {
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        p->in_entries = token.kind == HC_PULL_ARRAY;
        if (!p->in_entries && token.kind != HC_PULL_NULL)
            return hc_fail(err, HC_BAD_INPUT, "'%s': 'entries' is no list", p->source->name);
        pair[1] = (struct hc_dump_value){.kind = HC_DUMP_OPAQUE};
        return hc_dump_append(&p->kept, p->root.list, pair, 2, err);
    }
    if (!is_kept(pair[0].word))
        return hc_pull_skip_value(p->pull, err);
    if (read_value(p, &p->kept, 0, &pair[1], err))
        return err->status;
    return hc_dump_append(&p->kept, p->root.list, pair, 2, err);
}

static enum hc_status begin(struct hc_dump_json *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_dump_list(&p->kept, HC_DUMP_DICT, &p->root, err) || hc_pull_next(p->pull, &token, err))
        return err->status;
    p->has_begun = true;
    if (token.kind != HC_PULL_OBJECT)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is no object, as a dump is", p->source->name);
    return HC_OK;
}

enum hc_status hc_dump_json_run(struct hc_dump_json *p, struct hc_pickle_end *end,
                                struct hc_error *err)
{
    bool at_end = false, had_entry = false;
    *end = (struct hc_pickle_end){0};
    enum hc_status status = p->has_begun ? HC_OK : begin(p, err);
    while (!status && !had_entry && !end->is_over) {
        bool was_in_entries = p->in_entries;
        status = was_in_entries ? next_entry(p, &at_end, err) : next_member(p, &at_end, err);
        if (!status && was_in_entries && at_end)
            p->in_entries = false;
        else if (!status && was_in_entries)
            had_entry = true;
        else
            end->is_over = !status && at_end;
    }
    if (status == HC_BAD_INPUT && hc_pull_is_cut(p->pull)) {
        *end = (struct hc_pickle_end){.is_over = true, .is_cut = true, .value = p->root};
        return HC_OK;
    }
    end->value = p->root;
    return status;
}

enum hc_status hc_dump_json_open(struct hc_dump_json **reader, const struct hc_source *source,
                                 const struct hc_dump_taker *taker, struct hc_error *err)
{
    *reader = NULL;
    struct hc_dump_json *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->taker = taker;
    if (hc_pull_open_source(&p->pull, source, err)) {
        hc_dump_json_close(p);
        return err->status;
    }
    *reader = p;
    return HC_OK;
}

void hc_dump_json_close(struct hc_dump_json *p)
{
    if (!p)
        return;
    hc_pull_close(p->pull);
    hc_dump_pool_fini(&p->kept);
    hc_dump_pool_fini(&p->entry);
    free(p);
}

int64_t hc_dump_json_position(const struct hc_dump_json *p)
{
    return hc_pull_position(p->pull);
}
