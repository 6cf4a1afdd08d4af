#include "parsers/collectives/dump_rows.h"

#include "core/base/printable.h"
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/profile_tables.h"
#include "core/text/number_text.h"
#include "parsers/collectives/dump_sizes.h"
#include "parsers/collectives/rank_of_name.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum hc_status hc_dump_rows_init(struct hc_dump_rows *rows, const struct hc_source *source,
                                 struct hc_table_names *names, struct hc_error *err)
{
    static const char *const dictionaries[HC_DUMP_N_DICTIONARIES] = {
        [HC_DUMP_OF_GROUP] = "group",         [HC_DUMP_OF_DESCRIPTION] = "group_description",
        [HC_DUMP_OF_OP] = "collective",       [HC_DUMP_OF_SIZES] = "sizes",
        [HC_DUMP_OF_DTYPE] = "dtype",         [HC_DUMP_OF_THREAD] = "thread",
        [HC_DUMP_OF_VERSION] = "dump_version"};
    *rows = (struct hc_dump_rows){.source = source};
    memset(rows->last, -1, sizeof rows->last);
    for (int d = 0; d < HC_DUMP_N_DICTIONARIES; d++) {
        for (size_t i = 0; i < names->n; i++)
            if (strcmp(names->dictionary[i], dictionaries[d]) == 0)
                rows->set[d] = &names->set[i];
        if (!rows->set[d])
            return hc_fail(err, HC_INTERNAL, "the kind of dumps has no dictionary '%s'",
                           dictionaries[d]);
    }
    return HC_OK;
}

/* ---- an entry ---- */

/* Dumps use few texts over and over: those asked for last are compared before they are looked up.
 */
static enum hc_status find_code(struct hc_dump_rows *rows, enum hc_dump_dictionary dictionary,
                                const char *text, size_t size, int32_t *code, struct hc_error *err)
{
    struct hc_text_set *set = rows->set[dictionary];
    size_t key = size + (size ? (unsigned char)text[size - 1] : 0);
    int32_t *last = &rows->last[dictionary][key % HC_DUMP_LAST_CODES];
    if (*last >= 0 && (size_t)*last < set->n && strncmp(set->text[*last], text, size) == 0 &&
        set->text[*last][size] == '\0') {
        *code = *last;
        return HC_OK;
    }
    if (hc_text_set_add(set, text, size, code, err))
        return err->status;
    *last = *code;
    return HC_OK;
}

/* The code of a text of a dictionary; missing for what is no text. */
static enum hc_status code_of(struct hc_dump_rows *rows, enum hc_dump_dictionary dictionary,
                              const struct hc_dump_value *value, int32_t *code,
                              struct hc_error *err)
{
    *code = HC_MISSING_I32;
    if (!value || value->kind != HC_DUMP_TEXT || memchr(value->text, '\0', value->size))
        return HC_OK;
    return find_code(rows, dictionary, value->text, value->size, code, err);
}

static int64_t whole_of(const struct hc_dump_value *value)
{
    return value && (value->kind == HC_DUMP_INT || value->kind == HC_DUMP_BOOL) ? value->whole
                                                                                : HC_MISSING_I64;
}

static int32_t flag_of(const struct hc_dump_value *value)
{
    return value && value->kind == HC_DUMP_BOOL ? (int32_t)value->whole : HC_MISSING_I32;
}

/* Milliseconds, whole or not, as nanoseconds. */
static int64_t ns_of(const struct hc_dump_value *value)
{
    double ns = !value                         ? NAN
                : value->kind == HC_DUMP_INT   ? (double)value->whole * 1e6
                : value->kind == HC_DUMP_FLOAT ? value->real * 1e6
                                               : NAN;
    return fabs(ns) < 9e18 ? llround(ns) : HC_MISSING_I64;
}

static int32_t state_of(const struct hc_dump_value *value)
{
    static const char *const names[] = {"scheduled", "started", "completed"};
    for (int32_t i = 0; value && value->kind == HC_DUMP_TEXT && i < 3; i++)
        if (strcmp(value->text, names[i]) == 0)
            return i;
    return HC_MISSING_I32;
}

