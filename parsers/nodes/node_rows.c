#include "parsers/nodes/node_rows.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/missing.h"
#include "core/tables/nodes/record_rows.h"
#include "parsers/io/line_stamp.h"

#include <string.h>
#include <strings.h>

#define NS_PER_S ((int64_t)1000000000)

const struct hc_node_row hc_node_row_none = {
    .since_ns = HC_MISSING_I64,
    .until_ns = HC_MISSING_I64,
    .reason_ns = HC_MISSING_I64,
    .gpus = HC_MISSING_I64,
    .gpus_used = HC_MISSING_I64,
    .cpus = HC_MISSING_I64,
};

struct hc_span hc_node_trim(struct hc_span text)
{
    while (text.length && (*text.text == ' ' || *text.text == '\t')) {
        text.text++;
        text.length--;
    }
    while (text.length && (text.text[text.length - 1] == ' ' || text.text[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/* ---- times ---- */

static int64_t of_local(struct hc_node_builder *builder, int64_t local_s)
{
    if (builder->zone) {
        enum hc_local_time is = hc_zone_to_unix_s(builder->zone, local_s, &local_s);
        builder->n_twice += is == HC_LOCAL_TWICE;
        builder->n_never += is == HC_LOCAL_NEVER;
    }
    return local_s * NS_PER_S;
}

bool hc_node_time(struct hc_node_builder *builder, struct hc_span text, int64_t *time_ns,
                  enum hc_time_basis *basis)
{
    int64_t time_s;
    bool is_local;
    *time_ns = HC_MISSING_I64;
    enum hc_slurm_text what = hc_slurm_time(&builder->dates, text, &time_s, &is_local);
    if (what != HC_SLURM_VALUE)
        return what == HC_SLURM_NOTHING;
    *basis = is_local ? HC_TIME_LOCAL : HC_TIME_STATED;
    *time_ns = is_local ? of_local(builder, time_s) : time_s * NS_PER_S;
    return true;
}

/* "20261123T055445Z" of the name of a file. */
static bool time_of_name(const char *path, int64_t *time_ns)
{
    const char *slash = strrchr(path, '/');
    for (const char *at = slash ? slash + 1 : path; strlen(at) >= 16; at++) {
        char iso[] = "0000-00-00T00:00:00Z";
        if (at[8] != 'T' || at[15] != 'Z')
            continue;
        memcpy(iso, at, 4);
        memcpy(iso + 5, at + 4, 2);
        memcpy(iso + 8, at + 6, 2);
        memcpy(iso + 11, at + 9, 2);
        memcpy(iso + 14, at + 11, 2);
        memcpy(iso + 17, at + 13, 2);
        if (hc_parse_iso8601(iso, sizeof iso - 1, time_ns))
            return true;
    }
    return false;
}

void hc_node_snapshot_of_file(struct hc_node_builder *builder)
{
    builder->at_basis = HC_TIME_OF_NAME;
    if (time_of_name(builder->source->name, &builder->at_ns))
        return;
    builder->at_basis = HC_TIME_OF_FILE;
    builder->at_ns = builder->source->state.info.st_mtim.tv_sec * NS_PER_S +
                     builder->source->state.info.st_mtim.tv_nsec;
    hc_warn("'%s' does not say when it was written: the time of the file is taken (write 'date "
            "-Is' before it, or put the time in its name: nodes-20260301T120000Z.txt)",
            builder->source->name);
}

bool hc_node_snapshot_of_line(struct hc_node_builder *builder, struct hc_span line)
{
    struct hc_line_stamp stamp;
    line = hc_node_trim(line);
    if (!hc_line_stamp_read(line.text, line.length, &stamp)) {
        /* As sinfo writes it, which is without the brackets that the reader of stamps knows. */
        char bracketed[64] = "[";
        if (line.length + 3 > sizeof bracketed)
            return false;
        memcpy(bracketed + 1, line.text, line.length);
        bracketed[line.length + 1] = ']';
        if (!hc_line_stamp_read(bracketed, line.length + 2, &stamp) ||
            stamp.length != line.length + 2)
            return false;
    } else if (stamp.length != line.length)
        return false;
    if (stamp.kind != HC_STAMP_ZONED && stamp.kind != HC_STAMP_LOCAL)
        return false;
    builder->at_basis = stamp.kind == HC_STAMP_ZONED ? HC_TIME_STATED : HC_TIME_LOCAL;
    builder->at_ns =
        stamp.kind == HC_STAMP_ZONED ? stamp.ns : of_local(builder, stamp.ns / NS_PER_S);
    return true;
}

void hc_node_warn_at_end(const struct hc_node_builder *builder)
{
    if (builder->n_twice + builder->n_never)
        hc_warn(
            "'%s': %lld times are of an hour that the clocks showed twice (each is taken as the "
            "first), and %lld of one that they left out (dump with TZ=UTC)",
            builder->source->name, (long long)builder->n_twice, (long long)builder->n_never);
}

/* ---- fields ---- */

static bool is_word(struct hc_span text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

enum hc_node_field hc_node_field_find(struct hc_span name)
{
    static const struct {
        const char *name;
        enum hc_node_field field;
    } fields[] = {
        {"NodeName", HC_NODE_FIELD_NODE},
        {"NodeList", HC_NODE_FIELD_NODE},
        {"Hostnames", HC_NODE_FIELD_NODE},
        {"Node", HC_NODE_FIELD_NODE},
        {"State", HC_NODE_FIELD_STATE},
        {"StateLong", HC_NODE_FIELD_STATE},
        {"StateComplete", HC_NODE_FIELD_STATE},
        {"Reason", HC_NODE_FIELD_REASON},
        {"User", HC_NODE_FIELD_USER},
        {"TRES", HC_NODE_FIELD_TRES},
        {"CfgTRES", HC_NODE_FIELD_TRES},
        {"AllocTRES", HC_NODE_FIELD_TRES_USED},
        {"Gres", HC_NODE_FIELD_GRES},
        {"GresUsed", HC_NODE_FIELD_GRES_USED},
        {"GRES_USED", HC_NODE_FIELD_GRES_USED},
        {"CPUs", HC_NODE_FIELD_CPUS},
        {"CPUTot", HC_NODE_FIELD_CPUS},
        {"CPUS(A/I/O/T)", HC_NODE_FIELD_CPUS},
        {"Partition", HC_NODE_FIELD_PARTITIONS},
        {"Partitions", HC_NODE_FIELD_PARTITIONS},
        {"Cluster", HC_NODE_FIELD_CLUSTER},
        {"TimeStart", HC_NODE_FIELD_START},
        {"Start", HC_NODE_FIELD_START},
        {"TimeEnd", HC_NODE_FIELD_END},
        {"End", HC_NODE_FIELD_END},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (is_word(name, fields[i].name))
            return fields[i].field;
    return HC_NODE_FIELD_NONE;
}

static const char *put_gpus(struct hc_span text, bool is_free_of_gpus, int64_t *gpus,
                            struct hc_span *type)
{
    struct hc_slurm_gpus found;
    if (is_free_of_gpus) {
        *gpus = 0;
        return NULL;
    }
    enum hc_slurm_text what = hc_slurm_gpus(text, &found);
    if (what == HC_SLURM_WRONG)
        return "its GPUs cannot be read";
    if (what == HC_SLURM_VALUE)
        *gpus = found.n;
    if (what == HC_SLURM_VALUE && found.type.length)
        *type = found.type;
    return NULL;
}

/* "gpu:a100:8(S:0-1)", "gpu:a100:2(IDX:0,3)": without what stands in brackets, into a copy. */
static struct hc_span without_brackets(struct hc_span text, char *copy, size_t room)
{
    size_t n = 0;
    int depth = 0;
    for (size_t i = 0; i < text.length && n < room; i++) {
        depth += text.text[i] == '(';
        if (!depth)
            copy[n++] = text.text[i];
        depth -= text.text[i] == ')' && depth > 0;
    }
    return (struct hc_span){copy, n};
}

static const char *put_gres(struct hc_node_row *row, struct hc_span text, bool is_used)
{
    char copy[1000 + 64] = "";
    struct hc_span type = {0}, plain = without_brackets(text, copy, 1000);
    int64_t *gpus = is_used ? &row->gpus_used : &row->gpus;
    const char *wrong = put_gpus(plain, text.length && !plain.length, gpus, &type);
    if (type.length && !is_used) {
        /* In the text itself, which stays. */
        const char *at = memmem(text.text, text.length, type.text, type.length);
        row->gpu_type = (struct hc_span){at, at ? type.length : 0};
    }
    return wrong;
}

static void put_state(struct hc_node_row *row, struct hc_span text)
{
    row->has_state = text.length > 0;
    row->state = (struct hc_node_state){HC_NODE_UNKNOWN, 0};
    hc_node_state_add(&row->state, text.text, text.length);
    /* sinfo calls a node so when it is idle; of one in use it says that. */
    const int32_t set_aside = HC_NODE_RESERVED | HC_NODE_MAINT | HC_NODE_PLANNED;
    if (row->how == HC_NODE_SNAPSHOT && row->state.base == HC_NODE_UNKNOWN &&
        (row->state.flags & set_aside) &&
        !(row->state.flags & ~(set_aside | HC_NODE_NOT_RESPONDING)))
        row->state.base = HC_NODE_IDLE;
}

/* "planned: firmware [root@2026-11-23T05:54:37]" */
static void put_reason(struct hc_node_builder *builder, struct hc_node_row *row,
                       struct hc_span text)
{
    const char *open = text.length ? memrchr(text.text, '[', text.length) : NULL;
    const char *at = open ? memchr(open, '@', (size_t)(text.text + text.length - open)) : NULL;
    enum hc_time_basis basis;
    if (is_word(text, "none") || is_word(text, "(null)"))
        return;
    row->reason = text;
    if (!at || text.text[text.length - 1] != ']')
        return;
    struct hc_span time = {at + 1, (size_t)(text.text + text.length - 1 - (at + 1))};
    if (!hc_node_time(builder, time, &row->reason_ns, &basis))
        return;
    row->user = (struct hc_span){open + 1, (size_t)(at - open - 1)};
    row->reason = hc_node_trim((struct hc_span){text.text, (size_t)(open - text.text)});
}

const char *hc_node_field_put(struct hc_node_builder *builder, struct hc_node_row *row,
                              enum hc_node_field field, struct hc_span text)
{
    enum hc_time_basis basis;
    struct hc_span ignored = {0};
    const char *slash = text.length ? memrchr(text.text, '/', text.length) : NULL;
    switch (field) {
    case HC_NODE_FIELD_NODE:
        row->node = text;
        return NULL;
    case HC_NODE_FIELD_STATE:
        put_state(row, text);
        return NULL;
    case HC_NODE_FIELD_REASON:
        put_reason(builder, row, text);
        return NULL;
    case HC_NODE_FIELD_USER: {
        const char *open = text.length ? memchr(text.text, '(', text.length) : NULL;
        row->user = (struct hc_span){text.text, open ? (size_t)(open - text.text) : text.length};
        return NULL;
    }
    case HC_NODE_FIELD_TRES:
        return put_gpus(text, false, &row->gpus, row->gpu_type.length ? &ignored : &row->gpu_type);
    case HC_NODE_FIELD_TRES_USED:
        return put_gpus(text, text.length == 0, &row->gpus_used, &ignored);
    case HC_NODE_FIELD_GRES:
        return put_gres(row, text, false);
    case HC_NODE_FIELD_GRES_USED:
        return put_gres(row, text, true);
    case HC_NODE_FIELD_CPUS:
        if (slash) /* allocated/idle/other/total */
            text = (struct hc_span){slash + 1, (size_t)(text.text + text.length - slash - 1)};
        return hc_slurm_count(text, &row->cpus) == HC_SLURM_WRONG ? "its CPUs are no number" : NULL;
    case HC_NODE_FIELD_PARTITIONS:
        row->partitions = text;
        return NULL;
    case HC_NODE_FIELD_CLUSTER:
        row->cluster = text;
        return NULL;
    case HC_NODE_FIELD_START:
        return hc_node_time(builder, text, &row->since_ns, &row->clock) ? NULL
                                                                        : "its start is no time";
    case HC_NODE_FIELD_END:
        return hc_node_time(builder, text, &row->until_ns, &basis) ? NULL : "its end is no time";
    case HC_NODE_FIELD_NONE:
        break;
    }
    return NULL;
}

/* ---- rows ---- */

static void put_count(const struct hc_record_writer *writer, size_t column, int64_t value)
{
    if (value != HC_MISSING_I64 && value <= INT32_MAX)
        hc_record_put_i32(writer, column, (int32_t)value);
}

enum hc_status hc_node_row_put(const struct hc_node_builder *builder, const struct hc_node_row *row,
                               struct hc_table *rows, struct hc_error *err)
{
    struct hc_record_writer writer = {builder->names, rows};
    struct hc_span source = {builder->source->name, strlen(builder->source->name)};
    bool is_snapshot = row->how == HC_NODE_SNAPSHOT;
    const struct {
        size_t column;
        struct hc_span text;
    } texts[] = {
        {HC_NODE_STATES_CLUSTER, row->cluster},   {HC_NODE_STATES_NODE, row->node},
        {HC_NODE_STATES_REASON, row->reason},     {HC_NODE_STATES_USER, row->user},
        {HC_NODE_STATES_GPU_TYPE, row->gpu_type}, {HC_NODE_STATES_PARTITIONS, row->partitions},
        {HC_NODE_STATES_SOURCE, source},
    };
    hc_record_begin(&writer);
    hc_record_put_i64(&writer, HC_NODE_STATES_SINCE_NS,
                      is_snapshot ? builder->at_ns : row->since_ns);
    hc_record_put_i64(&writer, HC_NODE_STATES_UNTIL_NS, row->until_ns);
    hc_record_put_i64(&writer, HC_NODE_STATES_REASON_NS, row->reason_ns);
    hc_record_put_i64(&writer, HC_NODE_STATES_LINE, row->line);
    if (row->has_state) {
        hc_record_put_i32(&writer, HC_NODE_STATES_STATE, (int32_t)row->state.base);
        hc_record_put_i32(&writer, HC_NODE_STATES_FLAGS, row->state.flags);
    }
    put_count(&writer, HC_NODE_STATES_GPUS, row->gpus);
    put_count(&writer, HC_NODE_STATES_GPUS_USED, row->gpus_used);
    put_count(&writer, HC_NODE_STATES_CPUS, row->cpus);
    hc_record_put_i32(&writer, HC_NODE_STATES_HOW, (int32_t)row->how);
    hc_record_put_i32(&writer, HC_NODE_STATES_CLOCK,
                      (int32_t)(is_snapshot ? builder->at_basis : row->clock));
    int64_t fact = hc_node_state_fact(row->how, row->node.text, row->node.length);
    if (row->how == HC_NODE_PLAN) /* of which several may begin at once */
        fact = hc_record_fact(fact, row->reason.text, row->reason.length);
    hc_record_put_i64(&writer, HC_NODE_STATES_FACT, fact);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (hc_record_put_text(&writer, texts[i].column, texts[i].text.text, texts[i].text.length,
                               err))
            return err->status;
    return HC_OK;
}
