#include "models/findings/findings.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "models/findings/findings_judge.h"
#include "models/stats/rounding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hc_finding_judge *const judges[HC_N_FINDING_KINDS] = {
    [HC_FINDING_LEMON_NODE] = hc_judge_lemons,   [HC_FINDING_EVENT_RATE] = hc_judge_counts,
    [HC_FINDING_STARTUP] = hc_judge_levels,      [HC_FINDING_RUN_ETTR] = hc_judge_levels,
    [HC_FINDING_QUEUE] = hc_judge_levels,        [HC_FINDING_COFAILURE] = NULL, /* not by series */
    [HC_FINDING_RECONCILIATION] = hc_judge_sums, [HC_FINDING_STALE_SOURCE] = hc_judge_sources,
};

/* ---- series in order ---- */

/* A finding that may be open, of one series. */
struct state {
    bool is_open, is_earlier;
    int opened;  /* day */
    int n_quiet; /* days in a row above the lower threshold */
};

struct walk {
    const struct hc_findings_input *input;
    const struct hc_findings_options *options;
    const struct hc_finding_series **series; /* by kind and subject */
    size_t first[HC_N_FINDING_KINDS + 1];
    struct state *states;                /* [n_series] */
    struct hc_finding_verdict *verdicts; /* [n_series], of the day judged last */
    struct hc_ends ends;
    struct hc_cofailures cofailures;
    int first_day; /* judged */
};

static int by_subject(const void *a, const void *b)
{
    const struct hc_finding_series *x = *(const struct hc_finding_series *const *)a,
                                   *y = *(const struct hc_finding_series *const *)b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return strcmp(x->subject, y->subject);
}

static enum hc_status sort_series(struct walk *walk, struct hc_error *err)
{
    size_t n = walk->input->n_series;
    for (size_t i = 0; i < n; i++)
        walk->series[i] = &walk->input->series[i];
    if (n)
        qsort(walk->series, n, sizeof(const struct hc_finding_series *), by_subject);
    for (size_t i = 1; i < n; i++)
        if (by_subject(&walk->series[i - 1], &walk->series[i]) == 0)
            return hc_fail(err, HC_BAD_INPUT, "two series of findings are of %s '%s'",
                           hc_finding_kind_name(walk->series[i]->kind), walk->series[i]->subject);
    size_t i = 0;
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        walk->first[kind] = i;
        while (i < n && (int)walk->series[i]->kind == kind)
            i++;
    }
    walk->first[HC_N_FINDING_KINDS] = i;
    return HC_OK;
}

static enum hc_status check_options(const struct hc_findings_options *o, struct hc_error *err)
{
    double shares = 0;
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        if (!(o->share[kind] >= 0))
            return hc_fail(err, HC_BAD_INPUT, "the share of %s findings is below 0",
                           hc_finding_kind_name((enum hc_finding_kind)kind));
        shares += o->share[kind];
    }
    if (!(shares <= 1 + 1e-9))
        return hc_fail(err, HC_BAD_INPUT, "the shares of the kinds of findings are more than 1");
    if (!(o->false_per_week > 0) || !(o->keep_factor >= 1) || o->keep_days < 1 ||
        !(o->lemon_factor > 1) || !(o->lemon_prevalence > 0 && o->lemon_prevalence < 1) ||
        !(o->lemon_fdr > 0) || o->lemon_window_days < 1 || o->lookback_days < 0 ||
        o->cofailure_window_ns < 1)
        return hc_fail(err, HC_BAD_INPUT, "an option of findings is outside of what it may be");
    if (o->least_baseline < 7 || o->baseline_days < o->least_baseline ||
        o->baseline_days > HC_FINDING_MOST_BASELINE)
        return hc_fail(err, HC_BAD_INPUT, "a baseline of findings has 7 to %d days, not %d to %d",
                       HC_FINDING_MOST_BASELINE, o->least_baseline, o->baseline_days);
    return HC_OK;
}

