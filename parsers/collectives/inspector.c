/* inspector.c - logs of NCCL Inspector, one a process: JSON objects one behind the other, each with
 * the communicator, the process and one timed collective, send or receive
 * (docs/formats/nccl-inspector.md). */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/collectives/timed_tables.h"
#include "core/text/json_pull.h"
#include "core/text/number_text.h"
#include "parsers/collectives/object_text.h"
#include "parsers/io/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_RECENT 64 /* places that are remembered, a power of two */

enum dictionary { OF_COMMUNICATOR, OF_NAME, OF_PROCESS, OF_OP, OF_VERSION, N_DICTIONARIES };

/* What an object says of its communicator and its process. */
struct origin {
    int32_t communicator, name, rank, n_ranks, n_nodes;
    int32_t process, version, revision;
    int64_t dump_ns;
    bool has_header;
};

struct place {
    int32_t communicator, rank, process; /* communicator -1: not in use */
};

struct inspector {
    const struct hc_source *source;
    struct hc_object_text text;
    struct hc_text_set *set[N_DICTIONARIES];
    struct origin marker; /* what a dump_stats said last: of the objects behind it */
    struct place recent[N_RECENT];
    struct hc_text_set places;          /* "communicator/rank/process" of the rows that are there */
    int32_t process, version, revision; /* of the first record */
    int64_t n_records, n_dropped, n_other;
    bool is_unknown, is_over, is_done;
    struct hc_table *tables;
    struct hc_row_report *report;
};

static const char *const first_keys[] = {"header",    "metadata", "dump_stats",
                                         "coll_perf", "p2p_perf", NULL};
static const char *const known_versions[] = {"v4.0", "v4.1", "v4.2", "v4.3"};
static const struct origin unknown_origin = {
    HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32,
    HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I64, false};

static bool holds(const unsigned char *head, size_t length, const char *word)
{
    return memmem(head, length, word, strlen(word)) != NULL;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    bool has_record = holds(head, length, "\"coll_perf\"") || holds(head, length, "\"p2p_perf\"");
    bool has_version = holds(head, length, "\"inspector_output_format_version\"");
    if (holds(head, length, "\"traceEvents\""))
        return 0;
    if (has_record && holds(head, length, "\"header\""))
        return 96;
    return has_version ? 90 : has_record && holds(head, length, "\"coll_sn\"") ? 80 : 0;
}

/* ---- values ---- */

/* Why a value cannot be kept. */
struct fault {
    enum hc_bad_reason reason; /* HC_N_BAD_REASONS: there is none */
    const char *key, *what;
    struct hc_printable value;
};

static void fail(struct fault *fault, enum hc_bad_reason reason, const char *key, const char *what,
                 const struct hc_object_member *member)
{
    if (fault->reason != HC_N_BAD_REASONS)
        return;
    *fault = (struct fault){.reason = reason, .key = key, .what = what};
    if (member)
        fault->value = hc_printable(member->text, member->length);
}

/* A string with its escapes resolved, at its end; NULL where that is no text. */
static char *unescaped(const struct hc_object_member *member, struct hc_error *err)
{
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token;
    struct hc_error none = {0};
    char *quoted = hc_new_text(err, "\"%.*s\"", (int)member->length, member->text);
    char *text = NULL;
    if (!quoted)
        return NULL;
    const struct hc_pull_text whole = {"a string", quoted, strlen(quoted)};
    if (hc_pull_open_text(&pull, &whole, HC_PULL_NO_NUL, err) == HC_OK &&
        hc_pull_next(pull, &token, &none) == HC_OK)
        text = hc_new_text(err, "%.*s", (int)token.length, token.text);
    hc_pull_close(pull);
    free(quoted);
    return text;
}

/* The code of a text; missing for what is no text, or holds a NUL. */
static enum hc_status code_of(struct inspector *p, enum dictionary dictionary,
                              const struct hc_object_member *member, int32_t *code,
                              struct hc_error *err)
{
    *code = HC_MISSING_I32;
    if (!member || member->kind == HC_MEMBER_OBJECT || member->length == 0 ||
        memchr(member->text, '\0', member->length))
        return HC_OK;
    if (!member->is_escaped)
        return hc_text_set_add(p->set[dictionary], member->text, member->length, code, err);
    char *text = unescaped(member, err);
    enum hc_status status =
        text ? hc_text_set_add(p->set[dictionary], text, strlen(text), code, err) : err->status;
    free(text);
    return status;
}

