#include "study/binding/recorded_data.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/base/select.h"
#include "core/random/philox.h"
#include "core/text/text_hash.h"
#include "core/text/text_stream.h"
#include "models/incidents/incident_times.h"
#include "models/stats/survival_posterior.h"
#include "study/grammar/data_provider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOTSTRAP_SEED UINT64_C(0x626f6f7473747261)

/* ---- which incidents ---- */

static double number_of(const struct hc_node *node, const char *name)
{
    const struct hc_node *child = hc_node_member(node, name);
    return child ? child->number : 0;
}

static bool is_word(const struct hc_node *node, const char *name, const char *word)
{
    const struct hc_node *child = hc_node_member(node, name);
    return child && strcmp(child->text, word) == 0;
}

/* Mark the cause of that name, or all of the domain. */
static enum hc_status add_cause(struct hc_incident_choice *choice, const char *word,
                                struct hc_error *err)
{
    const char *names[HC_N_INCIDENT_CAUSES + HC_N_DOMAINS];
    size_t n = 0, n_marked = 0;
    for (int domain = 0; domain < HC_N_DOMAINS; domain++)
        names[n++] = hc_fault_domain_name((enum hc_fault_domain)domain);
    for (int cause = 0; cause < HC_N_INCIDENT_CAUSES; cause++) {
        const struct hc_incident_cause_info *info =
            hc_incident_cause_info((enum hc_incident_cause)cause);
        names[n++] = info->name;
        if (strcmp(info->name, word) != 0 && strcmp(hc_fault_domain_name(info->domain), word) != 0)
            continue;
        choice->is_cause[cause] = true;
        n_marked++;
    }
    if (n_marked)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "'%s' is no cause and no domain%s",
                   hc_printable(word, strlen(word)).text, hc_did_you_mean(word, names, n).text);
}

static enum hc_status add_causes(struct hc_incident_choice *choice, const struct hc_node *node,
                                 char within[HC_WITHIN], struct hc_error *err)
{
    const struct hc_node *causes = hc_node_member(node, "causes");
    bool has_texts = hc_node_member(node, "texts");
    for (int cause = 0; cause < HC_N_INCIDENT_CAUSES && !causes; cause++)
        choice->is_cause[cause] =
            has_texts ||
            hc_incident_cause_info((enum hc_incident_cause)cause)->origin != HC_ORIGIN_PLANNED;
    const struct hc_node *child = causes ? causes->first : NULL;
    for (size_t i = 0; child; child = child->next, i++)
        if (add_cause(choice, child->text, err)) {
            snprintf(within, HC_WITHIN, "/causes/%zu", i);
            return err->status;
        }
    return HC_OK;
}

/* Names of one dictionary of the records, as a list of the scenario chooses them. */
struct name_choice {
    const char *key;  /* of the list */
    const char *what; /* one of them */
    enum hc_incident_dictionary dictionary;
};

/* The codes of the names, into *code and *n; none where the scenario has no such list. */
static enum hc_status add_names(const struct name_choice *of, const struct hc_node *node,
                                const struct hc_incident_set *set, const int32_t **code, size_t *n,
                                struct hc_arena *arena, char within[HC_WITHIN],
                                struct hc_error *err)
{
    const struct hc_node *names = hc_node_member(node, of->key);
    const struct hc_text_set *known = &set->names.set[of->dictionary];
    int32_t *chosen = names ? hc_arena_new(arena, names->n * sizeof *chosen, err) : NULL;
    if (names && !chosen)
        return err->status;
    const struct hc_node *child = names ? names->first : NULL;
    for (; child; child = child->next) {
        chosen[*n] = hc_text_set_find(known, child->text, strlen(child->text));
        if (chosen[*n] < 0) {
            snprintf(within, HC_WITHIN, "/%s/%zu", of->key, *n);
            return hc_fail(
                err, HC_BAD_INPUT, "the records have no %s '%s'%s", of->what,
                hc_printable(child->text, strlen(child->text)).text,
                hc_did_you_mean(child->text, (const char *const *)known->text, known->n).text);
        }
        ++*n;
    }
    *code = chosen;
    return HC_OK;
}

