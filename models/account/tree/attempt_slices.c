#include "models/account/tree/attempt_slices.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "models/account/tree/launch_pace.h"
#include "models/account/tree/steady_steps.h"

/* Slices are put one behind the other: what is before the cursor has its slice. */
struct tiler {
    const struct hc_attempt_facts *facts;
    const struct hc_launches *launches;
    const struct hc_slice_sink *sink;
    struct hc_error *err;
    const struct hc_launch_facts *at; /* launch, or NULL */
    struct hc_pace pace;              /* of that launch */
    int64_t cursor;
    int32_t most_ranks; /* of the launches so far; 0: not known */
};

/* What a slice has besides its time. */
struct label {
    enum hc_what what;
    enum hc_why why;
    enum hc_failure_evidence evidence;
    enum hc_mark mark;
    enum hc_slice_rule rule;
    int32_t failure;
    int64_t line, uncertain_ns, steps;
};

static struct label plain(enum hc_what what, enum hc_mark mark, enum hc_slice_rule rule)
{
    return (struct label){.what = what,
                          .why = HC_WHY_NONE,
                          .evidence = HC_EVIDENCE_NONE,
                          .mark = mark,
                          .rule = rule,
                          .failure = -1,
                          .line = HC_MISSING_I64};
}

static struct label of_stop(enum hc_what what, const struct hc_stop *stop, enum hc_mark mark,
                            enum hc_slice_rule rule)
{
    struct label label = plain(what, mark, rule);
    label.why = stop->why;
    label.evidence = stop->evidence;
    label.failure = stop->failure;
    return label;
}

/* ---- slices ---- */

static enum hc_status give(struct tiler *t, const struct label *label, int64_t to_ns, int32_t gpus)
{
    const struct hc_launch *launch = t->at ? t->at->launch : NULL;
    const struct hc_slice slice = {.from_ns = t->cursor,
                                   .to_ns = to_ns,
                                   .uncertain_ns = label->uncertain_ns,
                                   .line = label->line != HC_MISSING_I64 ? label->line
                                           : launch                      ? launch->line
                                                                         : HC_MISSING_I64,
                                   .steps = label->steps,
                                   .gpus = gpus,
                                   .launch = launch ? (int32_t)(launch - t->launches->list) : -1,
                                   .failure = label->failure,
                                   .source = launch ? launch->source : HC_MISSING_I32,
                                   .what = label->what,
                                   .why = label->why,
                                   .evidence = label->evidence,
                                   .mark = label->mark,
                                   .rule = label->rule};
    return t->sink->take(&slice, t->sink->context, t->err);
}

static bool is_of_steps(enum hc_what what)
{
    return what == HC_WHAT_PRODUCTIVE_UNSPLIT || what == HC_WHAT_LOST_WORK ||
           what == HC_WHAT_ABANDONED || what == HC_WHAT_STARTUP_WARM_UP ||
           what == HC_WHAT_CHECKPOINT_STALL || what == HC_WHAT_EVALUATION;
}

/* GPUs of the allocation that the launch does without. A launch with fewer ranks than one before it
 * is degraded while it steps; of others they are standbys. */
static int32_t left_out(const struct tiler *t, enum hc_what what, struct label *rest)
{
    int32_t ranks = t->at ? t->at->launch->world_size : HC_MISSING_I32;
    if (ranks <= 0 || ranks >= t->facts->gpus)
        return 0;
    bool is_smaller = ranks < t->most_ranks;
    if (is_smaller && !is_of_steps(what))
        return 0;
    *rest = plain(is_smaller ? HC_WHAT_DEGRADED : HC_WHAT_STANDBY_IDLE, HC_MARK_MEASURED,
                  is_smaller ? HC_RULE_SMALLER_WORLD : HC_RULE_STANDBY);
    if (is_smaller && t->at->launch->before >= 0) {
        const struct hc_stop *stop = &t->launches->list[t->at->launch->before].stop;
        rest->why = stop->why;
        rest->evidence = stop->evidence;
        rest->failure = stop->failure;
    } else if (is_smaller) {
        rest->why = HC_WHY_UNKNOWN;
    }
    return t->facts->gpus - ranks;
}

