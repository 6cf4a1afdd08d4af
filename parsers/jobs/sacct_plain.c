#include "parsers/jobs/sacct_plain.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/text_hash.h"

#include <stdlib.h>
#include <string.h>

#define ODD 0x9E3779B97F4A7C15ULL

/* ---- texts ---- */

/* The texts of a column. */
struct texts {
    enum hc_jobs_column column;
    const struct hc_text_set *set;
    struct hc_sacct_text *memo; /* [HC_SACCT_PLAIN_TEXTS] */
    struct hc_span last;        /* the long text that came last, as the set has it */
    int32_t last_code;
};

static struct texts texts_of(struct hc_sacct_plain *plain, enum hc_jobs_column column)
{
    return (struct texts){.column = column,
                          .set = hc_job_text_set(plain->builder, column),
                          .memo = plain->texts[column]};
}

static inline enum hc_status look_up(struct hc_sacct_plain *plain, const struct texts *texts,
                                     struct hc_span text, int32_t *code, struct hc_error *err)
{
    *code = hc_text_set_find(texts->set, text.text, text.length);
    return *code < 0 ? hc_job_text_code(plain->builder, texts->column, text, code, err) : HC_OK;
}

static inline enum hc_status find_short(struct hc_sacct_plain *plain, const struct texts *texts,
                                        struct hc_span text, int32_t *code, struct hc_error *err)
{
    struct hc_text_words words = hc_text_words(text.text, text.length);
    uint64_t mixed = hc_text_mix(words.word[0] ^ ODD, words.word[1] ^ ODD);
    struct hc_sacct_text *kept = &texts->memo[mixed % HC_SACCT_PLAIN_TEXTS];
    *code = kept->code;
    if (kept->length == text.length && kept->word[0] == words.word[0] &&
        kept->word[1] == words.word[1])
        return HC_OK;
    if (look_up(plain, texts, text, code, err))
        return err->status;
    if (*code >= 0)
        *kept =
            (struct hc_sacct_text){{words.word[0], words.word[1]}, (uint32_t)text.length, *code};
    return HC_OK;
}

static inline enum hc_status find_long(struct hc_sacct_plain *plain, struct texts *texts,
                                       struct hc_span text, int32_t *code, struct hc_error *err)
{
    *code = texts->last_code;
    if (text.length == texts->last.length &&
        hc_is_same_text(text.text, texts->last.text, text.length))
        return HC_OK;
    if (look_up(plain, texts, text, code, err) || *code < 0)
        return err->status;
    texts->last = (struct hc_span){texts->set->text[*code], text.length};
    texts->last_code = *code;
    return HC_OK;
}

/* *code of a text that is not empty; -1: it has to be cleaned. */
static inline enum hc_status find_code(struct hc_sacct_plain *plain, struct texts *texts,
                                       struct hc_span text, int32_t *code, struct hc_error *err)
{
    return text.length <= 16 ? find_short(plain, texts, text, code, err)
                             : find_long(plain, texts, text, code, err);
}

static inline bool says_none(struct hc_span text)
{
    return text.length >= 4 && memcmp(text.text, "None", 4) == 0;
}

static inline enum hc_status put_texts(struct hc_sacct_plain *plain,
                                       const struct hc_sacct_column *column, size_t field,
                                       bool knows_none, struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = hc_sacct_plain_i32(plain, column->column), code = -1;
    struct texts texts = texts_of(plain, column->column);
    for (size_t r = 0; r < n; r++) {
        struct hc_span text = hc_sacct_fields_next(&fields);
        if (text.length == 0 || (knows_none && says_none(text)))
            continue;
        if (find_code(plain, &texts, text, &code, err))
            return err->status;
        if (code < 0)
            plain->is_odd[r] = true;
        else
            to[r] = code;
    }
    return HC_OK;
}

enum hc_status hc_sacct_plain_text(struct hc_sacct_plain *plain,
                                   const struct hc_sacct_column *column, size_t field,
                                   struct hc_error *err)
{
    return put_texts(plain, column, field, false, err);
}

enum hc_status hc_sacct_plain_text_or_none(struct hc_sacct_plain *plain,
                                           const struct hc_sacct_column *column, size_t field,
                                           struct hc_error *err)
{
    return put_texts(plain, column, field, true, err);
}

/* ---- lists of nodes ---- */

/* How many nodes a list has; -1: it cannot be read. */
static int32_t count_nodes(struct hc_span list)
{
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    return hc_node_list_open(&reader, list.text, list.length, &ignored) ? -1
                                                                        : (int32_t)reader.n_nodes;
}

/* The same by the code of the list, with which the text of the dictionary is the list. */
static inline enum hc_status listed_nodes(struct hc_sacct_plain *plain, struct hc_span list,
                                          int32_t code, int32_t *n, struct hc_error *err)
{
    size_t had = plain->n_of_list_capacity, need = (size_t)code + 1;
    if (need > had) {
        if (hc_reserve(&plain->n_of_list, &plain->n_of_list_capacity, need,
                       sizeof *plain->n_of_list, err))
            return err->status;
        memset(plain->n_of_list + had, 0,
               (plain->n_of_list_capacity - had) * sizeof *plain->n_of_list);
    }
    if (plain->n_of_list[code] == 0)
        plain->n_of_list[code] = count_nodes(list);
    *n = plain->n_of_list[code];
    return HC_OK;
}

