/* straggler_words.c - the evidence of a verdict (each test with its figure and limit), and the
 * verdict, in words. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/text/number_format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Limits from the paper (sections 5.1 to 5.3). */
#define MOST_OF_EXCESS 0.5
#define PAPER_R        0.9

/* Limits of our own (docs/methods/causes.md). */
#define LEAST_FORWARD_PART 0.8

#define NO_EXCESS "not known: the excess over the ideal steps is none, or too small to share out"

__attribute__((format(printf, 3, 4))) static void
add(struct hc_straggler_cause_search *search, struct hc_evidence evidence, const char *format, ...)
{
    struct hc_verdict *verdict = search->verdict;
    if (verdict->n_evidence == HC_MAX_EVIDENCE)
        return;
    evidence.passed = evidence.value >= evidence.limit;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(evidence.text, sizeof evidence.text, format, arguments);
    va_end(arguments);
    verdict->evidence[verdict->n_evidence++] = evidence;
}

/* The culprit with the largest share of those that a cause is made of, and how many there are. */
static const struct hc_culprit *main_culprit(const struct hc_straggler_cause_search *search,
                                             enum hc_straggler_cause cause, size_t *n)
{
    const struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    const struct hc_culprit *first = NULL;
    *n = 0;
    for (size_t i = 0; i < culprits->n; i++) {
        if (culprits->culprits[i].cause != cause)
            continue;
        first = first ? first : &culprits->culprits[i];
        ++*n;
    }
    return first;
}

/* Who is slow: one culprit, or so many with the worst named. Returns how many. */
static size_t name_culprits(const struct hc_straggler_cause_search *search,
                            enum hc_straggler_cause cause, char *text, size_t size)
{
    size_t n;
    const struct hc_culprit *first = main_culprit(search, cause, &n);
    if (n > 1)
        snprintf(text, size, "%zu of them, the worst %.207s,", n, first->name);
    else
        snprintf(text, size, "%s", first ? first->name : "");
    return n;
}

/* ---- the tests ---- */

/* Whether remedies were replayed and there was an excess to share out among them. */
static bool is_shared(const struct hc_straggler_cause_search *search)
{
    return search->is_deep && !isnan(hc_whatif_excess_s(search->analysis->result));
}

static bool is_suspected(const struct hc_straggler_cause_search *search, enum hc_remedy remedy)
{
    return is_shared(search) && search->remedies.suspected[remedy];
}

/* The share of the excess that goes with a remedy: NaN when there was none to share out, 0 when its
 * part was not suspected. */
static double share_of(const struct hc_straggler_cause_search *search, enum hc_remedy remedy)
{
    return is_shared(search)
               ? search->remedies.saved_s[remedy] / hc_whatif_excess_s(search->analysis->result)
               : NAN;
}

/* "0.451 of the excess goes"; where what goes depends on what else is mended, both figures, of
 * which the share is the mean. */
static const char *what_goes(const struct hc_straggler_cause_search *search, enum hc_remedy remedy,
                             char text[112])
{
    double excess_s = hc_whatif_excess_s(search->analysis->result);
    double share = search->remedies.saved_s[remedy] / excess_s;
    double alone = search->remedies.alone_s[remedy] / excess_s;
    if (fabs(alone - share) < 0.0005)
        snprintf(text, 112, "%.3f of the excess goes", alone);
    else
        snprintf(text, 112, "%.3f of the excess goes (%.3f after all other suspects are mended)",
                 alone, 2 * share - alone);
    return text;
}

static const char *no_share(const struct hc_straggler_cause_search *search)
{
    return is_shared(search) ? "too little to matter"
           : search->is_deep ? NO_EXCESS
                             : "not looked for: S is below the threshold";
}

