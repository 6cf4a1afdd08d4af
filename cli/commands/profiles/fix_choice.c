#include "cli/commands/profiles/fix_choice.h"

#include "core/base/memory.h"
#include "core/tables/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LISTED 12 /* of what there is, in a message */

enum kind { NODE, RANK, DP_RANK, STAGE };

static const struct {
    enum kind kind;
    const char *prefix, *name; /* as it is given, and in a sentence */
} kinds[] = {{NODE, "node:", "node"},
             {NODE, "host:", "node"},
             {RANK, "rank:", "rank"},
             {DP_RANK, "dp:", "dp rank"},
             {STAGE, "stage:", "stage"}};

struct choosing {
    uint8_t *chosen;
    const struct hc_fix_place *places;
    size_t n;
    const char *option, *list;
    size_t row; /* of kinds, of the item before; SIZE_MAX: there is none */
};

static void number_of(const struct hc_fix_place *place, enum kind kind, int32_t number[2])
{
    number[0] = kind == RANK ? place->first_rank : kind == STAGE ? place->stage : place->dp_rank;
    number[1] = kind == RANK ? place->last_rank : number[0];
}

/* What a place is called; "" where that is not known. */
static void name_place(const struct hc_fix_place *place, enum kind kind, char name[64])
{
    int32_t number[2];
    number_of(place, kind, number);
    name[0] = '\0';
    if (kind == NODE)
        snprintf(name, 64, "%.60s", place->node ? place->node : "");
    else if (number[0] != HC_MISSING_I32)
        snprintf(name, 64, number[0] < number[1] ? "%" PRId32 "-%" PRId32 : "%" PRId32, number[0],
                 number[1]);
}

/* "n0, n1, n2": what there is of a kind, each once. */
static size_t list_known(const struct choosing *c, enum kind kind, char *text, size_t size)
{
    size_t n_known = 0, used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < c->n && n_known <= MOST_LISTED; i++) {
        char name[64], other[64];
        bool is_new = true;
        name_place(&c->places[i], kind, name);
        for (size_t k = 0; k < i && is_new; k++) {
            name_place(&c->places[k], kind, other);
            is_new = strcmp(name, other) != 0;
        }
        if (name[0] && is_new && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", n_known ? ", " : "",
                                     n_known < MOST_LISTED ? name : "...");
        n_known += name[0] && is_new;
    }
    return n_known;
}

static enum hc_status refuse(const struct choosing *c, size_t row, const char *name,
                             struct hc_error *err)
{
    char known[MOST_LISTED * 66];
    enum kind kind = kinds[row].kind;
    const char *what = kinds[row].name;
    size_t n = list_known(c, kind, known, sizeof known);
    if (n == 0)
        return hc_fail(err, HC_USAGE, "option '--%s': there is no %s %.60s: no %s is known%s",
                       c->option, what, name, what,
                       kind == NODE ? ", since the metadata beside the trace (meta.yaml) has no "
                                      "'nodes'"
                                    : " of this trace");
    return hc_fail(err, HC_USAGE, "option '--%s': there is no %s %.60s, only %s", c->option, what,
                   name, known);
}

/* The numbers of "7" and "0-3". */
static bool read_range(const char *text, int range[2])
{
    char end = 0;
    if (sscanf(text, "%9d%c", &range[0], &end) == 1)
        range[1] = range[0];
    else if (sscanf(text, "%9d-%9d%c", &range[0], &range[1], &end) != 2)
        return false;
    return range[0] >= 0 && range[0] <= range[1];
}

static bool is_meant(const struct hc_fix_place *place, enum kind kind, const char *name,
                     const int range[2])
{
    int32_t number[2];
    if (kind == NODE)
        return place->node && strcmp(place->node, name) == 0;
    number_of(place, kind, number);
    return number[0] != HC_MISSING_I32 && number[0] <= range[1] && number[1] >= range[0];
}

static enum hc_status choose_item(struct choosing *c, const char *item, struct hc_error *err)
{
    int range[2] = {0, 0};
    bool is_there = false;
    for (size_t row = 0; row < sizeof kinds / sizeof *kinds; row++)
        if (strncmp(item, kinds[row].prefix, strlen(kinds[row].prefix)) == 0) {
            c->row = row;
            item += strlen(kinds[row].prefix);
            break;
        }
    if (c->row == SIZE_MAX || !item[0] || (kinds[c->row].kind != NODE && !read_range(item, range)))
        return hc_fail(err, HC_USAGE,
                       "option '--%s': '%.60s' is not a list of node:NAME, rank:N, rank:N-M, dp:N "
                       "and stage:N",
                       c->option, c->list);
    for (size_t i = 0; i < c->n; i++)
        if (is_meant(&c->places[i], kinds[c->row].kind, item, range))
            c->chosen[i] = is_there = true;
    return is_there ? HC_OK : refuse(c, c->row, item, err);
}

enum hc_status hc_fix_choose(uint8_t *chosen, const struct hc_fix_place *places, size_t n,
                             const char *option, const char *list, struct hc_error *err)
{
    struct choosing c = {chosen, places, n, option, list, SIZE_MAX};
    char *copy = hc_copy_text(list, err), *rest = copy;
    enum hc_status status = copy ? HC_OK : err->status;
    for (char *item = strsep(&rest, ","); item && status == HC_OK; item = strsep(&rest, ","))
        status = choose_item(&c, item, err);
    free(copy);
    return status;
}

enum hc_status hc_fix_choose_workers(uint8_t *chosen, const struct hc_whatif_result *result,
                                     const char *list, struct hc_error *err)
{
    const struct hc_job_places *where = &result->places;
    struct hc_fix_place *places = hc_new_array(result->n_workers, sizeof *places, err);
    if (!places)
        return err->status;
    for (size_t w = 0; w < result->n_workers; w++) {
        const struct hc_worker *worker = &result->workers[w];
        bool has_group = worker->rank != HC_MISSING_I32 && where->is_contiguous;
        places[w] = (struct hc_fix_place){worker->rank,
                                          worker->rank + (has_group ? where->group_size - 1 : 0),
                                          worker->dp_rank, worker->stage, hc_worker_host(where, w)};
    }
    enum hc_status status = hc_fix_choose(chosen, places, result->n_workers, "fix", list, err);
    free(places);
    return status;
}
