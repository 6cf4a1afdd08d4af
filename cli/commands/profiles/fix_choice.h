/* fix_choice.h - which workers or ranks a list as "node:n0,rank:7,9,stage:2" means (--fix, --only).
 *
 * An item is node:NAME (or host:NAME), rank:N, rank:N-M, dp:N or stage:N, and one without a kind is
 * of the kind of the item before it. A list means what any of its items means.
 */
#ifndef HC_CLI_COMMANDS_PROFILES_FIX_CHOICE_H
#define HC_CLI_COMMANDS_PROFILES_FIX_CHOICE_H

#include "core/base/status.h"
#include "sim/whatif/whatif.h"

#include <stddef.h>
#include <stdint.h>

/* Where one of them is: numbers are HC_MISSING_I32, node NULL, where they are not known. */
struct hc_fix_place {
    int32_t first_rank, last_rank, dp_rank, stage;
    const char *node;
};

/* Mark those that a list means in chosen[n]. HC_USAGE with what there is: no list, or an item that
 * means none of them. option: for messages, without dashes. */
enum hc_status hc_fix_choose(uint8_t *chosen, const struct hc_fix_place *places, size_t n,
                             const char *option, const char *list, struct hc_error *err);

/* The same of workers of a step timeline, for --fix (struct hc_fix_request). */
enum hc_status hc_fix_choose_workers(uint8_t *chosen, const struct hc_whatif_result *result,
                                     const char *list, struct hc_error *err);

#endif
