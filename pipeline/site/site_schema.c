#include "pipeline/site/site_schema.h"

#include "pipeline/site/site_file.h"
#include "pipeline/site/site_keys.h"

#include <string.h>

static void put_object(struct hc_json_writer *json, const struct hc_site_key *keys);

static void put_text(struct hc_json_writer *json)
{
    hc_json_text(json, "type", "string");
    hc_json_i32(json, "minLength", 1);
}

static void put_texts(struct hc_json_writer *json)
{
    hc_json_array(json, "anyOf");
    hc_json_object_line(json, NULL);
    put_text(json);
    hc_json_end(json);
    hc_json_object(json, NULL);
    hc_json_text(json, "type", "array");
    hc_json_i32(json, "minItems", 1);
    hc_json_object_line(json, "items");
    hc_json_text(json, "type", "string");
    hc_json_end(json);
    hc_json_end(json);
    hc_json_end(json);
}

static void put_choices(struct hc_json_writer *json, const char *const *choices)
{
    hc_json_array_line(json, "enum");
    for (; *choices; choices++)
        hc_json_text(json, NULL, *choices);
    hc_json_end(json);
}

static void put_number(struct hc_json_writer *json, bool is_whole)
{
    hc_json_text(json, "type", is_whole ? "integer" : "number");
    hc_json_i32(json, "exclusiveMinimum", 0);
}

/* What each value of an object of any names is. */
static void put_named(struct hc_json_writer *json, const struct hc_site_key *key)
{
    hc_json_text(json, "type", "object");
    hc_json_object(json, "additionalProperties");
    if (key->kind == HC_SITE_SETS) {
        put_texts(json);
    } else if (key->kind == HC_SITE_WORDS) {
        hc_json_text(json, "type", "string");
    } else if (key->kind == HC_SITE_NAMED) {
        put_object(json, key->members);
    } else {
        hc_json_array(json, "anyOf");
        hc_json_object_line(json, NULL);
        put_text(json);
        hc_json_end(json);
        hc_json_object(json, NULL);
        put_object(json, key->members);
        hc_json_end(json);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void put_key(struct hc_json_writer *json, const struct hc_site_key *key)
{
    hc_json_object(json, key->name);
    hc_json_text(json, "description", key->help);
    switch (key->kind) {
    case HC_SITE_TEXT:
        put_text(json);
        if (key->choices)
            put_choices(json, key->choices);
        break;
    case HC_SITE_TEXTS:
        put_texts(json);
        break;
    case HC_SITE_NUMBER:
    case HC_SITE_COUNT:
        put_number(json, key->kind == HC_SITE_COUNT);
        break;
    case HC_SITE_OBJECT:
        put_object(json, key->members);
        break;
    case HC_SITE_LIST:
        hc_json_text(json, "type", "array");
        hc_json_i32(json, "minItems", 1);
        hc_json_object(json, "items");
        put_object(json, key->members);
        hc_json_end(json);
        break;
    default:
        put_named(json, key);
    }
    hc_json_end(json);
}

static void put_object(struct hc_json_writer *json, const struct hc_site_key *keys)
{
    hc_json_text(json, "type", "object");
    hc_json_object(json, "properties");
    for (const struct hc_site_key *key = keys; key->name; key++)
        put_key(json, key);
    hc_json_end(json);
    hc_json_array_line(json, "required");
    for (const struct hc_site_key *key = keys; key->name; key++)
        if (key->is_required)
            hc_json_text(json, NULL, key->name);
    hc_json_end(json);
    hc_json_bool(json, "additionalProperties", false);
}

void hc_site_schema_write(struct hc_json_writer *json)
{
    hc_json_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    hc_json_text(json, "$id", "https://hindcast.example/" HC_SITE_SCHEMA);
    hc_json_text(json, "title", "Site file of hindcast");
    put_object(json, hc_site_keys);
}