/* "nccl:send 0->3", "nccl:recv 3<-0": places in the group. */
static void read_ends(const char *name, int32_t *source, int32_t *destination)
{
    const char *blank = strchr(name, ' ');
    *source = *destination = HC_MISSING_I32;
    if (!blank)
        return;
    char *arrow = NULL, *end = NULL;
    long left = strtol(blank + 1, &arrow, 10);
    bool is_send = strncmp(arrow, "->", 2) == 0;
    if (arrow == blank + 1 || (!is_send && strncmp(arrow, "<-", 2) != 0) ||
        !isdigit((unsigned char)arrow[2]))
        return;
    long right = strtol(arrow + 2, &end, 10);
    if (left < 0 || left > INT32_MAX || right > INT32_MAX)
        return;
    *source = (int32_t)(is_send ? left : right);
    *destination = (int32_t)(is_send ? right : left);
}

/* The pairs of an entry by word, NULL where absent. */
struct fields {
    const struct hc_dump_value *of[HC_N_WORDS];
};

static struct fields fields_of(const struct hc_dump_value *pairs, size_t n)
{
    struct fields fields = {{NULL}};
    for (size_t i = 0; i + 1 < n; i += 2)
        if (pairs[i].kind == HC_DUMP_TEXT)
            fields.of[pairs[i].word] = &pairs[i + 1];
    return fields;
}

static enum hc_status put_group(struct hc_dump_rows *rows, const struct hc_dump_value *group,
                                size_t row, struct hc_error *err)
{
    const struct hc_table *to = &rows->tables[HC_COLLECTIVE_ENTRIES];
    const struct hc_dump_value *name = group, *description = NULL;
    if (group && group->kind == HC_DUMP_LIST) {
        name = group->list->n > 0 ? &group->list->items[0] : NULL;
        description = group->list->n > 1 ? &group->list->items[1] : NULL;
    }
    return code_of(rows, HC_DUMP_OF_GROUP, name, &hc_table_i32(to, HC_ENTRIES_GROUP)[row], err)
               ? err->status
               : code_of(rows, HC_DUMP_OF_DESCRIPTION, description,
                         &hc_table_i32(to, HC_ENTRIES_DESCRIPTION)[row], err);
}

/* Shapes and types of one side of an entry. */
static enum hc_status put_side(struct hc_dump_rows *rows, const struct fields *fields,
                               bool is_input, size_t row, struct hc_error *err)
{
    const struct hc_table *to = &rows->tables[HC_COLLECTIVE_ENTRIES];
    const struct hc_dump_value *sizes =
        fields->of[is_input ? HC_WORD_INPUT_SIZES : HC_WORD_OUTPUT_SIZES];
    const struct hc_dump_value *types =
        fields->of[is_input ? HC_WORD_INPUT_DTYPES : HC_WORD_OUTPUT_DTYPES];
    size_t elements_column = is_input ? HC_ENTRIES_IN_ELEMENTS : HC_ENTRIES_OUT_ELEMENTS;
    size_t sizes_column = is_input ? HC_ENTRIES_IN_SIZES : HC_ENTRIES_OUT_SIZES;
    size_t types_column = is_input ? HC_ENTRIES_IN_DTYPES : HC_ENTRIES_OUT_DTYPES;
    struct hc_dump_sizes text;
    int32_t *code = &hc_table_i32(to, sizes_column)[row];
    *code = HC_MISSING_I32;
    hc_table_i64(to, elements_column)[row] = hc_dump_elements(sizes);
    if (hc_dump_sizes_text(sizes, &text) &&
        find_code(rows, HC_DUMP_OF_SIZES, text.text, text.length, code, err))
        return err->status;
    code = &hc_table_i32(to, types_column)[row];
    *code = HC_MISSING_I32;
    if (hc_dump_types_text(types, &text) &&
        find_code(rows, HC_DUMP_OF_DTYPE, text.text, text.length, code, err))
        return err->status;
    return HC_OK;
}

