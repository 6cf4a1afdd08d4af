/* segment_meta.h - the groups /job and /provenance of a segment. Private to this wing.
 *
 * Scalars are attributes. The lists of a job are small tables, /job/aliases and /job/nodes, whose
 * names are in the dictionaries alias and node. Writing is under the HDF5 lock.
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

extern const struct hc_table_def hc_job_aliases_def, hc_job_nodes_def;

/* Names as they go into a dictionary: sorted, each once. */
struct hc_name_list {
    size_t n;
    const char **names; /* point into the job */
};

/* The names and the table of one of the lists. Both are empty for an empty list. */
enum hc_status hc_job_list_table(const struct hc_job *job, const struct hc_table_def *def,
                                 struct hc_name_list *names, struct hc_table *table,
                                 struct hc_error *err);

/* Put one row of such a table into the job. name is the text of its dictionary code. */
enum hc_status hc_job_list_add(struct hc_job *job, const struct hc_table_def *def, const char *name,
                               int32_t value, struct hc_error *err);

#endif