static enum hc_status put_until(struct tiler *t, int64_t to_ns, struct label label)
{
    struct label rest;
    if (to_ns > t->facts->end_ns)
        to_ns = t->facts->end_ns;
    if (to_ns <= t->cursor)
        return HC_OK;
    int32_t n_rest = left_out(t, label.what, &rest);
    if (give(t, &label, to_ns, t->facts->gpus - n_rest) ||
        (n_rest && give(t, &rest, to_ns, n_rest)))
        return t->err->status;
    t->cursor = to_ns;
    return HC_OK;
}

/* ---- start-up ---- */

static enum hc_what leaf_of(enum hc_phase phase)
{
    static const enum hc_what leaves[HC_N_PHASES] = {
        [HC_PHASE_QUEUE] = HC_WHAT_STARTUP_UNSPLIT,
        [HC_PHASE_ALLOCATE] = HC_WHAT_STARTUP_ENVIRONMENT,
        [HC_PHASE_IMAGE] = HC_WHAT_STARTUP_IMAGE,
        [HC_PHASE_ENVIRONMENT] = HC_WHAT_STARTUP_ENVIRONMENT,
        [HC_PHASE_INIT] = HC_WHAT_STARTUP_INIT,
        [HC_PHASE_LOAD] = HC_WHAT_STARTUP_LOAD,
        [HC_PHASE_COMPILE] = HC_WHAT_STARTUP_COMPILE,
        [HC_PHASE_WARM_UP] = HC_WHAT_STARTUP_WARM_UP,
        [HC_PHASE_FIRST_STEP] = HC_WHAT_STARTUP_FIRST_STEP,
        [HC_PHASE_DATA] = HC_WHAT_STARTUP_INIT,
        [HC_PHASE_OTHER] = HC_WHAT_STARTUP_UNSPLIT,
    };
    return leaves[phase];
}

/* Why the launch was started. */
static struct label of_start(const struct tiler *t, enum hc_what what, enum hc_slice_rule rule)
{
    const struct hc_launch *launch = t->at ? t->at->launch : NULL;
    struct label label = plain(what, HC_MARK_MEASURED, rule);
    if (launch && launch->before >= 0)
        return of_stop(what, &t->launches->list[launch->before].stop, HC_MARK_MEASURED, rule);
    label.why = launch ? HC_WHY_FIRST_START : HC_WHY_UNKNOWN;
    return label;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value > high ? high : value < low ? low : value;
}

/* Start-up of which nothing tells more: before the log of the launch begins, and in it. */
static enum hc_status put_unmarked(struct tiler *t, int64_t to_ns)
{
    int64_t log_ns = t->at ? t->at->launch->start_ns : t->cursor;
    return put_until(t, least(log_ns, to_ns),
                     of_start(t, HC_WHAT_STARTUP_UNSPLIT, HC_RULE_BEFORE_LAUNCH)) ||
                   put_until(t, to_ns, of_start(t, HC_WHAT_STARTUP_UNSPLIT, HC_RULE_UNMARKED_START))
               ? t->err->status
               : HC_OK;
}

static enum hc_status put_phases(struct tiler *t, const struct hc_phase_span *phases, size_t n,
                                 int64_t to_ns)
{
    for (size_t i = 0; i < n; i++) {
        int64_t from_ns = least(phases[i].from_ns, to_ns);
        int64_t end_ns = least(phases[i].to_ns, to_ns);
        if (end_ns <= t->cursor || end_ns <= from_ns)
            continue;
        if (put_unmarked(t, from_ns) ||
            put_until(t, end_ns, of_start(t, leaf_of(phases[i].phase), HC_RULE_PHASE)))
            return t->err->status;
    }
    return HC_OK;
}

