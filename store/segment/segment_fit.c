/* How the columns of a stored table compare with those of its definition today. */
#include "store/segment/segment.h"
#include "store/segment/segment_scan.h"

#include <string.h>

static bool has_column(const struct hc_table_def *def, const char *name)
{
    for (size_t c = 0; c < def->n_columns; c++)
        if (strcmp(def->columns[c].name, name) == 0)
            return true;
    return false;
}

enum hc_segment_fit hc_segment_fit(const struct hc_segment *segment, const struct hc_table_def *def)
{
    const struct hc_stored_table *table = hc_segment_table(segment, def->name);
    enum hc_segment_fit fit = HC_SEGMENT_FITS;
    for (size_t c = 0; table && c < table->n_columns; c++)
        if (!has_column(def, table->columns[c].name))
            return HC_SEGMENT_HAS_MORE;
    for (size_t c = 0; table && c < def->n_columns; c++)
        if (!hc_stored_column(table, def->columns[c].name))
            fit = HC_SEGMENT_LACKS;
    return fit;
}
