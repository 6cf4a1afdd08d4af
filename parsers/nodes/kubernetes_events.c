/* kubernetes_events.c - what Kubernetes says of the start of pods: `kubectl get events -o json`, or
 * JSON lines of an exporter of events, an event a line.
 *
 * Of each pod the events Scheduled, Pulling, Pulled, Created and Started become phases: from its
 * place to the pull (allocate), the pull (image), and from there to its start (environment). The
 * events of a pod come in any order, so that its phases are made when all are read. */
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/nodes/phase_table.h"
#include "core/tables/nodes/record_rows.h"
#include "parsers/io/format.h"
#include "parsers/io/json_source.h"
#include "parsers/io/line_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PODS 16384
#define TEXT_MOST 256

enum reason { SCHEDULED, PULLING, PULLED, CREATED, STARTED, N_REASONS };
static const char *const reasons[N_REASONS] = {"Scheduled", "Pulling", "Pulled", "Created",
                                               "Started"};

/* An event as it stands in the source; texts are cut, and end. */
struct event {
    char reason[32], kind[32], pod[TEXT_MOST], space[TEXT_MOST], host[TEXT_MOST],
        message[TEXT_MOST];
    char first[40], at[40], created[40]; /* firstTimestamp, eventTime, metadata's */
};

/* What is known of a pod. Times are HC_MISSING_I64 until they are told. */
struct pod {
    int64_t id; /* hash of its namespace and name */
    char *name, *node;
    int64_t first_ns[N_REASONS], last_ns[N_REASONS];
    int64_t pull_ns; /* that the pull took which ended last */
    int64_t line;
};

struct kubernetes {
    const struct hc_source *source;
    struct hc_table_names *names;
    struct hc_json_pull *pull;    /* of one document; or */
    struct hc_line_reader *lines; /* of an event a line */
    bool is_read;
    struct pod *pods;
    size_t n_pods, pods_capacity, next_phase; /* of all pods */
    int64_t line;
};

/* ---- an event ---- */

static bool is(const struct hc_pull_token *token, const char *word)
{
    return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

static void put_text(char *to, size_t size, const struct hc_pull_token *value)
{
    size_t n = value->length < size - 1 ? value->length : size - 1;
    memcpy(to, value->text, n);
    to[n] = '\0';
}

/* Objects of an event whose fields are read. */
enum within { WITHIN_EVENT, WITHIN_OBJECT, WITHIN_SOURCE, WITHIN_METADATA, WITHIN_NOTHING };

static enum within within_of(const struct hc_pull_token *key)
{
    return is(key, "involvedObject") || is(key, "regarding")  ? WITHIN_OBJECT
           : is(key, "source") || is(key, "deprecatedSource") ? WITHIN_SOURCE
           : is(key, "metadata")                              ? WITHIN_METADATA
                                                              : WITHIN_NOTHING;
}

/* Where the value of a key belongs; its size, 0: nowhere. */
static size_t field_of(struct event *e, enum within within, const struct hc_pull_token *key,
                       char **to)
{
    const struct {
        enum within within;
        const char *key;
        char *to;
        size_t size;
    } fields[] = {
        {WITHIN_EVENT, "reason", e->reason, sizeof e->reason},
        {WITHIN_EVENT, "message", e->message, sizeof e->message},
        {WITHIN_EVENT, "note", e->message, sizeof e->message},
        {WITHIN_EVENT, "firstTimestamp", e->first, sizeof e->first},
        {WITHIN_EVENT, "deprecatedFirstTimestamp", e->first, sizeof e->first},
        {WITHIN_EVENT, "eventTime", e->at, sizeof e->at},
        {WITHIN_OBJECT, "kind", e->kind, sizeof e->kind},
        {WITHIN_OBJECT, "name", e->pod, sizeof e->pod},
        {WITHIN_OBJECT, "namespace", e->space, sizeof e->space},
        {WITHIN_SOURCE, "host", e->host, sizeof e->host},
        {WITHIN_METADATA, "creationTimestamp", e->created, sizeof e->created},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].within == within && is(key, fields[i].key)) {
            *to = fields[i].to;
            return fields[i].size;
        }
    return 0;
}

