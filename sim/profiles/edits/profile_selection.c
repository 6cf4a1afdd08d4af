#include "sim/profiles/edits/profile_selection.h"

#include "core/base/memory.h"
#include "core/random/stable_rows.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct hc_profile_selection {
    const struct hc_selector *selector;
    const struct hc_profile_base *base;
    const struct hc_edit_draws *draws;
    uint8_t *is_named; /* [names of events]; NULL: any */
    size_t n_names;
    struct hc_profile_selection **all, **any, *none; /* as those of the selector */
};

/* ---- random numbers ---- */

double hc_profile_uniform(const struct hc_edit_draws *draws, uint32_t stream, enum hc_drawn_per per,
                          const struct hc_profile_work *work)
{
    bool by_step = per == HC_PER_OP || per == HC_PER_STEP || per == HC_PER_WORKER_STEP;
    bool by_rank = per == HC_PER_OP || per == HC_PER_WORKER || per == HC_PER_WORKER_STEP;
    uint64_t of_work = per == HC_PER_OP ? work->place + 1 : 0;
    uint64_t block = (by_rank ? (uint64_t)(uint32_t)work->rank + 1 : 0) << 32 |
                     (by_step ? (uint64_t)(uint32_t)work->step + 1 : 0);
    double drawn[2];
    hc_philox_rows(hc_edit_seed(draws, stream), of_work, &block, 1, drawn);
    return drawn[0];
}

/* ---- made ready ---- */

static bool is_meant(const struct hc_selector *selector, const char *name)
{
    for (size_t i = 0; i < selector->n_names; i++)
        if (fnmatch(selector->names[i], name, 0) == 0)
            return true;
    return false;
}

static enum hc_status look_up_names(struct hc_profile_selection *s, struct hc_error *err)
{
    const struct hc_text_set *names = hc_profile_dictionary(s->base->profile, "event");
    if (!s->selector->n_names)
        return HC_OK;
    s->n_names = names ? names->n : 0;
    s->is_named = hc_new_array(s->n_names + 1, sizeof *s->is_named, err);
    if (!s->is_named)
        return err->status;
    for (size_t i = 0; i < s->n_names; i++)
        s->is_named[i] = is_meant(s->selector, names->text[i]);
    return HC_OK;
}

static struct hc_profile_selection **new_list(const struct hc_profile_selection *s, size_t n,
                                              const struct hc_selector *list, struct hc_error *err)
{
    struct hc_profile_selection **made =
        hc_new_array(n + 1, sizeof(struct hc_profile_selection *), err);
    for (size_t i = 0; made && i < n; i++)
        if (hc_profile_selection_new(&made[i], &list[i], s->base, s->draws, err))
            break;
    return made;
}

static enum hc_status make_lists(struct hc_profile_selection *s, struct hc_error *err)
{
    const struct hc_selector *of = s->selector;
    if ((of->n_all && !(s->all = new_list(s, of->n_all, of->all, err))) ||
        (of->n_any && !(s->any = new_list(s, of->n_any, of->any, err))) || err->status)
        return err->status;
    return of->none ? hc_profile_selection_new(&s->none, of->none, s->base, s->draws, err) : HC_OK;
}

enum hc_status hc_profile_selection_new(struct hc_profile_selection **selection,
                                        const struct hc_selector *selector,
                                        const struct hc_profile_base *base,
                                        const struct hc_edit_draws *draws, struct hc_error *err)
{
    struct hc_profile_selection *s = hc_new_array(1, sizeof *s, err);
    *selection = s;
    if (!s)
        return err->status;
    *s = (struct hc_profile_selection){.selector = selector, .base = base, .draws = draws};
    err->status = HC_OK;
    return look_up_names(s, err) ? err->status : make_lists(s, err);
}

static void free_list(struct hc_profile_selection **list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        hc_profile_selection_free(list[i]);
    free(list);
}

void hc_profile_selection_free(struct hc_profile_selection *s)
{
    if (!s)
        return;
    free_list(s->all, s->selector->n_all);
    free_list(s->any, s->selector->n_any);
    hc_profile_selection_free(s->none);
    free(s->is_named);
    free(s);
}

/* ---- asked ---- */

static bool is_on_node(const struct hc_profile_selection *s, const struct hc_profile_work *work)
{
    const struct hc_selector *of = s->selector;
    const char *host = s->base->has_hosts ? s->base->hosts[work->rank_index] : NULL;
    for (size_t i = 0; host && i < of->n_nodes; i++)
        if (strcmp(of->nodes[i], host) == 0)
            return true;
    return of->n_nodes == 0;
}

static bool has_name(const struct hc_profile_selection *s, int32_t name)
{
    return !s->selector->n_names || (name >= 0 && (size_t)name < s->n_names && s->is_named[name]);
}

static bool holds_alone(const struct hc_profile_selection *s, const struct hc_profile_work *work)
{
    const struct hc_selector *of = s->selector;
    return (!of->op_types || of->op_types >> work->op & 1) &&
           hc_step_ranges_include(&of->ranks, work->rank) &&
           hc_step_ranges_include(&of->steps, work->step) && has_name(s, work->name) &&
           is_on_node(s, work) &&
           (!of->is_random ||
            hc_profile_uniform(s->draws, of->stream, (enum hc_drawn_per)of->drawn_per, work) <
                of->probability);
}

bool hc_profile_selects(const struct hc_profile_selection *s, const struct hc_profile_work *work)
{
    const struct hc_selector *of = s->selector;
    bool is_any = of->n_any == 0;
    if (!holds_alone(s, work))
        return false;
    for (size_t i = 0; i < of->n_all; i++)
        if (!hc_profile_selects(s->all[i], work))
            return false;
    for (size_t i = 0; i < of->n_any && !is_any; i++)
        is_any = hc_profile_selects(s->any[i], work);
    return is_any && !(s->none && hc_profile_selects(s->none, work));
}
