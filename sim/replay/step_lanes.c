#include "sim/replay/step_lanes.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "sim/replay/lane_block.h"
#include "sim/replay/step_outliers.h"
#include "sim/replay/step_sharing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lanes a block aims at: enough to vectorise over, few enough that the live ends stay in L2. */
#define TARGET_LANES 128

/* The longest step: sums of its durations stay exact in a double (52 days). */
#define MAX_STEP_NS (1ll << 52)

#define NO_STEP SIZE_MAX

/* A step of the census, while it is decided whether it is analysed or left out. */
struct candidate {
    const struct hc_census_step *census;
    enum hc_step_fate fate;
    char detail[160];
    int32_t structure; /* index into lanes->structures, or -1 */
};

/* What is counted of the steps of one structure. */
struct structure_steps {
    size_t n, first; /* how many can be used, and the first whose rows are there */
};

struct selection {
    struct hc_step_trace *trace;    /* whose rows */
    const struct hc_census *census; /* whose steps */
    const struct hc_replay_options *options;
    struct hc_step_lanes *lanes;
    size_t n;
    struct candidate *candidates; /* ascending by step */
    struct hc_error *err;
};

void hc_step_structure_fini(struct hc_step_structure *structure)
{
    for (size_t k = 0; k < structure->n_blocks; k++)
        hc_lane_block_fini(&structure->blocks[k]);
    free(structure->blocks);
    free(structure->op_type);
    free(structure->stage);
    free(structure->ideal);
    hc_op_order_fini(&structure->order);
    hc_step_graph_fini(&structure->graph);
    memset(structure, 0, sizeof *structure);
}

void hc_step_lanes_fini(struct hc_step_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n_structures; i++)
        hc_step_structure_fini(&lanes->structures[i]);
    free(lanes->structures);
    free(lanes->steps);
    free(lanes->traced_ns);
    free(lanes->left_out);
    memset(lanes, 0, sizeof *lanes);
}

/* ---- choosing steps ---- */

static enum hc_step_fate fate_of(const struct hc_census_step *step)
{
    if (step->n_bad)
        return HC_STEP_BAD_ROWS;
    if (step->n_duplicate)
        return HC_STEP_DUPLICATE;
    return step->n_absent ? HC_STEP_ABSENT : HC_STEP_USED;
}

static enum hc_status list_candidates(struct selection *s)
{
    const struct hc_census_step *steps = hc_census_steps(s->census);
    s->n = hc_census_n_steps(s->census);
    s->candidates = hc_new_array(s->n, sizeof *s->candidates, s->err);
    if (!s->candidates)
        return s->err->status;
    for (size_t i = 0; i < s->n; i++) {
        struct candidate *c = &s->candidates[i];
        c->census = &steps[i];
        c->fate = fate_of(&steps[i]);
        c->structure = -1;
        memcpy(c->detail, steps[i].detail, sizeof c->detail);
    }
    return HC_OK;
}

/* ---- graphs ---- */

static struct hc_graph_op *new_template(struct selection *s, int32_t step, size_t *n_ops)
{
    const struct hc_packed_step *packed = hc_step_trace_find(s->trace, step);
    const struct hc_census_op *census_ops = hc_census_ops(s->trace->census);
    struct hc_graph_op *ops = hc_new_array(packed->n_rows, sizeof *ops, s->err);
    *n_ops = 0;
    for (size_t i = 0; ops && i < packed->n_rows; i++) {
        const struct hc_packed_row *row = &packed->rows[i];
        if (row->dp_rank != 0)
            continue;
        const struct hc_census_op *op = &census_ops[row->op];
        ops[(*n_ops)++] = (struct hc_graph_op){op->op_type,
                                               op->seq_id,
                                               op->stage,
                                               op->model_chunk,
                                               s->trace->global_chunk[row->op],
                                               s->trace->microbatch[row->op],
                                               row->start_ns,
                                               row->start_ns + row->duration_ns};
    }
    return ops;
}

