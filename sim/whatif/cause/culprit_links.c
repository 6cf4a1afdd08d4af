/* culprit_links.c - links that are slow in the same steps, put together: a network card, a boundary
 * of two stages, the collectives of a stage. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct linking {
    struct hc_straggler_cause_search *search; /* NULL where links are only read */
    const struct hc_links *links;
    size_t n_stages, dp_size, n_places;
};

static size_t link_at(const struct linking *l, size_t kind, size_t place, size_t dp_rank)
{
    return kind * l->n_places + place * l->dp_size + dp_rank;
}

static bool is_free(const struct linking *l, size_t link)
{
    return l->search->links.is_slow[link] && l->search->remedies.culprit_of_link[link] < 0;
}

static bool are_slow_together(const struct linking *l, size_t a, size_t b)
{
    const struct hc_links *links = &l->search->links;
    return hc_same_steps(links->slow_in + a * links->n_steps, links->slow_in + b * links->n_steps,
                         links->n_steps);
}

/* The links of a worker: of the boundaries before and behind its stage both ways, and its
 * collectives. */
#define MOST_OF_WORKER 5

static size_t links_of_worker(const struct linking *l, size_t dp_rank, size_t stage,
                              size_t *numbers)
{
    size_t n = 0, before = (stage + l->n_stages - 1) % l->n_stages;
    const size_t all[MOST_OF_WORKER] = {
        link_at(l, 0, stage, dp_rank), link_at(l, 1, stage, dp_rank),
        link_at(l, 0, before, dp_rank), link_at(l, 1, before, dp_rank),
        link_at(l, 2, stage, dp_rank)};
    for (size_t i = 0; i < MOST_OF_WORKER; i++)
        if (l->links->links[all[i]].n > 0)
            numbers[n++] = all[i];
    return n;
}

/* Whether all links of a worker are slow together with one of them, and there are boundaries and
 * collectives, or two boundaries, among them: then the card is slow, and not one way. */
static bool is_card(const struct linking *l, size_t dp_rank, size_t stage, size_t link)
{
    size_t numbers[MOST_OF_WORKER], n = links_of_worker(l, dp_rank, stage, numbers);
    bool all = n >= 3;
    for (size_t i = 0; all && i < n; i++)
        all = is_free(l, numbers[i]) && are_slow_together(l, numbers[i], link);
    return all;
}

static void take(const struct linking *l, size_t number, size_t link)
{
    const struct hc_links *links = &l->search->links;
    struct hc_culprit *culprit = &l->search->analysis->result->depth.culprits.culprits[number];
    if (!is_free(l, link))
        return;
    l->search->remedies.culprit_of_link[link] = (int32_t)number;
    for (size_t t = 0; t < links->n_steps; t++)
        culprit->is_slow[t] |= links->slow_in[link * links->n_steps + t];
}

/* Network cards that are slow in the same steps: of a worker, a host, a slot, a switch. A
 * collective is as slow as its slowest member, so those of the others in the stage are slow because
 * of it. */
static enum hc_status add_cards(const struct linking *l, struct hc_grouping *g)
{
    const struct hc_links *links = l->links;
    struct hc_culprits *culprits = &l->search->analysis->result->depth.culprits;
    size_t n_workers = l->n_places, first = culprits->n, numbers[MOST_OF_WORKER];
    uint8_t *is_slow = hc_new_array(n_workers * (links->n_steps + 1), 1, l->search->analysis->err);
    if (!is_slow)
        return l->search->analysis->err->status;
    uint8_t *has_card = is_slow + n_workers * links->n_steps;
    for (size_t w = 0; w < n_workers; w++) {
        size_t own = link_at(l, 2, w % l->n_stages, w / l->n_stages);
        has_card[w] = is_card(l, w / l->n_stages, w % l->n_stages, own);
        for (size_t t = 0; has_card[w] && t < links->n_steps; t++)
            is_slow[w * links->n_steps + t] = links->slow_in[own * links->n_steps + t];
    }
    g->is_slow = is_slow;
    enum hc_status status = hc_culprits_split_by_steps(g, has_card);
    for (size_t c = first; status == HC_OK && c < culprits->n; c++)
        for (size_t i = 0; i < culprits->culprits[c].n_members; i++) {
            size_t w = (size_t)culprits->culprits[c].members[i], stage = w % l->n_stages;
            size_t n = links_of_worker(l, w / l->n_stages, stage, numbers);
            size_t own = link_at(l, 2, stage, w / l->n_stages);
            for (size_t d = 0; d < l->dp_size; d++)
                if (is_free(l, link_at(l, 2, stage, d)) &&
                    are_slow_together(l, link_at(l, 2, stage, d), own))
                    take(l, c, link_at(l, 2, stage, d));
            for (size_t k = 0; k < n; k++)
                take(l, c, numbers[k]);
        }
    free(is_slow);
    return status;
}