static enum hc_status check_series(const struct hc_findings_input *input, struct hc_error *err)
{
    if (input->n_days < 1 || (input->n_ends && !input->day_start_ns))
        return hc_fail(err, HC_INTERNAL, "findings are asked of no days");
    for (size_t i = 0; i < input->n_series; i++) {
        const struct hc_finding_series *s = &input->series[i];
        bool is_node = s->kind == HC_FINDING_LEMON_NODE;
        if ((int)s->kind < 0 || s->kind >= HC_N_FINDING_KINDS || !judges[s->kind] || !s->subject ||
            !s->exposure || !(is_node || s->amount))
            return hc_fail(err, HC_INTERNAL, "series %zu of findings lacks what its kind needs", i);
        if (!s->steady_amount != !s->steady_exposure ||
            (s->steady_amount && s->kind != HC_FINDING_RUN_ETTR))
            return hc_fail(err, HC_INTERNAL, "series %zu of findings is no run without stops", i);
    }
    return HC_OK;
}

static void walk_close(struct walk *walk)
{
    hc_ends_close(&walk->ends);
    free(walk->cofailures.rows);
    free(walk->series);
    free(walk->states);
    free(walk->verdicts);
}

static enum hc_status walk_open(struct walk *walk, const struct hc_findings_input *input,
                                const struct hc_findings_options *options, struct hc_error *err)
{
    *walk = (struct walk){.input = input, .options = options};
    if (check_options(options, err) || check_series(input, err))
        return err->status;
    walk->series = hc_new_array(input->n_series, sizeof(struct hc_finding_series *), err);
    walk->states = walk->series ? hc_new_array(input->n_series, sizeof *walk->states, err) : NULL;
    walk->verdicts =
        walk->states ? hc_new_array(input->n_series, sizeof *walk->verdicts, err) : NULL;
    enum hc_status status = walk->verdicts ? sort_series(walk, err) : err->status;
    if (status == HC_OK && input->n_ends)
        status = hc_ends_open(&walk->ends, input, options->cofailure_window_ns, err);
    if (status)
        walk_close(walk);
    return status;
}

/* ---- days ---- */

static struct hc_finding_batch batch_of(const struct walk *walk, enum hc_finding_kind kind, int day)
{
    size_t first = walk->first[kind];
    return (struct hc_finding_batch){.input = walk->input,
                                     .options = walk->options,
                                     .kind = kind,
                                     .series = walk->series + first,
                                     .n = walk->first[kind + 1] - first,
                                     .day = day,
                                     .verdicts = walk->verdicts + first};
}

static enum hc_status judge_kind(const struct walk *walk, enum hc_finding_kind kind, int day,
                                 struct hc_error *err)
{
    struct hc_finding_batch batch = batch_of(walk, kind, day);
    size_t n_tested = 0;
    if (batch.n == 0)
        return HC_OK;
    memset(batch.verdicts, 0, batch.n * sizeof *batch.verdicts);
    if (judges[kind](&batch, err))
        return err->status;
    for (size_t i = 0; i < batch.n; i++)
        n_tested += batch.verdicts[i].is_tested;
    for (size_t i = 0; i < batch.n && kind != HC_FINDING_LEMON_NODE; i++)
        batch.verdicts[i].by_chance = batch.verdicts[i].p_value * (double)n_tested;
    return HC_OK;
}

static void step_state(const struct walk *walk, size_t i, int day)
{
    const struct hc_finding_verdict *verdict = &walk->verdicts[i];
    struct state *state = &walk->states[i];
    double budget = hc_finding_budget(walk->options, walk->series[i]->kind);
    if (verdict->is_tested && verdict->by_chance <= budget) {
        if (!state->is_open)
            *state = (struct state){
                .is_open = true, .is_earlier = day == walk->first_day, .opened = day};
        state->n_quiet = 0;
        return;
    }
    bool is_quiet = !verdict->is_tested || verdict->by_chance > walk->options->keep_factor * budget;
    state->n_quiet = is_quiet ? state->n_quiet + 1 : 0;
    if (state->n_quiet >= walk->options->keep_days)
        state->is_open = false;
}

