/* The smallest or largest value of a key that meets a condition.
 *
 * Up to MOST_ALL values of a range or a sweep are all tried, and nothing is assumed. More are
 * bisected, and so are the whole range of a count and the whole numbers between the values of its
 * sweep: then the condition is taken to change once only. What was tried says how sure the answer
 * is (enum hc_study_proof).
 */
#include "study/run/study_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ALL   64
#define MOST_TRIES 128
#define FARTHEST   ((int64_t)1 << 31)

struct search {
    struct hc_study_work *work;
    const struct hc_study_find *find;
    struct hc_condition condition; /* `figure`: column */
    const char *path;
    const double *number; /* the values that are tried at once */
    const struct hc_node *node;
    /* A grid of candidates: listed, or from + i * step. */
    int64_t n;
    const double *list;
    struct hc_study_try *tries;
    size_t n_tries;
    bool is_range;  /* of the scenario: nothing else is asked for */
    bool is_halved; /* values were left out, since the condition should change once only */
};

static double candidate(const struct search *s, int64_t i)
{
    return s->list ? s->list[i] : s->find->range.from + (double)i * s->find->range.step;
}

static enum hc_status make_spot(void *context, size_t i, struct hc_study_spot *spot,
                                struct hc_error *err)
{
    struct search *s = context;
    struct hc_study_work *work = s->work;
    const struct hc_place *place = &hc_node_member(work->scenario->root, "find")->place;
    s->node = hc_study_number(work->scenario, s->number[i], place);
    if (!s->node) {
        *err = work->scenario->errors.no_memory;
        return err->status;
    }
    *spot = (struct hc_study_spot){&work->study->variant[0], 1, &s->path, &s->node};
    return HC_OK;
}

static int by_number(const void *a, const void *b)
{
    double x = ((const struct hc_study_try *)a)->number,
           y = ((const struct hc_study_try *)b)->number;
    return (x > y) - (x < y);
}

/* What a value gave, and whether all terms of the condition hold. */
static enum hc_status weigh_try(struct search *s, const struct hc_study_cell *cell,
                                struct hc_study_try *try, struct hc_error *err)
{
    const struct hc_condition *condition = &s->condition;
    struct hc_study_value *value = hc_arena_new(s->work->arena, condition->n * sizeof *value, err);
    struct hc_condition_value known[HC_CONDITION_MOST_TERMS];
    if (!value)
        return err->status;
    try->margin = INFINITY;
    for (size_t i = 0; i < condition->n; i++) {
        const struct hc_condition_term *term = &condition->term[i];
        value[i] = cell->value[term->figure];
        known[i] = (struct hc_condition_value){value[i].mean, value[i].low, value[i].high};
        double off = fabs(hc_condition_asked_value(term, &known[i]) - term->number);
        try->margin = isnan(off) || isnan(try->margin) ? NAN : fmin(try->margin, off);
    }
    try->value = value[0];
    try->also = value + 1;
    try->holds = hc_condition_holds(condition, known);
    return HC_OK;
}

/* Run n values and keep what they gave, as tries. */
static enum hc_status try_values(struct search *s, const double *number, size_t n,
                                 struct hc_error *err)
{
    struct hc_study_cell cell[MOST_ALL];
    s->number = number;
    enum hc_status status = hc_study_run_spots(s->work, n, make_spot, s, cell, err);
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        s->tries[s->n_tries].number = number[i];
        status = weigh_try(s, &cell[i], &s->tries[s->n_tries++], err);
    }
    return status;
}

static enum hc_status try_candidate(struct search *s, int64_t i, bool *holds, struct hc_error *err)
{
    double number = candidate(s, i);
    enum hc_status status = try_values(s, &number, 1, err);
    if (status == HC_OK)
        *holds = s->tries[s->n_tries - 1].holds;
    return status;
}

/* ---- all of a few ---- */

static enum hc_status try_all(struct search *s, struct hc_error *err)
{
    double number[MOST_ALL];
    for (int64_t i = 0; i < s->n; i++)
        number[i] = candidate(s, i);
    return try_values(s, number, (size_t)s->n, err);
}

/* ---- many: the condition changes once ---- */

/* Where to bisect: candidates low and high, of which the better one fails and the other holds. */
struct bracket {
    int64_t low, high;
};

/* Try the best candidate: the first when the smallest value is sought, the last when the largest
 * is. If the condition holds there, it is the answer, whatever the condition does in between. The
 * last candidate is not tried when neither a range nor a sweep bounds the search: it is then the
 * largest number that the key may have (2^31 nodes, say), which may be far too big to run.
 * *is_tried says whether it was. */
