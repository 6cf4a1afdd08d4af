#include "models/profiles/comm_facts.h"

#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "core/text/collective_op.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ANNOTATION "nccl:"
/* Rows of one start, or spans that ended within an outer one, that are looked at: damaged traces
 * may have all of their events at one time. */
#define MOST_LOOKED_AT 4096

/* ---- what encloses a launch ---- */

/* Whether a row can say anything of a collective. */
typedef bool usable(const struct hc_comm_reader *reader, size_t row);

static bool is_usable_record(const struct hc_comm_reader *reader, size_t row)
{
    const struct hc_table *comms = &reader->rank->table[HC_PROFILE_COMMS];
    int32_t op = hc_table_i32(comms, HC_COMMS_OP)[row];
    return hc_table_i32(comms, HC_COMMS_ORIGIN)[row] == HC_COMM_OF_RECORD &&
           (op < 0 || strcmp(hc_profile_text(reader->profile, "collective", op), "wait") != 0);
}

static const char *annotation_text(const struct hc_comm_reader *reader, size_t row)
{
    const struct hc_table *annotations = &reader->rank->table[HC_PROFILE_ANNOTATIONS];
    return hc_profile_text(reader->profile, "event",
                           hc_table_i32(annotations, HC_ANNOTATIONS_NAME)[row]);
}

static bool is_usable_annotation(const struct hc_comm_reader *reader, size_t row)
{
    return !strncmp(annotation_text(reader, row), ANNOTATION, strlen(ANNOTATION));
}

/* Start and duration are the first two columns of both tables. Rows are sorted by start. */
static enum hc_status list_spans(struct hc_enclosing *spans, const struct hc_comm_reader *reader,
                                 const int32_t *thread, usable *is_usable, struct hc_error *err)
{
    size_t n_rows = spans->table->n_rows;
    const int64_t *start = hc_table_i64(spans->table, 0);
    const int64_t *duration = hc_table_i64(spans->table, 1);
    spans->spans = hc_new_aligned(n_rows, sizeof *spans->spans, err);
    spans->latest_end = spans->spans ? hc_new_aligned(n_rows, sizeof(int64_t), err) : NULL;
    if (!spans->latest_end)
        return err->status;
    for (size_t i = 0; i < n_rows; i++)
        if (is_usable(reader, i))
            spans->spans[spans->n++] = (struct hc_sort_key){thread[i], (uint32_t)i};
    if (hc_sort_keys(spans->spans, spans->n, err))
        return err->status;
    for (size_t i = 0; i < spans->n; i++) {
        uint32_t row = spans->spans[i].row;
        int64_t end = start[row] + duration[row];
        bool is_first = i == 0 || spans->spans[i - 1].key != spans->spans[i].key;
        spans->latest_end[i] =
            is_first || end > spans->latest_end[i - 1] ? end : spans->latest_end[i - 1];
    }
    return HC_OK;
}

/* The innermost span of the thread around a time: its row, or HC_NO_ROW. */
static uint32_t find_enclosing(const struct hc_enclosing *spans, int32_t thread, int64_t ns)
{
    const int64_t *start = hc_table_i64(spans->table, 0);
    const int64_t *duration = hc_table_i64(spans->table, 1);
    size_t low = 0, high = spans->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_sort_key *span = &spans->spans[middle];
        if (span->key < thread || (span->key == thread && start[span->row] <= ns))
            low = middle + 1;
        else
            high = middle;
    }
    size_t fewest = low > MOST_LOOKED_AT ? low - MOST_LOOKED_AT : 0;
    for (; low > fewest && spans->spans[low - 1].key == thread && spans->latest_end[low - 1] >= ns;
         low--) {
        uint32_t row = spans->spans[low - 1].row;
        if (start[row] + duration[row] >= ns)
            return row;
    }
    return HC_NO_ROW;
}

static void fini_spans(struct hc_enclosing *spans)
{
    free(spans->spans);
    free(spans->latest_end);
}

/* ---- the chain ---- */

