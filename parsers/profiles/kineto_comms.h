/* kineto_comms.h - what an event says of a collective, as a row of `comms`.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_KINETO_COMMS_H
#define HC_PARSERS_PROFILES_KINETO_COMMS_H

#include "parsers/profiles/kineto_args.h"
#include "parsers/profiles/kineto_rows.h"

/* Fill the columns of row that arguments tell: the operation and what follows it. */
enum hc_status hc_kineto_comm_fill(struct hc_kineto_rows *rows, const struct hc_kineto_args *args,
                                   size_t row, struct hc_error *err);

#endif
