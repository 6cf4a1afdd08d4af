/* A scenario of a step timeline into the config of the engine, beyond what the table says. */
#include "study/engines/replay/replay_wing.h"
#include "study/grammar/data_provider.h"

#include <stdio.h>
#include <string.h>

/* ---- edits ---- */

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
                   {"extrapolate", HC_EDIT_EXTRAPOLATE}};
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
        const struct hc_scenario_key *keys =
            hc_scenario_key(hc_scenario_key(hc_replay_keys, "edits")->members, "replace")->members;
        unsigned by = hc_replay_bind_words(keys, "by", hc_node_member(replace, "by"));
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

/* ---- which of them ---- */

static bool has_lists(const struct hc_node *variants)
{
    for (const struct hc_node *child = variants ? variants->first : NULL; child;
         child = child->next)
        if (child->type == HC_NODE_ARRAY)
            return true;
    return false;
}

static const struct hc_edit *find_edit(const struct hc_replay_config *config, const char *name)
{
    for (size_t i = 0; i < config->n_named; i++)
        if (strcmp(config->named[i].name, name) == 0)
            return &config->named[i];
    return NULL;
}

static enum hc_status refuse_name(const struct hc_replay_config *config, const char *name,
                                  size_t at, struct hc_refusal *refusal)
{
    const char *names[256];
    char pointer[64];
    size_t n = 0;
    for (; n < config->n_named && n < 256; n++)
        names[n] = config->named[n].name;
    snprintf(pointer, sizeof pointer, "/apply/%zu", at);
    return hc_refuse(refusal, pointer, "there is no edit '%s'%s", name,
                     hc_did_you_mean(name, names, n).text);
}

static enum hc_status choose_edits(struct hc_replay_config *config, const struct hc_node *root,
                                   struct hc_arena *arena, struct hc_refusal *refusal,
                                   struct hc_error *err)
{
    const struct hc_node *apply = hc_node_member(root, "apply");
    if (!apply) {
        config->n_edits = has_lists(hc_node_member(root, "variants")) ? 0 : config->n_named;
        config->edits = config->named;
        return HC_OK;
    }
    config->edits = hc_arena_new(arena, (apply->n + 1) * sizeof *config->edits, err);
    if (!config->edits)
        return err->status;
    for (const struct hc_node *child = apply->first; child; child = child->next) {
        const struct hc_edit *edit = find_edit(config, child->text);
        if (!edit)
            return refuse_name(config, child->text, config->n_edits, refusal);
        config->edits[config->n_edits++] = *edit;
    }
    return HC_OK;
}

/* ---- all of it ---- */

static const struct hc_replay_base *base_of(const struct hc_node *root)
{
    const struct hc_node *input = hc_node_member(root, "input");
    const struct hc_node *file = hc_node_member(input, "file"),
                         *name = file ? file : hc_node_member(input, "job");
    return name && name->source ? name->source->timeline : NULL;
}

static enum hc_status new_answer(struct hc_replay_config *config, struct hc_arena *arena,
                                 struct hc_error *err)
{
    struct hc_replay_answer *answer = hc_arena_new(arena, sizeof *answer, err);
    size_t n = config->base->lanes.n_steps;
    if (!answer)
        return err->status;
    config->answer = answer;
    answer->times =
        (struct hc_edited_times){.span = hc_arena_new(arena, n * sizeof(double), err),
                                 .end = hc_arena_new(arena, n * sizeof(double), err),
                                 .ideal_span = hc_arena_new(arena, n * sizeof(double), err),
                                 .ideal_end = hc_arena_new(arena, n * sizeof(double), err)};
    answer->n_selected =
        hc_arena_new(arena, (config->n_edits + 1) * sizeof *answer->n_selected, err);
    return answer->times.span && answer->times.end && answer->times.ideal_span &&
                   answer->times.ideal_end && answer->n_selected
               ? HC_OK
               : err->status;
}

enum hc_status hc_replay_bind(void *bound, struct hc_scenario *scenario, const struct hc_node *root,
                              struct hc_refusal *refusal, struct hc_error *err)
{
    struct hc_replay_config *config = bound;
    *config =
        (struct hc_replay_config){.base = base_of(root), .has_plan = hc_replay_has_plan(root)};
    if (!config->base)
        return hc_refuse(refusal, "/input", "the steps of the job were not read");
    enum hc_status status =
        hc_bind_keys(config, hc_replay_keys, root, &scenario->arena, refusal, err);
    if (status == HC_OK)
        status = choose_edits(config, root, &scenario->arena, refusal, err);
    if (status == HC_OK)
        status = hc_replay_bind_picture(config, root, refusal);
    if (status == HC_OK)
        status = new_answer(config, &scenario->arena, err);
    return status ? status : hc_replay_new_paths(config, &scenario->arena, err);
}
