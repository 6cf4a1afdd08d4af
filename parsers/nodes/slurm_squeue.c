/* slurm_squeue.c - the queue as `squeue -o` with '|' between its fields prints it, a line a job,
 * under a header; before each look a line with its time. A file may hold many looks. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/nodes/record_rows.h"
#include "parsers/nodes/node_lines.h"

#include <stdlib.h>
#include <string.h>

#define CLUSTER      "CLUSTER: " /* before each cluster, of squeue -M */
#define MOST_CLUSTER 256

enum field {
    FIELD_NONE, /* not read */
    FIELD_JOB,
    FIELD_PARTITION,
    FIELD_USER,
    FIELD_ACCOUNT,
    FIELD_STATE,
    FIELD_REASON,
    FIELD_NODES_OR_REASON, /* "(Resources)" while it waits */
    FIELD_NODES,
    FIELD_GPUS_PER_NODE,
    FIELD_GPUS, /* in all */
    FIELD_SUBMIT
};

static const struct {
    const char *name;
    enum field field;
} field_names[] = {
    {"JOBID", FIELD_JOB},       {"PARTITION", FIELD_PARTITION},
    {"USER", FIELD_USER},       {"ACCOUNT", FIELD_ACCOUNT},
    {"STATE", FIELD_STATE},     {"ST", FIELD_STATE},
    {"REASON", FIELD_REASON},   {"NODELIST(REASON)", FIELD_NODES_OR_REASON},
    {"NODES", FIELD_NODES},     {"TRES_PER_NODE", FIELD_GPUS_PER_NODE},
    {"TRES_ALLOC", FIELD_GPUS}, {"SUBMIT_TIME", FIELD_SUBMIT},
};

struct slurm_squeue {
    struct hc_node_lines nodes;
    enum field fields[HC_NODE_MOST_FIELDS];
    size_t n_fields, reason;
    char cluster[MOST_CLUSTER];
    bool has_time;   /* of a look whose header has not come */
    bool is_look;    /* rows are of a look whose time is known */
    bool has_header; /* any, so far */
};

/* A job as a line tells it. */
struct queued {
    struct hc_slurm_job_id id;
    struct hc_span partition, user, account, reason;
    int state;
    int64_t nodes, gpus_per_node, gpus, submit_ns;
};

static enum field find_field(struct hc_span name)
{
    for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++)
        if (name.length == strlen(field_names[i].name) &&
            memcmp(name.text, field_names[i].name, name.length) == 0)
            return field_names[i].field;
    return FIELD_NONE;
}

/* A header names the jobs, their states and why they wait. */
static bool is_header(struct hc_span line)
{
    struct hc_span names[HC_NODE_MOST_FIELDS];
    bool has_job = false, has_state = false, has_reason = false;
    size_t n = line.length ? hc_node_split(line, names) : 0;
    for (size_t i = 0; i < n && n <= HC_NODE_MOST_FIELDS; i++) {
        enum field field = find_field(hc_node_trim(names[i]));
        has_job |= field == FIELD_JOB;
        has_state |= field == FIELD_STATE;
        has_reason |= field == FIELD_REASON || field == FIELD_NODES_OR_REASON;
    }
    return has_job && has_state && has_reason;
}

/* Without the CR of a line that another system ended. */
static struct hc_span without_cr(struct hc_span line)
{
    line.length -= line.length && line.text[line.length - 1] == '\r';
    return line;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    for (int i = 0; i < 3 && length; i++) {
        struct hc_span line = hc_node_first_line(head, length);
        if (is_header(without_cr(line)))
            return 92;
        size_t used = line.length < length ? line.length + 1 : length;
        head += used;
        length -= used;
    }
    return 0;
}

static void close_squeue(void *parser)
{
    struct slurm_squeue *p = parser;
    if (!p)
        return;
    hc_lines_close(p->nodes.lines);
    free(p);
}

