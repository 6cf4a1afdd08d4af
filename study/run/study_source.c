/* The scenario as it stands in a result: complete, so that it can be run again from there. */
#include "study/run/study_work.h"

#include <string.h>

static bool is_place(const struct hc_place *a, const struct hc_place *b)
{
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

/* Names of data files are relative to the file that has them, which a result is not. */
static void rename_data(const struct hc_scenario *scenario, struct hc_node *node)
{
    const struct hc_scenario_renamed *renamed = scenario->renamed;
    for (; renamed && node->type == HC_NODE_TEXT && node->place.line; renamed = renamed->next)
        if (is_place(&renamed->place, &node->place))
            node->text = renamed->path;
    for (struct hc_node *child = node->first; child; child = child->next)
        rename_data(scenario, child);
}

const char *hc_study_source_label(struct hc_study_work *work, const struct hc_node *value,
                                  struct hc_error *err)
{
    if (value->type != HC_NODE_TEXT)
        return hc_study_label(work->arena, value, err);
    struct hc_node copy = *value;
    rename_data(work->scenario, &copy);
    return hc_study_label(work->arena, &copy, err);
}

const char *hc_study_source(struct hc_study_work *work, struct hc_error *err)
{
    static const char *const done[] = {"include", "remove"};
    struct hc_node *whole = hc_node_copy(work->arena, work->scenario->root, err);
    if (!whole)
        return NULL;
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        const struct hc_node *member = hc_node_member(whole, done[i]);
        if (member)
            hc_node_remove(whole, member);
    }
    rename_data(work->scenario, whole);
    return hc_study_label(work->arena, whole, err);
}
