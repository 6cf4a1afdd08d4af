#include "study/grammar/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct hc_engine_figure interaction = {
    .name = "interaction",
    .help = "what variants bring together beyond the sum of each",
    .unit = ""};

enum hc_status hc_refuse(struct hc_refusal *refusal, const char *pointer, const char *format, ...)
{
    va_list list;
    snprintf(refusal->pointer, sizeof refusal->pointer, "%s", pointer);
    va_start(list, format);
    vsnprintf(refusal->sentence, sizeof refusal->sentence, format, list);
    va_end(list);
    return HC_BAD_INPUT;
}

const struct hc_engine *hc_engine_find(const struct hc_engine *const *engines, const char *name)
{
    for (; *engines; engines++)
        if (strcmp((*engines)->name, name) == 0)
            return *engines;
    return NULL;
}

const struct hc_engine_figure *hc_engine_nth_figure(const struct hc_engine *engine, size_t i)
{
    size_t n = 0;
    while (engine->figures[n].name)
        n++;
    return i < n ? &engine->figures[i] : i == n ? &interaction : NULL;
}

const struct hc_engine_figure *hc_engine_figure(const struct hc_engine *engine, const char *name,
                                                size_t length)
{
    const struct hc_engine_figure *figure = NULL;
    for (size_t i = 0; (figure = hc_engine_nth_figure(engine, i)); i++)
        if (strlen(figure->name) == length && memcmp(figure->name, name, length) == 0)
            return figure;
    return NULL;
}

void hc_scenario_top(struct hc_scenario_top *top, const struct hc_engine *const *engines,
                     const struct hc_engine *engine)
{
    size_t n = 0, n_kinds = 0;
    for (; engines[n_kinds] && n_kinds + 1 < HC_MOST_KEYS; n_kinds++)
        top->kinds[n_kinds] = engines[n_kinds]->name;
    top->kinds[n_kinds] = NULL;
    for (const struct hc_scenario_key *key = hc_scenario_keys; key->name; key++) {
        top->keys[n] = *key;
        if (strcmp(key->name, "kind") == 0)
            top->keys[n].choices = top->kinds;
        n++;
    }
    for (const struct hc_scenario_key *key = engine->keys; key->name && n + 1 < HC_MOST_KEYS;
         key++) {
        top->keys[n] = *key;
        top->keys[n++].is_engine = true;
    }
    top->keys[n] = (struct hc_scenario_key){.name = NULL};
}
