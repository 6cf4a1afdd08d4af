#include "models/joins/joins.h"

#include "core/base/missing.h"
#include "models/joins/join_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_HOUR 3600e9

double hc_join_cycle_gpu_hours(const struct hc_join_cycle *cycle)
{
    if (cycle->world_size == HC_MISSING_I32 || cycle->start_ns == HC_MISSING_I64 ||
        cycle->end_ns == HC_MISSING_I64)
        return NAN;
    return (double)cycle->world_size * (double)(cycle->end_ns - cycle->start_ns) / NS_PER_HOUR;
}

const char *hc_join_method_name(enum hc_join_method method)
{
    static const char *const names[HC_N_JOIN_METHODS] = {
        [HC_JOIN_PATH] = "path", [HC_JOIN_WORK_DIR] = "work_dir", [HC_JOIN_NUMBER] = "number"};
    return names[method];
}

const char *hc_join_failure_name(enum hc_join_failure failure)
{
    static const char *const names[HC_N_JOIN_FAILURES] = {[HC_JOINED] = "joined",
                                                          [HC_JOIN_NO_ATTEMPT] = "no_attempt",
                                                          [HC_JOIN_SEVERAL] = "several",
                                                          [HC_JOIN_NOT_THEN] = "not_then",
                                                          [HC_JOIN_RELATIVE] = "relative"};
    return names[failure];
}

const char *hc_run_rule_name(enum hc_run_rule rule)
{
    static const char *const names[HC_N_RUN_RULES] = {
        [HC_RUN_BY_SITE] = "site", [HC_RUN_BY_LINEAGE] = "lineage", [HC_RUN_BY_JOB] = "job"};
    return names[rule];
}

enum hc_status hc_joins_text(struct hc_joins *joins, const char *text, int32_t *code,
                             struct hc_error *err)
{
    *code = HC_MISSING_I32;
    return text ? hc_text_set_add(&joins->texts, text, strlen(text), code, err) : HC_OK;
}

const char *hc_joins_find_text(const struct hc_joins *joins, int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : joins->texts.text[code];
}

void hc_joins_fini(struct hc_joins *joins)
{
    hc_join_index_free(joins->index);
    hc_text_set_fini(&joins->texts);
    hc_int_map_fini(&joins->log_of_id);
    free(joins->attempts);
    free(joins->logs);
    free(joins->cycles);
    free(joins->facts);
    free(joins->timelines);
    free(joins->saves);
    free(joins->candidates);
    free(joins->runs);
    *joins = (struct hc_joins){0};
}
