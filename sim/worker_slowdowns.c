#include "sim/whatif_analysis.h"

enum hc_status hc_worker_slowdowns_find(struct hc_whatif_analysis *analysis)
{
    (void)analysis;
    return HC_OK;
}
