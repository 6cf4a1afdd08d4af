#include "parsers/steps/step_rows.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000LL
#define BLOCK    1024

/* What an integer field may hold. */
static const struct {
    const char *name;
    int64_t least;
    bool optional; /* may be null, and -1 is "none" */
} int_fields[HC_N_INT_FIELDS] = {
    [HC_FIELD_DP_RANK] = {"dp_rank", 0, false}, [HC_FIELD_STAGE] = {"stage", 0, false},
    [HC_FIELD_RANK] = {"rank", 0, false},       [HC_FIELD_STEP] = {"step", 0, false},
    [HC_FIELD_SEQ_ID] = {"seq_id", 0, false},   [HC_FIELD_MC] = {"mc", -1, true},
    [HC_FIELD_MB_ID] = {"mb_id", -1, true},     [HC_FIELD_GMC] = {"gmc", -1, true},
};

static const enum hc_ops_column ops_column_of[HC_N_INT_FIELDS] = {
    [HC_FIELD_DP_RANK] = HC_OPS_DP_RANK,  [HC_FIELD_STAGE] = HC_OPS_STAGE,
    [HC_FIELD_RANK] = HC_OPS_RANK,        [HC_FIELD_STEP] = HC_OPS_STEP,
    [HC_FIELD_SEQ_ID] = HC_OPS_SEQ_ID,    [HC_FIELD_MC] = HC_OPS_MODEL_CHUNK,
    [HC_FIELD_MB_ID] = HC_OPS_MICROBATCH, [HC_FIELD_GMC] = HC_OPS_GLOBAL_CHUNK,
};

const char *hc_step_field_name(enum hc_step_field field)
{
    switch (field) {
    case HC_FIELD_OPTYPE:
        return "optype";
    case HC_FIELD_START_TS:
        return "start_ts";
    case HC_FIELD_DURATION:
        return "duration";
    default:
        return int_fields[field].name;
    }
}

int hc_step_field_find(const char *name, size_t length)
{
    for (int field = 0; field < HC_N_STEP_FIELDS; field++) {
        const char *known = hc_step_field_name(field);
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return field;
    }
    return -1;
}

/* Put the names of the fields seen `doubled ? more than once : never` into list; returns how many.
 */
static int list_fields(const int found[HC_N_STEP_FIELDS], bool doubled, char *list, size_t size)
{
    int n = 0;
    size_t used = 0;
    list[0] = '\0';
    for (int field = 0; field < HC_N_STEP_FIELDS; field++) {
        if (doubled ? found[field] < 2 : found[field] != 0)
            continue;
        used += (size_t)snprintf(list + used, size - used, "%s'%s'", n ? ", " : "",
                                 hc_step_field_name(field));
        n++;
    }
    return n;
}

enum hc_status hc_step_fields_check(const int found[HC_N_STEP_FIELDS], const char *name,
                                    struct hc_error *err)
{
    char missing[256], doubled[256]; /* room for all names */
    int n_missing = list_fields(found, false, missing, sizeof missing);
    int n_doubled = list_fields(found, true, doubled, sizeof doubled);
    if (n_missing == HC_N_STEP_FIELDS)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has none of the columns of a step timeline: name them %s", name,
                       missing);
    if (n_missing && n_doubled)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' lacks the columns %s and has %s more than once; all eleven must be "
                       "there once",
                       name, missing, doubled);
    if (n_missing)
        return hc_fail(err, HC_BAD_INPUT, "'%s' lacks the column%s %s; all eleven must be there",
                       name, n_missing > 1 ? "s" : "", missing);
    if (n_doubled)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has the column%s %s more than once; remove all but one", name,
                       n_doubled > 1 ? "s" : "", doubled);
    return HC_OK;
}