static enum hc_status judge_day(struct walk *walk, int day, struct hc_error *err)
{
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++)
        if (judge_kind(walk, (enum hc_finding_kind)kind, day, err))
            return err->status;
    for (size_t i = 0; i < walk->input->n_series; i++)
        step_state(walk, i, day);
    struct hc_finding_batch batch = batch_of(walk, HC_FINDING_COFAILURE, day);
    return hc_find_cofailures(&walk->cofailures, &walk->ends, &batch, err);
}

/* ---- findings ---- */

static void identify(struct hc_finding *finding, int64_t time_ns)
{
    char digest[HC_DIGEST_TEXT], text[512];
    int n = snprintf(text, sizeof text, "%s %lld ", hc_finding_kind_name(finding->kind),
                     (long long)time_ns);
    /* Of a name that does not fit, its own digest. */
    size_t length = strlen(finding->subject);
    if (length < sizeof text - (size_t)n)
        memcpy(text + n, finding->subject, length + 1);
    else
        hc_digest_bytes(finding->subject, length, text + n);
    hc_digest_bytes(text, strlen(text), digest);
    memcpy(finding->id, digest, HC_FINDING_ID_SIZE - 1);
    finding->id[HC_FINDING_ID_SIZE - 1] = '\0';
}

static enum hc_finding_severity severity_of(const struct hc_findings_options *options,
                                            double gpu_hours)
{
    if (gpu_hours >= options->critical_gpu_hours)
        return HC_FINDING_CRITICAL;
    return gpu_hours >= options->warning_gpu_hours ? HC_FINDING_WARNING : HC_FINDING_INFO;
}

static double gpu_hours_of(const struct hc_finding_series *series, int day, int n_days)
{
    double sum = 0;
    for (int i = hc_finding_first_day(day, n_days); i <= day && series->gpu_hours; i++)
        if (isfinite(series->gpu_hours[i]))
            sum += series->gpu_hours[i];
    return sum;
}

static enum hc_status add_series(struct hc_findings *findings, const struct walk *walk, size_t i,
                                 struct hc_error *err)
{
    const struct hc_finding_series *series = walk->series[i];
    const struct hc_finding_verdict *verdict = &walk->verdicts[i];
    const struct state *state = &walk->states[i];
    int day = walk->input->n_days - 1;
    struct hc_finding *finding = &findings->rows[findings->n++];
    *finding = (struct hc_finding){
        .kind = series->kind,
        .subject = hc_copy_text(series->subject, err),
        .first_seen = walk->input->first_day + state->opened,
        .is_first_seen_earlier = state->is_earlier,
        .is_new = state->opened == day,
        .is_steady = verdict->is_steady,
        .is_ongoing = !verdict->is_tested ||
                      verdict->by_chance > hc_finding_budget(walk->options, series->kind),
        .value = verdict->is_tested ? hc_round_digits(verdict->value, HC_STATS_DIGITS) : NAN,
        .expected = verdict->is_tested ? hc_round_digits(verdict->expected, HC_STATS_DIGITS) : NAN,
        .p_value = verdict->is_tested ? verdict->p_value : NAN,
        .probability = verdict->is_tested ? verdict->probability : NAN,
        .by_chance = verdict->is_tested ? verdict->by_chance : NAN,
        .dispersion =
            verdict->is_tested ? hc_round_digits(verdict->dispersion, HC_STATS_DIGITS) : NAN,
        .window_days = verdict->window_days,
        .n_baseline = verdict->n_baseline,
        .n_runs = verdict->n_runs,
        .n_sources = verdict->n_sources,
        .gpu_hours = gpu_hours_of(series, day, verdict->is_tested ? verdict->window_days : 1),
        .text = hc_finding_sentence(series, verdict, walk->options, err)};
    if (!finding->subject || !finding->text)
        return err->status;
    identify(finding, 0);
    finding->severity = severity_of(walk->options, finding->gpu_hours);
    findings->counts[series->kind].n_findings++;
    return HC_OK;
}

