/* Cells of the tables of the text of a study. */
#include "reports/study/study_text_sections.h"

#include "core/base/text_layout.h"
#include "study/run/study_digest.h"

void hc_study_text_cell(FILE *stream, const char *text, size_t width)
{
    char cut[512];
    hc_text_head(cut, sizeof cut, text, width);
    size_t columns = hc_text_columns(cut);
    fprintf(stream, "%s%*s", cut, (int)(columns < width ? width - columns : 0), "");
}

void hc_study_text_number(FILE *stream, const char *text, size_t width)
{
    fprintf(stream, "%-*s  ", (int)width - 2, text);
}

const struct hc_study_value *hc_study_text_value(const struct hc_study_result *result,
                                                 const struct hc_study_value *value,
                                                 const char *name)
{
    size_t column = hc_study_column_at(result, name);
    return column == HC_STUDY_NONE ? NULL : &value[column];
}
