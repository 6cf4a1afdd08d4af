/* From a stop to the next step: notice, place, remedy, start-up; and again where it did not help.
 */
#include "sim/lifetime/lifetime_state.h"

/* ---- start-up ---- */

static int64_t phase_ns(struct hc_life *s, const struct hc_lifetime_phase *phase, int kind)
{
    const struct hc_distribution *d = kind == HC_START_FIRST  ? &phase->first_s
                                      : kind == HC_START_FULL ? &phase->full_s
                                                              : &phase->hot_s;
    struct hc_philox *rng = &s->rng[HC_STREAM_START];
    double seconds = phase->per_node
                         ? hc_distribution_draw_max(d, s->config->job.nodes - s->n_absent, rng)
                         : hc_distribution_draw(d, rng);
    return hc_life_ns(seconds * phase->factor);
}

static int64_t load_ns(struct hc_life *s, enum hc_why why)
{
    const struct hc_lifetime_checkpoint *c = &s->config->checkpoint;
    int64_t ns = 0;
    if (s->plan->every_ns == HC_LIFE_NEVER || !s->kept.work_ns)
        return 0;
    for (;;) {
        ns += hc_life_draw(s, &c->load_s, HC_STREAM_SAVE) + hc_life_ns(s->plan->load_extra_s);
        ns = ns < HC_LIFE_NEVER ? ns : HC_LIFE_NEVER; /* many long ones pass what a clock holds */
        if (!s->kept.work_ns || !hc_life_chance(s, c->corrupt, HC_STREAM_SAVE))
            return ns;
        s->out->count[HC_COUNT_CORRUPT_LOADS]++;
        if (!s->n_gaps)
            return ns;
        hc_life_fall_back(s, 1, why);
    }
}

/* One phase, which faults may end. */
static bool pass_phase(struct hc_life *s, int64_t ns, int32_t what, enum hc_why why,
                       int64_t *by_what)
{
    bool goes = hc_life_exposed(s, ns, &by_what[what]);
    if (s->recorder)
        hc_life_record(s, what, why);
    return goes;
}

/* All phases and the load of the checkpoint, each with its barrier. Where a fault strikes on the
 * way, s->stopped is set and all of it was a failed start. */
void hc_life_start(struct hc_life *s, int kind, enum hc_why why)
{
    const struct hc_lifetime_startup *startup = &s->config->startup;
    int64_t by_what[HC_WHAT_STARTUP_UNSPLIT + 1] = {0}, all = 0, since_ns = s->now_ns;
    bool goes = !s->over;
    for (size_t i = 0; i < startup->n_phases && goes; i++)
        goes = pass_phase(s, phase_ns(s, &startup->phase[i], kind), startup->phase[i].what, why,
                          by_what);
    if (goes)
        goes = pass_phase(s, load_ns(s, why), HC_WHAT_STARTUP_LOAD, why, by_what);
    for (int what = 0; what <= HC_WHAT_STARTUP_UNSPLIT && s->now_ns > since_ns; what++) {
        all += by_what[what];
        if (goes || s->over)
            hc_life_book(s, (enum hc_what)what, why, by_what[what]);
    }
    if (!goes && !s->over) {
        hc_life_book(s, HC_WHAT_STARTUP_FAILED, why, all);
        s->out->count[HC_COUNT_FAILED_STARTS]++;
        if (s->recorder)
            hc_life_record_failed_start(s, since_ns);
    }
}

/* ---- remedies ---- */

/* Changes of code that waited go in with this stop. */
static void merge_waiting(struct hc_life *s)
{
    for (size_t i = s->n_live; i-- > 0;)
        if (s->config->fault[s->open[s->live[i]].fault].effect == HC_EFFECT_NONE) {
            hc_life_close_open(s, (size_t)s->live[i]);
            s->out->count[HC_COUNT_MERGED]++;
        }
}

