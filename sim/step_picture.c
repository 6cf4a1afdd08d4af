#include "sim/whatif_analysis.h"

enum hc_status hc_step_picture_find(struct hc_whatif_analysis *analysis)
{
    (void)analysis;
    return HC_OK;
}
