#include "models/timings/timed_set.h"

#include "core/base/memory.h"
#include "core/tables/collectives/timed_tables.h"
#include "core/text/collective_op.h"

#include <stdlib.h>
#include <string.h>

enum names { OF_COMMUNICATOR, OF_NAME, OF_PROCESS, OF_OP, OF_VERSION, N_NAMES };

/* Codes of a log to codes of the set. */
struct hc_timed_codes {
    const struct hc_text_set *from[N_NAMES];
    size_t n[N_NAMES], capacity[N_NAMES];
    int32_t *code[N_NAMES];
};

static void loading_free(struct hc_timed_codes *codes)
{
    for (int i = 0; codes && i < N_NAMES; i++)
        free(codes->code[i]);
    free(codes);
}

void hc_timed_set_fini(struct hc_timed_set *set)
{
    loading_free(set->loading);
    hc_text_set_fini(&set->ids);
    hc_text_set_fini(&set->names);
    hc_text_set_fini(&set->processes);
    hc_text_set_fini(&set->ops);
    hc_text_set_fini(&set->versions);
    free(set->communicators);
    free(set->records);
    free(set->logs);
    memset(set, 0, sizeof *set);
}

enum hc_status hc_timed_set_begin(struct hc_timed_set *set, const struct hc_table_names *names,
                                  struct hc_error *err)
{
    static const char *const dictionaries[N_NAMES] = {[OF_COMMUNICATOR] = "communicator",
                                                      [OF_NAME] = "communicator_name",
                                                      [OF_PROCESS] = "process",
                                                      [OF_OP] = "collective",
                                                      [OF_VERSION] = "log_version"};
    struct hc_timed_codes *codes = hc_new_array(1, sizeof *codes, err);
    if (!codes)
        return err->status;
    set->loading = codes;
    for (int d = 0; d < N_NAMES; d++) {
        for (size_t i = 0; i < names->n; i++)
            if (strcmp(names->dictionary[i], dictionaries[d]) == 0)
                codes->from[d] = &names->set[i];
        if (!codes->from[d])
            return hc_fail(err, HC_INTERNAL, "logs have no dictionary '%s'", dictionaries[d]);
    }
    return HC_OK;
}

void hc_timed_set_end(struct hc_timed_set *set)
{
    loading_free(set->loading);
    set->loading = NULL;
}

/* ---- codes ---- */

static enum hc_status learn_text(struct hc_timed_set *set, enum names names, const char *text,
                                 int32_t *code, struct hc_error *err)
{
    char op[HC_COLLECTIVE_OP];
    struct hc_text_set *const to[N_NAMES] = {[OF_COMMUNICATOR] = &set->ids,
                                             [OF_NAME] = &set->names,
                                             [OF_PROCESS] = &set->processes,
                                             [OF_OP] = &set->ops,
                                             [OF_VERSION] = &set->versions};
    if (names == OF_OP) {
        hc_collective_op(op, text, strlen(text));
        text = op;
    }
    return hc_text_set_add(to[names], text, strlen(text), code, err);
}

/* Reading adds texts as it goes: those that came since the last batch. */
static enum hc_status learn_texts(struct hc_timed_set *set, struct hc_error *err)
{
    struct hc_timed_codes *codes = set->loading;
    for (int d = 0; d < N_NAMES; d++) {
        const struct hc_text_set *from = codes->from[d];
        if (hc_reserve(&codes->code[d], &codes->capacity[d], from->n, sizeof **codes->code, err))
            return err->status;
        for (; codes->n[d] < from->n; codes->n[d]++)
            if (learn_text(set, (enum names)d, from->text[codes->n[d]],
                           &codes->code[d][codes->n[d]], err))
                return err->status;
    }
    if (hc_reserve(&set->communicators, &set->communicators_capacity, set->ids.n,
                   sizeof *set->communicators, err))
        return err->status;
    for (; set->n_communicators < set->ids.n; set->n_communicators++)
        set->communicators[set->n_communicators] =
            (struct hc_timed_communicator){HC_MISSING_I32, HC_MISSING_I32, HC_MISSING_I32};
    return HC_OK;
}

static int32_t code_at(const struct hc_timed_codes *codes, enum names names, int32_t code)
{
    bool is_known = code >= 0 && (size_t)code < codes->n[names];
    return is_known ? codes->code[names][code] : HC_MISSING_I32;
}

/* ---- rows ---- */

