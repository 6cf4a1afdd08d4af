/* ingest_plan.h - which job each input of an ingest is, known before any of them is read.
 *
 * An archive keeps one recording of a kind (timeline, incidents) for each job: cluster, id and
 * attempt. Two inputs of one command that would be the same job are a mistake: the later would take
 * the place of the earlier. The same recording given twice, byte for byte and with the same
 * metadata, is none. The job of an input is what its metadata says, and by default its name: only
 * inputs whose jobs are equal are opened here.
 *
 * What single ranks of a job recorded is many inputs of one job, of which nothing is planned.
 *
 *     if (hc_ingest_plan_make(&plan, paths, n, &options, err)) ...   // nothing is written yet
 *     hc_source_input_open(&input, paths[i], ...);
 *     hc_ingest_plan_confirm(&plan, i, &input, err);              // before anything is replaced
 */
#ifndef HC_PIPELINE_INGEST_INGEST_PLAN_H
#define HC_PIPELINE_INGEST_INGEST_PLAN_H

#include "core/tables/job.h"
#include "pipeline/inputs/source_input.h"

/* The names are those of the archive: UTF-8. */
struct hc_planned_input {
    const char *path;
    char *cluster, *id; /* NULL: its metadata cannot be read, as opening it will tell */
    int32_t attempt;
    bool is_of_rank; /* by the first look at it: what one rank recorded; then nothing is planned */
};

/* Zeroed memory is a plan of no inputs: it confirms everything. */
struct hc_ingest_plan {
    size_t n;
    struct hc_planned_input *inputs;
};

/* HC_USAGE, naming both inputs, when two are different recordings of one job. plan is filled on
 * success only; the paths stay the caller's. A single input is not looked at: its metadata may be a
 * pipe, which can be read once only. */
enum hc_status hc_ingest_plan_make(struct hc_ingest_plan *plan, const char *const *files,
                                   size_t n_files, const struct hc_trace_options *options,
                                   struct hc_error *err);

/* HC_BAD_INPUT when input i, now opened, is not of the job that the plan was made with. */
enum hc_status hc_ingest_plan_confirm(const struct hc_ingest_plan *plan, size_t i,
                                      const struct hc_source_input *input, struct hc_error *err);

/* Whether input i is what a single rank recorded; false beyond the last one. */
bool hc_ingest_plan_is_of_rank(const struct hc_ingest_plan *plan, size_t i);

void hc_ingest_plan_fini(struct hc_ingest_plan *plan);

#endif
