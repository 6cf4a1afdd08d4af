/* Dumps of flight recorders: pickles to rows, and the diagnosis of a large job. The dumps are made
 * here as PyTorch writes them: texts are remembered and referred to, lists are not. */
#include "bench/bench.h"
#include "core/base/memory.h"
#include "pipeline/inputs/collective_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define N_TEXTS 64

/* A pickle that is being written. */
struct pickle {
    FILE *stream;
    int n_texts; /* remembered so far */
    char text[N_TEXTS][64];
};

static void put_text(struct pickle *p, const char *text)
{
    for (int i = 0; i < p->n_texts; i++)
        if (strcmp(p->text[i], text) == 0) {
            fprintf(p->stream, "h%c", i);
            return;
        }
    uint32_t length = (uint32_t)strlen(text);
    fputc('X', p->stream);
    fwrite(&length, sizeof length, 1, p->stream);
    fputs(text, p->stream);
    if (length < sizeof p->text[0] && p->n_texts < N_TEXTS) {
        fprintf(p->stream, "q%c", p->n_texts);
        strcpy(p->text[p->n_texts++], text);
    }
}

static void put_whole(struct pickle *p, const char *key, int64_t value)
{
    put_text(p, key);
    if (value == (int32_t)value) {
        int32_t small = (int32_t)value;
        fputc('J', p->stream);
        fwrite(&small, sizeof small, 1, p->stream);
    } else {
        fprintf(p->stream, "\x8a%c", 8);
        fwrite(&value, sizeof value, 1, p->stream);
    }
}

static void put_list(struct pickle *p, const char *key, const char *items)
{
    put_text(p, key);
    fputs("](", p->stream);
    if (strcmp(items, "sizes") == 0)
        fwrite("](J\0\x10\0\0J\0\x14\0\0e", 1, 13, p->stream);
    else
        put_text(p, items);
    fputc('e', p->stream);
}

static void put_text_pair(struct pickle *p, const char *key, const char *value)
{
    put_text(p, key);
    put_text(p, value);
}

/* The seq-th entry of a rank, in one of its two groups: the job, and eight neighbours. */
static void put_entry(struct pickle *p, int rank, int seq, bool is_last)
{
    static const char *const frames[] = {"forward", "train_step", "main"};
    char group[16];
    bool is_job = seq % 20 == 0;
    snprintf(group, sizeof group, "%d", is_job ? 0 : 1 + rank / 8);
    fputs("}(", p->stream);
    put_text(p, "frames");
    fputs("](", p->stream);
    for (int i = 0; i < 3; i++) {
        fputs("}(", p->stream);
        put_text_pair(p, "name", frames[i]);
        put_text_pair(p, "filename", "/opt/training/model/transformer_layer.py");
        put_whole(p, "line", 100 + i);
        fputc('u', p->stream);
    }
    fputc('e', p->stream);
    put_whole(p, "record_id", seq);
    put_whole(p, "pg_id", is_job ? 0 : 1);
    put_text(p, "process_group");
    put_text(p, group);
    put_text(p, is_job ? "default_pg" : "TENSOR_MODEL_PARALLEL_GROUP");
    fputc('\x86', p->stream);
    put_whole(p, "collective_seq_id", is_job ? seq / 20 : seq - seq / 20 - 1);
    put_whole(p, "p2p_seq_id", 0);
    put_whole(p, "op_id", seq);
    put_text_pair(p, "profiling_name", is_job ? "nccl:all_reduce" : "nccl:_all_gather_base");
    put_whole(p, "time_created_ns", 1790000000000000000 + seq * 1000000LL);
    put_list(p, "input_sizes", "sizes");
    put_list(p, "output_sizes", "sizes");
    put_list(p, "input_dtypes", "BFloat16");
    put_list(p, "output_dtypes", "BFloat16");
    put_text_pair(p, "state", is_last ? "scheduled" : "completed");
    put_whole(p, "timeout_ms", 600000);
    put_text(p, "is_p2p");
    fputs("\x89u", p->stream);
}

static void put_group(struct pickle *p, int number, const char *description, const char *ranks)
{
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    put_text(p, name);
    fputs("}(", p->stream);
    put_text_pair(p, "name", name);
    put_text_pair(p, "desc", description);
    put_text_pair(p, "ranks", ranks);
    fputc('u', p->stream);
}

/* "[from, ..., to - 1]" */
static char *ranks_text(int from, int to)
{
    char *text = malloc((size_t)(to - from) * 12 + 3);
    size_t used = 0;
    for (int r = from; r < to; r++)
        used += (size_t)sprintf(text + used, "%s%d", r == from ? "[" : ", ", r);
    strcpy(text + used, "]");
    return text;
}

