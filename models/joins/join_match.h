/* join_match.h - which attempt each cycle, line and timeline of a log is of, by the candidates that
 * join_logs.h found. */
#ifndef HC_MODELS_JOINS_JOIN_MATCH_H
#define HC_MODELS_JOINS_JOIN_MATCH_H

#include "models/joins/joins.h"

/* After the last attempt: join each cycle, and tell how far the clocks are apart. */
void hc_joins_match(struct hc_joins *joins);

#endif