static enum hc_status add_groups(struct hc_incident_choice *choice, const struct hc_node *node,
                                 struct hc_arena *arena, char within[HC_WITHIN],
                                 struct hc_error *err)
{
    static const struct name_choice groups = {"groups", "group", HC_NAMES_GROUP},
                                    texts = {"texts", "text", HC_NAMES_TEXT};
    if (add_names(&groups, node, choice->set, &choice->group, &choice->n_groups, arena, within,
                  err))
        return err->status;
    return add_names(&texts, node, choice->set, &choice->text, &choice->n_texts, arena, within,
                     err);
}

enum hc_status hc_recorded_choice(struct hc_incident_choice *choice, const struct hc_node *node,
                                  struct hc_arena *arena, char within[HC_WITHIN],
                                  struct hc_error *err)
{
    const struct hc_node *file = hc_node_member(node, "file");
    const struct hc_node *name = file ? file : hc_node_member(node, "job");
    within[0] = '\0';
    if (!name->source)
        return hc_fail(err, HC_BAD_INPUT, "recorded incidents were not read");
    *choice = (struct hc_incident_choice){.set = &name->source->set,
                                          .nodes = (int64_t)number_of(node, "nodes"),
                                          .from_d = number_of(node, "from_d"),
                                          .to_d = number_of(node, "to_d"),
                                          .is_new = is_word(node, "age", "new"),
                                          .is_of_replica = hc_node_member(node, "replica"),
                                          .replica = (int32_t)number_of(node, "replica")};
    return add_causes(choice, node, within, err) ? err->status
                                                 : add_groups(choice, node, arena, within, err);
}

/* ---- a distribution ---- */

static enum hc_incident_time time_of(const struct hc_node *node)
{
    static const char *const words[] = {"repair", "detection", "localisation"};
    const struct hc_node *what = hc_node_member(node, "what");
    for (int i = 0; i < HC_TIME_BETWEEN; i++)
        if (strcmp(words[i], what->text) == 0)
            return (enum hc_incident_time)i;
    return HC_TIME_BETWEEN;
}

static bool take_times(struct hc_key_binder *b, const struct hc_node *node,
                       struct hc_survival *survival)
{
    struct hc_incident_choice choice;
    char within[HC_WITHIN];
    enum hc_status status = hc_recorded_choice(&choice, node, b->arena, within, b->err);
    if (status == HC_OK)
        status = hc_survival_of_choice(survival, &choice, time_of(node), b->err);
    if (status)
        return hc_binder_passes(b, within, status);
    if (survival->n_events)
        return true;
    long long unknown = survival->n_unknown;
    hc_survival_fini(survival);
    hc_fail(b->err, HC_BAD_INPUT,
            unknown ? "%lld incidents are chosen, but of none is it recorded how long that took"
                    : "no incident is chosen",
            unknown);
    return hc_binder_passes(b, "", HC_BAD_INPUT);
}

/* Which draw of what the records leave open; 0: the records as they are. */
static int32_t draw_of(const struct hc_node *node)
{
    return (int32_t)number_of(node, "draw");
}

/* As many of the values, drawn from them; ascending. */
static void resample(double *to, const double *values, size_t n, int32_t draw)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, BOOTSTRAP_SEED, (uint64_t)draw, 0);
    for (size_t i = 0; i < n; i++)
        to[i] = values[hc_philox_integer(&rng, n)];
    hc_sort(to, n);
}

bool hc_bind_recorded_times(struct hc_key_binder *b, const struct hc_node *node,
                            struct hc_distribution *to)
{
    struct hc_survival survival;
    if (!take_times(b, node, &survival))
        return false;
    size_t n = (size_t)survival.n_events, at = 0;
    double *all = hc_arena_new(b->arena, 2 * n * sizeof *all, b->err), *drawn = all;
    for (size_t i = 0; all && i < survival.n; i++)
        for (int64_t j = 0; j < survival.times[i].count; j++)
            all[at++] = survival.times[i].time;
    hc_survival_fini(&survival);
    if (all && draw_of(node)) {
        drawn = all + n;
        resample(drawn, all, n, draw_of(node));
    }
    *to = (struct hc_distribution){
        .kind = HC_DISTRIBUTION_EMPIRICAL, .scale = 1, .value = drawn, .n_values = n};
    return all || hc_binder_fails(b, HC_INTERNAL);
}

