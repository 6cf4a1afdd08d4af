#include "core/tables/job.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_job_init(struct hc_job *job, const char *id, struct hc_error *err)
{
    memset(job, 0, sizeof *job);
    job->dp_size = job->pp_size = job->tp_size = HC_MISSING_I32;
    job->dsp_size = job->vpp_size = job->world_size = job->of_rank = HC_MISSING_I32;
    job->start_unix_ns = HC_MISSING_I64;
    job->cluster = hc_copy_text("default", err);
    job->id = job->cluster ? hc_copy_text(id, err) : NULL;
    if (job->id)
        return HC_OK;
    hc_job_fini(job);
    return err->status;
}

static enum hc_status copy_switches(struct hc_job *to, const struct hc_job *from,
                                    struct hc_error *err)
{
    to->switches = hc_new_array(from->n_switches, sizeof *to->switches, err);
    to->switched = to->switches ? hc_new_array(from->n_switched, sizeof *to->switched, err) : NULL;
    if (!to->switched)
        return err->status;
    for (; to->n_switches < from->n_switches; to->n_switches++)
        if (!(to->switches[to->n_switches] = hc_copy_text(from->switches[to->n_switches], err)))
            return err->status;
    for (; to->n_switched < from->n_switched; to->n_switched++) {
        struct hc_switched_node *node = &to->switched[to->n_switched];
        *node = from->switched[to->n_switched];
        node->node = hc_copy_text(node->node, err);
        if (!node->node)
            return err->status;
    }
    return HC_OK;
}

static enum hc_status copy_lists(struct hc_job *to, const struct hc_job *from, struct hc_error *err)
{
    to->aliases = hc_new_array(from->n_aliases, sizeof *to->aliases, err);
    to->nodes = to->aliases ? hc_new_array(from->n_nodes, sizeof *to->nodes, err) : NULL;
    if (!to->nodes)
        return err->status;
    for (; to->n_aliases < from->n_aliases; to->n_aliases++) {
        struct hc_op_alias *alias = &to->aliases[to->n_aliases];
        *alias = from->aliases[to->n_aliases];
        alias->name = hc_copy_text(alias->name, err);
        if (!alias->name)
            return err->status;
    }
    for (; to->n_nodes < from->n_nodes; to->n_nodes++) {
        struct hc_rank_node *node = &to->nodes[to->n_nodes];
        *node = from->nodes[to->n_nodes];
        node->node = hc_copy_text(node->node, err);
        if (!node->node)
            return err->status;
    }
    return copy_switches(to, from, err);
}

enum hc_status hc_job_copy(struct hc_job *to, const struct hc_job *from, struct hc_error *err)
{
    *to = *from;
    to->n_aliases = to->n_nodes = to->n_switches = to->n_switched = 0;
    to->aliases = NULL;
    to->nodes = NULL;
    to->switches = NULL;
    to->switched = NULL;
    to->id = to->meta_path = NULL;
    to->cluster = hc_copy_text(from->cluster, err);
    to->id = to->cluster ? hc_copy_text(from->id, err) : NULL;
    if (!to->id)
        goto fail;
    if (from->meta_path && !(to->meta_path = hc_copy_text(from->meta_path, err)))
        goto fail;
    if (copy_lists(to, from, err))
        goto fail;
    return HC_OK;
fail:
    hc_job_fini(to);
    return err->status;
}

void hc_job_fini(struct hc_job *job)
{
    free(job->cluster);
    free(job->id);
    free(job->meta_path);
    for (size_t i = 0; i < job->n_aliases; i++)
        free(job->aliases[i].name);
    free(job->aliases);
    for (size_t i = 0; i < job->n_nodes; i++)
        free(job->nodes[i].node);
    free(job->nodes);
    for (size_t i = 0; i < job->n_switches; i++)
        free(job->switches[i]);
    free(job->switches);
    for (size_t i = 0; i < job->n_switched; i++)
        free(job->switched[i].node);
    free(job->switched);
    memset(job, 0, sizeof *job);
}

