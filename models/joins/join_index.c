#include "models/joins/join_index.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

static enum hc_status put(struct hc_join_index *index, struct hc_int_map *map, uint64_t key,
                          int32_t log, struct hc_error *err)
{
    size_t entry, n = index->n;
    if (hc_reserve(&index->links, &index->room, n + 1, sizeof *index->links, err) ||
        hc_int_map_insert(map, key, -1, &entry, err))
        return err->status;
    index->links[n] = (struct hc_join_link){.log = log, .next = map->values[entry]};
    map->values[entry] = (int32_t)n;
    index->n++;
    return HC_OK;
}

static int32_t first_link(const struct hc_int_map *map, uint64_t key)
{
    int64_t entry = hc_int_map_find(map, key);
    return entry < 0 ? -1 : map->values[entry];
}

/* Directories above a log, but for those at the root: "/home" is nobody's work directory. */
static enum hc_status put_directories(struct hc_join_index *index, const char *path, int32_t log,
                                      struct hc_error *err)
{
    size_t depth = 0;
    enum hc_status status = HC_OK;
    for (const char *c = path; *c && !status; c++)
        if (*c == '/' && c > path && ++depth >= 2)
            status = put(index, &index->directories, hash_of(path, (size_t)(c - path)), log, err);
    return status;
}

const char *hc_join_last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum hc_status put_log(struct hc_join_index *index, const struct hc_join_log *log,
                              const char *path, int32_t number, struct hc_error *err)
{
    const char *name = hc_join_last_component(path);
    if (log->job != HC_MISSING_I64 && put(index, &index->numbers, (uint64_t)log->job, number, err))
        return err->status;
    if (put(index, &index->names, hash_of(name, strlen(name)), number, err))
        return err->status;
    return put_directories(index, path, number, err);
}

enum hc_status hc_join_index_make(struct hc_join_index **index, const struct hc_joins *joins,
                                  struct hc_error *err)
{
    *index = hc_new_array(1, sizeof **index, err);
    if (!*index)
        return err->status;
    for (size_t i = 0; i < joins->n_logs; i++)
        if (put_log(*index, &joins->logs[i], joins->texts.text[joins->logs[i].name], (int32_t)i,
                    err))
            return err->status;
    return HC_OK;
}

void hc_join_index_free(struct hc_join_index *index)
{
    if (!index)
        return;
    hc_int_map_fini(&index->numbers);
    hc_int_map_fini(&index->names);
    hc_int_map_fini(&index->directories);
    free(index->links);
    free(index);
}

int32_t hc_join_index_number(const struct hc_join_index *index, int64_t number)
{
    return number == HC_MISSING_I64 ? -1 : first_link(&index->numbers, (uint64_t)number);
}

int32_t hc_join_index_name(const struct hc_join_index *index, const char *name)
{
    return first_link(&index->names, hash_of(name, strlen(name)));
}

int32_t hc_join_index_directory(const struct hc_join_index *index, const char *path, size_t length)
{
    return first_link(&index->directories, hash_of(path, length));
}
