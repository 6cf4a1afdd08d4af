#include "study/grammar/scenario_schema.h"

#include "study/grammar/scenario_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_members(struct hc_json_writer *json, const struct hc_scenario_key *table);
static void put_section(struct hc_json_writer *json, const struct hc_scenario_key *table);

static void put_type(struct hc_json_writer *json, const char *type)
{
    hc_json_text(json, "type", type);
}

static void put_limits(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    hc_json_real(json, key->is_above ? "exclusiveMinimum" : "minimum", key->low);
    if (key->high != 0)
        hc_json_real(json, "maximum", key->high);
}

/* Of a duration that is a number, beside what all durations are; objects go by their own. */
static void put_drawn_limits(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    if (key->low != 0)
        hc_json_real(json, "minimum", key->low);
    if (key->high != 0)
        hc_json_real(json, "maximum", key->high);
}

static void put_choices(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    hc_json_array_line(json, "enum");
    for (const char *const *choice = key->choices; *choice; choice++)
        hc_json_text(json, NULL, *choice);
    hc_json_end(json);
}

static void put_ref(struct hc_json_writer *json, const char *name)
{
    char text[64];
    snprintf(text, sizeof text, "#/$defs/%s", name);
    hc_json_text(json, "$ref", text);
}

static void put_array_of(struct hc_json_writer *json, const char *ref)
{
    put_type(json, "array");
    hc_json_i32(json, "minItems", 1);
    if (!ref)
        return;
    hc_json_object_line(json, "items");
    put_ref(json, ref);
    hc_json_end(json);
}

static void put_choices_array(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    if (key->takes_one) {
        hc_json_array(json, "oneOf");
        hc_json_object(json, NULL);
        put_choices(json, key);
        hc_json_end(json);
        hc_json_object(json, NULL);
    }
    put_array_of(json, NULL);
    hc_json_i32(json, "maxItems", (int32_t)key->most);
    hc_json_object(json, "items");
    put_choices(json, key);
    hc_json_end(json);
    if (key->takes_one) {
        hc_json_end(json);
        hc_json_end(json);
    }
}

static void put_choice(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    if (!key->members) {
        put_choices(json, key);
        return;
    }
    hc_json_array(json, "oneOf");
    hc_json_object(json, NULL);
    put_choices(json, key);
    hc_json_end(json);
    hc_json_object(json, NULL);
    put_members(json, key->members);
    hc_json_end(json);
    hc_json_end(json);
}

/* A number, or a text of ranges or a word, which the program looks at more closely. */
static void put_ranges(struct hc_json_writer *json)
{
    hc_json_array_line(json, "type");
    hc_json_text(json, NULL, "integer");
    hc_json_text(json, NULL, "string");
    hc_json_end(json);
}