static enum hc_status put_entry(struct hc_dump_rows *rows, const struct fields *fields, size_t row,
                                struct hc_error *err)
{
    static const struct {
        enum hc_entries_column column;
        enum hc_dump_word word;
    } wholes[] = {
        {HC_ENTRIES_RECORD_ID, HC_WORD_RECORD_ID},   {HC_ENTRIES_LOCAL_GROUP, HC_WORD_PG_ID},
        {HC_ENTRIES_SEQ, HC_WORD_COLLECTIVE_SEQ_ID}, {HC_ENTRIES_P2P_SEQ, HC_WORD_P2P_SEQ_ID},
        {HC_ENTRIES_CREATED_NS, HC_WORD_CREATED},    {HC_ENTRIES_STARTED_NS, HC_WORD_STARTED},
        {HC_ENTRIES_COMPLETED_NS, HC_WORD_COMPLETED}};
    const struct hc_table *to = &rows->tables[HC_COLLECTIVE_ENTRIES];
    const struct hc_dump_value *name = fields->of[HC_WORD_PROFILING_NAME];
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++)
        hc_table_i64(to, wholes[i].column)[row] = whole_of(fields->of[wholes[i].word]);
    hc_table_i64(to, HC_ENTRIES_DURATION_NS)[row] = ns_of(fields->of[HC_WORD_DURATION]);
    hc_table_i64(to, HC_ENTRIES_TIMEOUT_NS)[row] = ns_of(fields->of[HC_WORD_TIMEOUT]);
    hc_table_i32(to, HC_ENTRIES_IS_P2P)[row] = flag_of(fields->of[HC_WORD_IS_P2P]);
    hc_table_i32(to, HC_ENTRIES_IS_RETIRED)[row] = flag_of(fields->of[HC_WORD_RETIRED]);
    hc_table_i32(to, HC_ENTRIES_STATE)[row] = state_of(fields->of[HC_WORD_STATE]);
    read_ends(name && name->kind == HC_DUMP_TEXT ? name->text : "",
              &hc_table_i32(to, HC_ENTRIES_SOURCE)[row],
              &hc_table_i32(to, HC_ENTRIES_DESTINATION)[row]);
    if (put_group(rows, fields->of[HC_WORD_PROCESS_GROUP], row, err) ||
        code_of(rows, HC_DUMP_OF_OP, name, &hc_table_i32(to, HC_ENTRIES_OP)[row], err) ||
        code_of(rows, HC_DUMP_OF_THREAD, fields->of[HC_WORD_THREAD_NAME],
                &hc_table_i32(to, HC_ENTRIES_THREAD)[row], err) ||
        put_side(rows, fields, true, row, err))
        return err->status;
    return put_side(rows, fields, false, row, err);
}

/* The first key without which an entry says nothing, or NULL. */
static const char *lack_of(const struct hc_table *entries, size_t row)
{
    bool is_p2p = hc_table_i32(entries, HC_ENTRIES_IS_P2P)[row] == 1;
    size_t seq = is_p2p ? HC_ENTRIES_P2P_SEQ : HC_ENTRIES_SEQ;
    return hc_table_i32(entries, HC_ENTRIES_GROUP)[row] == HC_MISSING_I32 ? "process_group"
           : hc_table_i32(entries, HC_ENTRIES_OP)[row] == HC_MISSING_I32  ? "profiling_name"
           : hc_table_i64(entries, seq)[row] < 0 ? is_p2p ? "p2p_seq_id" : "collective_seq_id"
                                                 : NULL;
}

static enum hc_status take_entry(struct hc_dump_rows *rows, const struct fields *fields,
                                 struct hc_error *err)
{
    struct hc_table *entries = &rows->tables[HC_COLLECTIVE_ENTRIES];
    size_t row = entries->n_rows;
    if (put_entry(rows, fields, row, err))
        return err->status;
    rows->n_entries++;
    rows->report->rows_read++;
    const char *lack = lack_of(entries, row);
    if (!lack) {
        entries->n_rows++;
        return HC_OK;
    }
    rows->n_dropped++;
    return hc_row_report_bad(rows->report, HC_BAD_NULL, HC_MISSING_I32, err,
                             "entry %lld: '%s' is missing, or holds no such value",
                             (long long)rows->n_entries, lack);
}

#define BIT(word) ((uint64_t)1 << (word))
_Static_assert(HC_N_WORDS <= 64, "the words of a dictionary must fit a mask");

enum hc_status hc_dump_rows_take(void *context, const struct hc_dump_value *pairs, size_t n,
                                 bool *taken, struct hc_error *err)
{
    uint64_t words = 0;
    for (size_t i = 0; i + 1 < n; i += 2)
        words |= pairs[i].kind == HC_DUMP_TEXT ? BIT(pairs[i].word) : 0;
    *taken = true;
    if (words & (BIT(HC_WORD_COLLECTIVE_SEQ_ID) | BIT(HC_WORD_PROFILING_NAME))) {
        struct fields fields = fields_of(pairs, n);
        return take_entry(context, &fields, err);
    }
    *taken = words & BIT(HC_WORD_FILENAME) && words & BIT(HC_WORD_LINE);
    return HC_OK;
}

