/* key_binding.h - a checked document into the config of an engine, by its table of keys: each row
 * says at which offset its value belongs. What is not given is as the table says, or as the config
 * was before where the table has no default.
 *
 *     static const struct hc_scenario_key keys[] = {
 *         {"servers", HC_KEY_COUNT, .is_required = true, .low = 1, .high = 1000,
 *          HC_KEY_BOUND(queue_config, servers), .help = "How many serve."},
 *         {.name = NULL},
 *     };
 *
 *     static enum hc_status bind(void *config, struct hc_scenario *scenario, ...)
 *     {
 *         return hc_bind_keys(config, keys, root, &scenario->arena, refusal, err);
 *     }
 */
#ifndef HC_STUDY_BINDING_KEY_BINDING_H
#define HC_STUDY_BINDING_KEY_BINDING_H

#include "sim/engine/distribution.h"
#include "study/grammar/engine.h"
#include "study/grammar/scenario_errors.h"

/* In a row: the member of the struct of the table that holds the value. */
#define HC_KEY_BOUND(type, of) .is_bound = true, .target = offsetof(struct type, of), .member = #of

struct hc_key_binder {
    struct hc_arena *arena;
    void *config; /* the whole, as far as it is bound */
    struct hc_refusal *refusal;
    struct hc_error *err;
    enum hc_status status;            /* of what failed */
    struct hc_path path;              /* of the value that is bound */
    struct hc_scenario_errors errors; /* of defaults, which have none */
};

/* HC_BAD_INPUT with the refusal filled when recorded data cannot be what is wanted; HC_INTERNAL,
 * with err filled, when there is no memory. Arrays and names live in the arena or in root. */
enum hc_status hc_bind_keys(void *config, const struct hc_scenario_key *keys,
                            const struct hc_node *root, struct hc_arena *arena,
                            struct hc_refusal *refusal, struct hc_error *err);

/* For the functions of a row (scenario_keys.h), which return whether all is well: pass on a
 * failure. Always false. */
bool hc_binder_fails(struct hc_key_binder *binder, enum hc_status status);

/* Pass on what a function of models/incidents or recorded_data.h has said in binder->err, `within`
 * the value that is bound. Always false. */
bool hc_binder_passes(struct hc_key_binder *binder, const char *within, enum hc_status status);

/* Keys in place of members: an engine that refuses by the names of its members ("/checkpoint/
 * save_bytes") has its pointer put into the names of the keys. A key whose unit is another than
 * that of the member keeps the name of the member in the sentence, where it has a number. */
void hc_refusal_by_key(struct hc_refusal *refusal, const struct hc_scenario_key *keys,
                       const struct hc_node *root);

#endif
