#include "models/account/night/night_members.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_names(const struct hc_night *night, enum hc_cube_dimension dimension)
{
    return dimension == HC_CUBE_RUN ? night->runs.n : night->cube.names[dimension].n;
}

/* Sums by name: how many each has, then where the next one goes, then back. */
static void sort_sums(struct hc_night_members *members)
{
    const struct hc_account_cube *cube = &members->result->night->cube;
    struct hc_cube_place place;
    struct hc_cube_cell cell;
    for (size_t i = 0; i < cube->of_key.n; i++) {
        hc_cube_get(cube, i, &place, &cell);
        if (place.dimension == members->dimension)
            members->first[place.name + 1]++;
    }
    for (size_t i = 0; i < members->n; i++)
        members->first[i + 1] += members->first[i];
    for (size_t i = 0; i < cube->of_key.n; i++) {
        hc_gpu_ns gpu_ns = hc_cube_get(cube, i, &place, &cell);
        if (place.dimension == members->dimension)
            members->sums[members->first[place.name]++] =
                (struct hc_member_sum){place.day, cell, gpu_ns};
    }
    for (size_t i = members->n; i > 0; i--)
        members->first[i] = members->first[i - 1];
    members->first[0] = 0;
}

enum hc_status hc_night_members_make(struct hc_night_members *members,
                                     const struct hc_night_result *result,
                                     enum hc_cube_dimension dimension, struct hc_error *err)
{
    size_t n_sums = 0;
    const struct hc_account_cube *cube = &result->night->cube;
    *members = (struct hc_night_members){
        .result = result, .dimension = dimension, .n = count_names(result->night, dimension)};
    for (size_t i = 0; i < cube->of_key.n; i++) {
        struct hc_cube_place place;
        struct hc_cube_cell cell;
        hc_cube_get(cube, i, &place, &cell);
        n_sums += place.dimension == dimension;
    }
    members->first = hc_new_array(members->n + 2, sizeof *members->first, err);
    members->sums = members->first ? hc_new_array(n_sums, sizeof *members->sums, err) : NULL;
    if (!members->sums)
        return err->status;
    sort_sums(members);
    return HC_OK;
}

int32_t hc_night_members_find(const struct hc_night_members *members, const char *name)
{
    return hc_text_set_find(&members->result->night->cube.names[members->dimension], name,
                            strlen(name));
}

int32_t hc_night_members_run(const struct hc_night_members *members, const struct hc_run_row *row)
{
    return (int32_t)(row->run - members->result->night->runs.list);
}

void hc_night_members_fini(struct hc_night_members *members)
{
    free(members->first);
    free(members->sums);
    *members = (struct hc_night_members){.n = 0};
}

/* ---- one of them ---- */

enum hc_status hc_night_member_make(struct hc_night_member *member,
                                    const struct hc_night_members *members, int32_t code,
                                    struct hc_error *err)
{
    const struct hc_night_result *result = members->result;
    const struct hc_night_days *days = &result->night->days;
    *member = (struct hc_night_member){.n_days = days->n};
    hc_gpu_ns(*by_day)[HC_WHAT_COUNT] = hc_new_array(days->n, sizeof *by_day, err);
    hc_gpu_ns by_what[HC_WHAT_COUNT] = {0};
    member->days = by_day ? hc_new_array(days->n, sizeof *member->days, err) : NULL;
    if (!member->days) {
        free(by_day);
        return err->status;
    }
    size_t from = code < 0 ? 0 : members->first[code], to = code < 0 ? 0 : members->first[code + 1];
    for (size_t i = from; i < to; i++) {
        const struct hc_member_sum *sum = &members->sums[i];
        by_day[sum->day][sum->cell.what] += sum->gpu_ns;
        if ((size_t)sum->day < result->range.first || (size_t)sum->day > result->range.last)
            continue;
        member->leaves[sum->cell.what][sum->cell.why] += sum->gpu_ns;
        by_what[sum->cell.what] += sum->gpu_ns;
    }
    for (size_t day = 0; day < days->n; day++)
        hc_night_group_row(&member->days[day], days->names[day], by_day[day], NAN);
    hc_night_group_row(&member->all, "", by_what, NAN);
    free(by_day);
    return HC_OK;
}

void hc_night_member_fini(struct hc_night_member *member)
{
    free(member->days);
    member->days = NULL;
}
