/* plan_graph.h - the graph of a step with another plan: the rules of measured steps over its ops
 * (hc_step_graph_derive), then without the fillers that those rules need.
 * Private to this wing.
 */
#ifndef HC_SIM_REARRANGE_PLAN_GRAPH_H
#define HC_SIM_REARRANGE_PLAN_GRAPH_H

#include "sim/rearrange/planned_ops.h"

/* Ops of the graph are those of planned, in order; fillers are taken out of both. */
enum hc_status hc_plan_graph_make(struct hc_step_graph *graph, struct hc_planned_ops *planned,
                                  const struct hc_graph_options *options, struct hc_error *err);

#endif
