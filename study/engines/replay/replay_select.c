/* A selector out of its node: conditions, and selectors within it. */
#include "study/engines/replay/replay_wing.h"

#include "sim/profiles/edits/profile_selection.h"
#include "study/binding/key_binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

/* Ranges of ids, which live in the arena; "first" and "last" are stages
 * of the plan at hand. */
static bool bind_ranges(struct hc_key_binder *b, const struct hc_node *node,
                        struct hc_step_ranges *to)
{
    struct hc_step_ranges parsed = {.n = 0};
    char text[32];
    const char *written = node ? node->text : NULL;
    if (!node || strcmp(written, "other_stages") == 0)
        return true;
    if (strcmp(written, "first") == 0 || strcmp(written, "last") == 0) {
        snprintf(text, sizeof text, "%d", *written == 'f' ? 0 : HC_LAST_STAGE);
        written = text;
    }
    if (node->type == HC_NODE_NUMBER) { /* as "2.0" is 2 */
        snprintf(text, sizeof text, "%.0f", node->number);
        written = text;
    }
    if (hc_step_ranges_parse(&parsed, written, b->err)) {
        hc_step_ranges_fini(&parsed);
        return hc_binder_passes(b, "", b->err->status);
    }
    to->range = hc_arena_new(b->arena, parsed.n * sizeof *to->range, b->err);
    if (to->range) {
        memcpy(to->range, parsed.range, parsed.n * sizeof *to->range);
        to->n = parsed.n;
    }
    hc_step_ranges_fini(&parsed);
    return to->range || hc_binder_fails(b, HC_INTERNAL);
}

bool hc_replay_bind_stages(struct hc_key_binder *b, const struct hc_node *node,
                           struct hc_step_ranges *to)
{
    return bind_ranges(b, node, to);
}

/* ---- words ---- */

bool hc_replay_bind_worker(struct hc_key_binder *b, const struct hc_node *node, int32_t worker[2])
{
    const struct hc_replay_base *base = ((const struct hc_replay_config *)b->config)->base;
    int length = 0, dp_rank = -1, stage = -1;
    bool is_worker = sscanf(node->text, "%9d/%9d%n", &dp_rank, &stage, &length) == 2 &&
                     !node->text[length] && dp_rank >= 0 && stage >= 0;
    worker[0] = dp_rank;
    worker[1] = stage;
    if (!is_worker)
        hc_refuse(b->refusal, b->path.text, "'%s' is no worker: write DP_RANK/STAGE, as \"3/1\"",
                  node->text);
    else if (!((const struct hc_replay_config *)b->config)->has_plan &&
             (dp_rank >= base->lanes.dp_size || stage >= base->lanes.n_stages))
        hc_refuse(b->refusal, b->path.text,
                  "there is no worker '%s': the job has dp ranks 0 to %d and stages 0 to %d",
                  node->text, (int)base->lanes.dp_size - 1, (int)base->lanes.n_stages - 1);
    else
        return true;
    return hc_binder_fails(b, HC_BAD_INPUT);
}

static bool bind_workers(struct hc_key_binder *b, const struct hc_node *list,
                         struct hc_selector *to)
{
    if (!list)
        return true;
    to->workers = hc_arena_new(b->arena, list->n * sizeof *to->workers, b->err);
    if (!to->workers)
        return hc_binder_fails(b, HC_INTERNAL);
    for (const struct hc_node *child = list->first; child; child = child->next)
        if (!hc_replay_bind_worker(b, child, to->workers[to->n_workers++]))
            return false;
    return true;
}

static bool bind_texts(struct hc_key_binder *b, const struct hc_node *list, const char ***to,
                       size_t *n)
{
    if (!list)
        return true;
    *to = hc_arena_new(b->arena, list->n * sizeof **to, b->err);
    if (!*to)
        return hc_binder_fails(b, HC_INTERNAL);
    for (const struct hc_node *child = list->first; child; child = child->next)
        (*to)[(*n)++] = child->text;
    return true;
}