static enum hc_status add_cofailure(struct hc_findings *findings, const struct walk *walk,
                                    const struct hc_cofailure *cofailure, struct hc_error *err)
{
    struct hc_finding *finding = &findings->rows[findings->n++];
    *finding = (struct hc_finding){.kind = HC_FINDING_COFAILURE,
                                   .subject = hc_new_text(err, "%s%s%s", cofailure->scope,
                                                          cofailure->place ? " " : "",
                                                          cofailure->place ? cofailure->place : ""),
                                   .first_seen = walk->input->first_day + walk->input->n_days - 1,
                                   .is_new = true,
                                   .value = cofailure->n_jobs,
                                   .expected = cofailure->by_chance,
                                   .p_value = NAN,
                                   .probability = NAN,
                                   .by_chance = cofailure->by_chance,
                                   .dispersion = cofailure->dispersion,
                                   .window_days = 1,
                                   .is_explained = hc_cofailure_is_explained(cofailure),
                                   .gpu_hours = cofailure->gpu_hours,
                                   .text = hc_cofailure_sentence(cofailure, walk->options, err)};
    if (!finding->subject || !finding->text)
        return err->status;
    identify(finding, cofailure->time_ns);
    /* What explains it is an incident, which has its cost: there is nothing left to find out. */
    finding->severity =
        finding->is_explained ? HC_FINDING_INFO : severity_of(walk->options, finding->gpu_hours);
    findings->counts[HC_FINDING_COFAILURE].n_findings++;
    return HC_OK;
}

static int by_severity(const void *a, const void *b)
{
    const struct hc_finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int order = strcmp(x->subject, y->subject);
    return order ? order : strcmp(x->id, y->id);
}

static void count_series(struct hc_findings *findings, const struct walk *walk)
{
    for (size_t i = 0; i < walk->input->n_series; i++) {
        struct hc_finding_counts *counts = &findings->counts[walk->series[i]->kind];
        counts->n_series++;
        counts->n_tested += walk->verdicts[i].is_tested;
        counts->n_short += !walk->verdicts[i].is_tested;
        counts->n_withheld += walk->verdicts[i].is_withheld;
    }
}

/* Values that are no numbers of their kind. */
static size_t bad_days(const struct hc_finding_series *s, int n_days)
{
    size_t n = 0;
    for (int day = 0; day < n_days; day++)
        n += !(s->exposure[day] >= 0) || (s->exposure[day] > 0 && !hc_finding_is_watched(s, day)) ||
             (s->exposure[day] > 0 && s->error &&
              !(s->error[day] >= 0 && s->error[day] <= HC_FINDING_MOST));
    return n;
}

static size_t bad_values(const struct hc_finding_series *s, int n_days)
{
    const struct hc_finding_series steady = hc_finding_steady(s);
    size_t n = bad_days(s, n_days) + (steady.amount ? bad_days(&steady, n_days) : 0);
    for (size_t i = 0; i < s->n_failures; i++) {
        const struct hc_finding_failure *f = &s->failures[i];
        n += f->day < 0 || f->day >= n_days || !(f->weight > 0 && f->weight <= 1);
    }
    return n;
}

static void count_bad(struct hc_findings *findings, const struct walk *walk)
{
    findings->n_bad_values = walk->ends.n_bad;
    for (size_t i = 0; i < walk->input->n_series; i++) {
        size_t n = bad_values(walk->series[i], walk->input->n_days);
        if (n && !findings->bad_subject) {
            findings->bad_subject = walk->series[i]->subject;
            findings->bad_kind = walk->series[i]->kind;
        }
        findings->n_bad_values += n;
    }
}

static enum hc_status collect(struct hc_findings *findings, const struct walk *walk,
                              struct hc_error *err)
{
    size_t n_open = walk->cofailures.n;
    for (size_t i = 0; i < walk->input->n_series; i++)
        n_open += walk->states[i].is_open;
    findings->rows = hc_new_array(n_open, sizeof *findings->rows, err);
    enum hc_status status = findings->rows ? HC_OK : err->status;
    for (size_t i = 0; i < walk->input->n_series && status == HC_OK; i++)
        if (walk->states[i].is_open)
            status = add_series(findings, walk, i, err);
    for (size_t i = 0; i < walk->cofailures.n && status == HC_OK; i++)
        status = add_cofailure(findings, walk, &walk->cofailures.rows[i], err);
    if (status == HC_OK && findings->n)
        qsort(findings->rows, findings->n, sizeof *findings->rows, by_severity);
    count_series(findings, walk);
    count_bad(findings, walk);
    return status;
}

