#include "study/grammar/scenario_errors.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/printable.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 512

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* A mistake of the base is one in every variant too: it is said once. */
static bool is_known(const struct hc_scenario_errors *errors, const struct hc_place *place,
                     const char *pointer, const char *what)
{
    for (size_t i = 0; i < errors->n; i++) {
        const struct hc_scenario_error *e = &errors->error[i];
        if (e->place.line == place->line && e->place.column == place->column &&
            same_text(e->place.file, place->file) && same_text(e->pointer, pointer) &&
            same_text(e->what, what))
            return true;
    }
    return false;
}

static size_t rank_of_file(const struct hc_scenario_errors *errors, const char *file)
{
    for (size_t i = 0; i < errors->n; i++)
        if (same_text(errors->error[i].place.file, file))
            return errors->error[i].file_rank;
    return errors->n;
}

void hc_scenario_complain(struct hc_scenario_errors *errors, const struct hc_place *place,
                          const char *pointer, const char *format, ...)
{
    char what[LONGEST];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    char whole[HC_POINTER_SIZE];
    if (!pointer)
        pointer = "";
    if (errors->within) {
        snprintf(whole, sizeof whole, "%s%s", errors->within, pointer);
        pointer = whole;
    }
    if (errors->no_memory.status || is_known(errors, place, pointer, what))
        return;
    if (errors->n == HC_SCENARIO_MOST_ERRORS) {
        errors->n_more++;
        return;
    }
    struct hc_error *err = &errors->no_memory;
    if (hc_reserve(&errors->error, &errors->capacity, errors->n + 1, sizeof *errors->error, err))
        return;
    struct hc_scenario_error error = {.place = *place};
    error.file_rank = rank_of_file(errors, place->file);
    error.place.file = hc_arena_text(&errors->arena, place->file, strlen(place->file), err);
    error.pointer = hc_arena_text(&errors->arena, pointer, strlen(pointer), err);
    error.what = hc_arena_text(&errors->arena, what, strlen(what), err);
    if (errors->variant)
        error.variant =
            hc_arena_text(&errors->arena, errors->variant, strlen(errors->variant), err);
    if (!err->status)
        errors->error[errors->n++] = error;
}

struct hc_did_you_mean hc_did_you_mean(const char *word, const char *const *candidates, size_t n)
{
    struct hc_did_you_mean hint = {""};
    const char *nearest = hc_nearest(word, strlen(word), candidates, n);
    if (nearest)
        snprintf(hint.text, sizeof hint.text, " (did you mean '%s'?)",
                 hc_printable(nearest, strlen(nearest)).text);
    return hint;
}

static bool stands_before(const struct hc_scenario_error *a, const struct hc_scenario_error *b)
{
    if (a->file_rank != b->file_rank)
        return a->file_rank < b->file_rank;
    if (a->place.line != b->place.line)
        return a->place.line < b->place.line;
    return a->place.column < b->place.column;
}

void hc_scenario_errors_sort(struct hc_scenario_errors *errors)
{
    struct hc_scenario_error *error = errors->error;
    for (size_t i = 1; i < errors->n; i++)
        for (size_t j = i; j && stands_before(&error[j], &error[j - 1]); j--) {
            struct hc_scenario_error swapped = error[j];
            error[j] = error[j - 1];
            error[j - 1] = swapped;
        }
}

void hc_scenario_error_format(const struct hc_scenario_error *error, char *text, size_t size)
{
    char at[64] = "";
    const struct hc_place *place = &error->place;
    if (place->line)
        snprintf(at, sizeof at, ":%d:%d", place->line, place->column);
    snprintf(text, size, "%s%s: %s%s%s%s%s%s", place->file, at, error->pointer,
             *error->pointer ? ": " : "", error->variant ? "in variant '" : "",
             error->variant ? hc_printable(error->variant, strlen(error->variant)).text : "",
             error->variant ? "': " : "", error->what);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
}

enum hc_status hc_scenario_errors_status(const struct hc_scenario_errors *errors,
                                         struct hc_error *err)
{
    if (errors->no_memory.status) {
        *err = errors->no_memory;
        return err->status;
    }
    if (!errors->n)
        return HC_OK;
    char text[HC_ERROR_SIZE - 64];
    hc_scenario_error_format(&errors->error[0], text, sizeof text);
    size_t more = errors->n - 1 + errors->n_more;
    if (more)
        return hc_fail(err, HC_BAD_INPUT, "%s (and %zu more; see 'hindcast scenario check')", text,
                       more);
    return hc_fail(err, HC_BAD_INPUT, "%s", text);
}

void hc_scenario_errors_fini(struct hc_scenario_errors *errors)
{
    hc_arena_fini(&errors->arena);
    free(errors->error);
}
