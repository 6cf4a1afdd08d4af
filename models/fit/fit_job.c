/* fit_job.c - size, step time and checkpoints of one run. */
#include "models/fit/fit_making.h"

#include "core/base/memory.h"
#include "models/stats/order_statistics.h"
#include "models/stats/rounding.h"
#include "models/stats/serial_ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SPREAD 1e-4 /* of the mean, below which step times are one number */
#define LEAST_LINES  3

static const char step_source[] = "train_steps";

static enum hc_status add_count(struct hc_fit_making *making, const char *path, double value,
                                const char *note, struct hc_error *err)
{
    struct hc_fit_parameter *p = hc_fit_parameter_add(making->parameters, "jobs", err, "%s", path);
    if (!p)
        return err->status;
    p->form = HC_FIT_COUNT;
    p->first.value = value;
    hc_fit_note(p, "%s", note);
    return HC_OK;
}

static enum hc_status add_absent(struct hc_fit_making *making, const char *path, const char *source,
                                 const char *note, struct hc_error *err)
{
    struct hc_fit_parameter *p = hc_fit_parameter_add(making->parameters, source, err, "%s", path);
    if (!p)
        return err->status;
    hc_fit_note(p, "%s", note);
    return HC_OK;
}

/* ---- steps ---- */

/* The mean time of a step, with the error of lines that follow one another; the spread of single
 * steps, from lines that are means of several, as if these were independent. */
struct step_time {
    struct hc_estimate mean;
    double sd, p10, median;
};

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum hc_status find_step_time(struct step_time *time, const struct hc_fit_steps *steps,
                                     struct hc_error *err)
{
    double *part = hc_new_array(steps->n, sizeof *part, err), sum = 0;
    if (!part)
        return err->status;
    for (size_t i = 0; i < steps->n; i++)
        part[i] = steps->seconds[i] * steps->iterations[i];
    struct hc_serial_ratio ratio = hc_serial_ratio_find(part, steps->iterations, steps->n);
    double low, high;
    hc_serial_ratio_interval(&ratio, 0.95, &low, &high);
    time->mean = (struct hc_estimate){hc_round_digits(ratio.value, HC_FIT_DIGITS),
                                      hc_round_digits(low, HC_FIT_DIGITS),
                                      hc_round_digits(high, HC_FIT_DIGITS)};
    for (size_t i = 0; i < steps->n; i++) {
        double off = steps->seconds[i] - ratio.value;
        sum += off * off * steps->iterations[i];
    }
    time->sd = hc_round_digits(sqrt(sum / (double)(steps->n - 1)), HC_FIT_DIGITS);
    memcpy(part, steps->seconds, steps->n * sizeof *part);
    qsort(part, steps->n, sizeof *part, compare_reals);
    time->p10 = part[hc_quantile_ranks(steps->n, 0.1, 0.95).at];
    time->median = part[hc_quantile_ranks(steps->n, 0.5, 0.95).at];
    free(part);
    return HC_OK;
}

static enum hc_status add_step(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_steps *steps = &making->records->steps;
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, step_source, err, "/job/step_s");
    struct step_time time = {.sd = NAN};
    if (!p)
        return err->status;
    p->n = (int64_t)steps->n;
    p->n_left_out = steps->n_first + steps->n_beyond;
    p->unit = "s";
    if (steps->n < LEAST_LINES) {
        hc_fit_note(p, "its logs have %zu lines of steps, of which 3 are needed", steps->n);
        return HC_OK;
    }
    if (find_step_time(&time, steps, err))
        return err->status;
    bool is_number = time.sd <= LEAST_SPREAD * time.mean.value;
    p->form = is_number ? HC_FIT_NUMBER : HC_FIT_DISTRIBUTION;
    p->family = is_number ? HC_FIT_NO_FAMILY : HC_FIT_LOGNORMAL;
    p->first = time.mean;
    if (!is_number)
        p->second.value = time.sd;
    p->median.value = time.median;
    hc_fit_note(p, "lines of steps; 10th percentile %.4g s, median %.4g s", time.p10, time.median);
    if (steps->n_first)
        hc_fit_note(p, "%lld with a launch's first iteration are left out",
                    (long long)steps->n_first);
    if (steps->n_beyond)
        hc_fit_note(p, "%lld beyond the first %zu are left out", (long long)steps->n_beyond,
                    steps->n);
    return HC_OK;
}