enum hc_status hc_step_raw_init(struct hc_step_raw *raw, size_t capacity, struct hc_error *err)
{
    memset(raw, 0, sizeof *raw);
    raw->first_place = 1;
    raw->place_word = "row";
    bool whole = true;
    for (int field = 0; field < HC_N_INT_FIELDS && whole; field++)
        whole = (raw->ints[field] = hc_new_array(capacity, sizeof(int64_t), err)) != NULL;
    whole = whole && (raw->op_type = hc_new_array(capacity, sizeof(int32_t), err)) &&
            (raw->start_ns = hc_new_array(capacity, sizeof(int64_t), err)) &&
            (raw->duration_ns = hc_new_array(capacity, sizeof(int64_t), err)) &&
            (raw->start_flag = hc_new_array(capacity, 1, err)) &&
            (raw->duration_flag = hc_new_array(capacity, 1, err)) &&
            (raw->is_bad = hc_new_array(capacity, 1, err));
    if (whole)
        return HC_OK;
    hc_step_raw_fini(raw);
    return err->status;
}

void hc_step_raw_fini(struct hc_step_raw *raw)
{
    for (int field = 0; field < HC_N_INT_FIELDS; field++)
        free(raw->ints[field]);
    free(raw->place);
    free(raw->op_type);
    free(raw->start_ns);
    free(raw->duration_ns);
    free(raw->start_flag);
    free(raw->duration_flag);
    free(raw->is_bad);
    memset(raw, 0, sizeof *raw);
}

/* One call of hc_step_rows_append. */
struct append {
    const struct hc_step_raw *raw;
    const struct hc_source *source;
    struct hc_table *ops;
    struct hc_row_report *report;
    int64_t most[HC_N_INT_FIELDS]; /* above it: a size that the metadata contradicts, or no int32 */
    int32_t dp_size, pp_size;
};

/* Mark the rows [from, from + n) that need a closer look; returns whether there is any. The loops
 * are plain so that the compiler vectorises them. */
static bool mark_suspects(const struct append *a, size_t from, size_t n, uint8_t *suspect)
{
    const struct hc_step_raw *raw = a->raw;
    for (size_t i = 0; i < n; i++) {
        int64_t start = raw->start_ns[from + i], duration = raw->duration_ns[from + i];
        int odd =
            (raw->start_flag[from + i] | raw->duration_flag[from + i] | raw->is_bad[from + i]) != 0;
        odd |= (raw->op_type[from + i] < 0) | (duration < 0) | (duration > HC_OPS_TIME_LIMIT);
        odd |= (start < -HC_OPS_TIME_LIMIT) | (start > HC_OPS_TIME_LIMIT - (duration & INT64_MAX));
        suspect[i] = (uint8_t)odd;
    }
    for (int field = 0; field < HC_N_INT_FIELDS; field++) {
        const int64_t *values = raw->ints[field] + from;
        int64_t least = int_fields[field].least, most = a->most[field];
        for (size_t i = 0; i < n; i++)
            suspect[i] |= (uint8_t)((values[i] < least) | (values[i] > most));
    }
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= suspect[i];
    return any != 0;
}

static void append_all(const struct append *a, size_t from, size_t n)
{
    size_t at = a->ops->n_rows;
    for (int field = 0; field < HC_N_INT_FIELDS; field++) {
        const int64_t *values = a->raw->ints[field] + from;
        int32_t *to = hc_table_i32(a->ops, ops_column_of[field]) + at;
        if (int_fields[field].optional)
            for (size_t i = 0; i < n; i++)
                to[i] = values[i] < 0 ? HC_MISSING_I32 : (int32_t)values[i];
        else
            for (size_t i = 0; i < n; i++)
                to[i] = (int32_t)values[i];
    }
    memcpy(hc_table_i32(a->ops, HC_OPS_OP_TYPE) + at, a->raw->op_type + from, n * sizeof(int32_t));
    memcpy(hc_table_i64(a->ops, HC_OPS_START_NS) + at, a->raw->start_ns + from,
           n * sizeof(int64_t));
    memcpy(hc_table_i64(a->ops, HC_OPS_DURATION_NS) + at, a->raw->duration_ns + from,
           n * sizeof(int64_t));
    a->ops->n_rows += n;
}

static long long place_of(const struct hc_step_raw *raw, size_t i)
{
    return raw->place ? raw->place[i] : raw->first_place + (int64_t)i;
}

