/* What the table of keys cannot say of an edit. */
#include "study/engines/replay/replay_wing.h"

#include <string.h>

void hc_replay_start_edit(void *edit)
{
    *(struct hc_edit *)edit = (struct hc_edit){.kind = HC_EDIT_NOTHING};
}

/* FNV-1a: the random numbers of an edit go by its name, so that others do not change them. */
static uint32_t stream_of(const char *name)
{
    uint32_t hash = 0x811C9DC5u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x01000193u;
    return hash;
}

static bool bind_swap(struct hc_key_binder *b, const struct hc_node *swap, struct hc_edit *edit)
{
    size_t before = hc_path_add(&b->path, "swap");
    edit->kind = HC_EDIT_SWAP;
    if (swap->n != 2) {
        hc_refuse(b->refusal, b->path.text, "needs two workers, not %zu", swap->n);
        return hc_binder_fails(b, HC_BAD_INPUT);
    }
    if (!hc_replay_bind_worker(b, swap->first, edit->swap[0]) ||
        !hc_replay_bind_worker(b, swap->last, edit->swap[1]))
        return false;
    hc_path_back(&b->path, before);
    return true;
}

static bool refuse(struct hc_key_binder *b, const char *key, const char *sentence)
{
    hc_path_add(&b->path, key);
    hc_refuse(b->refusal, b->path.text, "%s", sentence);
    return hc_binder_fails(b, HC_BAD_INPUT);
}

/* What an edit does, where that is an object: the table says it of all else. */
static void take_kind(const struct hc_node *node, struct hc_edit *edit)
{
    static const struct {
        const char *key;
        enum hc_edit_kind kind;
    } objects[] = {{"link", HC_EDIT_LINK},
                   {"rebalance", HC_EDIT_REBALANCE},
                   {"planned_gc", HC_EDIT_PLANNED_GC},
                   {"repartition", HC_EDIT_REPARTITION},
                   {"overlap", HC_EDIT_OVERLAP},
                   {"evict", HC_EDIT_EVICT},
                   {"rearrange", HC_EDIT_REARRANGE},
                   {"extrapolate", HC_EDIT_EXTRAPOLATE},
                   {"stop", HC_EDIT_STOP}};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (hc_node_member(node, objects[i].key))
            edit->kind = objects[i].kind;
}

bool hc_replay_finish_edit(struct hc_key_binder *b, const struct hc_node *node, void *element)
{
    struct hc_edit *edit = element;
    const struct hc_node *select = hc_node_member(node, "select"),
                         *swap = hc_node_member(node, "swap"),
                         *replace = hc_node_member(node, "replace");
    edit->stream = stream_of(edit->name);
    take_kind(node, edit);
    if (edit->kind == HC_EDIT_REPARTITION &&
        !hc_replay_bind_stages(b, hc_node_member(hc_node_member(node, "repartition"), "to"),
                               &edit->repartition.to))
        return false;
    if (edit->kind == HC_EDIT_LINK && edit->link.bandwidth == 1 && edit->link.latency_s == 0)
        return refuse(b, "link", "changes nothing: give 'bandwidth', 'latency_s' or both");
    if (replace) {
        unsigned by = hc_replay_bind_words(hc_replay_classes, hc_node_member(replace, "by"));
        edit->replace.by = by ? by : HC_CLASS_OP;
        if (edit->replace.how == HC_REPLACE_QUANTILE && replace->type == HC_NODE_TEXT)
            return refuse(b, "replace",
                          "needs the quantile: {\"with\": \"quantile\", \"quantile\": 0.9}");
    }
    if (swap && select)
        return refuse(b, "select", "'swap' is for all ops of two workers: it takes no 'select'");
    if (select && hc_edit_is_plan(edit))
        return refuse(b, "select", "another plan is for all ops of the job: it takes no 'select'");
    if (swap)
        return bind_swap(b, swap, edit);
    if (select && !hc_replay_bind_selector(b, select, edit->stream + 1, &edit->select))
        return false;
    if (select && !hc_selector_draws(&edit->select))
        edit->select.identity = select->first; /* which points share where they change other keys */
    return true;
}
