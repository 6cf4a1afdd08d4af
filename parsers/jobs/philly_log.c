/* philly_log.c - Microsoft's Philly trace: cluster_job_log, an array of jobs in JSON, each with its
 * attempts and the GPUs of each (https://github.com/msr-fiddle/philly-traces).
 *
 * An attempt is a row. As Slurm does with a job that is requeued, each one after the first counts
 * as submitted when the one before it ended: so attempts of a job have keys of their own, and the
 * queue of each is what it waited itself.
 */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"
#include "parsers/io/json_source.h"
#include "parsers/jobs/job_rows.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ATTEMPTS 1000
#define MOST_TEXT     200               /* bytes of a text of a job; longer ones are cut */
#define MOST_NODES    ((size_t)1 << 20) /* bytes of the lists of nodes of a job */
/* Numbers of the jobs of one run of YARN are below it. */
#define MOST_SEQUENCE 1000000

struct text {
    char text[MOST_TEXT + HC_TEXT_PADDING];
    size_t length; /* 0: not known */
};

struct attempt {
    struct text start, end;
    size_t nodes_at, nodes_length; /* its nodes, between commas, in the job's text */
    int64_t n_nodes, n_gpus;
};

/* A job of which not all attempts were given out. */
struct job {
    struct text status, id, user, queue, submitted;
    size_t n_attempts, n_given; /* a job without attempts is given out as one row */
    size_t attempts_capacity;
    struct attempt *attempts;
    char *nodes;
    size_t nodes_length, nodes_capacity;
    bool is_too_long; /* more attempts or nodes than are read */
};

struct philly_log {
    struct hc_job_builder builder;
    const struct hc_source *source;
    struct hc_json_pull *pull;
    struct job job;
    int64_t n_jobs;  /* read so far */
    int64_t last_ns; /* submission of the attempt before, of the same job */
    bool has_job, at_end;
};

/* ---- reading a job ---- */

/* The trace writes null, and the word None, for what is not known. */
static void take_text(struct text *to, const struct hc_pull_token *token)
{
    bool is_text = token->kind == HC_PULL_STRING || token->kind == HC_PULL_NUMBER;
    to->length = is_text ? token->length : 0;
    if (to->length > MOST_TEXT)
        to->length = MOST_TEXT;
    if (to->length == 4 && memcmp(token->text, "None", 4) == 0)
        to->length = 0;
    if (to->length)
        memcpy(to->text, token->text, to->length);
}

static bool is_key(const struct hc_pull_token *token, const char *name)
{
    return token->length == strlen(name) && memcmp(token->text, name, token->length) == 0;
}

/* Read over a value whose first token was given. */
static enum hc_status pass(struct philly_log *p, const struct hc_pull_token *token,
                           struct hc_error *err)
{
    if (token->kind != HC_PULL_OBJECT && token->kind != HC_PULL_ARRAY)
        return HC_OK;
    return hc_pull_skip_rest(p->pull, err);
}

/* The next token of an object or array that ends with that kind; false at its end, and where
 * *status is or becomes a failure. */
static bool next_in(struct philly_log *p, enum hc_pull_kind end, struct hc_pull_token *token,
                    enum hc_status *status, struct hc_error *err)
{
    if (!*status)
        *status = hc_pull_next(p->pull, token, err);
    return !*status && token->kind != end;
}

/* Read the value that follows as a text, or over it where to is NULL. */
static enum hc_status read_text(struct philly_log *p, struct text *to, struct hc_error *err)
{
    struct hc_pull_token token;
    if (!to)
        return hc_pull_skip_value(p->pull, err);
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    take_text(to, &token);
    return pass(p, &token, err);
}

/* Read an array that follows: each of its objects, whose brace is read, with read. Other values are
 * read over. */
static enum hc_status read_array(struct philly_log *p,
                                 enum hc_status (*read)(struct philly_log *p,
                                                        const struct hc_pull_token *token,
                                                        struct hc_error *err),
                                 struct hc_error *err)
{
    struct hc_pull_token token;
    enum hc_status status = hc_pull_next(p->pull, &token, err);
    if (status || token.kind != HC_PULL_ARRAY)
        return status ? status : pass(p, &token, err);
    while (next_in(p, HC_PULL_ARRAY_END, &token, &status, err))
        status = read(p, &token, err);
    return status;
}

