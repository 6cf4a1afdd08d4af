/* How binding fails, and refusals in the words of the scenario. */
#include "study/binding/key_binding.h"

#include <stdio.h>
#include <string.h>

/* Refuse the value at `pointer` within the one that is bound ("/causes/0", or "" for itself). */
static bool refuse(struct hc_key_binder *b, const char *pointer, const char *sentence)
{
    char whole[2 * HC_POINTER_SIZE];
    snprintf(whole, sizeof whole, "%s%s", b->path.text, pointer);
    b->status = hc_refuse(b->refusal, whole, "%s", sentence);
    return false;
}

bool hc_binder_fails(struct hc_key_binder *b, enum hc_status status)
{
    b->status = status;
    return false;
}

bool hc_binder_passes(struct hc_key_binder *b, const char *within, enum hc_status status)
{
    return status == HC_BAD_INPUT ? refuse(b, within, b->err->message) : hc_binder_fails(b, status);
}

/* ---- names of keys for names of members ---- */

/* The row of what the engine calls `member`; of several, the one whose key is in object. */
static const struct hc_scenario_key *row_of_member(const struct hc_scenario_key *table,
                                                   const char *member, const struct hc_node *object)
{
    const struct hc_scenario_key *first = NULL;
    for (; table && table->name; table++) {
        const char *dot = table->member ? strrchr(table->member, '.') : NULL;
        if (!table->member || strcmp(dot ? dot + 1 : table->member, member) != 0)
            continue;
        if (object && object->type == HC_NODE_OBJECT && hc_node_member(object, table->name))
            return table;
        first = first ? first : table;
    }
    return first;
}

/* Put keys of the document in place of the engine's names for them. Returns the row of the last one
 * that had to be replaced, or NULL. */
static const struct hc_scenario_key *
name_keys(struct hc_pointer *pointer, const struct hc_scenario_key *table, struct hc_node *root)
{
    const struct hc_scenario_key *replaced = NULL;
    for (size_t i = 0; i < pointer->n && table; i++) {
        const struct hc_scenario_key *row = hc_scenario_key(table, pointer->token[i]);
        if (!row &&
            (row = row_of_member(table, pointer->token[i], hc_pointer_walk(pointer, i, root)))) {
            pointer->token[i] = row->name;
            replaced = row;
        }
        table = row ? row->members : NULL;
        if (row && (row->kind == HC_KEY_NAMED || row->kind == HC_KEY_LIST))
            i++; /* any name, or a place */
    }
    return replaced;
}

static void put_pointer(char text[HC_POINTER_SIZE], const struct hc_pointer *pointer)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < pointer->n && n < HC_POINTER_SIZE; i++)
        n += (size_t)snprintf(text + n, HC_POINTER_SIZE - n, "/%s", pointer->token[i]);
}

void hc_refusal_by_key(struct hc_refusal *refusal, const struct hc_scenario_key *keys,
                       const struct hc_node *root)
{
    struct hc_pointer pointer;
    if (!hc_pointer_parse(&pointer, refusal->pointer))
        return;
    const struct hc_scenario_key *row = name_keys(&pointer, keys, (struct hc_node *)root);
    if (!row)
        return;
    put_pointer(refusal->pointer, &pointer);
    size_t length = strlen(refusal->sentence);
    if (row->scale > 0 && row->scale != 1 && strpbrk(refusal->sentence, "123456789"))
        snprintf(refusal->sentence + length, sizeof refusal->sentence - length, " (as %s)",
                 row->member);
}
