#include "models/capacity/node_causes.h"

unsigned hc_capacity_causes(struct hc_node_state state)
{
    unsigned causes = 0;
    if (state.base == HC_NODE_DOWN || state.base == HC_NODE_ERROR || state.base == HC_NODE_FUTURE ||
        (state.flags & HC_NODE_NOT_RESPONDING))
        causes |= HC_CAUSE_DOWN;
    if (state.flags & (HC_NODE_DRAIN | HC_NODE_FAIL | HC_NODE_INVALID))
        causes |= HC_CAUSE_DRAINED;
    if (state.flags & (HC_NODE_MAINT | HC_NODE_REBOOT))
        causes |= HC_CAUSE_MAINTENANCE;
    if (state.flags & HC_NODE_RESERVED)
        causes |= HC_CAUSE_RESERVED;
    return causes;
}
