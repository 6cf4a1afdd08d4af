#include "parsers/profiles/kineto_rows.h"

#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/profiles/kineto_args.h"
#include "parsers/profiles/kineto_comms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NS ((int64_t)1 << 62) /* of starts and ends from the base */

/* ---- open and close ---- */

static enum hc_status find_set(struct hc_trace_names *to, struct hc_table_names *names,
                               const char *dictionary, struct hc_error *err)
{
    for (size_t i = 0; names && i < names->n; i++)
        if (strcmp(names->dictionary[i], dictionary) == 0)
            to->set = &names->set[i];
    return to->set ? HC_OK : hc_fail(err, HC_INTERNAL, "no dictionary '%s'", dictionary);
}

enum hc_status hc_kineto_rows_open(struct hc_kineto_rows **rows, const char *source,
                                   struct hc_table_names *names, bool op_names,
                                   struct hc_error *err)
{
    struct hc_kineto_rows *r = *rows = hc_new_array(1, sizeof *r, err);
    if (!r)
        return err->status;
    r->source = source;
    r->op_names = op_names;
    r->first_start_ns = MOST_NS;
    r->last_end_ns = -MOST_NS;
    if (find_set(&r->event, names, "event", err) || find_set(&r->thread, names, "thread", err) ||
        find_set(&r->group, names, "group", err) ||
        find_set(&r->description, names, "group_description", err) ||
        find_set(&r->dtype, names, "dtype", err) ||
        find_set(&r->collective, names, "collective", err)) {
        hc_kineto_rows_close(r);
        *rows = NULL;
        return err->status;
    }
    return HC_OK;
}

void hc_kineto_rows_close(struct hc_kineto_rows *rows)
{
    if (!rows)
        return;
    free(rows->activity);
    free(rows);
}

/* ---- values ---- */

/* Decimal microseconds, also in quotes; false where there are none. Beyond int64 they are as far as
 * it goes. */
static bool take_us(const struct hc_trace_value *value, int64_t *ns)
{
    if (value->kind != HC_TRACE_LITERAL && value->kind != HC_TRACE_STRING)
        return false;
    enum hc_text_number result = hc_text_us_to_ns(value->text, value->length, ns);
    if (result == HC_TEXT_OUT_OF_RANGE)
        *ns = memchr(value->text, '-', value->length) == value->text ? INT64_MIN : INT64_MAX;
    return result == HC_TEXT_OK || result == HC_TEXT_OUT_OF_RANGE;
}

/* "7", 7 or, as old traces name tracks, "stream 7". The profiler prints -1 unsigned as well. */
static int32_t stream_of(const struct hc_trace_value *value)
{
    static const char word[] = "stream ";
    struct hc_trace_value number = *value;
    int64_t stream = 0;
    if (number.kind == HC_TRACE_STRING && number.length > sizeof word - 1 &&
        strncasecmp(number.text, word, sizeof word - 1) == 0) {
        number.text += sizeof word - 1;
        number.length -= sizeof word - 1;
    }
    if (!hc_trace_i64(&number, &stream))
        return HC_MISSING_I32;
    if (stream == UINT32_MAX)
        return -1;
    return stream == (int32_t)stream ? (int32_t)stream : HC_MISSING_I32;
}

static int64_t correlation_of(const struct hc_kineto_args *args, enum hc_kineto_arg arg)
{
    int64_t correlation = hc_kineto_arg_i64(args, arg);
    return correlation > 0 ? correlation : HC_MISSING_I64;
}

static enum hc_status name_of(struct hc_kineto_rows *rows, const struct hc_trace_value *name,
                              int32_t *code, struct hc_error *err)
{
    static const struct hc_trace_value none = {.kind = HC_TRACE_STRING, .text = ""};
    return hc_trace_name_code(&rows->event, name->kind == HC_TRACE_STRING ? name : &none, code,
                              err);
}

/* "<pid>/<tid>". Events of a thread come in runs: the last one's text is compared first. */
static enum hc_status thread_of(struct hc_kineto_rows *rows, const struct hc_kineto_event *event,
                                int32_t *code, struct hc_error *err)
{
    char text[sizeof rows->thread_text];
    size_t most = sizeof text / 2 - 1, length = 0;
    const struct hc_trace_value *part[2] = {&event->pid, &event->tid};
    for (int i = 0; i < 2; i++) {
        bool is_text = part[i]->kind == HC_TRACE_STRING || part[i]->kind == HC_TRACE_LITERAL;
        size_t n = !is_text ? 0 : part[i]->length < most ? part[i]->length : most;
        if (n)
            memcpy(text + length, part[i]->text, n);
        length += n;
        if (i == 0)
            text[length++] = '/';
    }
    if (length == rows->thread_length && memcmp(text, rows->thread_text, length) == 0) {
        *code = rows->thread_code;
        return HC_OK;
    }
    const struct hc_trace_value value = {HC_TRACE_STRING, true, (uint32_t)length, text};
    if (hc_trace_name_code(&rows->thread, &value, code, err))
        return err->status;
    memcpy(rows->thread_text, text, length);
    rows->thread_length = length;
    rows->thread_code = *code;
    return HC_OK;
}

