#include "reports/whatif_compat.h"

#include "core/json_records.h"
#include "core/json_writer.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/printable.h"
#include "core/table.h"
#include "reports/whatif_views.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One of the two families of fields: blocking_ and launch_. */
struct family {
    const char *name;
    const struct hc_split *splits;
    const double *step_slowdown;
    const int64_t *reference_ns; /* step ends that the ratios of the splits refer to */
    size_t *step_order;          /* by descending step_slowdown */
};

enum { BLOCKING, LAUNCH, N_FAMILIES };

/* The peer's names and order of the partitions. */
static const char *const partition_names[HC_N_PARTITIONS] = {"dp_rank", "stage", "optype"};

/* Sizes are the metadata's; what it does not say and the trace shows is taken from there. */
static void write_job(struct hc_json_writer *json, const struct hc_whatif_result *result)
{
    struct hc_job job = result->job;
    job.dp_size = job.dp_size == HC_MISSING_I32 ? result->dp_size : job.dp_size;
    job.pp_size = job.pp_size == HC_MISSING_I32 ? result->pp_size : job.pp_size;
    job.vpp_size = job.vpp_size == HC_MISSING_I32 ? result->vpp_size : job.vpp_size;
    hc_json_object(json, "job_meta");
    hc_json_text(json, "trial_name", job.id);
    hc_json_i32(json, "run_id", job.attempt);
    hc_json_job_sizes(json, &job);
    hc_json_end(json);
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static void write_step_times(struct hc_json_writer *json, const char *name,
                             const struct hc_whatif_result *result, const int64_t *times_ns)
{
    char key[16];
    hc_json_object(json, name);
    for (size_t s = 0; s < result->n_steps; s++) {
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        hc_json_real(json, key, seconds(times_ns[s]));
    }
    hc_json_end(json);
}

static void write_step_slowdowns(struct hc_json_writer *json, const struct hc_whatif_result *result,
                                 const struct family *family)
{
    char key[32];
    snprintf(key, sizeof key, "%s_step_slowdown", family->name);
    if (result->hides_waiting && family->splits == result->launch) {
        hc_json_null(json, key);
        return;
    }
    hc_json_object(json, key);
    for (size_t i = 0; i < result->n_steps; i++) {
        size_t s = family->step_order[i];
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        hc_json_real(json, key, family->step_slowdown[s]);
    }
    hc_json_end(json);
}

/* The peer's category "first-op" shows up empty when a trace has no P2P op. It is the
 * last category, so among equal values it comes last. */
struct members {
    const struct hc_split *split;
    double *values; /* one a group, then perhaps "first-op" */
    size_t n;
};

/* A map of the groups by descending value. */
static enum hc_status write_members(struct hc_json_writer *json, const char *name,
                                    const struct members *members, struct hc_error *err)
{
    size_t *order = hc_descending(members->values, members->n, err);
    if (!order)
        return err->status;
    hc_json_object(json, name);
    for (size_t i = 0; i < members->n; i++) {
        size_t g = order[i];
        const char *key = "first-op";
        char number[16];
        if (g < members->split->n_groups) {
            const struct hc_split_group *group = &members->split->groups[g];
            snprintf(number, sizeof number, "%" PRId32, group->id);
            key = group->name ? group->name : number;
        }
        hc_json_real(json, key, members->values[g]);
    }
    hc_json_end(json);
    free(order);
    return HC_OK;
}

static enum hc_status init_members(struct members *members, const struct hc_split *split,
                                   bool has_first_op, struct hc_error *err)
{
    *members = (struct members){.split = split};
    members->n = split->n_groups + has_first_op;
    members->values = hc_new_array(members->n, sizeof *members->values, err);
    if (!members->values)
        return err->status;
    if (has_first_op)
        members->values[split->n_groups] = 1;
    return HC_OK;
}

static enum hc_status write_split(struct hc_json_writer *json, const char *name,
                                  struct members *members, struct hc_error *err)
{
    for (size_t g = 0; g < members->split->n_groups; g++)
        members->values[g] = members->split->groups[g].slowdown;
    return write_members(json, name, members, err);
}

static enum hc_status write_split_steps(struct hc_json_writer *json, const char *name,
                                        const struct hc_whatif_result *result,
                                        const struct family *family, struct members *members,
                                        struct hc_error *err)
{
    enum hc_status status = HC_OK;
    hc_json_object(json, name);
    for (size_t i = 0; i < result->n_steps && status == HC_OK; i++) {
        size_t s = family->step_order[i];
        for (size_t g = 0; g < members->split->n_groups; g++)
            members->values[g] =
                (double)members->split->groups[g].end_ns[s] / (double)family->reference_ns[s];
        char key[16];
        snprintf(key, sizeof key, "%" PRId32, result->steps[s]);
        status = write_members(json, key, members, err);
    }
    hc_json_end(json);
    return status;
}

/* One field of decompositions: of all steps, or of each. */
static enum hc_status write_decomposition(struct hc_json_writer *json,
                                          const struct hc_whatif_result *result,
                                          const struct family *family, enum hc_partition partition,
                                          bool per_step, struct hc_error *err)
{
    const struct hc_split *split = &family->splits[partition];
    char name[64];
    snprintf(name, sizeof name, "%s_decompose_by_%s%s", family->name, partition_names[partition],
             per_step ? "_per_step" : "");
    if (split->n_groups == 0) {
        hc_json_null(json, name);
        return HC_OK;
    }
    bool has_first_op = family->splits == result->blocking && partition == HC_BY_OP_TYPE &&
                        !hc_whatif_has_p2p(result);
    struct members members;
    if (init_members(&members, split, has_first_op, err))
        return err->status;
    enum hc_status status = per_step ? write_split_steps(json, name, result, family, &members, err)
                                     : write_split(json, name, &members, err);
    free(members.values);
    return status;
}

static enum hc_status write_result(FILE *stream, const char *path,
                                   const struct hc_whatif_result *result,
                                   const struct family families[N_FAMILIES], struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    write_job(&json, result);
    write_step_times(&json, "step_t_base", result, result->traced_ns);
    write_step_times(&json, "step_t_nodelay", result, result->replayed_ns);
    write_step_times(&json, "step_t_noblk", result, result->ideal_ns);
    hc_json_real(&json, "launch_slowdown", result->launch_slowdown);
    hc_json_real(&json, "blocking_slowdown", result->slowdown);
    for (int f = 0; f < N_FAMILIES; f++)
        write_step_slowdowns(&json, result, &families[f]);
    for (int per_step = 0; per_step < 2; per_step++)
        for (int partition = 0; partition < HC_N_PARTITIONS; partition++)
            for (int f = 0; f < N_FAMILIES; f++)
                if (write_decomposition(&json, result, &families[f], partition, per_step, err))
                    return err->status;
    hc_json_end(&json);
    return hc_json_finish(&json, path, err);
}

static enum hc_status write_explained(FILE *stream, const char *path, const char *name,
                                      const struct hc_explained *explained, struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 4);
    hc_json_object(&json, NULL);
    hc_json_real(&json, "trem", explained->removed_s);
    hc_json_real(&json, "tadd", explained->added_s);
    hc_json_real(&json, "tori", explained->replayed_s);
    hc_json_real(&json, "tideal", explained->ideal_s);
    hc_json_real(&json, "rem", explained->rem);
    hc_json_real(&json, "add", explained->add);
    hc_json_real(&json, name, explained->rem);
    hc_json_end(&json);
    return hc_json_finish(&json, path, err);
}