/* Up to the first step. */
static enum hc_status put_start(struct tiler *t, int64_t first_step_ns)
{
    return put_phases(t, t->at->phases, t->at->n_phases, first_step_ns) ||
                   put_unmarked(t, first_step_ns)
               ? t->err->status
               : HC_OK;
}

/* ---- work that counts, and work that does not ---- */

/* The iteration above which the work of a launch is at risk; HC_MISSING_I64: none is. */
static int64_t risk_above(const struct tiler *t)
{
    const struct hc_launch *launch = t->at->launch;
    bool goes_on = t->facts->is_running && launch->is_last;
    if (launch->goes_on || launch->is_done || goes_on ||
        (launch->is_last && t->facts->is_completed))
        return HC_MISSING_I64;
    return launch->saved_iteration != HC_MISSING_I64 ? launch->saved_iteration
                                                     : launch->resumed_iteration;
}

/* What becomes of an iteration: it counts, was lost, or is at risk. */
static struct label of_iteration(const struct tiler *t, int64_t iteration, enum hc_mark mark,
                                 enum hc_slice_rule rule)
{
    const struct hc_launch *launch = t->at->launch;
    const struct hc_loss *loss = hc_launch_loss(t->launches, launch, iteration);
    int64_t risk = risk_above(t);
    if (loss)
        return of_stop(HC_WHAT_LOST_WORK, &t->launches->list[loss->stop].stop, mark,
                       HC_RULE_RESUMED_BELOW);
    if (risk != HC_MISSING_I64 && iteration > risk) {
        bool is_old = t->facts->as_of_ns > hc_capped_sum(t->facts->end_ns, HC_ABANDONED_NS);
        return of_stop(is_old ? HC_WHAT_ABANDONED : HC_WHAT_LOST_WORK, &launch->stop,
                       HC_MARK_ESTIMATED, is_old ? HC_RULE_ABANDONED : HC_RULE_AT_RISK);
    }
    return plain(HC_WHAT_PRODUCTIVE_UNSPLIT, mark, rule);
}

/* The last iteration, at most `most`, to which the same happened as to this one. */
static int64_t same_up_to(const struct tiler *t, int64_t iteration, int64_t most)
{
    const struct hc_launch *launch = t->at->launch;
    int64_t risk = risk_above(t);
    for (size_t i = 0; i < launch->n_losses; i++) {
        int64_t above = t->launches->losses[launch->losses + i].above;
        if (above >= iteration && above < most)
            most = above;
    }
    return risk != HC_MISSING_I64 && risk >= iteration && risk < most ? risk : most;
}

/* ---- steps ---- */

static int64_t first_of(const struct hc_step_row *row)
{
    return row->iteration < INT64_MIN + row->iterations ? INT64_MIN
                                                        : row->iteration - row->iterations + 1;
}

/* From the cursor to where the steps of a row begin, which took so long. */
static enum hc_status put_gap(struct tiler *t, const struct hc_step_row *row, int64_t took_ns,
                              int64_t after)
{
    const struct hc_launch_facts *at = t->at;
    int64_t stall_ns = row->end_ns - t->cursor - took_ns, begin_ns = t->cursor + stall_ns;
    int64_t n_saves = hc_count_moments(at->saves, at->n_saves, after, row->iteration);
    int64_t n_evaluations =
        hc_count_moments(at->evaluations, at->n_evaluations, after, row->iteration);
    enum hc_mark mark = n_saves && n_evaluations ? HC_MARK_ESTIMATED : HC_MARK_MEASURED;
    if (!hc_is_gap(stall_ns, took_ns, n_saves + n_evaluations > 0))
        return HC_OK;
    if (n_saves + n_evaluations == 0 && row == at->steps && after == first_of(row) - 1)
        return put_unmarked(t, begin_ns); /* that all was ready is told in whole seconds, mostly */
    if (n_saves + n_evaluations == 0)
        return put_until(t, begin_ns, plain(HC_WHAT_UNKNOWN, HC_MARK_UNKNOWN, HC_RULE_GAP));
    if (n_evaluations)
        stall_ns = !n_saves                             ? 0
                   : t->pace.stall_ns != HC_MISSING_I64 ? hc_times(n_saves, t->pace.stall_ns)
                   : t->pace.evaluation_ns != HC_MISSING_I64
                       ? stall_ns - hc_times(n_evaluations, t->pace.evaluation_ns)
                       : stall_ns;
    return put_until(t, t->cursor + clamp(stall_ns, 0, begin_ns - t->cursor),
                     plain(HC_WHAT_CHECKPOINT_STALL, mark, HC_RULE_SAVE_IN_GAP)) ||
                   put_until(t, begin_ns,
                             plain(HC_WHAT_EVALUATION, mark, HC_RULE_EVALUATION_IN_GAP))
               ? t->err->status
               : HC_OK;
}