/* ---- activity ---- */

static bool has_word(const char *name, const char *word)
{
    return strcasestr(name, word);
}

static enum hc_gpu_activity activity_of_name(const char *name)
{
    static const char *const comms[] = {"nccl", "rccl", "hccl", "cross_device_reduce"};
    if (strncmp(name, "MEMORY_COPY_", 12) == 0 || strncmp(name, "__amd_rocclr_copyBuffer", 23) == 0)
        return HC_GPU_COPIES;
    for (size_t i = 0; i < sizeof comms / sizeof *comms; i++)
        if (has_word(name, comms[i]))
            return HC_GPU_COMMUNICATES;
    return HC_GPU_COMPUTES;
}

/* A kernel's by its name, which is looked at once for each name. */
static enum hc_status kernel_activity(struct hc_kineto_rows *rows, int32_t name, int32_t *activity,
                                      struct hc_error *err)
{
    size_t code = (size_t)name, known = rows->activity_capacity;
    if (name == HC_MISSING_I32) /* there are more names than are kept */
        return HC_OK;
    if (code >= known) {
        if (hc_reserve(&rows->activity, &rows->activity_capacity, code + 1, 1, err))
            return err->status;
        memset(rows->activity + known, 0, rows->activity_capacity - known);
    }
    if (!rows->activity[code])
        rows->activity[code] = (uint8_t)(1 + activity_of_name(rows->event.set->text[code]));
    *activity = rows->activity[code] - 1;
    return HC_OK;
}

/* ---- rows ---- */

/* A new row with its times. The first two columns of each table but the last two are start and
 * duration. */
static size_t new_row(struct hc_kineto_rows *rows, enum hc_profile_table which, int64_t start_ns,
                      int64_t duration_ns)
{
    struct hc_table *table = &rows->tables[which];
    size_t row = table->n_rows++;
    hc_table_i64(table, 0)[row] = start_ns;
    hc_table_i64(table, 1)[row] = duration_ns;
    rows->is_full |= table->n_rows == table->capacity;
    return row;
}

/* An event on its way into rows. */
struct taken {
    const struct hc_kineto_event *event;
    struct hc_kineto_args args;
    int64_t start_ns, duration_ns;
};

static enum hc_status add_comm(struct hc_kineto_rows *rows, const struct taken *taken,
                               enum hc_comm_origin origin, struct hc_error *err)
{
    struct hc_table *comms = &rows->tables[HC_PROFILE_COMMS];
    size_t row = new_row(rows, HC_PROFILE_COMMS, taken->start_ns, taken->duration_ns);
    int32_t *thread = &hc_table_i32(comms, HC_COMMS_THREAD)[row];
    int32_t *stream = &hc_table_i32(comms, HC_COMMS_STREAM)[row];
    *thread = *stream = HC_MISSING_I32;
    hc_table_i32(comms, HC_COMMS_ORIGIN)[row] = origin;
    hc_table_i64(comms, HC_COMMS_CORRELATION)[row] = HC_MISSING_I64;
    if (origin == HC_COMM_OF_KERNEL) {
        const struct hc_trace_value *value = &taken->args.value[HC_ARG_STREAM];
        *stream = stream_of(value->kind == HC_TRACE_ABSENT ? &taken->event->tid : value);
        hc_table_i64(comms, HC_COMMS_CORRELATION)[row] =
            correlation_of(&taken->args, HC_ARG_CORRELATION);
    } else if (thread_of(rows, taken->event, thread, err)) {
        return err->status;
    }
    return hc_kineto_comm_fill(rows, &taken->args, row, err);
}

