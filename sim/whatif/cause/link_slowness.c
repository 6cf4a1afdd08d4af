/* link_slowness.c - the transfers of each link added up, and which links take longer for them than
 * a usual link does. */
#include "sim/whatif/cause/cause_search.h"
#include "sim/whatif/change/two_levels.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A link is slow when its transfers take this many times what they would on a usual link. */
#define SLOW_RATIO 1.5

/* Transfers added up by op type and place. A place is a dp rank together with, for point-to-point,
 * a boundary between two stages, and for collectives a stage. */
struct transfer_sums {
    size_t n_places;                 /* n_stages * dp_size */
    int64_t *n[HC_N_OP_TYPES];       /* [n_places] */
    double *total_ns[HC_N_OP_TYPES]; /* [n_places] */
};

static bool is_backward(int op_type)
{
    return op_type == HC_BACKWARD_SEND || op_type == HC_BACKWARD_RECV;
}

/* The stage, or boundary, of the place of an op. A boundary has the number of the stage before it;
 * that behind the last stage is the way round to the first. */
static size_t place_of(int op_type, int32_t stage, int32_t n_stages)
{
    bool below = op_type == HC_FORWARD_RECV || op_type == HC_BACKWARD_SEND;
    return (size_t)(below ? (stage + n_stages - 1) % n_stages : stage);
}

/* Whether an op moves data: a send or receive that is alone in its group does not. */
static bool is_transfer(const struct hc_step_structure *structure, size_t position)
{
    const struct hc_step_graph *graph = &structure->graph;
    int32_t group = graph->group_of[structure->order.op_at[position]];
    if (group < 0)
        return false;
    return !hc_op_is_p2p(structure->op_type[position]) ||
           graph->member_begin[group + 1] - graph->member_begin[group] > 1;
}

size_t hc_first_link(const struct hc_step_structure *structure, size_t position, int32_t n_stages,
                     size_t dp_size)
{
    if (!is_transfer(structure, position))
        return HC_NO_LINK;
    int type = structure->op_type[position];
    size_t place = place_of(type, structure->stage[position], n_stages);
    size_t kind = hc_op_is_p2p(type) ? (is_backward(type) ? 1 : 0) : 2;
    return (kind * (size_t)n_stages + place) * dp_size;
}

/* ---- sums ---- */

static void sums_fini(struct transfer_sums *sums)
{
    for (int t = 0; t < HC_N_OP_TYPES; t++) {
        free(sums->n[t]);
        free(sums->total_ns[t]);
    }
}

static enum hc_status sums_init(struct transfer_sums *sums, size_t n_places, struct hc_error *err)
{
    memset(sums, 0, sizeof *sums);
    sums->n_places = n_places;
    for (int t = 0; t < HC_N_OP_TYPES; t++) {
        sums->n[t] = hc_new_array(n_places, sizeof **sums->n, err);
        sums->total_ns[t] = hc_new_array(n_places, sizeof **sums->total_ns, err);
        if (!sums->n[t] || !sums->total_ns[t])
            return err->status;
    }
    return HC_OK;
}

/* Add up a row of transfer times by dp rank. They are whole nanoseconds, so the sums are exact up
 * to 104 days. */
static void sum_row(double *total_ns, const double *row, size_t n_lanes, size_t dp_size)
{
    for (size_t l = 0; l < n_lanes; l += dp_size)
        for (size_t d = 0; d < dp_size; d++)
            total_ns[d] += row[l + d];
}

static void sum_structure(struct transfer_sums *sums, const struct hc_step_structure *structure,
                          int32_t n_stages, size_t dp_size)
{
    for (size_t k = 0; k < structure->n_blocks; k++) {
        const struct hc_lane_block *block = &structure->blocks[k];
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            if (!is_transfer(structure, p))
                continue;
            int type = structure->op_type[p];
            size_t at = place_of(type, structure->stage[p], n_stages) * dp_size;
            sum_row(sums->total_ns[type] + at, block->duration + p * block->stride, block->n_lanes,
                    dp_size);
            for (size_t d = 0; d < dp_size; d++)
                sums->n[type][at + d] += (int64_t)block->n_steps;
        }
    }
}