/* The steps of a row, which begin at the cursor: first what they take above the steady median, then
 * those that count and those that do not. Only those above `before` are counted: a log may tell of
 * a step twice. */
static enum hc_status put_row(struct tiler *t, const struct hc_step_row *row, int64_t excess_ns,
                              int64_t before)
{
    int64_t first = first_of(row), last = row->iteration;
    struct label label = of_iteration(t, first, HC_MARK_MEASURED, HC_RULE_STEPS);
    if (excess_ns > 0 && label.what == HC_WHAT_PRODUCTIVE_UNSPLIT) {
        struct label warm = of_start(t, HC_WHAT_STARTUP_WARM_UP, HC_RULE_WARM_UP);
        warm.line = row->line;
        if (put_until(t, least(hc_capped_sum(t->cursor, excess_ns), row->end_ns), warm))
            return t->err->status;
    }
    int64_t begin_ns = t->cursor;
    for (int64_t i = first;;) {
        int64_t up_to = same_up_to(t, i, last);
        label = of_iteration(t, i, HC_MARK_MEASURED, HC_RULE_STEPS);
        label.line = row->line;
        label.steps = up_to > before ? up_to - (i > before ? i - 1 : before) : 0;
        int64_t done = up_to - first + 1;
        int64_t to_ns = up_to == last ? row->end_ns
                                      : begin_ns + (int64_t)((hc_gpu_ns)(row->end_ns - begin_ns) *
                                                             done / row->iterations);
        if (put_until(t, to_ns, label))
            return t->err->status;
        if (up_to == last)
            break;
        i = up_to + 1;
    }
    return HC_OK;
}

static enum hc_status put_steps(struct tiler *t)
{
    const struct hc_launch_facts *at = t->at;
    const struct hc_steady_steps steady = hc_steady_steps_find(at->steps, at->n_steps);
    int64_t before = at->launch->resumed_iteration;
    for (size_t i = 0; i < at->n_steps; i++) {
        const struct hc_step_row *row = &at->steps[i];
        if (row->end_ns <= t->cursor || row->iterations < 1)
            continue;
        int64_t took_ns = hc_row_took_ns(row), excess_ns = 0;
        if (took_ns == HC_MISSING_I64 || took_ns > row->end_ns - t->cursor)
            took_ns = row->end_ns - t->cursor;
        if (put_gap(t, row, took_ns, before))
            return t->err->status;
        if (i < steady.n_warm && row->duration_ns > steady.median_ns)
            excess_ns = hc_times(row->iterations, row->duration_ns - steady.median_ns);
        if (put_row(t, row, excess_ns, before))
            return t->err->status;
        before = row->iteration > before ? row->iteration : before;
    }
    return HC_OK;
}

/* ---- the end of a launch ---- */

/* Behind the last line of steps: what was saved since was made, at the pace of the steps before,
 * and each save held the steps up as others did. *last: the iteration that is known then. */