static enum hc_status add_link(const struct linking *l, size_t link)
{
    const struct hc_whatif_result *r = l->search->analysis->result;
    size_t kind = link / l->n_places, stage = link / l->dp_size % l->n_stages;
    size_t dp_rank = link % l->dp_size, number = r->depth.culprits.n;
    struct hc_culprit *culprit = hc_culprit_new(l->search);
    if (!culprit)
        return l->search->analysis->err->status;
    culprit->kind = HC_CULPRIT_LINK;
    culprit->ops = HC_SLOW_TRANSFERS;
    culprit->cause = HC_STRAGGLER_LINK;
    culprit->dp_rank = (int32_t)dp_rank;
    culprit->stage = (int32_t)stage;
    size_t ends[2] = {dp_rank * l->n_stages + stage,
                      dp_rank * l->n_stages + (stage + 1) % l->n_stages};
    for (size_t i = 0; i < (kind < 2 ? 2u : 1u); i++) /* the end that sends first */
        culprit->members[culprit->n_members++] = (int32_t)ends[kind == 1 ? 1 - i : i];
    culprit->rank = r->workers[culprit->members[0]].rank;
    culprit->host = hc_worker_host(&r->places, (size_t)culprit->members[0]);
    if (kind < 2) {
        size_t back = link_at(l, 1 - kind, stage, dp_rank);
        bool both = is_free(l, back) && are_slow_together(l, back, link);
        culprit->direction = both ? HC_LINK_BOTH_WAYS : (int)kind;
        if (both)
            take(l, number, back);
    }
    bool all = kind == 2 && l->dp_size > 1;
    for (size_t d = 0; all && d < l->dp_size; d++)
        all = is_free(l, link_at(l, 2, stage, d)) &&
              are_slow_together(l, link_at(l, 2, stage, d), link);
    for (size_t d = 0; all && d < l->dp_size; d++)
        take(l, number, link_at(l, 2, stage, d));
    if (kind == 2)
        culprit->direction = HC_LINK_COLLECTIVES;
    if (all) {
        culprit->dp_rank = -1;
        culprit->host = NULL;
    }
    take(l, number, link);
    return HC_OK;
}

enum hc_status hc_culprits_add_links(struct hc_straggler_cause_search *search)
{
    struct hc_links *links = &search->links;
    struct hc_error *err = search->analysis->err;
    struct linking l = {.search = search,
                        .links = links,
                        .n_stages = (size_t)search->analysis->lanes.n_stages,
                        .dp_size = (size_t)search->analysis->lanes.dp_size,
                        .n_places = links->n / 3};
    struct hc_grouping g = {
        .search = search, .ops = HC_SLOW_TRANSFERS, .pattern = HC_SLOW_RECURRENT};
    search->remedies.culprit_of_link = hc_new_array(links->n, sizeof(int32_t), err);
    g.in = hc_new_array(l.n_places, 1, err);
    enum hc_status status = search->remedies.culprit_of_link && g.in ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < links->n; i++)
        search->remedies.culprit_of_link[i] = -1;
    bool is_suspected = search->remedies.suspected[HC_REMEDY_LINKS];
    if (status == HC_OK && is_suspected)
        status = add_cards(&l, &g);
    for (size_t i = 0; status == HC_OK && is_suspected && i < links->n; i++)
        if (is_free(&l, i))
            status = add_link(&l, i);
    free(g.in);
    return status;
}

/* Add how many times as long as in the healthy steps of the culprit, or as usual where there are
 * none, the transfers of a link take in each step. */
static void add_ratio(const struct hc_straggler_cause_search *search,
                      const struct hc_culprit *culprit, size_t link, double *ratio)
{
    const struct hc_links *links = &search->links;
    const double *level = links->level + link * links->n_steps;
    double healthy = 0;
    size_t n_healthy = 0;
    for (size_t t = 0; t < links->n_steps; t++) {
        healthy += culprit->is_slow[t] ? 0 : level[t];
        n_healthy += !culprit->is_slow[t];
    }
    healthy = n_healthy && healthy > 0 ? healthy / (double)n_healthy : 1;
    for (size_t t = 0; t < links->n_steps; t++)
        ratio[t] += level[t] / healthy;
}

