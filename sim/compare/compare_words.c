/* compare_words.c - "did it get better?" in one sentence. */
#include "core/text/number_format.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Part of the sentence from this change of a worker, beside its peers, or of the launch slowdown
 * on: less may be sure, and does not answer why. */
#define LEAST_RATIO   0.05
#define LEAST_LAUNCH  0.01
#define MOST_NAMED    2
#define MOST_DECIMALS 6
#define RANGE_TEXT    (2 * HC_NUMBER_TEXT + 8)

__attribute__((format(printf, 2, 3))) static void add(struct hc_comparison *c, const char *format,
                                                      ...)
{
    size_t used = strlen(c->sentence);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->sentence + used, sizeof c->sentence - used, format, arguments);
    va_end(arguments);
}

static bool is_sure(const struct hc_change *change)
{
    return change->sign == HC_CHANGE_UP || change->sign == HC_CHANGE_DOWN;
}

/* "-23.5", "+0.12": per cent of a share, with a sign. */
static const char *signed_percent(double share, char text[HC_NUMBER_TEXT])
{
    double percent = 100 * share;
    snprintf(text, HC_NUMBER_TEXT, "%+.*f", fabs(percent) < 1 ? 2 : 1, percent);
    return strcmp(text, "-0.00") == 0 || strcmp(text, "+0.00") == 0 ? "0.00" : text;
}

/* Two figures with as many digits as tell them apart, up to four after the point. */
static void two_figures(double a, double b, char text_a[HC_NUMBER_TEXT],
                        char text_b[HC_NUMBER_TEXT])
{
    for (int decimals = 2; decimals <= 4; decimals++) {
        hc_format_fixed(a, decimals, text_a);
        hc_format_fixed(b, decimals, text_b);
        if (strcmp(text_a, text_b) != 0)
            return;
    }
}

/* ---- the mean step ---- */

static void say_times(struct hc_comparison *c)
{
    const struct hc_change *step = &c->figures[HC_COMPARED_STEP];
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], change[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT],
        high[HC_NUMBER_TEXT];
    hc_format_seconds(step->a, a);
    hc_format_seconds(step->b, b);
    if (step->a == step->b) {
        add(c, "a mean step takes %s in both", b);
        return;
    }
    add(c, "a mean step takes %s against %s (%s %%", b, a, signed_percent(step->relative, change));
    if (!isnan(step->low))
        add(c, ", 95 %% %s to %s", signed_percent(step->relative_low, low),
            signed_percent(step->relative_high, high));
    add(c, ")");
}

/* "0.83 to 0.84", or "0.83" of one step. */
static const char *range_text(const struct hc_step_range *range, double scale, int decimals,
                              char text[RANGE_TEXT])
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    hc_format_fixed(scale * range->least, decimals, low);
    hc_format_fixed(scale * range->most, decimals, high);
    bool is_one = strcmp(low, high) == 0;
    snprintf(text, RANGE_TEXT, "%s%s%s", low, is_one ? "" : " to ", is_one ? "" : high);
    return text;
}

/* "its steps take 1.00 to 1.05 s, those of A 0.83 to 0.84 s": in one unit, with as many digits as
 * keep the nearest ends apart. */
static void say_ranges(struct hc_comparison *c)
{
    const struct hc_step_range *a = &c->range[0], *b = &c->range[1];
    double most = fmax(a->most, b->most), scale = most >= 1 ? 1 : most >= 1e-3 ? 1e3 : 1e6;
    double below = scale * fmin(a->most, b->most), above = scale * fmax(a->least, b->least);
    const char *unit = most >= 1 ? "s" : most >= 1e-3 ? "ms" : "us";
    char text_a[RANGE_TEXT], text_b[RANGE_TEXT];
    int decimals = scale * most < 10 ? 2 : scale * most < 100 ? 1 : 0;
    while (decimals < MOST_DECIMALS && strcmp(hc_format_fixed(below, decimals, text_a),
                                              hc_format_fixed(above, decimals, text_b)) == 0)
        decimals++;
    add(c, "%s %s %s, %s of A %s %s; ", c->b->n_steps > 1 ? "its steps take" : "its step takes",
        range_text(b, scale, decimals, text_b), unit, c->a->n_steps > 1 ? "those" : "that",
        range_text(a, scale, decimals, text_a), unit);
}