/* Draws may lie beyond what the engine takes. */
static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static struct hc_distribution fitted(enum hc_fit_family family, double scale, double shape)
{
    static const struct {
        enum hc_distribution_kind kind;
        double least, most;
    } kinds[HC_N_FIT_FAMILIES] = {
        [HC_FIT_EXPONENTIAL] = {HC_DISTRIBUTION_EXPONENTIAL, 0, 0},
        [HC_FIT_WEIBULL] = {HC_DISTRIBUTION_WEIBULL, 0.05, 1e4},
        [HC_FIT_GAMMA] = {HC_DISTRIBUTION_GAMMA, 0.05, 1e4},
        [HC_FIT_LOGNORMAL] = {HC_DISTRIBUTION_LOGNORMAL, 0, 5},
    };
    bool has_shape = family != HC_FIT_EXPONENTIAL;
    return (struct hc_distribution){
        .kind = (int32_t)kinds[family].kind,
        .scale = within(scale, 0, HC_DISTRIBUTION_MOST),
        .shape = has_shape ? within(shape, kinds[family].least, kinds[family].most) : 0};
}

/* ---- fits, each made once ---- */

/* What is fitted of a source, without its name and the number of a draw, as JSON; to be freed. */
static char *words_of(const struct hc_node *node, struct hc_error *err)
{
    struct hc_arena arena = {NULL};
    char *text = NULL;
    size_t size = 0;
    struct hc_node *copy = hc_node_shallow(&arena, node, err);
    FILE *stream = copy ? hc_text_stream(&text, &size, err) : NULL;
    if (stream) {
        static const char *const others[] = {"draw", "file", "job"};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            const struct hc_node *other = hc_node_member(copy, others[i]);
            if (other)
                hc_node_remove(copy, other);
        }
        hc_node_write_line(stream, copy);
        hc_text_stream_end(stream, &text, HC_OK, err);
    }
    hc_arena_fini(&arena);
    return text;
}

/* Draws are of what was read, wherever it lies. */
static uint64_t draws_seed(const struct hc_source_fit *made, const struct hc_data_source *source)
{
    return hc_text_hash(made->words, strlen(made->words)) ^
           hc_text_hash(source->sha256, strlen(source->sha256));
}

static int family_of(const struct hc_node *node, const struct hc_fits *fits)
{
    const struct hc_node *family = hc_node_member(node, "family");
    for (int i = 0; family && i < HC_N_FIT_FAMILIES; i++)
        if (strcmp(family->text, hc_fit_family_name((enum hc_fit_family)i)) == 0)
            return i;
    return fits->best;
}

static enum hc_status fit_times(struct hc_source_fit *made, const struct hc_node *node,
                                const struct hc_survival *survival, uint64_t seed,
                                struct hc_error *err)
{
    struct hc_fits fits;
    if (hc_fit_survival(&fits, survival, err))
        return err->status;
    made->family = family_of(node, &fits);
    made->fit = fits.fit[made->family];
    made->n_events = survival->n_events;
    made->n_censored = survival->n_censored;
    made->n_residual = survival->n_residual;
    if (made->fit.lacks)
        return HC_OK;
    made->scale = hc_new_array(2 * HC_INPUT_MOST_DRAWS, sizeof *made->scale, err);
    if (!made->scale)
        return err->status;
    made->shape = made->scale + HC_INPUT_MOST_DRAWS;
    return hc_fit_posterior((enum hc_fit_family)made->family, &made->fit, survival, seed,
                            HC_INPUT_MOST_DRAWS, made->scale, made->shape, err);
}