/* ---- the dump as a whole ---- */

enum hc_status hc_dump_rows_end(struct hc_dump_rows *rows, const struct hc_dump_value *dump,
                                bool is_cut, struct hc_error *err)
{
    rows->is_over = true;
    rows->is_cut = is_cut;
    if (is_cut && rows->n_entries == 0)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is cut off before its first entry",
                       rows->source->name);
    if (dump->kind != HC_DUMP_DICT)
        return hc_fail(err, HC_BAD_INPUT, "'%s' holds no dictionary, as a dump of collectives is",
                       rows->source->name);
    struct fields fields = fields_of(dump->list->items, dump->list->n);
    if (!is_cut && !fields.of[HC_WORD_ENTRIES] && !fields.of[HC_WORD_PG_STATUS])
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has neither 'entries' nor 'pg_status', as a dump of collectives has",
                       rows->source->name);
    const struct hc_dump_value *library = fields.of[HC_WORD_NCCL_VERSION]
                                              ? fields.of[HC_WORD_NCCL_VERSION]
                                              : fields.of[HC_WORD_COMM_LIB_VERSION];
    if (fields.of[HC_WORD_PG_CONFIG])
        rows->groups = *fields.of[HC_WORD_PG_CONFIG];
    if (fields.of[HC_WORD_PG_STATUS])
        rows->progress = *fields.of[HC_WORD_PG_STATUS];
    if (fields.of[HC_WORD_VERSION])
        rows->version = *fields.of[HC_WORD_VERSION];
    if (library)
        rows->library_version = *library;
    return HC_OK;
}

static bool is_full(const struct hc_table *table)
{
    return table->n_rows == table->capacity;
}

/* The next member of a group: of "[0, 1, 2]", or of a list. False behind the last. */
static bool next_member(struct hc_dump_rows *rows, const struct hc_dump_value *ranks,
                        int64_t *member)
{
    if (ranks && ranks->kind == HC_DUMP_LIST) {
        if (rows->next_item >= ranks->list->n)
            return false;
        *member = whole_of(&ranks->list->items[rows->next_item++]);
        return true;
    }
    if (!ranks || ranks->kind != HC_DUMP_TEXT)
        return false;
    const char *at = rows->next_member ? rows->next_member : ranks->text;
    while (*at && !isdigit((unsigned char)*at))
        at++;
    if (!*at)
        return false;
    for (*member = 0; isdigit((unsigned char)*at); at++)
        *member = *member > INT32_MAX ? *member : *member * 10 + (*at - '0');
    rows->next_member = at;
    return true;
}

static int64_t count_members(const struct hc_dump_value *ranks)
{
    int64_t n = 0;
    if (ranks && ranks->kind == HC_DUMP_LIST)
        return ranks->list->n;
    if (!ranks || ranks->kind != HC_DUMP_TEXT)
        return 0;
    for (const char *at = ranks->text; *at; at++)
        n += isdigit((unsigned char)*at) && !isdigit((unsigned char)at[1]);
    return n;
}

/* Rows of one group, from the member on that is next; *done when all are there. */
static enum hc_status put_members(struct hc_dump_rows *rows, const struct hc_dump_value *pair,
                                  bool *done, struct hc_error *err)
{
    struct hc_table *to = &rows->tables[HC_COLLECTIVE_GROUPS];
    struct fields fields = {{NULL}};
    int32_t name = 0, description = 0;
    int64_t member = 0;
    if (pair[1].kind == HC_DUMP_DICT)
        fields = fields_of(pair[1].list->items, pair[1].list->n);
    const struct hc_dump_value *ranks = fields.of[HC_WORD_RANKS];
    if (code_of(rows, HC_DUMP_OF_GROUP, &pair[0], &name, err) ||
        code_of(rows, HC_DUMP_OF_DESCRIPTION, fields.of[HC_WORD_DESC], &description, err))
        return err->status;
    int64_t size = count_members(ranks);
    *done = false;
    for (bool is_first = size == 0; !is_full(to);) {
        bool has = next_member(rows, ranks, &member);
        if (!has && !is_first) {
            *done = true;
            return HC_OK;
        }
        size_t row = to->n_rows++;
        hc_table_i32(to, HC_GROUPS_GROUP)[row] = name;
        hc_table_i32(to, HC_GROUPS_DESCRIPTION)[row] = description;
        hc_table_i32(to, HC_GROUPS_SIZE)[row] = size ? (int32_t)size : HC_MISSING_I32;
        hc_table_i32(to, HC_GROUPS_MEMBER)[row] =
            has && member >= 0 && member <= INT32_MAX ? (int32_t)member : HC_MISSING_I32;
        if (is_first) {
            *done = true;
            return HC_OK;
        }
    }
    return HC_OK;
}