static void add_worker_evidence(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    char who[256] = "", goes[112];
    struct hc_evidence paper = {HC_STRAGGLER_WORKER, "m_w", NAN, MOST_OF_EXCESS, false, ""};
    if (r->m_w.done && isnan(r->m_w.rem)) {
        add(search, paper, NO_EXCESS);
    } else if (r->m_w.done) {
        hc_worker_name(r, (size_t)r->slowest[0], who);
        paper.value = r->m_w.rem;
        add(search, paper,
            "%.3f of the excess goes when the slowest 3 %% of the workers (%zu), first %s, are "
            "ideal",
            r->m_w.rem, r->n_slowest, who);
    } else {
        add(search, paper, "not known: S is below the threshold of the decomposition");
    }
    struct hc_evidence share = {
        HC_STRAGGLER_WORKER, "worker_share", share_of(search, HC_REMEDY_WORKER),
        HC_LEAST_SHARE,      false,          ""};
    if (is_suspected(search, HC_REMEDY_WORKER)) {
        size_t n = name_culprits(search, HC_STRAGGLER_WORKER, who, sizeof who);
        add(search, share, "%s when %s take%s no longer than the peers in the stage",
            what_goes(search, HC_REMEDY_WORKER, goes), who, n > 1 ? "" : "s");
    } else {
        add(search, share, "workers that are slower than their peers in the stage: %s",
            search->is_deep && r->dp_size == 1 ? "unknown, there is one dp rank"
                                               : no_share(search));
    }
}

static void add_stage_evidence(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_evidence paper = {HC_STRAGGLER_STAGE, "m_s", r->m_s.rem, MOST_OF_EXCESS, false, ""};
    if (r->pp_size > 1 && isnan(paper.value))
        add(search, paper, NO_EXCESS);
    else if (r->pp_size > 1)
        add(search, paper, "%.3f of the excess goes when the last stage (%d) is ideal", paper.value,
            r->pp_size - 1);
    else
        add(search, paper, "not known: there is one stage");
    struct hc_evidence share = {
        HC_STRAGGLER_STAGE, "stage_share", share_of(search, HC_REMEDY_STAGE),
        HC_LEAST_SHARE,     false,         ""};
    char goes[112];
    if (is_suspected(search, HC_REMEDY_STAGE))
        add(search, share,
            "%s when all stages have the same work; stage %d has %.2f times the mean",
            what_goes(search, HC_REMEDY_STAGE, goes), search->worst_stage,
            search->worst_stage_ratio);
    else
        add(search, share, "differences of work between stages: %s", no_share(search));
}

static void add_sequence_evidence(struct hc_straggler_cause_search *search)
{
    const char *pairing =
        search->pairs.by_order ? "; paired by order, the trace has no microbatches" : "";
    add(search,
        (struct hc_evidence){HC_STRAGGLER_SEQUENCE, "r_forward_backward", search->r_stage, PAPER_R,
                             false, ""},
        "correlation of forward and backward passes within a stage%s: the median over %s%s",
        isnan(search->r_stage) ? " (not known)" : "",
        search->is_deep ? "stages without slow workers or uneven work" : "all stages", pairing);
    add(search,
        (struct hc_evidence){HC_STRAGGLER_SEQUENCE, "r_microbatch", search->r_microbatch,
                             HC_LEAST_AGREEMENT, false, ""},
        "correlation of forward and backward passes of a microbatch over all stages, each against "
        "the median of its worker%s",
        search->is_deep ? "" : ": not looked for, S is below the threshold");
    struct hc_evidence share = {HC_STRAGGLER_SEQUENCE,
                                "sequence_share",
                                share_of(search, HC_REMEDY_SEQUENCE),
                                HC_LEAST_SHARE,
                                false,
                                ""};
    char goes[112];
    if (is_suspected(search, HC_REMEDY_SEQUENCE))
        add(search, share,
            "%s when all microbatches have the same work; it varies by %.0f %% (standard "
            "deviation)",
            what_goes(search, HC_REMEDY_SEQUENCE, goes),
            100 * search->model.factor_sd / search->model.factor_mean);
    else
        add(search, share, "differences of work between microbatches: %s", no_share(search));
}