/* A whole number within [least, most]; missing where the member is absent or null. */
static int64_t whole_of(const struct hc_object_text *text, int parent, const char *key,
                        const int64_t range[2], struct fault *fault)
{
    const struct hc_object_member *member = hc_object_text_find(text, parent, key);
    int64_t value = 0;
    if (!member || (member->length == 4 && memcmp(member->text, "null", 4) == 0))
        return HC_MISSING_I64;
    enum hc_text_number as = member->kind == HC_MEMBER_OBJECT
                                 ? HC_TEXT_NOT_NUMBER
                                 : hc_text_to_i64(member->text, member->length, &value);
    if (as == HC_TEXT_OK && value >= range[0] && value <= range[1])
        return value;
    bool is_range = as == HC_TEXT_OK || as == HC_TEXT_OUT_OF_RANGE;
    fail(fault, is_range ? HC_BAD_RANGE : HC_BAD_NUMBER, key,
         is_range ? "out of range" : "no whole number", member);
    return HC_MISSING_I64;
}

static const int64_t any_count[2] = {0, INT64_MAX};
static const int64_t any_i32[2] = {0, INT32_MAX - 1};

static int32_t small_of(const struct hc_object_text *text, int parent, const char *key,
                        struct fault *fault)
{
    int64_t value = whole_of(text, parent, key, any_i32, fault);
    return value == HC_MISSING_I64 ? HC_MISSING_I32 : (int32_t)value;
}

/* Microseconds, whole or not, as ns. */
static int64_t ns_of(const struct hc_object_text *text, int parent, const char *key,
                     struct fault *fault)
{
    const struct hc_object_member *member = hc_object_text_find(text, parent, key);
    int64_t ns = 0;
    if (!member || (member->length == 4 && memcmp(member->text, "null", 4) == 0))
        return HC_MISSING_I64;
    enum hc_text_number as = member->kind == HC_MEMBER_OBJECT
                                 ? HC_TEXT_NOT_NUMBER
                                 : hc_text_us_to_ns(member->text, member->length, &ns);
    if (as == HC_TEXT_OK && ns >= 0)
        return ns;
    bool is_range = as == HC_TEXT_OK || as == HC_TEXT_OUT_OF_RANGE;
    fail(fault, is_range ? HC_BAD_RANGE : HC_BAD_NUMBER, key,
         as == HC_TEXT_OK ? "below 0"
         : is_range       ? "out of range"
                          : "no number",
         member);
    return HC_MISSING_I64;
}

/* What the log says of bandwidth: anything that is no number is nothing said. */
static double real_of(const struct hc_object_text *text, int parent, const char *key)
{
    const struct hc_object_member *member = hc_object_text_find(text, parent, key);
    char number[64], *end = NULL;
    if (!member || member->kind == HC_MEMBER_OBJECT || member->length == 0 ||
        member->length >= sizeof number)
        return NAN;
    memcpy(number, member->text, member->length);
    number[member->length] = '\0';
    double value = strtod(number, &end);
    return *end || !isfinite(value) ? NAN : value;
}

/* ---- who, and where ---- */

static enum hc_status read_header(struct inspector *p, int header, struct origin *origin,
                                  struct fault *fault, struct hc_error *err)
{
    const struct hc_object_text *text = &p->text;
    origin->has_header = true;
    origin->rank = small_of(text, header, "rank", fault);
    origin->n_ranks = small_of(text, header, "n_ranks", fault);
    origin->n_nodes = small_of(text, header, "nnodes", fault);
    if (code_of(p, OF_COMMUNICATOR, hc_object_text_find(text, header, "id"), &origin->communicator,
                err))
        return err->status;
    return code_of(p, OF_NAME, hc_object_text_find(text, header, "comm_name"), &origin->name, err);
}

