/* profile_fill.h - how a profile is filled: rank after rank, in any order, each with texts of its
 * own.
 *
 *     struct hc_profile_rank rank;
 *     hc_profile_rank_init(&rank, "rank-0.json", err);
 *     while (...) hc_profile_rank_add(&rank, rows, err);         // batches of any of its tables
 *     hc_profile_rank_settle(&rank, &names, by, err);            // or not: it saves memory
 *     hc_profile_take(&profile, &rank, &names, err);             // with its texts
 *     hc_profile_link(&profile, by, err);                        // after the last rank
 */
#ifndef HC_MODELS_PROFILES_PROFILE_FILL_H
#define HC_MODELS_PROFILES_PROFILE_FILL_H

#include "models/profiles/profile.h"

/* A profile without ranks; its dictionaries are those of hc_profile_tables. */
enum hc_status hc_profile_init(struct hc_profile *profile, struct hc_error *err);

/* A rank without rows. name is copied. On failure nothing is held. */
enum hc_status hc_profile_rank_init(struct hc_profile_rank *rank, const char *name,
                                    struct hc_error *err);
void hc_profile_rank_fini(struct hc_profile_rank *rank);

/* Append rows of one of its tables. */
enum hc_status hc_profile_rank_add(struct hc_profile_rank *rank, const struct hc_table *rows,
                                   struct hc_error *err);

/* Of a rank that is complete: what hc_profile_link does to each rank (which then leaves it as it
 * is), and its memory given back where nothing reads it any more: the bytes of copies, marks that
 * tell nothing of threads that wait for each other, room for more rows. names: the texts behind its
 * codes. by is that of hc_profile_link. */
enum hc_status hc_profile_rank_settle(struct hc_profile_rank *rank,
                                      const struct hc_table_names *names, enum hc_steps_by by,
                                      struct hc_error *err);

/* Move a rank into the profile: codes become those of the profile (names: the texts behind the
 * codes of the rank), rank and world size are those of its row of `ranks`. HC_BAD_INPUT: it has not
 * exactly one such row. On success rank is empty; on failure it stays the caller's. */
enum hc_status hc_profile_take(struct hc_profile *profile, struct hc_profile_rank *rank,
                               const struct hc_table_names *names, struct hc_error *err);

#endif