enum hc_status hc_comm_reader_open(struct hc_comm_reader *reader, const struct hc_profile *profile,
                                   const struct hc_profile_rank *rank, struct hc_error *err)
{
    const struct hc_table *comms = &rank->table[HC_PROFILE_COMMS];
    const struct hc_table *annotations = &rank->table[HC_PROFILE_ANNOTATIONS];
    *reader = (struct hc_comm_reader){
        .profile = profile,
        .rank = rank,
        .ops = hc_profile_dictionary(profile, "collective"),
        .records.table = comms,
        .annotations.table = annotations,
    };
    if (list_spans(&reader->records, reader, hc_table_i32(comms, HC_COMMS_THREAD), is_usable_record,
                   err))
        return err->status;
    return list_spans(&reader->annotations, reader,
                      hc_table_i32(annotations, HC_ANNOTATIONS_THREAD), is_usable_annotation, err);
}

void hc_comm_reader_close(struct hc_comm_reader *reader)
{
    fini_spans(&reader->records);
    fini_spans(&reader->annotations);
}

static void take_i32(int32_t *fact, const struct hc_table *comms, size_t column, size_t row)
{
    if (*fact == HC_MISSING_I32)
        *fact = hc_table_i32(comms, column)[row];
}

static void take_i64(int64_t *fact, const struct hc_table *comms, size_t column, size_t row)
{
    if (*fact == HC_MISSING_I64)
        *fact = hc_table_i64(comms, column)[row];
}

/* Take what a row of comms says of what is still open. */
static void take_row(const struct hc_comm_reader *reader, struct hc_comm_facts *facts, size_t row)
{
    const struct hc_table *comms = &reader->rank->table[HC_PROFILE_COMMS];
    int32_t op = hc_table_i32(comms, HC_COMMS_OP)[row];
    if (!*facts->op && reader->ops && op >= 0 && (size_t)op < reader->ops->n)
        facts->op = reader->ops->text[op];
    if (facts->group == HC_MISSING_I32) { /* name and shape of a group belong together */
        facts->group = hc_table_i32(comms, HC_COMMS_GROUP)[row];
        facts->description = hc_table_i32(comms, HC_COMMS_DESCRIPTION)[row];
        facts->group_size = hc_table_i32(comms, HC_COMMS_GROUP_SIZE)[row];
        facts->rank_start = hc_table_i32(comms, HC_COMMS_RANK_START)[row];
        facts->rank_stride = hc_table_i32(comms, HC_COMMS_RANK_STRIDE)[row];
    }
    take_i32(&facts->dtype, comms, HC_COMMS_DTYPE, row);
    take_i32(&facts->source, comms, HC_COMMS_SOURCE_RANK, row);
    take_i32(&facts->destination, comms, HC_COMMS_DESTINATION_RANK, row);
    take_i64(&facts->in_elements, comms, HC_COMMS_IN_ELEMENTS, row);
    take_i64(&facts->out_elements, comms, HC_COMMS_OUT_ELEMENTS, row);
    take_i64(&facts->seq, comms, HC_COMMS_SEQ, row);
    facts->is_p2p |= hc_table_i32(comms, HC_COMMS_IS_P2P)[row] == 1;
}

/* The row of comms with the arguments of the kernel. Both tables are sorted by start. */
static uint32_t find_arguments(struct hc_comm_reader *reader, size_t row)
{
    const struct hc_table *gpu = &reader->rank->table[HC_PROFILE_GPU];
    const struct hc_table *comms = &reader->rank->table[HC_PROFILE_COMMS];
    const int64_t *start = hc_table_i64(comms, HC_COMMS_START_NS);
    int64_t kernel_start = hc_table_i64(gpu, HC_GPU_START_NS)[row];
    while (reader->next < comms->n_rows && start[reader->next] < kernel_start)
        reader->next++;
    size_t end = reader->next + MOST_LOOKED_AT;
    for (size_t i = reader->next; i < comms->n_rows && i < end && start[i] == kernel_start; i++)
        if (hc_table_i32(comms, HC_COMMS_ORIGIN)[i] == HC_COMM_OF_KERNEL &&
            hc_table_i32(comms, HC_COMMS_STREAM)[i] == hc_table_i32(gpu, HC_GPU_STREAM)[row] &&
            hc_table_i64(comms, HC_COMMS_CORRELATION)[i] ==
                hc_table_i64(gpu, HC_GPU_CORRELATION)[row])
            return (uint32_t)i;
    return HC_NO_ROW;
}

/* A kernel of NCCL, or of libraries named like it, has the operation in its name: those for sends
 * and receives carry an all-to-all, when nobody says what they are for. */
