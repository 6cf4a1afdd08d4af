#include "reports/night/night_pages.h"

#include "core/base/digest.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NAME   100 /* bytes of a name that stays as it is */
#define HASH_DIGITS 8

/* ---- file names ---- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* Whether a name could be one that was made up for another. */
static bool looks_made(const char *name, size_t length)
{
    return length > HASH_DIGITS && name[length - HASH_DIGITS - 1] == '-' &&
           strspn(name + length - HASH_DIGITS, "0123456789abcdef") == HASH_DIGITS;
}

void hc_night_page_path(enum hc_night_page_kind kind, const char *name,
                        char path[HC_NIGHT_PAGE_PATH])
{
    static const char *const folders[] = {"runs", "nodes", "users"};
    char safe[MOST_NAME + 1], digest[HC_DIGEST_TEXT];
    size_t length = strlen(name), kept = length < MOST_NAME ? length : MOST_NAME;
    bool is_same = length <= MOST_NAME && length > 0 && !looks_made(name, length);
    for (size_t i = 0; i < kept; i++) {
        bool stays = is_plain(name[i]) && !(i == 0 && name[i] == '.');
        safe[i] = stays ? name[i] : '_';
        is_same = is_same && stays;
    }
    safe[kept] = '\0';
    hc_digest_bytes(name, length, digest);
    if (is_same)
        snprintf(path, HC_NIGHT_PAGE_PATH, "%s/%s.html", folders[kind], safe);
    else
        snprintf(path, HC_NIGHT_PAGE_PATH, "%s/%s-%.*s.html", folders[kind], safe, HASH_DIGITS,
                 digest);
}

const char *hc_night_page_link(const struct hc_night_report *report, enum hc_night_page_kind kind,
                               const char *name, char path[HC_NIGHT_PAGE_PATH])
{
    if (!report->pages || !name ||
        hc_text_set_find(&report->pages->names[kind], name, strlen(name)) < 0)
        return NULL;
    hc_night_page_path(kind, name, path);
    return path;
}

/* ---- which there are ---- */

static int by_cost(const void *a, const void *b)
{
    const struct hc_group_row *x = *(const struct hc_group_row *const *)a;
    const struct hc_group_row *y = *(const struct hc_group_row *const *)b;
    double of_x = x->lost + x->faults, of_y = y->lost + y->faults;
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    if (x->gpu_hours != y->gpu_hours)
        return x->gpu_hours > y->gpu_hours ? -1 : 1;
    return strcmp(x->name, y->name);
}

const struct hc_group_row **hc_night_dearest_nodes(const struct hc_night_result *result,
                                                   struct hc_error *err)
{
    const struct hc_group_rows *nodes = &result->by[HC_CUBE_NODE];
    const struct hc_group_row **rows = hc_new_array(nodes->n, sizeof *rows, err);
    for (size_t i = 0; i < nodes->n && rows; i++)
        rows[i] = &nodes->rows[i];
    if (rows && nodes->n)
        qsort(rows, nodes->n, sizeof *rows, by_cost);
    return rows;
}

static enum hc_status add_name(struct hc_text_set *names, const char *name, struct hc_error *err)
{
    int32_t code;
    return names->n < HC_NIGHT_MOST_PAGES && name
               ? hc_text_set_add(names, name, strlen(name), &code, err)
               : HC_OK;
}

enum hc_status hc_night_page_list_make(struct hc_night_page_list *list,
                                       const struct hc_night_result *result, struct hc_error *err)
{
    const struct hc_group_row **nodes = hc_night_dearest_nodes(result, err);
    enum hc_status status = nodes ? HC_OK : err->status;
    for (size_t i = 0; i < result->n_runs && !status; i++)
        status = add_name(&list->names[HC_NIGHT_PAGE_RUN], result->runs[i].name, err);
    for (size_t i = 0; i < result->by[HC_CUBE_NODE].n && !status; i++)
        status = add_name(&list->names[HC_NIGHT_PAGE_NODE], nodes[i]->name, err);
    for (size_t i = 0; i < result->by[HC_CUBE_USER].n && !status; i++)
        status =
            add_name(&list->names[HC_NIGHT_PAGE_USER], result->by[HC_CUBE_USER].rows[i].name, err);
    free(nodes);
    return status;
}

void hc_night_page_list_fini(struct hc_night_page_list *list)
{
    for (int kind = 0; kind < HC_N_NIGHT_PAGE_KINDS; kind++)
        hc_text_set_fini(&list->names[kind]);
}

enum hc_cube_dimension hc_night_page_dimension(enum hc_night_page_kind kind)
{
    static const enum hc_cube_dimension dimensions[] = {HC_CUBE_RUN, HC_CUBE_NODE, HC_CUBE_USER};
    return dimensions[kind];
}
