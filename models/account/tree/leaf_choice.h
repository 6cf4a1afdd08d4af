/* leaf_choice.h - leaves of the account, named by a word of a command line. */
#ifndef HC_MODELS_ACCOUNT_TREE_LEAF_CHOICE_H
#define HC_MODELS_ACCOUNT_TREE_LEAF_CHOICE_H

#include "core/base/status.h"
#include "core/tables/account/leaf.h"

#include <stdbool.h>

/* Whether a choice has a leaf: "lost_work"; "startup" of all its leaves; "startup.image/user" for a
 * reason; "all"; or "lost": work lost or abandoned, start-up that failed, detection, localisation,
 * recovery, and the start-up that is made again because of what ended the launch before; not what
 * was planned, and not the first start of a run. */
bool hc_leaf_choice_has(const char *choice, enum hc_what what, enum hc_why why);

/* HC_USAGE: it has no leaf. option: "--explain", for the message. */
enum hc_status hc_leaf_choice_check(const char *choice, const char *option, struct hc_error *err);

#endif
