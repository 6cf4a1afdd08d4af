#include "pipeline/fleet/fleet_row_json.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/tables/table.h"
#include "reports/fleet/fleet_views.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum field_kind { INT32, INT64, REAL };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
};

#define NAMED(key, member, kind)                                                                   \
    {                                                                                              \
        key, kind, offsetof(struct hc_fleet_row, member)                                           \
    }
#define FIELD(member, kind) NAMED(#member, member, kind)

/* The plain figures, in the order in which they are written. */
static const struct field fields[] = {
    FIELD(dp_size, INT32),
    FIELD(pp_size, INT32),
    FIELD(vpp_size, INT32),
    FIELD(tp_size, INT32),
    FIELD(n_gpus, INT64),
    FIELD(n_ops, INT64),
    FIELD(n_steps, INT64),
    FIELD(n_steps_left_out, INT64),
    FIELD(gpu_hours_traced, REAL),
    FIELD(gpu_hours_lost, REAL),
    FIELD(mean_traced_s, REAL),
    FIELD(mean_replayed_s, REAL),
    FIELD(mean_ideal_s, REAL),
    FIELD(slowdown, REAL),
    NAMED("slowdown_low", slowdown_interval.low, REAL),
    NAMED("slowdown_high", slowdown_interval.high, REAL),
    FIELD(waste, REAL),
    FIELD(launch_slowdown, REAL),
    FIELD(discrepancy, REAL),
    FIELD(m_w, REAL),
    FIELD(m_s, REAL),
    FIELD(correlation, REAL),
    FIELD(max_worker, REAL),
};
#define N_FIELDS (sizeof fields / sizeof *fields)

/* ---- writing ---- */

static void write_fields(struct hc_json_writer *json, const struct hc_fleet_row *row)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        const void *value = (const char *)row + fields[i].offset;
        if (fields[i].kind == INT32)
            hc_json_i32(json, fields[i].key, *(const int32_t *)value);
        else if (fields[i].kind == INT64)
            hc_json_i64(json, fields[i].key, *(const int64_t *)value);
        else
            hc_json_real(json, fields[i].key, *(const double *)value);
    }
}

void hc_fleet_row_write(struct hc_json_writer *json, const char *key,
                        const struct hc_fleet_row *row)
{
    hc_json_object(json, key);
    hc_json_text(json, "cluster", row->cluster);
    hc_json_text(json, "job_id", row->job_id);
    hc_json_i32(json, "attempt", row->attempt);
    hc_json_text(json, "segment_sha256", row->segment_sha256);
    hc_json_text(json, "fate", hc_fleet_stage_key(row->fate));
    hc_json_text(json, "detail", row->detail);
    write_fields(json, row);
    hc_json_text(json, "cause", hc_straggler_cause_key(row->cause));
    hc_json_array_line(json, "also");
    for (int cause = 0; cause < HC_N_STRAGGLER_CAUSES; cause++)
        if (row->also >> cause & 1)
            hc_json_text(json, NULL, hc_straggler_cause_key((enum hc_straggler_cause)cause));
    hc_json_end(json);
    hc_json_object(json, "type_slowdowns");
    for (size_t i = 0; i < row->n_types; i++)
        hc_json_real(json, row->types[i].name, row->types[i].slowdown);
    hc_json_end(json);
    hc_json_array_line(json, "sampled_steps");
    for (size_t i = 0; i < row->n_sampled; i++)
        hc_json_real(json, NULL, row->sampled[i]);
    hc_json_end(json);
    hc_json_end(json);
}

/* ---- reading ---- */

static enum hc_status bad(const char *key, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s' is missing, or not what a row of a fleet has", key);
}

static enum hc_status read_real(const json_t *value, double *real)
{
    if (json_is_null(value))
        *real = NAN;
    else if (json_is_number(value))
        *real = json_number_value(value);
    else
        return HC_BAD_INPUT;
    return HC_OK;
}

static enum hc_status read_int(const json_t *value, enum field_kind kind, void *to)
{
    json_int_t number = json_integer_value(value);
    bool missing = json_is_null(value);
    if (!missing && !json_is_integer(value))
        return HC_BAD_INPUT;
    if (kind == INT64) {
        *(int64_t *)to = missing ? HC_MISSING_I64 : number;
        return HC_OK;
    }
    if (number < INT32_MIN || number > INT32_MAX)
        return HC_BAD_INPUT;
    *(int32_t *)to = missing ? HC_MISSING_I32 : (int32_t)number;
    return HC_OK;
}

