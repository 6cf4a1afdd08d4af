#include "pipeline/inputs/execution_input.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "models/execution/execution_join.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/sources/source_list.h"
#include "pipeline/sources/tar_sources.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct hc_profile *profile;
    const struct hc_trace_options *options;
    size_t n, capacity, n_others;
    struct hc_execution *executions;
};

static enum hc_status take_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    struct hc_execution *execution = context;
    if (rows->def == &hc_executions_def) {
        execution->rank = hc_table_i32(rows, HC_EXECUTIONS_RANK)[0];
        execution->rank_origin = hc_table_i32(rows, HC_EXECUTIONS_RANK_ORIGIN)[0];
    }
    if (rows->def != &hc_et_comms_def)
        return HC_OK;
    if (hc_table_reserve(&execution->comms, execution->comms.n_rows + rows->n_rows, err))
        return err->status;
    hc_table_append(&execution->comms, rows, 0, rows->n_rows);
    return HC_OK;
}

/* Closes the input. */
static enum hc_status read_input(struct reading *reading, struct hc_source_input *input,
                                 struct hc_error *err)
{
    struct hc_execution execution = {.comms = {.def = &hc_et_comms_def}};
    enum hc_status status = hc_source_input_expect(input, &hc_et_nodes_def, err);
    if (status == HC_OK && !(execution.name = hc_copy_text(input->source.name, err)))
        status = err->status;
    if (status == HC_OK)
        status = hc_source_input_read(input, take_rows, &execution, err);
    if (status == HC_OK && reading->n == reading->capacity)
        status = hc_reserve(&reading->executions, &reading->capacity, reading->n + 1,
                            sizeof *reading->executions, err);
    if (status == HC_OK) {
        execution.names = input->names;
        memset(&input->names, 0, sizeof input->names);
        reading->executions[reading->n++] = execution;
    } else {
        hc_execution_fini(&execution);
    }
    hc_source_input_close(input);
    return status;
}

static enum hc_status read_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct reading *reading = context;
    struct hc_source_input input;
    if (hc_source_input_take(&input, member, reading->options, err)) {
        if (err->status != HC_BAD_INPUT)
            return err->status;
        *err = (struct hc_error){0};
        reading->n_others++;
        return HC_OK;
    }
    return read_input(reading, &input, err);
}

static enum hc_status read_listed(struct reading *reading, const struct hc_listed_source *listed,
                                  struct hc_error *err)
{
    struct hc_source_input input;
    if (hc_is_tar(listed->path))
        return hc_tar_each(listed->path, read_member, reading, err);
    if (listed->is_member) {
        const struct hc_format *format;
        if (hc_format_of_path(&format, listed->path, err))
            return err->status;
        if (!format || format->table != &hc_et_nodes_def) {
            reading->n_others++;
            return HC_OK;
        }
    }
    if (hc_source_input_open(&input, listed->path, reading->options, err))
        return err->status;
    return read_input(reading, &input, err);
}

/* ---- joining ---- */

static const struct hc_execution *find_execution(const struct reading *reading, int32_t rank,
                                                 struct hc_error *err)
{
    const struct hc_execution *found = NULL;
    if (reading->n == 1 && reading->profile->n_ranks == 1)
        return &reading->executions[0];
    for (size_t i = 0; i < reading->n; i++) {
        if (reading->executions[i].rank != rank)
            continue;
        if (found) {
            hc_fail(err, HC_BAD_INPUT, "'%s' and '%s' are both execution traces of rank %d",
                    found->name, reading->executions[i].name, (int)rank);
            return NULL;
        }
        found = &reading->executions[i];
    }
    return found;
}

static enum hc_status join_all(const struct reading *reading, struct hc_error *err)
{
    struct hc_profile *profile = reading->profile;
    size_t n_without = 0, n_used = 0;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        struct hc_execution_joined joined;
        const struct hc_execution *execution = find_execution(reading, profile->ranks[r].rank, err);
        if (err->status)
            return err->status;
        n_without += !execution;
        n_used += execution != NULL;
        if (execution && hc_execution_join(profile, r, execution, &joined, err))
            return err->status;
        if (execution && joined.is_refused)
            hc_warn("rank %d: '%s' is not joined: %s", (int)profile->ranks[r].rank, execution->name,
                    joined.why);
    }
    if (n_without)
        hc_warn("%zu of %zu ranks have no execution trace", n_without, profile->n_ranks);
    if (n_used < reading->n)
        hc_warn("%zu of %zu execution traces are of no rank that is here", reading->n - n_used,
                reading->n);
    return HC_OK;
}

enum hc_status hc_execution_join_path(struct hc_profile *profile, const char *path,
                                      const struct hc_trace_options *options, struct hc_error *err)
{
    struct hc_trace_options plain = *options;
    struct hc_source_list list = {0};
    plain.format = NULL;
    plain.meta = "none";
    struct reading reading = {.profile = profile, .options = &plain};
    enum hc_status status = hc_source_list_add(&list, path, err);
    for (size_t i = 0; i < list.n && status == HC_OK; i++)
        status = read_listed(&reading, &list.sources[i], err);
    if (status == HC_OK && reading.n == 0)
        status = hc_fail(err, HC_BAD_INPUT, "'%s' holds no execution trace", path);
    if (status == HC_OK)
        status = join_all(&reading, err);
    for (size_t i = 0; i < reading.n; i++)
        hc_execution_fini(&reading.executions[i]);
    free(reading.executions);
    hc_source_list_fini(&list);
    return status;
}