/* ---- the files ---- */

enum { RESULT_FILE, MS_FILE, MW_FILE, N_FILES };

struct compat_file {
    char *path;
    bool wanted, committed;
    struct hc_outfile out;
};

void hc_whatif_compat_name(const char *id, char name[HC_COMPAT_NAME_LENGTH + 1])
{
    size_t n = 0;
    while (id && *id) {
        struct hc_shown shown = hc_show(id); /* listings of directories are looked at, too */
        unsigned char c = (unsigned char)*id;
        bool is_safe = c >= 0x80 ? !shown.is_escaped : isalnum(c) || strchr("._-+=@", c);
        size_t length = is_safe ? shown.length : 1;
        if (n + length > HC_COMPAT_NAME_LENGTH)
            break;
        memcpy(name + n, is_safe ? id : "_", length);
        n += length;
        id += shown.length;
    }
    if (n == 0)
        name[n++] = '_';
    name[n] = '\0';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) /* a directory that is there already */
        name[0] = '_';
}

static enum hc_status open_files(struct compat_file files[N_FILES], const char *directory,
                                 const struct hc_whatif_result *result, struct hc_error *err)
{
    static const char *const kinds[N_FILES] = {"result", "ms", "mw"};
    bool wanted[N_FILES] = {true, result->m_s.done, result->m_w.done};
    char name[HC_COMPAT_NAME_LENGTH + 1];
    hc_whatif_compat_name(result->job.id, name);
    if (hc_make_directories(directory, err))
        return err->status;
    for (int i = 0; i < N_FILES; i++) {
        files[i].wanted = wanted[i];
        files[i].path = hc_new_text(err, "%s/%s-%s.json", directory, kinds[i], name);
        if (!files[i].path)
            return err->status;
        if (wanted[i] && hc_outfile_open(&files[i].out, files[i].path, err))
            return err->status;
    }
    return HC_OK;
}

