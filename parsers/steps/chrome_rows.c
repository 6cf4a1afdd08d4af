#include "parsers/steps/chrome_rows.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/op_type.h"

enum hc_status hc_chrome_raw_init(struct hc_step_raw *raw, size_t capacity, struct hc_error *err)
{
    if (hc_step_raw_init(raw, capacity, err))
        return err->status;
    raw->place_word = "byte";
    raw->place = hc_new_array(capacity, sizeof *raw->place, err);
    return raw->place ? HC_OK : err->status;
}

size_t hc_chrome_row_start(const struct hc_chrome_rows *rows, int64_t byte)
{
    struct hc_step_raw *raw = rows->raw;
    size_t i = raw->n++;
    raw->place[i] = byte;
    raw->is_bad[i] = 1;
    raw->op_type[i] = HC_OP_UNKNOWN;
    for (int field = 0; field < HC_N_INT_FIELDS; field++)
        raw->ints[field][i] = HC_MISSING_I64;
    return i;
}

static enum hc_status bad_value(const struct hc_chrome_rows *rows, size_t i,
                                const struct hc_chrome_event *event, enum hc_chrome_field field,
                                enum hc_text_number what, struct hc_error *err)
{
    const struct hc_chrome_value *v = &event->field[field];
    int64_t step = rows->raw->ints[HC_FIELD_STEP][i];
    size_t length = v->length < HC_CHROME_TEXT ? v->length : HC_CHROME_TEXT;
    bool out_of_range = what == HC_TEXT_OUT_OF_RANGE;
    const char *why = out_of_range                ? "out of range"
                      : what == HC_TEXT_NOT_WHOLE ? "not a whole number"
                                                  : "not a number";
    return hc_row_report_bad(
        rows->report, out_of_range ? HC_BAD_RANGE : HC_BAD_NUMBER,
        step >= 0 && step <= INT32_MAX ? (int32_t)step : HC_MISSING_I32, err,
        "'%s': byte %lld: %s '%s' is %s", rows->source->name, (long long)event->byte,
        hc_chrome_field_name(field),
        v->kind == HC_CHROME_OTHER ? "..." : hc_printable(v->text, length).text, why);
}

enum hc_status hc_chrome_row_int(const struct hc_chrome_rows *rows, size_t i,
                                 const struct hc_chrome_event *event, enum hc_chrome_field from,
                                 enum hc_step_field to, bool *bad, struct hc_error *err)
{
    int64_t value = 0;
    enum hc_text_number result = hc_chrome_i64(event, from, &value);
    if (result == HC_TEXT_OK || result == HC_TEXT_EMPTY) {
        rows->raw->ints[to][i] = result == HC_TEXT_OK ? value : HC_MISSING_I64;
        return HC_OK;
    }
    *bad = true;
    return bad_value(rows, i, event, from, result, err);
}

enum hc_status hc_chrome_row_time(const struct hc_chrome_rows *rows, size_t i,
                                  const struct hc_chrome_event *event, enum hc_chrome_field from,
                                  enum hc_step_field to, bool *bad, struct hc_error *err)
{
    bool is_start = to == HC_FIELD_START_TS;
    int64_t *ns = is_start ? &rows->raw->start_ns[i] : &rows->raw->duration_ns[i];
    uint8_t *flag = is_start ? &rows->raw->start_flag[i] : &rows->raw->duration_flag[i];
    enum hc_text_number result = hc_chrome_ns(event, from, ns);
    *flag = result == HC_TEXT_EMPTY                               ? HC_TIME_NULL
            : result == HC_TEXT_NAN || result == HC_TEXT_INFINITE ? HC_TIME_NOT_FINITE
            : result == HC_TEXT_OUT_OF_RANGE                      ? HC_TIME_OUT_OF_RANGE
                                                                  : HC_TIME_OK;
    if (result != HC_TEXT_NOT_NUMBER)
        return HC_OK;
    *bad = true;
    return bad_value(rows, i, event, from, result, err);
}