static bool bind_nodes(struct hc_key_binder *b, const struct hc_node *list, struct hc_selector *to)
{
    const struct hc_replay_config *config = b->config;
    if (!list)
        return true;
    if (config->profile ? !config->profile->has_hosts : !config->base->places.n_hosts) {
        hc_refuse(b->refusal, b->path.text,
                  "the metadata of the job does not say where its ranks "
                  "ran: there are no nodes to select by");
        return hc_binder_fails(b, HC_BAD_INPUT);
    }
    return bind_texts(b, list, &to->nodes, &to->n_nodes);
}

/* ---- what has a meaning ---- */

static bool refuse_key(struct hc_key_binder *b, const char *key, const char *sentence)
{
    hc_path_add(&b->path, key);
    hc_refuse(b->refusal, b->path.text, "%s", sentence);
    return hc_binder_fails(b, HC_BAD_INPUT);
}

/* Whether what a selector asks for is there, in profiler traces or in a step timeline. */
static bool has_meaning(struct hc_key_binder *b, const struct hc_node *node, unsigned op_types)
{
    static const char *const of_timelines[] = {"stage", "dp_rank",  "worker",  "microbatch",
                                               "chunk", "window_s", "slowest", "outliers"};
    const unsigned of_profiles = (1u << HC_PROFILE_OP_END) - (1u << HC_PROFILE_OP_CPU);
    bool is_profile = ((const struct hc_replay_config *)b->config)->profile != NULL;
    if (is_profile && op_types & ~of_profiles)
        return refuse_key(b, "op", "profiler traces have the ops cpu, gpu, comm and start");
    if (!is_profile && op_types & of_profiles)
        return refuse_key(b, "op",
                          "cpu, gpu, comm and start are ops of profiler traces, and this "
                          "is a step timeline");
    if (!is_profile && hc_node_member(node, "name"))
        return refuse_key(b, "name",
                          "events of profiler traces have names, ops of a step timeline "
                          "have none");
    for (size_t i = 0; is_profile && i < sizeof of_timelines / sizeof *of_timelines; i++)
        if (hc_node_member(node, of_timelines[i]))
            return refuse_key(b, of_timelines[i],
                              "has no meaning for profiler traces: they are selected from by op, "
                              "name, rank, node, steps and at random");
    return true;
}

/* ---- objects ---- */

static double number_of(const struct hc_node *node, const char *name)
{
    const struct hc_node *number = hc_node_member(node, name);
    return number ? number->number : 0;
}

static void bind_objects(const struct hc_node *node, struct hc_selector *to)
{
    const struct hc_node *window = hc_node_member(node, "window_s"),
                         *slowest = hc_node_member(node, "slowest"),
                         *outliers = hc_node_member(node, "outliers"),
                         *random = hc_node_member(node, "random");
    if (window) {
        to->has_window = true;
        to->from_s = number_of(window, "from");
        to->to_s = number_of(window, "to");
    }
    if (slowest) {
        to->has_slowest = true;
        to->percent = number_of(slowest, "percent");
        to->slowest_of =
            (int32_t)hc_replay_place_of(hc_replay_slowest_of, hc_node_member(slowest, "of")->text);
    }
    if (outliers) {
        unsigned by = hc_replay_bind_words(hc_replay_classes, hc_node_member(outliers, "by"));
        to->has_outliers = true;
        to->mad = number_of(outliers, "mad");
        to->outliers_by = by ? by : HC_CLASS_OP;
    }
    if (random) {
        const struct hc_node *per = hc_node_member(random, "per");
        to->is_random = true;
        to->probability = number_of(random, "probability");
        to->drawn_per =
            per ? (int32_t)hc_replay_place_of(hc_replay_drawn_per, per->text) : HC_PER_OP;
    }
}

/* ---- all of it ---- */

static bool bind_selector(struct hc_key_binder *b, const struct hc_node *node, uint32_t stream,
                          int depth, struct hc_selector *to);

