#include "sim/whatif_analysis.h"

enum hc_status hc_shapley_find(struct hc_whatif_analysis *analysis)
{
    (void)analysis;
    return HC_OK;
}