/* The fields of an object that was opened, to its end. */
static enum hc_status read_fields(struct hc_json_pull *pull, struct event *e, enum within within,
                                  struct hc_error *err)
{
    struct hc_pull_token token;
    for (;;) {
        char *to = NULL;
        if (hc_pull_next(pull, &token, err))
            return err->status;
        if (token.kind != HC_PULL_KEY)
            return HC_OK;
        size_t size = field_of(e, within, &token, &to);
        enum within inner = within == WITHIN_EVENT ? within_of(&token) : WITHIN_NOTHING;
        if (!size && inner == WITHIN_NOTHING) {
            if (hc_pull_skip_value(pull, err))
                return err->status;
            continue;
        }
        if (hc_pull_next(pull, &token, err))
            return err->status;
        if (size && token.kind == HC_PULL_STRING)
            put_text(to, size, &token);
        else if (token.kind == HC_PULL_OBJECT && inner != WITHIN_NOTHING) {
            if (read_fields(pull, e, inner, err))
                return err->status;
        } else if ((token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY) &&
                   hc_pull_skip_rest(pull, err))
            return err->status;
    }
}

/* ---- pods ---- */

static struct pod *find_pod(struct kubernetes *k, const struct event *e, struct hc_error *err)
{
    int64_t id = hc_record_fact(0, e->space, strlen(e->space));
    id = hc_record_fact(id, e->pod, strlen(e->pod));
    for (size_t i = k->n_pods; i-- > 0;) /* the events of a pod stand close together */
        if (k->pods[i].id == id)
            return &k->pods[i];
    if (hc_reserve(&k->pods, &k->pods_capacity, k->n_pods + 1, sizeof *k->pods, err))
        return NULL;
    struct pod *pod = &k->pods[k->n_pods];
    *pod = (struct pod){.id = id, .pull_ns = HC_MISSING_I64, .line = k->line};
    for (int r = 0; r < N_REASONS; r++)
        pod->first_ns[r] = pod->last_ns[r] = HC_MISSING_I64;
    pod->name = hc_new_text(err, "%s%s%s", e->space, *e->space ? "/" : "", e->pod);
    if (!pod->name)
        return NULL;
    k->n_pods++;
    return pod;
}

static enum hc_status put_node(struct pod *pod, const struct event *e, struct hc_error *err)
{
    const char *node = e->host, *assigned = strstr(e->message, " to ");
    if (!*node && strcmp(e->reason, reasons[SCHEDULED]) == 0 && assigned)
        node = assigned + 4; /* "Successfully assigned ml/train-0 to node-7" */
    if (!*node || pod->node)
        return HC_OK;
    pod->node = hc_copy_text(node, err);
    return pod->node ? HC_OK : err->status;
}

/* "1m2.5s", "850ms": nanoseconds, or HC_MISSING_I64 */
static int64_t duration_of(const char *text)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ms", 1e6}, {"us", 1e3}, {"h", 3600e9}, {"m", 60e9}, {"s", 1e9}};
    double sum = 0;
    bool has_any = false;
    while (isdigit((unsigned char)*text)) {
        char *end;
        double value = strtod(text, &end);
        size_t u = 0;
        while (u < sizeof units / sizeof *units &&
               strncmp(end, units[u].unit, strlen(units[u].unit)) != 0)
            u++;
        if (u == sizeof units / sizeof *units)
            return HC_MISSING_I64;
        sum += value * units[u].ns;
        has_any = true;
        text = end + strlen(units[u].unit);
    }
    return has_any && sum < 1e16 ? (int64_t)(sum + 0.5) : HC_MISSING_I64;
}

static void put_time(struct pod *pod, enum reason reason, int64_t ns, const char *message)
{
    const char *took = strstr(message, " in ");
    if (reason == PULLED && ns >= pod->last_ns[PULLED]) /* a missing one is the least of all */
        pod->pull_ns = took ? duration_of(took + 4) : HC_MISSING_I64;
    if (pod->first_ns[reason] == HC_MISSING_I64 || ns < pod->first_ns[reason])
        pod->first_ns[reason] = ns;
    if (ns > pod->last_ns[reason])
        pod->last_ns[reason] = ns;
}

static enum hc_status bad(const struct kubernetes *k, enum hc_bad_reason reason, const char *what,
                          struct hc_row_report *report, struct hc_error *err)
{
    return hc_row_report_bad(report, reason, HC_MISSING_I32, err, "'%s': %s %lld: %s",
                             k->source->name, k->pull ? "event" : "line", (long long)k->line, what);
}