enum hc_status hc_step_structure_compile(struct hc_step_structure *structure, struct hc_error *err)
{
    if (hc_op_order_compile(&structure->order, &structure->graph, err))
        return err->status;
    size_t n = structure->order.n_ops;
    structure->op_type = hc_new_array(n, sizeof *structure->op_type, err);
    structure->stage = hc_new_array(n, sizeof *structure->stage, err);
    structure->ideal = hc_new_array(n, sizeof *structure->ideal, err);
    if (!structure->op_type || !structure->stage || !structure->ideal)
        return err->status;
    for (size_t p = 0; p < n; p++) {
        const struct hc_graph_op *op = &structure->graph.ops[structure->order.op_at[p]];
        structure->op_type[p] = op->op_type;
        structure->stage[p] = op->stage;
    }
    return HC_OK;
}

static enum hc_status derive_structure(struct selection *s, int32_t step,
                                       struct hc_step_structure *structure)
{
    const struct hc_job *job = &s->trace->job;
    int32_t dsp_size = job->dsp_size == HC_MISSING_I32 ? 1 : job->dsp_size;
    struct hc_graph_options options = {.n_stages = hc_census_n_stages(s->census),
                                       .uses_dp =
                                           (int64_t)hc_census_dp_size(s->census) * dsp_size > 1,
                                       .absent_ops = job->absent_ops};
    size_t n_ops = 0;
    struct hc_graph_op *ops = new_template(s, step, &n_ops);
    if (!ops)
        return s->err->status;
    enum hc_status status = hc_step_graph_derive(&structure->graph, ops, n_ops, &options, s->err);
    free(ops);
    return status ? status : hc_step_structure_compile(structure, s->err);
}

/* Keep as much of a message as there is room for, with "..." where it was cut. */
static void keep_detail(struct candidate *c, const char *message)
{
    int room = (int)sizeof c->detail - 1;
    bool fits = strlen(message) <= (size_t)room;
    snprintf(c->detail, sizeof c->detail, "%.*s%s", fits ? room : room - 3, message,
             fits ? "" : "...");
}

/* Give up the steps of a structure that has no graph; fatal when no other has more steps. */
static enum hc_status drop_structure(struct selection *s, int32_t number, bool is_largest)
{
    if (s->err->status != HC_BAD_INPUT || is_largest)
        return s->err->status;
    for (size_t i = 0; i < s->n; i++) {
        struct candidate *c = &s->candidates[i];
        if (c->fate != HC_STEP_USED || c->census->structure != number)
            continue;
        c->fate = HC_STEP_NO_GRAPH;
        keep_detail(c, s->err->message);
    }
    s->err->status = HC_OK;
    return HC_OK;
}

static enum hc_status add_structure(struct selection *s, int32_t number, size_t first,
                                    bool is_largest)
{
    struct hc_step_lanes *lanes = s->lanes;
    struct hc_step_structure *structure = &lanes->structures[lanes->n_structures++];
    int32_t step = s->candidates[first].census->step;
    if (derive_structure(s, step, structure)) {
        hc_step_structure_fini(structure);
        lanes->n_structures--;
        return drop_structure(s, number, is_largest) ? hc_context(s->err, "step %d", step) : HC_OK;
    }
    for (size_t i = first; i < s->n; i++)
        if (s->candidates[i].fate == HC_STEP_USED && s->candidates[i].census->structure == number)
            s->candidates[i].structure = (int32_t)lanes->n_structures - 1;
    return HC_OK;
}

/* Whether the rows of dp rank 0 of a whole step are all in the trace. */
static bool has_template(const struct selection *s, const struct hc_census_step *step)
{
    const struct hc_packed_step *packed = hc_step_trace_find(s->trace, step->step);
    int64_t n_rows = 0;
    for (size_t i = 0; packed && i < packed->n_rows; i++)
        n_rows += packed->rows[i].dp_rank == 0;
    return n_rows * hc_census_dp_size(s->census) == step->n_rows;
}

static size_t count_structures(const struct selection *s, struct structure_steps *of)
{
    size_t largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct hc_census_step *step = s->candidates[i].census;
        if (s->candidates[i].fate != HC_STEP_USED)
            continue;
        struct structure_steps *steps = &of[step->structure];
        if (steps->first == NO_STEP && has_template(s, step))
            steps->first = i;
        if (++steps->n > largest)
            largest = steps->n;
    }
    return largest;
}

