/* startup_nodes.h - nodes that hold up starts again and again. Private to this wing. */
#ifndef HC_MODELS_ACCOUNT_STARTUP_STARTUP_NODES_H
#define HC_MODELS_ACCOUNT_STARTUP_STARTUP_NODES_H

#include "models/account/startup/startup_result.h"

/* Fill the nodes of the result. A node's slow times are binomial where all nodes are alike, at the
 * rate of the others, (slow + 1/2) / (times + 1): the chance of as many or more, times the number
 * of nodes that are looked at, bounds the chance that any is called slow by mistake. */
enum hc_status hc_startup_nodes_make(struct hc_startup_result *result,
                                     const struct hc_startup_input *input, struct hc_error *err);

#endif
