#include "study/engines/lifetime/scenario_engine.h"

#include "sim/lifetime/lifetime_config.h"
#include "study/engines/lifetime/scenario_bind.h"
#include "study/engines/lifetime/scenario_jobs.h"
#include "study/engines/lifetime/scenario_records.h"
#include "study/grammar/scenario_check.h"
#include "study/grammar/scenario_keys.h"

#include <string.h>

/* The row of what the engine calls `member`; of several, the one whose key is in object. */
static const struct hc_scenario_key *row_of_member(const struct hc_scenario_key *table,
                                                   const char *member, const struct hc_node *object)
{
    const struct hc_scenario_key *first = NULL;
    for (; table && table->name; table++) {
        const char *dot = table->member ? strrchr(table->member, '.') : NULL;
        if (!table->member || strcmp(dot ? dot + 1 : table->member, member) != 0)
            continue;
        if (object && object->type == HC_NODE_OBJECT && hc_node_member(object, table->name))
            return table;
        first = first ? first : table;
    }
    return first;
}

/* Put keys of the document in place of the engine's names for them. Returns the row of the last one
 * that had to be replaced, or NULL. */
static const struct hc_scenario_key *name_keys(struct hc_pointer *pointer, struct hc_node *root)
{
    const struct hc_scenario_key *table = hc_scenario_keys, *replaced = NULL;
    for (size_t i = 0; i < pointer->n && table; i++) {
        const struct hc_scenario_key *row = hc_scenario_key(table, pointer->token[i]);
        if (!row &&
            (row = row_of_member(table, pointer->token[i], hc_pointer_walk(pointer, i, root)))) {
            pointer->token[i] = row->name;
            replaced = row;
        }
        table = row ? row->members : NULL;
        if (row && (row->kind == HC_KEY_NAMED || row->kind == HC_KEY_LIST))
            i++; /* any name, or a place */
    }
    return replaced;
}

static void put_pointer(char text[HC_POINTER_SIZE], const struct hc_pointer *pointer)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < pointer->n && n < HC_POINTER_SIZE; i++)
        n += (size_t)snprintf(text + n, HC_POINTER_SIZE - n, "/%s", pointer->token[i]);
}

/* The message of the engine begins with a pointer whose last names may be its own: the complaint
 * names the keys, and is at what of them the document has. Where a number is in another unit than
 * that of the key, the name is left that says so. */
static void complain(struct hc_scenario *scenario, struct hc_node *root, const char *message)
{
    char text[HC_POINTER_SIZE], as[64] = "";
    struct hc_pointer pointer;
    size_t length = *message == '/' ? strcspn(message, ":") : 0;
    const char *what = length && message[length] ? message + length + 1 : message;
    what += strspn(what, " ");
    snprintf(text, sizeof text, "%.*s", (int)length, message);
    if (hc_pointer_parse(&pointer, text)) {
        const struct hc_scenario_key *row = name_keys(&pointer, root);
        if (row)
            put_pointer(text, &pointer);
        if (row && row->scale > 0 && row->scale != 1 && strpbrk(what, "123456789"))
            snprintf(as, sizeof as, " (as %s)", row->member);
    } else {
        pointer.n = 0;
    }
    size_t n = pointer.n;
    struct hc_node *node = NULL;
    while (!(node = hc_pointer_walk(&pointer, n, root)))
        n--;
    hc_scenario_complain(&scenario->errors, &node->place, text, "%s%s", what, as);
}

static enum hc_status bind_and_check(struct hc_scenario *scenario, struct hc_node *root,
                                     struct hc_lifetime_config *config, struct hc_error *err)
{
    struct hc_error refusal = {.status = HC_OK};
    if (hc_scenario_check_jobs(&scenario->arena, root, &scenario->errors, err))
        return err->status;
    if (scenario->errors.n)
        return HC_OK;
    enum hc_status status = hc_scenario_bind(config, root, &scenario->arena, &refusal);
    if (status == HC_OK)
        status = hc_lifetime_config_check(config, &refusal);
    if (status == HC_BAD_INPUT) {
        complain(scenario, root, refusal.message);
        return HC_OK;
    }
    if (status)
        *err = refusal;
    return status;
}

enum hc_status hc_scenario_check_point(struct hc_scenario *scenario, struct hc_node *root,
                                       struct hc_lifetime_config *config, struct hc_error *err)
{
    *config = hc_lifetime_config_defaults();
    hc_scenario_check(root, &scenario->errors);
    hc_scenario_check_lifetime(root, &scenario->errors);
    return scenario->errors.n ? HC_OK : bind_and_check(scenario, root, config, err);
}

enum hc_status hc_scenario_check_engine(struct hc_scenario *scenario, const struct hc_study *study,
                                        struct hc_error *err)
{
    enum hc_status status = HC_OK;
    struct hc_lifetime_config config;
    if (scenario->errors.n)
        return HC_OK;
    struct hc_arena_mark mark = hc_arena_mark(&scenario->arena);
    for (size_t i = 0; i < study->n_variants && status == HC_OK; i++) {
        scenario->errors.variant = i ? study->variant[i].name : NULL;
        status = bind_and_check(scenario, study->variant[i].root, &config, err);
    }
    scenario->errors.variant = NULL;
    hc_arena_release(&scenario->arena, mark);
    hc_scenario_errors_sort(&scenario->errors);
    return status;
}

enum hc_status hc_scenario_prepare_from(struct hc_scenario *scenario, struct hc_study *study,
                                        const struct hc_scenario_request *request,
                                        struct hc_error *err)
{
    const struct hc_archive_options archive = {.path = request->archive};
    enum hc_status status = hc_scenario_load(scenario, request->path, request->settings, err);
    if (status == HC_OK)
        status = hc_study_read(study, scenario, err);
    if (status == HC_OK && scenario->root && !scenario->is_other && !scenario->errors.n)
        status = hc_scenario_read_records(scenario, study, hc_archive_path(&archive), err);
    if (status == HC_OK && scenario->root && !scenario->is_other)
        status = hc_scenario_check_engine(scenario, study, err);
    hc_scenario_errors_sort(&scenario->errors);
    return status;
}

enum hc_status hc_scenario_prepare(struct hc_scenario *scenario, struct hc_study *study,
                                   const char *path, const struct hc_words *settings,
                                   struct hc_error *err)
{
    const struct hc_scenario_request request = {.path = path, .settings = settings};
    return hc_scenario_prepare_from(scenario, study, &request, err);
}
