#include "pipeline/records/scenario_records.h"

#include "core/base/memory.h"
#include "core/text/text_stream.h"

#include <stdlib.h>

/* ---- check ---- */

static const struct hc_checked_scenario *checked(const struct hc_item *at)
{
    return at->record;
}

HC_GIVES_TEXT(path_of, checked(at)->scenario->path)
HC_GIVES(bool, is_ok, checked(at)->scenario->errors.n == 0)
HC_GIVES_TEXT(question_of, checked(at)->study->question)

/* Whether there is a scenario of an engine, so that something can be asked of it. */
HC_GIVES(bool, is_known, checked(at)->scenario->root && !checked(at)->scenario->is_other)
HC_GIVES(int64_t, variants_of, is_known(at) ? (int64_t)checked(at)->study->n_variants : 0)
HC_GIVES(int64_t, points_of, is_known(at) ? (int64_t)checked(at)->study->n_points : 0)
HC_GIVES(bool, is_find_asked, checked(at)->study->find.is_asked)
HC_GIVES(int64_t, errors_left_out, (int64_t)checked(at)->scenario->errors.n_more)
HC_GIVES(size_t, count_errors, checked(at)->scenario->errors.n)
HC_GIVES_ITEM(error_at, &checked(at)->scenario->errors.error[i])

#define ERROR(...) HC_FIELD(struct hc_scenario_error, __VA_ARGS__)
static const struct hc_field error_fields[] = {
    ERROR("file", place.file, "", "that the value stands in, or the option that it was given by"),
    ERROR("line", place.line, "", "from 1; 0: of an option of the command line"),
    ERROR("column", place.column, "", "in bytes, from 1"),
    ERROR("pointer", pointer, "", "JSON pointer of the value"),
    ERROR("variant", variant, "", "in which it is wrong; null: without any"),
    ERROR("message", what, "", "what is wrong, and what to do"),
};
static const struct hc_record_def error = HC_RECORD(NULL, error_fields);

static const struct hc_field checked_fields[] = {
    HC_TEXT_OF("path", path_of, "as given"),
    HC_BOOL_OF("ok", is_ok, "nothing is wrong with it"),
    HC_TEXT_OF("question", question_of, "that the scenario asks"),
    HC_INTEGER_OF("variants", variants_of, "", "with the base"),
    HC_INTEGER_OF("points", points_of, "", "of its sweeps"),
    HC_BOOL_OF("find", is_find_asked, "it looks for a value"),
    HC_INTEGER_OF("errors_left_out", errors_left_out, "", "found beyond those listed"),
    HC_LIST_OF("errors", count_errors, error_at, &error, "at most 20"),
};
const struct hc_record_def hc_checked_scenario_record = HC_RECORD(NULL, checked_fields);

/* ---- show ---- */

HC_GIVES_TEXT(file_of, HC_OF(struct hc_shown_value, at)->place->file)
HC_GIVES(int64_t, line_of, HC_OF(struct hc_shown_value, at)->place->line)
HC_GIVES(int64_t, column_of, HC_OF(struct hc_shown_value, at)->place->column)

#define VALUE(...) HC_FIELD(struct hc_shown_value, __VA_ARGS__)
static const struct hc_field value_fields[] = {
    VALUE("pointer", pointer, "", "JSON pointer of the value"),
    VALUE("value", text, "", "as JSON text"),
    HC_TEXT_OF("file", file_of, "that it comes from"),
    HC_INTEGER_OF("line", line_of, "", "from 1; 0: of an option of the command line"),
    HC_INTEGER_OF("column", column_of, "", "in bytes, from 1"),
};
static const struct hc_record_def value = HC_RECORD(NULL, value_fields);

#define SHOWN(...) HC_FIELD(struct hc_shown_scenario, __VA_ARGS__)
static const struct hc_field shown_fields[] = {
    SHOWN("path", path, "", "as given"),
    SHOWN("variant", variant, "", "that is applied"),
    HC_LIST(struct hc_shown_scenario, "values", value, n_values, &value,
            "in the order of the file"),
};
const struct hc_record_def hc_shown_scenario_record = HC_RECORD(NULL, shown_fields);

/* ---- its values ---- */

static bool is_one_value(const struct hc_node *node)
{
    bool is_list =
        node->type == HC_NODE_ARRAY && node->first && node->first->type == HC_NODE_OBJECT;
    return !is_list && (node->type != HC_NODE_OBJECT || !node->first);
}

static char *text_of(const struct hc_node *node, struct hc_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = hc_text_stream(&text, &size, err);
    if (!stream)
        return NULL;
    hc_node_write_line(stream, node);
    hc_text_stream_end(stream, &text, HC_OK, err);
    return text;
}

static enum hc_status add_value(struct hc_shown_scenario *shown, const struct hc_node *node,
                                const struct hc_path *path, struct hc_error *err)
{
    if (hc_reserve(&shown->value, &shown->capacity, shown->n_values + 1, sizeof *shown->value, err))
        return err->status;
    struct hc_shown_value *to = &shown->value[shown->n_values++];
    *to = (struct hc_shown_value){.pointer = hc_copy_text(path->text, err), .place = &node->place};
    to->text = to->pointer ? text_of(node, err) : NULL;
    return to->text ? HC_OK : err->status;
}

static enum hc_status add_values(struct hc_shown_scenario *shown, const struct hc_node *node,
                                 struct hc_path *path, struct hc_error *err)
{
    if (is_one_value(node))
        return add_value(shown, node, path, err);
    size_t i = 0;
    for (const struct hc_node *child = node->first; child; child = child->next, i++) {
        size_t before = child->key ? hc_path_add(path, child->key) : hc_path_add_index(path, i);
        if (add_values(shown, child, path, err))
            return err->status;
        hc_path_back(path, before);
    }
    return HC_OK;
}

enum hc_status hc_shown_scenario_fill(struct hc_shown_scenario *shown, const struct hc_node *root,
                                      struct hc_error *err)
{
    struct hc_path path = {.length = 0};
    return add_values(shown, root, &path, err);
}

void hc_shown_scenario_fini(struct hc_shown_scenario *shown)
{
    for (size_t i = 0; i < shown->n_values; i++) {
        free(shown->value[i].pointer);
        free(shown->value[i].text);
    }
    free(shown->value);
}