static enum hc_status add_gpu(struct hc_kineto_rows *rows, const struct taken *taken,
                              struct hc_error *err)
{
    const struct hc_kineto_event *event = taken->event;
    const struct hc_trace_value *device = &taken->args.value[HC_ARG_DEVICE];
    const struct hc_trace_value *stream = &taken->args.value[HC_ARG_STREAM];
    struct hc_table *gpu = &rows->tables[HC_PROFILE_GPU];
    size_t row = new_row(rows, HC_PROFILE_GPU, taken->start_ns, taken->duration_ns);
    int32_t *name = &hc_table_i32(gpu, HC_GPU_NAME)[row];
    int32_t *activity = &hc_table_i32(gpu, HC_GPU_ACTIVITY)[row];
    bool is_comm = event->class == HC_KINETO_KERNEL &&
                   taken->args.value[HC_ARG_COLLECTIVE].kind == HC_TRACE_STRING;
    hc_table_i32(gpu, HC_GPU_DEVICE)[row] =
        hc_kineto_value_i32(device->kind == HC_TRACE_ABSENT ? &event->pid : device);
    hc_table_i32(gpu, HC_GPU_STREAM)[row] =
        stream_of(stream->kind == HC_TRACE_ABSENT ? &event->tid : stream);
    hc_table_i32(gpu, HC_GPU_CLASS)[row] = event->class == HC_KINETO_KERNEL   ? HC_GPU_KERNEL
                                           : event->class == HC_KINETO_MEMCPY ? HC_GPU_MEMCPY
                                                                              : HC_GPU_MEMSET;
    hc_table_i64(gpu, HC_GPU_CORRELATION)[row] = correlation_of(&taken->args, HC_ARG_CORRELATION);
    hc_table_i64(gpu, HC_GPU_BYTES)[row] = hc_kineto_arg_i64(&taken->args, HC_ARG_BYTES);
    *activity = event->class == HC_KINETO_MEMCPY ? HC_GPU_COPIES : HC_GPU_COMPUTES;
    if (name_of(rows, &event->name, name, err) ||
        (event->class == HC_KINETO_KERNEL && kernel_activity(rows, *name, activity, err)))
        return err->status;
    if (is_comm && *activity != HC_GPU_COPIES)
        *activity = HC_GPU_COMMUNICATES;
    return is_comm ? add_comm(rows, taken, HC_COMM_OF_KERNEL, err) : HC_OK;
}

static enum hc_status add_call(struct hc_kineto_rows *rows, const struct taken *taken,
                               struct hc_error *err)
{
    struct hc_table *calls = &rows->tables[HC_PROFILE_CALLS];
    size_t row = new_row(rows, HC_PROFILE_CALLS, taken->start_ns, taken->duration_ns);
    hc_table_i64(calls, HC_CALLS_CORRELATION)[row] =
        correlation_of(&taken->args, HC_ARG_CORRELATION);
    if (thread_of(rows, taken->event, &hc_table_i32(calls, HC_CALLS_THREAD)[row], err))
        return err->status;
    return name_of(rows, &taken->event->name, &hc_table_i32(calls, HC_CALLS_NAME)[row], err);
}

static enum hc_status add_sync(struct hc_kineto_rows *rows, const struct taken *taken,
                               struct hc_error *err)
{
    const struct hc_trace_value *kind = &taken->args.value[HC_ARG_SYNC_KIND];
    const struct hc_trace_value *stream = &taken->args.value[HC_ARG_STREAM];
    struct hc_table *syncs = &rows->tables[HC_PROFILE_SYNCS];
    size_t row = new_row(rows, HC_PROFILE_SYNCS, taken->start_ns, taken->duration_ns);
    hc_table_i32(syncs, HC_SYNCS_STREAM)[row] =
        stream_of(stream->kind == HC_TRACE_ABSENT ? &taken->event->tid : stream);
    hc_table_i32(syncs, HC_SYNCS_AWAITED_STREAM)[row] =
        stream_of(&taken->args.value[HC_ARG_WAIT_ON_STREAM]);
    hc_table_i64(syncs, HC_SYNCS_RECORD_CORRELATION)[row] =
        correlation_of(&taken->args, HC_ARG_RECORD_CORRELATION);
    hc_table_i64(syncs, HC_SYNCS_CORRELATION)[row] =
        correlation_of(&taken->args, HC_ARG_CORRELATION);
    return name_of(rows, kind->kind == HC_TRACE_STRING ? kind : &taken->event->name,
                   &hc_table_i32(syncs, HC_SYNCS_KIND)[row], err);
}

static bool is_record(const struct hc_kineto_event *event)
{
    return event->class == HC_KINETO_CPU_OP && hc_trace_is(&event->name, "record_param_comms");
}

static enum hc_status add_mark(struct hc_kineto_rows *rows, const struct taken *taken,
                               struct hc_error *err)
{
    struct hc_table *marks = &rows->tables[HC_PROFILE_MARKS];
    size_t row = new_row(rows, HC_PROFILE_MARKS, taken->start_ns, taken->duration_ns);
    int32_t *name = &hc_table_i32(marks, HC_MARKS_NAME)[row];
    *name = HC_MISSING_I32;
    if (thread_of(rows, taken->event, &hc_table_i32(marks, HC_MARKS_THREAD)[row], err) ||
        (rows->op_names && name_of(rows, &taken->event->name, name, err)))
        return err->status;
    return is_record(taken->event) ? add_comm(rows, taken, HC_COMM_OF_RECORD, err) : HC_OK;
}

