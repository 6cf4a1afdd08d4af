#include "parsers/collectives/dump_value.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES HC_BUFFER_SIZE((size_t)1 << 16)
#define ALIGNMENT   16

static const char *const words[HC_N_WORDS] = {
    [HC_WORD_OTHER] = "",
    [HC_WORD_ENTRIES] = "entries",
    [HC_WORD_PG_CONFIG] = "pg_config",
    [HC_WORD_PG_STATUS] = "pg_status",
    [HC_WORD_VERSION] = "version",
    [HC_WORD_NCCL_VERSION] = "nccl_version",
    [HC_WORD_COMM_LIB_VERSION] = "comm_lib_version",
    [HC_WORD_RECORD_ID] = "record_id",
    [HC_WORD_PG_ID] = "pg_id",
    [HC_WORD_PROCESS_GROUP] = "process_group",
    [HC_WORD_COLLECTIVE_SEQ_ID] = "collective_seq_id",
    [HC_WORD_P2P_SEQ_ID] = "p2p_seq_id",
    [HC_WORD_PROFILING_NAME] = "profiling_name",
    [HC_WORD_FRAMES] = "frames",
    [HC_WORD_CREATED] = "time_created_ns",
    [HC_WORD_INPUT_SIZES] = "input_sizes",
    [HC_WORD_OUTPUT_SIZES] = "output_sizes",
    [HC_WORD_INPUT_DTYPES] = "input_dtypes",
    [HC_WORD_OUTPUT_DTYPES] = "output_dtypes",
    [HC_WORD_STATE] = "state",
    [HC_WORD_STARTED] = "time_discovered_started_ns",
    [HC_WORD_COMPLETED] = "time_discovered_completed_ns",
    [HC_WORD_DURATION] = "duration_ms",
    [HC_WORD_TIMEOUT] = "timeout_ms",
    [HC_WORD_RETIRED] = "retired",
    [HC_WORD_IS_P2P] = "is_p2p",
    [HC_WORD_THREAD_NAME] = "thread_name",
    [HC_WORD_NAME] = "name",
    [HC_WORD_DESC] = "desc",
    [HC_WORD_RANKS] = "ranks",
    [HC_WORD_LAST_ENQUEUED] = "last_enqueued_collective",
    [HC_WORD_LAST_STARTED] = "last_started_collective",
    [HC_WORD_LAST_COMPLETED] = "last_completed_collective",
    [HC_WORD_FILENAME] = "filename",
    [HC_WORD_LINE] = "line",
};

static enum hc_dump_word find_word(const char *text, size_t length)
{
    if (length < 4 || length > 28)
        return HC_WORD_OTHER;
    for (int i = 1; i < HC_N_WORDS; i++)
        if (words[i][0] == text[0] && strlen(words[i]) == length &&
            memcmp(words[i], text, length) == 0)
            return (enum hc_dump_word)i;
    return HC_WORD_OTHER;
}

static enum hc_status add_block(struct hc_dump_pool *pool, size_t size, struct hc_error *err)
{
    size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES, same = pool->capacity;
    if (bytes > HC_DUMP_MOST_BYTES - pool->total)
        return hc_fail(err, HC_BAD_INPUT,
                       "its values need more than %zu MB, which no dump of collectives does",
                       HC_DUMP_MOST_BYTES >> 20);
    if (hc_reserve(&pool->blocks, &pool->capacity, pool->n_blocks + 1, sizeof *pool->blocks, err) ||
        hc_reserve(&pool->sizes, &same, pool->n_blocks + 1, sizeof *pool->sizes, err))
        return err->status;
    char *block = malloc(bytes);
    if (!block)
        return hc_fail_memory(err, bytes);
    pool->blocks[pool->n_blocks] = block;
    pool->sizes[pool->n_blocks++] = bytes;
    pool->total += bytes;
    pool->used = 0;
    return HC_OK;
}

void *hc_dump_take(struct hc_dump_pool *pool, size_t size, struct hc_error *err)
{
    size_t bytes = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if ((pool->n_blocks == 0 || bytes > pool->sizes[pool->n_blocks - 1] - pool->used) &&
        add_block(pool, bytes, err))
        return NULL;
    char *memory = pool->blocks[pool->n_blocks - 1] + pool->used;
    pool->used += bytes;
    return memory;
}

struct hc_dump_mark hc_dump_mark(const struct hc_dump_pool *pool)
{
    return (struct hc_dump_mark){pool->n_blocks, pool->used};
}

/* The first block stays: most entries fit into one. */
void hc_dump_release(struct hc_dump_pool *pool, struct hc_dump_mark mark)
{
    size_t kept = mark.n_blocks ? mark.n_blocks : 1;
    while (pool->n_blocks > kept) {
        pool->total -= pool->sizes[--pool->n_blocks];
        free(pool->blocks[pool->n_blocks]);
    }
    pool->used = mark.n_blocks ? mark.used : 0;
}

void hc_dump_pool_fini(struct hc_dump_pool *pool)
{
    for (size_t i = 0; i < pool->n_blocks; i++)
        free(pool->blocks[i]);
    free(pool->blocks);
    free(pool->sizes);
    memset(pool, 0, sizeof *pool);
}

enum hc_status hc_dump_text(struct hc_dump_pool *pool, const char *text, size_t length,
                            struct hc_dump_value *value, struct hc_error *err)
{
    char *copy = hc_dump_take(pool, length + 1, err);
    if (!copy)
        return err->status;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = (struct hc_dump_value){.kind = HC_DUMP_TEXT,
                                    .word = (uint8_t)find_word(text, length),
                                    .size = (uint32_t)length,
                                    .text = copy};
    return HC_OK;
}

enum hc_status hc_dump_list(struct hc_dump_pool *pool, enum hc_dump_kind kind,
                            struct hc_dump_value *value, struct hc_error *err)
{
    struct hc_dump_list *list = hc_dump_take(pool, sizeof *list, err);
    if (!list)
        return err->status;
    *list = (struct hc_dump_list){0};
    *value = (struct hc_dump_value){.kind = (uint8_t)kind, .list = list};
    return HC_OK;
}

enum hc_status hc_dump_append(struct hc_dump_pool *pool, struct hc_dump_list *list,
                              const struct hc_dump_value *values, size_t n, struct hc_error *err)
{
    if (n == 0)
        return HC_OK;
    if (n > UINT32_MAX / 2 - list->n)
        return hc_fail(err, HC_BAD_INPUT, "a list has more than %u values", UINT32_MAX / 2);
    size_t need = list->n + n, capacity = list->capacity;
    if (need > capacity) {
        capacity = capacity && need < 2 * capacity ? 2 * capacity : need;
        struct hc_dump_value *items = hc_dump_take(pool, capacity * sizeof *items, err);
        if (!items)
            return err->status;
        if (list->n)
            memcpy(items, list->items, list->n * sizeof *items);
        list->items = items;
        list->capacity = (uint32_t)capacity;
    }
    memcpy(list->items + list->n, values, n * sizeof *values);
    list->n = (uint32_t)need;
    return HC_OK;
}