static enum hc_status try_best(struct search *s, bool *is_tried, bool *holds, struct hc_error *err)
{
    *holds = false;
    *is_tried = s->find->is_smallest || s->is_range || s->list;
    return *is_tried ? try_candidate(s, s->find->is_smallest ? 0 : s->n - 1, holds, err) : HC_OK;
}

/* Bracket the smallest value that holds: from the first candidate, which fails, go up in steps of
 * 1, 2, 4, ... until a candidate holds, and put it and the one before it into the bracket.
 * *is_found is false when none of those tried holds, the last candidate included. */
static enum hc_status step_to_holding(struct search *s, struct bracket *bracket, bool *is_found,
                                      struct hc_error *err)
{
    *is_found = false;
    for (int64_t step = 1, low = 0; low < s->n - 1 && !*is_found; step *= 2) {
        int64_t i = step < s->n - low ? low + step : s->n - 1;
        if (try_candidate(s, i, is_found, err))
            return err->status;
        *bracket = (struct bracket){low, i};
        low = i;
    }
    return HC_OK;
}

/* Bracket the largest value that holds: go up in the same steps until a candidate fails after one
 * that held. *is_found is false when none of those tried holds. A first candidate that fails does
 * not end the search, since larger ones may hold. is_last_tried: the last candidate was tried
 * before, and failed. */
static enum hc_status step_past_holding(struct search *s, bool is_last_tried,
                                        struct bracket *bracket, bool *is_found,
                                        struct hc_error *err)
{
    bool holds = false, held = false;
    *is_found = false;
    for (int64_t step = 1, i = 0;; step *= 2) {
        bool is_known = is_last_tried && i == s->n - 1;
        holds = false;
        if (!is_known && try_candidate(s, i, &holds, err))
            return err->status;
        if (held && !holds) {
            bracket->high = i;
            *is_found = true;
            return HC_OK;
        }
        held = holds;
        bracket->low = i;
        if (i == s->n - 1)
            return HC_OK;
        i = step < s->n - i ? i + step : s->n - 1;
    }
}

/* For the smallest, the condition holds from some candidate of the bracket on; for the largest, up
 * to one. */
static enum hc_status halve(struct search *s, struct bracket bracket, struct hc_error *err)
{
    while (bracket.high - bracket.low > 1) {
        int64_t middle = bracket.low + (bracket.high - bracket.low) / 2;
        bool holds = false;
        if (try_candidate(s, middle, &holds, err))
            return err->status;
        if (holds == s->find->is_smallest)
            bracket.high = middle;
        else
            bracket.low = middle;
    }
    return HC_OK;
}

/* "None" is left only when the first and the last were tried. */
static enum hc_status bisect(struct search *s, struct hc_error *err)
{
    struct bracket bracket = {0, 0};
    bool is_tried, holds, is_found = false;
    s->is_halved = true;
    if (try_best(s, &is_tried, &holds, err) || holds)
        return err->status;
    enum hc_status status = s->find->is_smallest
                                ? step_to_holding(s, &bracket, &is_found, err)
                                : step_past_holding(s, is_tried, &bracket, &is_found, err);
    return status == HC_OK && is_found ? halve(s, bracket, err) : status;
}

/* ---- where it is sought ---- */

/* The numbers of the sweep of the same key, ascending. */
static enum hc_status take_sweep(struct search *s, struct hc_error *err)
{
    const struct hc_study *study = s->work->study;
    for (size_t k = 0; k < study->n_sweeps; k++) {
        const struct hc_study_sweep *sweep = &study->sweep[k];
        if (strcmp(sweep->path, s->path) != 0)
            continue;
        struct hc_study_try *sorted = hc_arena_new(s->work->arena, sweep->n * sizeof *sorted, err);
        double *list = hc_arena_new(s->work->arena, sweep->n * sizeof *list, err);
        if (!sorted || !list)
            return err->status;
        size_t n = 0;
        for (size_t i = 0; i < sweep->n; i++)
            if (sweep->value[i]->type == HC_NODE_NUMBER)
                sorted[n++].number = sweep->value[i]->number;
        qsort(sorted, n, sizeof *sorted, by_number);
        for (size_t i = 0; i < n; i++)
            if (!s->n || list[s->n - 1] < sorted[i].number)
                list[s->n++] = sorted[i].number;
        s->list = list;
    }
    return HC_OK;
}

