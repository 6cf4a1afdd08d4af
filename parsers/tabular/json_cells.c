#include "parsers/tabular/json_cells.h"

#include "core/base/memory.h"
#include "core/text/number_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PATH  512
#define MOST_DEPTH 8 /* of objects and arrays within the row; what is deeper is passed over */

/* Where in the row the reader is. */
struct place {
    char path[MOST_PATH];
    size_t length;
    bool is_cut; /* longer than any name that is wanted */
};

/* Put a step behind the path; the length before it, to go back to. */
static size_t go_into(struct place *place, const char *step, size_t length)
{
    size_t before = place->length, dot = before > 0;
    if (before + dot + length >= MOST_PATH) {
        place->is_cut = true;
        return before;
    }
    if (dot)
        place->path[place->length++] = '.';
    memcpy(place->path + place->length, step, length);
    place->length += length;
    return before;
}

static void go_back(struct place *place, size_t before)
{
    place->length = before;
    place->is_cut = false;
}

static enum hc_status keep(struct hc_json_cells *cells, size_t i, const struct hc_pull_token *token,
                           struct hc_error *err)
{
    static const char *const words[] = {[HC_PULL_TRUE] = "true", [HC_PULL_FALSE] = "false"};
    bool is_word = token->kind == HC_PULL_TRUE || token->kind == HC_PULL_FALSE;
    const char *text = is_word ? words[token->kind] : token->text;
    size_t length = is_word ? strlen(text) : token->length;
    if (hc_reserve(&cells->text, &cells->capacity, cells->length + length + HC_TEXT_PADDING, 1,
                   err))
        return err->status;
    memcpy(cells->text + cells->length, text, length);
    memset(cells->text + cells->length + length, 0, HC_TEXT_PADDING);
    cells->start[i] = cells->length;
    cells->cells[i].length = length;
    cells->cells[i].is_there = true;
    cells->length += length + 1;
    return HC_OK;
}

static enum hc_status take_scalar(struct hc_json_cells *cells, const struct place *place,
                                  const struct hc_pull_token *token, struct hc_error *err)
{
    if (token->kind == HC_PULL_NULL || place->is_cut)
        return HC_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (strncmp(cells->names[i], place->path, place->length) == 0 &&
            !cells->names[i][place->length] && keep(cells, i, token, err))
            return err->status;
    return HC_OK;
}

static enum hc_status read_within(struct hc_json_cells *cells, struct hc_json_pull *pull,
                                  struct place *place, struct hc_error *err)
{
    struct {
        size_t before;
        int64_t index; /* of an array, of the next element; -1: an object */
    } level[MOST_DEPTH] = {{0, -1}};
    struct hc_pull_token token;
    for (size_t depth = 1; depth;) {
        size_t before = place->length;
        if (hc_pull_next(pull, &token, err))
            return err->status;
        if (token.kind == HC_PULL_OBJECT_END || token.kind == HC_PULL_ARRAY_END) {
            go_back(place, level[--depth].before);
            continue;
        }
        if (token.kind == HC_PULL_KEY) {
            before = go_into(place, token.text, token.length);
            if (hc_pull_next(pull, &token, err))
                return err->status;
        } else {
            char index[24];
            int n = snprintf(index, sizeof index, "%lld", (long long)level[depth - 1].index++);
            before = go_into(place, index, (size_t)n);
        }
        bool is_array = token.kind == HC_PULL_ARRAY;
        if (!is_array && token.kind != HC_PULL_OBJECT) {
            if (take_scalar(cells, place, &token, err))
                return err->status;
            go_back(place, before);
        } else if (depth == MOST_DEPTH) {
            if (hc_pull_skip_rest(pull, err))
                return err->status;
            go_back(place, before);
        } else {
            level[depth].before = before;
            level[depth++].index = is_array ? 0 : -1;
        }
    }
    return HC_OK;
}

enum hc_status hc_json_cells_read(struct hc_json_cells *cells, struct hc_json_pull *pull,
                                  struct hc_cell *to, struct hc_error *err)
{
    struct place place = {.length = 0};
    cells->length = 0;
    cells->cells = to;
    for (size_t i = 0; i < cells->n; i++)
        to[i] = (struct hc_cell){"", 0, false};
    if (read_within(cells, pull, &place, err))
        return err->status;
    for (size_t i = 0; i < cells->n; i++)
        if (to[i].is_there)
            to[i].text = cells->text + cells->start[i];
    return HC_OK;
}

void hc_json_cells_fini(struct hc_json_cells *cells)
{
    free(cells->text);
    cells->text = NULL;
}
