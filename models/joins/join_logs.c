#include "models/joins/join_logs.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "models/joins/join_index.h"
#include "models/joins/log_pattern.h"

#include <stdlib.h>
#include <string.h>

#define NO_CLUSTER "default" /* what a source is of that nobody said the cluster of */

/* ---- cycles and their logs ---- */

/* The length without an ending; the whole where it has another. */
static size_t without(const char *path, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length > n && memcmp(path + length - n, ending, n) == 0 ? length - n : length;
}

/* The length of "a/b.out" for "a/b.out.gz", "a/b.out.2.zst" and "a/b.out-20260301": the scheduler
 * tells the name that a log had when it was written. */
static size_t bare_length(const char *path)
{
    static const char *const packed[] = {".gz", ".zst", ".xz"};
    static const char *const endings[] = {".log", ".out", ".err", ".txt"};
    size_t length = strlen(path), n;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        length = without(path, length, packed[i]);
    for (n = length; n > 0 && path[n - 1] >= '0' && path[n - 1] <= '9';)
        n--;
    bool is_rotated = n > 1 && ((path[n - 1] == '.' && length - n < 4 && length > n) ||
                                (path[n - 1] == '-' && length - n == 8));
    for (size_t i = 0; i < sizeof endings / sizeof *endings && is_rotated; i++)
        if (without(path, n - 1, endings[i]) < n - 1)
            return n - 1;
    return length;
}

static enum hc_status log_of(struct hc_joins *joins, const struct hc_join_log *is, const char *path,
                             int32_t *log, struct hc_error *err)
{
    size_t entry;
    if (hc_int_map_insert(&joins->log_of_id, (uint64_t)is->id, (int32_t)joins->n_logs, &entry, err))
        return err->status;
    *log = joins->log_of_id.values[entry];
    if ((size_t)*log < joins->n_logs)
        return HC_OK;
    if (hc_reserve(&joins->logs, &joins->logs_room, joins->n_logs + 1, sizeof *joins->logs, err))
        return err->status;
    struct hc_join_log *added = &joins->logs[joins->n_logs];
    *added = *is;
    added->cluster = HC_MISSING_I32;
    if (hc_joins_text(joins, path, &added->path, err) ||
        hc_text_set_add(&joins->texts, path, bare_length(path), &added->name, err))
        return err->status;
    joins->n_logs++;
    return HC_OK;
}

enum hc_status hc_joins_add_cycle(struct hc_joins *joins, const struct hc_cycle_row *row,
                                  struct hc_error *err)
{
    struct hc_join_cycle cycle = row->cycle;
    const struct hc_join_log is = {
        .id = row->log_id, .job = row->job, .timeline_ns = HC_MISSING_I64};
    if (log_of(joins, &is, row->path, &cycle.log, err) ||
        hc_reserve(&joins->cycles, &joins->cycles_room, joins->n_cycles + 1, sizeof *joins->cycles,
                   err) ||
        hc_joins_text(joins, row->path, &cycle.source, err) ||
        (row->cluster && strcmp(row->cluster, NO_CLUSTER) != 0 &&
         hc_joins_text(joins, row->cluster, &joins->logs[cycle.log].cluster, err)))
        return err->status;
    cycle.save_path = cycle.load_path = HC_MISSING_I32;
    cycle.attempt = cycle.run = cycle.parent = -1;
    cycle.failure = HC_JOIN_NO_ATTEMPT;
    joins->cycles[joins->n_cycles++] = cycle;
    return HC_OK;
}

/* Logs of facts are told apart by path and number: one file may tell of several jobs. Timelines, by
 * path and name. */