static enum hc_status add_node(struct philly_log *p, struct attempt *attempt,
                               const struct text *node, struct hc_error *err)
{
    struct job *job = &p->job;
    attempt->n_nodes++;
    if (job->nodes_length + node->length + 1 > MOST_NODES) {
        job->is_too_long = true;
        return HC_OK;
    }
    if (hc_reserve(&job->nodes, &job->nodes_capacity,
                   job->nodes_length + node->length + 1 + HC_TEXT_PADDING, 1, err))
        return err->status;
    if (attempt->nodes_length)
        job->nodes[job->nodes_length++] = ',';
    memcpy(job->nodes + job->nodes_length, node->text, node->length);
    job->nodes_length += node->length;
    attempt->nodes_length = job->nodes_length - attempt->nodes_at;
    return HC_OK;
}

static struct attempt *last_attempt(struct job *job)
{
    return &job->attempts[job->n_attempts - 1];
}

static enum hc_status read_gpu(struct philly_log *p, const struct hc_pull_token *token,
                               struct hc_error *err)
{
    last_attempt(&p->job)->n_gpus++;
    return pass(p, token, err);
}

/* {"ip": "m1", "gpus": ["gpu0", "gpu1"]} */
static enum hc_status read_node(struct philly_log *p, const struct hc_pull_token *brace,
                                struct hc_error *err)
{
    struct hc_pull_token token;
    struct text node = {.length = 0};
    enum hc_status status = HC_OK;
    if (brace->kind != HC_PULL_OBJECT)
        return pass(p, brace, err);
    while (next_in(p, HC_PULL_OBJECT_END, &token, &status, err))
        status = is_key(&token, "gpus") ? read_array(p, read_gpu, err)
                                        : read_text(p, is_key(&token, "ip") ? &node : NULL, err);
    return status ? status : add_node(p, last_attempt(&p->job), &node, err);
}

/* {"start_time": ..., "end_time": ..., "detail": [...]} */
static enum hc_status read_attempt(struct philly_log *p, const struct hc_pull_token *brace,
                                   struct hc_error *err)
{
    struct hc_pull_token token;
    struct job *job = &p->job;
    enum hc_status status = HC_OK;
    if (brace->kind != HC_PULL_OBJECT || job->n_attempts == MOST_ATTEMPTS) {
        job->is_too_long |= brace->kind == HC_PULL_OBJECT;
        return pass(p, brace, err);
    }
    if (hc_reserve(&job->attempts, &job->attempts_capacity, job->n_attempts + 1,
                   sizeof *job->attempts, err))
        return err->status;
    struct attempt *attempt = &job->attempts[job->n_attempts++];
    *attempt = (struct attempt){.nodes_at = job->nodes_length};
    while (next_in(p, HC_PULL_OBJECT_END, &token, &status, err)) {
        struct text *to = is_key(&token, "start_time") ? &attempt->start
                          : is_key(&token, "end_time") ? &attempt->end
                                                       : NULL;
        status = is_key(&token, "detail") ? read_array(p, read_node, err) : read_text(p, to, err);
    }
    return status;
}

static struct text *text_of_key(struct job *job, const struct hc_pull_token *key)
{
    return is_key(key, "status")           ? &job->status
           : is_key(key, "jobid")          ? &job->id
           : is_key(key, "user")           ? &job->user
           : is_key(key, "vc")             ? &job->queue
           : is_key(key, "submitted_time") ? &job->submitted
                                           : NULL;
}

/* The members of a job, its brace read. */
static enum hc_status read_job(struct philly_log *p, struct hc_error *err)
{
    struct hc_pull_token token;
    struct job *job = &p->job;
    enum hc_status status = HC_OK;
    job->status.length = job->id.length = job->user.length = job->queue.length = 0;
    job->submitted.length = job->n_attempts = job->n_given = job->nodes_length = 0;
    job->is_too_long = false;
    while (next_in(p, HC_PULL_OBJECT_END, &token, &status, err))
        status = is_key(&token, "attempts") ? read_array(p, read_attempt, err)
                                            : read_text(p, text_of_key(job, &token), err);
    p->n_jobs++;
    return status;
}

/* ---- rows ---- */