static enum hc_status take_event(struct kubernetes *k, const struct event *e,
                                 struct hc_row_report *report, struct hc_error *err)
{
    int64_t ns;
    int reason = 0;
    while (reason < N_REASONS && strcmp(e->reason, reasons[reason]) != 0)
        reason++;
    if (reason == N_REASONS || strcmp(e->kind, "Pod") != 0)
        return HC_OK; /* of what happens later, or of something else */
    report->rows_read++;
    const char *time = *e->first ? e->first : *e->at ? e->at : e->created;
    if (!*e->pod)
        return bad(k, HC_BAD_NULL, "no name of a pod", report, err);
    if (!hc_parse_iso8601(time, strlen(time), &ns))
        return bad(k, HC_BAD_NUMBER, "no time that can be read", report, err);
    if (k->n_pods == MOST_PODS)
        return bad(k, HC_BAD_RANGE, "of more than 16,384 pods: split the file", report, err);
    struct pod *pod = find_pod(k, e, err);
    if (!pod)
        return err->status;
    put_time(pod, (enum reason)reason, ns, e->message);
    return put_node(pod, e, err);
}

/* ---- the source ---- */

/* {"items": [event, ...]} */
static enum hc_status read_document(struct kubernetes *k, struct hc_row_report *report,
                                    struct hc_error *err)
{
    struct hc_pull_token token;
    bool in_items = false;
    for (;;) {
        struct event event = {0};
        if (hc_pull_next(k->pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_END)
            return HC_OK;
        if (token.kind == HC_PULL_KEY) {
            in_items = is(&token, "items");
            if (!in_items && hc_pull_skip_value(k->pull, err))
                return err->status;
        } else if (token.kind == HC_PULL_OBJECT && in_items) {
            k->line++;
            if (read_fields(k->pull, &event, WITHIN_EVENT, err) ||
                take_event(k, &event, report, err))
                return err->status;
        }
    }
}

static enum hc_status read_line(struct kubernetes *k, const struct hc_line *line,
                                struct hc_row_report *report, struct hc_error *err)
{
    const struct hc_pull_text text = {k->source->name, line->text, line->length};
    struct hc_json_pull *pull = NULL;
    struct hc_pull_token token;
    struct hc_error why = {0};
    struct event event = {0};
    k->line = line->number;
    bool may_tell = false;
    for (int r = 0; r < N_REASONS && !may_tell; r++)
        may_tell = memmem(line->text, line->length, reasons[r], strlen(reasons[r]));
    if (!may_tell)
        return HC_OK;
    enum hc_status status = hc_pull_open_text(&pull, &text, 0, &why);
    if (!status)
        status = hc_pull_next(pull, &token, &why);
    if (!status && token.kind == HC_PULL_OBJECT)
        status = read_fields(pull, &event, WITHIN_EVENT, &why);
    hc_pull_close(pull);
    if (status == HC_BAD_INPUT) {
        report->rows_read++;
        return bad(k, HC_BAD_FIELDS, "no JSON object", report, err);
    }
    if (status) {
        *err = why;
        return status;
    }
    return take_event(k, &event, report, err);
}

static enum hc_status read_lines(struct kubernetes *k, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct hc_line line;
    bool is_over = false;
    while (!hc_lines_next(k->lines, &line, &is_over, err) && !is_over)
        if (read_line(k, &line, report, err))
            return err->status;
    return err->status;
}

/* ---- phases ---- */

#define N_PHASES 3 /* of a pod, at most */

/* The nth phase of a pod; a missing start: it has none. An end that is not known, or before the
 * start, is missing. */
static struct hc_phase_row phase_of(const struct pod *pod, size_t n)
{
    struct hc_phase_row row = hc_phase_none;
    int64_t pulled_ns = pod->last_ns[PULLED], pull_ns = pod->first_ns[PULLING];
    if (pull_ns == HC_MISSING_I64 && pulled_ns != HC_MISSING_I64)
        pull_ns = pod->pull_ns == HC_MISSING_I64 ? pulled_ns : pulled_ns - pod->pull_ns;
    /* Of several containers, the last one to start; of one that was started again, the first time.
     */
    int64_t started_ns =
        pod->first_ns[STARTED] >= pulled_ns ? pod->first_ns[STARTED] : pod->last_ns[STARTED];
    const struct {
        enum hc_phase phase;
        int64_t start_ns, end_ns;
    } phases[N_PHASES] = {{HC_PHASE_ALLOCATE, pod->first_ns[SCHEDULED], pull_ns},
                          {HC_PHASE_IMAGE, pull_ns, pulled_ns},
                          {HC_PHASE_ENVIRONMENT, pulled_ns, started_ns}};
    row.phase = phases[n].phase;
    row.start_ns = phases[n].start_ns;
    row.end_ns = phases[n].end_ns < row.start_ns ? HC_MISSING_I64 : phases[n].end_ns;
    return row;
}

static enum hc_status put_phase(const struct kubernetes *k, const struct pod *pod, size_t n,
                                struct hc_table *rows, struct hc_error *err)
{
    struct hc_phase_row row = phase_of(pod, n);
    if (row.start_ns == HC_MISSING_I64)
        return HC_OK;
    row.log_id = pod->id;
    row.clock = HC_TIME_STATED;
    row.line = pod->line;
    row.node = (struct hc_phase_text){pod->node, pod->node ? strlen(pod->node) : 0};
    row.detail = (struct hc_phase_text){pod->name, strlen(pod->name)};
    row.source = (struct hc_phase_text){k->source->name, strlen(k->source->name)};
    return hc_phase_put(&row, k->names, rows, err);
}

/* ---- the format ---- */

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct kubernetes *k = parser;
    if (!k->is_read) {
        k->is_read = true;
        if (k->pull ? read_document(k, report, err) : read_lines(k, report, err))
            return err->status;
    }
    for (; k->next_phase < k->n_pods * N_PHASES && rows->n_rows < rows->capacity; k->next_phase++)
        if (put_phase(k, &k->pods[k->next_phase / N_PHASES], k->next_phase % N_PHASES, rows, err))
            return err->status;
    return HC_OK;
}