static enum hc_status open_squeue(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct slurm_squeue *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    if (hc_node_lines_open(&p->nodes, source, options, err)) {
        free(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

/* ---- a look ---- */

static enum hc_status put_row(const struct slurm_squeue *p, const struct queued *job, int64_t line,
                              struct hc_table *rows, struct hc_error *err)
{
    const struct hc_node_builder *builder = &p->nodes.builder;
    const struct hc_record_writer writer = {builder->names, rows};
    const struct {
        size_t column;
        struct hc_span text;
    } texts[] = {
        {HC_QUEUE_CLUSTER, {p->cluster, strlen(p->cluster)}},
        {HC_QUEUE_SOURCE, {builder->source->name, strlen(builder->source->name)}},
        {HC_QUEUE_PARTITION, job ? job->partition : (struct hc_span){"", 0}},
        {HC_QUEUE_USER, job ? job->user : (struct hc_span){"", 0}},
        {HC_QUEUE_ACCOUNT, job ? job->account : (struct hc_span){"", 0}},
        {HC_QUEUE_REASON, job ? job->reason : (struct hc_span){"", 0}},
    };
    hc_record_begin(&writer);
    hc_record_put_i64(&writer, HC_QUEUE_TIME_NS, builder->at_ns);
    hc_record_put_i32(&writer, HC_QUEUE_CLOCK, (int32_t)builder->at_basis);
    hc_record_put_i64(&writer, HC_QUEUE_LINE, line);
    hc_record_put_i64(&writer, HC_QUEUE_FACT, hc_queue_fact(HC_MISSING_I64, 0, 0));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (hc_record_put_text(&writer, texts[i].column, texts[i].text.text, texts[i].text.length,
                               err))
            return err->status;
    if (!job)
        return HC_OK;
    hc_record_put_i64(&writer, HC_QUEUE_JOB, job->id.job);
    hc_record_put_i32(&writer, HC_QUEUE_ARRAY_TASK, job->id.array_task);
    hc_record_put_i32(&writer, HC_QUEUE_HET_COMPONENT, job->id.het_component);
    hc_record_put_i64(&writer, HC_QUEUE_FACT,
                      hc_queue_fact(job->id.job, job->id.array_task, job->id.het_component));
    hc_record_put_i32(&writer, HC_QUEUE_STATE, job->state);
    hc_record_put_i64(&writer, HC_QUEUE_SUBMIT_NS, job->submit_ns);
    int wait =
        job->state == HC_JOB_PENDING ? hc_queue_wait_of(job->reason.text, job->reason.length) : -1;
    if (wait >= 0)
        hc_record_put_i32(&writer, HC_QUEUE_WAITS_FOR, wait);
    if (job->nodes != HC_MISSING_I64)
        hc_record_put_i32(&writer, HC_QUEUE_NODES, (int32_t)job->nodes);
    if (job->gpus != HC_MISSING_I64)
        hc_record_put_i32(&writer, HC_QUEUE_GPUS, (int32_t)job->gpus);
    return HC_OK;
}

/* A look begins at its header. The time stands before it, also for several clusters; of a file that
 * has none, its name or the time of the file gives that of the first look. */
static enum hc_status take_header(struct slurm_squeue *p, struct hc_span line, int64_t number,
                                  struct hc_table *rows, struct hc_row_report *report,
                                  struct hc_error *err)
{
    struct hc_span names[HC_NODE_MOST_FIELDS];
    p->n_fields = hc_node_split(line, names);
    p->reason = SIZE_MAX;
    for (size_t i = 0; i < p->n_fields; i++) {
        p->fields[i] = find_field(hc_node_trim(names[i]));
        if (p->fields[i] == FIELD_REASON || p->fields[i] == FIELD_NODES_OR_REASON)
            p->reason = i;
    }
    if (!p->has_time && !p->has_header) {
        hc_node_snapshot_of_file(&p->nodes.builder);
        p->has_time = true;
    }
    p->is_look = p->has_time;
    p->has_time = false;
    p->has_header = true;
    report->rows_read++;
    return p->is_look ? put_row(p, NULL, number, rows, err)
                      : hc_node_bad(report, number,
                                    "no time stands before this look at the queue (date -Is)", err);
}

/* ---- a job ---- */

/* "2", or of a job that takes more or fewer "2-4": the fewest. */
static const char *put_nodes(struct queued *job, struct hc_span text)
{
    const char *dash = text.length ? memchr(text.text, '-', text.length) : NULL;
    if (dash)
        text.length = (size_t)(dash - text.text);
    return hc_slurm_count(text, &job->nodes) == HC_SLURM_WRONG || job->nodes > INT32_MAX
               ? "its nodes are no number"
               : NULL;
}

static const char *put_gpus(int64_t *gpus, bool none_is_said, struct hc_span text)
{
    struct hc_slurm_gpus found;
    enum hc_slurm_text what = hc_slurm_gpus(text, &found);
    if (what == HC_SLURM_WRONG || (what == HC_SLURM_VALUE && found.n > INT32_MAX))
        return "its GPUs cannot be read";
    if (what == HC_SLURM_VALUE && (found.n > 0 || none_is_said))
        *gpus = found.n;
    return NULL;
}

static const char *put_field(struct slurm_squeue *p, struct queued *job, enum field field,
                             struct hc_span text)
{
    enum hc_time_basis basis;
    int64_t by;
    switch (field) {
    case FIELD_JOB:
        return hc_slurm_job_id(text, &job->id) == HC_SLURM_VALUE && !job->id.is_step
                   ? NULL
                   : "it has no number of a job";
    case FIELD_PARTITION:
        job->partition = text;
        return NULL;
    case FIELD_USER:
        job->user = text;
        return NULL;
    case FIELD_ACCOUNT:
        job->account = text;
        return NULL;
    case FIELD_STATE:
        return hc_slurm_state(text, &job->state, &by) == HC_SLURM_VALUE
                   ? NULL
                   : "its state is none that Slurm has";
    case FIELD_NODES_OR_REASON:
        if (text.length < 2 || text.text[0] != '(' || text.text[text.length - 1] != ')')
            return NULL; /* nodes that it holds */
        job->reason = (struct hc_span){text.text + 1, text.length - 2};
        return NULL;
    case FIELD_REASON:
        job->reason = text;
        return NULL;
    case FIELD_NODES:
        return put_nodes(job, text);
    case FIELD_GPUS_PER_NODE: /* "N/A" also where GPUs are asked for in another way */
        return put_gpus(&job->gpus_per_node, false, text);
    case FIELD_GPUS:
        return put_gpus(&job->gpus, true, text);
    case FIELD_SUBMIT:
        return hc_node_time(&p->nodes.builder, text, &job->submit_ns, &basis)
                   ? NULL
                   : "its time of submission is no time";
    case FIELD_NONE:
        break;
    }
    return NULL;
}

/* The GPUs of all nodes, where no field says them. */
static const char *complete(struct queued *job)
{
    if (job->gpus == HC_MISSING_I64 && job->gpus_per_node != HC_MISSING_I64 &&
        job->nodes != HC_MISSING_I64)
        job->gpus = job->gpus_per_node * job->nodes;
    return job->gpus > INT32_MAX ? "it has more GPUs than can be" : NULL;
}

static enum hc_status take_job(struct slurm_squeue *p, struct hc_span line, int64_t number,
                               struct hc_table *rows, struct hc_row_report *report,
                               struct hc_error *err)
{
    struct hc_span fields[HC_NODE_MOST_FIELDS];
    struct queued job = {.state = HC_JOB_PENDING,
                         .nodes = HC_MISSING_I64,
                         .gpus_per_node = HC_MISSING_I64,
                         .gpus = HC_MISSING_I64,
                         .submit_ns = HC_MISSING_I64};
    const char *wrong = NULL;
    report->rows_read++;
    if (!p->is_look)
        wrong = p->has_header && !p->has_time ? "it is of a look without a time"
                                              : "it stands before the header of its look";
    else if (!hc_node_cut(line, fields, p->n_fields, p->reason))
        wrong = "its fields are not those of the header";
    for (size_t i = 0; i < p->n_fields && !wrong; i++)
        wrong = put_field(p, &job, p->fields[i], hc_node_trim(fields[i]));
    if (!wrong)
        wrong = complete(&job);
    return wrong ? hc_node_bad(report, number, wrong, err) : put_row(p, &job, number, rows, err);
}

/* ---- lines ---- */

static bool is_cluster(struct hc_span line)
{
    return line.length > sizeof CLUSTER - 1 && memcmp(line.text, CLUSTER, sizeof CLUSTER - 1) == 0;
}

/* The looks of all clusters of a command have one time. */
static void take_cluster(struct slurm_squeue *p, struct hc_span line)
{
    struct hc_span name = hc_node_trim(
        (struct hc_span){line.text + sizeof CLUSTER - 1, line.length - (sizeof CLUSTER - 1)});
    size_t n = name.length < MOST_CLUSTER - 1 ? name.length : MOST_CLUSTER - 1;
    memcpy(p->cluster, name.text, n);
    p->cluster[n] = '\0';
    p->has_time |= p->is_look;
    p->is_look = false;
}

static enum hc_status take_line(struct slurm_squeue *p, const struct hc_line *read,
                                struct hc_table *rows, struct hc_row_report *report,
                                struct hc_error *err)
{
    struct hc_span line = hc_node_trim((struct hc_span){read->text, read->length});
    if (line.length == 0)
        return HC_OK;
    if (read->is_long) {
        report->rows_read++;
        return hc_node_bad(report, read->number, "the line is too long", err);
    }
    if (is_header(line))
        return take_header(p, line, read->number, rows, report, err);
    if (is_cluster(line)) {
        take_cluster(p, line);
        return HC_OK;
    }
    if (!memchr(line.text, '|', line.length) && hc_node_snapshot_of_line(&p->nodes.builder, line)) {
        p->has_time = true;
        p->is_look = false;
        p->cluster[0] = '\0';
        return HC_OK;
    }
    return take_job(p, line, read->number, rows, report, err);
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct slurm_squeue *p = parser;
    struct hc_line line;
    while (!p->nodes.at_end && rows->n_rows < rows->capacity) {
        if (hc_node_lines_next(&p->nodes, &line, err))
            return err->status;
        if (!p->nodes.at_end && take_line(p, &line, rows, report, err))
            return err->status;
    }
    if (p->nodes.at_end && !p->has_header)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': no header with the columns JOBID, STATE and REASON of 'squeue -o' "
                       "(do not use --noheader; docs/formats/slurm-squeue.md)",
                       p->nodes.builder.source->name);
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct slurm_squeue *p = parser;
    return hc_lines_position(p->nodes.lines);
}

const struct hc_format hc_format_slurm_squeue = {
    .name = "slurm-squeue",
    .description = "what stands in the queue, as squeue -o prints it",
    .recipe = "{ date -Is; TZ=UTC squeue -a -r \\\n"
              "  -o '%i|%P|%u|%a|%T|%r|%D|%b|%V'; } >>queue-$(date +%F).txt\n"
              "What a look tells holds for 15 minutes at most: run it every 5 or 10.\n",
    .version = 1,
    .is_lines = true,
    .table = &hc_queue_def,
    .probe = probe,
    .open = open_squeue,
    .next_batch = next_batch,
    .position = position,
    .close = close_squeue,
};