/* The largest whole number that the key may have. */
static double farthest(const struct hc_scenario_key *key)
{
    return key->high > 0 ? key->high : (double)FARTHEST;
}

static enum hc_status take_range(struct search *s, struct hc_study_find *whole,
                                 struct hc_error *err)
{
    const struct hc_study_find *find = s->find;
    s->is_range = find->range.step > 0;
    if (s->is_range) {
        s->n = (int64_t)hc_study_range_count(&find->range);
        return HC_OK;
    }
    if (take_sweep(s, err) || s->n)
        return err->status;
    /* Without range and sweep only a key of whole numbers gets here (hc_study_read refuses others):
     * all values that it may have are candidates. */
    double high = farthest(find->key);
    *whole = *find;
    whole->range = (struct hc_study_range){find->key->low, high, 1};
    s->find = whole;
    s->n = (int64_t)(high - find->key->low) + 1;
    return HC_OK;
}

/* ---- whole numbers between the values of a sweep ---- */

/* The best value that was tried and holds; false: there is none. */
static bool best_try(const struct search *s, double *number)
{
    bool is_found = false;
    for (size_t i = 0; i < s->n_tries; i++) {
        double x = s->tries[i].number;
        if (!s->tries[i].holds || (is_found && (s->find->is_smallest ? x > *number : x < *number)))
            continue;
        *number = x;
        is_found = true;
    }
    return is_found;
}

/* The value that was tried next to number, on the side of better ones; false: there is none. */
static bool next_better(const struct search *s, double number, double *next)
{
    double sign = s->find->is_smallest ? 1 : -1, nearest = INFINITY;
    for (size_t i = 0; i < s->n_tries; i++) {
        double distance = sign * (number - s->tries[i].number);
        if (distance <= 0 || distance >= nearest)
            continue;
        nearest = distance;
        *next = s->tries[i].number;
    }
    return isfinite(nearest);
}

/* Bisect between the best value of the sweep and the next, which fails. A value that cannot be (a
 * job of 7 nodes in 2 replicas) ends it: then they were not tried. */
static enum hc_status halve_sweep(struct search *s, struct hc_error *err)
{
    double best, other;
    if (!s->list || s->find->key->kind != HC_KEY_COUNT)
        return HC_OK;
    while (best_try(s, &best) && next_better(s, best, &other) && fabs(best - other) > 1) {
        double middle = floor((best + other) / 2);
        enum hc_status status = try_values(s, &middle, 1, err);
        if (status == HC_BAD_INPUT) {
            struct hc_error why = *err;
            err->status = HC_OK;
            return hc_study_note(s->work, err,
                                 "find: not all values between %g and %g were tried, since some "
                                 "cannot be: %s",
                                 fmin(best, other), fmax(best, other), why.message);
        }
        if (status)
            return status;
        s->is_halved = true;
    }
    return HC_OK;
}

/* ---- the answer ---- */

/* How many candidates are better than the answer; -1: no end of them. */
static int64_t count_better(const struct search *s, double answer)
{
    bool is_smallest = s->find->is_smallest;
    const struct hc_scenario_key *key = s->find->key;
    if (s->list)
        return key->kind != HC_KEY_COUNT ? -1
               : is_smallest             ? (int64_t)(answer - key->low)
                                         : (int64_t)(farthest(key) - answer);
    int64_t at = llround((answer - s->find->range.from) / s->find->range.step);
    return is_smallest ? at : s->n - 1 - at;
}

/* What the tries, which ascend, say about the answer. */
static void weigh_answer(const struct search *s, struct hc_study_found *found)
{
    double next, step = s->list ? 1 : s->find->range.step;
    int64_t better = count_better(s, found->number), tried = 0;
    for (size_t i = 0; i < s->n_tries; i++) {
        double x = s->tries[i].number;
        tried += s->find->is_smallest ? x < found->number : x > found->number;
    }
    bool is_next_tried = better >= 0 && next_better(s, found->number, &next) &&
                         fabs(found->number - next) < 1.5 * step;
    found->n_untried = better < 0 ? -1 : better - tried;
    found->proof = found->n_untried == 0 ? HC_FOUND_ALL_TRIED
                   : is_next_tried       ? HC_FOUND_NEXT_FAILS
                                         : HC_FOUND_OF_TRIED;
}