static enum hc_status add_records(struct hc_timed_set *set, const struct hc_table *rows,
                                  struct hc_error *err)
{
    const struct hc_timed_codes *codes = set->loading;
    if (hc_reserve(&set->records, &set->records_capacity, set->n_records + rows->n_rows,
                   sizeof *set->records, err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++) {
        struct hc_timed_record record = {
            .seq = hc_table_i64(rows, HC_TIMED_SEQ)[i],
            .bytes = hc_table_i64(rows, HC_TIMED_BYTES)[i],
            .duration_ns = hc_table_i64(rows, HC_TIMED_DURATION_NS)[i],
            .algobw_gb_s = hc_table_f64(rows, HC_TIMED_ALGOBW_GB_S)[i],
            .busbw_gb_s = hc_table_f64(rows, HC_TIMED_BUSBW_GB_S)[i],
            .communicator =
                code_at(codes, OF_COMMUNICATOR, hc_table_i32(rows, HC_TIMED_COMMUNICATOR)[i]),
            .process = code_at(codes, OF_PROCESS, hc_table_i32(rows, HC_TIMED_PROCESS)[i]),
            .op = code_at(codes, OF_OP, hc_table_i32(rows, HC_TIMED_OP)[i]),
            .rank = hc_table_i32(rows, HC_TIMED_RANK)[i],
            .peer = hc_table_i32(rows, HC_TIMED_PEER)[i],
            .source = hc_table_i32(rows, HC_TIMED_SOURCE)[i],
            .is_p2p = hc_table_i32(rows, HC_TIMED_IS_P2P)[i] == 1,
        };
        if (record.communicator < 0 || record.process < 0 || record.op < 0)
            return hc_fail(err, HC_BAD_INPUT,
                           "a timed collective has no communicator, process "
                           "or op: the segment is damaged");
        set->records[set->n_records++] = record;
    }
    return HC_OK;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b; /* missing is the least of all */
}

static void add_places(struct hc_timed_set *set, const struct hc_table *rows)
{
    const struct hc_timed_codes *codes = set->loading;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int32_t id = code_at(codes, OF_COMMUNICATOR, hc_table_i32(rows, HC_PLACES_COMMUNICATOR)[i]);
        int32_t name = code_at(codes, OF_NAME, hc_table_i32(rows, HC_PLACES_NAME)[i]);
        if (id < 0)
            continue;
        struct hc_timed_communicator *to = &set->communicators[id];
        to->n_ranks = larger(to->n_ranks, hc_table_i32(rows, HC_PLACES_N_RANKS)[i]);
        to->n_nodes = larger(to->n_nodes, hc_table_i32(rows, HC_PLACES_N_NODES)[i]);
        if (name >= 0 &&
            (to->name < 0 || strcmp(set->names.text[name], set->names.text[to->name]) < 0))
            to->name = name;
    }
}

static enum hc_status add_logs(struct hc_timed_set *set, const struct hc_table *rows,
                               struct hc_error *err)
{
    const struct hc_timed_codes *codes = set->loading;
    if (hc_reserve(&set->logs, &set->logs_capacity, set->n_logs + rows->n_rows, sizeof *set->logs,
                   err))
        return err->status;
    for (size_t i = 0; i < rows->n_rows; i++)
        set->logs[set->n_logs++] = (struct hc_timed_log){
            .process = code_at(codes, OF_PROCESS, hc_table_i32(rows, HC_LOGS_PROCESS)[i]),
            .version = code_at(codes, OF_VERSION, hc_table_i32(rows, HC_LOGS_VERSION)[i]),
            .n_records = hc_table_i64(rows, HC_LOGS_N_RECORDS)[i],
            .n_dropped = hc_table_i64(rows, HC_LOGS_N_DROPPED)[i],
            .n_other = hc_table_i64(rows, HC_LOGS_N_OTHER)[i],
            .is_cut = hc_table_i32(rows, HC_LOGS_IS_CUT)[i] == 1,
            .is_unknown = hc_table_i32(rows, HC_LOGS_IS_UNKNOWN)[i] == 1,
        };
    return HC_OK;
}

enum hc_status hc_timed_set_add(struct hc_timed_set *set, const struct hc_table *rows,
                                struct hc_error *err)
{
    if (learn_texts(set, err))
        return err->status;
    if (rows->def == &hc_timed_def)
        return add_records(set, rows, err);
    if (rows->def == &hc_places_def)
        add_places(set, rows);
    return rows->def == &hc_logs_def ? add_logs(set, rows, err) : HC_OK;
}
