/* kineto_args.h - the arguments of an event that a profile keeps.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_KINETO_ARGS_H
#define HC_PARSERS_PROFILES_KINETO_ARGS_H

#include "parsers/profiles/kineto_event.h"

enum hc_kineto_arg {
    HC_ARG_CORRELATION,
    HC_ARG_STREAM,
    HC_ARG_DEVICE,
    HC_ARG_BYTES,
    HC_ARG_SYNC_KIND,
    HC_ARG_WAIT_ON_STREAM,
    HC_ARG_RECORD_CORRELATION,
    HC_ARG_COLLECTIVE,
    HC_ARG_GROUP,
    HC_ARG_DESCRIPTION,
    HC_ARG_GROUP_SIZE,
    HC_ARG_IN_ELEMENTS,
    HC_ARG_OUT_ELEMENTS,
    HC_ARG_DTYPE,
    HC_ARG_RANK_START,
    HC_ARG_RANK_STRIDE,
    HC_ARG_SOURCE_RANK,
    HC_ARG_DESTINATION_RANK,
    HC_ARG_SEQ,
    HC_ARG_N
};

struct hc_kineto_args {
    struct hc_trace_value value[HC_ARG_N];
};

/* Find them in the object; absent where there is none. False where it is no JSON. */
bool hc_kineto_args_read(struct hc_kineto_args *args, const struct hc_trace_value *object);

/* As whole numbers, also of strings; missing where they are absent or no such number. */
int64_t hc_kineto_arg_i64(const struct hc_kineto_args *args, enum hc_kineto_arg arg);
int32_t hc_kineto_arg_i32(const struct hc_kineto_args *args, enum hc_kineto_arg arg);

/* The same of any value. */
int32_t hc_kineto_value_i32(const struct hc_trace_value *value);

#endif
