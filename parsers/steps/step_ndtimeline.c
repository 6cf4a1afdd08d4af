/* step_ndtimeline.c - raw logs of veScale's ndtimeline: a line for each metric of a worker over a
 * range of steps, with lists of times and Python reprs of who it was (docs/formats/ndtimeline.md).
 * No log of a real job was at hand. */
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "core/text/number_text.h"
#include "parsers/io/line_reader.h"
#include "parsers/steps/step_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH HC_BUFFER_SIZE(2048)

/* A part of a line. */
struct span {
    const char *at, *end;
};

/* What a line says, and how far its lists were read. */
struct metric {
    int64_t line, first_step, n_steps, n_parts, next;
    int64_t rank, dp_rank, stage;
    int32_t op_type;
    struct span durations, starts; /* what is left of the lists */
};

struct step_ndtimeline {
    const struct hc_source *source;
    const struct hc_parse_options *options;
    struct hc_line_reader *lines;
    struct hc_step_raw raw;
    struct metric metric;
    bool has_metric, is_over;
};

/* ---- values in a line ---- */

static bool holds(const unsigned char *head, size_t length, const char *word)
{
    return memmem(head, length, word, strlen(word)) != NULL;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    bool is_metric = holds(head, length, "metric_name: ");
    return is_metric && holds(head, length, "recent_elapsed_raw_parts") ? 95 : 0;
}

/* What follows a key in a part of a line, up to a mark; false where it is not there. */
static bool find(struct span in, const char *key, char mark, struct span *value)
{
    const char *at = memmem(in.at, (size_t)(in.end - in.at), key, strlen(key));
    if (!at)
        return false;
    value->at = at + strlen(key);
    value->end = memchr(value->at, mark, (size_t)(in.end - value->at));
    return value->end != NULL;
}

static bool to_whole(struct span text, int64_t *value)
{
    return hc_text_to_i64(text.at, (size_t)(text.end - text.at), value) == HC_TEXT_OK;
}

/* "name=3" among the members of a repr, behind what stands before its name: "(", " " or ",". */
static bool find_member(struct span in, const char *name, int64_t *value)
{
    static const char before[] = "( ,";
    char key[32];
    struct span text;
    for (const char *c = before; *c; c++) {
        snprintf(key, sizeof key, "%c%s=", *c, name);
        if (find(in, key, ',', &text) && to_whole(text, value))
            return true;
    }
    return false;
}

static int64_t count_items(struct span list)
{
    int64_t n = 0;
    for (const char *at = list.at; at < list.end; at++)
        n += *at == ',';
    while (list.at < list.end && *list.at == ' ')
        list.at++;
    return list.at == list.end ? 0 : n + 1;
}

/* The next item of a list. */
static struct span next_item(struct span *list)
{
    const char *comma = memchr(list->at, ',', (size_t)(list->end - list->at));
    struct span item = {list->at, comma ? comma : list->end};
    list->at = comma ? comma + 1 : list->end;
    return item;
}

/* ---- a line ---- */

/* Metrics that are those of a step timeline under other names. One that holds a send and a receive
 * at once is neither. */
static int32_t op_type_of(const struct hc_job *job, struct span name)
{
    static const struct {
        const char *name;
        int32_t op_type;
    } others[] = {
        {"unshard-all-gather", HC_PARAMS_ALL_GATHER},
        {"grad-reduce-scatter", HC_GRADS_REDUCE_SCATTER},
        {"grad-all-reduce", HC_GRADS_REDUCE_SCATTER},
    };
    size_t length = (size_t)(name.end - name.at);
    int32_t type = hc_job_op_type(job, name.at, length);
    for (size_t i = 0; i < sizeof others / sizeof *others && type == HC_OP_UNKNOWN; i++)
        if (length == strlen(others[i].name) && memcmp(name.at, others[i].name, length) == 0)
            type = others[i].op_type;
    return type == HC_OP_UNKNOWN ? HC_OP_IGNORED : type;
}

static enum hc_status bad_line(const struct step_ndtimeline *p, const struct hc_line *line,
                               const char *what, struct hc_row_report *report, struct hc_error *err)
{
    report->rows_read++;
    return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err, "'%s': line %lld: %s",
                             p->source->name, (long long)line->number, what);
}

/* The first thing that a line lacks, or NULL. */
static const char *read_metric(struct step_ndtimeline *p, struct span line, struct metric *m)
{
    struct span name, steps, world, last_step;
    int64_t end = 0, tp_rank = 0;
    if (!find(line, "metric_name: ", ',', &name))
        return "no metric_name";
    if (!find(line, "recent_elapsed_raw_parts: [", ']', &m->durations))
        return "no recent_elapsed_raw_parts";
    if (!find(line, "recent_since_start_raw_parts: [", ']', &m->starts))
        return "no recent_since_start_raw_parts";
    if (!find(line, "step_range: range(", ')', &steps))
        return "no step_range";
    last_step = steps;
    if (!to_whole(next_item(&last_step), &m->first_step) ||
        !to_whole(next_item(&last_step), &end) || m->first_step < 0 || end <= m->first_step ||
        end > INT32_MAX || last_step.at != last_step.end)
        return "step_range is no range of steps";
    if (!find(line, "TopoInfo(", ')', &world))
        return "no TopoInfo";
    world.at--; /* with its bracket: the end of "ddp_rank" is no "dp_rank" */
    if (!find_member(world, "rank", &m->rank) || !find_member(world, "dp_rank", &m->dp_rank) ||
        !find_member(world, "pp_rank", &m->stage))
        return "TopoInfo lacks rank, dp_rank or pp_rank";
    m->n_steps = end - m->first_step;
    m->n_parts = count_items(m->durations);
    if (count_items(m->starts) != m->n_parts)
        return "as many durations as starts are expected";
    if (m->n_parts % m->n_steps)
        return "the times do not divide evenly among the steps";
    m->op_type = op_type_of(p->options->job, name);
    if (find_member(world, "tp_rank", &tp_rank) && tp_rank > 0)
        m->op_type = HC_OP_IGNORED; /* one of the tensor-parallel ranks stands for all */
    return NULL;
}

