/* segment_fixture.h - segments made and compared, for the tests of segments. */
#ifndef HC_TESTS_UNIT_SEGMENT_FIXTURE_H
#define HC_TESTS_UNIT_SEGMENT_FIXTURE_H

#include "tests/support/segment_path.h"
#include "tests/support/store_fixture.h"

static inline struct hc_segment_writer *start_segment(const char *path)
{
    struct hc_segment_writer *writer = NULL;
    unlink(path);
    ASSERT_OK(hc_segment_writer_open(&writer, path, false, &err));
    return writer;
}

/* table: the main one, or NULL. */
static inline void finish_segment_of(struct hc_segment_writer *writer, const char *table)
{
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    free(provenance.table);
    provenance.table = table ? strdup(table) : NULL;
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
}

static inline void finish_segment(struct hc_segment_writer *writer)
{
    finish_segment_of(writer, NULL);
}

/* The rows that were read from a segment are those of table, from row first on. */
static inline void assert_rows(const struct hc_table *rows, const struct hc_table *table,
                               size_t first)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        ck_assert_int_eq(
            memcmp(rows->column[c], (char *)table->column[c] + first * size, rows->n_rows * size),
            0);
    }
}

static inline void assert_same_job(const struct hc_job *a, const struct hc_job *b)
{
    ck_assert_str_eq(a->cluster, b->cluster);
    ck_assert_str_eq(a->id, b->id);
    ck_assert_int_eq(a->attempt, b->attempt);
    ck_assert_int_eq(a->dp_size, b->dp_size);
    ck_assert_int_eq(a->pp_size, b->pp_size);
    ck_assert_int_eq(a->tp_size, b->tp_size);
    ck_assert_int_eq(a->dsp_size, b->dsp_size);
    ck_assert_int_eq(a->vpp_size, b->vpp_size);
    ck_assert_int_eq(a->world_size, b->world_size);
    ck_assert_int_eq(a->start_unix_ns, b->start_unix_ns);
    ck_assert_pstr_eq(a->meta_path, b->meta_path);
    ck_assert_str_eq(a->meta_sha256, b->meta_sha256);
    ck_assert_uint_eq(a->n_aliases, b->n_aliases);
    for (size_t i = 0; i < a->n_aliases; i++) {
        ck_assert_str_eq(a->aliases[i].name, b->aliases[i].name);
        ck_assert_int_eq(a->aliases[i].op_type, b->aliases[i].op_type);
    }
    ck_assert_uint_eq(a->n_nodes, b->n_nodes);
    for (size_t i = 0; i < a->n_nodes; i++) {
        ck_assert_int_eq(a->nodes[i].rank, b->nodes[i].rank);
        ck_assert_str_eq(a->nodes[i].node, b->nodes[i].node);
    }
    ck_assert_uint_eq(a->n_switches, b->n_switches);
    for (size_t i = 0; i < a->n_switches; i++)
        ck_assert_str_eq(a->switches[i], b->switches[i]);
    ck_assert_uint_eq(a->n_switched, b->n_switched);
    for (size_t i = 0; i < a->n_switched; i++) {
        ck_assert_str_eq(a->switched[i].node, b->switched[i].node);
        ck_assert_int_eq(a->switched[i].switch_code, b->switched[i].switch_code);
    }
    ck_assert_uint_eq(a->absent_ops, b->absent_ops);
}

static inline void assert_same_provenance(const struct hc_provenance *a,
                                          const struct hc_provenance *b)
{
    ck_assert_str_eq(a->source_path, b->source_path);
    ck_assert_int_eq(a->source_size, b->source_size);
    ck_assert_str_eq(a->source_sha256, b->source_sha256);
    ck_assert_str_eq(a->format, b->format);
    ck_assert_int_eq(a->format_version, b->format_version);
    ck_assert_str_eq(a->options, b->options);
    ck_assert_str_eq(a->tool_version, b->tool_version);
    ck_assert_int_eq(a->rows_read, b->rows_read);
    ck_assert_int_eq(a->rows_ignored, b->rows_ignored);
    ck_assert_mem_eq(a->bad, b->bad, sizeof a->bad);
}

/* A segment as an ingest of a small trace makes it. */
static inline char *write_small(const char *scratch)
{
    char *path = join(scratch, "small.h5");
    struct hc_segment_writer *writer = start_segment(path);
    append_made_up(writer, 500, 20, 7);
    finish_segment(writer);
    return path;
}

#endif