static int64_t id_of(const char *path, uint64_t of)
{
    uint64_t hash = 0xcbf29ce484222325u ^ of; /* FNV-1a */
    for (const char *c = path; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return (int64_t)(hash >> 1);
}

enum hc_status hc_joins_add_fact(struct hc_joins *joins, const struct hc_fact_row *row,
                                 struct hc_error *err)
{
    struct hc_join_fact fact = {
        .time_ns = row->time_ns, .tag = row->tag, .has_clock = row->has_clock, .attempt = -1};
    const struct hc_join_log is = {
        .id = id_of(row->path, (uint64_t)row->job), .job = row->job, .timeline_ns = HC_MISSING_I64};
    if (log_of(joins, &is, row->path, &fact.log, err) ||
        hc_reserve(&joins->facts, &joins->facts_room, joins->n_facts + 1, sizeof *joins->facts,
                   err))
        return err->status;
    joins->facts[joins->n_facts++] = fact;
    return HC_OK;
}

enum hc_status hc_joins_add_timeline(struct hc_joins *joins, const struct hc_timeline_row *row,
                                     struct hc_error *err)
{
    struct hc_join_timeline timeline = {
        .from_ns = row->from_ns, .to_ns = row->to_ns, .n_steps = row->n_steps, .attempt = -1};
    const struct hc_join_log is = {
        .id = id_of(row->path, ~(uint64_t)id_of(row->name, 0)),
        .job = row->job,
        .timeline_ns = row->from_ns,
    };
    if (log_of(joins, &is, row->path, &timeline.log, err) ||
        hc_joins_text(joins, row->name, &timeline.name, err) ||
        hc_reserve(&joins->timelines, &joins->timelines_room, joins->n_timelines + 1,
                   sizeof *joins->timelines, err))
        return err->status;
    joins->timelines[joins->n_timelines++] = timeline;
    return HC_OK;
}

static int compare_facts(const void *a, const void *b)
{
    const struct hc_join_fact *x = a, *y = b;
    if (x->log != y->log)
        return x->log < y->log ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Logs in the order of their paths: numbers of logs are hashes, and mean nothing to a reader. */
static int compare_cycles(const void *a, const void *b, void *context)
{
    const struct hc_joins *joins = context;
    const struct hc_join_cycle *x = a, *y = b;
    if (x->log != y->log) {
        int order = strcmp(joins->texts.text[joins->logs[x->log].path],
                           joins->texts.text[joins->logs[y->log].path]);
        return order ? order : x->log < y->log ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

/* The cycle of a log, or -1. */
static int32_t find_cycle(const struct hc_joins *joins, int64_t log_id, int32_t number)
{
    int64_t entry = hc_int_map_find(&joins->log_of_id, (uint64_t)log_id);
    if (entry < 0)
        return -1;
    const struct hc_join_log *log = &joins->logs[joins->log_of_id.values[entry]];
    for (size_t i = log->cycles; i < log->cycles + log->n_cycles; i++)
        if (joins->cycles[i].number == number)
            return (int32_t)i;
    return -1;
}

enum hc_status hc_joins_add_checkpoint(struct hc_joins *joins, const struct hc_checkpoint_row *row,
                                       struct hc_error *err)
{
    int32_t cycle = find_cycle(joins, row->log_id, row->number), path;
    if (cycle < 0)
        return HC_OK;
    if (hc_joins_text(joins, row->path, &path, err))
        return err->status;
    struct hc_join_cycle *c = &joins->cycles[cycle];
    if (row->is_load) { /* the last one before the first step is what it began from */
        c->load_path = path;
        return HC_OK;
    }
    c->save_path = path;
    if (hc_reserve(&joins->saves, &joins->saves_room, joins->n_saves + 1, sizeof *joins->saves,
                   err))
        return err->status;
    joins->saves[joins->n_saves++] = (struct hc_join_save){
        .time_ns = row->time_ns, .iteration = row->iteration, .path = path, .cycle = cycle};
    return HC_OK;
}

enum hc_status hc_joins_end_cycles(struct hc_joins *joins, struct hc_error *err)
{
    if (joins->n_cycles)
        qsort_r(joins->cycles, joins->n_cycles, sizeof *joins->cycles, compare_cycles, joins);
    for (size_t i = 0; i < joins->n_cycles; i++) {
        struct hc_join_log *log = &joins->logs[joins->cycles[i].log];
        if (log->n_cycles++ == 0)
            log->cycles = i;
    }
    if (joins->n_facts)
        qsort(joins->facts, joins->n_facts, sizeof *joins->facts, compare_facts);
    for (size_t i = 0; i < joins->n_facts; i++) {
        struct hc_join_log *log = &joins->logs[joins->facts[i].log];
        if (log->n_facts++ == 0)
            log->facts = i;
    }
    return hc_join_index_make(&joins->index, joins, err);
}

/* ---- attempts ---- */

bool hc_join_ran_at(const struct hc_join_attempt *attempt, int64_t time_ns, int64_t slack_ns)
{
    return time_ns >= attempt->start_ns - slack_ns &&
           (attempt->end_ns == HC_MISSING_I64 || time_ns <= attempt->end_ns + slack_ns);
}

static bool ran_with(const struct hc_joins *joins, const struct hc_join_log *log,
                     const struct hc_join_attempt *attempt)
{
    if (log->timeline_ns != HC_MISSING_I64 &&
        hc_join_ran_at(attempt, log->timeline_ns, HC_JOIN_SLACK_NS))
        return true;
    for (size_t i = log->cycles; i < log->cycles + log->n_cycles; i++)
        if (joins->cycles[i].has_clock &&
            hc_join_ran_at(attempt, joins->cycles[i].start_ns, HC_JOIN_SLACK_NS))
            return true;
    for (size_t i = log->facts; i < log->facts + log->n_facts; i++)
        if (joins->facts[i].has_clock &&
            hc_join_ran_at(attempt, joins->facts[i].time_ns, HC_JOIN_SLACK_NS))
            return true;
    return false;
}

/* An attempt that is being offered, and the candidates that it has so far. */
struct offer {
    struct hc_joins *joins;
    const struct hc_attempt_row *row;
    size_t first; /* of its candidates */
};

/* A log of one cluster is of no attempt of another. */
static bool may_be_of(const struct hc_joins *joins, const struct hc_join_log *log,
                      const char *cluster)
{
    const char *own = hc_joins_find_text(joins, log->cluster);
    return !own || !cluster || strcmp(own, cluster) == 0 || strcmp(cluster, NO_CLUSTER) == 0;
}

static enum hc_status add_candidate(struct offer *offer, const struct hc_join_candidate *is,
                                    struct hc_error *err)
{
    struct hc_joins *joins = offer->joins;
    if (!may_be_of(joins, &joins->logs[is->log], offer->row->cluster))
        return HC_OK;
    for (size_t i = offer->first; i < joins->n_candidates; i++)
        if (joins->candidates[i].log == is->log && joins->candidates[i].method == is->method) {
            if (joins->candidates[i].parts < is->parts)
                joins->candidates[i].parts = is->parts;
            return HC_OK;
        }
    if (hc_reserve(&joins->candidates, &joins->candidates_room, joins->n_candidates + 1,
                   sizeof *joins->candidates, err))
        return err->status;
    joins->candidates[joins->n_candidates] = *is;
    joins->candidates[joins->n_candidates++].attempt = (int32_t)joins->n_attempts;
    return HC_OK;
}

static struct hc_log_fields fields_of(const struct hc_attempt_row *row)
{
    return (struct hc_log_fields){.job = row->attempt.job,
                                  .raw_job = row->attempt.raw_job,
                                  .array_task = row->attempt.array_task,
                                  .name = row->name,
                                  .user = row->user,
                                  .work_dir = row->work_dir};
}

/* A name without a number of the job, such as "train.log", must agree in its directory too, and in
 * time unless it agrees wholly: many jobs may have it. */
static enum hc_status try_names(struct offer *offer, const struct hc_log_names *names, int32_t link,
                                struct hc_error *err)
{
    struct hc_joins *joins = offer->joins;
    for (; link >= 0; link = joins->index->links[link].next) {
        const struct hc_join_log *log = &joins->logs[joins->index->links[link].log];
        int32_t parts = hc_log_pattern_agree(names, joins->texts.text[log->name]);
        const struct hc_join_candidate candidate = {
            .log = joins->index->links[link].log, .parts = parts, .method = HC_JOIN_PATH};
        bool is_it =
            names->has_number
                ? parts >= 1
                : parts == INT32_MAX || (parts >= 2 && ran_with(joins, log, &offer->row->attempt));
        if (is_it && add_candidate(offer, &candidate, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status try_pattern(struct offer *offer, const char *pattern, struct hc_error *err)
{
    const struct hc_attempt_row *row = offer->row;
    const struct hc_join_index *index = offer->joins->index;
    const struct hc_log_fields fields = fields_of(row);
    struct hc_log_names names;
    if (!pattern || !hc_log_pattern_expand(pattern, &fields, &names))
        return HC_OK;
    const char *name = hc_join_last_component(names.text);
    if (!names.is_glob || !strchr(name, '*'))
        return try_names(offer, &names, hc_join_index_name(index, name), err);
    if (try_names(offer, &names, hc_join_index_number(index, row->attempt.raw_job), err))
        return err->status;
    return row->attempt.job == row->attempt.raw_job
               ? HC_OK
               : try_names(offer, &names, hc_join_index_number(index, row->attempt.job), err);
}

bool hc_join_names_it(const struct hc_join_candidate *candidate)
{
    return candidate->method == HC_JOIN_PATH ||
           (candidate->method == HC_JOIN_WORK_DIR && candidate->number >= HC_LOG_ALLOCATION);
}

/* Jobs that run at once in one directory are told apart by the numbers in the names of their logs,
 * or of the directories between. Slurm calls a log slurm-%j.out there, or slurm-%A_%a.out: one that
 * is named so is as good as one of which the record says the path. */
static enum hc_status try_work_dir(struct offer *offer, struct hc_error *err)
{
    struct hc_joins *joins = offer->joins;
    const char *directory = offer->row->work_dir;
    size_t length = directory ? strlen(directory) : 0;
    while (length > 1 && directory[length - 1] == '/')
        length--;
    if (length == 0)
        return HC_OK;
    int32_t link = hc_join_index_directory(joins->index, directory, length), parts = 0;
    for (size_t i = 0; i < length; i++)
        parts += directory[i] == '/';
    const struct hc_log_fields fields = fields_of(offer->row);
    for (; link >= 0; link = joins->index->links[link].next) {
        int32_t log = joins->index->links[link].log;
        const char *path = joins->texts.text[joins->logs[log].name];
        if (strncmp(path, directory, length) != 0)
            continue;
        const struct hc_join_candidate candidate = {.log = log,
                                                    .parts = parts,
                                                    .number =
                                                        hc_log_number_in(path + length, &fields),
                                                    .method = HC_JOIN_WORK_DIR};
        if ((hc_join_names_it(&candidate) ||
             ran_with(joins, &joins->logs[log], &offer->row->attempt)) &&
            add_candidate(offer, &candidate, err))
            return err->status;
    }
    return HC_OK;
}

/* A number may be anything: it counts where the job ran then. */
static enum hc_status try_number(struct offer *offer, int64_t number, struct hc_error *err)
{
    struct hc_joins *joins = offer->joins;
    int32_t link = hc_join_index_number(joins->index, number);
    const struct hc_log_fields fields = fields_of(offer->row);
    for (; link >= 0; link = joins->index->links[link].next) {
        int32_t log = joins->index->links[link].log;
        const char *name = hc_join_last_component(joins->texts.text[joins->logs[log].name]);
        const struct hc_join_candidate candidate = {
            .log = log, .number = hc_log_number_in(name, &fields), .method = HC_JOIN_NUMBER};
        if (ran_with(joins, &joins->logs[log], &offer->row->attempt) &&
            add_candidate(offer, &candidate, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status keep(struct hc_joins *joins, const struct hc_attempt_row *row,
                           struct hc_error *err)
{
    if (hc_reserve(&joins->attempts, &joins->attempts_room, joins->n_attempts + 1,
                   sizeof *joins->attempts, err))
        return err->status;
    struct hc_join_attempt *attempt = &joins->attempts[joins->n_attempts];
    *attempt = row->attempt;
    attempt->run = -1;
    attempt->n_cycles = 0;
    if (hc_joins_text(joins, row->cluster, &attempt->cluster, err) ||
        hc_joins_text(joins, row->user, &attempt->user, err) ||
        hc_joins_text(joins, row->name, &attempt->name, err) ||
        hc_joins_text(joins, row->work_dir, &attempt->work_dir, err) ||
        hc_joins_text(joins, row->source, &attempt->source, err) ||
        hc_joins_text(joins, row->run, &attempt->named, err))
        return err->status;
    joins->n_attempts++;
    return HC_OK;
}

enum hc_status hc_joins_offer(struct hc_joins *joins, const struct hc_attempt_row *row,
                              struct hc_error *err)
{
    const struct hc_join_attempt *attempt = &row->attempt;
    struct offer offer = {.joins = joins, .row = row, .first = joins->n_candidates};
    if (attempt->start_ns == HC_MISSING_I64)
        return HC_OK;
    joins->n_offered++;
    joins->offered_gpu_ns += attempt->gpu_ns;
    if (try_pattern(&offer, row->standard_output, err) ||
        try_pattern(&offer, row->standard_error, err) || try_work_dir(&offer, err) ||
        try_number(&offer, attempt->job, err) ||
        (attempt->raw_job != attempt->job && try_number(&offer, attempt->raw_job, err)))
        return err->status;
    if (joins->n_candidates > offer.first || row->run)
        return keep(joins, row, err);
    if (attempt->gpus >= HC_JOIN_NODE_GPUS) {
        joins->n_without_log++;
        joins->without_log_gpu_ns += attempt->gpu_ns;
    }
    return HC_OK;
}
