/* census_data.h - the census itself, for the two files that count rows and compare what was
 * counted. Private to this wing.
 */
#ifndef HC_MODELS_STEPS_CENSUS_DATA_H
#define HC_MODELS_STEPS_CENSUS_DATA_H

#include "core/base/int_map.h"
#include "models/steps/census.h"

#include <stddef.h>
#include <stdint.h>

#define HC_CENSUS_WORD_BITS 64

/* Which ops one (step, dp rank) has. */
struct hc_census_cell {
    uint64_t *bits; /* by op index */
    uint32_t n_words;
    uint32_t n_rows;
    int32_t dp_rank;
};

/* The cells of a step: only the dp ranks that it has, so that a stray dp rank of a billion costs no
 * memory. Ascending by dp rank after hc_census_finish. */
struct hc_step_cells {
    size_t n_cells, capacity;
    struct hc_census_cell *cells;
};

struct hc_census {
    struct hc_int_map op_map; /* key of an op -> its index (the entry itself) */
    size_t n_ops, ops_capacity, next_capacity;
    struct hc_census_op *ops;
    int32_t *next; /* by op: the op that followed it last time, the first guess for the next row */

    struct hc_int_map step_map; /* step -> entry */
    size_t n_steps, steps_capacity, cells_capacity;
    struct hc_census_step *steps;
    struct hc_step_cells *cells;
    struct hc_int_map cell_map; /* (step index, dp rank) -> index among the cells of the step */
    struct hc_int_map dp_map;   /* dp ranks seen */

    struct hc_int_map worker_map; /* (dp rank, stage) -> rank */
    struct hc_int_map rank_map;   /* rank -> entry of worker_map */
    int32_t dp_size, n_stages;
    int64_t n_rows, n_duplicates;
    uint32_t max_step_ops; /* rows of a cell */
    int64_t n_words;       /* of all cells and structures */

    size_t n_structures, structures_capacity;
    uint64_t **structures; /* bits of all ops known after the last row */
};

/* Account for n_words more of bits. HC_BAD_INPUT when they are more than real steps need. */
enum hc_status hc_census_charge(struct hc_census *census, size_t n_words, struct hc_error *err);

/* "forward-compute seq 3, stage 1" into text. */
void hc_census_describe(char *text, size_t size, const struct hc_census_op *op);

#endif
