#include "parsers/steps/metadata_yaml.h"

#include "core/base/memory.h"
#include "core/base/printable.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

struct hc_yaml {
    const struct hc_yaml_text *text;
    yaml_parser_t parser;
    yaml_event_t event; /* the one that the last token points into */
    bool event_there;
    int depth;
};

enum hc_status hc_yaml_open(struct hc_yaml **yaml, const struct hc_yaml_text *text,
                            struct hc_error *err)
{
    *yaml = hc_new_array(1, sizeof **yaml, err);
    if (!*yaml)
        return err->status;
    (*yaml)->text = text;
    if (!yaml_parser_initialize(&(*yaml)->parser)) {
        free(*yaml);
        *yaml = NULL;
        return hc_fail_memory(err, sizeof **yaml);
    }
    yaml_parser_set_input_string(&(*yaml)->parser, (const unsigned char *)text->bytes,
                                 text->length);
    return HC_OK;
}

static void drop_event(struct hc_yaml *yaml)
{
    if (yaml->event_there)
        yaml_event_delete(&yaml->event);
    yaml->event_there = false;
}

void hc_yaml_close(struct hc_yaml *yaml)
{
    if (!yaml)
        return;
    drop_event(yaml);
    yaml_parser_delete(&yaml->parser);
    free(yaml);
}

static enum hc_status malformed(struct hc_yaml *yaml, struct hc_error *err)
{
    const yaml_parser_t *parser = &yaml->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return hc_fail_memory(err, yaml->text->length);
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    if (parser->error == YAML_READER_ERROR)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %zu: this is no YAML text: %s",
                       yaml->text->name, parser->problem_offset, problem);
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %zu: malformed YAML: %s", yaml->text->name,
                   parser->problem_mark.line + 1, problem);
}

static enum hc_status next_event(struct hc_yaml *yaml, struct hc_error *err)
{
    drop_event(yaml);
    if (!yaml_parser_parse(&yaml->parser, &yaml->event))
        return malformed(yaml, err);
    yaml->event_there = true;
    return HC_OK;
}

static bool has_anchor(const yaml_event_t *event)
{
    return event->type == YAML_ALIAS_EVENT ||
           (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.anchor) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor);
}

static enum hc_status take_scalar(const struct hc_yaml *yaml, struct hc_yaml_token *token,
                                  struct hc_error *err)
{
    token->kind = HC_YAML_SCALAR;
    token->text = (const char *)yaml->event.data.scalar.value;
    token->length = yaml->event.data.scalar.length;
    token->plain = yaml->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (!memchr(token->text, '\0', token->length))
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: '%s' holds a NUL character",
                   yaml->text->name, (long long)token->line,
                   hc_printable(token->text, token->length).text);
}

enum hc_status hc_yaml_next(struct hc_yaml *yaml, struct hc_yaml_token *token, struct hc_error *err)
{
    *token = (struct hc_yaml_token){.text = ""};
    do {
        if (next_event(yaml, err))
            return err->status;
    } while (yaml->event.type == YAML_STREAM_START_EVENT ||
             yaml->event.type == YAML_DOCUMENT_START_EVENT);
    token->line = (int64_t)yaml->event.start_mark.line + 1;
    if (has_anchor(&yaml->event))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: anchors and aliases ('&', '*') are not allowed here; "
                       "write the value out, or put it in quotes",
                       yaml->text->name, (long long)token->line);
    switch (yaml->event.type) {
    case YAML_SCALAR_EVENT:
        return take_scalar(yaml, token, err);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        token->kind = yaml->event.type == YAML_MAPPING_START_EVENT ? HC_YAML_MAP : HC_YAML_LIST;
        if (++yaml->depth <= HC_YAML_MAX_DEPTH)
            return HC_OK;
        return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: lists and maps nested deeper than %d",
                       yaml->text->name, (long long)token->line, HC_YAML_MAX_DEPTH);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml->depth--;
        token->kind = HC_YAML_END;
        return HC_OK;
    default:
        token->kind = HC_YAML_NOTHING;
        return HC_OK;
    }
}

enum hc_status hc_yaml_skip_value(struct hc_yaml *yaml, struct hc_error *err)
{
    int outside = yaml->depth;
    struct hc_yaml_token token;
    do {
        if (hc_yaml_next(yaml, &token, err))
            return err->status;
    } while (yaml->depth > outside);
    return HC_OK;
}

enum hc_status hc_yaml_finish(struct hc_yaml *yaml, struct hc_error *err)
{
    do {
        if (next_event(yaml, err))
            return err->status;
    } while (yaml->event.type == YAML_DOCUMENT_END_EVENT);
    if (yaml->event.type == YAML_STREAM_END_EVENT)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %zu: a second document begins; only one is allowed",
                   yaml->text->name, yaml->event.start_mark.line + 1);
}

bool hc_yaml_is_null(const struct hc_yaml_token *token)
{
    return token->kind == HC_YAML_SCALAR && token->plain &&
           (token->length == 0 || strcmp(token->text, "~") == 0 ||
            strcasecmp(token->text, "null") == 0);
}