static void add_pause_evidence(struct hc_straggler_cause_search *search)
{
    const struct hc_pauses *pauses = &search->model.pauses;
    double forward_s = pauses->excess_s[HC_FORWARD_PASS];
    double all_s = forward_s + pauses->excess_s[HC_BACKWARD_PASS];
    struct hc_evidence part = {HC_STRAGGLER_GC,
                               "pauses_forward",
                               search->is_deep && all_s > 0 ? forward_s / all_s : NAN,
                               LEAST_FORWARD_PART,
                               false,
                               ""};
    if (!search->is_deep)
        add(search, part, "pauses: not looked for, S is below the threshold");
    else
        add(search, part,
            "pauses: %lld of forward passes (%.3f s, %zu workers, %zu steps; %lld look planned), "
            "%lld of backward passes (%.3f s)",
            (long long)pauses->n[HC_FORWARD_PASS], forward_s, pauses->n_workers, pauses->n_steps,
            (long long)pauses->n_planned, (long long)pauses->n[HC_BACKWARD_PASS],
            pauses->excess_s[HC_BACKWARD_PASS]);
    struct hc_evidence share = {HC_STRAGGLER_GC, "pause_share", share_of(search, HC_REMEDY_PAUSES),
                                HC_LEAST_SHARE,  false,         ""};
    char goes[112];
    if (is_suspected(search, HC_REMEDY_PAUSES))
        add(search, share, "%s without the pauses of forward passes",
            what_goes(search, HC_REMEDY_PAUSES, goes));
    else
        add(search, share, "pauses of forward passes alone: %s", no_share(search));
}

static void add_link_evidence(struct hc_straggler_cause_search *search)
{
    struct hc_evidence share = {HC_STRAGGLER_LINK, "link_share", share_of(search, HC_REMEDY_LINKS),
                                HC_LEAST_SHARE,    false,        ""};
    char who[256], goes[112];
    if (!is_suspected(search, HC_REMEDY_LINKS)) {
        add(search, share, "links that are slower than others: %s", no_share(search));
        return;
    }
    name_culprits(search, HC_STRAGGLER_LINK, who, sizeof who);
    add(search, share, "%s when these are as other links: %s",
        what_goes(search, HC_REMEDY_LINKS, goes), who);
}

static void add_common_evidence(struct hc_straggler_cause_search *search)
{
    struct hc_evidence share = {
        HC_STRAGGLER_COMMON, "common_share", share_of(search, HC_REMEDY_COMMON),
        HC_LEAST_SHARE,      false,          ""};
    char goes[112];
    if (is_suspected(search, HC_REMEDY_COMMON))
        add(search, share, "%s without the ops that are slow on all workers in the same steps",
            what_goes(search, HC_REMEDY_COMMON, goes));
    else
        add(search, share, "ops that are slow on all workers in the same steps: %s",
            no_share(search));
}

static void add_launch_evidence(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_evidence test = {
        HC_STRAGGLER_LAUNCH, "launch_slowdown", r->launch_slowdown, HC_STRAGGLING, false, ""};
    if (r->hides_waiting)
        add(search, test, "not known: the trace hides when transfers began to wait");
    else
        add(search, test, "steps take %.3f times as long as without launch delays",
            r->launch_slowdown);
}

void hc_straggler_cause_list_evidence(struct hc_straggler_cause_search *search)
{
    add_worker_evidence(search);
    add_stage_evidence(search);
    add_sequence_evidence(search);
    add_pause_evidence(search);
    add_link_evidence(search);
    add_common_evidence(search);
    add_launch_evidence(search);
}

/* ---- the verdict ---- */

/* What a remedy alone saves, in words: "89 % of the excess is gone", or without one the time. */
static const char *what_is_gone(const struct hc_straggler_cause_search *search,
                                enum hc_remedy remedy, char text[96])
{
    const struct hc_whatif_result *r = search->analysis->result;
    double alone_s = search->remedies.alone_s[remedy], share = alone_s / hc_whatif_excess_s(r);
    char saved[HC_NUMBER_TEXT];
    /* A share can be above 1: a part set right can be faster than the ideal, which is the mean of
     * the ops as they are, slow ones included. */
    if (share >= 0.995)
        snprintf(text, 96, "all of the excess is gone");
    else if (share > 0)
        snprintf(text, 96, "%.0f %% of the excess is gone", 100 * share);
    else
        snprintf(text, 96, "%s of a mean step are gone", hc_format_seconds(alone_s, saved));
    return text;
}

/* What is said when no test passes. That the slow worker is another one in each step is no cause,
 * but tells where to look. */
