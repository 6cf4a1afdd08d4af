#include "sim/lifetime/backup_placement.h"

int64_t hc_backup_ranks(const struct hc_backup_shape *shape)
{
    int64_t ranks = 1;
    for (int i = 0; i < HC_PARALLEL_COUNT; i++)
        ranks *= shape->size[i];
    return ranks;
}

/* Whether copies share no group with their owners: at least two dimensions are above 1. */
static bool crosses_groups(const struct hc_backup_shape *shape)
{
    int above = 0;
    for (int i = 0; i < HC_PARALLEL_COUNT; i++)
        above += shape->size[i] > 1;
    return above >= 2;
}

/* Half way round in pp and dp, which are spread over machines; in tp where one of these is 1. */
static bool moves(const struct hc_backup_shape *shape, int dimension)
{
    const int32_t *size = shape->size;
    return size[dimension] > 1 &&
           (dimension != HC_PARALLEL_TP || size[HC_PARALLEL_DP] == 1 || size[HC_PARALLEL_PP] == 1);
}

int64_t hc_backup_rank(const struct hc_backup_shape *shape, int64_t rank)
{
    int64_t ranks = hc_backup_ranks(shape), to = 0, stride = 1;
    if (!crosses_groups(shape))
        return (rank + (shape->ranks_per_machine < ranks ? shape->ranks_per_machine : 1)) % ranks;
    for (int i = 0; i < HC_PARALLEL_COUNT; i++) {
        int64_t size = shape->size[i], at = rank % size;
        if (moves(shape, i))
            at = (at + size / 2) % size;
        to += at * stride;
        stride *= size;
        rank /= size;
    }
    return to;
}