enum hc_status hc_findings_run(struct hc_findings *findings, const struct hc_findings_input *input,
                               const struct hc_findings_options *options, struct hc_error *err)
{
    struct walk walk;
    *findings = (struct hc_findings){.n = 0};
    if (walk_open(&walk, input, options, err))
        return err->status;
    walk.first_day = hc_finding_first_day(input->n_days - 1, options->lookback_days + 1);
    enum hc_status status = HC_OK;
    for (int day = walk.first_day; day < input->n_days && status == HC_OK; day++)
        status = judge_day(&walk, day, err);
    if (status == HC_OK)
        status = collect(findings, &walk, err);
    walk_close(&walk);
    if (status)
        hc_findings_fini(findings);
    return status;
}

void hc_findings_fini(struct hc_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        free(findings->rows[i].subject);
        free(findings->rows[i].text);
    }
    free(findings->rows);
    *findings = (struct hc_findings){.n = 0};
}

/* ---- backtest ---- */

static enum hc_status add_onset(struct hc_findings_backtest *backtest, size_t *capacity,
                                struct hc_finding_onset onset, struct hc_error *err)
{
    if (hc_reserve(&backtest->rows, capacity, backtest->n + 1, sizeof *backtest->rows, err))
        return err->status;
    backtest->rows[backtest->n++] = onset;
    backtest->n_opened[onset.kind]++;
    return HC_OK;
}

static enum hc_status add_day(struct hc_findings_backtest *backtest, size_t *capacity,
                              const struct walk *walk, int day, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        for (size_t i = walk->first[kind]; i < walk->first[kind + 1] && status == HC_OK; i++) {
            backtest->n_tested[kind] += walk->verdicts[i].is_tested;
            if (walk->states[i].is_open && walk->states[i].opened == day)
                status = add_onset(backtest, capacity,
                                   (struct hc_finding_onset){(enum hc_finding_kind)kind,
                                                             walk->series[i]->subject, day},
                                   err);
        }
        for (size_t i = 0; kind == HC_FINDING_COFAILURE && i < walk->cofailures.n && !status; i++) {
            const char *place = walk->cofailures.rows[i].place;
            status = add_onset(
                backtest, capacity,
                (struct hc_finding_onset){HC_FINDING_COFAILURE, place ? place : "cluster", day},
                err);
        }
    }
    return status;
}

enum hc_status hc_findings_backtest(struct hc_findings_backtest *backtest,
                                    const struct hc_findings_input *input,
                                    const struct hc_findings_options *options, int n_days,
                                    struct hc_error *err)
{
    struct walk walk;
    size_t capacity = 0;
    *backtest = (struct hc_findings_backtest){.n = 0};
    if (n_days < 1 || n_days > input->n_days)
        return hc_fail(err, HC_BAD_INPUT, "a backtest of %d days of %d", n_days, input->n_days);
    if (walk_open(&walk, input, options, err))
        return err->status;
    backtest->from_day = input->n_days - n_days;
    backtest->n_days = n_days;
    walk.first_day = hc_finding_first_day(backtest->from_day, options->lookback_days + 1);
    enum hc_status status = HC_OK;
    for (int day = walk.first_day; day < input->n_days && status == HC_OK; day++) {
        status = judge_day(&walk, day, err);
        if (status == HC_OK && day >= backtest->from_day)
            status = add_day(backtest, &capacity, &walk, day, err);
    }
    walk_close(&walk);
    if (status)
        hc_findings_backtest_fini(backtest);
    return status;
}

void hc_findings_backtest_fini(struct hc_findings_backtest *backtest)
{
    free(backtest->rows);
    *backtest = (struct hc_findings_backtest){.n = 0};
}