enum hc_status hc_fit_make_job(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    if (records->run < 0)
        return add_absent(making, "/job", "", "of no run: name one with --run", err);
    const struct hc_fit_run *run = &records->runs[records->run];
    double days = (double)(records->to_ns - records->from_ns) / 86400e9;
    if (run->nodes > 0 &&
        (add_count(making, "/job/nodes", run->nodes, "of its last job", err) ||
         (run->gpus >= run->nodes &&
          add_count(making, "/job/gpus_per_node", run->gpus / run->nodes, "the same", err))))
        return err->status;
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "jobs", err, "/job/horizon_d");
    if (!p)
        return err->status;
    p->form = HC_FIT_NUMBER;
    p->unit = "d";
    p->first.value = hc_round_digits(days, 4);
    hc_fit_note(p, "as long as the records that were fitted to");
    return add_step(making, err);
}

/* ---- checkpoints ---- */

static enum hc_status add_stall(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < records->n_stalls && !status; i++)
        status = hc_survival_add(&times, records->stalls[i], false, 1, err);
    if (status) {
        hc_survival_fini(&times);
        return status;
    }
    if (hc_fit_making_times(making, &times, "/checkpoint/stall_s", "train_measures", &p, err))
        return err->status;
    hc_fit_note(p, "%s",
                p->form == HC_FIT_ABSENT
                    ? "its logs have no timer save-checkpoint: saves cost nothing here"
                    : "of the timer save-checkpoint, of all ranks the longest");
    return HC_OK;
}

static enum hc_status add_interval(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_run *run = &making->records->runs[making->records->run];
    const struct hc_fit_parameter *step = hc_fit_parameter_find(making->parameters, "/job/step_s");
    struct hc_estimate time = step && step->form != HC_FIT_ABSENT ? step->first : hc_no_estimate;
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "checkpoints", err, "checkpoint_iterations");
    if (!p)
        return err->status;
    p->n = run->n_saves;
    p->n_left_out = run->n_other_saves;
    if (run->n_saves) {
        p->form = HC_FIT_COUNT;
        p->first.value = (double)run->save_iterations;
        hc_fit_note(p, "between saves of one launch, most often");
        if (run->n_other_saves)
            hc_fit_note(p, "%lld times another number", (long long)run->n_other_saves);
    } else {
        hc_fit_note(p, "its logs tell of no two saves of one launch");
    }
    if (!run->n_saves || isnan(time.value))
        return HC_OK;
    double n = (double)run->save_iterations;
    struct hc_fit_parameter *mode =
        hc_fit_parameter_add(making->parameters, "", err, "/checkpoint/mode");
    if (!mode)
        return err->status;
    mode->form = HC_FIT_WORD;
    mode->word = "blocking";
    hc_fit_note(mode, "no record says whether steps run while a save is written: what its timer "
                      "says is how long they stand, and then it is durable");
    p = hc_fit_parameter_add(making->parameters, "checkpoints, train_steps", err,
                             "/checkpoint/every_s");
    if (!p)
        return err->status;
    p->form = HC_FIT_NUMBER;
    p->unit = "s";
    p->n = run->n_saves;
    p->n_left_out = run->n_other_saves;
    p->first = (struct hc_estimate){hc_round_digits(n * time.value, HC_FIT_DIGITS),
                                    hc_round_digits(n * time.low, HC_FIT_DIGITS),
                                    hc_round_digits(n * time.high, HC_FIT_DIGITS)};
    hc_fit_note(p, "%.0f iterations of the mean step", n);
    return add_stall(making, err);
}

enum hc_status hc_fit_make_checkpoint(struct hc_fit_making *making, struct hc_error *err)
{
    if (making->records->run < 0)
        return add_absent(making, "/checkpoint", "", "of no run: name one with --run", err);
    return add_interval(making, err);
}
