#include "parsers/profiles/kineto_comms.h"

#include "core/text/collective_op.h"

#include <string.h>

static enum hc_status fill_name(struct hc_trace_names *names, const struct hc_trace_value *value,
                                int32_t *code, struct hc_error *err)
{
    *code = HC_MISSING_I32;
    if (value->kind != HC_TRACE_STRING && value->kind != HC_TRACE_LITERAL)
        return HC_OK;
    return hc_trace_name_code(names, value, code, err);
}

/* The operation, and whether it is between two ranks; both missing where it is not said. */
static enum hc_status fill_op(struct hc_kineto_rows *rows, const struct hc_trace_value *value,
                              size_t row, struct hc_error *err)
{
    struct hc_table *comms = &rows->tables[HC_PROFILE_COMMS];
    char op[HC_COLLECTIVE_OP];
    hc_table_i32(comms, HC_COMMS_OP)[row] = HC_MISSING_I32;
    hc_table_i32(comms, HC_COMMS_IS_P2P)[row] = HC_MISSING_I32;
    if (value->kind != HC_TRACE_STRING || value->length == 0)
        return HC_OK;
    hc_collective_op(op, value->text, value->length);
    hc_table_i32(comms, HC_COMMS_IS_P2P)[row] = hc_collective_op_is_p2p(op);
    const struct hc_trace_value canonical = {HC_TRACE_STRING, false, (uint32_t)strlen(op), op};
    return fill_name(&rows->collective, &canonical, &hc_table_i32(comms, HC_COMMS_OP)[row], err);
}

enum hc_status hc_kineto_comm_fill(struct hc_kineto_rows *rows, const struct hc_kineto_args *args,
                                   size_t row, struct hc_error *err)
{
    static const struct {
        enum hc_comms_column column;
        enum hc_kineto_arg arg;
    } numbers[] = {
        {HC_COMMS_GROUP_SIZE, HC_ARG_GROUP_SIZE},
        {HC_COMMS_IN_ELEMENTS, HC_ARG_IN_ELEMENTS},
        {HC_COMMS_OUT_ELEMENTS, HC_ARG_OUT_ELEMENTS},
        {HC_COMMS_RANK_START, HC_ARG_RANK_START},
        {HC_COMMS_RANK_STRIDE, HC_ARG_RANK_STRIDE},
        {HC_COMMS_SOURCE_RANK, HC_ARG_SOURCE_RANK},
        {HC_COMMS_DESTINATION_RANK, HC_ARG_DESTINATION_RANK},
        {HC_COMMS_SEQ, HC_ARG_SEQ},
    };
    struct hc_table *comms = &rows->tables[HC_PROFILE_COMMS];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t column = numbers[i].column;
        if (hc_comms_def.columns[column].type == HC_I64)
            hc_table_i64(comms, column)[row] = hc_kineto_arg_i64(args, numbers[i].arg);
        else
            hc_table_i32(comms, column)[row] = hc_kineto_arg_i32(args, numbers[i].arg);
    }
    if (fill_op(rows, &args->value[HC_ARG_COLLECTIVE], row, err) ||
        fill_name(&rows->group, &args->value[HC_ARG_GROUP],
                  &hc_table_i32(comms, HC_COMMS_GROUP)[row], err) ||
        fill_name(&rows->description, &args->value[HC_ARG_DESCRIPTION],
                  &hc_table_i32(comms, HC_COMMS_DESCRIPTION)[row], err))
        return err->status;
    return fill_name(&rows->dtype, &args->value[HC_ARG_DTYPE],
                     &hc_table_i32(comms, HC_COMMS_DTYPE)[row], err);
}