static void describe_unexplained(const struct hc_straggler_cause_search *search, char *text,
                                 size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const struct hc_wander *wander = &search->wander;
    int n = snprintf(text, size, "S is %.3f, and no test explains %.0f %% of the excess",
                     r->slowdown, 100 * HC_LEAST_SHARE);
    if (hc_wanders_one_by_one(wander, r->n_steps))
        snprintf(text + n, size - (size_t)n,
                 "; the straggler wanders: the worst worker of each step brings %.0f %% of the "
                 "excess alone, the next %.0f %%, and it is one of %zu workers in %zu steps",
                 100 * wander->share, 100 * wander->next_share, wander->n_workers, r->n_steps);
    else if (search->r_microbatch >= HC_LEAST_AGREEMENT && !isnan(search->r_stages) &&
             !search->remedies.suspected[HC_REMEDY_SEQUENCE])
        snprintf(text + n, size - (size_t)n,
                 "; forward and backward passes of a microbatch agree (r %.2f), but the stages do "
                 "not (r %.2f): load that differs by stage and microbatch, as in a mixture of "
                 "experts, and not sequence lengths",
                 search->r_microbatch, search->r_stages);
    else if (r->m_w.done && r->m_w.rem > MOST_OF_EXCESS) {
        char who[HC_WORKER_NAME];
        hc_worker_name(r, (size_t)r->slowest[0], who);
        snprintf(
            text + n, size - (size_t)n,
            "; yet %.0f %% of it goes when %s is fixed (M_W): it has the worst of the luck, and "
            "no steps or passes in which it is clearly slow",
            100 * r->m_w.rem, who);
    }
}

/* Culprits that save less one by one than this part of what they save together hide each other:
 * then both is said, so that nobody mends one of them and waits for what does not come. */
#define MOST_ALONE 0.8

/* The sentence of the first culprit of a cause, and what mending all of that cause saves. */
static void describe_culprits(const struct hc_straggler_cause_search *search,
                              enum hc_straggler_cause cause, double together_s, char *text,
                              size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const struct hc_culprits *culprits = &r->depth.culprits;
    double alone_s = 0, step_s = cause == HC_STRAGGLER_LAUNCH ? r->traced_s : r->replayed_s;
    char saved[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT], alone[HC_NUMBER_TEXT], one_by_one[96] = "";
    size_t n;
    const struct hc_culprit *first = main_culprit(search, cause, &n);
    for (size_t i = 0; i < culprits->n; i++)
        alone_s += culprits->culprits[i].cause == cause ? culprits->culprits[i].alone_s : 0;
    int used = snprintf(text, size, "%s", first->text);
    if (n < 2 || used < 0 || (size_t)used >= size)
        return;
    if (alone_s < MOST_ALONE * together_s)
        snprintf(one_by_one, sizeof one_by_one,
                 "they hide each other, and save %s in all one by one: ",
                 hc_format_seconds(alone_s, alone));
    snprintf(text + used, size - (size_t)used, "; %smending all %zu saves %s (%s)", one_by_one, n,
             hc_format_seconds(together_s, saved), hc_format_percent(together_s / step_s, share));
}

static void describe_launch(const struct hc_straggler_cause_search *search, char *text, size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    size_t n;
    const struct hc_culprit *worst = main_culprit(search, HC_STRAGGLER_LAUNCH, &n);
    if (worst)
        describe_culprits(search, HC_STRAGGLER_LAUNCH, r->depth.culprits.launches_together_s, text,
                          size);
    else
        snprintf(text, size, "ops start late");
    size_t used = strlen(text);
    snprintf(text + used, size - used,
             "; steps take %.2f times as long as without launch delays; look at the host%s (data "
             "loading, Python)",
             r->launch_slowdown, !worst || worst->n_members > 1 || n > 1 ? "s" : "");
}

/* Pauses of all workers in the same steps are planned; then the question is only whether they cost
 * too much. */
static void describe_pauses(const struct hc_pauses *pauses, const char *gone, char *text,
                            size_t size)
{
    char planned[120] = "", backward[80] = "and backward passes do not";
    if (pauses->n_planned == pauses->n[HC_FORWARD_PASS])
        snprintf(planned, sizeof planned, " (all workers in the same steps, as if planned)");
    else if (pauses->n_planned > 0)
        snprintf(planned, sizeof planned, " (%lld of them in %zu steps in which all workers do)",
                 (long long)pauses->n_planned, pauses->n_planned_steps);
    if (pauses->n[HC_BACKWARD_PASS] > 0)
        snprintf(backward, sizeof backward, "and %lld backward passes (%.3f s against %.3f s)",
                 (long long)pauses->n[HC_BACKWARD_PASS], pauses->excess_s[HC_BACKWARD_PASS],
                 pauses->excess_s[HC_FORWARD_PASS]);
    snprintf(text, size,
             "%lld forward passes, on %zu workers in %zu steps, pause%s, %s; without the pauses of "
             "forward passes, %s",
             (long long)pauses->n[HC_FORWARD_PASS], pauses->n_workers, pauses->n_steps, planned,
             backward, gone);
}