static bool are_apart(const struct hc_comparison *c)
{
    return c->range[0].most < c->range[1].least || c->range[1].most < c->range[0].least;
}

/* Whether a side differs from the other in some stretches, and by which sign if it does in all of
 * its steps: HC_CHANGE_UNKNOWN where it does in some only. */
static enum hc_change_sign judge_stretches(const struct hc_comparison *c, bool in_b)
{
    enum hc_change_sign sign = HC_CHANGE_NONE;
    size_t n = 0, n_steps = (in_b ? c->b : c->a)->n_steps;
    for (size_t i = 0; i < c->n_stretches; i++) {
        const struct hc_compared_stretch *stretch = &c->stretches[i];
        if (stretch->in_b != in_b || stretch->sign == HC_CHANGE_NONE)
            continue;
        n += stretch->last - stretch->first + 1;
        sign = sign == HC_CHANGE_NONE || sign == stretch->sign ? stretch->sign : HC_CHANGE_UNKNOWN;
    }
    return sign == HC_CHANGE_NONE || n == n_steps ? sign : HC_CHANGE_UNKNOWN;
}

/* By the stretches of the sides, where the mean step says nothing. What is slower in A is faster in
 * B. */
static enum hc_comparison_verdict judge_sides(const struct hc_comparison *c)
{
    enum hc_change_sign a = judge_stretches(c, false), b = judge_stretches(c, true);
    if (a == HC_CHANGE_NONE && b == HC_CHANGE_NONE)
        return c->figures[HC_COMPARED_STEP].sign == HC_CHANGE_NONE ? HC_VERDICT_SAME
                                                                   : HC_VERDICT_UNSURE;
    if (a == HC_CHANGE_UNKNOWN || b == HC_CHANGE_UNKNOWN || a == b)
        return HC_VERDICT_MIXED;
    return b == HC_CHANGE_UP || a == HC_CHANGE_DOWN ? HC_VERDICT_SLOWER : HC_VERDICT_FASTER;
}

/* "B is mixed, slower from step 15 on" */
static void say_side(struct hc_comparison *c, bool in_b)
{
    const struct hc_whatif_result *r = in_b ? c->b : c->a;
    enum hc_change_sign before = HC_CHANGE_NONE;
    for (size_t i = 0; i < c->n_stretches; i++) {
        const struct hc_compared_stretch *stretch = &c->stretches[i];
        if (stretch->in_b != in_b || stretch->sign == HC_CHANGE_NONE)
            continue;
        if (before == HC_CHANGE_NONE)
            add(c, "%s%s is mixed", c->sentence[0] ? "; " : "", in_b ? "B" : "A");
        if (before == stretch->sign)
            add(c, " and");
        else
            add(c, stretch->sign == HC_CHANGE_UP ? ", slower" : ", faster");
        before = stretch->sign;
        if (stretch->last + 1 == r->n_steps && stretch->first > 0)
            add(c, " from step %d on", r->steps[stretch->first]);
        else if (stretch->first == 0 && stretch->last + 1 < r->n_steps)
            add(c, " until step %d", r->steps[stretch->last]);
        else
            add(c, " in steps %d to %d", r->steps[stretch->first], r->steps[stretch->last]);
    }
}

