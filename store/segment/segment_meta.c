#include "store/segment/segment_meta.h"

#include "core/base/memory.h"
#include "store/objects/object_attribute.h"
#include "store/objects/segment_layout.h"
#include "store/segment/hdf5_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a field of hc_job or hc_provenance is kept. */
enum field_kind {
    TEXT,
    OPTIONAL_TEXT,
    OPTIONAL_DAY,
    OPTIONAL_RANK,
    OP_TYPES,
    DIGEST,
    INT32,
    INT64
};

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;
    int64_t least; /* of a number */
};

#define JOB(member, kind, least)                                                                   \
    {                                                                                              \
#member, kind, offsetof(struct hc_job, member), least                                      \
    }
#define PROVENANCE(member, kind)                                                                   \
    {                                                                                              \
#member, kind, offsetof(struct hc_provenance, member), 0                                   \
    }

static const struct field job_fields[] = {
    JOB(cluster, TEXT, 0),
    JOB(id, TEXT, 0),
    JOB(attempt, INT32, INT32_MIN),
    JOB(day, OPTIONAL_DAY, 0),
    JOB(of_rank, OPTIONAL_RANK, 0),
    JOB(dp_size, INT32, HC_MISSING_I32),
    JOB(pp_size, INT32, HC_MISSING_I32),
    JOB(tp_size, INT32, HC_MISSING_I32),
    JOB(dsp_size, INT32, HC_MISSING_I32),
    JOB(vpp_size, INT32, HC_MISSING_I32),
    JOB(world_size, INT32, HC_MISSING_I32),
    JOB(start_unix_ns, INT64, HC_MISSING_I64),
    JOB(absent_ops, OP_TYPES, 0),
    JOB(meta_path, OPTIONAL_TEXT, 0),
    JOB(meta_sha256, DIGEST, 0),
};

static const struct field provenance_fields[] = {
    PROVENANCE(source_path, TEXT),     PROVENANCE(source_size, INT64),
    PROVENANCE(source_sha256, DIGEST), PROVENANCE(format, TEXT),
    PROVENANCE(format_version, INT32), PROVENANCE(options, TEXT),
    PROVENANCE(tool_version, TEXT),    PROVENANCE(rows_read, INT64),
    PROVENANCE(rows_ignored, INT64),
};

/* The largest accepted count of rows, so that sums over all reasons stay far from overflowing. */
#define MAX_COUNT (INT64_MAX >> 8)

#define N_FIELDS(fields) (sizeof(fields) / sizeof *(fields))

/* ---- fields ---- */

#define OP_TYPES_ROOM (HC_N_OP_TYPES * 32)

/* A set of op types by name, since numbers may be others in another version: "gc optimizer"; no
 * attribute where there is none. */
static enum hc_status write_op_types(hid_t group, const char *name, uint32_t types,
                                     struct hc_error *err)
{
    char text[OP_TYPES_ROOM] = "";
    size_t length = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (types >> type & 1)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length ? " " : "", hc_op_type_name(type));
    return length ? hc_attribute_write_text(group, name, text, err) : HC_OK;
}