/* Put a fit of these words in front of those of the source. False: it failed, as said in b. */
static bool make_fit(struct hc_key_binder *b, const struct hc_node *node,
                     struct hc_data_source *source, char *words)
{
    struct hc_survival survival;
    struct hc_source_fit *made = hc_new_array(1, sizeof *made, b->err);
    if (!made) {
        free(words);
        return hc_binder_fails(b, HC_INTERNAL);
    }
    made->words = words;
    made->next = source->fits;
    source->fits = made; /* freed with the source, whatever comes of it */
    if (!take_times(b, node, &survival))
        return false;
    enum hc_status status = fit_times(made, node, &survival, draws_seed(made, source), b->err);
    hc_survival_fini(&survival);
    return status ? hc_binder_passes(b, "", status) : true;
}

/* What a node asks for, fitted: NULL where it failed, as said in b. */
static const struct hc_source_fit *fit_of(struct hc_key_binder *b, const struct hc_node *node)
{
    const struct hc_node *file = hc_node_member(node, "file");
    struct hc_data_source *source = (file ? file : hc_node_member(node, "job"))->source;
    char *words = words_of(node, b->err);
    if (!words || !source) {
        free(words);
        hc_fail(b->err, words ? HC_BAD_INPUT : HC_INTERNAL, "recorded incidents were not read");
        hc_binder_passes(b, "", b->err->status);
        return NULL;
    }
    for (const struct hc_source_fit *fit = source->fits; fit; fit = fit->next)
        if (strcmp(fit->words, words) == 0 && fit->n_events) {
            free(words);
            return fit;
        }
    return make_fit(b, node, source, words) ? source->fits : NULL;
}

bool hc_bind_fitted_times(struct hc_key_binder *b, const struct hc_node *node,
                          struct hc_distribution *to)
{
    const struct hc_source_fit *made = fit_of(b, node);
    if (!made)
        return false;
    if (made->fit.lacks) {
        hc_fail(b->err, HC_BAD_INPUT, "'%s' cannot be fitted: %s",
                hc_fit_family_name((enum hc_fit_family)made->family), made->fit.lacks);
        return hc_binder_passes(b, "", HC_BAD_INPUT);
    }
    int32_t draw = draw_of(node);
    *to = fitted((enum hc_fit_family)made->family, draw ? made->scale[draw - 1] : made->fit.scale,
                 draw ? made->shape[draw - 1] : made->fit.shape);
    return true;
}

/* ---- what-if ---- */

static const struct hc_data_source *source_of(const struct hc_node *whatif)
{
    const struct hc_node *file = hc_node_member(whatif, "file");
    const struct hc_node *name = file ? file : hc_node_member(whatif, "job");
    return name ? name->source : NULL;
}

static bool is_of_worker(const struct hc_node *whatif)
{
    const struct hc_node *figure = hc_node_member(whatif, "figure");
    return figure && strcmp(figure->text, HC_DATA_WORST_WORKER) == 0;
}

char *hc_whatif_factor_words(const struct hc_node *whatif, struct hc_error *err)
{
    return hc_new_text(err, "the %s of %s",
                       is_of_worker(whatif) ? "slowdown by the worst worker" : "slowdown",
                       source_of(whatif)->title);
}

enum hc_status hc_whatif_factor(double *factor, const struct hc_node *whatif, struct hc_error *err)
{
    const struct hc_data_source *source = source_of(whatif);
    if (!source)
        return hc_fail(err, HC_BAD_INPUT, "the job was not replayed");
    *factor = is_of_worker(whatif) ? source->worst_worker : source->slowdown;
    if (isfinite(*factor) && *factor >= 1)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "the slowdown%s of %s is %.6g, which makes no step longer",
                   is_of_worker(whatif) ? " by the worst worker" : "", source->title, *factor);
}

bool hc_bind_whatif_number(struct hc_key_binder *b, const struct hc_node *object, double *to)
{
    enum hc_status status = hc_whatif_factor(to, hc_node_member(object, "whatif"), b->err);
    return status == HC_OK || hc_binder_passes(b, "/whatif", status);
}
