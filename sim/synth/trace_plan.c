#include "sim/synth/trace_plan.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kernels of a layer and how long they take, in units of options.kernel_ns. */
struct kernel {
    const char *name, *cpu_name;
    double work;
};

static const struct kernel forward[] = {
    {"ampere_bf16_s16816gemm_bf16_128x128_qkv", "aten::linear", 0.8},
    {"flash_fwd_kernel", "aten::_flash_attention_forward", 0.7},
    {"ampere_bf16_s16816gemm_bf16_256x128_mlp", "aten::mm", 1.5}};
static const struct kernel backward[] = {
    {"ampere_bf16_s16816gemm_bf16_256x128_mlp_dgrad",
     "autograd::engine::evaluate_function: MmBackward0", 1.5},
    {"ampere_bf16_s16816gemm_bf16_256x128_mlp_wgrad", "aten::mm", 1.5},
    {"flash_bwd_kernel", "autograd::engine::evaluate_function: FlashAttnBackward", 1.6},
    {"ampere_bf16_s16816gemm_bf16_128x128_qkv_grad",
     "autograd::engine::evaluate_function: AddmmBackward0", 1.4}};
static const struct kernel optimizer = {"multi_tensor_apply_kernel_adam",
                                        "Optimizer.step#Adam.step", 0.25};

#define N_FORWARD  (sizeof forward / sizeof *forward)
#define N_BACKWARD (sizeof backward / sizeof *backward)
#define NORM_NS    12000 /* transfer of one number between all ranks */
#define COPY_NS    20000

/* A program in the making. */
struct plan {
    struct hc_trace_program *program;
    const struct hc_trace_synth_options *options;
    int32_t rank, dp_rank, stage;
    int32_t world_group, data_group, pipeline_group; /* -1: none */
    int32_t thread;
    struct hc_error *err;
};

static enum hc_status add(struct plan *p, struct hc_trace_op op)
{
    struct hc_trace_program *program = p->program;
    if (hc_reserve(&program->ops, &program->capacity, program->n + 1, sizeof *program->ops, p->err))
        return p->err->status;
    op.thread = p->thread;
    program->ops[program->n++] = op;
    return HC_OK;
}

static enum hc_status add_wait(struct plan *p, enum hc_trace_stream stream,
                               enum hc_trace_stream awaited)
{
    return add(p, (struct hc_trace_op){.kind = HC_OP_WAIT, .stream = stream, .awaited = awaited});
}

static enum hc_status add_kernels(struct plan *p, const struct kernel *kernels, size_t n)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < n; i++)
        status = add(p, (struct hc_trace_op){
                            .kind = HC_OP_KERNEL,
                            .stream = HC_STREAM_COMPUTE,
                            .name = kernels[i].name,
                            .cpu_name = kernels[i].cpu_name,
                            .work_ns = (int64_t)(kernels[i].work * (double)p->options->kernel_ns)});
    return status;
}

/* ---- meetings ----
 *
 * Numbered over all ranks: first the sends between stages (pipeline, boundary, microbatch and
 * direction), then the gradients (stage, layer), then the norm. */

static int32_t sends(const struct hc_trace_synth_options *o)
{
    return o->dp * (o->pp - 1) * o->microbatches * 2;
}

int32_t hc_trace_plan_meetings(const struct hc_trace_synth_options *o)
{
    return sends(o) + o->pp * o->layers + 1;
}

/* A transfer over the boundary behind stage `boundary`: k-th microbatch, onwards or back. The
 * stream of communication takes what the computation has made so far. */
static enum hc_status add_transfer(struct plan *p, int32_t boundary, int32_t k, bool is_back)
{
    const struct hc_trace_synth_options *o = p->options;
    int32_t sender = boundary + is_back, receiver = boundary + !is_back;
    bool is_sender = p->stage == sender;
    int32_t order = k + (is_back ? o->microbatches : 0);
    if (add_wait(p, HC_STREAM_PIPELINE, HC_STREAM_COMPUTE) ||
        add(p, (struct hc_trace_op){
                   .kind = HC_OP_COMM,
                   .stream = HC_STREAM_PIPELINE,
                   .name = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
                   .cpu_name = is_sender ? "nccl:send" : "nccl:recv",
                   .work_ns = o->p2p_ns,
                   .group = p->pipeline_group,
                   .meeting = (p->dp_rank * (o->pp - 1) + boundary) * o->microbatches * 2 + order,
                   .n_members = 2,
                   .first = boundary * o->dp + p->dp_rank,
                   .stride = o->dp,
                   .order = order,
                   .n_a_step = 2 * o->microbatches,
                   .source = sender,
                   .destination = receiver,
                   .elements = 4194304,
                   .comm_name = is_sender ? "send" : "recv"}))
        return p->err->status;
    return is_sender ? HC_OK : add_wait(p, HC_STREAM_COMPUTE, HC_STREAM_PIPELINE);
}

static enum hc_status add_all_reduce(struct plan *p, enum hc_trace_stream stream,
                                     struct hc_trace_op op)
{
    op.kind = HC_OP_COMM;
    op.stream = stream;
    op.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    op.cpu_name = "nccl:all_reduce";
    op.comm_name = "allreduce";
    op.source = op.destination = -1;
    const struct hc_trace_group *group = &p->program->groups[op.group];
    op.n_members = group->size;
    op.first = group->first;
    op.stride = group->stride;
    return add_wait(p, stream, HC_STREAM_COMPUTE) || add(p, op) ? p->err->status : HC_OK;
}