/* What the tries, which ascend, say about there being none. */
static void weigh_none(const struct search *s, struct hc_study_found *found)
{
    const struct hc_scenario_key *key = s->find->key;
    int64_t n = !s->list                    ? s->n
                : key->kind != HC_KEY_COUNT ? -1
                                            : (int64_t)(farthest(key) - key->low) + 1;
    bool are_ends_tried = !s->list && s->n_tries > 0 && s->tries[0].number == candidate(s, 0) &&
                          s->tries[s->n_tries - 1].number == candidate(s, s->n - 1);
    found->n_untried = n < 0 ? -1 : n - (int64_t)s->n_tries;
    found->proof = found->n_untried == 0 ? HC_FOUND_ALL_TRIED
                   : are_ends_tried      ? HC_FOUND_ENDS_FAIL
                                         : HC_FOUND_OF_TRIED;
}

static void put_answer(struct search *s, struct hc_study_found *found)
{
    qsort(s->tries, s->n_tries, sizeof *s->tries, by_number);
    found->tries = s->tries;
    found->n_tries = s->n_tries;
    found->is_found = best_try(s, &found->number);
    for (size_t i = 1; i < s->n_tries; i++)
        found->n_changes += s->tries[i].holds != s->tries[i - 1].holds;
    if (s->is_range) {
        found->from = s->find->range.from;
        found->to = s->find->range.to;
        found->step = s->find->range.step;
    }
    if (found->is_found)
        weigh_answer(s, found);
    else
        weigh_none(s, found);
}

static enum hc_status note_assumption(struct search *s, const struct hc_study_found *found,
                                      struct hc_error *err)
{
    if (found->n_changes > 1)
        return hc_study_note(
            s->work, err,
            "find: '%s' changes %zu times over the values of '%s' that were tried; "
            "of those between them, others may meet it.",
            found->such_that, found->n_changes, found->path);
    if (!s->is_halved || found->proof == HC_FOUND_ALL_TRIED)
        return HC_OK;
    return hc_study_note(s->work, err,
                         "find: not every value of '%s' was tried; that '%s' changes only once "
                         "over them is assumed.",
                         found->path, found->such_that);
}

static const char *condition_text(const struct hc_study_work *work)
{
    return hc_node_member(hc_node_member(work->scenario->root, "find"), "such_that")->text;
}

/* What is not known meets no condition, and is not known to miss it. */
static enum hc_status note_unknown(struct search *s, struct hc_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_tries; i++)
        n += isnan(s->tries[i].margin);
    if (!n)
        return HC_OK;
    return hc_study_note(s->work, err,
                         "find: at %zu of %zu values, what '%s' asks about is not known (too few "
                         "replicas for it), and counts as not met.",
                         n, s->n_tries, condition_text(s->work));
}

/* The condition of the scenario, about columns. */
static struct hc_condition condition_of(const struct hc_study_work *work)
{
    struct hc_condition condition = work->study->find.condition;
    for (size_t i = 0; i < condition.n; i++)
        condition.term[i].figure = hc_study_figure_column(
            &work->columns, hc_study_term_figure(work->scenario, &condition.term[i]));
    return condition;
}

enum hc_status hc_study_find_value(struct hc_study_work *work, struct hc_error *err)
{
    const struct hc_study_find *find = &work->study->find;
    struct hc_study_found *found = &work->result->found;
    struct hc_study_find whole;
    struct search s = {.work = work, .find = find, .path = find->path};
    if (!find->is_asked)
        return HC_OK;
    err->status = HC_OK;
    s.condition = work->condition = condition_of(work);
    struct hc_condition_term *term = hc_arena_new(work->arena, sizeof s.condition.term, err);
    if (!term)
        return err->status;
    memcpy(term, s.condition.term, sizeof s.condition.term);
    s.tries = hc_arena_new(work->arena, MOST_TRIES * sizeof *s.tries, err);
    if (!s.tries || take_range(&s, &whole, err))
        return err->status;
    *found = (struct hc_study_found){.is_asked = true,
                                     .is_smallest = find->is_smallest,
                                     .path = find->path,
                                     .unit = find->key->unit ? find->key->unit : "",
                                     .such_that = condition_text(work),
                                     .term = term,
                                     .n_terms = s.condition.n,
                                     .column = term[0].figure,
                                     .bound = term[0].number};
    if (s.n > MOST_ALL ? bisect(&s, err) : try_all(&s, err)) {
        if (err->status == HC_BAD_INPUT && !s.list)
            hc_context(err, "find needs a 'range' that leaves out what cannot be");
        return err->status;
    }
    if (halve_sweep(&s, err))
        return err->status;
    put_answer(&s, found);
    if (note_unknown(&s, err))
        return err->status;
    return note_assumption(&s, found, err);
}
