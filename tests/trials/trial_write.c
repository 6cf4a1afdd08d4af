/* trial_write.c - a trial as files: its trace, its metadata, and what is true of it. */
#include "tests/trials/trial.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define UNIX_START_NS INT64_C(1763800000000000000)

const char *trial_op_name(enum trial_op op)
{
    static const char *const names[TRIAL_N_OPS] = {[TRIAL_FORWARD] = "forward-compute",
                                                   [TRIAL_BACKWARD] = "backward-compute",
                                                   [TRIAL_FORWARD_SEND] = "forward-send",
                                                   [TRIAL_FORWARD_RECV] = "forward-recv",
                                                   [TRIAL_BACKWARD_SEND] = "backward-send",
                                                   [TRIAL_BACKWARD_RECV] = "backward-recv",
                                                   [TRIAL_GATHER] = "params-all-gather",
                                                   [TRIAL_SCATTER] = "grads-reduce-scatter",
                                                   [TRIAL_SEPARATE] = "separate-grads-all-reduce",
                                                   [TRIAL_EMBEDDING] = "embedding-grads-all-reduce",
                                                   [TRIAL_LAYERNORM] = "layernorm-grads-all-reduce",
                                                   [TRIAL_GC] = "gc",
                                                   [TRIAL_CLIP] = "optimizer-clip-main-grad",
                                                   [TRIAL_OPTIMIZER] = "optimizer"};
    return names[op];
}

static FILE *open_file(const char *folder, const char *before, const char *name, const char *after)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s%s%s", folder, before, name, after);
    return n > 0 && (size_t)n < sizeof path ? fopen(path, "w") : NULL;
}

/* Step number of an index. */
static int step_number(const struct trial_shape *shape, int step)
{
    return shape->first_step + step * shape->stride;
}

static void write_seconds(FILE *file, int64_t ns)
{
    fprintf(file, ",%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
}

static void write_op(FILE *file, const struct trial *trial, const int at[3], enum trial_op op,
                     int64_t offset_ns)
{
    const struct trial_shape *shape = &trial->shape;
    int step = at[0], w = at[1], k = at[2], stage = w % shape->pp;
    size_t slot = trial_slot(shape, step, w, op, k);
    int64_t start = llround(trial->start[slot] * 1e9), end = llround(trial->end[slot] * 1e9);
    bool is_pass = op == TRIAL_FORWARD || op == TRIAL_BACKWARD;
    bool is_chunk = is_pass || op == TRIAL_GATHER || op == TRIAL_SCATTER;
    fprintf(file, "%d,%d,%d,%d,%s", w / shape->pp, stage, trial_rank(shape, w),
            step_number(shape, step), trial_op_name(op));
    write_seconds(file, offset_ns + start);
    write_seconds(file, end - start);
    fprintf(file, ",%d,%d,%d,%d\n", k, is_chunk ? 0 : -1,
            is_pass          ? k
            : op == TRIAL_GC ? 0
                             : -1,
            is_pass ? stage : -1);
}

static void write_trace(FILE *file, const struct trial *trial)
{
    const struct trial_shape *shape = &trial->shape;
    int64_t offset_ns = shape->is_absolute ? UNIX_START_NS : 0;
    fprintf(file, "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n");
    for (int step = 0; step < shape->n_steps; step++) {
        for (int w = 0; w < trial_n_workers(shape); w++)
            for (int op = 0; op < TRIAL_N_OPS; op++)
                for (int k = 0; trial_has_op(shape, (enum trial_op)op, w % shape->pp) &&
                                k < trial_op_count(shape, (enum trial_op)op);
                     k++)
                    write_op(file, trial, (const int[3]){step, w, k}, (enum trial_op)op, offset_ns);
        if (shape->is_absolute) /* a little time passes between recorded steps */
            offset_ns += llround(trial->step_s[step] * 1.05e9) * shape->stride;
    }
}

static void write_metadata(FILE *file, const struct trial *trial, const char *name)
{
    const struct trial_shape *shape = &trial->shape;
    int n_workers = trial_n_workers(shape);
    fprintf(file,
            "trial_name: %s\nrun_id: 0\ndp_size: %d\npp_size: %d\ntp_size: %d\ndsp_size: 1\n"
            "vpp_size: 1\nworld_size: %d\n",
            name, shape->dp, shape->pp, shape->tp, n_workers * shape->tp);
    if (!shape->node_workers)
        return;
    int n_nodes = 0, per_node = shape->node_workers * shape->tp;
    fprintf(file, "nodes: [");
    for (int rank = 0; rank < n_workers * shape->tp; rank++) {
        fprintf(file, "%snode-%03d", rank ? ", " : "", rank / per_node);
        n_nodes = rank / per_node + 1;
    }
    fprintf(file, "]\n");
    for (int node = 0; shape->switch_nodes && node < n_nodes; node++) {
        if (node == 0)
            fprintf(file, "switches:\n");
        if (node % shape->switch_nodes == 0)
            fprintf(file, "  switch-%02d: [", node / shape->switch_nodes);
        bool is_last = node == n_nodes - 1 || (node + 1) % shape->switch_nodes == 0;
        fprintf(file, "node-%03d%s", node, is_last ? "]\n" : ", ");
    }
}

static json_t *truth_of_plant(const struct trial *trial, const struct trial_plant *plant)
{
    static const char *const kinds[] = {"worker", "dp_rank", "stage",  "host",   "switch",
                                        "job",    "slot",    "series", "several"};
    static const char *const whats[] = {"slow",  "lengths",    "pauses", "late",
                                        "added", "late_start", "moved"};
    static const char *const patterns[] = {"always",      "since",     "until",  "between",
                                           "recurrent",   "periodic",  "bursts", "ramp",
                                           "some_passes", "throttled", "levels"};
    static const char *const ops[] = {"forward", "backward", "passes",   "transfers",
                                      "all",     "link",     "launches", "op_type"};
    const struct trial_shape *shape = &trial->shape;
    json_t *workers = json_array(), *steps = json_array(), *types = json_array();
    json_t *levels = json_array();
    for (int op = 0; op < TRIAL_N_OPS; op++)
        if (plant->types >> op & 1)
            json_array_append_new(types, json_string(trial_op_name((enum trial_op)op)));
    for (int i = 0; i < plant->n_levels; i++)
        json_array_append_new(levels, json_pack("{s:i, s:f}", "first",
                                                step_number(shape, plant->level_first[i]), "factor",
                                                plant->level_factor[i]));
    for (int w = 0; w < trial_n_workers(shape); w++)
        if (plant->is_member[w])
            json_array_append_new(workers,
                                  json_pack("{s:i, s:i, s:i, s:i}", "rank", trial_rank(shape, w),
                                            "dp_rank", w / shape->pp, "stage", w % shape->pp,
                                            "node", trial_node(shape, w)));
    for (int i = 0; i < shape->n_steps; i++)
        if (plant->is_slow[i])
            json_array_append_new(steps, json_integer(step_number(shape, i)));
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:o, "
        "s:o, s:o, s:i, s:s, s:f}",
        "cause", plant->cause, "kind", kinds[plant->kind], "ops", ops[plant->ops], "pattern",
        patterns[plant->pattern], "workers", workers, "factor", plant->factor, "mean_factor",
        plant->mean_factor, "fair_share", plant->fair_share, "rate", plant->rate, "duty",
        plant->duty, "pass_duty", plant->pass_duty, "share", plant->share, "cost", plant->cost,
        "without_s", plant->without_s, "onset", step_number(shape, plant->onset), "end",
        step_number(shape, plant->end), "slow_steps", steps, "op_types", types, "levels", levels,
        "period_steps", plant->period, "what", whats[plant->what], "saved_s", plant->saved_s);
}