static void say_step(struct hc_comparison *c)
{
    const struct hc_change *step = &c->figures[HC_COMPARED_STEP];
    static const char *const heads[HC_N_COMPARISON_VERDICTS] = {
        [HC_VERDICT_FASTER] = "B is faster",
        [HC_VERDICT_SLOWER] = "B is slower",
        [HC_VERDICT_SAME] = "no difference that the steps can show",
        [HC_VERDICT_UNSURE] = "too few steps to say",
    };
    c->verdict = step->sign == HC_CHANGE_UP     ? HC_VERDICT_SLOWER
                 : step->sign == HC_CHANGE_DOWN ? HC_VERDICT_FASTER
                                                : judge_sides(c);
    if (c->verdict == HC_VERDICT_MIXED) {
        say_side(c, true);
        say_side(c, false);
    } else {
        add(c, "%s", heads[c->verdict]);
    }
    add(c, ": ");
    c->detail = strlen(c->sentence);
    if (step->is_by_range || (c->verdict == HC_VERDICT_UNSURE && are_apart(c)))
        say_ranges(c);
    say_times(c);
}

/* ---- S ---- */

static void say_slowdown(struct hc_comparison *c)
{
    const struct hc_change *s = &c->figures[HC_COMPARED_SLOWDOWN];
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (isnan(s->difference))
        return;
    two_figures(s->a, s->b, a, b);
    if (s->a == s->b)
        hc_format_fixed(s->b, 3, b);
    if (is_sure(s))
        add(c, "; S %s from %s to %s", s->sign == HC_CHANGE_UP ? "rose" : "fell", a, b);
    else if (s->a == s->b)
        add(c, "; S is %s in both", b);
    else if (s->sign == HC_CHANGE_UNKNOWN)
        add(c, "; S is %s against %s", b, a);
    else
        add(c, "; S, %s against %s, shows no change", b, a);
}

/* ---- why ---- */

static void say_culprit(struct hc_comparison *c, const struct hc_compared_culprit *culprit)
{
    const struct hc_culprit *one = culprit->a ? culprit->a : culprit->b;
    bool is_late = one->ops == HC_SLOW_LAUNCHES;
    const char *is = one->ops == HC_SLOW_TRANSFERS || one->kind == HC_CULPRIT_LINK ? "are" : "is";
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    add(c, "%s", one->name);
    if (one->host && !strstr(one->name, one->host))
        add(c, " on %s", one->host);
    if (culprit->change == HC_CULPRIT_GONE && is_late) {
        add(c, " no longer starts late");
    } else if (culprit->change == HC_CULPRIT_GONE) {
        add(c, " %s no longer slow", is);
    } else if (culprit->change == HC_CULPRIT_NEW && is_late) {
        add(c, " starts late now");
    } else if (culprit->change == HC_CULPRIT_NEW) {
        add(c, " %s slow now", is);
    } else {
        two_figures(culprit->factor.a, culprit->factor.b, a, b);
        add(c, " %s %s (%s times as long, in %.0f %% of the steps; before %s, in %.0f %%)", is,
            culprit->change == HC_CULPRIT_STRONGER ? "slower" : "less slow", b,
            100 * culprit->duty.b, a, 100 * culprit->duty.a);
    }
}

/* The first of those that changed, in the order in which A and B name them. */
static size_t say_culprits(struct hc_comparison *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_culprits; i++) {
        const struct hc_compared_culprit *culprit = &c->culprits[i];
        const struct hc_culprit *one = culprit->a ? culprit->a : culprit->b;
        if (culprit->change >= HC_CULPRIT_SAME || one->kind == HC_CULPRIT_JOB)
            continue;
        if (n++ >= MOST_NAMED)
            continue;
        add(c, n == 1 ? ": " : ", ");
        say_culprit(c, culprit);
    }
    if (n > MOST_NAMED)
        add(c, ", and %zu more changed", n - MOST_NAMED);
    return n;
}

/* A cause that is no single part of the job: the job that straggles more has it, the other has
 * another, or none. */
static bool is_of_many_parts(enum hc_straggler_cause cause)
{
    return cause == HC_STRAGGLER_STAGE || cause == HC_STRAGGLER_SEQUENCE ||
           cause == HC_STRAGGLER_GC || cause == HC_STRAGGLER_LINK || cause == HC_STRAGGLER_LAUNCH;
}