static void put_progress(struct pickle *p, int local, int64_t completed, bool waits)
{
    char name[16];
    snprintf(name, sizeof name, "%d", local);
    put_text(p, name);
    fputs("}(", p->stream);
    put_whole(p, "last_enqueued_collective", completed + waits);
    put_whole(p, "last_started_collective", -1);
    put_whole(p, "last_completed_collective", completed);
    fputc('u', p->stream);
}

/* Rank `late` has not queued the last of the n entries, in which its neighbours wait. */
static void write_dump(const char *directory, int rank, int world, int n, int late)
{
    char path[HC_BENCH_PATH + 32];
    struct pickle p = {.n_texts = 0};
    char *job = ranks_text(0, world), *own = ranks_text(rank / 8 * 8, rank / 8 * 8 + 8);
    bool waits = rank != late;
    snprintf(path, sizeof path, "%s/nccl_trace_rank_%d", directory, rank);
    p.stream = fopen(path, "wb");
    fwrite("\x80\x02}(", 1, 4, p.stream);
    put_text_pair(&p, "version", "2.9");
    put_text(&p, "pg_config");
    fputs("}(", p.stream);
    put_group(&p, 0, "default_pg", job);
    put_group(&p, 1 + rank / 8, "TENSOR_MODEL_PARALLEL_GROUP", own);
    fputc('u', p.stream);
    put_text(&p, "pg_status");
    fputs("}(", p.stream);
    put_progress(&p, 0, (n - 1) / 20, false);
    put_progress(&p, 1, n - 3 - (n - 1) / 20, waits);
    fputc('u', p.stream);
    put_text(&p, "entries");
    fputs("](", p.stream);
    for (int seq = 0; seq < n - !waits; seq++)
        put_entry(&p, rank, seq, seq == n - 1);
    fputs("eu.", p.stream);
    fclose(p.stream);
    free(job);
    free(own);
}

static int64_t make_dumps(char directory[HC_BENCH_PATH], const char *name, int world, int n)
{
    int64_t bytes = 0;
    hc_bench_scratch(directory, name);
    mkdir(directory, 0700);
    for (int rank = 0; rank < world; rank++) {
        char path[HC_BENCH_PATH + 32];
        struct stat state;
        write_dump(directory, rank, world, n, 5);
        snprintf(path, sizeof path, "%s/nccl_trace_rank_%d", directory, rank);
        if (stat(path, &state) == 0)
            bytes += state.st_size;
    }
    return bytes;
}

static enum hc_status drop_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    (void)err;
    *(int64_t *)context += (int64_t)rows->n_rows;
    return HC_OK;
}

static void read_one(void *context)
{
    const struct hc_trace_options options = HC_TRACE_DEFAULTS;
    struct hc_source_input input;
    struct hc_error err = {0};
    int64_t n_rows = 0;
    if (hc_source_input_open(&input, context, &options, &err) ||
        hc_source_input_read(&input, drop_rows, &n_rows, &err))
        hc_bench_stop(&err);
    hc_source_input_close(&input);
}

int main(int argc, char **argv)
{
    struct hc_bench bench = hc_bench_start();
    int world = argc > 1 ? atoi(argv[1]) : 512;
    char directory[HC_BENCH_PATH], path[HC_BENCH_PATH + 32];
    struct hc_bench_usage usage;
    double megabytes = (double)make_dumps(directory, "one", 8, 40000) * 1e-6 / 8;
    snprintf(path, sizeof path, "%s/nccl_trace_rank_0", directory);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, read_one, path);
    hc_bench_limit(&bench, "dump (pickle) to rows, digest included", &pair, megabytes * 1e6, "MB/s",
                   6.5);
    hc_bench_remove(directory);
    megabytes = (double)make_dumps(directory, "many", world, 2000) * 1e-6;
    const char *argv_of[] = {"sh",
                             "-c",
                             "\"$0\" diagnose collectives -q --json \"$1\" || [ $? = 1 ]",
                             hc_bench_hindcast(),
                             directory,
                             NULL};
    double unit_s = hc_bench_unit_seconds(HC_BENCH_BYTES);
    if (!hc_bench_command(argv_of, &usage))
        return 1;
    unit_s = (unit_s + hc_bench_unit_seconds(HC_BENCH_BYTES)) / 2;
    pair = (struct hc_bench_pair){HC_BENCH_BYTES, usage.user_s, usage.user_s / unit_s};
    printf("%d ranks of 2,000 entries, %.0f MB\n", world, megabytes);
    hc_bench_limit(&bench, "diagnosis of them", &pair, megabytes * 1e6, "MB/s", 14);
    hc_bench_note(&bench, "its wall time", usage.wall_s, "s");
    hc_bench_at_most(&bench, "its memory", usage.peak_mb, "MB", 1000);
    hc_bench_note(&bench, "its rate", megabytes / usage.wall_s, "MB/s");
    hc_bench_remove(directory);
    return hc_bench_end(&bench);
}