enum hc_status hc_sacct_plain_node_list(struct hc_sacct_plain *plain,
                                        const struct hc_sacct_column *column, size_t field,
                                        struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = hc_sacct_plain_i32(plain, column->column), code = -1;
    struct texts texts = texts_of(plain, column->column);
    for (size_t r = 0; r < n; r++) {
        struct hc_span list = hc_sacct_fields_next(&fields);
        if (list.length == 0 || says_none(list))
            continue;
        if (find_code(plain, &texts, list, &code, err) ||
            (code >= 0 && listed_nodes(plain, list, code, &plain->n_listed[r], err)))
            return err->status;
        plain->is_odd[r] |= code < 0 || plain->n_listed[r] < 0;
        to[r] = code;
    }
    return HC_OK;
}

/* ---- lists of resources ---- */

enum hc_status hc_sacct_plain_gpus(struct hc_sacct_plain *plain,
                                   const struct hc_sacct_column *column, size_t field,
                                   struct hc_error *err)
{
    struct hc_sacct_fields fields = hc_sacct_block_fields(plain->block, field);
    const size_t n = plain->block->n;
    int32_t *to = hc_sacct_plain_i32(plain, column->column),
            *types = hc_sacct_plain_i32(plain, HC_JOBS_GPU_TYPE);
    bool is_gres = hc_sacct_column_is_gres(column), has_type = column->column == HC_JOBS_GPUS;
    struct texts texts = texts_of(plain, HC_JOBS_GPU_TYPE);
    for (size_t r = 0; r < n; r++) {
        const struct hc_slurm_gpus *gpus;
        enum hc_slurm_text what =
            hc_gpus_memo_read(&plain->builder->gpus, hc_sacct_fields_next(&fields), &gpus);
        plain->is_odd[r] |= what == HC_SLURM_WRONG;
        if (what != HC_SLURM_VALUE || (to[r] > 0 && (is_gres || gpus->n == 0)))
            continue;
        to[r] = (int32_t)gpus->n;
        if (!has_type || !gpus->type.length)
            continue;
        if (find_code(plain, &texts, gpus->type, &types[r], err))
            return err->status;
        plain->is_odd[r] |= types[r] < 0;
    }
    return HC_OK;
}

/* ---- records as a whole ---- */

enum hc_status hc_sacct_plain_begin(struct hc_sacct_plain *plain, struct hc_error *err)
{
    struct hc_job_builder *builder = plain->builder;
    size_t n = plain->block->n;
    struct hc_span file = {builder->file, strlen(builder->file)};
    int32_t code;
    plain->first = hc_jobs_add(builder->rows, n);
    memset(plain->n_listed, 0, n * sizeof *plain->n_listed);
    memcpy(hc_sacct_plain_i64(plain, HC_JOBS_LINE), plain->block->line,
           n * sizeof *plain->block->line);
    if (hc_job_text_code(builder, HC_JOBS_SOURCE, file, &code, err))
        return err->status;
    memset(plain->is_odd, code < 0, n * sizeof *plain->is_odd);
    int32_t *sources = hc_sacct_plain_i32(plain, HC_JOBS_SOURCE);
    for (size_t r = 0; r < n; r++)
        sources[r] = code;
    return HC_OK;
}

/* What hc_job_end would call bad, or have doubts of. */
static inline bool is_doubtful(const struct hc_sacct_plain *plain, size_t r)
{
    int64_t start_ns = hc_sacct_plain_i64(plain, HC_JOBS_START_NS)[r];
    int64_t end_ns = hc_sacct_plain_i64(plain, HC_JOBS_END_NS)[r];
    int32_t n_nodes = hc_sacct_plain_i32(plain, HC_JOBS_NODES)[r], n_listed = plain->n_listed[r];
    bool is_failed = hc_sacct_plain_i32(plain, HC_JOBS_FAILED_NODE)[r] != HC_MISSING_I32;
    return hc_sacct_plain_i64(plain, HC_JOBS_SUBMIT_NS)[r] == HC_MISSING_I64 ||
           /* A start that is missing is before all others. */
           (end_ns < start_ns && end_ns != HC_MISSING_I64) ||
           (n_listed && (is_failed || (n_nodes != n_listed && n_nodes != HC_MISSING_I32)));
}

size_t hc_sacct_plain_end(struct hc_sacct_plain *plain)
{
    size_t n_odd = 0;
    for (size_t r = 0; r < plain->block->n; r++) {
        plain->is_odd[r] |= is_doubtful(plain, r);
        n_odd += plain->is_odd[r];
    }
    return n_odd;
}

void hc_sacct_plain_forget(struct hc_sacct_plain *plain)
{
    memset(plain->texts, 0, sizeof plain->texts);
    if (plain->n_of_list)
        memset(plain->n_of_list, 0, plain->n_of_list_capacity * sizeof *plain->n_of_list);
}

void hc_sacct_plain_fini(struct hc_sacct_plain *plain)
{
    free(plain->n_of_list);
}
