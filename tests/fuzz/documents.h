/* documents.h - results with foreign names and any numbers in them, for the targets of writers:
 * made up as those of the tests of views are, and then overwritten from the bytes of the input. */
#ifndef HC_TESTS_FUZZ_DOCUMENTS_H
#define HC_TESTS_FUZZ_DOCUMENTS_H

#include "core/tables/op_table.h"
#include "reports/fleet/fleet_report.h"
#include "reports/whatif/whatif_report.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"
#include "tests/fuzz/target.h"
#include "tests/support/fake_fleet.h"
#include "tests/support/fake_study.h"

#define FUZZ_FLEET_JOBS 3
#define FUZZ_N_NAMES    4

/* Everything at once; each writer takes what it writes. */
struct fuzz_documents {
    char *name[FUZZ_N_NAMES], cluster[FUZZ_FLEET_JOBS][310];
    struct hc_fleet_row fleet_rows[FUZZ_FLEET_JOBS];
    struct hc_fleet_report fleet;
    struct fake_study study;
    struct hc_whatif_result result;
    struct hc_whatif_report whatif;
    struct hc_left_out_step out; /* what the result left out */
};

static inline const char *fuzz_name(struct fuzz_documents *d, struct fuzz_input *input)
{
    return d->name[fuzz_byte(input) % FUZZ_N_NAMES];
}

/* ---- a fleet ---- */

static inline void fuzz_fleet_numbers(struct hc_fleet_row *row, struct fuzz_input *input)
{
    double *const numbers[] = {&row->slowdown,
                               &row->waste,
                               &row->discrepancy,
                               &row->gpu_hours_traced,
                               &row->gpu_hours_lost,
                               &row->mean_traced_s,
                               &row->launch_slowdown,
                               &row->m_w,
                               &row->m_s,
                               &row->correlation,
                               &row->max_worker,
                               &row->mean_ideal_s,
                               &row->sampled[0],
                               &row->types[0].slowdown};
    for (unsigned n = fuzz_byte(input) % 4; n > 0; n--)
        *numbers[fuzz_byte(input) % (sizeof numbers / sizeof *numbers)] = fuzz_real(input);
}

static inline void fuzz_fleet(struct fuzz_documents *d, struct fuzz_input *input)
{
    for (size_t i = 0; i < FUZZ_FLEET_JOBS; i++) {
        struct hc_fleet_row *row = &d->fleet_rows[i];
        *row = fake_drawn(fuzz_byte(input), (char *)fuzz_name(d, input));
        snprintf(d->cluster[i], sizeof d->cluster[i], "%zu%s", i, fuzz_name(d, input));
        row->cluster = d->cluster[i]; /* in this order, whatever the names */
        row->attempt = fuzz_i32(input);
        snprintf(row->detail, sizeof row->detail, "%s", fuzz_name(d, input));
        fuzz_fleet_numbers(row, input);
    }
    d->fleet = fake_fleet_report(d->fleet_rows, FUZZ_FLEET_JOBS);
    d->fleet.archive = fuzz_name(d, input);
    d->fleet.options = fuzz_name(d, input);
}

/* ---- a study ---- */

static inline void fuzz_study_names(struct fuzz_documents *d, struct fuzz_input *input)
{
    struct hc_study_result *result = &d->study.result;
    result->name = fuzz_name(d, input);
    result->question = fuzz_name(d, input);
    result->found.path = result->found.such_that = fuzz_name(d, input);
    for (size_t r = 0; r < result->n_runs; r++)
        result->run[r].name = fuzz_name(d, input);
    for (size_t i = 0; i < hc_life_run_detail(&result->run[0])->config->n_faults; i++)
        ((struct hc_lifetime_fault *)hc_life_run_detail(&result->run[0])->config->fault)[i].name =
            (char *)fuzz_name(d, input);
    for (size_t i = 0; i < result->n_bars; i++)
        result->bar[i].path = fuzz_name(d, input);
    for (size_t i = 0; i < result->axis[0].n; i++)
        ((const char **)result->axis[0].label)[i] = fuzz_name(d, input);
    ((struct hc_study_axis *)result->axis)[0].path = fuzz_name(d, input);
}

static inline void fuzz_study_numbers(struct fuzz_documents *d, struct fuzz_input *input)
{
    struct hc_study_result *result = &d->study.result;
    for (unsigned n = fuzz_byte(input) % 4; n > 0; n--) {
        struct hc_study_value *value = &result->run[0].value[fuzz_byte(input) % FAKE_N_COLUMNS];
        switch (fuzz_byte(input) % 4) {
        case 0:
            value->mean = fuzz_real(input);
            break;
        case 1:
            value->low = fuzz_real(input);
            break;
        case 2:
            result->cell[fuzz_byte(input) % result->n_points].value->mean = fuzz_real(input);
            break;
        default:
            ((double *)result->axis[0].number)[0] = fuzz_real(input);
        }
    }
}

