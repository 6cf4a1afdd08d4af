#include "study/binding/recorded_data.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "models/incidents/incident_times.h"
#include "models/stats/survival_fit.h"
#include "study/grammar/data_provider.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    for (int cause = 0; cause < HC_N_INCIDENT_CAUSES && !causes; cause++)
        choice->is_cause[cause] =
            hc_incident_cause_info((enum hc_incident_cause)cause)->origin != HC_ORIGIN_PLANNED;
    const struct hc_node *child = causes ? causes->first : NULL;
    for (size_t i = 0; child; child = child->next, i++)
        if (add_cause(choice, child->text, err)) {
            snprintf(within, HC_WITHIN, "/causes/%zu", i);
            return err->status;
        }
    return HC_OK;
}

static enum hc_status add_groups(struct hc_incident_choice *choice, const struct hc_node *node,
                                 struct hc_arena *arena, char within[HC_WITHIN],
                                 struct hc_error *err)
{
    const struct hc_node *groups = hc_node_member(node, "groups");
    const struct hc_text_set *known = &choice->set->names.set[HC_NAMES_GROUP];
    int32_t *code = groups ? hc_arena_new(arena, groups->n * sizeof *code, err) : NULL;
    if (groups && !code)
        return err->status;
    const struct hc_node *child = groups ? groups->first : NULL;
    for (; child; child = child->next) {
        code[choice->n_groups] = hc_text_set_find(known, child->text, strlen(child->text));
        if (code[choice->n_groups] < 0) {
            snprintf(within, HC_WITHIN, "/groups/%zu", choice->n_groups);
            return hc_fail(
                err, HC_BAD_INPUT, "the records have no group '%s'%s",
                hc_printable(child->text, strlen(child->text)).text,
                hc_did_you_mean(child->text, (const char *const *)known->text, known->n).text);
        }
        choice->n_groups++;
    }
    choice->group = code;
    return HC_OK;
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
                                          .is_new = is_word(node, "age", "new")};
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

bool hc_bind_recorded_times(struct hc_key_binder *b, const struct hc_node *node,
                            struct hc_distribution *to)
{
    struct hc_survival survival;
    if (!take_times(b, node, &survival))
        return false;
    size_t n = (size_t)survival.n_events;
    double *value = hc_arena_new(b->arena, n * sizeof *value, b->err);
    for (size_t i = 0, at = 0; value && i < survival.n; i++)
        for (int64_t j = 0; j < survival.times[i].count; j++)
            value[at++] = survival.times[i].time;
    hc_survival_fini(&survival);
    *to = (struct hc_distribution){
        .kind = HC_DISTRIBUTION_EMPIRICAL, .scale = 1, .value = value, .n_values = n};
    return value || hc_binder_fails(b, HC_INTERNAL);
}

static struct hc_distribution fitted(enum hc_fit_family family, const struct hc_fit *fit)
{
    static const enum hc_distribution_kind kinds[HC_N_FIT_FAMILIES] = {
        [HC_FIT_EXPONENTIAL] = HC_DISTRIBUTION_EXPONENTIAL,
        [HC_FIT_WEIBULL] = HC_DISTRIBUTION_WEIBULL,
        [HC_FIT_GAMMA] = HC_DISTRIBUTION_GAMMA,
        [HC_FIT_LOGNORMAL] = HC_DISTRIBUTION_LOGNORMAL,
    };
    bool has_shape = family != HC_FIT_EXPONENTIAL;
    return (struct hc_distribution){
        .kind = (int32_t)kinds[family], .scale = fit->scale, .shape = has_shape ? fit->shape : 0};
}

bool hc_bind_fitted_times(struct hc_key_binder *b, const struct hc_node *node,
                          struct hc_distribution *to)
{
    struct hc_survival survival;
    struct hc_fits fits;
    if (!take_times(b, node, &survival))
        return false;
    enum hc_status status = hc_fit_survival(&fits, &survival, b->err);
    hc_survival_fini(&survival);
    if (status)
        return hc_binder_passes(b, "", status);
    const struct hc_node *family = hc_node_member(node, "family");
    int which = fits.best;
    for (int i = 0; family && i < HC_N_FIT_FAMILIES; i++)
        if (strcmp(family->text, hc_fit_family_name((enum hc_fit_family)i)) == 0)
            which = i;
    if (fits.fit[which].lacks) {
        hc_fail(b->err, HC_BAD_INPUT, "'%s' cannot be fitted: %s", family->text,
                fits.fit[which].lacks);
        return hc_binder_passes(b, "", HC_BAD_INPUT);
    }
    *to = fitted((enum hc_fit_family)which, &fits.fit[which]);
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