/* Seconds with nine decimals, for messages. */
static void format_seconds(int64_t ns, char text[32])
{
    uint64_t magnitude = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    snprintf(text, 32, "%s%llu.%09llu", ns < 0 ? "-" : "",
             (unsigned long long)(magnitude / NS_PER_S),
             (unsigned long long)(magnitude % NS_PER_S));
}

static enum hc_status outside_metadata(const struct append *a, size_t i, enum hc_step_field field,
                                       const char *key, int32_t size, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': %s %lld: %s %lld is outside what the metadata says (%s %d); correct the "
                   "metadata, or name the file that belongs to this trace",
                   a->source->name, a->raw->place_word, place_of(a->raw, i),
                   hc_step_field_name(field), (long long)a->raw->ints[field][i], key, size);
}

/* Refuse the whole timeline for what no profiler records (infinite times, negative durations), and
 * for dp ranks and stages beyond the sizes of the metadata. */
static enum hc_status check_fatal(const struct append *a, size_t i, struct hc_error *err)
{
    const struct hc_step_raw *raw = a->raw;
    bool start_odd = raw->start_flag[i] == HC_TIME_NOT_FINITE;
    if (start_odd || raw->duration_flag[i] == HC_TIME_NOT_FINITE)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': %s %lld: %s is not finite (nan or inf); correct or remove the row",
                       a->source->name, raw->place_word, place_of(raw, i),
                       start_odd ? "start_ts" : "duration");
    if (raw->duration_flag[i] == HC_TIME_OK && raw->duration_ns[i] < 0) {
        char seconds[32];
        format_seconds(raw->duration_ns[i], seconds);
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': %s %lld: duration %s s is negative; correct or remove the row",
                       a->source->name, raw->place_word, place_of(raw, i), seconds);
    }
    if (a->dp_size != HC_MISSING_I32 && raw->ints[HC_FIELD_DP_RANK][i] >= a->dp_size)
        return outside_metadata(a, i, HC_FIELD_DP_RANK, "dp_size", a->dp_size, err);
    if (a->pp_size != HC_MISSING_I32 && raw->ints[HC_FIELD_STAGE][i] >= a->pp_size)
        return outside_metadata(a, i, HC_FIELD_STAGE, "pp_size", a->pp_size, err);
    return HC_OK;
}

static bool fits(const struct hc_step_raw *raw, enum hc_step_field field, size_t i)
{
    int64_t value = raw->ints[field][i];
    if (value == HC_MISSING_I64)
        return int_fields[field].optional;
    return value >= int_fields[field].least && value <= INT32_MAX;
}

static enum hc_status bad(const struct append *a, size_t i, enum hc_bad_reason reason,
                          const char *field, const char *why, struct hc_error *err)
{
    int32_t step =
        fits(a->raw, HC_FIELD_STEP, i) ? (int32_t)a->raw->ints[HC_FIELD_STEP][i] : HC_MISSING_I32;
    return hc_row_report_bad(a->report, reason, step, err, "'%s': %s %lld: %s %s", a->source->name,
                             a->raw->place_word, place_of(a->raw, i), field, why);
}

static enum hc_status check_ints(const struct append *a, size_t i, bool *is_bad,
                                 struct hc_error *err)
{
    for (int field = 0; field < HC_N_INT_FIELDS; field++) {
        int64_t value = a->raw->ints[field][i];
        if (fits(a->raw, field, i))
            continue;
        *is_bad = true;
        if (value == HC_MISSING_I64)
            return bad(a, i, HC_BAD_NULL, int_fields[field].name, "is empty", err);
        char why[64];
        snprintf(why, sizeof why, "%lld is out of range (%lld to 2147483647)", (long long)value,
                 (long long)int_fields[field].least);
        return bad(a, i, HC_BAD_RANGE, int_fields[field].name, why, err);
    }
    return HC_OK;
}