/* Add up the transfer times of each link by step, into its levels. */
static void sum_steps(struct hc_links *links, const struct hc_step_structure *structure,
                      size_t dp_size)
{
    for (size_t k = 0; k < structure->n_blocks; k++) {
        const struct hc_lane_block *block = &structure->blocks[k];
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            size_t first = hc_first_link(structure, p, links->lanes->n_stages, dp_size);
            if (first == HC_NO_LINK)
                continue;
            const double *row = block->duration + p * block->stride;
            for (size_t s = 0; s < block->n_steps; s++)
                for (size_t d = 0; d < dp_size; d++)
                    links->level[(first + d) * links->n_steps + block->step[s]] +=
                        row[s * dp_size + d];
        }
    }
}

/* ---- links ---- */

/* How long a transfer of each type usually takes: each place has a mean, and the median of these
 * means is taken (of an even number of places, the faster of the two in the middle). */
static void find_bases(struct hc_links *links, const struct transfer_sums *sums, double *scratch)
{
    double least_p2p = INFINITY;
    bool is_alone[HC_N_OP_TYPES] = {false};
    for (int t = 0; t < HC_N_OP_TYPES; t++) {
        size_t n = 0;
        for (size_t i = 0; i < sums->n_places; i++)
            if (sums->n[t][i])
                scratch[n++] = sums->total_ns[t][i] / (double)sums->n[t][i];
        is_alone[t] = n == 1;
        links->base[t] = n ? hc_select(scratch, n, (n - 1) / 2) : 0;
        if (n && hc_op_is_p2p(t))
            least_p2p = fmin(least_p2p, links->base[t]);
    }
    /* With one boundary and one dp rank there is no other place: the other direction of the same
     * boundary is the usual one then. */
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        if (is_alone[t] && hc_op_is_p2p(t))
            links->base[t] = least_p2p;
}

static void add_type(struct hc_links *links, const struct transfer_sums *sums, int type)
{
    size_t kind = hc_op_is_p2p(type) ? (is_backward(type) ? 1 : 0) : 2;
    for (size_t i = 0; i < sums->n_places; i++) {
        struct hc_link *link = &links->links[kind * sums->n_places + i];
        link->n += sums->n[type][i];
        link->ns += sums->total_ns[type][i];
        link->base_ns += (double)sums->n[type][i] * links->base[type];
    }
}

/* Whether a link is slow in some steps, and in which: in those at an upper level, where its
 * transfer times have two; else in all or none. */
static enum hc_status find_slow_steps(struct hc_links *links, size_t number, double noise,
                                      struct hc_error *err)
{
    const struct hc_link *link = &links->links[number];
    uint8_t *slow_in = links->slow_in + number * links->n_steps;
    const double *level = links->level + number * links->n_steps;
    struct hc_level_rule rule = {noise, SLOW_RATIO - 1, true};
    struct hc_two_levels levels = {.is_high = slow_in};
    if (link->n == 0 || !(link->base_ns > 0))
        return HC_OK;
    if (hc_two_levels_find(&levels, level, links->n_steps, &rule, err))
        return err->status;
    bool changes = levels.found && levels.high > SLOW_RATIO && levels.low <= SLOW_RATIO;
    if (!changes)
        memset(slow_in, link->ns > SLOW_RATIO * link->base_ns, links->n_steps);
    for (size_t t = 0; t < links->n_steps; t++)
        links->is_slow[number] |= slow_in[t];
    return HC_OK;
}

/* Divide the transfer times that level holds so far, by steps, by what they usually are. */
static void fill_level(struct hc_links *links, size_t number)
{
    const struct hc_link *link = &links->links[number];
    double *level = links->level + number * links->n_steps;
    double usual_ns = link->base_ns / (double)links->n_steps;
    for (size_t t = 0; t < links->n_steps; t++)
        level[t] = usual_ns > 0 ? level[t] / usual_ns : 1;
}

/* The median over the steps. */
static double usual_level(const struct hc_links *links, size_t number, double *scratch)
{
    memcpy(scratch, links->level + number * links->n_steps, links->n_steps * sizeof *scratch);
    return hc_lower_median(scratch, links->n_steps);
}

/* Take what the links of a kind have in common out of their levels, step by step: of a network that
 * is slow as a whole no link is to blame. Links that are all one (the collectives of one stage)
 * have all in common. scratch: [2 * n_places + n_steps]. */