static enum hc_status add_gradients(struct plan *p, int32_t layer)
{
    const struct hc_trace_synth_options *o = p->options;
    return add_all_reduce(p, HC_STREAM_DATA,
                          (struct hc_trace_op){.work_ns = o->all_reduce_ns,
                                               .group = p->data_group,
                                               .meeting = sends(o) + p->stage * o->layers + layer,
                                               .order = layer,
                                               .n_a_step = o->layers,
                                               .elements = 12582912});
}

/* ---- a step ---- */

static enum hc_status add_forward(struct plan *p, int32_t k)
{
    enum hc_status status = p->stage > 0 ? add_transfer(p, p->stage - 1, k, false) : HC_OK;
    for (int32_t layer = 0; status == HC_OK && layer < p->options->layers; layer++)
        status = add_kernels(p, forward, N_FORWARD);
    if (status == HC_OK && p->stage < p->options->pp - 1)
        status = add_transfer(p, p->stage, k, false);
    return status;
}

static enum hc_status add_backward(struct plan *p, int32_t k)
{
    bool reduces = p->data_group >= 0 && k == p->options->microbatches - 1;
    enum hc_status status =
        p->stage < p->options->pp - 1 ? add_transfer(p, p->stage, k, true) : HC_OK;
    p->thread = 1;
    for (int32_t layer = 0; status == HC_OK && layer < p->options->layers; layer++) {
        status = add_kernels(p, backward, N_BACKWARD);
        if (status == HC_OK && reduces)
            status = add_gradients(p, layer);
    }
    p->thread = 0;
    if (status == HC_OK && p->stage > 0)
        status = add_transfer(p, p->stage - 1, k, true);
    return status;
}

static enum hc_status add_update(struct plan *p)
{
    enum hc_status status = HC_OK;
    if (p->data_group >= 0)
        status = add_wait(p, HC_STREAM_COMPUTE, HC_STREAM_DATA);
    if (status == HC_OK && p->world_group >= 0 &&
        (add_all_reduce(p, HC_STREAM_WORLD,
                        (struct hc_trace_op){.work_ns = NORM_NS,
                                             .group = p->world_group,
                                             .meeting = hc_trace_plan_meetings(p->options) - 1,
                                             .n_a_step = 1,
                                             .elements = 1}) ||
         add_wait(p, HC_STREAM_COMPUTE, HC_STREAM_WORLD)))
        status = p->err->status;
    for (int32_t layer = 0; status == HC_OK && layer < p->options->layers; layer++)
        status = add_kernels(p, &optimizer, 1);
    return status ? status : add(p, (struct hc_trace_op){.kind = HC_OP_SYNC});
}

static enum hc_status add_step(struct plan *p)
{
    enum hc_status status = add(p, (struct hc_trace_op){.kind = HC_OP_COPY,
                                                        .stream = HC_STREAM_COMPUTE,
                                                        .name = "Memcpy HtoD (Pinned -> Device)",
                                                        .cpu_name = "aten::copy_",
                                                        .work_ns = COPY_NS});
    for (int32_t k = 0; status == HC_OK && k < p->options->microbatches; k++)
        status = add_forward(p, k);
    for (int32_t k = 0; status == HC_OK && k < p->options->microbatches; k++)
        status = add_backward(p, k);
    return status ? status : add_update(p);
}

/* ---- groups ---- */

/* number: that of the group among those of all ranks, which all ranks make in the same order. Where
 * names differ, a rank counts its own groups only. Returns its index, or -1 where it has one member
 * and so none. */
static int32_t add_group(struct plan *p, const char *description, int32_t number,
                         struct hc_trace_group group)
{
    struct hc_trace_program *program = p->program;
    if (group.size < 2)
        return -1;
    int32_t index = (int32_t)program->n_groups++;
    struct hc_trace_group *made = &program->groups[index];
    *made = group;
    snprintf(made->description, sizeof made->description, "%s", description);
    snprintf(made->name, sizeof made->name, "%d",
             p->options->names_differ && number > 0 ? 100 * (p->rank + 1) + index : number);
    return index;
}

enum hc_status hc_trace_plan_init(struct hc_trace_program *program,
                                  const struct hc_trace_synth_options *o, int32_t rank,
                                  struct hc_error *err)
{
    struct plan p = {.program = program,
                     .options = o,
                     .rank = rank,
                     .dp_rank = rank % o->dp,
                     .stage = rank / o->dp,
                     .err = err};
    p.world_group =
        add_group(&p, "default_pg", 0, (struct hc_trace_group){.size = o->dp * o->pp, .stride = 1});
    p.data_group =
        add_group(&p, "DATA_PARALLEL_GROUP", 1 + p.stage,
                  (struct hc_trace_group){.size = o->dp, .first = p.stage * o->dp, .stride = 1});
    p.pipeline_group =
        add_group(&p, "PIPELINE_GROUP", 1 + o->pp + p.dp_rank,
                  (struct hc_trace_group){.size = o->pp, .first = p.dp_rank, .stride = o->dp});
    return add_step(&p);
}

void hc_trace_plan_fini(struct hc_trace_program *program)
{
    free(program->ops);
    memset(program, 0, sizeof *program);
}