static void put_number(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    bool has_interval = key->kind == HC_KEY_NUMBER && (key->is_bound || key->takes_interval);
    bool is_either = key->members || has_interval;
    if (is_either) {
        hc_json_array(json, "oneOf");
        hc_json_object(json, NULL);
    }
    put_type(json, key->kind == HC_KEY_COUNT ? "integer" : "number");
    put_limits(json, key);
    if (!is_either)
        return;
    hc_json_end(json);
    if (has_interval) {
        hc_json_object_line(json, NULL);
        put_ref(json, "interval");
        hc_json_end(json);
    }
    if (key->members) {
        hc_json_object(json, NULL);
        put_members(json, key->members);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void put_map(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    put_type(json, "object");
    if (key->most)
        hc_json_i32(json, "maxProperties", (int32_t)key->most);
    if (!key->members || key->is_overlay)
        return;
    hc_json_object(json, "additionalProperties");
    if (key->list_of) {
        hc_json_array(json, "oneOf");
        hc_json_object(json, NULL);
        put_array_of(json, "text");
        hc_json_end(json);
        hc_json_object(json, NULL);
    }
    put_section(json, key->members);
    if (key->list_of) {
        hc_json_end(json);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void put_list(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    put_array_of(json, NULL);
    hc_json_object(json, "items");
    if (key->is_again)
        put_type(json, "object");
    else
        put_members(json, key->members);
    hc_json_end(json);
}

static void put_kind(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    switch (key->kind) {
    case HC_KEY_BOOL:
        put_type(json, "boolean");
        return;
    case HC_KEY_COUNT:
    case HC_KEY_NUMBER:
        put_number(json, key);
        return;
    case HC_KEY_DURATION:
        put_ref(json, "duration");
        put_drawn_limits(json, key);
        return;
    case HC_KEY_CHOICE:
        put_choice(json, key);
        return;
    case HC_KEY_CHOICES:
        put_choices_array(json, key);
        return;
    case HC_KEY_RANGES:
        put_ranges(json);
        return;
    case HC_KEY_OBJECT:
        if (key->is_overlay || key->is_again)
            put_type(json, "object");
        else
            put_section(json, key->members);
        return;
    case HC_KEY_NAMED:
    case HC_KEY_BY_POINTER:
    case HC_KEY_SETTINGS:
        put_map(json, key);
        return;
    case HC_KEY_LIST:
        put_list(json, key);
        return;
    case HC_KEY_FILES:
        put_ref(json, "files");
        return;
    case HC_KEY_FIGURE:
        put_ref(json, "figure");
        return;
    case HC_KEY_POINTER:
        put_ref(json, "pointer");
        return;
    case HC_KEY_FIGURES:
        put_array_of(json, "figure");
        return;
    case HC_KEY_POINTERS:
        put_array_of(json, "pointer");
        return;
    case HC_KEY_TEXTS:
        put_array_of(json, "text");
        return;
    case HC_KEY_VALUES:
        put_array_of(json, NULL);
        return;
    case HC_KEY_TEXT:
    case HC_KEY_CONDITION:
        put_ref(json, "text");
        return;
    }
}

/* The default, which the table has as JSON: a text, a number or a truth value. */
static void put_default(struct hc_json_writer *json, const char *value)
{
    char text[128], *end = NULL;
    double number = value ? strtod(value, &end) : 0;
    if (!value)
        return;
    if (*value == '"' && snprintf(text, sizeof text, "%s", value + 1) < (int)sizeof text) {
        text[strcspn(text, "\"")] = '\0';
        hc_json_text(json, "default", text);
    } else if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        hc_json_bool(json, "default", *value == 't');
    } else if (end != value && !*end) {
        hc_json_real(json, "default", number);
    }
}

/* The text of a help: what is for Markdown stays readable here. */
static void put_key(struct hc_json_writer *json, const struct hc_scenario_key *key)
{
    char text[384];
    snprintf(text, sizeof text, "%s%s%s%s", key->help, key->unit ? " Unit: " : "",
             key->unit ? key->unit : "", key->unit ? "." : "");
    hc_json_object(json, key->name);
    hc_json_text(json, "description", text);
    put_default(json, key->value);
    put_kind(json, key);
    hc_json_end(json);
}

/* A section that may be laid over that of an included file, which then has what is required: so the
 * schema asks for nothing, and 'scenario check' finds what is missing in the end. */
static void put_section(struct hc_json_writer *json, const struct hc_scenario_key *table)
{
    put_type(json, "object");
    hc_json_object(json, "properties");
    for (const struct hc_scenario_key *key = table; key->name; key++)
        put_key(json, key);
    hc_json_end(json);
    hc_json_bool(json, "additionalProperties", false);
}

/* Members that stand together or not at all. */
static void put_members(struct hc_json_writer *json, const struct hc_scenario_key *table)
{
    bool is_any = false;
    put_section(json, table);
    for (const struct hc_scenario_key *key = table; key->name; key++)
        is_any = is_any || key->is_required;
    if (is_any) {
        hc_json_array_line(json, "required");
        for (const struct hc_scenario_key *key = table; key->name; key++)
            if (key->is_required)
                hc_json_text(json, NULL, key->name);
        hc_json_end(json);
    }
}

static void put_text_def(struct hc_json_writer *json)
{
    hc_json_object_line(json, "text");
    put_type(json, "string");
    hc_json_i32(json, "minLength", 1);
    hc_json_end(json);
    hc_json_object_line(json, "pointer");
    put_type(json, "string");
    hc_json_text(json, "pattern", "^(/([^~]|~[01])*)+$");
    hc_json_end(json);
    hc_json_object(json, "files");
    hc_json_array(json, "oneOf");
    hc_json_object_line(json, NULL);
    put_ref(json, "text");
    hc_json_end(json);
    hc_json_object(json, NULL);
    put_array_of(json, "text");
    hc_json_end(json);
    hc_json_end(json);
    hc_json_end(json);
}

static void put_figure_def(struct hc_json_writer *json, const struct hc_engine *engine)
{
    hc_json_object(json, "figure");
    hc_json_array(json, "anyOf");
    hc_json_object(json, NULL);
    hc_json_array_line(json, "enum");
    const struct hc_engine_figure *figure = NULL;
    for (size_t i = 0; (figure = hc_engine_nth_figure(engine, i)); i++)
        hc_json_text(json, NULL, figure->name);
    for (size_t i = 0; engine->tables && engine->tables[i]; i++)
        hc_json_text(json, NULL, engine->tables[i]);
    hc_json_end(json);
    hc_json_end(json);
    /* Quantiles of them. */
    hc_json_object_line(json, NULL);
    put_type(json, "string");
    hc_json_text(json, "pattern", "^[a-z0-9_]+\\.p(0[1-9]|[1-9][0-9])$");
    hc_json_end(json);
    hc_json_end(json);
    hc_json_end(json);
}

static void put_interval_def(struct hc_json_writer *json)
{
    static const char *const names[] = {"mean", "low", "high"};
    hc_json_object(json, "interval");
    put_type(json, "object");
    hc_json_object(json, "properties");
    for (size_t i = 0; i < 3; i++) {
        hc_json_object_line(json, names[i]);
        put_type(json, "number");
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_array_line(json, "required");
    for (size_t i = 0; i < 3; i++)
        hc_json_text(json, NULL, names[i]);
    hc_json_end(json);
    hc_json_bool(json, "additionalProperties", false);
    hc_json_end(json);
}

static void put_duration_def(struct hc_json_writer *json)
{
    hc_json_object(json, "duration");
    hc_json_array(json, "oneOf");
    hc_json_object_line(json, NULL);
    put_type(json, "number");
    hc_json_i32(json, "minimum", 0);
    hc_json_end(json);
    hc_json_object_line(json, NULL);
    put_ref(json, "interval");
    hc_json_end(json);
    hc_json_object(json, NULL);
    put_members(json, hc_distribution_keys);
    hc_json_i32(json, "minProperties", 1);
    hc_json_i32(json, "maxProperties", 1);
    hc_json_end(json);
    hc_json_end(json);
    hc_json_end(json);
}

void hc_scenario_write_schema(struct hc_json_writer *json, const struct hc_engine *const *engines,
                              const struct hc_engine *engine)
{
    struct hc_scenario_top top;
    hc_scenario_top(&top, engines, engine);
    hc_json_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    /* An identity, and no address: validators want an absolute one. */
    char id[128];
    snprintf(id, sizeof id, "https://hindcast.example/" HC_SCENARIO_SCHEMA "/%s", engine->name);
    hc_json_text(json, "$id", id);
    hc_json_text(json, "title", "A scenario file of hindcast");
    put_type(json, "object");
    hc_json_object(json, "properties");
    hc_json_object_line(json, "$schema");
    hc_json_text(json, "description", "For editors: where this schema is. It is passed over.");
    put_type(json, "string");
    hc_json_end(json);
    for (const struct hc_scenario_key *key = top.keys; key->name; key++)
        put_key(json, key);
    hc_json_end(json);
    hc_json_bool(json, "additionalProperties", false);
    hc_json_array_line(json, "required");
    hc_json_text(json, NULL, "schema");
    hc_json_end(json);
    hc_json_object(json, "$defs");
    put_text_def(json);
    put_figure_def(json, engine);
    put_interval_def(json);
    put_duration_def(json);
    hc_json_end(json);
}