static enum hc_status read_metadata(struct inspector *p, int metadata, struct origin *origin,
                                    struct fault *fault, struct hc_error *err)
{
    const struct hc_object_text *text = &p->text;
    const struct hc_object_member *host = hc_object_text_find(text, metadata, "hostname");
    const struct hc_object_member *pid = hc_object_text_find(text, metadata, "pid");
    char process[512];
    origin->dump_ns = ns_of(text, metadata, "dump_timestamp_us", fault);
    if (code_of(p, OF_VERSION,
                hc_object_text_find(text, metadata, "inspector_output_format_version"),
                &origin->version, err) ||
        code_of(p, OF_VERSION, hc_object_text_find(text, metadata, "git_rev"), &origin->revision,
                err))
        return err->status;
    if (!host || host->kind != HC_MEMBER_TEXT || memchr(host->text, '\0', host->length))
        return HC_OK;
    bool has_pid = pid && pid->kind == HC_MEMBER_LITERAL && pid->length < 20;
    int length =
        snprintf(process, sizeof process, "%.*s%s%.*s", (int)host->length, host->text,
                 has_pid ? ":" : "", has_pid ? (int)pid->length : 0, has_pid ? pid->text : "");
    if (length <= 0 || (size_t)length >= sizeof process)
        return HC_OK;
    return hc_text_set_add(p->set[OF_PROCESS], process, (size_t)length, &origin->process, err);
}

/* Header and metadata of the object of that parent, over what was known before. */
static enum hc_status read_origin(struct inspector *p, int parent, struct origin *origin,
                                  struct fault *fault, struct hc_error *err)
{
    int header = hc_object_text_inner(&p->text, parent, "header");
    int metadata = hc_object_text_inner(&p->text, parent, "metadata");
    if (header >= 0 && read_header(p, header, origin, fault, err))
        return err->status;
    return metadata >= 0 ? read_metadata(p, metadata, origin, fault, err) : HC_OK;
}

/* A log without host names is of a process named after its file. */
static enum hc_status name_process(struct inspector *p, int32_t *process, struct hc_error *err)
{
    const char *slash = strrchr(p->source->name, '/'), *name = slash ? slash + 1 : p->source->name;
    return hc_text_set_add(p->set[OF_PROCESS], name, strlen(name), process, err);
}

static void check_version(struct inspector *p, int32_t version, int64_t byte)
{
    const char *text = version < 0 ? NULL : p->set[OF_VERSION]->text[version];
    for (size_t i = 0; text && i < sizeof known_versions / sizeof *known_versions; i++)
        if (strcmp(text, known_versions[i]) == 0)
            return;
    if (!text || p->is_unknown)
        return;
    p->is_unknown = true;
    hc_warn("'%s': byte %lld: version '%s' of the Inspector's output is not known: it is read as "
            "v4.2",
            p->source->name, (long long)byte, hc_printable(text, strlen(text)).text);
}

/* The row of a place, once. */
static enum hc_status note_place(struct inspector *p, const struct origin *origin,
                                 struct hc_error *err)
{
    struct hc_table *places = &p->tables[HC_TIMED_PLACES];
    struct place place = {origin->communicator, origin->rank, origin->process};
    uint32_t hash =
        (uint32_t)place.communicator * 31 + (uint32_t)place.rank * 7 + (uint32_t)place.process;
    struct place *recent = &p->recent[hash & (N_RECENT - 1)];
    char key[48];
    size_t row = places->n_rows, n = p->places.n;
    int32_t code = 0;
    if (memcmp(recent, &place, sizeof place) == 0)
        return HC_OK;
    int length = snprintf(key, sizeof key, "%d/%d/%d", (int)place.communicator, (int)place.rank,
                          (int)place.process);
    if (hc_text_set_add(&p->places, key, (size_t)length, &code, err))
        return err->status;
    *recent = place;
    if (p->places.n == n)
        return HC_OK;
    hc_table_i32(places, HC_PLACES_COMMUNICATOR)[row] = origin->communicator;
    hc_table_i32(places, HC_PLACES_NAME)[row] = origin->name;
    hc_table_i32(places, HC_PLACES_RANK)[row] = origin->rank;
    hc_table_i32(places, HC_PLACES_PROCESS)[row] = origin->process;
    hc_table_i32(places, HC_PLACES_N_RANKS)[row] = origin->n_ranks;
    hc_table_i32(places, HC_PLACES_N_NODES)[row] = origin->n_nodes;
    places->n_rows++;
    return HC_OK;
}