/* form: a 'd' stands for a digit, the rest for itself, its end included. */
static bool has_form(const char *text, const char *form)
{
    for (size_t i = 0; i <= strlen(form); i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

bool hc_is_day(const char *text)
{
    return has_form(text, "dddd-dd-dd");
}

bool hc_is_month(const char *text)
{
    return has_form(text, "dddd-dd");
}

bool hc_month_has_day(const char *month, const char *day)
{
    return hc_is_month(month) && hc_is_day(day) && strncmp(month, day, strlen(month)) == 0;
}

static int compare_to_rank(const void *rank, const void *node)
{
    int32_t x = *(const int32_t *)rank, y = ((const struct hc_rank_node *)node)->rank;
    return (x > y) - (x < y);
}

const char *hc_job_node(const struct hc_job *job, int32_t rank)
{
    const struct hc_rank_node *found = NULL;
    if (job->n_nodes)
        found = bsearch(&rank, job->nodes, job->n_nodes, sizeof *job->nodes, compare_to_rank);
    return found ? found->node : NULL;
}

static int compare_to_switched(const void *node, const void *switched)
{
    return strcmp(node, ((const struct hc_switched_node *)switched)->node);
}

int32_t hc_job_switch(const struct hc_job *job, const char *node)
{
    const struct hc_switched_node *found = NULL;
    if (job->n_switched)
        found = bsearch(node, job->switched, job->n_switched, sizeof *job->switched,
                        compare_to_switched);
    return found ? found->switch_code : -1;
}

int hc_job_op_type(const struct hc_job *job, const char *name, size_t length)
{
    for (size_t i = 0; job && i < job->n_aliases; i++)
        if (strlen(job->aliases[i].name) == length &&
            memcmp(job->aliases[i].name, name, length) == 0)
            return job->aliases[i].op_type;
    return hc_op_type_find(name, length);
}

/* What tp_size and dsp_size leave open must still come out whole. */
static enum hc_status check_world_size(const struct hc_job *job, int32_t dp_size, int32_t pp_size,
                                       struct hc_error *err)
{
    bool has_tp = job->tp_size != HC_MISSING_I32, has_dsp = job->dsp_size != HC_MISSING_I32;
    const int32_t sizes[] = {dp_size, pp_size, has_tp ? job->tp_size : 1,
                             has_dsp ? job->dsp_size : 1};
    int64_t product = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        product = product > INT32_MAX ? product : product * sizes[i];
    if (job->world_size == HC_MISSING_I32 && product > INT32_MAX)
        return hc_fail(err, HC_BAD_INPUT,
                       "dp_size %d x pp_size %d of the trace and tp_size and dsp_size of the "
                       "metadata make more than %d GPUs: is it the metadata of this trace?",
                       dp_size, pp_size, INT32_MAX);
    bool fits = has_tp && has_dsp ? job->world_size == product : job->world_size % product == 0;
    if (job->world_size == HC_MISSING_I32 || fits)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "the metadata says world_size %d, which dp_size %d x pp_size %d of the trace%s "
                   "do not %s: is it the metadata of this trace?",
                   job->world_size, dp_size, pp_size,
                   has_tp || has_dsp ? " and the sizes that it gives" : "",
                   has_tp && has_dsp ? "make" : "divide");
}

enum hc_status hc_job_check_sizes(const struct hc_job *job, int32_t dp_size, int32_t pp_size,
                                  int32_t vpp_size, struct hc_error *err)
{
    const struct {
        const char *key;
        int32_t said, found;
    } sizes[] = {{"dp_size", job->dp_size, dp_size},
                 {"pp_size", job->pp_size, pp_size},
                 {"vpp_size", job->vpp_size, vpp_size}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].said != HC_MISSING_I32 && sizes[i].said != sizes[i].found)
            return hc_fail(err, HC_BAD_INPUT,
                           "the metadata says %s %d, but the trace has %d: is it the metadata of "
                           "this trace?",
                           sizes[i].key, sizes[i].said, sizes[i].found);
    return check_world_size(job, dp_size, pp_size, err);
}
