/* whatif_split_text.h - the decompositions of a straggler what-if as one text table.
 * Private to this wing. */
#ifndef HC_REPORTS_WHATIF_WHATIF_SPLIT_TEXT_H
#define HC_REPORTS_WHATIF_WHATIF_SPLIT_TEXT_H

#include "core/base/status.h"
#include "sim/whatif/whatif.h"

#include <stdio.h>

/* Write the slowdowns by op type, by stage and by dp rank side by side, each largest first, the
 * last two cut to the first few. Fails when memory is short. */
enum hc_status hc_whatif_write_split_table(FILE *stream,
                                           const struct hc_split splits[HC_N_PARTITIONS],
                                           struct hc_error *err);

#endif
