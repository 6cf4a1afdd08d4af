#include "reports/study_views.h"

#include <math.h>

void hc_study_write_text(const struct hc_study_result *result, FILE *stream)
{
    const struct hc_study_run *base = &result->run[0];
    fprintf(stream, "%s\n", result->question ? result->question : result->name);
    for (size_t i = 0; i < result->n_columns; i++)
        if (result->column[i].is_reported)
            fprintf(stream, "%-20s %.6g +- %.2g %s\n", result->column[i].name, base->value[i].mean,
                    base->value[i].high - base->value[i].mean, result->column[i].unit);
}