/* One graph for each structure that has a whole step, selected or not. */
static enum hc_status derive_structures(struct selection *s)
{
    /* There are at most as many structures as steps. */
    struct structure_steps *of = hc_new_array(s->n, sizeof *of, s->err);
    s->lanes->structures = hc_new_array(s->n, sizeof *s->lanes->structures, s->err);
    enum hc_status status = of && s->lanes->structures ? HC_OK : s->err->status;
    for (size_t k = 0; of && k < s->n; k++)
        of[k].first = NO_STEP;
    size_t largest = status == HC_OK ? count_structures(s, of) : 0;
    for (size_t k = 0; status == HC_OK && k < s->n; k++)
        if (of[k].n && of[k].first != NO_STEP)
            status = add_structure(s, (int32_t)k, of[k].first, of[k].n == largest);
    free(of);
    return status;
}

/* ---- lists of steps ---- */

static enum hc_status add_step(struct selection *s, const struct hc_census_step *step)
{
    struct hc_step_lanes *lanes = s->lanes;
    int64_t span_ns = 0;
    if (__builtin_sub_overflow(step->last_end_ns, step->first_start_ns, &span_ns) ||
        span_ns > MAX_STEP_NS)
        return hc_fail(s->err, HC_BAD_INPUT,
                       "step %d spans more than 52 days: its times cannot be on one clock",
                       step->step);
    lanes->steps[lanes->n_steps] = step->step;
    lanes->traced_ns[lanes->n_steps++] = span_ns;
    return HC_OK;
}

static void unselect_steps(struct selection *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct candidate *c = &s->candidates[i];
        if (hc_step_ranges_include(s->options->steps, c->census->step))
            continue;
        c->fate = HC_STEP_NOT_SELECTED;
        c->detail[0] = '\0';
    }
}

/* ---- steps that stand apart ---- */

/* The steps that would be used, as arrays [n]. */
struct used_steps {
    size_t n, *candidate;
    int32_t *steps;
    int64_t *first_ns, *span_ns;
    enum hc_step_fate *fate;
};

static enum hc_status list_used(struct used_steps *used, const struct selection *s)
{
    used->candidate = hc_new_array(s->n, sizeof *used->candidate, s->err);
    used->steps = hc_new_array(s->n, sizeof *used->steps, s->err);
    used->first_ns = hc_new_array(s->n, sizeof *used->first_ns, s->err);
    used->span_ns = hc_new_array(s->n, sizeof *used->span_ns, s->err);
    used->fate = hc_new_array(s->n, sizeof *used->fate, s->err);
    if (!used->candidate || !used->steps || !used->first_ns || !used->span_ns || !used->fate)
        return s->err->status;
    for (size_t i = 0; i < s->n; i++) {
        const struct hc_census_step *census = s->candidates[i].census;
        if (s->candidates[i].fate != HC_STEP_USED)
            continue;
        used->candidate[used->n] = i;
        used->steps[used->n] = census->step;
        used->first_ns[used->n] = census->first_start_ns;
        if (__builtin_sub_overflow(census->last_end_ns, census->first_start_ns,
                                   &used->span_ns[used->n])) {
            used->n = 0; /* add_step will refuse this step */
            return HC_OK;
        }
        used->n++;
    }
    return HC_OK;
}

static void used_steps_fini(struct used_steps *used)
{
    free(used->candidate);
    free(used->steps);
    free(used->first_ns);
    free(used->span_ns);
    free(used->fate);
}

static enum hc_status mark_outliers(struct selection *s)
{
    struct used_steps used = {.n = 0};
    struct hc_step_sharing sharing = {.trace = s->trace};
    enum hc_status status = list_used(&used, s);
    if (status == HC_OK) {
        sharing.n_steps = used.n;
        sharing.steps = used.steps;
        sharing.first_ns = used.first_ns;
        sharing.span_ns = used.span_ns;
        struct hc_step_outliers outliers = {.n = used.n,
                                            .span_ns = used.span_ns,
                                            .fate = used.fate,
                                            .is_shared = hc_step_is_shared,
                                            .context = &sharing};
        status = hc_step_outliers_find(&outliers, s->err);
        for (size_t k = 0; status == HC_OK && k < used.n; k++) {
            struct candidate *c = &s->candidates[used.candidate[k]];
            c->fate = used.fate[k];
            if (c->fate != HC_STEP_USED)
                snprintf(c->detail, sizeof c->detail, "takes %.3g times the median step",
                         (double)used.span_ns[k] / outliers.median_ns);
        }
    }
    hc_step_sharing_fini(&sharing);
    used_steps_fini(&used);
    return status;
}

