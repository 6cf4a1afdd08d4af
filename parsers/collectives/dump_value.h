/* dump_value.h - the plain values of a dump (numbers, texts, lists, dictionaries), and the memory
 * that they live in. Private to this wing.
 *
 * A dump is read value by value from the inside out. What is of use is taken as soon as its
 * dictionary is whole, and its memory is given back, so that a dump of any length needs the memory
 * of its largest entry and of what is referred to again.
 */
#ifndef HC_PARSERS_COLLECTIVES_DUMP_VALUE_H
#define HC_PARSERS_COLLECTIVES_DUMP_VALUE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_dump_kind {
    HC_DUMP_NONE,
    HC_DUMP_BOOL,
    HC_DUMP_INT,
    HC_DUMP_FLOAT,
    HC_DUMP_TEXT,
    HC_DUMP_LIST,  /* or tuple */
    HC_DUMP_DICT,  /* items: key, value, key, value ... */
    HC_DUMP_OPAQUE /* a dictionary that was taken, or a number that no column can hold */
};

/* The keys that are looked for; any other text is HC_WORD_OTHER. */
enum hc_dump_word {
    HC_WORD_OTHER,
    /* of the dump */
    HC_WORD_ENTRIES,
    HC_WORD_PG_CONFIG,
    HC_WORD_PG_STATUS,
    HC_WORD_VERSION,
    HC_WORD_NCCL_VERSION,
    HC_WORD_COMM_LIB_VERSION,
    /* of an entry */
    HC_WORD_RECORD_ID,
    HC_WORD_PG_ID,
    HC_WORD_PROCESS_GROUP,
    HC_WORD_COLLECTIVE_SEQ_ID,
    HC_WORD_P2P_SEQ_ID,
    HC_WORD_PROFILING_NAME,
    HC_WORD_FRAMES,
    HC_WORD_CREATED,
    HC_WORD_INPUT_SIZES,
    HC_WORD_OUTPUT_SIZES,
    HC_WORD_INPUT_DTYPES,
    HC_WORD_OUTPUT_DTYPES,
    HC_WORD_STATE,
    HC_WORD_STARTED,
    HC_WORD_COMPLETED,
    HC_WORD_DURATION,
    HC_WORD_TIMEOUT,
    HC_WORD_RETIRED,
    HC_WORD_IS_P2P,
    HC_WORD_THREAD_NAME,
    /* of a group, of its progress, of a frame */
    HC_WORD_NAME,
    HC_WORD_DESC,
    HC_WORD_RANKS,
    HC_WORD_LAST_ENQUEUED,
    HC_WORD_LAST_STARTED,
    HC_WORD_LAST_COMPLETED,
    HC_WORD_FILENAME,
    HC_WORD_LINE,
    HC_N_WORDS
};

struct hc_dump_list;

struct hc_dump_value {
    uint8_t kind;  /* enum hc_dump_kind */
    uint8_t word;  /* of a text: enum hc_dump_word */
    uint32_t size; /* of a text: bytes, without the NUL behind it */
    union {
        int64_t whole; /* also of a bool: 0 or 1 */
        double real;
        const char *text;
        struct hc_dump_list *list;
    };
};

struct hc_dump_list {
    uint32_t n, capacity; /* of items: keys and values of a dictionary both count */
    bool is_kept;         /* it may be referred to again */
    struct hc_dump_value *items;
};

/* Memory that is taken piece by piece and given back to a mark, or all at once. Zeroed memory is an
 * empty pool. */
struct hc_dump_pool {
    size_t n_blocks, capacity; /* of blocks */
    char **blocks;
    size_t *sizes;
    size_t used;  /* bytes of the last block in use */
    size_t total; /* bytes of all blocks */
};

struct hc_dump_mark {
    size_t n_blocks, used;
};

/* size bytes, aligned for any value, not zeroed; NULL with err filled where the pool would have
 * more than HC_DUMP_MOST_BYTES (HC_BAD_INPUT) or memory is short. */
#define HC_DUMP_MOST_BYTES ((size_t)1 << 28)
void *hc_dump_take(struct hc_dump_pool *pool, size_t size, struct hc_error *err);

struct hc_dump_mark hc_dump_mark(const struct hc_dump_pool *pool);
void hc_dump_release(struct hc_dump_pool *pool, struct hc_dump_mark mark);
void hc_dump_pool_fini(struct hc_dump_pool *pool);

/* A copy of a text, with its word, NUL behind it. */
enum hc_status hc_dump_text(struct hc_dump_pool *pool, const char *text, size_t length,
                            struct hc_dump_value *value, struct hc_error *err);

/* An empty list or dictionary. */
enum hc_status hc_dump_list(struct hc_dump_pool *pool, enum hc_dump_kind kind,
                            struct hc_dump_value *value, struct hc_error *err);

/* Append n values to a list. */
enum hc_status hc_dump_append(struct hc_dump_pool *pool, struct hc_dump_list *list,
                              const struct hc_dump_value *values, size_t n, struct hc_error *err);

/* Who takes dictionaries as they become whole: pairs of keys and values, n of both. *taken: it is
 * of no further use, and a value of kind HC_DUMP_OPAQUE stands in its place. */
struct hc_dump_taker {
    void *context;
    enum hc_status (*take)(void *context, const struct hc_dump_value *pairs, size_t n, bool *taken,
                           struct hc_error *err);
};

#endif
