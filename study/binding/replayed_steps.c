/* Step times out of another scenario, which was run before (study/grammar/data_provider.h). */
#include "study/binding/recorded_data.h"

#include "core/base/select.h"
#include "study/grammar/data_provider.h"

#include <string.h>

static const char *text_of(const struct hc_node *node, const char *name, const char *otherwise)
{
    const struct hc_node *text = hc_node_member(node, name);
    return text ? text->text : otherwise;
}

static const struct hc_source_steps *find_variant(const struct hc_data_source *source,
                                                  const char *name)
{
    const struct hc_source_steps *of = source->variants;
    while (of && strcmp(of->variant, name) != 0)
        of = of->next;
    return of;
}

static bool refuse_variant(struct hc_key_binder *b, const struct hc_data_source *source,
                           const char *name)
{
    const char *names[HC_MOST_KEYS];
    size_t n = 0;
    for (const struct hc_source_steps *of = source->variants; of && n < HC_MOST_KEYS; of = of->next)
        names[n++] = of->variant;
    hc_path_add(&b->path, "variant");
    hc_refuse(b->refusal, b->path.text, "'%s' has no variant '%s'%s", source->name, name,
              hc_did_you_mean(name, names, n).text);
    return hc_binder_fails(b, HC_BAD_INPUT);
}

/* A step time is the only time that a replay of steps tells. */
static bool is_step_time(const char *path)
{
    const char *end = strstr(path, "/step_s/replay");
    return end && strcmp(end, "/step_s/replay") == 0;
}

bool hc_bind_replayed_steps(struct hc_key_binder *b, const struct hc_node *node,
                            struct hc_distribution *to)
{
    const struct hc_node *file = hc_node_member(node, "scenario"),
                         *scale = hc_node_member(node, "scale_measured");
    const struct hc_data_source *source = file->source;
    const char *name = text_of(node, "variant", "base");
    if (!is_step_time(b->path.text)) {
        hc_refuse(b->refusal, b->path.text, "a replay of steps tells the time of a step, no other");
        return hc_binder_fails(b, HC_BAD_INPUT);
    }
    const struct hc_source_steps *of = find_variant(source, name);
    if (!of)
        return refuse_variant(b, source, name);
    double *value = hc_arena_new(b->arena, of->n * sizeof *value, b->err);
    for (size_t i = 0; value && i < of->n; i++)
        value[i] = !scale || scale->truth ? of->traced_s[i] * (of->edited_s[i] / of->untouched_s[i])
                                          : of->edited_s[i];
    if (!value)
        return hc_binder_fails(b, HC_INTERNAL);
    hc_sort(value, of->n);
    *to = (struct hc_distribution){
        .kind = HC_DISTRIBUTION_EMPIRICAL, .scale = 1, .value = value, .n_values = of->n};
    return true;
}
