#include "reports/export/kineto_writer.h"

#include "core/base/missing.h"
#include "core/text/json_writer.h"
#include "reports/export/gzip_stream.h"

#include <inttypes.h>

#define GZIP_LEVEL 6
/* Process and threads of a rank. */
#define PID(rank)         (10000 + (rank))
#define TID(rank, thread) (10000 + (rank) + 500 * (thread))
/* The profiler writes no more members of a group than these (`Process Group Ranks`). */
#define MOST_LISTED 30

static void print_us(FILE *out, int64_t ns)
{
    fprintf(out, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

static void print_members(FILE *out, const struct hc_trace_group *group, int32_t most)
{
    putc('[', out);
    for (int32_t i = 0; i < group->size && i < most; i++)
        fprintf(out, "%s%" PRId32, i ? ", " : "", group->first + i * group->stride);
    fputs(group->size > most ? ", ...]" : "]", out);
}

static void print_group(FILE *out, const struct hc_trace_group *group)
{
    fprintf(out,
            "{\"pg_name\": \"%s\", \"pg_desc\": \"%s\", \"backend_config\": \"cuda:nccl\", "
            "\"pg_size\": %" PRId32 ", \"ranks\": ",
            group->name, group->description, group->size);
    print_members(out, group, INT32_MAX);
    putc('}', out);
}

enum hc_status hc_kineto_start(struct hc_kineto_writer *writer, FILE *stream, bool packs,
                               const struct hc_kineto_head *head, struct hc_error *err)
{
    *writer = (struct hc_kineto_writer){.stream = stream, .rank = head->rank};
    if (packs && !(writer->packed = hc_gzip_stream(stream, GZIP_LEVEL, err)))
        return err->status;
    FILE *out = packs ? writer->packed : stream;
    fprintf(out,
            "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": "
            "\"Synthetic GPU\", \"totalGlobalMem\": 85899345920, \"numSms\": 132}\n  ],\n"
            "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %" PRId32
            ", \"world_size\": %" PRId32 ", \"pg_count\": %zu, \"pg_config\": [",
            head->rank, head->world_size, head->n_groups);
    for (size_t i = 0; i < head->n_groups; i++) {
        fputs(i ? ", " : "", out);
        print_group(out, &head->groups[i]);
    }
    fprintf(out,
            "]},\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": %" PRId64
            ",\n  \"traceEvents\": [",
            head->base_ns);
    return HC_OK;
}

/* ---- events ---- */

static const char *category_of(enum hc_trace_event_kind kind)
{
    switch (kind) {
    case HC_TRACE_CPU_OP:
    case HC_TRACE_COMM_OP:
        return "cpu_op";
    case HC_TRACE_CALL:
        return "cuda_runtime";
    case HC_TRACE_KERNEL:
    case HC_TRACE_COMM_KERNEL:
        return "kernel";
    case HC_TRACE_COPY:
        return "gpu_memcpy";
    case HC_TRACE_STREAM_WAIT:
    case HC_TRACE_DEVICE_SYNC:
        return "cuda_sync";
    case HC_TRACE_ANNOTATION:
        break;
    }
    return "user_annotation";
}

static void print_comm(FILE *out, const struct hc_trace_comm *comm, int32_t rank)
{
    const struct hc_trace_group *group = comm->group;
    fprintf(out,
            "\"Collective name\": \"%s\", \"In msg nelems\": %" PRId64
            ", \"Out msg nelems\": %" PRId64 ", \"Group size\": %" PRId32
            ", \"dtype\": \"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\", "
            "\"Global rank start\": %" PRId32 ", \"Global rank stride\": %" PRId32
            ", \"Process Group Name\": \"%s\", \"Process Group Description\": \"%s\", "
            "\"Process Group Ranks\": \"",
            comm->op, comm->elements, comm->elements, group->size, group->first, group->stride,
            group->name, group->description);
    print_members(out, group, MOST_LISTED);
    fprintf(out, "\", \"Rank\": %" PRId32, rank);
    if (comm->source >= 0)
        fprintf(out, ", \"Src Rank\": %" PRId32 ", \"Dst Rank\": %" PRId32, comm->source,
                comm->destination);
    if (comm->seq != HC_MISSING_I64)
        fprintf(out, ", \"Seq\": %" PRId64, comm->seq);
}

static void print_args(FILE *out, const struct hc_trace_event *event, int32_t rank)
{
    bool is_gpu = event->kind == HC_TRACE_KERNEL || event->kind == HC_TRACE_COMM_KERNEL ||
                  event->kind == HC_TRACE_COPY;
    if (is_gpu)
        fprintf(out, "\"device\": 0, \"context\": 1, \"stream\": %" PRId32 ", ", event->stream);
    if (event->kind == HC_TRACE_COPY)
        fprintf(out, "\"bytes\": %" PRId64 ", ", event->bytes);
    if (event->kind == HC_TRACE_STREAM_WAIT)
        fprintf(out,
                "\"wait_on_stream\": %" PRId32 ", \"wait_on_cuda_event_record_corr_id\": %" PRId64
                ", \"wait_on_cuda_event_id\": %" PRId64 ", ",
                event->awaited_stream, event->record_correlation, event->record_correlation);
    if (event->kind == HC_TRACE_STREAM_WAIT || event->kind == HC_TRACE_DEVICE_SYNC)
        fprintf(out, "\"cuda_sync_kind\": \"%s\", \"stream\": %" PRId32 ", \"device\": 0, ",
                event->name, event->stream);
    if (event->kind == HC_TRACE_COMM_OP || event->kind == HC_TRACE_COMM_KERNEL)
        print_comm(out, &event->comm, rank);
    if (event->kind == HC_TRACE_COMM_KERNEL)
        fputs(", ", out);
    if (event->correlation > 0)
        fprintf(out, "\"correlation\": %" PRId64, event->correlation);
}

static void print_event(struct hc_kineto_writer *writer, FILE *out,
                        const struct hc_trace_event *event)
{
    bool is_cpu = event->kind == HC_TRACE_CPU_OP || event->kind == HC_TRACE_COMM_OP ||
                  event->kind == HC_TRACE_CALL || event->kind == HC_TRACE_ANNOTATION;
    fprintf(out, "%s\n  {\n    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s",
            writer->has_events ? "," : "", category_of(event->kind), event->name);
    writer->has_events = true;
    if (event->number >= 0)
        fprintf(out, "%" PRId32, event->number);
    fprintf(out, "\", \"pid\": %d, \"tid\": %d,\n    \"ts\": ", is_cpu ? PID(writer->rank) : 0,
            is_cpu ? TID(writer->rank, event->thread) : event->stream);
    print_us(out, event->start_ns);
    fputs(", \"dur\": ", out);
    print_us(out, event->duration_ns);
    fputs(",\n    \"args\": {\n      ", out);
    print_args(out, event, writer->rank);
    fputs("\n    }\n  }", out);
}

void hc_kineto_write(struct hc_kineto_writer *writer, const struct hc_trace_event *events, size_t n)
{
    FILE *out = writer->packed ? writer->packed : writer->stream;
    for (size_t i = 0; i < n; i++)
        print_event(writer, out, &events[i]);
}

enum hc_status hc_kineto_end(struct hc_kineto_writer *writer, const char *name,
                             struct hc_error *err)
{
    FILE *out = writer->packed ? writer->packed : writer->stream;
    if (!out)
        return HC_OK;
    fputs("\n  ],\n  \"traceName\": ", out);
    hc_json_string(out, name);
    fputs("\n}\n", out);
    bool failed = writer->packed && fclose(writer->packed) != 0;
    writer->packed = writer->stream = NULL;
    return failed ? hc_fail_errno(err, "cannot write", name) : HC_OK;
}
