/* segment_meta.h - the groups /job and /provenance of a segment. Private to this wing.
 *
 * Scalars are attributes. The lists of a job are small tables: /job/aliases, /job/nodes, and
 * /job/switches where switches are known; their names are in the dictionaries alias, node,
 * switched_node and switch. Writing is under the HDF5 lock.
 */
#ifndef HC_STORE_SEGMENT_SEGMENT_META_H
#define HC_STORE_SEGMENT_SEGMENT_META_H

#include "store/objects/object_header.h"
#include "store/segment/segment.h"

#include <hdf5.h>

enum hc_status hc_job_write(hid_t group, const struct hc_job *job, struct hc_error *err);
enum hc_status hc_job_read(const struct hc_object *group, struct hc_job *job, struct hc_error *err);

enum hc_status hc_provenance_write(hid_t group, const struct hc_provenance *provenance,
                                   struct hc_error *err);
enum hc_status hc_provenance_read(const struct hc_object *group, struct hc_provenance *provenance,
                                  struct hc_error *err);

/* ---- the lists of a job as tables ---- */

extern const struct hc_table_def hc_job_switches_def;

/* All of them; an optional one is not there when it is empty, which it is in older segments. */
struct hc_job_list {
    const struct hc_table_def *def;
    bool is_optional;
};
#define HC_N_JOB_LISTS 3
extern const struct hc_job_list hc_job_lists[HC_N_JOB_LISTS];

bool hc_is_job_list(const char *table);
size_t hc_job_list_length(const struct hc_job *job, const struct hc_table_def *def);

/* The minor schema version for what the attributes of a job hold. */
int hc_job_minor(const struct hc_job *job);

/* Names as they go into a dictionary: sorted, each once. */
struct hc_name_list {
    size_t n;
    const char **names; /* point into the job */
};

/* The names and the table of one of the lists. Both are empty for an empty list. */
enum hc_status hc_job_list_table(const struct hc_job *job, const struct hc_table_def *def,
                                 struct hc_name_list *names, struct hc_table *table,
                                 struct hc_error *err);

/* Make room for n rows of such a table in the job, which has none of them. */
enum hc_status hc_job_list_reserve(struct hc_job *job, const struct hc_table_def *def, size_t n,
                                   struct hc_error *err);

/* Put one row of such a table into the job. name is the text of its dictionary code. */
enum hc_status hc_job_list_add(struct hc_job *job, const struct hc_table_def *def, const char *name,
                               int32_t value, struct hc_error *err);

#endif