static struct hc_span span_of(const struct text *text)
{
    return (struct hc_span){text->text, text->length};
}

/* "application_1506638472019_10258": when YARN was started, in ms, and the job since. */
static bool read_id(const struct text *id, int64_t *job, int64_t *raw)
{
    static const char prefix[] = "application_";
    const size_t n = sizeof prefix - 1;
    const char *at = id->text + n, *end = id->text + id->length;
    const char *dash = id->length > n ? memchr(at, '_', (size_t)(end - at)) : NULL;
    int64_t since;
    if (!dash || memcmp(id->text, prefix, n) != 0 ||
        hc_text_to_i64(at, (size_t)(dash - at), &since) ||
        hc_text_to_i64(dash + 1, (size_t)(end - dash - 1), raw) || since < 0 || *raw < 0 ||
        *raw >= MOST_SEQUENCE || since > INT64_MAX / MOST_SEQUENCE - 1)
        return false;
    *job = since * MOST_SEQUENCE + *raw;
    return true;
}

static int64_t *time_at(struct philly_log *p, enum hc_jobs_column column)
{
    return &hc_table_i64(p->builder.rows, column)[p->builder.row];
}

/* When the attempt came to the queue. */
static void put_submission(struct philly_log *p, const struct job *job)
{
    int64_t *submit_ns = time_at(p, HC_JOBS_SUBMIT_NS);
    if (job->n_given == 0 || p->last_ns == HC_MISSING_I64) {
        hc_job_put_time(&p->builder, HC_JOBS_SUBMIT_NS, span_of(&job->submitted));
    } else {
        const struct attempt *before = &job->attempts[job->n_given - 1];
        hc_job_put_time(&p->builder, HC_JOBS_SUBMIT_NS, span_of(&before->end));
        if (*submit_ns == HC_MISSING_I64)
            *submit_ns = *time_at(p, HC_JOBS_START_NS);
        /* Two attempts within one second, or of unknown times, stay two by a nanosecond. */
        if (*submit_ns == HC_MISSING_I64 || *submit_ns <= p->last_ns)
            *submit_ns = p->last_ns + 1;
    }
    p->last_ns = *submit_ns;
}

static enum hc_status put_attempt(struct philly_log *p, const struct job *job, struct hc_error *err)
{
    struct hc_job_builder *b = &p->builder;
    if (job->n_attempts == 0)
        return HC_OK;
    const struct attempt *attempt = &job->attempts[job->n_given];
    hc_job_put_time(b, HC_JOBS_START_NS, span_of(&attempt->start));
    hc_job_put_time(b, HC_JOBS_END_NS, span_of(&attempt->end));
    int64_t start_ns = *time_at(p, HC_JOBS_START_NS), end_ns = *time_at(p, HC_JOBS_END_NS);
    if (start_ns != HC_MISSING_I64 && end_ns >= start_ns)
        hc_job_put_i64(b, HC_JOBS_ELAPSED_NS, end_ns - start_ns);
    hc_job_put_i64(b, HC_JOBS_NODES, attempt->n_nodes);
    hc_job_put_i64(b, HC_JOBS_GPUS, attempt->n_gpus);
    hc_job_put_i64(b, HC_JOBS_RESTARTS, (int64_t)job->n_given);
    if (attempt->nodes_length == 0)
        return HC_OK;
    return hc_job_put_node_list(
        b, (struct hc_span){job->nodes + attempt->nodes_at, attempt->nodes_length}, err);
}

/* How the job ended is how its last attempt did; the others were followed by one more. */
static void put_state(struct philly_log *p, const struct job *job)
{
    static const struct {
        const char *word;
        enum hc_job_state state;
    } states[] = {
        {"Pass", HC_JOB_COMPLETED}, {"Killed", HC_JOB_CANCELLED}, {"Failed", HC_JOB_FAILED}};
    if (job->n_given + 1 < job->n_attempts) {
        hc_job_put_i64(&p->builder, HC_JOBS_STATE, HC_JOB_REQUEUED);
        return;
    }
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (job->status.length == strlen(states[i].word) &&
            memcmp(job->status.text, states[i].word, job->status.length) == 0) {
            hc_job_put_i64(&p->builder, HC_JOBS_STATE, states[i].state);
            return;
        }
    if (job->status.length)
        hc_job_bad(&p->builder, HC_BAD_TEXT, "'status' is '%s', not Pass, Killed or Failed",
                   hc_printable(job->status.text, job->status.length).text);
}