static enum hc_status read_op_types(const struct hc_object *group, const char *name,
                                    uint32_t *types, struct hc_error *err)
{
    char *text = NULL;
    *types = 0;
    if (!hc_attribute_exists(group, name))
        return HC_OK;
    if (hc_attribute_read_text(group, name, &text, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (const char *at = text; status == HC_OK && *at;) {
        size_t length = strcspn(at, " ");
        int type = hc_op_type_find(at, length);
        if (type == HC_OP_UNKNOWN)
            status = hc_fail(err, HC_BAD_INPUT, "attribute '%s' names an unknown op type", name);
        else
            *types |= 1u << type;
        at += length + (at[length] == ' ');
    }
    free(text);
    return status;
}

static enum hc_status write_field(hid_t group, const struct field *field, const char *base,
                                  struct hc_error *err)
{
    char *text = NULL;
    int32_t i32 = 0;
    int64_t i64 = 0;
    switch (field->kind) {
    case TEXT:
    case OPTIONAL_TEXT:
        memcpy(&text, base + field->offset, sizeof text);
        if (!text && field->kind == OPTIONAL_TEXT)
            return HC_OK;
        return hc_attribute_write_text(group, field->name, text ? text : "", err);
    case OPTIONAL_DAY:
        if (!base[field->offset])
            return HC_OK;
        return hc_attribute_write_text(group, field->name, base + field->offset, err);
    case OP_TYPES:
        return write_op_types(group, field->name, *(const uint32_t *)(base + field->offset), err);
    case DIGEST:
        return hc_attribute_write_text(group, field->name, base + field->offset, err);
    case OPTIONAL_RANK:
    case INT32:
        memcpy(&i32, base + field->offset, sizeof i32);
        if (field->kind == OPTIONAL_RANK && i32 == HC_MISSING_I32)
            return HC_OK;
        return hc_attribute_write_int(group, field->name, H5T_STD_I32LE, i32, err);
    case INT64:
        break;
    }
    memcpy(&i64, base + field->offset, sizeof i64);
    return hc_attribute_write_int(group, field->name, H5T_STD_I64LE, i64, err);
}

/* A digest is 64 hex digits, or nothing. */
static enum hc_status read_digest(const struct hc_object *group, const char *name, char *digest,
                                  struct hc_error *err)
{
    char *text = NULL;
    if (hc_attribute_read_text(group, name, &text, err))
        return err->status;
    size_t length = strspn(text, "0123456789abcdef");
    enum hc_status status = HC_OK;
    if (text[length] || (length != 0 && length != HC_DIGEST_TEXT - 1))
        status = hc_fail(err, HC_BAD_INPUT, "attribute '%s' is not a SHA-256", name);
    else
        memcpy(digest, text, length + 1);
    free(text);
    return status;
}

static enum hc_status read_day(const struct hc_object *group, const char *name, char *day,
                               struct hc_error *err)
{
    char *text = NULL;
    if (hc_attribute_read_text(group, name, &text, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (hc_is_day(text) || hc_is_month(text))
        memcpy(day, text, strlen(text) + 1);
    else
        status = hc_fail(err, HC_BAD_INPUT, "attribute '%s' is no day and no month", name);
    free(text);
    return status;
}

static enum hc_status read_field(const struct hc_object *group, const struct field *field,
                                 char *base, struct hc_error *err)
{
    char *text = NULL;
    int64_t value = 0;
    enum hc_status status = HC_OK;
    switch (field->kind) {
    case OPTIONAL_TEXT:
        if (!hc_attribute_exists(group, field->name))
            return HC_OK;
        /* fall through */
    case TEXT:
        status = hc_attribute_read_text(group, field->name, &text, err);
        memcpy(base + field->offset, &text, sizeof text);
        break;
    case OPTIONAL_DAY:
        if (hc_attribute_exists(group, field->name))
            status = read_day(group, field->name, base + field->offset, err);
        break;
    case OP_TYPES:
        status = read_op_types(group, field->name, (uint32_t *)(base + field->offset), err);
        break;
    case DIGEST:
        status = read_digest(group, field->name, base + field->offset, err);
        break;
    case OPTIONAL_RANK:
        value = HC_MISSING_I32;
        if (hc_attribute_exists(group, field->name))
            status = hc_attribute_read_int(group, field->name, 0, INT32_MAX, &value, err);
        if (!status)
            memcpy(base + field->offset, &(int32_t){(int32_t)value}, sizeof(int32_t));
        break;
    case INT32:
    case INT64:
        status = hc_attribute_read_int(group, field->name, field->least,
                                       field->kind == INT32 ? INT32_MAX : INT64_MAX, &value, err);
        if (!status && field->kind == INT64)
            memcpy(base + field->offset, &value, sizeof value);
        else if (!status)
            memcpy(base + field->offset, &(int32_t){(int32_t)value}, sizeof(int32_t));
        break;
    }
    return status;
}

enum hc_status hc_job_write(hid_t group, const struct hc_job *job, struct hc_error *err)
{
    for (size_t i = 0; i < N_FIELDS(job_fields); i++)
        if (write_field(group, &job_fields[i], (const char *)job, err))
            return hc_context(err, "group '/%s'", HC_JOB_GROUP);
    return HC_OK;
}

enum hc_status hc_job_read(const struct hc_object *group, struct hc_job *job, struct hc_error *err)
{
    memset(job, 0, sizeof *job);
    for (size_t i = 0; i < N_FIELDS(job_fields); i++)
        if (read_field(group, &job_fields[i], (char *)job, err)) {
            hc_job_fini(job);
            return err->status;
        }
    return HC_OK;
}

static void bad_name(enum hc_bad_reason reason, char name[64])
{
    snprintf(name, 64, "bad_%s", hc_bad_reason_key(reason));
}

enum hc_status hc_provenance_write(hid_t group, const struct hc_provenance *provenance,
                                   struct hc_error *err)
{
    char name[64];
    for (size_t i = 0; i < N_FIELDS(provenance_fields); i++)
        if (write_field(group, &provenance_fields[i], (const char *)provenance, err))
            return hc_context(err, "group '/%s'", HC_PROVENANCE_GROUP);
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        bad_name(reason, name);
        if (hc_attribute_write_int(group, name, H5T_STD_I64LE, provenance->bad[reason], err))
            return hc_context(err, "group '/%s'", HC_PROVENANCE_GROUP);
    }
    return HC_OK;
}

enum hc_status hc_provenance_read(const struct hc_object *group, struct hc_provenance *provenance,
                                  struct hc_error *err)
{
    char name[64];
    memset(provenance, 0, sizeof *provenance);
    for (size_t i = 0; i < N_FIELDS(provenance_fields); i++)
        if (read_field(group, &provenance_fields[i], (char *)provenance, err))
            goto fail;
    /* A reason that an older version did not know has not occurred. */
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        bad_name(reason, name);
        if (hc_attribute_exists(group, name) &&
            hc_attribute_read_int(group, name, 0, MAX_COUNT, &provenance->bad[reason], err))
            goto fail;
    }
    return HC_OK;
fail:
    hc_provenance_fini(provenance);
    return err->status;
}

void hc_provenance_fini(struct hc_provenance *provenance)
{
    free(provenance->table);
    free(provenance->source_path);
    free(provenance->format);
    free(provenance->options);
    free(provenance->tool_version);
    memset(provenance, 0, sizeof *provenance);
}

/* ---- lists ---- */

/* Every list is a name and a number; the columns have the same places. */
enum { LIST_NAME, LIST_VALUE, LIST_N_COLUMNS };

static const struct hc_column_def alias_columns[LIST_N_COLUMNS] = {
    [LIST_NAME] = {"name", HC_I32, "", "name in the source", "alias"},
    [LIST_VALUE] = {"op_type", HC_I32, "", "what it stands for; missing where it is ignored",
                    "op_type"},
};

static const struct hc_column_def node_columns[LIST_N_COLUMNS] = {
    [LIST_NAME] = {"node", HC_I32, "", "node that the rank ran on", "node"},
    [LIST_VALUE] = {"rank", HC_I32, "", "global rank", NULL},
};

static const struct hc_column_def switch_columns[LIST_N_COLUMNS] = {
    [LIST_NAME] = {"node", HC_I32, "", "node at the switch", "switched_node"},
    [LIST_VALUE] = {"switch", HC_I32, "", "that the node is at", "switch"},
};

static const struct hc_table_def hc_job_aliases_def = {"job/aliases", LIST_N_COLUMNS, alias_columns,
                                                       0};
static const struct hc_table_def hc_job_nodes_def = {"job/nodes", LIST_N_COLUMNS, node_columns, 0};
const struct hc_table_def hc_job_switches_def = {"job/switches", LIST_N_COLUMNS, switch_columns, 2};

const struct hc_job_list hc_job_lists[HC_N_JOB_LISTS] = {
    {&hc_job_aliases_def, false},
    {&hc_job_nodes_def, false},
    {&hc_job_switches_def, true},
};

bool hc_is_job_list(const char *table)
{
    for (size_t i = 0; i < HC_N_JOB_LISTS; i++)
        if (strcmp(table, hc_job_lists[i].def->name) == 0)
            return true;
    return false;
}

size_t hc_job_list_length(const struct hc_job *job, const struct hc_table_def *def)
{
    return def == &hc_job_aliases_def ? job->n_aliases
           : def == &hc_job_nodes_def ? job->n_nodes
                                      : job->n_switched;
}

int hc_job_minor(const struct hc_job *job)
{
    return job->of_rank != HC_MISSING_I32 ? 3 : job->absent_ops ? 2 : 0;
}

/* A row of a list. */
struct list_row {
    const char *name;
    int32_t value;
};

static struct list_row row_of(const struct hc_job *job, const struct hc_table_def *def, size_t i)
{
    if (def == &hc_job_aliases_def) {
        int op_type = job->aliases[i].op_type;
        return (struct list_row){job->aliases[i].name, op_type < 0 ? HC_MISSING_I32 : op_type};
    }
    if (def == &hc_job_nodes_def)
        return (struct list_row){job->nodes[i].node, job->nodes[i].rank};
    return (struct list_row){job->switched[i].node, job->switched[i].switch_code};
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_names(struct hc_name_list *names)
{
    size_t n = 0;
    qsort(names->names, names->n, sizeof *names->names, compare_names);
    for (size_t i = 0; i < names->n; i++)
        if (n == 0 || strcmp(names->names[n - 1], names->names[i]) != 0)
            names->names[n++] = names->names[i];
    names->n = n;
}

static int32_t code_of(const struct hc_name_list *names, const char *name)
{
    const char **found =
        bsearch(&name, names->names, names->n, sizeof *names->names, compare_names);
    return found ? (int32_t)(found - names->names) : HC_MISSING_I32;
}

enum hc_status hc_job_list_table(const struct hc_job *job, const struct hc_table_def *def,
                                 struct hc_name_list *names, struct hc_table *table,
                                 struct hc_error *err)
{
    size_t n = hc_job_list_length(job, def);
    names->names = hc_new_array(n, sizeof *names->names, err);
    if (!names->names)
        return err->status;
    if (hc_table_init(table, def, n, err)) {
        free(names->names);
        return err->status;
    }
    names->n = table->n_rows = n;
    for (size_t i = 0; i < n; i++)
        names->names[i] = row_of(job, def, i).name;
    sort_names(names);
    for (size_t i = 0; i < n; i++) {
        struct list_row row = row_of(job, def, i);
        hc_table_i32(table, LIST_NAME)[i] = code_of(names, row.name);
        hc_table_i32(table, LIST_VALUE)[i] = row.value;
    }
    return HC_OK;
}

enum hc_status hc_job_list_reserve(struct hc_job *job, const struct hc_table_def *def, size_t n,
                                   struct hc_error *err)
{
    if (def == &hc_job_aliases_def)
        return (job->aliases = hc_new_array(n, sizeof *job->aliases, err)) ? HC_OK : err->status;
    if (def == &hc_job_nodes_def)
        return (job->nodes = hc_new_array(n, sizeof *job->nodes, err)) ? HC_OK : err->status;
    return (job->switched = hc_new_array(n, sizeof *job->switched, err)) ? HC_OK : err->status;
}

enum hc_status hc_job_list_add(struct hc_job *job, const struct hc_table_def *def, const char *name,
                               int32_t value, struct hc_error *err)
{
    char *copy = hc_copy_text(name, err);
    if (!copy)
        return err->status;
    if (def == &hc_job_aliases_def)
        job->aliases[job->n_aliases++] = (struct hc_op_alias){
            .name = copy,
            .op_type = value == HC_MISSING_I32 ? HC_OP_IGNORED : value,
        };
    else if (def == &hc_job_nodes_def)
        job->nodes[job->n_nodes++] = (struct hc_rank_node){.rank = value, .node = copy};
    else
        job->switched[job->n_switched++] =
            (struct hc_switched_node){.node = copy, .switch_code = value};
    return HC_OK;
}
