/* set_keys.h - the keys that --set can set: their pointers, as /job/nodes, from the key tables of
 * the engines. For completion, and to say what '--set nodes=3' means. */
#ifndef HC_CLI_FRAME_SET_KEYS_H
#define HC_CLI_FRAME_SET_KEYS_H

#include "cli/frame/options.h"
#include "core/base/status.h"

#define HC_SET_POINTER 128

/* Call take with each pointer, sections before their keys left out, in the order of the tables. */
void hc_set_keys_each(void (*take)(const char *pointer, void *context), void *context);

/* HC_USAGE for a word that is no '/pointer=value', with the key that it may mean. */
enum hc_status hc_set_words_check(const struct hc_words *set, struct hc_error *err);

#endif
