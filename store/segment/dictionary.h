/* dictionary.h - the strings behind the codes of a column: /dictionaries/<name> in a segment.
 * Private to this wing. */
#ifndef HC_STORE_SEGMENT_DICTIONARY_H
#define HC_STORE_SEGMENT_DICTIONARY_H

#include "core/base/status.h"
#include "store/codec/chunk_codec.h"
#include "store/objects/dataset_shape.h"
#include "store/objects/group_links.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_DICTIONARY_OP_TYPE "op_type"
#define HC_DICTIONARY_SWITCH  "switch"
#define HC_DICTIONARY_MAX     ((size_t)1 << 20) /* entries */

/* A dictionary of a segment: code i stands for the text at text + start[i], once they are loaded.
 * Few of the dictionaries of a segment are asked for their texts; how many these are is known of
 * all. */
struct hc_dictionary {
    char *name;
    struct hc_dataset_shape shape;
    bool is_loaded;
    size_t n;
    size_t *start; /* n of them */
    char *text;
    /* What each code of op_type is in this version: one of enum hc_op_type (HC_OP_UNKNOWN for a
     * name that is not in it). Codes of others mean themselves: NULL. */
    int32_t *meaning;
    size_t n_same; /* the codes below it mean themselves */
};

/* Write the n strings of values as a dataset of the group; under the HDF5 lock. */
enum hc_status hc_dictionary_write(hid_t group, const char *name, const char *const *values,
                                   size_t n, struct hc_codec_pool *pool, struct hc_error *err);

/* Find the dictionary that a link of the group leads to; that of op types is loaded, too. */
enum hc_status hc_dictionary_read(struct hc_dictionary *dictionary, const struct hc_link *link,
                                  struct hc_segment_file *file, struct hc_codec_pool *pool,
                                  struct hc_error *err);

/* Read the texts, unless they are there. */
enum hc_status hc_dictionary_load(struct hc_dictionary *dictionary, struct hc_segment_file *file,
                                  struct hc_codec_pool *pool, struct hc_error *err);
void hc_dictionary_fini(struct hc_dictionary *dictionary);

/* The string of a code of a loaded dictionary, which must be below n. */
const char *hc_dictionary_text(const struct hc_dictionary *dictionary, size_t code);

/* The first of the n codes that is neither missing nor a code of the dictionary, or n. */
size_t hc_dictionary_check(const struct hc_dictionary *dictionary, const int32_t *codes, size_t n);

/* Turn n checked codes into what they mean in this version; the first one that means nothing, or n
 * when all do. */
size_t hc_dictionary_translate(const struct hc_dictionary *dictionary, int32_t *codes, size_t n);

#endif
