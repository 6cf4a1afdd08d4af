/* store_fixture.h - made-up tables and jobs for the tests of the store. */
#ifndef HC_TESTS_UNIT_STORE_FIXTURE_H
#define HC_TESTS_UNIT_STORE_FIXTURE_H

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "store/segment/segment.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A function that reports through err must succeed. */
#define ASSERT_OK(call)                                                                            \
    do {                                                                                           \
        struct hc_error err = {0};                                                                 \
        ck_assert_msg((call) == HC_OK, "%s", err.message);                                         \
    } while (0)

static inline uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A directory of its own below $TMPDIR; it is removed by remove_scratch. */
static inline char *make_scratch(void)
{
    const char *base = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    struct hc_error err = {0};
    char *path = hc_new_text(&err, "%s/hindcast-test-XXXXXX", base);
    if (!path || !mkdtemp(path))
        abort();
    return path;
}

static inline void remove_scratch(char *path)
{
    char command[4096];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (system(command))
        fprintf(stderr, "could not remove %s\n", path);
    free(path);
}

static inline char *join(const char *directory, const char *name)
{
    struct hc_error err = {0};
    return hc_new_text(&err, "%s/%s", directory, name);
}

static inline uint8_t *read_bytes(const char *path, size_t *size)
{
    struct stat info;
    FILE *stream = fopen(path, "rb");
    ck_assert_msg(stream != NULL, "%s", path);
    ck_assert_int_eq(fstat(fileno(stream), &info), 0);
    *size = (size_t)info.st_size;
    uint8_t *bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

/* n rows of a timeline: short periods in the ids, noise in the times, some values missing. */
static inline void fill_ops(struct hc_table *ops, size_t n, uint64_t seed)
{
    struct hc_op_columns c = hc_op_columns(ops);
    int64_t clock = 0;
    ops->n_rows = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t r = next_random(&seed);
        c.step[i] = (int32_t)(i / 97);
        c.dp_rank[i] = (int32_t)(i / 7 % 4);
        c.stage[i] = (int32_t)(i % 7);
        c.rank[i] = c.dp_rank[i] * 7 + c.stage[i];
        c.op_type[i] = (int32_t)(r % HC_N_OP_TYPES);
        c.seq_id[i] = (int32_t)(i % 13);
        c.model_chunk[i] = r >> 8 & 3 ? (int32_t)(r >> 10 & 1) : HC_MISSING_I32;
        c.global_chunk[i] = c.model_chunk[i];
        c.microbatch[i] = r >> 12 & 7 ? (int32_t)(r >> 13 & 15) : HC_MISSING_I32;
        clock += (int64_t)(r >> 40);
        c.start_ns[i] = clock;
        c.duration_ns[i] = r >> 20 & 63 ? (int64_t)(r >> 36) : HC_MISSING_I64;
    }
}

static inline void fill_steps(struct hc_table *steps, size_t n, uint64_t seed)
{
    steps->n_rows = n;
    for (size_t i = 0; i < n; i++) {
        hc_table_i32(steps, HC_STEPS_STEP)[i] = (int32_t)i;
        hc_table_i64(steps, HC_STEPS_FIRST_START_NS)[i] = (int64_t)(next_random(&seed) >> 20);
        hc_table_i64(steps, HC_STEPS_LAST_END_NS)[i] = (int64_t)(next_random(&seed) >> 19);
        hc_table_i64(steps, HC_STEPS_N_OPS)[i] = 97;
    }
}

static inline void fill_digest(char digest[HC_DIGEST_TEXT], const char *text)
{
    hc_digest_bytes(text, strlen(text), digest);
}

/* A job with everything in it. */
static inline void fill_job(struct hc_job *job, const char *id)
{
    ASSERT_OK(hc_job_init(job, id, &err));
    job->dp_size = 4;
    job->pp_size = 7;
    job->world_size = 56;
    job->start_unix_ns = 1763718722000000123;
    job->meta_path = strdup("/traces/meta.yaml");
    fill_digest(job->meta_sha256, "meta");
    job->n_aliases = 3;
    job->aliases = calloc(3, sizeof *job->aliases);
    job->aliases[0] = (struct hc_op_alias){strdup("fwd"), HC_FORWARD_COMPUTE};
    job->aliases[1] = (struct hc_op_alias){strdup("bwd"), HC_BACKWARD_COMPUTE};
    job->aliases[2] = (struct hc_op_alias){strdup("heartbeat"), HC_OP_IGNORED};
    job->n_nodes = 56;
    job->nodes = calloc(job->n_nodes, sizeof *job->nodes);
    for (size_t i = 0; i < job->n_nodes; i++) {
        char name[32];
        snprintf(name, sizeof name, "node-%zu", 20 - i / 8);
        job->nodes[i] = (struct hc_rank_node){(int32_t)i, strdup(name)};
    }
}

static inline void fill_provenance(struct hc_provenance *provenance, const char *source)
{
    memset(provenance, 0, sizeof *provenance);
    provenance->table = strdup("ops");
    provenance->source_path = strdup("/traces/trace.parquet");
    provenance->source_size = 123456;
    fill_digest(provenance->source_sha256, source);
    provenance->format = strdup("parquet");
    provenance->format_version = 1;
    provenance->options = strdup("");
    provenance->tool_version = strdup("0.1.0");
    provenance->rows_read = 5000;
    provenance->rows_ignored = 12;
    provenance->bad[HC_BAD_DUPLICATE] = 3;
}

/* Append n_ops and n_steps made-up rows. */
static inline void append_made_up(struct hc_segment_writer *writer, size_t n_ops, size_t n_steps,
                                  uint64_t seed)
{
    struct hc_table ops = {0}, steps = {0};
    ASSERT_OK(hc_table_init(&ops, &hc_ops_def, n_ops, &err));
    ASSERT_OK(hc_table_init(&steps, &hc_steps_def, n_steps, &err));
    fill_ops(&ops, n_ops, seed);
    fill_steps(&steps, n_steps, seed);
    ASSERT_OK(hc_segment_writer_append(writer, &ops, &err));
    ASSERT_OK(hc_segment_writer_append(writer, &steps, &err));
    hc_table_fini(&ops);
    hc_table_fini(&steps);
}

#endif
