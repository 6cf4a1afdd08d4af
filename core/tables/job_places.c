#include "core/tables/job_places.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 64 /* bytes of a host's name in a sentence */

/* What places are found from. */
struct sources {
    const struct hc_job *job;
    const int32_t *ranks; /* [n_workers] */
};

/* Ranks that follow each other on one node. */
struct run {
    const char *node;
    int32_t rank, n;
    int32_t gpu; /* of the first of them, counted on its node */
};

/* The GPUs of a node can be counted when it is known where every rank ran. */
struct runs {
    size_t n;
    struct run *runs; /* by node, then rank */
};

/* ---- groups ---- */

/* Whether `nodes` names ranks from 0 on without a gap. */
static bool names_ranks_from_0(const struct hc_job *job)
{
    size_t n = job->n_nodes;
    return n > 0 && job->nodes[0].rank == 0 && (size_t)job->nodes[n - 1].rank == n - 1;
}

/* How many ranks a worker stands for: by tp_size and dsp_size, else by the number of ranks of the
 * job, which is world_size, or that of a list of nodes; 1 where nothing says it. */
static int32_t group_size_of(const struct hc_job *job, size_t n_workers)
{
    if (job->tp_size != HC_MISSING_I32) {
        int64_t size =
            (int64_t)job->tp_size * (job->dsp_size == HC_MISSING_I32 ? 1 : job->dsp_size);
        return size <= INT32_MAX ? (int32_t)size : 1;
    }
    size_t n_ranks = job->world_size != HC_MISSING_I32 ? (size_t)job->world_size
                     : names_ranks_from_0(job)         ? job->n_nodes
                                                       : 0;
    return n_workers && n_ranks && n_ranks % n_workers == 0 ? (int32_t)(n_ranks / n_workers) : 1;
}

static int compare_ranks(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Whether between the ranks of the trace there is room for the others of each group. */
static enum hc_status find_gaps(struct hc_job_places *places, struct sources from,
                                struct hc_error *err)
{
    size_t n = places->n_workers;
    int32_t *sorted = hc_new_array(n, sizeof *sorted, err);
    if (!sorted)
        return err->status;
    if (n)
        memcpy(sorted, from.ranks, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_ranks);
    places->is_contiguous = n > 0 && sorted[0] >= 0;
    for (size_t i = 1; i < n; i++)
        places->is_contiguous &= (int64_t)sorted[i] - sorted[i - 1] >= (int64_t)places->group_size;
    free(sorted);
    return HC_OK;
}

/* ---- GPUs of a node ---- */

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    int order = strcmp(x->node, y->node);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Whether `nodes` names the node of every rank of the job. */
static bool names_all_ranks(const struct hc_job_places *places, const struct hc_job *job)
{
    return names_ranks_from_0(job) &&
           job->n_nodes == places->n_workers * (size_t)places->group_size;
}

/* Whether it names that of the first rank of every group, and no other. */
static bool names_all_groups(const struct hc_job_places *places, struct sources from)
{
    bool all = places->is_contiguous && from.job->n_nodes == places->n_workers;
    for (size_t w = 0; all && w < places->n_workers; w++)
        all = hc_job_node(from.job, from.ranks[w]) != NULL;
    return all;
}

/* The runs of the whole job; none where the metadata does not tell enough. */
static enum hc_status list_runs(const struct hc_job_places *places, struct sources from,
                                struct runs *list, struct hc_error *err)
{
    const struct hc_job *job = from.job;
    bool by_rank = names_all_ranks(places, job);
    if (!by_rank && !names_all_groups(places, from))
        return HC_OK;
    list->runs = hc_new_array(job->n_nodes, sizeof *list->runs, err);
    if (!list->runs)
        return err->status;
    list->n = job->n_nodes;
    for (size_t i = 0; i < list->n; i++)
        list->runs[i] = (struct run){.node = job->nodes[i].node,
                                     .rank = job->nodes[i].rank,
                                     .n = by_rank ? 1 : places->group_size};
    qsort(list->runs, list->n, sizeof *list->runs, compare_runs);
    for (size_t i = 1; i < list->n; i++)
        if (strcmp(list->runs[i].node, list->runs[i - 1].node) == 0)
            list->runs[i].gpu = list->runs[i - 1].gpu + list->runs[i - 1].n;
    return HC_OK;
}

/* The GPUs of a worker: its group must be on one node. */
static void place_on_gpus(const struct hc_job_places *places, const struct runs *list, int32_t rank,
                          struct hc_worker_place *place)
{
    const char *node = places->hosts[place->host].name;
    struct run key = {.node = node, .rank = rank};
    if (!list->n || !places->is_contiguous)
        return;
    const struct run *first = bsearch(&key, list->runs, list->n, sizeof key, compare_runs);
    if (!first)
        return;
    const struct run *end = list->runs + list->n, *last = first;
    int32_t left = places->group_size - first->n;
    for (; left > 0; left -= last->n) {
        last++;
        if (last == end || strcmp(last->node, node) != 0 ||
            last->rank != last[-1].rank + last[-1].n)
            return;
    }
    place->first_gpu = first->gpu;
    place->last_gpu = first->gpu + places->group_size - 1;
}

/* ---- hosts ---- */

static int compare_hosts(const void *a, const void *b)
{
    return strcmp(((const struct hc_host *)a)->name, ((const struct hc_host *)b)->name);
}

/* The hosts of the workers, each once, with their switches. */
static void list_hosts(struct hc_job_places *places, struct sources from)
{
    struct hc_host *hosts = places->hosts;
    size_t n = 0, kept = 0;
    for (size_t w = 0; w < places->n_workers; w++) {
        const char *node = hc_job_node(from.job, from.ranks[w]);
        if (node)
            hosts[n++].name = node;
    }
    qsort(hosts, n, sizeof *hosts, compare_hosts);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(hosts[kept - 1].name, hosts[i].name) != 0)
            hosts[kept++] = hosts[i];
    for (size_t i = 0; i < kept; i++) {
        int32_t code = hc_job_switch(from.job, hosts[i].name);
        hosts[i].switch_code = code;
        hosts[i].switch_name = code < 0 ? NULL : from.job->switches[code];
    }
    places->n_hosts = kept;
}