static enum hc_status read_fields(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        const json_t *value = json_object_get(object, fields[i].key);
        void *to = (char *)row + fields[i].offset;
        if (fields[i].kind == REAL ? read_real(value, to) : read_int(value, fields[i].kind, to))
            return bad(fields[i].key, err);
    }
    return HC_OK;
}

static int find_cause(const char *key)
{
    for (int cause = 0; key && cause < HC_N_STRAGGLER_CAUSES; cause++)
        if (strcmp(hc_straggler_cause_key((enum hc_straggler_cause)cause), key) == 0)
            return cause;
    return -1;
}

static int find_fate(const char *key)
{
    for (int fate = 0; key && fate < HC_N_FLEET_FATES; fate++)
        if (strcmp(hc_fleet_stage_key((enum hc_fleet_fate)fate), key) == 0)
            return fate;
    return -1;
}

static enum hc_status read_causes(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    const json_t *also = json_object_get(object, "also");
    int cause = find_cause(json_string_value(json_object_get(object, "cause")));
    if (cause < 0 || !json_is_array(also))
        return bad("cause", err);
    row->cause = (enum hc_straggler_cause)cause;
    for (size_t i = 0; i < json_array_size(also); i++) {
        cause = find_cause(json_string_value(json_array_get(also, i)));
        if (cause < 0)
            return bad("also", err);
        row->also |= 1U << cause;
    }
    return HC_OK;
}

static enum hc_status read_types(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    json_t *types = json_object_get(object, "type_slowdowns"), *value = NULL;
    const char *name = NULL;
    if (!json_is_object(types))
        return bad("type_slowdowns", err);
    json_object_foreach(types, name, value)
    {
        struct hc_fleet_type *type = &row->types[row->n_types];
        if (row->n_types == HC_FLEET_MAX_TYPES || strlen(name) >= sizeof type->name ||
            read_real(value, &type->slowdown))
            return bad("type_slowdowns", err);
        memcpy(type->name, name, strlen(name) + 1);
        row->n_types++;
    }
    return HC_OK;
}

static enum hc_status read_sampled(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    const json_t *sampled = json_object_get(object, "sampled_steps");
    size_t n = json_array_size(sampled);
    if (!json_is_array(sampled) || n > HC_FLEET_SAMPLED_STEPS)
        return bad("sampled_steps", err);
    for (size_t i = 0; i < n; i++)
        if (read_real(json_array_get(sampled, i), &row->sampled[i]))
            return bad("sampled_steps", err);
    row->n_sampled = n;
    return HC_OK;
}

static enum hc_status read_text(char *to, size_t size, json_t *object, const char *key,
                                struct hc_error *err)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text || strlen(text) >= size)
        return bad(key, err);
    memcpy(to, text, strlen(text) + 1);
    return HC_OK;
}

static enum hc_status read_key(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    const char *cluster = json_string_value(json_object_get(object, "cluster"));
    const char *job_id = json_string_value(json_object_get(object, "job_id"));
    int32_t attempt = 0;
    if (!cluster || !job_id)
        return bad("job_id", err);
    if (read_int(json_object_get(object, "attempt"), INT32, &attempt))
        return bad("attempt", err);
    return hc_fleet_row_init(row, cluster, job_id, attempt, err);
}

enum hc_status hc_fleet_row_read(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    if (read_key(row, object, err))
        return err->status;
    int fate = find_fate(json_string_value(json_object_get(object, "fate")));
    enum hc_status status = fate < 0 ? bad("fate", err) : HC_OK;
    if (status == HC_OK && (read_text(row->segment_sha256, sizeof row->segment_sha256, object,
                                      "segment_sha256", err) ||
                            read_text(row->detail, sizeof row->detail, object, "detail", err) ||
                            read_fields(row, object, err) || read_causes(row, object, err) ||
                            read_types(row, object, err) || read_sampled(row, object, err)))
        status = err->status;
    if (status)
        hc_fleet_row_fini(row);
    else
        row->fate = (enum hc_fleet_fate)fate;
    return status;
}
