/* From a stop to the next step: the fault is noticed and localised, a remedy is applied, the job
 * starts up; and all of it again where the remedy did not help. */
#include "sim/lifetime/life/life_driver.h"

/* ---- start-up ---- */

static int64_t load_ns(struct hc_life *s, enum hc_why why)
{
    const struct hc_lifetime_checkpoint *c = &s->config->checkpoint;
    int64_t ns = 0;
    if (s->compiled->every_ns == HC_LIFE_NEVER || !s->progress.kept.work_ns)
        return 0;
    for (;;) {
        ns += hc_life_draw(&s->streams, &c->load_s, HC_STREAM_SAVE) +
              hc_life_ns(s->compiled->load_extra_s);
        ns = ns < HC_LIFE_NEVER
                 ? ns
                 : HC_LIFE_NEVER; /* the sum of many loads may be longer than any life */
        if (!s->progress.kept.work_ns || !hc_life_chance(&s->streams, c->corrupt, HC_STREAM_SAVE))
            return ns;
        s->out->count[HC_COUNT_CORRUPT_LOADS]++;
        if (!s->progress.n_gaps)
            return ns;
        hc_life_fall_back(s, 1, why);
    }
}

/* One phase of a start. False: a fault struck in it, or the life is over. */
static bool pass_phase(struct hc_life *s, int64_t ns, int32_t what, enum hc_why why,
                       int64_t *by_what)
{
    bool goes = hc_life_exposed(s, ns, &by_what[what]);
    if (s->recorder)
        hc_life_record(s->recorder, s->now_ns, what, why, s->account.blame);
    return goes;
}

void hc_life_start(struct hc_life *s, enum hc_life_start kind, enum hc_why why)
{
    const struct hc_lifetime_startup *startup = &s->config->startup;
    int64_t by_what[HC_WHAT_STARTUP_UNSPLIT + 1] = {0}, all = 0, since_ns = s->now_ns;
    int32_t n = s->config->job.nodes - s->account.n_absent;
    bool goes = !s->end.over;
    for (size_t i = 0; i < startup->n_phases && goes; i++)
        goes = pass_phase(s, hc_life_phase_ns(s, &startup->phase[i], kind, n),
                          startup->phase[i].what, why, by_what);
    if (goes)
        goes = pass_phase(s, load_ns(s, why), HC_WHAT_STARTUP_LOAD, why, by_what);
    for (int what = 0; what <= HC_WHAT_STARTUP_UNSPLIT && s->now_ns > since_ns; what++) {
        all += by_what[what];
        if (by_what[what] && (goes || s->end.over))
            hc_life_book(&s->account, (enum hc_what)what, why, by_what[what]);
    }
    if (!goes && !s->end.over) {
        hc_life_book(&s->account, HC_WHAT_STARTUP_FAILED, why, all);
        s->out->count[HC_COUNT_FAILED_STARTS]++;
        if (s->recorder)
            hc_life_record_failed_start(s->recorder, since_ns);
    }
}

/* ---- remedies ---- */

/* Changes of code that waited go in with this stop. */
static void merge_waiting(struct hc_life *s)
{
    const struct hc_life_incidents *in = &s->incidents;
    for (size_t i = in->n_live; i-- > 0;)
        if (s->config->fault[in->open[in->live[i]].fault].effect == HC_EFFECT_NONE) {
            hc_life_close_incident(s, (size_t)in->live[i]);
            s->out->count[HC_COUNT_MERGED]++;
        }
}

/* An elastic job goes on without the first n to be evicted. */
static enum hc_life_start leave(struct hc_life *s, int32_t n, enum hc_why why)
{
    hc_life_elastic_leave(s, n);
    hc_life_down_drawn(s, &s->config->elastic.leave_s, why);
    return s->config->elastic.keeps_state ? HC_START_NONE : HC_START_HOT;
}

/* Other nodes for the first n to be evicted: now or, where the job is elastic, meanwhile. */
static enum hc_life_start replace(struct hc_life *s, int32_t n, enum hc_why why)
{
    bool leaves = s->elastic && hc_life_elastic_may_leave(s, n);
    if (leaves && s->config->elastic.keeps_state)
        return leave(s, n, why);
    if (s->elastic)
        hc_life_lose(s, why);
    if (s->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY && hc_life_loses_copies(s, n))
        hc_life_lose_memory(s, why);
    if (leaves || !n)
        return leaves ? leave(s, n, why) : HC_START_HOT;
    return hc_life_replace(s, n, why);
}

/* What was recorded of a fault is of its nodes: where some were evicted, nothing is of those that
 * came into their place, and may be evicted since it strikes again. */
