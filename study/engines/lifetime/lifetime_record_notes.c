/* What of the recorded incidents a study replayed, and what not; and where factors come from. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "core/text/number_format.h"
#include "study/binding/recorded_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S 86400.0

/* ", 3 of them so", where there are any. */
static size_t add_count(char *text, size_t size, int64_t n, const char *what)
{
    char number[HC_NUMBER_TEXT];
    int length = n ? snprintf(text, size, ", %s %s", hc_format_count(n, number), what) : 0;
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

#define MOST_TEXTS 4

/* What is to be said of one fault of one run; sentences without their subject. */
struct texts {
    char text[MOST_TEXTS][640];
    size_t n;
};

static void put_counts(struct texts *texts, const struct hc_incident_replay *replay)
{
    char left[256] = "", number[HC_NUMBER_TEXT];
    size_t n = 0;
    n += add_count(left + n, sizeof left - n, replay->n_beyond, "on nodes that it does not have");
    n += add_count(left + n, sizeof left - n, replay->n_outside, "outside the chosen days");
    add_count(left + n, sizeof left - n, replay->n_no_time, "without a time");
    char turns[128] = "", replicas[HC_NUMBER_TEXT];
    if (replay->n_replicas > 1)
        snprintf(turns, sizeof turns, ", those of %s replicas of a simulation in turn",
                 hc_format_count((int64_t)replay->n_replicas, replicas));
    snprintf(texts->text[texts->n++], sizeof texts->text[0],
             "%s recorded incidents of %.6g days are replayed%s%s%s.",
             hc_format_count((int64_t)replay->n, number), replay->covered_s / DAY_S, turns,
             *left ? "; not replayed:" : "", *left ? left + 1 : "");
    if (replay->n_together)
        snprintf(texts->text[texts->n++], sizeof texts->text[0],
                 "%s of them begin at the very time of another; such are one stop, which "
                 "takes the nodes of all.",
                 hc_format_count(replay->n_together, number));
}

static enum hc_status put_factor(struct texts *texts, const struct hc_node *fault,
                                 struct hc_error *err)
{
    const struct hc_node *whatif = hc_node_member(hc_node_member(fault, "slow_factor"), "whatif");
    double factor = 0;
    char *words = NULL;
    if (!whatif)
        return HC_OK;
    if (hc_whatif_factor(&factor, whatif, err) || !(words = hc_whatif_factor_words(whatif, err)))
        return err->status;
    snprintf(texts->text[texts->n++], sizeof texts->text[0], "slow_factor is %.4g, %.300s.", factor,
             words);
    free(words);
    return HC_OK;
}

static enum hc_status read_fault(struct texts *texts, const struct hc_study_run *run,
                                 const struct hc_node *fault, struct hc_arena *arena,
                                 struct hc_error *err)
{
    const struct hc_node *from = hc_node_member(fault, "incidents_from"),
                         *start = hc_node_member(from, "start_d");
    struct hc_incident_choice choice;
    struct hc_incident_replay replay;
    char within[HC_WITHIN];
    texts->n = 0;
    if (put_factor(texts, fault, err))
        return err->status;
    if (!from)
        return HC_OK;
    if (hc_recorded_choice(&choice, from, arena, within, err) ||
        hc_incident_replay_open(&replay, &choice, hc_life_run_detail(run)->config->job.nodes, err))
        return err->status;
    double end_d = (start ? start->number : 0) + replay.covered_s / DAY_S;
    double wall_d = hc_life_run_detail(run)->summary.figure[HC_FIGURE_WALL_S].mean / DAY_S;
    put_counts(texts, &replay);
    if (wall_d > end_d)
        snprintf(texts->text[texts->n++], sizeof texts->text[0],
                 "the records end on day %.6g, the job on day %.6g in the mean: nothing recorded "
                 "strikes it between.",
                 end_d, wall_d);
    hc_incident_replay_close(&replay);
    return HC_OK;
}

static bool is_same(const struct texts *a, const struct texts *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = strcmp(a->text[i], b->text[i]) == 0;
    return same;
}

/* The same is said once, of the base. */
static enum hc_status note_fault(struct hc_study_work *work, size_t which,
                                 const struct hc_node *fault, struct hc_error *err)
{
    const struct hc_study_run *run = &work->result->run[which];
    const struct hc_node *base =
        hc_node_member(hc_node_member(work->study->variant[0].root, "faults"), fault->key);
    struct texts texts, of_base = {.n = 0};
    if (read_fault(&texts, run, fault, work->arena, err))
        return err->status;
    if (which && base && read_fault(&of_base, &work->result->run[0], base, work->arena, err))
        return err->status;
    if (which && is_same(&texts, &of_base))
        return HC_OK;
    for (size_t i = 0; i < texts.n; i++)
        if (hc_study_note(work, err, "Fault '%.60s'%s%.60s%s: %s", fault->key, which ? " of '" : "",
                          which ? run->name : "", which ? "'" : "", texts.text[i]))
            return err->status;
    return HC_OK;
}

enum hc_status hc_lifetime_note_records(struct hc_study_work *work, struct hc_error *err)
{
    for (size_t i = 0; i < work->result->n_runs; i++) {
        const struct hc_node *faults = hc_node_member(work->study->variant[i].root, "faults");
        for (const struct hc_node *fault = faults ? faults->first : NULL; fault;
             fault = fault->next)
            if (note_fault(work, i, fault, err))
                return err->status;
    }
    return HC_OK;
}