static void describe(const struct hc_straggler_cause_search *search, enum hc_straggler_cause cause,
                     char *text, size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    const struct hc_remedies *remedies = &search->remedies;
    char gone[96];
    size_t n;
    double variation = 100 * search->model.factor_sd / search->model.factor_mean;
    if (cause == HC_STRAGGLER_LAUNCH) {
        describe_launch(search, text, size);
    } else if (main_culprit(search, cause, &n)) {
        for (int i = 0; i < HC_N_REMEDIES; i++)
            if (hc_cause_of_remedy((enum hc_remedy)i) == cause)
                describe_culprits(search, cause, remedies->alone_s[i], text, size);
    } else if (cause == HC_STRAGGLER_STAGE) {
        snprintf(text, size,
                 "stage %d has %.2f times the mean work of a stage; with even stages, %s%s",
                 search->worst_stage, search->worst_stage_ratio,
                 what_is_gone(search, HC_REMEDY_STAGE, gone),
                 r->dp_size == 1 ? " (with one dp rank, a slow worker looks the same)" : "");
    } else if (cause == HC_STRAGGLER_SEQUENCE) {
        snprintf(text, size,
                 "the work of microbatches varies by %.0f %%, in forward and backward passes alike "
                 "(r %.2f); with even microbatches, %s",
                 variation, search->r_microbatch, what_is_gone(search, HC_REMEDY_SEQUENCE, gone));
    } else if (cause == HC_STRAGGLER_GC) {
        describe_pauses(&search->model.pauses, what_is_gone(search, HC_REMEDY_PAUSES, gone), text,
                        size);
    } else {
        describe_unexplained(search, text, size);
    }
}

static void write_none(const struct hc_straggler_cause_search *search, char *text, size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    if (isnan(r->launch_slowdown))
        snprintf(text, size, "S is %.3f, below %.1f; late launches cannot be seen in this trace",
                 r->slowdown, HC_STRAGGLING);
    else
        snprintf(text, size, "S is %.3f and the launch slowdown %.3f, both below %.1f", r->slowdown,
                 r->launch_slowdown, HC_STRAGGLING);
}

/* Where and when a further cause is, if that is known: ": NAME, WHEN". */
static void locate(const struct hc_straggler_cause_search *search, enum hc_straggler_cause cause,
                   char *text, size_t size)
{
    size_t n;
    const struct hc_culprit *first = main_culprit(search, cause, &n);
    text[0] = '\0';
    if (first)
        snprintf(text, size, ": %s%s%s", first->name, first->when[0] ? ", " : "", first->when);
    else if (cause == HC_STRAGGLER_STAGE && search->worst_stage >= 0)
        snprintf(text, size, ": stage %d", search->worst_stage);
}

void hc_straggler_cause_write_text(struct hc_straggler_cause_search *search)
{
    struct hc_verdict *verdict = search->verdict;
    char detail[1152];
    if (verdict->cause == HC_STRAGGLER_NONE)
        write_none(search, detail, sizeof detail);
    else
        describe(search, verdict->cause, detail, sizeof detail);
    const char *cause = hc_straggler_cause_text(verdict->cause);
    verdict->detail = strlen(cause) + strlen(": ");
    size_t n = (size_t)snprintf(verdict->text, sizeof verdict->text, "%s: %s", cause, detail);
    for (size_t i = 0; i < verdict->n_also && n < sizeof verdict->text; i++) {
        char where[448];
        locate(search, verdict->also[i], where, sizeof where);
        n += (size_t)snprintf(verdict->text + n, sizeof verdict->text - n, "%s%s%s",
                              i ? ", " : "; besides: ", hc_straggler_cause_text(verdict->also[i]),
                              where);
    }
}