static inline void fuzz_study(struct fuzz_documents *d, struct fuzz_input *input)
{
    fake_study_init(&d->study, 2, 2);
    fake_sweep(&d->study, (size_t[]){3}, 1, fuzz_byte(input) % 2);
    fake_find(&d->study, fuzz_byte(input) % 2);
    fake_tornado(&d->study, 2);
    fake_life(&d->study, 4, 2);
    d->study.result.scenario = "{}";
    fuzz_study_names(d, input);
    fuzz_study_numbers(d, input);
    const char *note = fuzz_name(d, input);
    const char **notes = fake_new(&d->study, 1, sizeof *notes);
    struct hc_study_input *source = fake_new(&d->study, 1, sizeof *source);
    notes[0] = source->path = note;
    strcpy(source->sha256, "00");
    d->study.result.notes = notes;
    d->study.result.inputs = source;
    d->study.result.n_notes = d->study.result.n_inputs = 1;
    fake_digest(&d->study);
}

/* ---- a what-if ---- */

/* The analysis of a small job, made once. */
static inline struct hc_whatif_result fuzz_analysed(void)
{
    struct hc_synth_steps_options shape = hc_synth_steps_defaults();
    const struct hc_synth_slow slow = {.dp_rank = 1, .stage = 1, .factor = 2};
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_error err = {0};
    struct hc_table ops;
    struct hc_whatif_result result;
    const struct hc_whatif_options options = {.threshold = 1,
                                              .replay.max_bad = 1,
                                              .replay.threads = 1,
                                              .depth = HC_DEPTH_ALL | HC_DEPTH_PICTURE,
                                              .picture_step = HC_MISSING_I32};
    shape.job_id = "x";
    shape.pp = shape.dp = shape.microbatches = 2;
    shape.n_steps = 12;
    shape.n_slow = 1;
    shape.slow = &slow;
    require(!hc_synth_steps_open(&generator, &shape, &err));
    require(!hc_table_init(&ops, &hc_ops_def, (size_t)hc_synth_steps_rows(generator), &err));
    require(!hc_synth_steps_next(generator, &ops, &err));
    require(!hc_step_trace_new(&trace, hc_synth_steps_job(generator), &err));
    require(!hc_step_trace_add(trace, &ops, &err));
    require(!hc_whatif_run(&result, trace, &options, &err));
    hc_step_trace_free(trace);
    hc_table_fini(&ops);
    hc_synth_steps_close(generator);
    return result;
}

/* A shallow copy: arrays stay those of the analysis. */
static inline void fuzz_whatif(struct fuzz_documents *d, struct fuzz_input *input)
{
    static struct hc_whatif_result analysed;
    if (!analysed.n_steps)
        analysed = fuzz_analysed();
    struct hc_whatif_result *r = &d->result;
    *r = analysed;
    r->job.id = (char *)fuzz_name(d, input);
    r->job.cluster = (char *)fuzz_name(d, input);
    r->job.attempt = fuzz_i32(input);
    d->out = (struct hc_left_out_step){.step = fuzz_i32(input), .fate = HC_STEP_BAD_ROWS};
    snprintf(d->out.detail, sizeof d->out.detail, "%s", fuzz_name(d, input));
    r->left_out = &d->out;
    r->n_left_out = 1;
    double *const numbers[] = {
        &r->traced_s,       &r->replayed_s,      &r->ideal_s,     &r->slowdown,
        &r->waste,          &r->launch_slowdown, &r->discrepancy, &r->gpu_hours_traced,
        &r->gpu_hours_lost, &r->m_s.rem,         &r->m_w.add,     &r->depth.intervals.m_w.low};
    for (unsigned n = fuzz_byte(input) % 4; n > 0; n--)
        *numbers[fuzz_byte(input) % (sizeof numbers / sizeof *numbers)] = fuzz_real(input);
    d->whatif = (struct hc_whatif_report){.result = r,
                                          .source_path = fuzz_name(d, input),
                                          .source_sha256 = "00",
                                          .format = fuzz_name(d, input),
                                          .source_size = fuzz_i64(input),
                                          .format_version = 1,
                                          .archive = fuzz_name(d, input),
                                          .segment = fuzz_name(d, input),
                                          .steps_option = fuzz_name(d, input),
                                          .depth = HC_DEPTH_ALL | HC_DEPTH_PICTURE};
}

/* tame: the same with names in which the characters of markup are letters. */
static inline void fuzz_documents_init(struct fuzz_documents *d, struct fuzz_input *input,
                                       bool tame)
{
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < FUZZ_N_NAMES; i++) {
        d->name[i] = fuzz_text(input, 300);
        for (char *p = d->name[i]; tame && (p = strpbrk(p, "<>&\"'=/:#%")); p++)
            *p = 'x';
    }
    fuzz_fleet(d, input);
    fuzz_study(d, input);
    fuzz_whatif(d, input);
}

static inline void fuzz_documents_fini(struct fuzz_documents *d)
{
    for (size_t i = 0; i < FUZZ_N_NAMES; i++)
        free(d->name[i]);
    fake_study_free(&d->study);
    fake_fleet_report_fini(&d->fleet);
}

#endif