/* ---- a record ---- */

static int32_t timing_of(const struct hc_object_text *text, int perf, const char *key)
{
    static const char *const words[] = {"kernel_gpu", "kernel_cpu", "collective_cpu"};
    const struct hc_object_member *member = hc_object_text_find(text, perf, key);
    for (int32_t i = 0; member && i < 3; i++)
        if (member->length == strlen(words[i]) &&
            memcmp(member->text, words[i], member->length) == 0)
            return i;
    return HC_MISSING_I32;
}

/* The keys of a collective, and of a send or receive. */
static const struct record_keys {
    const char *op, *seq, *bytes, *time, *timing, *algobw, *busbw;
} record_keys[2] = {
    {"coll", "coll_sn", "coll_msg_size_bytes", "coll_exec_time_us", "coll_timing_source",
     "coll_algobw_gbs", "coll_busbw_gbs"},
    {"p2p", "p2p_sn", "p2p_msg_size_bytes", "p2p_exec_time_us", "p2p_timing_source",
     "p2p_algobw_gbs", "p2p_busbw_gbs"},
};

static void put_times(const struct hc_object_text *text, int perf, const struct hc_table *to,
                      size_t row, struct fault *fault)
{
    int stamps = hc_object_text_inner(text, perf, "event_trace_ts");
    hc_table_i64(to, HC_TIMED_START_NS)[row] = ns_of(text, stamps, "coll_start_ts", fault);
    hc_table_i64(to, HC_TIMED_STOP_NS)[row] = ns_of(text, stamps, "coll_stop_ts", fault);
}

static enum hc_status put_record(struct inspector *p, int perf, bool is_p2p,
                                 const struct origin *origin, struct fault *fault,
                                 struct hc_error *err)
{
    const struct record_keys *keys = &record_keys[is_p2p];
    const struct hc_object_text *text = &p->text;
    const struct hc_table *to = &p->tables[HC_TIMED_RECORDS];
    size_t row = to->n_rows;
    hc_table_i32(to, HC_TIMED_COMMUNICATOR)[row] = origin->communicator;
    hc_table_i32(to, HC_TIMED_RANK)[row] = origin->rank;
    hc_table_i32(to, HC_TIMED_PROCESS)[row] = origin->process;
    hc_table_i32(to, HC_TIMED_IS_P2P)[row] = is_p2p;
    hc_table_i64(to, HC_TIMED_DUMP_NS)[row] = origin->dump_ns;
    hc_table_i64(to, HC_TIMED_SEQ)[row] = whole_of(text, perf, keys->seq, any_count, fault);
    hc_table_i64(to, HC_TIMED_BYTES)[row] = whole_of(text, perf, keys->bytes, any_count, fault);
    hc_table_i64(to, HC_TIMED_DURATION_NS)[row] = ns_of(text, perf, keys->time, fault);
    hc_table_i32(to, HC_TIMED_PEER)[row] =
        is_p2p ? small_of(text, perf, "p2p_peer", fault) : HC_MISSING_I32;
    hc_table_i32(to, HC_TIMED_SOURCE)[row] = timing_of(text, perf, keys->timing);
    hc_table_f64(to, HC_TIMED_ALGOBW_GB_S)[row] = real_of(text, perf, keys->algobw);
    hc_table_f64(to, HC_TIMED_BUSBW_GB_S)[row] = real_of(text, perf, keys->busbw);
    put_times(text, perf, to, row, fault);
    return code_of(p, OF_OP, hc_object_text_find(text, perf, keys->op),
                   &hc_table_i32(to, HC_TIMED_OP)[row], err);
}

