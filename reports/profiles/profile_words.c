/* Sentences of a report on profiler traces. */
#include "reports/profiles/profile_views.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_gaps(const struct hc_profile *profile, char *text, size_t size)
{
    size_t used = strlen(text);
    for (size_t g = 0; g < profile->n_gaps && g < 8 && used < size; g++) {
        const struct hc_rank_range *gap = &profile->gaps[g];
        const char *border = g ? ", " : " (missing: ";
        int n = gap->first == gap->last
                    ? snprintf(text + used, size - used, "%s%" PRId32, border, gap->first)
                    : snprintf(text + used, size - used, "%s%" PRId32 " to %" PRId32, border,
                               gap->first, gap->last);
        used += n > 0 ? (size_t)n : 0;
    }
    if (profile->n_gaps && used < size)
        snprintf(text + used, size - used, "%s)", profile->n_gaps > 8 ? ", ..." : "");
}

static void put_steps(const struct hc_profile *profile, char *text, size_t size)
{
    size_t used = strlen(text), n = profile->n_common_steps;
    if (used >= size)
        return;
    if (n == 0)
        snprintf(text + used, size - used, "; no step that all of them have");
    else if (profile->common_steps[0] == HC_MISSING_I64)
        snprintf(text + used, size - used, "; no steps: each trace is one window");
    else if (n == 1)
        snprintf(text + used, size - used, "; step %" PRId64, profile->common_steps[0]);
    else
        snprintf(text + used, size - used, "; %zu steps, %" PRId64 " to %" PRId64, n,
                 profile->common_steps[0], profile->common_steps[n - 1]);
}

const char *hc_profile_extent(const struct hc_profile_report *report, char text[HC_PROFILE_WORDS])
{
    const struct hc_profile *profile = report->profile;
    snprintf(text, HC_PROFILE_WORDS, "%zu of %" PRId32 " rank%s", profile->n_ranks,
             profile->world_size, profile->world_size == 1 ? "" : "s");
    put_gaps(profile, text, HC_PROFILE_WORDS);
    put_steps(profile, text, HC_PROFILE_WORDS);
    return text;
}

/* The rank that makes the others wait most, or NULL. */
static const struct hc_rank_clock *worst_rank(const struct hc_collectives *collectives, size_t n,
                                              size_t *index, int64_t *all_ns)
{
    const struct hc_rank_clock *worst = NULL;
    *all_ns = 0;
    for (size_t r = 0; r < n; r++) {
        const struct hc_rank_clock *clock = &collectives->clocks[r];
        *all_ns = hc_capped_sum(*all_ns, clock->caused_wait_ns);
        if (clock->caused_wait_ns > 0 &&
            (!worst || clock->caused_wait_ns > worst->caused_wait_ns)) {
            worst = clock;
            *index = r;
        }
    }
    return worst;
}

static void put_cost(const struct hc_profile_report *report, char *text, size_t size)
{
    const struct hc_profile_whatif_result *result = report->whatif;
    size_t used = strlen(text), costliest = 0;
    char number[HC_NUMBER_TEXT], cost[HC_NUMBER_TEXT];
    if (!result || used >= size || !isfinite(result->slowdown))
        return;
    int n =
        snprintf(text + used, size - used, "; %sS %s", result->is_unreliable ? "unreliable: " : "",
                 hc_format_fixed(result->slowdown, 3, number));
    used += n > 0 ? (size_t)n : 0;
    for (size_t r = 1; result->ranks && r < result->n_ranks; r++)
        if (result->ranks[r].cost_ns > result->ranks[costliest].cost_ns)
            costliest = r;
    if (result->ranks && used < size && result->ranks[costliest].cost_ns > 0)
        snprintf(text + used, size - used, ", rank %" PRId32 " costs most (%s)",
                 report->profile->ranks[costliest].rank,
                 hc_format_seconds((double)result->ranks[costliest].cost_ns * 1e-9, cost));
}