static bool say_cause(struct hc_comparison *c)
{
    bool is_b_worse = c->b->slowdown > c->a->slowdown;
    const struct hc_verdict *worse = &(is_b_worse ? c->b : c->a)->depth.verdict;
    const struct hc_verdict *other = &(is_b_worse ? c->a : c->b)->depth.verdict;
    if (!worse->done || !other->done || worse->cause == other->cause ||
        !is_of_many_parts(worse->cause))
        return false;
    add(c, "; cause in %s: %.*s (%s: %s)", is_b_worse ? "B" : "A", (int)strcspn(worse->text, ";"),
        worse->text, is_b_worse ? "A" : "B", hc_straggler_cause_text(other->cause));
    return true;
}

/* The worker whose time beside its peers changed most, where one did. */
static bool say_worker(struct hc_comparison *c)
{
    const struct hc_compared_worker *most = NULL;
    for (size_t w = 0; w < c->n_workers; w++) {
        const struct hc_change *ratio = &c->workers[w].pass_ratio;
        if (is_sure(ratio) && fabs(ratio->difference) >= LEAST_RATIO &&
            (!most || fabs(ratio->difference) > fabs(most->pass_ratio.difference)))
            most = &c->workers[w];
    }
    if (!most)
        return false;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], name[HC_WORKER_NAME];
    two_figures(most->pass_ratio.a, most->pass_ratio.b, a, b);
    hc_worker_name(c->b, (size_t)(most - c->workers), name);
    add(c, ": %s", name);
    bool was_slow = most->pass_ratio.a >= 1 + LEAST_RATIO;
    bool is_slow = most->pass_ratio.b >= 1 + LEAST_RATIO;
    if (was_slow != is_slow)
        add(c, " is %s: its passes take %s times as long as those of its peers, before %s",
            is_slow ? "slow now" : "no longer slow", b, a);
    else
        add(c, " takes %s times as long as its peers, before %s", b, a);
    return true;
}

static bool say_launch(struct hc_comparison *c)
{
    const struct hc_change *launch = &c->figures[HC_COMPARED_LAUNCH];
    if (!is_sure(launch) || fabs(launch->difference) < LEAST_LAUNCH)
        return false;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    two_figures(launch->a, launch->b, a, b);
    add(c, ": launch delays, which made steps %s times as long, make them %s times", a, b);
    return true;
}

/* The op type in which workers spend most of the time that is more, or less. */
static void say_type(struct hc_comparison *c)
{
    const struct hc_compared_type *most = NULL;
    bool is_less = c->verdict == HC_VERDICT_FASTER;
    for (size_t i = 0; i < c->n_types; i++) {
        const struct hc_change *busy = &c->types[i].busy_s;
        if (busy->sign != (is_less ? HC_CHANGE_DOWN : HC_CHANGE_UP))
            continue;
        if (!most || fabs(busy->difference) > fabs(most->busy_s.difference))
            most = &c->types[i];
    }
    if (!most)
        return;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    add(c, "; a worker spends %s of a step in %s, not %s", hc_format_seconds(most->busy_s.b, b),
        hc_op_type_name(most->op_type), hc_format_seconds(most->busy_s.a, a));
}

static bool differ_in_shape(const struct hc_comparison *c)
{
    return c->n_stages == 0 || c->n_workers == 0 || c->a->vpp_size != c->b->vpp_size;
}

void hc_compare_say(struct hc_comparison *c)
{
    c->sentence[0] = '\0';
    say_step(c);
    say_slowdown(c);
    if (say_culprits(c) == 0 && !say_cause(c) && !say_worker(c) && !say_launch(c) &&
        (c->verdict == HC_VERDICT_FASTER || c->verdict == HC_VERDICT_SLOWER))
        say_type(c);
    if (differ_in_shape(c))
        add(c, "; the jobs are not of one shape");
}