/* ---- the lists ---- */

static enum hc_status list_steps(struct selection *s)
{
    struct hc_step_lanes *lanes = s->lanes;
    bool are_asked_for =
        s->options->steps && s->options->steps->n > 0 && !s->options->leaves_out_chosen;
    lanes->steps = hc_new_array(s->n, sizeof *lanes->steps, s->err);
    lanes->traced_ns = hc_new_array(s->n, sizeof *lanes->traced_ns, s->err);
    lanes->left_out = hc_new_array(s->n, sizeof *lanes->left_out, s->err);
    if (!lanes->steps || !lanes->traced_ns || !lanes->left_out)
        return s->err->status;
    unselect_steps(s);
    if (s->options->leaves_out_outliers && !are_asked_for && mark_outliers(s))
        return s->err->status;
    for (size_t i = 0; i < s->n; i++) {
        struct candidate *c = &s->candidates[i];
        if (c->fate == HC_STEP_USED) {
            if (add_step(s, c->census))
                return s->err->status;
            continue;
        }
        struct hc_left_out_step *out = &lanes->left_out[lanes->n_left_out++];
        *out = (struct hc_left_out_step){.step = c->census->step, .fate = c->fate};
        memcpy(out->detail, c->detail, sizeof out->detail);
    }
    if (lanes->n_steps)
        return HC_OK;
    for (size_t i = 0; i < lanes->n_left_out; i++)
        if (lanes->left_out[i].fate != HC_STEP_NOT_SELECTED)
            return hc_fail(s->err, HC_BAD_INPUT,
                           "no step is left to analyse: all %zu are left out, step %d because %s",
                           s->n, lanes->left_out[i].step, lanes->left_out[i].detail);
    if (s->n == 0)
        return hc_fail(s->err, HC_BAD_INPUT, "there are no rows to analyse");
    return hc_fail(s->err, HC_USAGE,
                   "none of the %zu steps (%d to %d) is among the steps asked for", s->n,
                   s->candidates[0].census->step, s->candidates[s->n - 1].census->step);
}

/* ---- blocks ---- */

/* List the steps of one structure: for each its number among the candidates, and among the analysed
 * steps. Returns how many. */
static size_t list_structure_steps(const struct selection *s, int32_t structure, size_t *candidate,
                                   size_t *analysed)
{
    size_t n = 0, next = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->candidates[i].fate != HC_STEP_USED)
            continue;
        if (s->candidates[i].structure == structure) {
            candidate[n] = i;
            analysed[n++] = next;
        }
        next++;
    }
    return n;
}

static enum hc_status fill_block(struct selection *s, struct hc_step_structure *structure,
                                 struct hc_lane_filler *filler, const size_t *candidate,
                                 const size_t *analysed, size_t n)
{
    struct hc_lane_block *block = &structure->blocks[structure->n_blocks];
    if (hc_lane_filler_start(filler, block, n, s->err))
        return s->err->status;
    structure->n_blocks++;
    for (size_t k = 0; k < n; k++) {
        const struct candidate *c = &s->candidates[candidate[k]];
        struct hc_packed_step *packed = hc_step_trace_find(s->trace, c->census->step);
        block->step[k] = analysed[k];
        hc_lane_filler_add(filler, k, packed, c->census->first_start_ns);
        s->lanes->n_rows += (int64_t)packed->n_rows;
        free(packed->rows);
        memset(packed, 0, sizeof *packed);
    }
    hc_lane_filler_finish(filler);
    s->lanes->clamped_delays += filler->clamped_delays;
    s->lanes->clamped_transfers += filler->clamped_transfers;
    s->lanes->has_negative |= filler->has_negative;
    return HC_OK;
}

