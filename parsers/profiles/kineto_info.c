#include "parsers/profiles/kineto_info.h"

#include "core/tables/profile_tables.h"

#include <stdlib.h>
#include <string.h>

void hc_kineto_info_init(struct hc_kineto_info *info)
{
    memset(info, 0, sizeof *info);
    info->rank = info->world_size = HC_MISSING_I32;
}

void hc_kineto_info_fini(struct hc_kineto_info *info)
{
    free(info->group);
    free(info->member);
    hc_kineto_info_init(info);
}

/* A number from 0 on, else missing. */
static int32_t number_of(const struct hc_trace_value *value)
{
    int64_t number = -1;
    return hc_trace_i64(value, &number) && number >= 0 && number <= INT32_MAX ? (int32_t)number
                                                                              : HC_MISSING_I32;
}

/* ---- walking ---- */

struct walk {
    struct hc_kineto_info *info;
    struct hc_trace_text *text;
    const struct hc_kineto_group_names *names;
    bool *is_good;
};

typedef enum hc_status take_member(struct walk *walk, const struct hc_trace_value *key,
                                   struct hc_error *err);

static enum hc_status next(struct walk *walk, struct hc_trace_value *token, struct hc_error *err)
{
    if (hc_trace_text_token(walk->text, token, err))
        return err->status;
    *walk->is_good &= token->kind != HC_TRACE_BAD && token->kind != HC_TRACE_END;
    return HC_OK;
}

static enum hc_status skip(struct walk *walk, const struct hc_trace_value *first,
                           struct hc_error *err)
{
    bool is_good = true;
    enum hc_status status = hc_trace_text_skip(walk->text, first, &is_good, err);
    *walk->is_good &= is_good;
    return status;
}

static enum hc_status skip_next(struct walk *walk, struct hc_error *err)
{
    struct hc_trace_value token;
    enum hc_status status = next(walk, &token, err);
    return status || !*walk->is_good ? status : skip(walk, &token, err);
}

/* A value that should be a number; anything else is read over. */
static enum hc_status take_number(struct walk *walk, int32_t *number, struct hc_error *err)
{
    struct hc_trace_value token;
    if (next(walk, &token, err))
        return err->status;
    *number = number_of(&token);
    return *walk->is_good ? skip(walk, &token, err) : HC_OK;
}

static enum hc_status take_name(struct walk *walk, struct hc_trace_names *names, int32_t *code,
                                struct hc_error *err)
{
    struct hc_trace_value token;
    if (next(walk, &token, err))
        return err->status;
    if (token.kind == HC_TRACE_STRING || token.kind == HC_TRACE_LITERAL)
        return hc_trace_name_code(names, &token, code, err);
    return *walk->is_good ? skip(walk, &token, err) : HC_OK;
}

/* The members of an object whose brace was given. */
static enum hc_status walk_object(struct walk *walk, take_member *take, struct hc_error *err)
{
    struct hc_trace_value key, colon;
    char text[32];
    for (;;) {
        if (next(walk, &key, err))
            return err->status;
        if (hc_trace_is_mark(&key, ','))
            continue;
        if (hc_trace_is_mark(&key, '}') || !*walk->is_good)
            return HC_OK;
        *walk->is_good = key.kind == HC_TRACE_STRING;
        /* The window moves with the next token: the key stays as a copy, a long one as none. */
        uint32_t length = key.length < sizeof text ? key.length : 0;
        if (length)
            memcpy(text, key.text, length);
        key.text = text;
        key.length = length;
        if (!*walk->is_good || next(walk, &colon, err))
            return *walk->is_good ? err->status : HC_OK;
        *walk->is_good &= hc_trace_is_mark(&colon, ':');
        if (*walk->is_good && take(walk, &key, err))
            return err->status;
        if (!*walk->is_good)
            return HC_OK;
    }
}

/* ---- groups ---- */

static enum hc_status add_member(struct walk *walk, int32_t rank, struct hc_error *err)
{
    struct hc_kineto_info *info = walk->info;
    if (rank == HC_MISSING_I32)
        return HC_OK;
    if (info->n_members == HC_KINETO_MOST_MEMBERS)
        return hc_fail(err, HC_BAD_INPUT, "the process groups have more than %zu members",
                       HC_KINETO_MOST_MEMBERS);
    if (hc_reserve(&info->member, &info->member_capacity, info->n_members + 1, sizeof *info->member,
                   err))
        return err->status;
    info->member[info->n_members++] = rank;
    info->group[info->n_groups - 1].n++;
    return HC_OK;
}

/* "[0, 1, 2]", as on-demand traces write it. Of "[0, 1, ...]" no member is taken: which ranks a
 * group has is all or nothing. */
static enum hc_status take_quoted_members(struct walk *walk, const struct hc_trace_value *list,
                                          struct hc_error *err)
{
    size_t n = list->length;
    const char *text = list->text;
    if (n >= 3 && memmem(text, n, "...", 3))
        return HC_OK;
    for (size_t i = 0; i < n;) {
        size_t first = i;
        while (i < n && text[i] >= '0' && text[i] <= '9')
            i++;
        const struct hc_trace_value number = {HC_TRACE_LITERAL, false, (uint32_t)(i - first),
                                              text + first};
        if (i > first && add_member(walk, number_of(&number), err))
            return err->status;
        i += i == first;
    }
    return HC_OK;
}