static enum hc_status put_saved(struct tiler *t, int64_t *last, int64_t to_ns)
{
    const struct hc_launch_facts *at = t->at;
    for (size_t i = 0; i < at->n_saves && t->pace.step_ns != HC_MISSING_I64; i++) {
        int64_t iteration = at->saves[i].iteration;
        if (iteration < *last || (iteration == *last && !t->pace.saves_late))
            continue;
        struct label steps = of_iteration(t, iteration, HC_MARK_ESTIMATED, HC_RULE_STEPS_AT_PACE);
        if (__builtin_sub_overflow(iteration, *last, &steps.steps))
            break;
        int64_t took_ns = hc_times(steps.steps, t->pace.step_ns);
        if (put_until(t, clamp(hc_capped_sum(t->cursor, took_ns), t->cursor, to_ns), steps))
            return t->err->status;
        *last = iteration;
        if (t->pace.stall_ns != HC_MISSING_I64 &&
            put_until(t, clamp(hc_capped_sum(t->cursor, t->pace.stall_ns), t->cursor, to_ns),
                      plain(HC_WHAT_CHECKPOINT_STALL, HC_MARK_ESTIMATED, HC_RULE_SAVE_AS_OTHERS)))
            return t->err->status;
    }
    return HC_OK;
}

/* What was done from the cursor on is lost by the stop, or at risk, whichever the next step is. */
static struct label of_partial(const struct tiler *t, int64_t last)
{
    struct label label =
        of_iteration(t, hc_capped_sum(last, 1), HC_MARK_ESTIMATED, HC_RULE_PARTIAL_STEP);
    if (label.what == HC_WHAT_PRODUCTIVE_UNSPLIT)
        label = of_stop(HC_WHAT_LOST_WORK, &t->at->launch->stop, HC_MARK_ESTIMATED,
                        HC_RULE_PARTIAL_STEP);
    return label;
}

/* From the cursor: up to the fault as `label` says, then detection, then recovery. Where a node
 * told of the fault in between, steps went on until then: it lies in the last of them. */
static enum hc_status put_failure(struct tiler *t, int64_t to_ns, struct label label)
{
    const struct hc_launch *launch = t->at->launch;
    int64_t low_ns = t->cursor, event_ns = launch->stop.event_ns;
    int64_t notice_ns = clamp(launch->stop.notice_ns, low_ns, to_ns);
    int64_t high_ns = clamp(launch->stop.fault_high_ns, low_ns, notice_ns);
    if (event_ns != HC_MISSING_I64 && event_ns > low_ns && event_ns <= high_ns) {
        high_ns = event_ns;
        if (t->at->n_steps && t->pace.step_ns != HC_MISSING_I64)
            low_ns = clamp(event_ns - t->pace.step_ns, low_ns, event_ns);
    }
    struct label detection =
        of_stop(HC_WHAT_DETECTION, &launch->stop,
                high_ns > low_ns ? HC_MARK_ESTIMATED : HC_MARK_MEASURED, HC_RULE_FAULT_TO_NOTICE);
    detection.uncertain_ns = label.uncertain_ns = high_ns - low_ns;
    return put_until(t, low_ns + (high_ns - low_ns) / 2, label) ||
                   put_until(t, notice_ns, detection) ||
                   put_until(
                       t, to_ns,
                       of_stop(HC_WHAT_RECOVERY, &launch->stop, HC_MARK_MEASURED,
                               launch->is_last ? HC_RULE_NOTICE_TO_END : HC_RULE_NOTICE_TO_LAUNCH))
               ? t->err->status
               : HC_OK;
}

static int64_t last_step(const struct tiler *t)
{
    const struct hc_launch_facts *at = t->at;
    return at->n_steps ? at->steps[at->n_steps - 1].iteration : at->launch->resumed_iteration;
}