static enum hc_status fill_structure(struct selection *s, int32_t number, size_t *candidate,
                                     size_t *analysed)
{
    struct hc_step_structure *structure = &s->lanes->structures[number];
    size_t n = list_structure_steps(s, number, candidate, analysed);
    size_t dp_size = (size_t)s->lanes->dp_size;
    size_t per_block = TARGET_LANES / dp_size ? TARGET_LANES / dp_size : 1;
    size_t n_blocks = (n + per_block - 1) / per_block;
    structure->blocks = hc_new_array(n_blocks, sizeof *structure->blocks, s->err);
    if (!structure->blocks)
        return s->err->status;
    struct hc_lane_filler filler = {0};
    enum hc_status status =
        hc_lane_filler_init(&filler, structure, s->trace, s->lanes->dp_size, s->err);
    for (size_t k = 0, first = 0; status == HC_OK && k < n_blocks; k++) {
        size_t size = (n - first) / (n_blocks - k); /* blocks of nearly the same size */
        status = fill_block(s, structure, &filler, candidate + first, analysed + first, size);
        first += size;
    }
    hc_lane_filler_fini(&filler);
    return status;
}

static enum hc_status fill_all(struct selection *s)
{
    size_t *candidate = hc_new_array(s->n, sizeof *candidate, s->err);
    size_t *analysed = hc_new_array(s->n, sizeof *analysed, s->err);
    enum hc_status status = candidate && analysed ? HC_OK : s->err->status;
    for (size_t i = 0; status == HC_OK && i < s->lanes->n_structures; i++)
        status = fill_structure(s, (int32_t)i, candidate, analysed);
    free(candidate);
    free(analysed);
    return status;
}

enum hc_status hc_step_lanes_build(struct hc_step_lanes *lanes, struct hc_step_trace *trace,
                                   const struct hc_replay_options *options, struct hc_error *err)
{
    memset(lanes, 0, sizeof *lanes);
    struct selection s = {
        .trace = trace, .census = trace->census, .options = options, .lanes = lanes, .err = err};
    enum hc_status status = hc_census_finish(trace->census, &trace->report, err);
    if (!trace->report.rows_read)
        trace->report.rows_read = hc_census_n_rows(trace->census);
    if (status == HC_OK)
        status = hc_row_report_limit(&trace->report, options->max_bad, err);
    if (status == HC_OK) {
        lanes->dp_size = hc_census_dp_size(trace->census);
        lanes->n_stages = hc_census_n_stages(trace->census);
        status = list_candidates(&s);
    }
    if (status == HC_OK)
        status = derive_structures(&s);
    if (status == HC_OK)
        status = list_steps(&s);
    if (status == HC_OK)
        status = fill_all(&s);
    free(s.candidates);
    if (status)
        hc_step_lanes_fini(lanes);
    return status;
}

static enum hc_status check_any_whole(struct selection *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->candidates[i].fate == HC_STEP_USED)
            return HC_OK;
    return hc_fail(s->err, HC_BAD_INPUT, "none of the %zu steps is whole: step %d because %s", s->n,
                   s->candidates[0].census->step, s->candidates[0].detail);
}

int32_t hc_step_lanes_vpp_size(const struct hc_step_lanes *lanes)
{
    int32_t vpp_size = 0;
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_graph *graph = &lanes->structures[i].graph;
        for (size_t k = 0; k < graph->n_ops; k++) {
            int32_t chunk = graph->ops[k].model_chunk;
            if (chunk != HC_MISSING_I32 && chunk >= vpp_size)
                vpp_size = chunk + 1;
        }
    }
    return vpp_size;
}

enum hc_status hc_step_graphs_check(struct hc_step_trace *trace, const struct hc_census *census,
                                    struct hc_error *err)
{
    struct hc_step_lanes lanes = {0};
    struct selection s = {.trace = trace, .census = census, .lanes = &lanes, .err = err};
    enum hc_status status = list_candidates(&s);
    if (status == HC_OK)
        status = derive_structures(&s);
    if (status == HC_OK)
        status = check_any_whole(&s);
    free(s.candidates);
    hc_step_lanes_fini(&lanes);
    return status;
}
