/* Lists of a run, longest first: unproductive time by stage and by cause, faults by number and by
 * length. */
#include "study/engines/lifetime/lifetime_rankings.h"

#include <stdlib.h>
#include <string.h>

/* ---- a list ---- */

static enum hc_status start(struct hc_life_ranking *ranking, size_t most, struct hc_arena *arena,
                            struct hc_error *err)
{
    *ranking =
        (struct hc_life_ranking){.item = hc_arena_new(arena, most * sizeof *ranking->item, err)};
    return ranking->item ? HC_OK : err->status;
}

/* What is nought is not in the list, nor what is not known. */
static void add(struct hc_life_ranking *ranking, const char *name, int of, double value)
{
    if (value > 0)
        ranking->item[ranking->n_all++] =
            (struct hc_life_item){.name = name, .of = of, .n = 1, .value = value};
}

/* Descending; equal ones by name, so that the order is the same everywhere. */
static int by_value(const void *a, const void *b)
{
    const struct hc_life_item *x = a, *y = b;
    int order = (x->value < y->value) - (x->value > y->value);
    return order ? order : strcmp(x->name, y->name);
}

static void sort(struct hc_life_ranking *ranking)
{
    qsort(ranking->item, ranking->n_all, sizeof *ranking->item, by_value);
    ranking->n = ranking->n_all < HC_LIFE_RANKED ? ranking->n_all : HC_LIFE_RANKED;
}

/* The last ones of a long list as one. */
static void join_last(struct hc_life_ranking *ranking)
{
    struct hc_life_item *last = &ranking->item[HC_LIFE_RANKED - 1];
    if (ranking->n_all <= HC_LIFE_RANKED)
        return;
    for (size_t i = HC_LIFE_RANKED; i < ranking->n_all; i++)
        last->value += ranking->item[i].value;
    last->name = NULL;
    last->of = -1;
    last->n = ranking->n_all - (HC_LIFE_RANKED - 1);
}

static void finish_parts(struct hc_life_ranking *ranking)
{
    double sum = 0;
    sort(ranking);
    join_last(ranking);
    for (size_t i = 0; i < ranking->n; i++)
        sum += ranking->item[i].value;
    for (size_t i = 0; i < ranking->n; i++)
        ranking->item[i].share = ranking->item[i].value / sum;
}

/* ---- the lists ---- */

static enum hc_status rank_stages(struct hc_life_findings *findings, struct hc_arena *arena,
                                  struct hc_error *err)
{
    struct hc_life_ranking *ranking = &findings->by_stage;
    if (start(ranking, findings->n_whats, arena, err))
        return err->status;
    for (size_t i = 0; i < findings->n_whats; i++) {
        const struct hc_life_what *what = &findings->what[i];
        if (what->what != HC_WHAT_COUNT && hc_life_leaf_state(what->what) != HC_STATE_PRODUCTIVE)
            add(ranking, what->title, hc_life_leaf_state(what->what), what->gpu_h);
    }
    finish_parts(ranking);
    return HC_OK;
}

static enum hc_status rank_causes(struct hc_life_findings *findings, struct hc_arena *arena,
                                  struct hc_error *err)
{
    struct hc_life_ranking *ranking = &findings->by_cause;
    if (start(ranking, findings->n_causes + 1, arena, err))
        return err->status;
    for (size_t i = 0; i < findings->n_causes; i++)
        add(ranking, findings->cause[i].name, (int)i, findings->cause[i].unproductive_s);
    add(ranking, "start, plans, saves", -1, findings->other.unproductive_s);
    finish_parts(ranking);
    return HC_OK;
}

static enum hc_status rank_faults(struct hc_life_findings *findings, struct hc_arena *arena,
                                  struct hc_error *err)
{
    struct hc_life_ranking *counts = &findings->fault_counts, *lengths = &findings->fault_lengths;
    if (start(counts, findings->n_causes, arena, err) ||
        start(lengths, findings->n_causes, arena, err))
        return err->status;
    for (size_t i = 0; i < findings->n_causes; i++) {
        const struct hc_life_cause *cause = &findings->cause[i];
        add(counts, cause->name, (int)i, cause->faults.mean);
        add(lengths, cause->name, (int)i, cause->unproductive_of_one_s);
    }
    finish_parts(counts);
    sort(lengths);
    return HC_OK;
}

enum hc_status hc_life_rank(struct hc_life_findings *findings, struct hc_arena *arena,
                            struct hc_error *err)
{
    if (rank_stages(findings, arena, err) || rank_causes(findings, arena, err))
        return err->status;
    return rank_faults(findings, arena, err);
}