static void forget_records(struct hc_life *s, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (s->evicted.guilty[i])
            s->stop.origin.n_rows = 0;
}

/* The first n to be evicted go. */
static enum hc_life_start evict(struct hc_life *s, int32_t n, enum hc_why why)
{
    n = s->elastic ? hc_life_elastic_present(s, n) : n;
    if (s->has_origins)
        hc_life_note_evicted(s, n);
    enum hc_life_start kind = replace(s, n, why);
    if (s->has_origins)
        forget_records(s, n);
    return kind;
}

static enum hc_life_start apply(struct hc_life *s, int32_t remedy, bool wrong, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    hc_life_down_drawn(s, &fault->remedy_s, why);
    if (s->end.over)
        return HC_START_HOT;
    if (remedy == HC_REMEDY_EVICT || remedy == HC_REMEDY_EVICT_GROUP)
        return evict(s, hc_life_choose_evicted(s, remedy, wrong), why);
    if (s->elastic) /* a restart of all replicas loses the state that settle_losses() held */
        hc_life_lose(s, why);
    if (remedy == HC_REMEDY_ROLLBACK)
        hc_life_fall_back(s, fault->rollback_checkpoints, why);
    return remedy == HC_REMEDY_REQUEUE ? hc_life_requeue(s, why) : HC_START_HOT;
}

/* How long the job is down until this moment of the record or, where there is none, for what was
 * drawn. */
static int64_t recorded_wait_ns(const struct hc_life *s, int64_t recorded_ns, int64_t drawn_ns)
{
    if (recorded_ns < 0)
        return drawn_ns;
    return recorded_ns > s->now_ns ? recorded_ns - s->now_ns : 0;
}

/* How long detection takes, where there are records of it or somebody asks: out of line, since that
 * is rare. */
static __attribute__((noinline)) int64_t told_detection_ns(struct hc_life *s, int64_t drawn_ns)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    const struct hc_lifetime_record *record = hc_life_record_of(fault, &s->stop.origin);
    int64_t ns = recorded_wait_ns(s, record ? record->detected_ns : -1, drawn_ns);
    if (s->log)
        hc_fault_log_detected(s->log, s->stop.origin.noted, s->now_ns + ns);
    return ns;
}

static __attribute__((noinline)) int64_t told_place_ns(struct hc_life *s, int64_t drawn_ns)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    const struct hc_lifetime_record *record = hc_life_record_of(fault, &s->stop.origin);
    int64_t ns = recorded_wait_ns(s, record ? record->located_ns : -1, drawn_ns);
    if (s->log && !s->end.over)
        hc_fault_log_located(s->log, s->stop.origin.noted, s->now_ns + ns);
    return ns;
}

/* The job is down until its fault is detected (where it stands still meanwhile, and does not run on
 * unaware of the fault), and then until the guilty node is found. The first time that is as it was
 * recorded, where it was. */
static void notice(struct hc_life *s, bool stands, bool is_first, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    bool is_told = is_first && s->has_origins;
    if (fault->effect == HC_EFFECT_NONE)
        return;
    if (stands) {
        int64_t ns = hc_life_detect_ns(s, fault);
        hc_life_down(s, is_told ? told_detection_ns(s, ns) : ns, HC_WHAT_DETECTION, why);
    }
    int64_t place_ns = hc_life_draw(&s->streams, &fault->detection.localise_s, HC_STREAM_DETECT);
    if (fault->detection.replay_s > 0)
        place_ns += 2 * hc_life_ns(fault->detection.replay_s);
    hc_life_down(s, is_told ? told_place_ns(s, place_ns) : place_ns, HC_WHAT_LOCALISATION, why);
}

/* Book what this stop loses, and close the open incident `found` (-1: none) that caused it. */
static void settle_losses(struct hc_life *s, int32_t found, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    bool foreseen = fault->effect == HC_EFFECT_SLOW || fault->effect == HC_EFFECT_NONE;
    if (foreseen && fault->saves_first)
        hc_life_save_now(s);
    if (s->elastic && s->config->elastic.keeps_state &&
        (fault->effect == HC_EFFECT_STOP || fault->effect == HC_EFFECT_SLOW))
        hc_work_hold(&s->progress, s->now_ns); /* whether it is lost depends on the remedy */
    else
        hc_life_lose(s, why);
    if (fault->effect == HC_EFFECT_CORRUPT) {
        hc_life_lose_taint(s, why);
        s->out->count[HC_COUNT_LATE_FINDS]++;
    }
    if (found >= 0)
        hc_life_close_incident(s, (size_t)found);
}