static void take_common(struct hc_links *links, size_t first, size_t n_places, double *scratch)
{
    size_t n_steps = links->n_steps;
    double *usual = scratch + n_steps + n_places;
    for (size_t i = 0; i < n_places; i++)
        usual[i] = links->links[first + i].n > 0 ? usual_level(links, first + i, scratch) : 0;
    for (size_t t = 0; t < n_steps; t++) {
        size_t n = 0;
        for (size_t i = 0; i < n_places; i++)
            if (usual[i] > 0)
                scratch[n++] = links->level[(first + i) * n_steps + t] / usual[i];
        double common = n > 1 ? hc_lower_median(scratch, n) : 1;
        for (size_t i = 0; i < n_places && common > 1; i++)
            links->level[(first + i) * n_steps + t] /= common;
    }
}

/* The spread over steps of a usual link of the same kind: the median of all links. */
static enum hc_status find_changes(struct hc_links *links, size_t n_places, struct hc_error *err)
{
    size_t n_steps = links->n_steps;
    double *scratch = hc_new_array(n_steps + 2 * n_places, sizeof *scratch, err);
    enum hc_status status = scratch ? HC_OK : err->status;
    for (size_t kind = 0; status == HC_OK && kind < 3; kind++) {
        double *spreads = scratch + n_steps, noise = 0;
        size_t n = 0;
        for (size_t i = kind * n_places; i < (kind + 1) * n_places; i++)
            fill_level(links, i);
        take_common(links, kind * n_places, n_places, scratch);
        for (size_t i = kind * n_places; i < (kind + 1) * n_places; i++) {
            if (links->links[i].n > 0)
                spreads[n++] = hc_spread(links->level + i * n_steps, n_steps, scratch);
        }
        if (n)
            noise = hc_select(spreads, n, (n - 1) / 2);
        for (size_t i = kind * n_places; status == HC_OK && i < (kind + 1) * n_places; i++)
            status = find_slow_steps(links, i, noise, err);
    }
    free(scratch);
    return status;
}

static void rate_links(struct hc_links *links, size_t dp_size, size_t n_stages)
{
    double most = 0;
    for (size_t i = 0; i < links->n; i++) {
        struct hc_link *link = &links->links[i];
        size_t kind = i / (n_stages * dp_size);
        link->is_p2p = kind < 2;
        link->direction = kind == 1 ? HC_BACKWARD_PASS : HC_FORWARD_PASS;
        link->stage = (int32_t)(i / dp_size % n_stages);
        link->dp_rank = (int32_t)(i % dp_size);
        links->n_used += link->n > 0;
        links->n_slow += links->is_slow[i];
        if (!links->is_slow[i] || link->ns - link->base_ns <= most)
            continue;
        most = link->ns - link->base_ns;
        links->worst = i;
    }
}

enum hc_status hc_links_find(struct hc_links *links, const struct hc_step_lanes *lanes,
                             struct hc_error *err)
{
    size_t dp_size = (size_t)lanes->dp_size, n_places = (size_t)lanes->n_stages * dp_size;
    *links = (struct hc_links){.lanes = lanes, .n = 3 * n_places, .worst = HC_NO_LINK};
    struct transfer_sums sums = {0};
    links->links = hc_new_array(links->n, sizeof *links->links, err);
    links->base = hc_new_array(HC_N_OP_TYPES, sizeof *links->base, err);
    links->is_slow = hc_new_array(links->n, 1, err);
    links->n_steps = lanes->n_steps;
    links->level = hc_new_array(links->n * links->n_steps, sizeof *links->level, err);
    links->slow_in = hc_new_array(links->n * links->n_steps, 1, err);
    double *scratch = hc_new_array(n_places, sizeof *scratch, err);
    enum hc_status status =
        links->links && links->base && links->is_slow && links->level && links->slow_in && scratch
            ? sums_init(&sums, n_places, err)
            : err->status;
    if (status == HC_OK) {
        for (size_t i = 0; i < lanes->n_structures; i++)
            sum_structure(&sums, &lanes->structures[i], lanes->n_stages, dp_size);
        find_bases(links, &sums, scratch);
        for (int t = 0; t < HC_N_OP_TYPES; t++)
            add_type(links, &sums, t);
        for (size_t i = 0; i < lanes->n_structures; i++)
            sum_steps(links, &lanes->structures[i], dp_size);
        status = find_changes(links, n_places, err);
        rate_links(links, dp_size, (size_t)lanes->n_stages);
    }
    sums_fini(&sums);
    free(scratch);
    if (status)
        hc_links_fini(links);
    return status;
}

void hc_links_fini(struct hc_links *links)
{
    free(links->links);
    free(links->base);
    free(links->is_slow);
    free(links->level);
    free(links->slow_in);
    memset(links, 0, sizeof *links);
}