/* Which worker is on which host, both ways. */
static void list_members(struct hc_job_places *places, struct sources from)
{
    for (size_t w = 0; w < places->n_workers; w++) {
        struct hc_worker_place *place = &places->workers[w];
        const char *node = hc_job_node(from.job, from.ranks[w]);
        *place = (struct hc_worker_place){-1, HC_MISSING_I32, HC_MISSING_I32};
        if (!node)
            continue;
        struct hc_host key = {.name = node};
        struct hc_host *host =
            bsearch(&key, places->hosts, places->n_hosts, sizeof key, compare_hosts);
        place->host = (int32_t)(host - places->hosts);
        host->n++;
    }
    for (size_t h = 1; h < places->n_hosts; h++)
        places->hosts[h].first = places->hosts[h - 1].first + places->hosts[h - 1].n;
    for (size_t h = 0; h < places->n_hosts; h++)
        places->hosts[h].n = 0;
    for (size_t w = 0; w < places->n_workers; w++) {
        if (places->workers[w].host < 0)
            continue;
        struct hc_host *host = &places->hosts[places->workers[w].host];
        places->members[host->first + host->n++] = (int32_t)w;
    }
}

static enum hc_status place_workers(struct hc_job_places *places, struct sources from,
                                    struct hc_error *err)
{
    struct runs list = {0};
    if (find_gaps(places, from, err) || list_runs(places, from, &list, err))
        return err->status;
    list_hosts(places, from);
    list_members(places, from);
    for (size_t w = 0; w < places->n_workers; w++)
        if (places->workers[w].host >= 0)
            place_on_gpus(places, &list, from.ranks[w], &places->workers[w]);
    free(list.runs);
    return HC_OK;
}

enum hc_status hc_job_places_find(struct hc_job_places *places, const struct hc_job *job,
                                  const int32_t *ranks, size_t n_workers, struct hc_error *err)
{
    *places =
        (struct hc_job_places){.n_workers = n_workers, .group_size = group_size_of(job, n_workers)};
    places->workers = hc_new_array(n_workers, sizeof *places->workers, err);
    places->hosts = hc_new_array(n_workers, sizeof *places->hosts, err);
    places->members = hc_new_array(n_workers, sizeof *places->members, err);
    if (places->workers && places->hosts && places->members &&
        place_workers(places, (struct sources){job, ranks}, err) == HC_OK)
        return HC_OK;
    hc_job_places_fini(places);
    return err->status;
}

void hc_job_places_fini(struct hc_job_places *places)
{
    free(places->workers);
    free(places->hosts);
    free(places->members);
    memset(places, 0, sizeof *places);
}

/* ---- names ---- */

const char *hc_worker_host(const struct hc_job_places *places, size_t worker)
{
    int32_t host = worker < places->n_workers ? places->workers[worker].host : -1;
    return host < 0 ? NULL : places->hosts[host].name;
}

const char *hc_worker_switch(const struct hc_job_places *places, size_t worker)
{
    int32_t host = worker < places->n_workers ? places->workers[worker].host : -1;
    return host < 0 ? NULL : places->hosts[host].switch_name;
}

/* A name, or as many whole characters of it as LONGEST_NAME bytes hold. */
static int shortened(const char *name)
{
    size_t length = strlen(name);
    if (length <= LONGEST_NAME)
        return (int)length;
    for (length = LONGEST_NAME; ((unsigned char)name[length] & 0xC0) == 0x80 && length > 0;)
        length--;
    return (int)length;
}

void hc_worker_place_text(const struct hc_job_places *places, size_t worker,
                          char text[HC_PLACE_TEXT])
{
    const char *host = hc_worker_host(places, worker);
    text[0] = '\0';
    if (!host)
        return;
    const struct hc_worker_place *place = &places->workers[worker];
    int length = shortened(host);
    const char *cut = host[length] ? "..." : "";
    if (place->first_gpu == HC_MISSING_I32)
        snprintf(text, HC_PLACE_TEXT, "%.*s%s", length, host, cut);
    else if (place->first_gpu == place->last_gpu)
        snprintf(text, HC_PLACE_TEXT, "%.*s%s, GPU %d", length, host, cut, place->first_gpu);
    else
        snprintf(text, HC_PLACE_TEXT, "%.*s%s, GPUs %d to %d", length, host, cut, place->first_gpu,
                 place->last_gpu);
}