bool hc_worker_link_ratios(const struct hc_straggler_cause_search *search,
                           const struct hc_culprit *culprit, double *ratio)
{
    const struct hc_links *links = &search->links;
    struct linking l = {.links = links,
                        .n_stages = (size_t)search->analysis->lanes.n_stages,
                        .dp_size = (size_t)search->analysis->lanes.dp_size,
                        .n_places = links->n / 3};
    size_t n = 0, numbers[MOST_OF_WORKER];
    memset(ratio, 0, links->n_steps * sizeof *ratio);
    for (size_t i = 0; i < culprit->n_members; i++) {
        size_t worker = (size_t)culprit->members[i];
        size_t n_own = links_of_worker(&l, worker / l.n_stages, worker % l.n_stages, numbers);
        for (size_t k = 0; k < n_own; k++, n++)
            add_ratio(search, culprit, numbers[k], ratio);
    }
    for (size_t t = 0; n && t < links->n_steps; t++)
        ratio[t] /= (double)n;
    return n > 0;
}

/* The transfers of a culprit by op type and step: how often, and how long over the usual. */
struct transfer_levels {
    double *n, *level; /* [HC_N_OP_TYPES][n_steps] */
};

static void add_block(const struct hc_straggler_cause_search *search, size_t number,
                      const struct hc_step_structure *structure, const struct hc_lane_block *block,
                      struct transfer_levels *out)
{
    const struct hc_links *links = &search->links;
    size_t dp_size = (size_t)links->lanes->dp_size;
    for (size_t p = 0; p < structure->order.n_ops; p++) {
        size_t first = hc_first_link(structure, p, links->lanes->n_stages, dp_size);
        int type = structure->op_type[p];
        if (first == HC_NO_LINK || !(links->base[type] > 0))
            continue;
        const double *row = block->duration + p * block->stride;
        for (size_t d = 0; d < dp_size; d++) {
            if (search->remedies.culprit_of_link[first + d] != (int32_t)number)
                continue;
            for (size_t s = 0; s < block->n_steps; s++) {
                size_t at = (size_t)type * links->n_steps + block->step[s];
                out->n[at]++;
                out->level[at] += row[s * dp_size + d] / links->base[type];
            }
        }
    }
}

/* The mean level of one type over the slow, or the healthy, steps; 1 where it has none. */
static double mean_where(const struct transfer_levels *levels, const struct hc_culprit *culprit,
                         size_t first, size_t n_steps, bool slow)
{
    double sum = 0, n = 0;
    for (size_t t = 0; t < n_steps; t++)
        if ((bool)culprit->is_slow[t] == slow) {
            sum += levels->level[first + t];
            n += levels->n[first + t];
        }
    return n > 0 && sum > 0 ? sum / n : 1;
}

/* A type of transfers is slow with the others when it rises by this part of what the slowest does:
 * a clip of gradients, which waits for all workers, hardly feels one card. */
#define PART_OF_SLOWEST 0.5

static void mean_of_types(const struct hc_straggler_cause_search *search,
                          const struct hc_culprit *culprit, const struct transfer_levels *levels,
                          double *ratio)
{
    size_t n_steps = search->links.n_steps;
    double healthy[HC_N_OP_TYPES], rise[HC_N_OP_TYPES], most = 0;
    for (size_t type = 0; type < HC_N_OP_TYPES; type++) {
        healthy[type] = mean_where(levels, culprit, type * n_steps, n_steps, false);
        rise[type] = mean_where(levels, culprit, type * n_steps, n_steps, true) / healthy[type] - 1;
        most = fmax(most, rise[type]);
    }
    for (size_t t = 0; t < n_steps; t++) {
        double sum = 0, n = 0;
        for (size_t type = 0; type < HC_N_OP_TYPES; type++) {
            if (rise[type] < PART_OF_SLOWEST * most)
                continue;
            sum += levels->level[type * n_steps + t] / healthy[type];
            n += levels->n[type * n_steps + t];
        }
        ratio[t] = n > 0 ? sum / n : 1;
    }
}

enum hc_status hc_culprit_link_ratios(const struct hc_straggler_cause_search *search, size_t number,
                                      double *ratio)
{
    const struct hc_links *links = &search->links;
    struct hc_error *err = search->analysis->err;
    size_t n = HC_N_OP_TYPES * links->n_steps;
    struct transfer_levels levels = {hc_new_array(n, sizeof(double), err),
                                     hc_new_array(n, sizeof(double), err)};
    enum hc_status status = levels.n && levels.level ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < links->lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &links->lanes->structures[i];
        for (size_t k = 0; k < structure->n_blocks; k++)
            add_block(search, number, structure, &structure->blocks[k], &levels);
    }
    if (status == HC_OK)
        mean_of_types(search, &search->analysis->result->depth.culprits.culprits[number], &levels,
                      ratio);
    free(levels.n);
    free(levels.level);
    return status;
}
