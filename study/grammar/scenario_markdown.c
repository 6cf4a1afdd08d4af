/* The table of keys as the page that people read. */
#include "study/grammar/scenario_schema.h"

#include "study/grammar/scenario_keys.h"

#include <string.h>

static const char *kind_words(const struct hc_scenario_key *key)
{
    static const char *const words[] = {
        [HC_KEY_TEXT] = "text",
        [HC_KEY_BOOL] = "true or false",
        [HC_KEY_COUNT] = "whole number",
        [HC_KEY_NUMBER] = "number",
        [HC_KEY_DURATION] = "number or distribution",
        [HC_KEY_CHOICE] = "",
        [HC_KEY_CHOICES] = "array of ",
        [HC_KEY_RANGES] = "number, or text as `0-3,7`",
        [HC_KEY_OBJECT] = "object",
        [HC_KEY_NAMED] = "object by name",
        [HC_KEY_LIST] = "array of objects",
        [HC_KEY_TEXTS] = "array of texts",
        [HC_KEY_FILES] = "file name or array of these",
        [HC_KEY_FIGURE] = "figure",
        [HC_KEY_FIGURES] = "array of figures",
        [HC_KEY_CONDITION] = "condition",
        [HC_KEY_POINTER] = "pointer",
        [HC_KEY_POINTERS] = "array of pointers",
        [HC_KEY_SETTINGS] = "values by pointer",
        [HC_KEY_BY_POINTER] = "objects by pointer",
        [HC_KEY_VALUES] = "array",
    };
    return words[key->kind];
}

static void put_kind(FILE *stream, const struct hc_scenario_key *key)
{
    if (key->takes_one)
        fputs("one or ", stream);
    fputs(kind_words(key), stream);
    if (key->kind == HC_KEY_RANGES && key->choices)
        fputs(", or ", stream);
    for (size_t i = 0; key->choices && key->choices[i]; i++)
        fprintf(stream, "%s`%s`", i ? ", " : "", key->choices[i]);
    if (key->unit)
        fprintf(stream, ", %s", key->unit);
    bool is_number = key->kind == HC_KEY_COUNT || key->kind == HC_KEY_NUMBER;
    if (is_number && key->is_above)
        fprintf(stream, ", above %.15g", key->low);
    else if (is_number && (key->low != 0 || key->high != 0) && key->low > -1e299)
        fprintf(stream, key->high != 0 ? ", %.15g to %.15g" : ", at least %.15g", key->low,
                key->high);
    if (is_number && key->is_above && key->high != 0)
        fprintf(stream, " to %.15g", key->high);
    if (key->list_of)
        fputs(", or array of texts", stream);
    if (key->members && (is_number || key->kind == HC_KEY_CHOICE))
        fputs(", or an object", stream);
}

static void put_default(FILE *stream, const struct hc_scenario_key *table,
                        const struct hc_scenario_key *key)
{
    bool is_needed = key->is_required;
    for (; key->either && table->name; table++)
        if (table->either && strcmp(table->either, key->either) == 0 && table->is_either_needed)
            is_needed = true;
    if (is_needed && key->either)
        fputs("one of these is needed", stream);
    else if (is_needed)
        fputs("**needed**", stream);
    else if (key->value)
        fprintf(stream, "`%s`", key->value);
    else if (key->unset)
        fputs(key->unset, stream);
}

/* "needs `a` or `b` to be `x`" of "a,b=x|y". */
static void put_needs(FILE *stream, const char *needs)
{
    fputs(" Needs `", stream);
    for (; *needs; needs++)
        if (*needs == ',' || *needs == '|')
            fputs("` or `", stream);
        else if (*needs == '=')
            fputs("` to be `", stream);
        else
            putc(*needs, stream);
    fputs("`.", stream);
}

static void put_rows(FILE *stream, const char *pattern, const struct hc_scenario_key *table)
{
    fputs("\n| key | value | default | meaning |\n|---|---|---|---|\n", stream);
    for (const struct hc_scenario_key *key = table; key->name; key++) {
        fprintf(stream, "| `%s/%s` | ", pattern, key->name);
        put_kind(stream, key);
        fputs(" | ", stream);
        put_default(stream, table, key);
        fprintf(stream, " | %s", key->help);
        if (key->needs)
            put_needs(stream, key->needs);
        fputs(" |\n", stream);
    }
}

static void put_tables(FILE *stream, const char *pattern, const struct hc_scenario_key *table)
{
    char within[HC_POINTER_SIZE];
    put_rows(stream, pattern, table);
    for (const struct hc_scenario_key *key = table; key->name; key++) {
        if (!key->members || key->is_overlay || key->is_again)
            continue;
        const char *name = key->kind == HC_KEY_NAMED        ? "/<name>"
                           : key->kind == HC_KEY_LIST       ? "/<index>"
                           : key->kind == HC_KEY_BY_POINTER ? "/<pointer>"
                                                            : "";
        snprintf(within, sizeof within, "%s/%s%s", pattern, key->name, name);
        if (!*pattern)
            fprintf(stream, "\n### %s\n", key->name);
        put_tables(stream, within, key->members);
    }
}

static void put_figure(FILE *stream, const struct hc_engine_figure *figure)
{
    static const char *const compared[] = {[HC_COMPARED_WHEN_ASKED] = "",
                                           [HC_COMPARED_BY_DEFAULT] = "; compared by default",
                                           [HC_COMPARED_ALWAYS] = "; always compared"};
    fprintf(stream, "| `%s` | %s | %s%s%s |\n", figure->name, figure->unit, figure->help,
            compared[figure->places.compared], figure->has_interval ? "" : " (no interval)");
}

void hc_scenario_write_markdown(FILE *stream, const struct hc_engine *const *engines,
                                const struct hc_engine *engine)
{
    const struct hc_engine_figure *figure = NULL;
    struct hc_scenario_top top;
    hc_scenario_top(&top, engines, engine);
    fputs("## Keys\n", stream);
    put_tables(stream, "", top.keys);
    fputs("\n## Distributions\n", stream);
    for (const struct hc_scenario_key *key = hc_distribution_keys; key->name; key++) {
        fprintf(stream, "\n### %s\n\n%s\n", key->name, key->help);
        put_rows(stream, key->name, key->members);
    }
    fputs("\n## Figures\n\n| figure | unit | meaning |\n|---|---|---|\n", stream);
    for (size_t i = 0; (figure = hc_engine_nth_figure(engine, i)); i++)
        put_figure(stream, figure);
}