/* When the next line of steps was due, with half as much again. */
static int64_t due_ns(const struct tiler *t)
{
    const struct hc_launch_facts *at = t->at;
    const struct hc_step_row *row = at->n_steps ? &at->steps[at->n_steps - 1] : NULL;
    int64_t took_ns = row ? hc_row_took_ns(row) : HC_MISSING_I64;
    if (took_ns == HC_MISSING_I64)
        return at->launch->end_ns;
    int64_t due = hc_capped_sum(row->end_ns, hc_capped_sum(took_ns, took_ns / 2));
    return due > at->launch->end_ns ? due : at->launch->end_ns;
}

/* Whether the training was complete before another step could have been made, and the last one that
 * the log tells was saved behind its line: the time between is the save's. */
static bool ends_in_save(const struct tiler *t, int64_t done_ns)
{
    const struct hc_launch_facts *at = t->at;
    const struct hc_moment_row *save = at->n_saves ? &at->saves[at->n_saves - 1] : NULL;
    const struct hc_step_row *step = at->n_steps ? &at->steps[at->n_steps - 1] : NULL;
    return save && step && save->iteration == step->iteration && save->time_ns >= step->end_ns &&
           t->pace.step_ns != HC_MISSING_I64 && done_ns - t->cursor < t->pace.step_ns;
}

static enum hc_status put_done(struct tiler *t, int64_t to_ns)
{
    int64_t done_ns = clamp(t->at->launch->end_ns, t->cursor, to_ns), last = last_step(t);
    if (ends_in_save(t, done_ns) &&
        put_until(t, done_ns,
                  plain(HC_WHAT_CHECKPOINT_STALL, HC_MARK_ESTIMATED, HC_RULE_SAVE_AS_OTHERS)))
        return t->err->status;
    return put_saved(t, &last, done_ns) ||
                   put_until(t, done_ns,
                             plain(HC_WHAT_PRODUCTIVE_UNSPLIT, HC_MARK_ESTIMATED,
                                   HC_RULE_STEPS_AT_PACE)) ||
                   put_until(t, to_ns,
                             plain(HC_WHAT_IDLE_AFTER, HC_MARK_MEASURED, HC_RULE_TRAINING_DONE))
               ? t->err->status
               : HC_OK;
}

/* Not by a failure: it goes on, or a plan or a person ended it. */
static enum hc_status put_stopped(struct tiler *t, int64_t to_ns)
{
    const struct hc_launch *launch = t->at->launch;
    int64_t at_pace_ns = clamp(due_ns(t), t->cursor, to_ns), last = last_step(t);
    struct label rest = plain(HC_WHAT_UNKNOWN, HC_MARK_UNKNOWN, HC_RULE_BEYOND_PACE);
    if (!launch->is_last)
        rest =
            of_stop(HC_WHAT_RECOVERY, &launch->stop, HC_MARK_ESTIMATED, HC_RULE_NOTICE_TO_LAUNCH);
    if (put_saved(t, &last, at_pace_ns) ||
        put_until(
            t, at_pace_ns,
            of_iteration(t, hc_capped_sum(last, 1), HC_MARK_ESTIMATED, HC_RULE_STEPS_AT_PACE)))
        return t->err->status;
    return put_until(t, to_ns, rest);
}

static enum hc_status put_end(struct tiler *t, int64_t to_ns)
{
    const struct hc_launch *launch = t->at->launch;
    bool is_over = !(t->facts->is_running && launch->is_last);
    int64_t last = last_step(t);
    if (launch->is_done || (launch->is_last && t->facts->is_completed))
        return put_done(t, to_ns);
    if (!is_over || launch->stop.failure < 0)
        return put_stopped(t, to_ns);
    if (put_saved(t, &last, clamp(launch->stop.fault_high_ns, t->cursor, to_ns)))
        return t->err->status;
    return put_failure(t, to_ns, of_partial(t, last));
}

/* ---- attempts ---- */

/* A launch that came to its own end without a line of steps: it trained nothing, or its log does
 * not tell of steps. What is behind its phases is not known. */