static bool write_truth(FILE *file, const struct trial *trial)
{
    const struct trial_noise *noise = &trial->noise;
    json_t *plants = json_array();
    for (int i = 0; i < trial->n_plants; i++)
        json_array_append_new(plants, truth_of_plant(trial, &trial->plants[i]));
    json_t *truth = json_pack(
        "{s:s, s:s, s:I, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:o, s:o}", "case",
        trial->of->name, "group", trial->of->group, "seed", (json_int_t)trial->seed, "dp",
        trial->shape.dp, "pp", trial->shape.pp, "microbatches", trial->shape.microbatches, "steps",
        trial->shape.n_steps, "stride", trial->shape.stride, "mean_s", trial->mean_s, "ideal_s",
        trial->ideal_s, "without_delays_s", trial->launched_s, "noise",
        json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:f}", "tail", noise->tail,
                  "pass_sd", noise->pass_sd, "outlier_rate", noise->outlier_rate, "outlier_mean",
                  noise->outlier_mean, "drift_sd", noise->drift_sd, "drift_rho", noise->drift_rho,
                  "step_sd", noise->step_sd, "length_sd", noise->length_sd, "warm_up",
                  noise->warm_up, "warm_up_factor", noise->warm_up_factor),
        "plants", plants);
    bool ok = truth && json_dumpf(truth, file, JSON_INDENT(1)) == 0;
    json_decref(truth);
    return ok;
}

bool trial_write(const struct trial *trial, const char *folder, const char *name)
{
    FILE *trace = open_file(folder, "trace-", name, ".csv");
    FILE *metadata = open_file(folder, "meta-", name, ".yaml");
    FILE *truth = open_file(folder, "truth-", name, ".json");
    bool ok = trace && metadata && truth;
    if (ok) {
        write_trace(trace, trial);
        write_metadata(metadata, trial, name);
        ok = write_truth(truth, trial);
    }
    FILE *const files[] = {trace, metadata, truth};
    for (size_t i = 0; i < 3; i++)
        ok = (!files[i] || fclose(files[i]) == 0) && ok;
    return ok;
}
