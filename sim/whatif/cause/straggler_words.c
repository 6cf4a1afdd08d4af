/* straggler_words.c - the evidence of a verdict (each test with its figure and limit), and the
 * verdict, in words. */
#include "sim/whatif/cause/culprit_search.h"

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
static size_t name_slow_workers(const struct hc_straggler_cause_search *search, char *text,
                                size_t size)
{
    size_t n;
    const struct hc_culprit *first = main_culprit(search, HC_STRAGGLER_WORKER, &n);
    if (n > 1)
        snprintf(text, size, "%zu of them, the worst %.207s,", n, first->name);
    else
        snprintf(text, size, "%s", first ? first->name : "");
    return n;
}

/* Whether more is slow than one direction of one link: a boundary both ways, or the collectives of
 * all dp ranks of a stage. */
static bool is_slow_all_over(const struct hc_straggler_cause_search *search)
{
    const struct hc_links *links = &search->links;
    const struct hc_link *worst = &links->links[links->worst];
    size_t dp_size = (size_t)search->analysis->result->dp_size, n_places = links->n / 3;
    if (worst->is_p2p)
        return links->is_slow[(links->worst + n_places) % (2 * n_places)];
    size_t first = links->worst - (size_t)worst->dp_rank;
    bool all = dp_size > 1;
    for (size_t d = 0; d < dp_size; d++)
        all = all && links->is_slow[first + d];
    return all;
}

static void name_link(const struct hc_straggler_cause_search *search, char *text, size_t size)
{
    const struct hc_link *link = &search->links.links[search->links.worst];
    int32_t next = (link->stage + 1) % search->analysis->result->pp_size;
    bool is_forward = link->direction == HC_FORWARD_PASS;
    bool all_over = is_slow_all_over(search);
    if (!link->is_p2p && all_over)
        snprintf(text, size, "the collectives of stage %d", link->stage);
    else if (!link->is_p2p)
        snprintf(text, size, "the collectives of dp %d, stage %d", link->dp_rank, link->stage);
    else if (all_over)
        snprintf(text, size, "transfers between stage %d and stage %d of dp %d", link->stage, next,
                 link->dp_rank);
    else
        snprintf(text, size, "transfers from stage %d to stage %d of dp %d",
                 is_forward ? link->stage : next, is_forward ? next : link->stage, link->dp_rank);
}

static double link_ratio(const struct hc_straggler_cause_search *search)
{
    const struct hc_link *link = &search->links.links[search->links.worst];
    return link->ns / link->base_ns;
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
    return is_shared(search) ? search->remedies.share[remedy] : NAN;
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
    char who[256] = "";
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
        size_t n = name_slow_workers(search, who, sizeof who);
        add(search, share,
            "%.3f of the excess goes when %s take%s no longer than the peers in the stage",
            share.value, who, n > 1 ? "" : "s");
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
    if (is_suspected(search, HC_REMEDY_STAGE))
        add(search, share,
            "%.3f of the excess goes when all stages have the same work; stage %d has %.2f times "
            "the mean",
            share.value, search->worst_stage, search->worst_stage_ratio);
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
    if (is_suspected(search, HC_REMEDY_SEQUENCE))
        add(search, share,
            "%.3f of the excess goes when all microbatches have the same work; it varies by %.0f "
            "%% (standard deviation)",
            share.value, 100 * search->model.factor_sd / search->model.factor_mean);
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
    if (is_suspected(search, HC_REMEDY_PAUSES))
        add(search, share, "%.3f of the excess goes without the pauses of forward passes",
            share.value);
    else
        add(search, share, "pauses of forward passes alone: %s", no_share(search));
}

static void add_link_evidence(struct hc_straggler_cause_search *search)
{
    struct hc_evidence share = {HC_STRAGGLER_LINK, "link_share", share_of(search, HC_REMEDY_LINKS),
                                HC_LEAST_SHARE,    false,        ""};
    if (!is_suspected(search, HC_REMEDY_LINKS)) {
        add(search, share, "links that are slower than others: %s", no_share(search));
        return;
    }
    char where[120];
    name_link(search, where, sizeof where);
    add(search, share,
        "%.3f of the excess goes when %zu slow of %zu links are as the others; the worst: %s, "
        "%.2f times the usual",
        share.value, search->links.n_slow, search->links.n_used, where, link_ratio(search));
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
    add_launch_evidence(search);
}

