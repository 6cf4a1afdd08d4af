#include "cli/commands/night/explain_leaf.h"

#include "models/account/tree/leaf_choice.h"
#include "pipeline/night/night_input.h"
#include "reports/night/night_explain.h"

struct explaining {
    const struct hc_explain_choice *choice;
    const struct hc_walk *walk;
    struct hc_explain explain;
    int64_t from_ns, to_ns;
};

enum hc_status hc_explain_check(const char *leaf, struct hc_error *err)
{
    return leaf ? hc_leaf_choice_check(leaf, "--explain", err) : HC_OK;
}

static enum hc_status take_slice(const struct hc_walked_attempt *attempt,
                                 const struct hc_slice *slice, void *context, struct hc_error *err)
{
    struct explaining *e = context;
    const struct hc_joins *joins = &e->walk->records.joins;
    struct hc_explained row = {.slice = *slice,
                               .job = attempt->job,
                               .raw_job = attempt->raw_job,
                               .array_task = attempt->array_task,
                               .restarts = attempt->restarts,
                               .user = attempt->user,
                               .source = hc_joins_find_text(joins, slice->source)};
    (void)err;
    row.slice.from_ns = slice->from_ns > e->from_ns ? slice->from_ns : e->from_ns;
    row.slice.to_ns = slice->to_ns < e->to_ns ? slice->to_ns : e->to_ns;
    if (row.slice.from_ns >= row.slice.to_ns ||
        !hc_leaf_choice_has(e->choice->leaf, slice->what, slice->why))
        return HC_OK;
    if (!row.source) {
        row.source = attempt->source;
        row.slice.line = attempt->line;
    }
    if (attempt->run >= 0)
        row.run = hc_joins_find_text(joins, joins->runs[attempt->run].name);
    hc_explain_row(&e->explain, &row);
    return HC_OK;
}

enum hc_status hc_explain_leaf(const struct hc_night_inputs *inputs, const char *cluster,
                               const struct hc_explain_choice *choice, FILE *stream,
                               struct hc_error *err)
{
    struct hc_walk walk = {.n_attempts = 0};
    struct explaining explaining = {.choice = choice,
                                    .walk = &walk,
                                    .explain = {.stream = stream, .is_csv = choice->is_csv},
                                    .from_ns = hc_night_day_ns(&inputs->zone, choice->first_day),
                                    .to_ns = hc_night_day_ns(&inputs->zone, choice->last_day + 1)};
    const struct hc_walk_choice of = {.archive = inputs->archive,
                                      .cluster = cluster,
                                      .site = inputs->site_or_null,
                                      .from_ns = explaining.from_ns,
                                      .to_ns = explaining.to_ns,
                                      .as_of_ns = inputs->as_of_ns};
    hc_explain_start(&explaining.explain);
    enum hc_status status = hc_walk_run(
        &walk, &of, &(struct hc_walk_sink){.slice = take_slice, .context = &explaining}, err);
    hc_explain_end(&explaining.explain);
    hc_walk_fini(&walk);
    return status;
}
