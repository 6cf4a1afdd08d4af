#include "models/account/tree/account_cube.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A key has the day in its highest 16 bits, then 4 of the dimension, 32 of the name and 12 of the
 * cell. */
_Static_assert(HC_N_CUBE_CELLS <= 1 << 12, "a cell has 12 bits");

const char *hc_cube_dimension_name(enum hc_cube_dimension dimension)
{
    static const char *const names[HC_N_CUBE_DIMENSIONS] = {"all",  "user", "account", "partition",
                                                            "size", "run",  "node",    "cause"};
    return names[dimension];
}

enum hc_status hc_cube_name(struct hc_account_cube *cube, enum hc_cube_dimension dimension,
                            const char *name, int32_t *code, struct hc_error *err)
{
    const char *text = name ? name : "?";
    return hc_text_set_add(&cube->names[dimension], text, strlen(text), code, err);
}

static uint64_t cell_of(const struct hc_slice *slice)
{
    return (((uint64_t)slice->what * HC_WHY_COUNT + slice->why) * HC_N_EVIDENCES +
            slice->evidence) *
               HC_N_MARKS +
           slice->mark;
}

enum hc_status hc_cube_add(struct hc_account_cube *cube, const struct hc_cube_place *place,
                           const struct hc_slice *slice, hc_gpu_ns gpu_ns, struct hc_error *err)
{
    uint64_t key = (uint64_t)place->day << 48 | (uint64_t)place->dimension << 44 |
                   (uint64_t)(uint32_t)place->name << 12 | cell_of(slice);
    size_t entry, n = cube->of_key.n;
    if (hc_int_map_insert(&cube->of_key, key, 0, &entry, err))
        return err->status;
    if (entry == n) {
        if (hc_reserve(&cube->sums, &cube->room, n + 1, sizeof *cube->sums, err))
            return err->status;
        cube->sums[entry] = 0;
    }
    cube->sums[entry] += gpu_ns;
    return HC_OK;
}

hc_gpu_ns hc_cube_get(const struct hc_account_cube *cube, size_t i, struct hc_cube_place *place,
                      struct hc_cube_cell *cell)
{
    uint64_t key = cube->of_key.keys[i], of_cell = key & 0xfff;
    *place = (struct hc_cube_place){.day = (int32_t)(key >> 48),
                                    .dimension = (enum hc_cube_dimension)(key >> 44 & 0xf),
                                    .name = (int32_t)(key >> 12 & 0xffffffff)};
    *cell = (struct hc_cube_cell){
        .what = (enum hc_what)(of_cell / HC_N_MARKS / HC_N_EVIDENCES / HC_WHY_COUNT),
        .why = (enum hc_why)(of_cell / HC_N_MARKS / HC_N_EVIDENCES % HC_WHY_COUNT),
        .evidence = (enum hc_failure_evidence)(of_cell / HC_N_MARKS % HC_N_EVIDENCES),
        .mark = (enum hc_mark)(of_cell % HC_N_MARKS)};
    return cube->sums[i];
}

void hc_cube_fini(struct hc_account_cube *cube)
{
    for (int i = 0; i < HC_N_CUBE_DIMENSIONS; i++)
        hc_text_set_fini(&cube->names[i]);
    hc_int_map_fini(&cube->of_key);
    free(cube->sums);
    *cube = (struct hc_account_cube){0};
}