/* What a record cannot do without. */
static void check_record(struct inspector *p, const struct origin *origin, bool is_p2p,
                         struct fault *fault)
{
    const struct record_keys *keys = &record_keys[is_p2p];
    const struct hc_table *to = &p->tables[HC_TIMED_RECORDS];
    size_t row = to->n_rows;
    const char *lack = !origin->has_header                                             ? "header"
                       : origin->communicator == HC_MISSING_I32                        ? "id"
                       : origin->rank == HC_MISSING_I32                                ? "rank"
                       : hc_table_i32(to, HC_TIMED_OP)[row] == HC_MISSING_I32          ? keys->op
                       : hc_table_i64(to, HC_TIMED_SEQ)[row] == HC_MISSING_I64         ? keys->seq
                       : hc_table_i64(to, HC_TIMED_DURATION_NS)[row] == HC_MISSING_I64 ? keys->time
                                                                                       : NULL;
    if (lack)
        fail(fault, HC_BAD_NULL, lack, "missing", NULL);
    if (origin->n_ranks != HC_MISSING_I32 && origin->rank >= origin->n_ranks)
        fail(fault, HC_BAD_RANGE, "rank", "not below n_ranks",
             hc_object_text_find(&p->text, hc_object_text_inner(&p->text, -1, "header"), "rank"));
}

static enum hc_status take_bad(struct inspector *p, const struct fault *fault, struct hc_error *err)
{
    p->n_dropped++;
    return hc_row_report_bad(p->report, fault->reason, HC_MISSING_I32, err,
                             "'%s': byte %lld: %s%s%s%s is %s", p->source->name,
                             (long long)p->text.byte, fault->key, fault->value.text[0] ? " '" : "",
                             fault->value.text, fault->value.text[0] ? "'" : "", fault->what);
}

static enum hc_status take_record(struct inspector *p, int perf, bool is_p2p, struct origin *origin,
                                  struct fault *fault, struct hc_error *err)
{
    if (origin->process == HC_MISSING_I32 && name_process(p, &origin->process, err))
        return err->status;
    if (put_record(p, perf, is_p2p, origin, fault, err))
        return err->status;
    check_record(p, origin, is_p2p, fault);
    p->n_records++;
    p->report->rows_read++;
    if (fault->reason != HC_N_BAD_REASONS)
        return take_bad(p, fault, err);
    if (p->process < 0) {
        p->process = origin->process;
        p->version = origin->version;
        p->revision = origin->revision;
    }
    check_version(p, origin->version, p->text.byte);
    p->tables[HC_TIMED_RECORDS].n_rows++;
    return note_place(p, origin, err);
}

/* The object that was read. */
static enum hc_status take_object(struct inspector *p, struct hc_error *err)
{
    const struct hc_object_text *text = &p->text;
    struct fault fault = {.reason = HC_N_BAD_REASONS};
    int marker = hc_object_text_inner(text, -1, "dump_stats");
    int collective = hc_object_text_inner(text, -1, "coll_perf");
    int p2p = hc_object_text_inner(text, -1, "p2p_perf");
    if (marker >= 0) { /* v4.3: of all objects behind it */
        p->marker = unknown_origin;
        if (read_origin(p, -1, &p->marker, &fault, err) ||
            read_origin(p, marker, &p->marker, &fault, err))
            return err->status;
    }
    if (collective < 0 && p2p < 0) {
        p->n_other += marker < 0;
        return HC_OK;
    }
    struct origin origin = p->marker;
    if (read_origin(p, -1, &origin, &fault, err))
        return err->status;
    return take_record(p, collective >= 0 ? collective : p2p, collective < 0, &origin, &fault, err);
}

static enum hc_status take_damage(struct inspector *p, struct hc_error *err)
{
    p->n_records++;
    p->n_dropped++;
    p->report->rows_read++;
    return hc_row_report_bad(p->report, HC_BAD_TEXT, HC_MISSING_I32, err,
                             "'%s': byte %lld: no whole JSON object begins here", p->source->name,
                             (long long)p->text.byte);
}

/* ---- the log as a whole ---- */

/* 31 bits of a digest of host and pid. */
static enum hc_status number_of(struct inspector *p, int32_t *number, struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    if (p->process < 0 && name_process(p, &p->process, err))
        return err->status;
    const char *process = p->set[OF_PROCESS]->text[p->process];
    hc_digest_bytes(process, strlen(process), digest);
    digest[8] = '\0';
    *number = (int32_t)(strtoul(digest, NULL, 16) & INT32_MAX);
    return HC_OK;
}

