#include "pipeline/sources/rank_sets.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "pipeline/sources/source_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void hc_rank_sets_fini(struct hc_rank_sets *sets)
{
    for (size_t i = 0; i < sets->n; i++) {
        for (size_t k = 0; k < sets->sets[i].n; k++) {
            free(sets->sets[i].files[k].path);
            hc_rank_file_fini(&sets->sets[i].files[k].head);
        }
        free(sets->sets[i].files);
    }
    free(sets->sets);
    free(sets->inputs);
    memset(sets, 0, sizeof *sets);
}

const struct hc_rank_set *hc_rank_sets_find(const struct hc_rank_sets *sets, const char *input)
{
    for (size_t i = 0; sets && i < sets->n; i++)
        if (sets->sets[i].input == input)
            return &sets->sets[i];
    return NULL;
}

/* ---- gathering ---- */

/* The set of a job, made when it is the first of its files; *is_new says so. */
static enum hc_status set_of(struct hc_rank_sets *sets, const char *job, size_t *index,
                             bool *is_new, struct hc_error *err)
{
    *is_new = false;
    for (*index = 0; *index < sets->n; (*index)++)
        if (strcmp(sets->sets[*index].files[0].head.job, job) == 0)
            return HC_OK;
    *is_new = true;
    return hc_reserve(&sets->sets, &sets->capacity, sets->n + 1, sizeof *sets->sets, err);
}

/* Put a file, whose head becomes the set's, into the set of its job. */
static enum hc_status add_file(struct hc_rank_sets *sets, const char *path, const char *input,
                               struct hc_rank_file *head, struct hc_error *err)
{
    size_t index = 0;
    bool is_new = false;
    char *copy = hc_copy_text(path, err);
    if (!copy || set_of(sets, head->job, &index, &is_new, err)) {
        free(copy);
        return err->status;
    }
    if (is_new) {
        sets->sets[sets->n++] = (struct hc_rank_set){.input = input};
        sets->inputs[sets->n_inputs++] = input;
    }
    struct hc_rank_set *set = &sets->sets[index];
    if (hc_reserve(&set->files, &set->capacity, set->n + 1, sizeof *set->files, err)) {
        free(copy);
        return err->status;
    }
    set->files[set->n++] = (struct hc_rank_set_file){copy, *head};
    sets->n_files++;
    memset(head, 0, sizeof *head);
    return HC_OK;
}

/* One file in a directory: taken where a rank recorded it. */
static enum hc_status add_entry(struct hc_rank_sets *sets, const char *path, const char *directory,
                                struct hc_error *err)
{
    struct hc_rank_file head;
    enum hc_status status = hc_rank_file_look(&head, path, err);
    if (!status && head.job) {
        const struct hc_rank_set *of_directory = hc_rank_sets_find(sets, directory);
        if (of_directory && strcmp(of_directory->files[0].head.job, head.job) != 0)
            status =
                hc_fail(err, HC_USAGE,
                        "'%s' holds ranks of two jobs, '%.80s' ('%s') and '%.80s' ('%s'): name "
                        "the files of each",
                        directory, of_directory->files[0].head.job, of_directory->files[0].path,
                        head.job, path);
        else
            status = add_file(sets, path, directory, &head, err);
    }
    hc_rank_file_fini(&head);
    return status;
}

/* What a directory holds. One that holds no file may be the name of a job. */
static enum hc_status add_directory(struct hc_rank_sets *sets, const char *directory,
                                    struct hc_error *err)
{
    struct hc_source_list list = {0};
    enum hc_status status = hc_source_list_add(&list, directory, err);
    for (size_t i = 0; i < list.n && !status; i++)
        status = add_entry(sets, list.sources[i].path, directory, err);
    hc_source_list_fini(&list);
    return status;
}

static enum hc_status add_word(struct hc_rank_sets *sets, const char *word, struct hc_error *err)
{
    struct hc_rank_file head = {0};
    size_t n_before = sets->n_files;
    if (hc_is_directory(word)) {
        struct hc_error failure = {0};
        enum hc_status status = add_directory(sets, word, &failure);
        if (status && (sets->n_files > n_before || status == HC_INTERNAL))
            *err = failure;
        if (sets->n_files > n_before || err->status)
            return err->status;
    } else if (hc_rank_file_look(&head, word, err)) {
        return err->status;
    }
    enum hc_status status = HC_OK;
    if (head.job)
        status = add_file(sets, word, word, &head, err);
    else
        sets->inputs[sets->n_inputs++] = word;
    hc_rank_file_fini(&head);
    return status;
}

static int by_rank(const void *x, const void *y)
{
    const struct hc_rank_set_file *a = x, *b = y;
    int order = (a->head.rank > b->head.rank) - (a->head.rank < b->head.rank);
    return order ? order : strcmp(a->path, b->path);
}

/* A lone file that does not say how many ranks there are is a timeline like any other, whatever its
 * column `job` is for. */
static bool stands_alone(const struct hc_rank_set *set)
{
    return set->n == 1 && set->input && strcmp(set->input, set->files[0].path) == 0 &&
           set->files[0].head.dp_size == HC_MISSING_I32;
}

enum hc_status hc_rank_sets_gather(struct hc_rank_sets *sets, const char *const *words,
                                   size_t n_words, const char *format, struct hc_error *err)
{
    bool is_wanted = !format || strcmp(format, "step-csv") == 0;
    memset(sets, 0, sizeof *sets);
    sets->inputs = hc_new_array(n_words + 1, sizeof *sets->inputs, err);
    enum hc_status status = sets->inputs ? HC_OK : err->status;
    for (size_t i = 0; i < n_words && !status; i++) {
        if (is_wanted)
            status = add_word(sets, words[i], err);
        else
            sets->inputs[sets->n_inputs++] = words[i];
    }
    for (size_t i = 0; i < sets->n && !status; i++)
        if (stands_alone(&sets->sets[i]))
            sets->sets[i].input = NULL;
    for (size_t i = 0; i < sets->n && !status; i++)
        qsort(sets->sets[i].files, sets->sets[i].n, sizeof *sets->sets[i].files, by_rank);
    if (status)
        hc_rank_sets_fini(sets);
    return status;
}