/* A file of an earlier run must not stand beside results that it does not belong to. */
static enum hc_status remove_stale(const struct compat_file *file, struct hc_error *err)
{
    if (unlink(file->path) && errno != ENOENT)
        return hc_fail_errno(err, "cannot remove the outdated", file->path);
    hc_warn("'%s' is not written: that figure needs the decomposition, which was not done "
            "(lower --threshold to have it)",
            file->path);
    return HC_OK;
}

static enum hc_status commit_files(struct compat_file files[N_FILES], struct hc_error *err)
{
    for (int i = 0; i < N_FILES; i++) {
        if (files[i].wanted && hc_outfile_commit(&files[i].out, err))
            return err->status;
        files[i].committed = files[i].wanted;
    }
    for (int i = 0; i < N_FILES; i++)
        if (!files[i].wanted && remove_stale(&files[i], err))
            return err->status;
    return HC_OK;
}

static void close_files(struct compat_file files[N_FILES], bool failed)
{
    for (int i = 0; i < N_FILES; i++) {
        hc_outfile_abort(&files[i].out);
        if (failed && files[i].committed)
            unlink(files[i].path);
        free(files[i].path);
    }
}

static enum hc_status write_files(struct compat_file files[N_FILES],
                                  const struct hc_whatif_result *result,
                                  const struct family families[N_FAMILIES], struct hc_error *err)
{
    struct compat_file *file = &files[RESULT_FILE];
    if (write_result(file->out.stream, file->path, result, families, err))
        return err->status;
    file = &files[MS_FILE];
    if (file->wanted && write_explained(file->out.stream, file->path, "Ms", &result->m_s, err))
        return err->status;
    file = &files[MW_FILE];
    if (file->wanted && write_explained(file->out.stream, file->path, "Mw", &result->m_w, err))
        return err->status;
    return commit_files(files, err);
}

enum hc_status hc_whatif_write_compat(const char *directory, const struct hc_whatif_report *report,
                                      struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    struct family families[N_FAMILIES] = {
        [BLOCKING] = {"blocking", result->blocking, result->step_slowdown, result->ideal_end_ns,
                      NULL},
        [LAUNCH] = {"launch", result->launch, result->step_launch_slowdown, result->replayed_end_ns,
                    NULL},
    };
    struct compat_file files[N_FILES] = {{0}};
    enum hc_status status = HC_OK;
    if (result->n_structures > 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "job '%s': the analysed steps have %zu different sets of ops, which the "
                       "compatible output cannot express; select steps of one kind with --steps, "
                       "or use --json",
                       result->job.id, result->n_structures);
    if (result->hides_waiting)
        hc_warn("job '%s': the launch fields of the compatible output are null: the trace shows "
                "transfers without the wait before them",
                result->job.id);
    for (int f = 0; f < N_FAMILIES && status == HC_OK; f++) {
        families[f].step_order = hc_descending(families[f].step_slowdown, result->n_steps, err);
        status = families[f].step_order ? HC_OK : err->status;
    }
    if (status == HC_OK)
        status = open_files(files, directory, result, err);
    if (status == HC_OK)
        status = write_files(files, result, families, err);
    close_files(files, status != HC_OK);
    for (int f = 0; f < N_FAMILIES; f++)
        free(families[f].step_order);
    return status;
}
