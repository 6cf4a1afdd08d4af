/* account_cube.h - sums of slices by day and by what they are grouped by, in whole GPU-nanoseconds.
 *
 * A cube adds in any order and merges with another to the same sums, so that days, shards and
 * threads do not show.
 */
#ifndef HC_MODELS_ACCOUNT_TREE_ACCOUNT_CUBE_H
#define HC_MODELS_ACCOUNT_TREE_ACCOUNT_CUBE_H

#include "core/base/int_map.h"
#include "core/text/text_set.h"
#include "models/account/tree/slice.h"

enum hc_cube_dimension {
    HC_CUBE_ALL,
    HC_CUBE_USER,
    HC_CUBE_ACCOUNT,
    HC_CUBE_PARTITION,
    HC_CUBE_SIZE,
    HC_CUBE_RUN,
    HC_CUBE_NODE,
    HC_CUBE_CAUSE,
    HC_N_CUBE_DIMENSIONS
};

/* The finest that a cube tells apart: what, why, evidence and mark of a slice. */
#define HC_N_CUBE_CELLS (HC_WHAT_COUNT * HC_WHY_COUNT * HC_N_EVIDENCES * HC_N_MARKS)

struct hc_cube_cell {
    enum hc_what what;
    enum hc_why why;
    enum hc_failure_evidence evidence;
    enum hc_mark mark;
};

struct hc_account_cube {
    struct hc_text_set names[HC_N_CUBE_DIMENSIONS];
    struct hc_int_map of_key; /* day, dimension, name and cell to the place in sums */
    size_t room;
    hc_gpu_ns *sums;
};

/* Where a sum is added. */
struct hc_cube_place {
    int32_t day; /* from 0 */
    enum hc_cube_dimension dimension;
    int32_t name; /* code of the names of the dimension */
};

/* Code of a name; NULL is "?". HC_NO_MEMORY only. */
enum hc_status hc_cube_name(struct hc_account_cube *cube, enum hc_cube_dimension dimension,
                            const char *name, int32_t *code, struct hc_error *err);
/* Add GPU-time with the leaf of a slice. */
enum hc_status hc_cube_add(struct hc_account_cube *cube, const struct hc_cube_place *place,
                           const struct hc_slice *slice, hc_gpu_ns gpu_ns, struct hc_error *err);
/* The i-th sum: where it is, of what. i is below cube->of_key.n. */
hc_gpu_ns hc_cube_get(const struct hc_account_cube *cube, size_t i, struct hc_cube_place *place,
                      struct hc_cube_cell *cell);
/* Zeroed memory is an empty cube. */
void hc_cube_fini(struct hc_account_cube *cube);

/* "partition" */
const char *hc_cube_dimension_name(enum hc_cube_dimension dimension);

#endif