/* Apply the remedies of the fault, one rung of its ladder after the other, until one helps. Returns
 * early when another fault strikes during a start: s->stop is that one then, and s->stopped is set.
 */
static void climb_ladder(struct hc_life *s, bool stands)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    enum hc_why why = (enum hc_why)fault->why;
    for (int32_t rung = 0; !s->end.over; rung++) {
        bool first = rung == 0 || fault->n_ladder == 0;
        int32_t remedy =
            first ? fault->remedy
                  : fault->ladder[rung < fault->n_ladder ? rung - 1 : fault->n_ladder - 1];
        notice(s, stands || rung, !rung, why);
        bool wrong =
            !rung && hc_life_chance(&s->streams, fault->detection.misdiagnosis, HC_STREAM_DETECT);
        bool helps = hc_life_chance(&s->streams, first ? fault->helps : fault->ladder_helps,
                                    HC_STREAM_RECOVER);
        enum hc_life_start kind = apply(s, remedy, wrong, why);
        if (kind != HC_START_NONE) {
            merge_waiting(s);
            hc_life_start(s, kind, why);
        }
        if (s->stopped || (helps && !wrong))
            return;
        if (!s->end.over)
            s->out->count[HC_COUNT_RECURRENCES]++;
    }
}

static void recover_planned(struct hc_life *s)
{
    const struct hc_lifetime_planned_stop *stop = &s->config->job.planned_stop[s->stop.which];
    if (stop->saves_first)
        hc_life_save_now(s);
    hc_life_lose(s, HC_WHY_PLANNED);
    hc_life_down_drawn(s, &stop->lasts_s, HC_WHY_PLANNED);
    merge_waiting(s);
    hc_life_start(s, stop->full_start ? HC_START_FULL : HC_START_HOT, HC_WHY_PLANNED);
}

/* A change of code: the job saves, where it has checkpoints, and starts on the same nodes. */
static void recover_code(struct hc_life *s)
{
    if (s->compiled->every_ns != HC_LIFE_NEVER)
        hc_life_save_now(s);
    hc_life_lose(s, HC_WHY_PLANNED);
    s->progress.code_speed *= s->config->job.code_change[s->stop.which].speed_factor;
    merge_waiting(s);
    hc_life_start(s, HC_START_HOT, HC_WHY_PLANNED);
}

/* Replicas of an elastic job that are whole again come back. Where that takes a restart of all, the
 * job saves first. */
static void recover_rejoin(struct hc_life *s)
{
    bool keeps = s->config->elastic.keeps_state;
    s->account.blame = hc_life_elastic_blame(s);
    enum hc_why why = (enum hc_why)s->config->fault[s->account.blame].why;
    s->out->count[HC_COUNT_REJOINS]++;
    if (!keeps && s->compiled->every_ns != HC_LIFE_NEVER)
        hc_life_save_now(s);
    if (keeps)
        hc_work_hold(&s->progress, s->now_ns);
    else
        hc_life_lose(s, why);
    hc_life_down_drawn(s, &s->config->elastic.rejoin_s, why);
    if (keeps)
        return;
    merge_waiting(s);
    hc_life_start(s, HC_START_HOT, why);
    if (s->stopped) /* a fault struck, as it might have struck steps */
        hc_life_interrupted(s);
}

/* A fault that stopped the job, or an open incident that was found: the slots of the latter are
 * those that still have its nodes. */
static void recover_from_fault(struct hc_life *s)
{
    bool stands = s->stop.kind == HC_STOP_FAULT;
    int32_t found = stands ? -1 : s->stop.which;
    if (found >= 0) {
        s->stop.which = s->incidents.open[found].fault;
        s->stop.n_slots = hc_incidents_slots(&s->incidents, (size_t)found, s->stop.slot);
        s->stop.origin = s->incidents.open[found].origin;
        s->incidents.open[found].origin.noted =
            -1; /* closed with the stop, not with the incident */
    }
    s->account.blame = s->stop.which;
    settle_losses(s, found, (enum hc_why)s->config->fault[s->stop.which].why);
    climb_ladder(s, stands);
}

void hc_life_recover(struct hc_life *s)
{
    while (s->stopped && !s->end.over) {
        s->stopped = false;
        s->account.blame = HC_LIFETIME_MAX_FAULTS;
        switch (s->stop.kind) {
        case HC_STOP_PLANNED:
            recover_planned(s);
            break;
        case HC_STOP_CODE:
            recover_code(s);
            break;
        case HC_STOP_REJOIN:
            recover_rejoin(s);
            break;
        default:
            recover_from_fault(s);
        }
    }
}
