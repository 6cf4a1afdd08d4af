/* culprit_words.c - the name, time and sentence of a culprit. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/text/number_format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* So many ranks, types of ops, steps or levels are listed in a sentence. */
#define MOST_LISTED 4

/* Add to a text [size], and cut it where it is full. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- names ---- */

/* The host of each end of a link: " (n2 to n0)", " (on n2)"; nothing where it is not known. */
static void add_hosts(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    const char *from = hc_worker_host(&r->places, (size_t)culprit->members[0]);
    const char *host = hc_worker_host(&r->places, (size_t)culprit->members[culprit->n_members - 1]);
    if (!from || !host)
        return;
    if (strcmp(from, host) == 0)
        append(culprit->name, sizeof culprit->name, " (on %.64s)", from);
    else
        append(culprit->name, sizeof culprit->name, " (%.64s to %.64s)", from, host);
}

static void name_link(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    char *text = culprit->name;
    size_t size = sizeof culprit->name;
    int32_t stage = culprit->stage, next = (stage + 1) % r->pp_size;
    bool backward = culprit->direction == HC_LINK_BACKWARD;
    if (culprit->direction == HC_LINK_COLLECTIVES && culprit->dp_rank < 0)
        snprintf(text, size, "the collectives of stage %d", stage);
    else if (culprit->direction == HC_LINK_COLLECTIVES)
        snprintf(text, size, "the collectives of dp %d, stage %d", culprit->dp_rank, stage);
    else if (culprit->direction == HC_LINK_BOTH_WAYS)
        snprintf(text, size, "transfers between stage %d and stage %d of dp %d", stage, next,
                 culprit->dp_rank);
    else
        snprintf(text, size, "transfers from stage %d to stage %d of dp %d",
                 backward ? next : stage, backward ? stage : next, culprit->dp_rank);
    if (culprit->dp_rank >= 0)
        add_hosts(r, culprit);
}

/* "GPU 1 of all 4 hosts (ranks 1, 5, 9, 13)". */
static void name_slot(const struct hc_whatif_result *r, struct hc_culprit *culprit)
{
    const struct hc_worker_place *place = &r->places.workers[culprit->members[0]];
    bool is_group = place->last_gpu > place->first_gpu;
    append(culprit->name, sizeof culprit->name, is_group ? "GPUs %d to %d" : "GPU %d",
           place->first_gpu, place->last_gpu);
    append(culprit->name, sizeof culprit->name, " of all %zu hosts (ranks ", r->places.n_hosts);
    for (size_t i = 0; i < culprit->n_members && i < MOST_LISTED; i++)
        append(culprit->name, sizeof culprit->name, "%s%d", i ? ", " : "",
               r->workers[culprit->members[i]].rank);
    append(culprit->name, sizeof culprit->name, "%s)",
           culprit->n_members > MOST_LISTED ? ", ..." : "");
}

static void write_name(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->name;
    size_t size = sizeof culprit->name;
    text[0] = '\0';
    if (culprit->ops == HC_SLOW_TRANSFERS && culprit->kind != HC_CULPRIT_LINK)
        snprintf(text, size, "all transfers of ");
    switch (culprit->kind) {
    case HC_CULPRIT_JOB:
        append(text, size, "every worker");
        return;
    case HC_CULPRIT_DP_RANK:
        append(text, size, "dp rank %d, all %zu stages%s%.100s", culprit->dp_rank,
               culprit->n_members,
               culprit->host          ? ", on "
               : culprit->switch_name ? ", on switch "
                                      : "",
               culprit->host          ? culprit->host
               : culprit->switch_name ? culprit->switch_name
                                      : "");
        return;
    case HC_CULPRIT_STAGE:
        append(text, size, "stage %d, all %zu dp ranks", culprit->stage, culprit->n_members);
        return;
    case HC_CULPRIT_HOST:
        append(text, size, "host %.100s, all %zu workers", culprit->host, culprit->n_members);
        return;
    case HC_CULPRIT_SWITCH:
        append(text, size, "switch %.100s, all %zu workers", culprit->switch_name,
               culprit->n_members);
        return;
    case HC_CULPRIT_SLOT:
        name_slot(r, culprit);
        return;
    case HC_CULPRIT_LINK:
        name_link(r, culprit);
        return;
    default: {
        char worker[HC_WORKER_NAME];
        hc_worker_name(r, (size_t)culprit->members[0], worker);
        append(text, size, "%.190s", worker);
    }
    }
}