static enum hc_status take_members(struct walk *walk, struct hc_error *err)
{
    struct hc_trace_value token;
    if (next(walk, &token, err))
        return err->status;
    if (token.kind == HC_TRACE_STRING)
        return take_quoted_members(walk, &token, err);
    if (!*walk->is_good || !hc_trace_is_mark(&token, '['))
        return *walk->is_good ? skip(walk, &token, err) : HC_OK;
    enum hc_status status = next(walk, &token, err);
    while (!status && *walk->is_good && !hc_trace_is_mark(&token, ']')) {
        *walk->is_good = token.kind != HC_TRACE_MARK || hc_trace_is_mark(&token, ',');
        if (token.kind == HC_TRACE_LITERAL)
            status = add_member(walk, number_of(&token), err);
        if (!status && *walk->is_good)
            status = next(walk, &token, err);
    }
    return status;
}

static enum hc_status take_group_member(struct walk *walk, const struct hc_trace_value *key,
                                        struct hc_error *err)
{
    struct hc_kineto_group *group = &walk->info->group[walk->info->n_groups - 1];
    if (hc_trace_is(key, "pg_name"))
        return take_name(walk, walk->names->group, &group->name, err);
    if (hc_trace_is(key, "pg_desc"))
        return take_name(walk, walk->names->description, &group->description, err);
    if (hc_trace_is(key, "pg_size"))
        return take_number(walk, &group->size, err);
    return hc_trace_is(key, "ranks") ? take_members(walk, err) : skip_next(walk, err);
}

static enum hc_status take_group(struct walk *walk, struct hc_error *err)
{
    struct hc_kineto_info *info = walk->info;
    if (hc_reserve(&info->group, &info->group_capacity, info->n_groups + 1, sizeof *info->group,
                   err))
        return err->status;
    info->group[info->n_groups++] = (struct hc_kineto_group){HC_MISSING_I32, HC_MISSING_I32,
                                                             HC_MISSING_I32, info->n_members, 0};
    return walk_object(walk, take_group_member, err);
}

static enum hc_status take_groups(struct walk *walk, struct hc_error *err)
{
    struct hc_trace_value token;
    if (next(walk, &token, err))
        return err->status;
    if (!*walk->is_good || !hc_trace_is_mark(&token, '['))
        return *walk->is_good ? skip(walk, &token, err) : HC_OK;
    enum hc_status status = next(walk, &token, err);
    while (!status && *walk->is_good && !hc_trace_is_mark(&token, ']')) {
        if (hc_trace_is_mark(&token, '{'))
            status = take_group(walk, err);
        else if (!hc_trace_is_mark(&token, ','))
            status = skip(walk, &token, err);
        if (!status && *walk->is_good)
            status = next(walk, &token, err);
    }
    return status;
}

/* ---- the whole ---- */

static enum hc_status take_info_member(struct walk *walk, const struct hc_trace_value *key,
                                       struct hc_error *err)
{
    if (hc_trace_is(key, "rank"))
        return take_number(walk, &walk->info->rank, err);
    if (hc_trace_is(key, "world_size"))
        return take_number(walk, &walk->info->world_size, err);
    return hc_trace_is(key, "pg_config") ? take_groups(walk, err) : skip_next(walk, err);
}

enum hc_status hc_kineto_info_read(struct hc_kineto_info *info, struct hc_trace_text *text,
                                   const struct hc_kineto_group_names *names, bool *is_good,
                                   struct hc_error *err)
{
    struct walk walk = {info, text, names, is_good};
    struct hc_trace_value token;
    *is_good = true;
    info->n_groups = info->n_members = 0;
    if (next(&walk, &token, err))
        return err->status;
    if (!*is_good || !hc_trace_is_mark(&token, '{'))
        return *is_good ? skip(&walk, &token, err) : HC_OK;
    return walk_object(&walk, take_info_member, err);
}

void hc_kineto_info_rows(struct hc_kineto_info *info, struct hc_table *rows)
{
    for (; info->next_group < info->n_groups; info->next_group++, info->next_member = 0) {
        const struct hc_kineto_group *group = &info->group[info->next_group];
        do {
            if (rows->n_rows == rows->capacity)
                return;
            size_t row = rows->n_rows++;
            hc_table_i32(rows, HC_GROUPS_GROUP)[row] = group->name;
            hc_table_i32(rows, HC_GROUPS_DESCRIPTION)[row] = group->description;
            hc_table_i32(rows, HC_GROUPS_SIZE)[row] = group->size;
            hc_table_i32(rows, HC_GROUPS_MEMBER)[row] =
                group->n ? info->member[group->first + info->next_member] : HC_MISSING_I32;
        } while (++info->next_member < group->n);
    }
}