/* The next attempt of the job. */
static enum hc_status put_row(struct philly_log *p, struct hc_error *err)
{
    struct hc_job_builder *b = &p->builder;
    struct job *job = &p->job;
    int64_t number, raw;
    if (job->n_given == 0)
        p->last_ns = HC_MISSING_I64;
    hc_job_begin(b, p->n_jobs);
    if (job->is_too_long)
        hc_job_bad(b, HC_BAD_RANGE, "the job has more than %d attempts, or too many nodes",
                   MOST_ATTEMPTS);
    if (!read_id(&job->id, &number, &raw)) {
        hc_job_bad(b, HC_BAD_NUMBER, "'jobid' is '%s', not 'application_N_N'",
                   hc_printable(job->id.text, job->id.length).text);
    } else {
        hc_job_put_i64(b, HC_JOBS_JOB, number);
        hc_job_put_i64(b, HC_JOBS_RAW_JOB, raw);
    }
    if (put_attempt(p, job, err))
        return err->status;
    put_submission(p, job);
    put_state(p, job);
    if (hc_job_put_text(b, HC_JOBS_NAME, span_of(&job->id), err) ||
        hc_job_put_text(b, HC_JOBS_USER, span_of(&job->user), err) ||
        hc_job_put_text(b, HC_JOBS_PARTITION, span_of(&job->queue), err))
        return err->status;
    job->n_given++;
    p->has_job = job->n_given < job->n_attempts;
    return hc_job_end(b, err);
}

/* The next job of the array. */
static enum hc_status next_job(struct philly_log *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    p->at_end = token.kind == HC_PULL_ARRAY_END;
    p->has_job = token.kind == HC_PULL_OBJECT;
    if (p->has_job)
        return read_job(p, err);
    if (!p->at_end)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld: a job is expected, an object",
                       p->source->name, (long long)token.byte + 1);
    hc_job_warn(&p->builder);
    return hc_pull_next(p->pull, &token, err); /* nothing may follow */
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct philly_log *p = parser;
    p->builder.rows = rows;
    p->builder.report = report;
    while (!p->at_end && rows->n_rows < rows->capacity) {
        if (!p->has_job && next_job(p, err))
            return err->status;
        if (p->has_job && put_row(p, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- the format ---- */

static int probe(const unsigned char *head, size_t length, const char *path)
{
    size_t at = 0;
    (void)path;
    while (at < length && memchr(" \t\r\n", head[at], 4))
        at++;
    return at < length && head[at] == '[' && memmem(head, length, "\"application_", 13) &&
                   memmem(head, length, "\"attempts\"", 10) && memmem(head, length, "\"jobid\"", 7)
               ? 90
               : 0;
}

static void close_log(void *parser)
{
    struct philly_log *p = parser;
    if (!p)
        return;
    hc_pull_close(p->pull);
    free(p->job.attempts);
    free(p->job.nodes);
    free(p);
}

static enum hc_status begin(struct philly_log *p, struct hc_error *err)
{
    struct hc_pull_token token;
    if (hc_pull_open_source(&p->pull, p->source, err) || hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind != HC_PULL_ARRAY)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not an array of jobs", p->source->name);
    if (!p->builder.zone || p->builder.zone->n == 0)
        hc_warn("'%s': times are taken as UTC; those of Philly are of --zone America/Los_Angeles",
                p->source->name);
    return HC_OK;
}

static enum hc_status open_log(void **parser, const struct hc_source *source,
                               const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct philly_log *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->builder = (struct hc_job_builder){
        .file = source->name, .zone = options->zone, .names = options->names};
    if (begin(p, err)) {
        close_log(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct philly_log *p = parser;
    return hc_pull_position(p->pull);
}

const struct hc_format hc_format_philly_log = {
    .name = "philly-log",
    .description = "jobs of the Philly trace, cluster_job_log: attempts and their GPUs",
    .version = 1,
    .table = &hc_jobs_def,
    .probe = probe,
    .open = open_log,
    .next_batch = next_batch,
    .position = position,
    .close = close_log,
};