static enum hc_status put_log(struct inspector *p, struct hc_error *err)
{
    struct hc_table *logs = &p->tables[HC_TIMED_LOGS];
    size_t row = logs->n_rows;
    int32_t number = 0;
    if (number_of(p, &number, err))
        return err->status;
    hc_table_i32(logs, HC_LOGS_NUMBER)[row] = number;
    hc_table_i32(logs, HC_LOGS_PROCESS)[row] = p->process;
    hc_table_i32(logs, HC_LOGS_VERSION)[row] = p->version;
    hc_table_i32(logs, HC_LOGS_REVISION)[row] = p->revision;
    hc_table_i64(logs, HC_LOGS_N_RECORDS)[row] = p->n_records;
    hc_table_i64(logs, HC_LOGS_N_DROPPED)[row] = p->n_dropped;
    hc_table_i64(logs, HC_LOGS_N_OTHER)[row] = p->n_other;
    hc_table_i32(logs, HC_LOGS_IS_CUT)[row] = p->text.is_cut;
    hc_table_i32(logs, HC_LOGS_IS_UNKNOWN)[row] = p->is_unknown;
    logs->n_rows++;
    p->is_done = true;
    if (p->text.is_cut)
        hc_warn("'%s': the tail of the log is cut off; the %lld records before it are read",
                p->source->name, (long long)(p->n_records - p->n_dropped));
    return HC_OK;
}

static void close_log(void *parser)
{
    struct inspector *p = parser;
    if (!p)
        return;
    hc_object_text_close(&p->text);
    hc_text_set_fini(&p->places);
    free(p);
}

static enum hc_status find_sets(struct inspector *p, struct hc_table_names *names,
                                struct hc_error *err)
{
    static const char *const dictionaries[N_DICTIONARIES] = {[OF_COMMUNICATOR] = "communicator",
                                                             [OF_NAME] = "communicator_name",
                                                             [OF_PROCESS] = "process",
                                                             [OF_OP] = "collective",
                                                             [OF_VERSION] = "log_version"};
    for (int d = 0; d < N_DICTIONARIES; d++) {
        for (size_t i = 0; i < names->n; i++)
            if (strcmp(names->dictionary[i], dictionaries[d]) == 0)
                p->set[d] = &names->set[i];
        if (!p->set[d])
            return hc_fail(err, HC_INTERNAL, "the kind of logs has no dictionary '%s'",
                           dictionaries[d]);
    }
    return HC_OK;
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct inspector *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->marker = unknown_origin;
    p->process = p->version = p->revision = HC_MISSING_I32;
    for (int i = 0; i < N_RECENT; i++)
        p->recent[i].communicator = -1;
    if (find_sets(p, options->names, err) || hc_object_text_open(&p->text, source, err)) {
        close_log(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status next_tables(void *parser, struct hc_table *tables,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct inspector *p = parser;
    p->tables = tables;
    p->report = report;
    while (!p->is_over && tables[HC_TIMED_RECORDS].n_rows < tables[HC_TIMED_RECORDS].capacity &&
           tables[HC_TIMED_PLACES].n_rows < tables[HC_TIMED_PLACES].capacity) {
        enum hc_object_outcome outcome;
        if (hc_object_text_next(&p->text, first_keys, &outcome, err))
            return err->status;
        if (outcome == HC_OBJECT_READ && take_object(p, err))
            return err->status;
        if (outcome == HC_OBJECT_DAMAGED && take_damage(p, err))
            return err->status;
        p->text.is_cut |= outcome == HC_OBJECT_CUT;
        p->is_over = outcome == HC_OBJECT_END || outcome == HC_OBJECT_CUT;
    }
    return p->is_over && !p->is_done ? put_log(p, err) : HC_OK;
}

static int64_t position(const void *parser)
{
    const struct inspector *p = parser;
    return hc_byte_reader_position(p->text.reader);
}

const struct hc_format hc_format_nccl_inspector = {
    .name = "nccl-inspector",
    .description = "timed collectives: a log of NCCL Inspector, a process a file",
    .version = 1,
    .table = &hc_timed_def,
    .probe = probe,
    .open = open_log,
    .next_tables = next_tables,
    .position = position,
    .close = close_log,
};
