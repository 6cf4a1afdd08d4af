/* rank_clocks.h - the clocks of ranks that were recorded into files of their own, each on the clock
 * of its host (docs/methods/rank-clocks.md).
 *
 * What ends for all at once tells how far two clocks are apart: a collective over all ranks, or
 * over the dp ranks of a stage. Stages that share no collective are tied by their first transfers
 * of each direction: none is received before it is sent, so each direction bounds the difference
 * from one side.
 *
 *     hc_rank_clocks_new(&clocks, n_files, err);
 *     hc_rank_clocks_add(clocks, file, ops, err);          // all batches of all files
 *     hc_rank_clocks_tie(clocks, err);
 *     start_ns -= hc_rank_clocks_offset(clocks, file, step);
 *
 * Offsets follow the clocks: each is the median over the 17 steps around. At most some 512 steps of
 * a file are kept for that (evenly spread, 72 bytes each), however long it is.
 */
#ifndef HC_MODELS_STEPS_RANK_CLOCKS_H
#define HC_MODELS_STEPS_RANK_CLOCKS_H

#include "core/base/status.h"
#include "core/tables/table.h"

#include <stddef.h>
#include <stdint.h>

struct hc_rank_clocks;

enum hc_status hc_rank_clocks_new(struct hc_rank_clocks **clocks, size_t n_files,
                                  struct hc_error *err);
void hc_rank_clocks_free(struct hc_rank_clocks *clocks);

/* A batch of rows (hc_ops_def) of one file, in any order. */
enum hc_status hc_rank_clocks_add(struct hc_rank_clocks *clocks, size_t file,
                                  const struct hc_table *ops, struct hc_error *err);

/* The clock of a file is that of a host, as long as no collective or transfer contradicts: then two
 * files of one host have no offset, and what their processes are late at the end of a collective is
 * not taken for one. host counts from 0. */
void hc_rank_clocks_set_host(struct hc_rank_clocks *clocks, size_t file, int32_t host);

/* After the last row: tie every clock to that of file 0, as far as anything ties them. */
enum hc_status hc_rank_clocks_tie(struct hc_rank_clocks *clocks, struct hc_error *err);

/* After tie: the clock of the file minus that of file 0 in a step, ns; 0 where nothing ties them.
 */
int64_t hc_rank_clocks_offset(const struct hc_rank_clocks *clocks, size_t file, int32_t step);

/* After tie: how many files nothing ties to file 0, and the largest offset of any file and step,
 * ns, without its sign. */
size_t hc_rank_clocks_n_untied(const struct hc_rank_clocks *clocks);
int64_t hc_rank_clocks_largest(const struct hc_rank_clocks *clocks);

#endif
