/* fit_restart.c - start-up, waits for an allocation, repair of nodes. */

#include "models/fit/fit_making.h"

#include "core/tables/nodes/phase_table.h"

#include <math.h>

#define LEAST_OWN                                                                                  \
    5 /* starts of the run that was asked for, of fewer those of all runs stand in                 \
       */

static const char start_source[] = "cycles of logs, jobs";

/* ---- start-up ---- */

static enum hc_status gather_starts(const struct hc_fit_records *records, bool is_in_place,
                                    int32_t run, struct hc_survival *times, struct hc_error *err)
{
    for (size_t i = 0; i < records->n_starts; i++) {
        const struct hc_fit_start *start = &records->starts[i];
        if (start->is_in_place == is_in_place && (run < 0 || start->run == run) &&
            hc_survival_add(times, start->seconds, start->is_cut, 1, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status add_starts(struct hc_fit_making *making, bool is_in_place,
                                 struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    int64_t n_own = 0;
    for (size_t i = 0; i < records->n_starts; i++)
        n_own += records->starts[i].is_in_place == is_in_place && !records->starts[i].is_cut &&
                 records->starts[i].run == records->run;
    bool is_own = records->run >= 0 && n_own >= LEAST_OWN;
    if (gather_starts(records, is_in_place, is_own ? records->run : -1, &times, err)) {
        hc_survival_fini(&times);
        return err->status;
    }
    if (hc_fit_making_times(making, &times, is_in_place ? "/startup/hot_s" : "/startup/full_s",
                            start_source, &p, err))
        return err->status;
    if (p->form == HC_FIT_ABSENT)
        hc_fit_note(p, "no log tells of %s that came to a step",
                    is_in_place ? "a launch in place" : "a start");
    else
        hc_fit_note(p, "from %s to the first step, loading included, of %s",
                    is_in_place ? "the launch" : "the start of the job",
                    is_own ? "this run" : "all runs");
    return HC_OK;
}

/* Told beside it: the phases, each on a node, of which a start waits for the slowest. */
static enum hc_status add_phases(struct hc_fit_making *making, struct hc_error *err)
{
    static const char *const paths[HC_N_PHASES] = {
        [HC_PHASE_IMAGE] = "phase_image_s",     [HC_PHASE_ENVIRONMENT] = "phase_environment_s",
        [HC_PHASE_INIT] = "phase_init_s",       [HC_PHASE_LOAD] = "phase_load_s",
        [HC_PHASE_COMPILE] = "phase_compile_s", [HC_PHASE_DATA] = "phase_data_s"};
    const struct hc_fit_records *records = making->records;
    for (int phase = 0; phase < HC_N_PHASES; phase++) {
        struct hc_survival times = {.n = 0};
        struct hc_fit_parameter *p;
        enum hc_status status = HC_OK;
        for (size_t i = 0; i < records->n_phases && paths[phase] && !status; i++)
            if (records->phases[i].phase == phase)
                status = hc_survival_add(&times, records->phases[i].seconds, false, 1, err);
        if (status || times.n == 0) {
            hc_survival_fini(&times);
            if (status)
                return status;
            continue;
        }
        if (hc_fit_making_times(making, &times, paths[phase], "phases", &p, err))
            return err->status;
        hc_fit_note(p, "of a node, or as a log tells it; the start-up above has it in it");
    }
    return HC_OK;
}

/* ---- recovery ---- */

struct wait_kind {
    const char *path, *what;
    double (*seconds)(const struct hc_fit_strike *strike);
};

static double gap_of(const struct hc_fit_strike *s)
{
    return s->follow == HC_FOLLOW_REQUEUE || s->follow == HC_FOLLOW_NEW_JOB ||
                   s->follow == HC_FOLLOW_NOT_YET
               ? s->gap_s
               : NAN;
}

static double requeue_of(const struct hc_fit_strike *s)
{
    return s->follow == HC_FOLLOW_REQUEUE ? s->gap_s : NAN;
}

static double resubmission_of(const struct hc_fit_strike *s)
{
    return s->follow == HC_FOLLOW_NEW_JOB ? s->gap_s - s->wait_s : NAN;
}

static double queue_of(const struct hc_fit_strike *s)
{
    return s->follow == HC_FOLLOW_NEW_JOB ? s->wait_s : NAN;
}

static enum hc_status add_wait(struct hc_fit_making *making, const struct wait_kind *kind,
                               struct hc_error *err)
{
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < making->records->n_strikes && !status; i++) {
        const struct hc_fit_strike *strike = &making->records->strikes[i];
        double seconds = kind->seconds(strike);
        if (!isnan(seconds) && seconds >= 0 && hc_fit_is_followed(making, strike))
            status = hc_survival_add(&times, seconds, strike->follow == HC_FOLLOW_NOT_YET, 1, err);
    }
    if (status) {
        hc_survival_fini(&times);
        return status;
    }
    if (hc_fit_making_times(making, &times, kind->path, "jobs, cycles of logs", &p, err))
        return err->status;
    if (p->form == HC_FIT_ABSENT)
        hc_fit_note(p, "no run was seen to go on so");
    else
        hc_fit_note(p, "%s, of %s", kind->what, making->has_own_follows ? "this run" : "all runs");
    return HC_OK;
}

static enum hc_status add_recovery(struct hc_fit_making *making, struct hc_error *err)
{
    static const struct wait_kind kinds[] = {
        {"/recovery/queue_s", "from the end of an allocation to the next one", gap_of},
        {"requeue_s", "the same where the scheduler queued the job again", requeue_of},
        {"resubmit_s", "from the end to the submission of another job", resubmission_of},
        {"resubmitted_queue_s", "from that submission to its start", queue_of},
    };
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "", err, "/recovery/shortfall");
    if (!p)
        return err->status;
    p->form = HC_FIT_WORD;
    p->word = "requeue";
    hc_fit_note(p, "without standbys a node that is lost sends the job to the queue");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (add_wait(making, &kinds[i], err))
            return err->status;
    return HC_OK;
}

/* ---- repair ---- */

static enum hc_status add_repair(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < records->n_repairs && !status; i++)
        status = hc_survival_add(&times, records->repairs[i].seconds, records->repairs[i].is_cut, 1,
                                 err);
    if (status) {
        hc_survival_fini(&times);
        return status;
    }
    if (hc_fit_making_times(making, &times, "/repair/automatic_s", "node_states", &p, err))
        return err->status;
    p->n_left_out = records->n_repairs_alike;
    p->needs = "/recovery/pool_nodes";
    if (p->form == HC_FIT_ABSENT)
        hc_fit_note(p, "no history of node states");
    else
        hc_fit_note(p, "down, failed or drained, maintenance apart");
    if (records->n_repairs_alike)
        hc_fit_note(p, "%lld nodes that were out together with another count with it",
                    (long long)records->n_repairs_alike);
    return HC_OK;
}

enum hc_status hc_fit_make_restart(struct hc_fit_making *making, struct hc_error *err)
{
    if (add_starts(making, false, err) || add_starts(making, true, err) ||
        add_phases(making, err) || add_recovery(making, err))
        return err->status;
    return add_repair(making, err);
}