const char *hc_profile_verdict(const struct hc_profile_report *report, char text[HC_PROFILE_WORDS])
{
    const struct hc_collectives *collectives = report->collectives;
    char wait[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    size_t rank = 0;
    int64_t all_ns = 0;
    const struct hc_rank_clock *worst =
        collectives ? worst_rank(collectives, report->profile->n_ranks, &rank, &all_ns) : NULL;
    if (worst)
        snprintf(text, HC_PROFILE_WORDS,
                 "rank %" PRId32 " arrives last in %zu of %zu collectives and makes the others "
                 "wait %s (%s)",
                 report->profile->ranks[rank].rank, worst->n_last, collectives->n,
                 hc_format_seconds((double)worst->caused_wait_ns * 1e-9, wait),
                 hc_format_percent((double)worst->caused_wait_ns / (double)all_ns, share));
    else if (collectives && report->profile->n_ranks > 1)
        snprintf(text, HC_PROFILE_WORDS, "no collective joins the ranks: nobody is seen to wait");
    else
        snprintf(text, HC_PROFILE_WORDS, "one rank: nobody else to wait for");
    put_cost(report, text, HC_PROFILE_WORDS);
    return text;
}

const char *hc_profile_prediction(const struct hc_profile_report *report,
                                  char text[HC_PROFILE_WORDS])
{
    const struct hc_profile_whatif_result *w = report->whatif;
    const struct hc_step_prediction *worst = &w->predictions[w->worst_prediction];
    char median[HC_NUMBER_TEXT], most[HC_NUMBER_TEXT], alone[HC_NUMBER_TEXT];
    double without_twin = 0;
    for (size_t i = 0; i < w->n_predictions; i++)
        without_twin = fmax(without_twin, w->predictions[i].share_without_twin);
    snprintf(text, HC_PROFILE_WORDS,
             "each step from the others: off by %s in the median, by %s in step %" PRId64
             "; at most %s of the work of a step is in no other",
             hc_format_percent(w->median_prediction_error, median),
             hc_format_percent(worst->error, most), worst->first_step,
             hc_format_percent(without_twin, alone));
    return text;
}

#define MOST_NAMED 8 /* ranks of a question */

/* "rank 7", "ranks 3, 5 and 7", "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 more". */
static void name_ranks(const struct hc_profile_question *question, char *text, size_t size)
{
    size_t n = question->n_ranks, n_named = n <= MOST_NAMED ? n : MOST_NAMED, used = 0;
    for (size_t i = 0; i < n_named && used < size; i++) {
        const char *border = i == 0 ? (n == 1 ? "rank " : "ranks ") : i == n - 1 ? " and " : ", ";
        int put = snprintf(text + used, size - used, "%s%" PRId32, border, question->ranks[i]);
        used += put > 0 ? (size_t)put : 0;
    }
    if (n > n_named && used < size)
        snprintf(text + used, size - used, " and %zu more", n - n_named);
}

const char *hc_question_name(const struct hc_profile_question *question,
                             char name[HC_QUESTION_NAME])
{
    const char *part = question->cpu ? "CPU work" : question->gpu ? "GPU work" : "communication";
    char ranks[HC_QUESTION_NAME - 40] = "all ranks";
    if (question->n_ranks)
        name_ranks(question, ranks, sizeof ranks);
    if (question->ask == HC_ASK_MEND)
        snprintf(name, HC_QUESTION_NAME, "%s mended", ranks);
    else if (question->ask == HC_ASK_ONLY)
        snprintf(name, HC_QUESTION_NAME, "only %s as traced", ranks);
    else if (question->n_ranks)
        snprintf(name, HC_QUESTION_NAME, "%s of %s x %g", part, ranks, question->factor);
    else
        snprintf(name, HC_QUESTION_NAME, "%s x %g", part, question->factor);
    return name;
}