static enum hc_status check_times(const struct append *a, size_t i, bool *is_bad,
                                  struct hc_error *err)
{
    const struct hc_step_raw *raw = a->raw;
    const char *too_large = "is out of range (146 years either way)";
    *is_bad = true;
    if (raw->start_flag[i] == HC_TIME_NULL)
        return bad(a, i, HC_BAD_NULL, "start_ts", "is empty", err);
    if (raw->duration_flag[i] == HC_TIME_NULL)
        return bad(a, i, HC_BAD_NULL, "duration", "is empty", err);
    int64_t start = raw->start_ns[i], duration = raw->duration_ns[i];
    if (raw->start_flag[i] != HC_TIME_OK || start < -HC_OPS_TIME_LIMIT || start > HC_OPS_TIME_LIMIT)
        return bad(a, i, HC_BAD_RANGE, "start_ts", too_large, err);
    if (raw->duration_flag[i] != HC_TIME_OK || duration > HC_OPS_TIME_LIMIT)
        return bad(a, i, HC_BAD_RANGE, "duration", too_large, err);
    if (start > HC_OPS_TIME_LIMIT - duration)
        return bad(a, i, HC_BAD_RANGE, "start_ts + duration", too_large, err);
    *is_bad = false;
    return HC_OK;
}

static enum hc_status append_one(const struct append *a, size_t i, struct hc_error *err)
{
    const struct hc_step_raw *raw = a->raw;
    bool is_bad = false;
    if (raw->op_type[i] == HC_OP_IGNORED) {
        a->report->rows_ignored++;
        return HC_OK;
    }
    if (raw->is_bad[i])
        return HC_OK;
    if (check_fatal(a, i, err))
        return err->status;
    if (raw->op_type[i] < 0)
        return bad(a, i, HC_BAD_NULL, "optype", "is empty", err);
    enum hc_status status = check_ints(a, i, &is_bad, err);
    if (status == HC_OK && !is_bad)
        status = check_times(a, i, &is_bad, err);
    if (status == HC_OK && !is_bad)
        append_all(a, i, 1);
    return status;
}

enum hc_status hc_step_rows_append(const struct hc_step_raw *raw, size_t from, size_t n,
                                   const struct hc_step_flow *flow, struct hc_error *err)
{
    const struct hc_job *job = flow->options->job;
    struct append a = {.raw = raw,
                       .source = flow->source,
                       .ops = flow->ops,
                       .report = flow->report,
                       .dp_size = job ? job->dp_size : HC_MISSING_I32,
                       .pp_size = job ? job->pp_size : HC_MISSING_I32};
    for (int field = 0; field < HC_N_INT_FIELDS; field++)
        a.most[field] = INT32_MAX;
    if (a.dp_size != HC_MISSING_I32)
        a.most[HC_FIELD_DP_RANK] = (int64_t)a.dp_size - 1;
    if (a.pp_size != HC_MISSING_I32)
        a.most[HC_FIELD_STAGE] = (int64_t)a.pp_size - 1;
    flow->report->rows_read += (int64_t)n;
    uint8_t suspect[BLOCK];
    for (size_t done = 0, block = 0; done < n; done += block) {
        block = n - done < BLOCK ? n - done : BLOCK;
        if (!mark_suspects(&a, from + done, block, suspect)) {
            append_all(&a, from + done, block);
            continue;
        }
        for (size_t i = 0; i < block; i++) {
            if (!suspect[i])
                append_all(&a, from + done + i, 1);
            else if (append_one(&a, from + done + i, err))
                return err->status;
        }
    }
    return HC_OK;
}

enum hc_status hc_step_unknown_op_type(const struct hc_source *source, const char *place_word,
                                       int64_t place, const char *name, size_t length,
                                       struct hc_error *err)
{
    const char *known[HC_N_OP_TYPES];
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        known[type] = hc_op_type_name(type);
    const char *near = hc_nearest(name, length, known, HC_N_OP_TYPES);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': %s %lld: optype '%s' is unknown%s%s%s; map it to a known type or to "
                   "'ignored' under op_types in the metadata",
                   source->name, place_word, (long long)place, hc_printable(name, length).text,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}
