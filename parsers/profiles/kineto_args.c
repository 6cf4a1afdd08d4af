#include "parsers/profiles/kineto_args.h"

#include "core/base/missing.h"

#include <string.h>

#define KEY(text) text, sizeof text - 1

static const struct {
    const char *text;
    size_t length;
    enum hc_kineto_arg arg;
} keys[] = {
    {KEY("correlation"), HC_ARG_CORRELATION},
    {KEY("stream"), HC_ARG_STREAM},
    {KEY("device"), HC_ARG_DEVICE},
    {KEY("bytes"), HC_ARG_BYTES},
    {KEY("cuda_sync_kind"), HC_ARG_SYNC_KIND},
    {KEY("wait_on_stream"), HC_ARG_WAIT_ON_STREAM},
    {KEY("wait_on_cuda_event_record_corr_id"), HC_ARG_RECORD_CORRELATION},
    {KEY("Collective name"), HC_ARG_COLLECTIVE},
    {KEY("Process Group Name"), HC_ARG_GROUP},
    {KEY("Process Group Description"), HC_ARG_DESCRIPTION},
    {KEY("Group size"), HC_ARG_GROUP_SIZE},
    {KEY("In msg nelems"), HC_ARG_IN_ELEMENTS},
    {KEY("Out msg nelems"), HC_ARG_OUT_ELEMENTS},
    {KEY("dtype"), HC_ARG_DTYPE},
    {KEY("Global rank start"), HC_ARG_RANK_START},
    {KEY("Global rank stride"), HC_ARG_RANK_STRIDE},
    {KEY("Src Rank"), HC_ARG_SOURCE_RANK},
    {KEY("Dst Rank"), HC_ARG_DESTINATION_RANK},
    {KEY("Seq"), HC_ARG_SEQ},
};

/* The index of an argument, or HC_ARG_N. First letters and lengths tell nearly all others apart. */
static enum hc_kineto_arg arg_of(const struct hc_trace_value *key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].length == key->length && keys[i].text[0] == key->text[0] &&
            memcmp(keys[i].text, key->text, key->length) == 0)
            return keys[i].arg;
    return HC_ARG_N;
}

bool hc_kineto_args_read(struct hc_kineto_args *args, const struct hc_trace_value *object)
{
    struct hc_trace_value key, value;
    memset(args, 0, sizeof *args);
    if (object->kind != HC_TRACE_OTHER || *object->text != '{')
        return true;
    const char *at = object->text + 1, *end = object->text + object->length;
    while (hc_kineto_next_arg(&at, end, &key, &value)) {
        enum hc_kineto_arg arg = key.length ? arg_of(&key) : HC_ARG_N;
        if (arg != HC_ARG_N)
            args->value[arg] = value;
    }
    return at;
}

int64_t hc_kineto_arg_i64(const struct hc_kineto_args *args, enum hc_kineto_arg arg)
{
    int64_t number = 0;
    return hc_trace_i64(&args->value[arg], &number) ? number : HC_MISSING_I64;
}

int32_t hc_kineto_value_i32(const struct hc_trace_value *value)
{
    int64_t number = 0;
    return hc_trace_i64(value, &number) && number == (int32_t)number ? (int32_t)number
                                                                     : HC_MISSING_I32;
}

int32_t hc_kineto_arg_i32(const struct hc_kineto_args *args, enum hc_kineto_arg arg)
{
    return hc_kineto_value_i32(&args->value[arg]);
}