/* ---- the verdict ---- */

/* A share in words. It can be above 1: a part set right can be faster than the ideal, which is the
 * mean of the ops as they are, slow ones included. */
static void name_share(double share, char *text, size_t size)
{
    if (share >= 0.995)
        snprintf(text, size, "all of the excess");
    else
        snprintf(text, size, "%.0f %% of the excess", 100 * share);
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

/* The sentence of the worst culprit; how many more there are, and what goes with all. */
static void describe_culprits(const struct hc_straggler_cause_search *search,
                              enum hc_straggler_cause cause, char *text, size_t size)
{
    size_t n;
    const struct hc_culprit *first = main_culprit(search, cause, &n);
    char share[32];
    name_share(search->weight[cause], share, sizeof share);
    if (n > 1)
        snprintf(text, size, "%s; with %zu more mended too, %s is gone", first->text, n - 1, share);
    else
        snprintf(text, size, "%s", first->text);
}

static void describe_launch(const struct hc_straggler_cause_search *search, char *text, size_t size)
{
    size_t n;
    char more[48] = "";
    double slowdown = search->analysis->result->launch_slowdown;
    const struct hc_culprit *worst = main_culprit(search, HC_STRAGGLER_LAUNCH, &n);
    if (!worst) {
        snprintf(text, size,
                 "ops start late, and steps take %.2f times as long as without launch delays; look "
                 "at the hosts (data loading, Python)",
                 slowdown);
        return;
    }
    if (n > 1)
        snprintf(more, sizeof more, " (and %zu more)", n - 1);
    snprintf(text, size,
             "%s%s; steps take %.2f times as long as without launch delays; look at the host%s "
             "(data loading, Python)",
             worst->text, more, slowdown, worst->n_members > 1 || n > 1 ? "s" : "");
}

/* Pauses of all workers in the same steps are planned; then the question is only whether they cost
 * too much. */
static void describe_pauses(const struct hc_pauses *pauses, const char *share, char *text,
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
             "forward passes, %s is gone",
             (long long)pauses->n[HC_FORWARD_PASS], pauses->n_workers, pauses->n_steps, planned,
             backward, share);
}

static void describe(const struct hc_straggler_cause_search *search, enum hc_straggler_cause cause,
                     char *text, size_t size)
{
    const struct hc_whatif_result *r = search->analysis->result;
    char share[32];
    name_share(search->weight[cause], share, sizeof share);
    double variation = 100 * search->model.factor_sd / search->model.factor_mean;
    switch (cause) {
    case HC_STRAGGLER_WORKER:
        describe_culprits(search, cause, text, size);
        return;
    case HC_STRAGGLER_STAGE:
        if (!search->remedies.suspected[HC_REMEDY_STAGE]) {
            describe_culprits(search, cause, text, size);
            return;
        }
        snprintf(text, size,
                 "stage %d has %.2f times the mean work of a stage; with even stages, %s is gone%s",
                 search->worst_stage, search->worst_stage_ratio, share,
                 r->dp_size == 1 ? " (with one dp rank, a slow worker looks the same)" : "");
        return;
    case HC_STRAGGLER_SEQUENCE:
        snprintf(text, size,
                 "the work of microbatches varies by %.0f %%, in forward and backward passes alike "
                 "(r %.2f); with even microbatches, %s is gone",
                 variation, search->r_microbatch, share);
        return;
    case HC_STRAGGLER_GC:
        describe_pauses(&search->model.pauses, share, text, size);
        return;
    case HC_STRAGGLER_LINK:
        describe_culprits(search, cause, text, size);
        return;
    case HC_STRAGGLER_LAUNCH:
        describe_launch(search, text, size);
        return;
    default:
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