static enum hc_status take_line(struct step_ndtimeline *p, const struct hc_line *line,
                                struct hc_row_report *report, struct hc_error *err)
{
    const struct span span = {line->text, line->text + line->length};
    struct metric metric = {.line = line->number};
    if (!memmem(line->text, line->length, "metric_name: ", 13))
        return HC_OK; /* of another logger */
    if (line->is_long)
        return bad_line(p, line, "longer than 8 MB", report, err);
    const char *lack = read_metric(p, span, &metric);
    if (lack)
        return bad_line(p, line, lack, report, err);
    p->metric = metric;
    p->has_metric = metric.n_parts > 0;
    return HC_OK;
}

/* ---- its rows ---- */

static uint8_t flag_of(struct span text, int64_t *ns)
{
    switch (hc_text_ms_to_ns(text.at, (size_t)(text.end - text.at), ns)) {
    case HC_TEXT_OK:
        return HC_TIME_OK;
    case HC_TEXT_NAN:
    case HC_TEXT_INFINITE:
        return HC_TIME_NOT_FINITE;
    default:
        return HC_TIME_NULL;
    }
}

/* The next time of the metric as row i. */
static void put_row(struct step_ndtimeline *p, size_t i)
{
    struct metric *m = &p->metric;
    struct hc_step_raw *raw = &p->raw;
    int64_t per_step = m->n_parts / m->n_steps, seq = m->next % per_step;
    bool is_pass = hc_op_is_pass(m->op_type);
    raw->place[i] = m->line;
    raw->is_bad[i] = 0;
    raw->op_type[i] = m->op_type;
    raw->ints[HC_FIELD_DP_RANK][i] = m->dp_rank;
    raw->ints[HC_FIELD_STAGE][i] = m->stage;
    raw->ints[HC_FIELD_RANK][i] = m->rank;
    raw->ints[HC_FIELD_STEP][i] = m->first_step + m->next / per_step;
    raw->ints[HC_FIELD_SEQ_ID][i] = seq;
    raw->ints[HC_FIELD_MC][i] = hc_op_is_p2p(m->op_type) ? HC_MISSING_I64 : 0;
    raw->ints[HC_FIELD_MB_ID][i] = is_pass ? seq : HC_MISSING_I64;
    raw->ints[HC_FIELD_GMC][i] = is_pass ? m->stage : HC_MISSING_I64;
    raw->start_flag[i] = flag_of(next_item(&m->starts), &raw->start_ns[i]);
    raw->duration_flag[i] = flag_of(next_item(&m->durations), &raw->duration_ns[i]);
    p->has_metric = ++m->next < m->n_parts;
}

static enum hc_status decode(struct step_ndtimeline *p, size_t room, struct hc_row_report *report,
                             struct hc_error *err)
{
    struct hc_line line;
    for (p->raw.n = 0; p->raw.n < room && !p->is_over;) {
        if (p->has_metric) {
            put_row(p, p->raw.n++);
            continue;
        }
        if (hc_lines_next(p->lines, &line, &p->is_over, err))
            return err->status;
        if (!p->is_over && take_line(p, &line, report, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *ops, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct step_ndtimeline *p = parser;
    struct hc_step_flow flow = {p->source, p->options, ops, report};
    while (!p->is_over && ops->n_rows < ops->capacity) {
        size_t room = ops->capacity - ops->n_rows;
        if (decode(p, room < BATCH ? room : BATCH, report, err) ||
            hc_step_rows_append(&p->raw, 0, p->raw.n, &flow, err))
            return err->status;
    }
    if (p->is_over && hc_lines_are_cut(p->lines))
        return hc_fail(err, HC_BAD_INPUT, "'%s': the packed data is cut off", p->source->name);
    return HC_OK;
}

/* ---- the format ---- */

static void close_log(void *parser)
{
    struct step_ndtimeline *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    hc_step_raw_fini(&p->raw);
    free(p);
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct step_ndtimeline *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->options = options;
    enum hc_status status = hc_step_raw_init(&p->raw, BATCH, err);
    p->raw.place_word = "line";
    if (status == HC_OK && !(p->raw.place = hc_new_array(BATCH, sizeof *p->raw.place, err)))
        status = err->status;
    if (status == HC_OK)
        status = hc_lines_open(&p->lines, source, err);
    if (status)
        close_log(p);
    else
        *parser = p;
    return status;
}

static int64_t position(const void *parser)
{
    const struct step_ndtimeline *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_ndtimeline = {
    .name = "ndtimeline",
    .description = "step timeline as veScale's ndtimeline logs it (raw logs)",
    .version = 1,
    .table = &hc_ops_def,
    .probe = probe,
    .open = open_log,
    .next_batch = next_batch,
    .position = position,
    .close = close_log,
};
