/* segment.h - one immutable HDF5 file of the archive: the tables of one ingested source.
 *
 * Layout (docs/formats/archive.md): a group per table, a 1-D dataset per column, chunks of
 * min(rows, 262,144) values, shuffle + deflate 1 + Fletcher32. Chunks are written directly
 * (H5Dwrite_chunk) and decoded with libdeflate in OpenMP threads; the Fletcher32 sum and the filter
 * mask are verified here. Reading is without HDF5 altogether (store/objects/object_header.h).
 */
#ifndef HC_STORE_SEGMENT_SEGMENT_H
#define HC_STORE_SEGMENT_SEGMENT_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "core/tables/table_counts.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stdint.h>

/* The minor version of a segment is the highest of those of its tables (struct hc_table_def). */
#define HC_SEGMENT_SCHEMA_MAJOR 1
#define HC_SEGMENT_CHUNK_ROWS   262144

/* Where the contents of a segment came from. Strings are owned. */
struct hc_provenance {
    /* Name of the main table, which says what the segment is of: "ops". NULL before it is written:
     * the first by name of its tables. */
    char *table;
    char *source_path; /* absolute, or "standard input" */
    int64_t source_size;
    char source_sha256[HC_DIGEST_TEXT];
    char *format; /* name of the parser */
    int32_t format_version;
    char *options; /* canonical text of the options that change what is read, "" when default */
    char *tool_version;
    int64_t rows_read, rows_ignored;
    int64_t bad[HC_N_BAD_REASONS];
};

void hc_provenance_fini(struct hc_provenance *provenance);

/* ---- writing ---- */

struct hc_segment_writer;

/* Start a segment in the file at path, which is emptied if it is there: the archive has made it,
 * and holds a lock on it. Job and provenance are written by hc_segment_writer_close. is_small: it
 * is one of many that are small, and its file gets by with less room for the index of chunks. */
enum hc_status hc_segment_writer_open(struct hc_segment_writer **writer, const char *path,
                                      bool is_small, struct hc_error *err);

/* Before the first row: chunks have so many rows at most, in place of HC_SEGMENT_CHUNK_ROWS; fewer,
 * where who reads holds several chunks at once. */
void hc_segment_writer_set_chunk(struct hc_segment_writer *writer, size_t most_rows);

/* Append the rows of table to its group, which the first call for its def creates. Rows are kept in
 * the order of the calls; memory is bounded by one chunk a column and table. */
enum hc_status hc_segment_writer_append(struct hc_segment_writer *writer,
                                        const struct hc_table *table, struct hc_error *err);

/* The same of a table that is given away, and empty afterwards: the first of its def, if it fits
 * into a chunk, is written from where it is, without a copy. */
enum hc_status hc_segment_writer_take(struct hc_segment_writer *writer, struct hc_table *table,
                                      struct hc_error *err);

/* The texts behind the codes of every column that names this dictionary, for tables that are
 * appended from now on; written by close, until when the set must stay. It may grow meanwhile. */
enum hc_status hc_segment_writer_names(struct hc_segment_writer *writer, const char *dictionary,
                                       const struct hc_text_set *set, struct hc_error *err);

/* The rows of each table so far. counts holds nothing; on failure it still does. */
enum hc_status hc_segment_writer_counts(const struct hc_segment_writer *writer,
                                        struct hc_table_counts *counts, struct hc_error *err);

/* Write what is left, the dictionaries, job and provenance; close. The file survives a crash once
 * the caller has synced it. The writer is freed whatever the result; on failure the file is
 * removed. */
enum hc_status hc_segment_writer_close(struct hc_segment_writer *writer, const struct hc_job *job,
                                       const struct hc_provenance *provenance,
                                       struct hc_error *err);

/* Give up: close and remove the file. writer may be NULL. */
void hc_segment_writer_abort(struct hc_segment_writer *writer);

/* ---- reading ---- */

struct hc_segment;

/* Open for reading: schema version, job and provenance are read and checked; no data. HC_IO when
 * the system refuses to read, HC_BAD_INPUT when what it read is not a whole segment (or no regular
 * file), HC_INTERNAL when there is no memory: only the second says anything about the file. The
 * descriptor is the segment's from now on: closed with it, and on failure. name is what messages
 * call it. */
enum hc_status hc_segment_open(struct hc_segment **segment, int fd, const char *name,
                               struct hc_error *err);
void hc_segment_close(struct hc_segment *segment);

const struct hc_job *hc_segment_job(const struct hc_segment *segment);
const struct hc_provenance *hc_segment_provenance(const struct hc_segment *segment);

/* All tables of the segment. */
const struct hc_table_counts *hc_segment_tables(const struct hc_segment *segment);

/* Rows of a table; 0 when the segment has no such table. */
int64_t hc_segment_n_rows(const struct hc_segment *segment, const struct hc_table_def *def);

/* Rows per chunk of a table (what one hc_segment_read call returns at most). */
int64_t hc_segment_chunk_rows(const struct hc_segment *segment, const struct hc_table_def *def);

/* The columns of a table of the segment beside those of def: the same; some that def has are not
 * there, since the segment is older; some are there that def does not have, since it is newer. */
enum hc_segment_fit { HC_SEGMENT_FITS, HC_SEGMENT_LACKS, HC_SEGMENT_HAS_MORE };
enum hc_segment_fit hc_segment_fit(const struct hc_segment *segment,
                                   const struct hc_table_def *def);

/* Replace the contents of table by chunk number chunk (from 0) of its columns selected in
 * column_mask (bit i = def->columns[i]; others are left unspecified). table needs the capacity of a
 * chunk. Codes of a dictionary column are translated to the values of this version (op_type: enum
 * hc_op_type). A column that an older minor schema lacks reads as missing. Checksums are verified.
 * Fails naming file, dataset and chunk. */
enum hc_status hc_segment_read(struct hc_segment *segment, const struct hc_table_def *def,
                               uint64_t column_mask, int64_t chunk, struct hc_table *table,
                               struct hc_error *err);

/* Add the texts of a dictionary to an empty set, so that codes agree; nothing when the segment has
 * no such dictionary. HC_BAD_INPUT when a text is there twice. */
enum hc_status hc_segment_names(struct hc_segment *segment, const char *dictionary,
                                struct hc_text_set *set, struct hc_error *err);

/* Read everything in the segment and verify it: schema, every chunk's checksum and size, every
 * dictionary code. The descriptor is closed. */
enum hc_status hc_segment_verify(int fd, const char *name, struct hc_error *err);

/* Stored and raw bytes of all columns of a table, for `show`. */
enum hc_status hc_segment_sizes(struct hc_segment *segment, const struct hc_table_def *def,
                                int64_t *stored, int64_t *raw, struct hc_error *err);

#endif