static enum hc_status put_groups(struct hc_dump_rows *rows, struct hc_error *err)
{
    if (rows->groups.kind != HC_DUMP_DICT)
        return HC_OK;
    const struct hc_dump_list *list = rows->groups.list;
    while (rows->next_group + 1 < list->n && !is_full(&rows->tables[HC_COLLECTIVE_GROUPS])) {
        bool done = false;
        if (put_members(rows, &list->items[rows->next_group], &done, err))
            return err->status;
        if (!done)
            return HC_OK;
        rows->next_group += 2;
        rows->next_member = NULL;
        rows->next_item = 0;
    }
    return HC_OK;
}

static int64_t number_of(const struct hc_dump_value *value)
{
    int64_t number = HC_MISSING_I64;
    if (value->kind != HC_DUMP_TEXT)
        return whole_of(value);
    return hc_text_to_i64(value->text, value->size, &number) ? HC_MISSING_I64 : number;
}

static void put_progress(struct hc_dump_rows *rows)
{
    struct hc_table *to = &rows->tables[HC_COLLECTIVE_PROGRESS];
    if (rows->progress.kind != HC_DUMP_DICT)
        return;
    const struct hc_dump_list *list = rows->progress.list;
    for (; rows->next_progress + 1 < list->n && !is_full(to); rows->next_progress += 2) {
        const struct hc_dump_value *pair = &list->items[rows->next_progress];
        struct fields fields = {{NULL}};
        size_t row = to->n_rows++;
        if (pair[1].kind == HC_DUMP_DICT)
            fields = fields_of(pair[1].list->items, pair[1].list->n);
        hc_table_i64(to, HC_PROGRESS_LOCAL_GROUP)[row] = number_of(&pair[0]);
        hc_table_i64(to, HC_PROGRESS_ENQUEUED)[row] = whole_of(fields.of[HC_WORD_LAST_ENQUEUED]);
        hc_table_i64(to, HC_PROGRESS_STARTED)[row] = whole_of(fields.of[HC_WORD_LAST_STARTED]);
        hc_table_i64(to, HC_PROGRESS_COMPLETED)[row] = whole_of(fields.of[HC_WORD_LAST_COMPLETED]);
    }
}

static enum hc_status put_dump(struct hc_dump_rows *rows, struct hc_error *err)
{
    struct hc_table *to = &rows->tables[HC_COLLECTIVE_DUMPS];
    if (is_full(to))
        return HC_OK;
    size_t row = to->n_rows++;
    int32_t *rank = &hc_table_i32(to, HC_DUMPS_RANK)[row];
    bool is_named = hc_rank_of_name(rows->source->name, rank);
    hc_table_i32(to, HC_DUMPS_RANK_ORIGIN)[row] = is_named ? HC_RANK_OF_NAME : HC_RANK_ALONE;
    hc_table_i64(to, HC_DUMPS_N_ENTRIES)[row] = rows->n_entries;
    hc_table_i64(to, HC_DUMPS_N_DROPPED)[row] = rows->n_dropped;
    hc_table_i32(to, HC_DUMPS_IS_CUT)[row] = rows->is_cut;
    rows->is_done = true;
    if (code_of(rows, HC_DUMP_OF_VERSION, &rows->version, &hc_table_i32(to, HC_DUMPS_VERSION)[row],
                err))
        return err->status;
    return code_of(rows, HC_DUMP_OF_VERSION, &rows->library_version,
                   &hc_table_i32(to, HC_DUMPS_LIBRARY_VERSION)[row], err);
}

enum hc_status hc_dump_rows_rest(struct hc_dump_rows *rows, struct hc_error *err)
{
    if (rows->is_done)
        return HC_OK;
    if (put_groups(rows, err))
        return err->status;
    put_progress(rows);
    bool has_all =
        rows->groups.kind != HC_DUMP_DICT || rows->next_group + 1 >= rows->groups.list->n;
    has_all &=
        rows->progress.kind != HC_DUMP_DICT || rows->next_progress + 1 >= rows->progress.list->n;
    return has_all ? put_dump(rows, err) : HC_OK;
}
