#include "reports/write/table_files.h"

#include "core/base/memory.h"

#include <stdlib.h>

static enum hc_status write_file(const struct hc_table_files *tables, size_t i,
                                 struct hc_outset *set, const char *directory, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/%s", directory, tables->files[i].name);
    enum hc_status status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
    if (status == HC_OK)
        hc_record_csv_table(stream, tables->def, &tables->files[i].table,
                            &(struct hc_item){.record = tables->report});
    free(path);
    return status;
}

enum hc_status hc_table_files_write(const struct hc_table_files *tables, struct hc_outset *set,
                                    const char *directory, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, tables->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < tables->n && status == HC_OK; i++)
        if (!tables->has || tables->has(tables->report, i))
            status = write_file(tables, i, set, directory, err);
    hc_outset_index_end(set);
    return status;
}