/* Only annotations that an analysis uses: training scripts write any number of others. */
static enum hc_status add_annotation(struct hc_kineto_rows *rows, const struct taken *taken,
                                     struct hc_error *err)
{
    static const char *const kept[] = {"ProfilerStep#", "nccl:", "Optimizer."};
    const struct hc_trace_value *name = &taken->event->name;
    struct hc_table *annotations = &rows->tables[HC_PROFILE_ANNOTATIONS];
    bool is_kept = false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        is_kept |= name->kind == HC_TRACE_STRING && name->length >= strlen(kept[i]) &&
                   memcmp(name->text, kept[i], strlen(kept[i])) == 0;
    if (!is_kept)
        return HC_OK;
    size_t row = new_row(rows, HC_PROFILE_ANNOTATIONS, taken->start_ns, taken->duration_ns);
    if (thread_of(rows, taken->event, &hc_table_i32(annotations, HC_ANNOTATIONS_THREAD)[row], err))
        return err->status;
    return name_of(rows, name, &hc_table_i32(annotations, HC_ANNOTATIONS_NAME)[row], err);
}

/* ---- events ---- */

/* Count an event that is dropped; wrong is the field that is to blame. */
static void drop(struct hc_kineto_rows *rows, int64_t *count, const struct hc_trace_value *wrong,
                 const char *field, struct hc_row_report *report)
{
    struct hc_error none;
    bool is_range = count == &rows->n_negative;
    ++*count;
    if (count == &rows->n_out_of_range)
        hc_row_report_bad(report, HC_BAD_RANGE, HC_MISSING_I32, &none,
                          "'%s': byte %" PRId64 ": the event is out of the range of times",
                          rows->source, rows->byte);
    else
        hc_row_report_bad(
            report, is_range ? HC_BAD_RANGE : HC_BAD_NULL, HC_MISSING_I32, &none,
            "'%s': byte %" PRId64 ": '%s' of the event is %s", rows->source, rows->byte, field,
            wrong->kind == HC_TRACE_ABSENT ? "not there"
                                           : hc_printable(wrong->text, wrong->length).text);
}

/* Whether the times of an event are good; else it is counted by the reason why not. */
static bool check_times(struct hc_kineto_rows *rows, struct taken *taken,
                        struct hc_row_report *report)
{
    const struct hc_trace_value *ts = &taken->event->ts, *dur = &taken->event->dur;
    if (!take_us(ts, &taken->start_ns))
        drop(rows, &rows->n_no_time, ts, "ts", report);
    else if (!take_us(dur, &taken->duration_ns))
        drop(rows, &rows->n_no_duration, dur, "dur", report);
    else if (taken->duration_ns < 0)
        drop(rows, &rows->n_negative, dur, "dur", report);
    else if (taken->start_ns <= -MOST_NS || taken->start_ns >= MOST_NS ||
             taken->duration_ns >= MOST_NS - taken->start_ns)
        drop(rows, &rows->n_out_of_range, ts, "ts", report);
    else
        return true;
    return false;
}

static enum hc_status add_rows(struct hc_kineto_rows *rows, const struct taken *taken,
                               struct hc_error *err)
{
    switch (taken->event->class) {
    case HC_KINETO_CPU_OP:
        return add_mark(rows, taken, err);
    case HC_KINETO_KERNEL:
    case HC_KINETO_MEMCPY:
    case HC_KINETO_MEMSET:
        return add_gpu(rows, taken, err);
    case HC_KINETO_CALL:
        return add_call(rows, taken, err);
    case HC_KINETO_ANNOTATION:
        return add_annotation(rows, taken, err);
    case HC_KINETO_SYNC:
        return add_sync(rows, taken, err);
    default:
        return HC_OK;
    }
}

enum hc_status hc_kineto_rows_take(struct hc_kineto_rows *rows, const struct hc_kineto_event *event,
                                   int64_t byte, struct hc_row_report *report, bool *is_good,
                                   struct hc_error *err)
{
    struct taken taken = {.event = event};
    bool is_kept = event->class < HC_KINETO_FIRST_COUNTED;
    bool has_args = is_kept && event->class != HC_KINETO_ANNOTATION &&
                    (event->class != HC_KINETO_CPU_OP || is_record(event));
    *is_good = !has_args || hc_kineto_args_read(&taken.args, &event->args);
    if (!*is_good)
        return HC_OK;
    rows->byte = byte;
    rows->n_events++;
    report->rows_read++;
    if (is_kept && !check_times(rows, &taken, report))
        return HC_OK;
    rows->n_class[event->class]++;
    if (!is_kept)
        return HC_OK;
    if (taken.start_ns < rows->first_start_ns)
        rows->first_start_ns = taken.start_ns;
    if (taken.start_ns + taken.duration_ns > rows->last_end_ns)
        rows->last_end_ns = taken.start_ns + taken.duration_ns;
    return add_rows(rows, &taken, err);
}