/* The slots to evict, into s->evict_slot, with who of them is at fault. */
static int32_t choose_evicted(struct hc_life *s, const struct hc_lifetime_fault *fault,
                              int32_t remedy, bool wrong)
{
    int32_t n = 0, nodes = s->config->job.nodes;
    if (wrong) {
        s->evict_slot[0] = (int32_t)hc_philox_below(&s->rng[HC_STREAM_PLACE], (uint64_t)nodes);
        s->guilty[0] = false;
        return 1;
    }
    static const enum hc_parallel dimension[] = {[HC_GROUP_TP] = HC_PARALLEL_TP,
                                                 [HC_GROUP_PP] = HC_PARALLEL_PP,
                                                 [HC_GROUP_DP] = HC_PARALLEL_DP};
    bool group = remedy == HC_REMEDY_EVICT_GROUP && !(fault->detection.replay_s > 0);
    if (group && fault->group != HC_GROUP_NODES)
        return hc_life_parallel_group(s, dimension[fault->group]);
    int32_t size = group ? fault->group_nodes : 1, last_group = -1;
    for (int32_t i = 0; i < s->stop.n_slots; i++) { /* ascending, so are the groups */
        int32_t first = s->stop_slot[i] / size * size;
        if (first == last_group) {
            s->guilty[n - (first + size < nodes ? size : nodes - first) + s->stop_slot[i] % size] =
                true;
            continue;
        }
        last_group = first;
        for (int32_t slot = first; slot < first + size && slot < nodes; slot++) {
            s->evict_slot[n] = slot;
            s->guilty[n++] = slot == s->stop_slot[i];
        }
    }
    return n;
}

/* Other nodes for the first n of s->evict_slot, now or, where the job is elastic, meanwhile. */
static int evict(struct hc_life *s, int32_t n, enum hc_why why)
{
    n = s->elastic ? hc_life_elastic_present(s, n) : n;
    bool leaves = s->elastic && hc_life_elastic_may_leave(s, n);
    if (leaves && s->config->elastic.keeps_state)
        return hc_life_elastic_leave(s, n, why);
    if (s->elastic)
        hc_life_lose(s, why);
    if (s->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY && hc_life_loses_copies(s, n))
        hc_life_lose_memory(s, why);
    if (leaves || !n)
        return leaves ? hc_life_elastic_leave(s, n, why) : HC_START_HOT;
    return hc_life_replace(s, s->evict_slot, n, why);
}

static int apply(struct hc_life *s, int32_t remedy, bool wrong, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    hc_life_down(s, hc_life_draw(s, &fault->remedy_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
    if (s->over)
        return HC_START_HOT;
    if (remedy == HC_REMEDY_EVICT || remedy == HC_REMEDY_EVICT_GROUP)
        return evict(s, choose_evicted(s, fault, remedy, wrong), why);
    if (s->elastic) /* the restart takes what was held */
        hc_life_lose(s, why);
    if (remedy == HC_REMEDY_ROLLBACK)
        hc_life_fall_back(s, fault->rollback_checkpoints, why);
    return remedy == HC_REMEDY_REQUEUE ? hc_life_requeue(s, why) : HC_START_HOT;
}

/* Detection, where the job stands for it, and localisation. */
static void notice(struct hc_life *s, bool stands, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    if (fault->effect == HC_EFFECT_NONE)
        return;
    if (stands)
        hc_life_down(s, hc_life_detect_ns(s, fault), HC_WHAT_DETECTION, why);
    int64_t place_ns = hc_life_draw(s, &fault->detection.localise_s, HC_STREAM_DETECT);
    if (fault->detection.replay_s > 0)
        place_ns += 2 * hc_life_ns(fault->detection.replay_s);
    hc_life_down(s, place_ns, HC_WHAT_LOCALISATION, why);
}

/* What is lost by this stop; closes the open incident that was found. */
static void settle_losses(struct hc_life *s, int32_t found, enum hc_why why)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    bool foreseen = fault->effect == HC_EFFECT_SLOW || fault->effect == HC_EFFECT_NONE;
    if (foreseen && fault->saves_first)
        hc_life_save_now(s);
    if (s->elastic && s->config->elastic.keeps_state &&
        (fault->effect == HC_EFFECT_STOP || fault->effect == HC_EFFECT_SLOW))
        hc_life_hold(s); /* the remedy decides */
    else
        hc_life_lose(s, why);
    if (fault->effect == HC_EFFECT_CORRUPT) {
        hc_life_lose_taint(s, why);
        s->out->count[HC_COUNT_LATE_FINDS]++;
    }
    if (found >= 0)
        hc_life_close_open(s, (size_t)found);
}

/* One fault, climbed up its ladder until something helps. Ends early when another fault strikes
 * during a start (s->stopped: that one is to be recovered from next). */
static void recover_fault(struct hc_life *s, bool stands)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    enum hc_why why = (enum hc_why)fault->why;
    for (int32_t rung = 0; !s->over; rung++) {
        bool first = rung == 0 || fault->n_ladder == 0;
        int32_t remedy =
            first ? fault->remedy
                  : fault->ladder[rung < fault->n_ladder ? rung - 1 : fault->n_ladder - 1];
        notice(s, stands || rung, why);
        bool wrong = !rung && hc_life_chance(s, fault->detection.misdiagnosis, HC_STREAM_DETECT);
        bool helps =
            hc_life_chance(s, first ? fault->helps : fault->ladder_helps, HC_STREAM_RECOVER);
        int kind = apply(s, remedy, wrong, why);
        if (kind != HC_START_NONE) {
            merge_waiting(s);
            hc_life_start(s, kind, why);
        }
        if (s->stopped || (helps && !wrong))
            return;
        if (!s->over)
            s->out->count[HC_COUNT_RECURRENCES]++;
    }
}