static enum hc_status put_unseen(struct tiler *t, int64_t to_ns)
{
    return put_phases(t, t->at->phases, t->at->n_phases, to_ns) ||
                   put_until(t, to_ns, plain(HC_WHAT_UNKNOWN, HC_MARK_UNKNOWN, HC_RULE_NO_STEPS))
               ? t->err->status
               : HC_OK;
}

/* The last that is known to have gone well in a launch without a step: the end of a phase before
 * the fault. */
static int64_t seen_until(const struct tiler *t)
{
    int64_t seen_ns = t->cursor;
    for (size_t i = 0; i < t->at->n_phases; i++)
        if (t->at->phases[i].to_ns <= t->at->launch->stop.fault_high_ns &&
            t->at->phases[i].to_ns > seen_ns)
            seen_ns = t->at->phases[i].to_ns;
    return seen_ns;
}

/* A launch that never came to a step. */
static enum hc_status put_no_step(struct tiler *t, int64_t to_ns)
{
    const struct hc_launch *launch = t->at->launch;
    if (t->facts->is_running && launch->is_last)
        return put_start(t, to_ns);
    if (put_start(t, least(launch->start_ns, to_ns)))
        return t->err->status;
    if (launch->is_done || (launch->is_last && t->facts->is_completed))
        return put_unseen(t, to_ns);
    const struct label failed =
        of_stop(HC_WHAT_STARTUP_FAILED, &launch->stop, HC_MARK_MEASURED, HC_RULE_NEVER_STEPPED);
    if (launch->stop.failure < 0)
        return put_until(t, to_ns, failed);
    return put_until(t, least(seen_until(t), to_ns), failed) || put_failure(t, to_ns, failed)
               ? t->err->status
               : HC_OK;
}

static enum hc_status put_launch(struct tiler *t, int64_t to_ns)
{
    const struct hc_launch *launch = t->at->launch;
    to_ns = clamp(to_ns, t->cursor, t->facts->end_ns);
    if (launch->first_step_ns == HC_MISSING_I64)
        return put_no_step(t, to_ns);
    t->pace = hc_pace_find(t->at);
    if (put_start(t, least(launch->first_step_ns, to_ns)) || put_steps(t) ||
        put_end(t, to_ns > t->cursor ? to_ns : t->cursor))
        return t->err->status;
    if (launch->world_size > t->most_ranks)
        t->most_ranks = launch->world_size;
    return HC_OK;
}

/* When a launch but the first of its attempt begins: with its log, or before that with the first of
 * its phases, where those came after the launch before. */
static int64_t begin_ns(const struct hc_launch_facts *before, const struct hc_launch_facts *at)
{
    int64_t first_ns = at->launch->start_ns;
    for (size_t i = 0; i < at->n_phases; i++)
        if (at->phases[i].from_ns >= before->launch->end_ns)
            first_ns = least(first_ns, at->phases[i].from_ns);
    return first_ns;
}

enum hc_status hc_attempt_slices(const struct hc_attempt_facts *facts,
                                 const struct hc_launches *launches,
                                 const struct hc_slice_sink *sink, struct hc_error *err)
{
    struct tiler t = {
        .facts = facts, .launches = launches, .sink = sink, .err = err, .cursor = facts->start_ns};
    if (facts->gpus <= 0 || facts->end_ns <= facts->start_ns)
        return HC_OK;
    for (size_t i = 0; i < facts->n_launches; i++) {
        t.at = &facts->launches[i];
        int64_t to_ns =
            i + 1 < facts->n_launches ? begin_ns(t.at, &facts->launches[i + 1]) : facts->end_ns;
        if (put_launch(&t, to_ns))
            return err->status;
    }
    if (facts->n_launches == 0 && put_phases(&t, facts->phases, facts->n_phases, facts->end_ns))
        return err->status;
    t.at = NULL;
    return put_until(&t, facts->end_ns, plain(HC_WHAT_UNKNOWN, HC_MARK_UNKNOWN, HC_RULE_NO_LOG));
}