/* ---- when ---- */

static const char *ordinal_end(size_t n)
{
    bool is_teen = n % 100 >= 11 && n % 100 <= 13;
    return is_teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

/* "in every 5th step (3, 8, 13, 18, ...), in 6 of 30 steps". */
static void write_period(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->when;
    size_t size = sizeof culprit->when, n = 0;
    snprintf(text, size, "in every %zu%s step (", culprit->period, ordinal_end(culprit->period));
    for (size_t t = 0; t < r->n_steps && n <= MOST_LISTED; t++) {
        if (!culprit->is_slow[t] || (t > 0 && culprit->is_slow[t - 1]))
            continue;
        if (n < MOST_LISTED)
            append(text, size, "%s%d", n ? ", " : "", r->steps[t]);
        else
            append(text, size, ", ...");
        n++;
    }
    append(text, size, "), in %zu of %zu steps", culprit->n_slow_steps, r->n_steps);
}

static void write_when(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->when;
    size_t size = sizeof culprit->when, n = r->n_steps;
    char since[HC_STEP_NAME], until[HC_STEP_NAME];
    hc_step_name(r, culprit->since, since);
    hc_step_name(r, culprit->until, until);
    switch (culprit->pattern) {
    case HC_SLOW_SINCE:
        snprintf(text, size, "from %s on, in %zu of %zu steps", since, culprit->n_slow_steps, n);
        return;
    case HC_SLOW_UNTIL:
        snprintf(text, size, "until %s, in %zu of %zu steps", until, culprit->n_slow_steps, n);
        return;
    case HC_SLOW_BETWEEN:
        if (culprit->since == culprit->until)
            snprintf(text, size, "in %s of %zu steps", since, n);
        else
            snprintf(text, size, "from %s to %s, in %zu of %zu steps", since, until,
                     culprit->n_slow_steps, n);
        return;
    case HC_SLOW_RECURRENT:
        if (culprit->period)
            write_period(culprit, r);
        else
            snprintf(text, size, "between %s and %s, in %zu of %zu steps", since, until,
                     culprit->n_slow_steps, n);
        return;
    case HC_SLOW_SOME_PASSES:
        snprintf(text, size, "in %.0f %% of the passes of %zu of %zu steps",
                 100 * culprit->pass_duty.value, culprit->n_slow_steps, n);
        return;
    default:
        text[0] = '\0';
    }
}

/* ---- the sentence ---- */

const char *hc_culprit_factor_reason(const struct hc_culprit *culprit)
{
    return isnan(culprit->factor.value) || !isnan(culprit->factor.low) ? NULL
           : culprit->n_slow_steps < 3                                 ? "too few slow steps"
                                                                       : "it would reach 1";
}

/* " takes 1.60 times as long (1.58 to 1.62)". */
static void add_factor(struct hc_culprit *culprit, bool are_many)
{
    char *text = culprit->text;
    size_t size = sizeof culprit->text;
    const struct hc_measured *factor = &culprit->factor;
    const char *reason = hc_culprit_factor_reason(culprit);
    bool always = culprit->pattern == HC_SLOW_ALWAYS, is_job = culprit->kind == HC_CULPRIT_JOB;
    if (isnan(factor->value)) {
        append(text, size, " takes %.0f ms a step that its peers do not", 1e3 * culprit->extra_s);
        return;
    }
    append(text, size, " %s %.2f times as long", are_many ? "take" : "takes", factor->value);
    if (always)
        append(text, size, " as %s", culprit->ops == HC_SLOW_TRANSFERS ? "elsewhere" : "its peers");
    else if (is_job)
        append(text, size, " as in other steps");
    else if (!isnan(factor->low))
        append(text, size, " (%.2f to %.2f)", factor->low, factor->high);
    else if (reason)
        append(text, size, " (no interval: %s)", reason);
}

/* ": 1.20 times from step 9, 1.60 times from step 17": the levels of one stretch, where there are
 * several. */
static void add_levels(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    bool are_levels = culprit->n_stretches > 1 && culprit->n_stretches <= MOST_LISTED;
    for (size_t i = 1; are_levels && i < culprit->n_stretches; i++)
        are_levels = culprit->stretches[i].first == culprit->stretches[i - 1].last + 1;
    for (size_t i = 0; are_levels && i < culprit->n_stretches; i++)
        append(culprit->text, sizeof culprit->text, "%s %.2f times from step %d", i ? "," : ":",
               culprit->stretches[i].factor, r->steps[culprit->stretches[i].first]);
}

/* " starts its ops 240 ms late a step, 12 times the usual launch delays". */
static void add_lateness(struct hc_culprit *culprit)
{
    append(culprit->text, sizeof culprit->text, " starts its ops %.0f ms late a step",
           1e3 * culprit->extra_s);
    if (!isnan(culprit->factor.value))
        append(culprit->text, sizeof culprit->text, ", %.*f times the usual launch delays",
               culprit->factor.value < 10, culprit->factor.value);
}

static void write_text(struct hc_culprit *culprit, const struct hc_whatif_result *r)
{
    char *text = culprit->text, saved[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    size_t size = sizeof culprit->text;
    static const bool names_ops[HC_N_SLOW_OPS] = {
        [HC_SLOW_FORWARD] = true, [HC_SLOW_BACKWARD] = true, [HC_SLOW_ALL] = true};
    char ops[HC_OPS_TEXT];
    bool always = culprit->pattern == HC_SLOW_ALWAYS;
    bool are_many = culprit->ops == HC_SLOW_TRANSFERS, is_late = culprit->ops == HC_SLOW_LAUNCHES;
    bool is_group = culprit->n_members > 1 && culprit->kind != HC_CULPRIT_JOB && !are_many;
    snprintf(text, size, "%s", culprit->name);
    if (!always)
        append(text, size, ", %s,", culprit->when);
    else if (is_group) /* "host x, all 4 workers," */
        append(text, size, ",");
    if (is_late)
        add_lateness(culprit);
    else
        add_factor(culprit, are_many);
    if (!is_late && (culprit->op_types || names_ops[culprit->ops]))
        append(text, size, " in %s", hc_culprit_ops_text(culprit, ops));
    if (!always && culprit->kind != HC_CULPRIT_JOB)
        append(text, size, " while %s", are_many ? "they do" : "it does");
    if (!is_late)
        add_levels(culprit, r);
    double step_s = is_late ? r->traced_s : r->replayed_s;
    append(text, size, "; mending %s saves %s of a mean step (%s)",
           culprit->kind == HC_CULPRIT_JOB ? "that" : "it alone",
           hc_format_seconds(culprit->alone_s, saved),
           hc_format_percent(culprit->alone_s / step_s, share));
}

void hc_culprits_describe(struct hc_straggler_cause_search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    for (size_t i = 0; i < culprits->n; i++) {
        struct hc_culprit *culprit = &culprits->culprits[i];
        culprit->gpu_hours_lost =
            r->n_gpus ? culprit->split_s * (double)r->n_steps * (double)r->n_gpus / 3600 : NAN;
        write_name(culprit, r);
        write_when(culprit, r);
        write_text(culprit, r);
    }
    culprits->done = true;
}

/* What those save together that are smaller than a culprit, and it. */
static double small_ones_s(const struct hc_culprits *culprits, size_t first, size_t number)
{
    double sum_s = 0;
    for (size_t i = first; i < culprits->n; i++)
        if (culprits->culprits[i].split_s <= culprits->culprits[number].split_s)
            sum_s += culprits->culprits[i].split_s;
    return sum_s;
}

size_t hc_culprits_judge(struct hc_culprits *culprits, size_t first, double least_s, bool straggles)
{
    size_t n_small = 0;
    for (size_t i = first; i < culprits->n; i++) {
        struct hc_culprit *culprit = &culprits->culprits[i];
        culprit->is_told = fmax(culprit->alone_s, culprit->split_s) >= least_s ||
                           (straggles && small_ones_s(culprits, first, i) >= least_s);
        n_small += !culprit->is_told;
    }
    return n_small;
}

void hc_culprits_drop(struct hc_culprits *culprits, size_t first, int32_t *new_number)
{
    size_t n = first, n_before = culprits->n;
    for (size_t i = first; i < n_before; i++) {
        struct hc_culprit *culprit = &culprits->culprits[i];
        if (new_number)
            new_number[i] = culprit->is_told ? (int32_t)n : -1;
        if (culprit->is_told)
            culprits->culprits[n++] = *culprit;
        else
            hc_culprit_fini(culprit);
    }
    culprits->n = n;
}