static void close_events(void *parser)
{
    struct kubernetes *k = parser;
    if (!k)
        return;
    for (size_t i = 0; i < k->n_pods; i++) {
        free(k->pods[i].name);
        free(k->pods[i].node);
    }
    free(k->pods);
    hc_pull_close(k->pull);
    hc_lines_close(k->lines);
    free(k);
}

/* Whether the first line is a whole event. */
static enum hc_status is_of_lines(const struct hc_source *source, bool *is, struct hc_error *err)
{
    struct hc_line_reader *lines = NULL;
    struct hc_line line;
    bool is_over = true;
    *is = false;
    if (!hc_lines_open(&lines, source, err) && !hc_lines_next(lines, &line, &is_over, err) &&
        !is_over)
        *is = line.length > 2 && line.text[line.length - 1] == '}' &&
              !memmem(line.text, line.length, "\"items\"", 7);
    hc_lines_close(lines);
    return err->status;
}

static enum hc_status open_events(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    bool has_lines;
    *parser = NULL;
    struct kubernetes *k = hc_new_array(1, sizeof *k, err);
    if (!k)
        return err->status;
    k->source = source;
    k->names = options->names;
    if (is_of_lines(source, &has_lines, err) ||
        (has_lines ? hc_lines_open(&k->lines, source, err)
                   : hc_pull_open_source(&k->pull, source, err))) {
        close_events(k);
        return err->status;
    }
    *parser = k;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct kubernetes *k = parser;
    return k->pull ? hc_pull_position(k->pull) : hc_lines_position(k->lines);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    size_t at = 0;
    (void)path;
    while (at < length && isspace(head[at]))
        at++;
    bool has_object =
        memmem(head, length, "\"involvedObject\"", 16) || memmem(head, length, "\"regarding\"", 11);
    bool has_reason = memmem(head, length, "\"reason\"", 8);
    return at < length && head[at] == '{' && has_object && has_reason ? 85 : 0;
}

const struct hc_format hc_format_kubernetes_events = {
    .name = "kubernetes-events",
    .description = "start of pods: kubectl get events -o json, or events as JSON lines",
    .recipe = "kubectl get events --all-namespaces -o json >events.json\n"
              "Kubernetes forgets events after an hour: run it each half hour, or keep what\n"
              "an exporter of events writes.\n",
    .version = 1,
    .table = &hc_phases_def,
    .probe = probe,
    .open = open_events,
    .next_batch = next_batch,
    .position = position,
    .close = close_events,
};