static const char *op_of_kernel(const char *name)
{
    static const struct {
        const char *part, *op;
    } rules[] = {
        {"AllReduce", "all_reduce"},
        {"AllGather", "all_gather"},
        {"ReduceScatter", "reduce_scatter"},
        {"SendRecv", "all_to_all"},
        {"AllToAll", "all_to_all"},
        {"Broadcast", "broadcast"},
        {"cross_device_reduce", "all_reduce"},
        {"Reduce", "reduce"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcasestr(name, rules[i].part))
            return rules[i].op;
    return "";
}

/* The operation that an annotation names, as one of those texts that last, or as it is written. */
static const char *op_of_annotation(const char *text)
{
    static const char *const known[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                        "broadcast",  "reduce",     "gather",         "scatter",
                                        "send",       "recv",       "barrier"};
    char op[HC_COLLECTIVE_OP];
    hc_collective_op(op, text, strlen(text));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(op, known[i]))
            return known[i];
    return !strcmp(op, "coalesced") ? "" : text + strlen(ANNOTATION);
}

static bool is_open(const struct hc_comm_facts *facts)
{
    return !*facts->op || facts->group == HC_MISSING_I32 || facts->seq == HC_MISSING_I64 ||
           facts->in_elements == HC_MISSING_I64 || facts->out_elements == HC_MISSING_I64 ||
           facts->dtype == HC_MISSING_I32;
}

void hc_comm_reader_read(struct hc_comm_reader *reader, size_t row, struct hc_comm_facts *facts)
{
    const struct hc_profile_rank *rank = reader->rank;
    *facts = (struct hc_comm_facts){
        "",
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I32,
        HC_MISSING_I64,
        HC_MISSING_I64,
        HC_MISSING_I64,
        false,
    };
    uint32_t said = find_arguments(reader, row);
    if (said != HC_NO_ROW)
        take_row(reader, facts, said);
    uint32_t launch = rank->launch[row];
    if (launch != HC_NO_ROW && is_open(facts)) {
        const struct hc_table *calls = &rank->table[HC_PROFILE_CALLS];
        int32_t thread = hc_table_i32(calls, HC_CALLS_THREAD)[launch];
        int64_t ns = hc_table_i64(calls, HC_CALLS_START_NS)[launch];
        said = find_enclosing(&reader->records, thread, ns);
        if (said != HC_NO_ROW)
            take_row(reader, facts, said);
        uint32_t around = HC_NO_ROW;
        if (!*facts->op)
            around = find_enclosing(&reader->annotations, thread, ns);
        if (around != HC_NO_ROW)
            facts->op = op_of_annotation(annotation_text(reader, around));
    }
    if (!*facts->op)
        facts->op = op_of_kernel(
            hc_profile_text(reader->profile, "event",
                            hc_table_i32(&rank->table[HC_PROFILE_GPU], HC_GPU_NAME)[row]));
    facts->is_p2p |= hc_collective_op_is_p2p(facts->op);
}

/* ---- sizes ---- */

int64_t hc_comm_elements(const struct hc_comm_facts *facts)
{
    if (!strcmp(facts->op, "all_gather"))
        return facts->out_elements;
    if (facts->is_p2p && facts->out_elements > facts->in_elements)
        return facts->out_elements;
    return facts->in_elements;
}

int64_t hc_comm_element_size(const char *dtype)
{
    /* The names of c10, and what older traces write. */
    static const struct {
        const char *name;
        int64_t bytes;
    } types[] = {
        {"Byte", 1},           {"Char", 1},          {"Bool", 1},      {"QInt8", 1},
        {"QUInt8", 1},         {"UInt8", 1},         {"Int8", 1},      {"unsigned char", 1},
        {"signed char", 1},    {"Short", 2},         {"Half", 2},      {"BFloat16", 2},
        {"UInt16", 2},         {"Int16", 2},         {"short int", 2}, {"c10::Half", 2},
        {"Float16", 2},        {"c10::BFloat16", 2}, {"Int", 4},       {"Float", 4},
        {"UInt32", 4},         {"Int32", 4},         {"QInt32", 4},    {"Float32", 4},
        {"ComplexHalf", 4},    {"Long", 8},          {"Double", 8},    {"UInt64", 8},
        {"Int64", 8},          {"Float64", 8},       {"long int", 8},  {"ComplexFloat", 8},
        {"ComplexDouble", 16},
    };
    if (!strncasecmp(dtype, "Float8", 6))
        return 1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (!strcasecmp(dtype, types[i].name))
            return types[i].bytes;
    return 0;
}
