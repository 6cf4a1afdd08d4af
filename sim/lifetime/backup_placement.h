/* backup_placement.h - which rank keeps the copy of which rank's state.
 *
 * Ranks are numbered tp first, then dp, then pp, as Megatron does: rank = tp + TP * (dp + DP * pp).
 * A group is all ranks that differ in one of the three only. ByteRobust (arXiv 2509.16293) puts
 * each copy on a rank that shares no group with its owner, so that no single group holds both; that
 * is, on one that differs in at least two of the three. The example there is TP 2, PP 4, DP 2:
 * ranks 8 and 9 and ranks 2 and 3 keep each other's. Ours goes half way round in two dimensions,
 * which gives the same pairs; how the paper chooses among all that are allowed, it does not say.
 *
 * With one dimension above 1 (ZeRO only, TP only, PP only) all ranks are one group: no placement
 * survives its eviction, which is that of the whole job. The copy is then on the neighbour machine.
 */
#ifndef HC_SIM_LIFETIME_BACKUP_PLACEMENT_H
#define HC_SIM_LIFETIME_BACKUP_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

enum hc_parallel { HC_PARALLEL_TP, HC_PARALLEL_DP, HC_PARALLEL_PP, HC_PARALLEL_COUNT };

struct hc_backup_shape {
    int32_t size[HC_PARALLEL_COUNT]; /* enum hc_parallel, each at least 1 */
    int32_t ranks_per_machine;       /* of the fallback, at least 1 */
};

int64_t hc_backup_ranks(const struct hc_backup_shape *shape);

/* The rank that keeps the copy of this one; each rank keeps one. Its own where there is no other.
 */
int64_t hc_backup_rank(const struct hc_backup_shape *shape, int64_t rank);

#endif