/* n selectors, of the elements of a list or of one object. */
static struct hc_selector *bind_list(struct hc_key_binder *b, const struct hc_node *of, size_t n,
                                     uint32_t stream, int depth)
{
    const struct hc_node *first = of->type == HC_NODE_ARRAY ? of->first : of;
    size_t before_all = hc_path_add(&b->path, of->key);
    struct hc_selector *list = hc_arena_new(b->arena, (n ? n : 1) * sizeof *list, b->err);
    size_t i = 0;
    if (!list)
        return hc_binder_fails(b, HC_INTERNAL), NULL;
    for (; i < n; first = first->next, i++) {
        size_t before = b->path.length;
        if (of->type == HC_NODE_ARRAY)
            hc_path_add_index(&b->path, i);
        if (!bind_selector(b, first, stream * 31 + (uint32_t)i + 1, depth + 1, &list[i]))
            return NULL;
        hc_path_back(&b->path, before);
    }
    hc_path_back(&b->path, before_all);
    return list;
}

static bool bind_lists(struct hc_key_binder *b, const struct hc_node *node, uint32_t stream,
                       int depth, struct hc_selector *to)
{
    const struct hc_node *all = hc_node_member(node, "all"), *any = hc_node_member(node, "any"),
                         *none = hc_node_member(node, "not");
    if ((all || any || none) && depth + 1 > HC_SELECTOR_DEPTH) {
        hc_refuse(b->refusal, b->path.text, "selectors stand at most %d within each other",
                  HC_SELECTOR_DEPTH);
        return hc_binder_fails(b, HC_BAD_INPUT);
    }
    to->n_all = all ? all->n : 0;
    to->n_any = any ? any->n : 0;
    if (all && !(to->all = bind_list(b, all, all->n, stream * 3 + 1, depth)))
        return false;
    if (any && !(to->any = bind_list(b, any, any->n, stream * 3 + 2, depth)))
        return false;
    return !none || (to->none = bind_list(b, none, 1, stream * 3 + 3, depth)) != NULL;
}

static bool bind_selector(struct hc_key_binder *b, const struct hc_node *node, uint32_t stream,
                          int depth, struct hc_selector *to)
{
    struct {
        const char *name;
        struct hc_step_ranges *to;
    } const ranges[] = {{"stage", &to->stages}, {"dp_rank", &to->dp_ranks},
                        {"rank", &to->ranks},   {"steps", &to->steps},
                        {"chunk", &to->chunks}, {"microbatch", &to->microbatches}};
    to->op_types = hc_replay_bind_words(hc_replay_op_types, hc_node_member(node, "op"));
    if (!has_meaning(b, node, to->op_types) ||
        !bind_texts(b, hc_node_member(node, "name"), &to->names, &to->n_names))
        return false;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        size_t before = hc_path_add(&b->path, ranges[i].name);
        if (!bind_ranges(b, hc_node_member(node, ranges[i].name), ranges[i].to))
            return false;
        hc_path_back(&b->path, before);
    }
    to->stream = stream;
    bind_objects(node, to);
    if (to->has_window && to->to_s <= to->from_s) {
        hc_path_add(&b->path, "window_s");
        hc_refuse(b->refusal, b->path.text, "ends at %.9g s, and begins at %.9g s", to->to_s,
                  to->from_s);
        return hc_binder_fails(b, HC_BAD_INPUT);
    }
    size_t before = hc_path_add(&b->path, "worker");
    if (!bind_workers(b, hc_node_member(node, "worker"), to))
        return false;
    hc_path_back(&b->path, before);
    before = hc_path_add(&b->path, "node");
    if (!bind_nodes(b, hc_node_member(node, "node"), to))
        return false;
    hc_path_back(&b->path, before);
    return bind_lists(b, node, stream, depth, to);
}

bool hc_replay_bind_selector(struct hc_key_binder *b, const struct hc_node *node, uint32_t stream,
                             struct hc_selector *to)
{
    size_t before = hc_path_add(&b->path, "select");
    if (!bind_selector(b, node, stream, 1, to))
        return false;
    hc_path_back(&b->path, before);
    return true;
}