static void recover_planned(struct hc_life *s)
{
    const struct hc_lifetime_planned_stop *stop = &s->config->job.planned_stop[s->stop.which];
    if (stop->saves_first)
        hc_life_save_now(s);
    hc_life_lose(s, HC_WHY_PLANNED);
    hc_life_down(s, hc_life_draw(s, &stop->lasts_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY,
                 HC_WHY_PLANNED);
    merge_waiting(s);
    hc_life_start(s, stop->full_start ? HC_START_FULL : HC_START_HOT, HC_WHY_PLANNED);
}

/* New code on the same nodes, after a save where there are saves. */
static void recover_code(struct hc_life *s)
{
    if (s->plan->every_ns != HC_LIFE_NEVER)
        hc_life_save_now(s);
    hc_life_lose(s, HC_WHY_PLANNED);
    s->code_speed *= s->config->job.code_change[s->stop.which].speed_factor;
    merge_waiting(s);
    hc_life_start(s, HC_START_HOT, HC_WHY_PLANNED);
}

/* Replicas that are whole again come back, on a save where a restart takes them in. */
static void recover_rejoin(struct hc_life *s)
{
    bool keeps = s->config->elastic.keeps_state;
    s->blame = hc_life_elastic_blame(s);
    enum hc_why why = (enum hc_why)s->config->fault[s->blame].why;
    s->out->count[HC_COUNT_REJOINS]++;
    if (!keeps && s->plan->every_ns != HC_LIFE_NEVER)
        hc_life_save_now(s);
    if (keeps)
        hc_life_hold(s);
    else
        hc_life_lose(s, why);
    hc_life_down(s, hc_life_draw(s, &s->config->elastic.rejoin_s, HC_STREAM_RECOVER),
                 HC_WHAT_RECOVERY, why);
    if (keeps)
        return;
    merge_waiting(s);
    hc_life_start(s, HC_START_HOT, why);
}

/* From a stop to running steps, whatever strikes on the way. */
void hc_life_recover(struct hc_life *s)
{
    while (s->stopped && !s->over) {
        bool stands = s->stop.kind == HC_STOP_FAULT;
        int32_t found = -1;
        s->stopped = false;
        s->blame = HC_LIFETIME_MAX_FAULTS;
        if (s->stop.kind == HC_STOP_PLANNED) {
            recover_planned(s);
            continue;
        }
        if (s->stop.kind == HC_STOP_CODE) {
            recover_code(s);
            continue;
        }
        if (s->stop.kind == HC_STOP_REJOIN) {
            recover_rejoin(s);
            continue;
        }
        if (s->stop.kind == HC_STOP_OPEN) {
            found = s->stop.which;
            hc_life_stop_open(s, (size_t)found);
        }
        s->blame = s->stop.which;
        settle_losses(s, found, (enum hc_why)s->config->fault[s->stop.which].why);
        recover_fault(s, stands);
    }
}
