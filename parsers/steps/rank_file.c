#include "parsers/steps/rank_file.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/tables/table.h"
#include "core/text/number_text.h"
#include "parsers/io/csv_scanner.h"
#include "parsers/steps/step_rows.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum mark { MARK_JOB, MARK_DP_SIZE, MARK_PP_SIZE, MARK_RANK, N_MARKS };

static const char *const mark_names[N_MARKS] = {"job", "dp_size", "pp_size", "rank"};

void hc_rank_file_fini(struct hc_rank_file *found)
{
    free(found->job);
    memset(found, 0, sizeof *found);
}

/* Where each mark stands in the header, as its number of fields where it does not; whether the
 * header is that of a step timeline with a job. */
static bool find_marks(const struct hc_csv_record *header, size_t place[N_MARKS])
{
    int n_step_fields = 0;
    for (int m = 0; m < N_MARKS; m++)
        place[m] = header->n_fields;
    for (size_t i = 0; i < header->n_fields; i++) {
        const struct hc_csv_field *field = &header->fields[i];
        n_step_fields += hc_step_field_find(field->text, field->length) >= 0;
        for (int m = 0; m < N_MARKS; m++)
            if (field->length == strlen(mark_names[m]) &&
                memcmp(field->text, mark_names[m], field->length) == 0)
                place[m] = i;
    }
    return n_step_fields == HC_N_STEP_FIELDS && place[MARK_JOB] < header->n_fields;
}

static int32_t number_at(const struct hc_csv_record *row, size_t place)
{
    int64_t value = 0;
    bool is_there =
        place < row->n_fields &&
        hc_text_to_i64(row->fields[place].text, row->fields[place].length, &value) == HC_TEXT_OK;
    return is_there && value >= 0 && value <= INT32_MAX ? (int32_t)value : HC_MISSING_I32;
}

/* HC_BAD_INPUT where the file is no file of a rank, whatever else it is. */
static enum hc_status read_marks(struct hc_rank_file *found, struct hc_csv_scanner *scanner,
                                 struct hc_error *err)
{
    struct hc_csv_record record;
    size_t place[N_MARKS];
    if (hc_csv_next(scanner, &record, err))
        return err->status;
    size_t n_fields = record.n_fields;
    if (!find_marks(&record, place))
        return HC_BAD_INPUT;
    if (hc_csv_next(scanner, &record, err))
        return err->status;
    if (record.n_fields != n_fields || record.fields[place[MARK_JOB]].length == 0)
        return HC_BAD_INPUT;
    const struct hc_csv_field *job = &record.fields[place[MARK_JOB]];
    found->rank = number_at(&record, place[MARK_RANK]);
    found->dp_size = number_at(&record, place[MARK_DP_SIZE]);
    found->pp_size = number_at(&record, place[MARK_PP_SIZE]);
    found->job = hc_new_text(err, "%.*s", (int)job->length, job->text);
    return found->job ? HC_OK : err->status;
}

static enum hc_status look_once(struct hc_rank_file *found, const char *path, struct hc_error *err)
{
    struct stat info;
    struct hc_input_file file;
    if (stat(path, &info))
        return HC_IO;
    if (!S_ISREG(info.st_mode))
        return HC_BAD_INPUT;
    if (hc_input_file_open(&file, path, err))
        return err->status;
    struct hc_source source = {.name = (char *)path, .fd = file.fd, .size = info.st_size};
    struct hc_csv_scanner *scanner = NULL;
    enum hc_status status = hc_csv_open(&scanner, &source, err);
    if (!status)
        status = read_marks(found, scanner, err);
    hc_csv_close(scanner);
    hc_input_file_close(&file);
    return status;
}

enum hc_status hc_rank_file_look(struct hc_rank_file *found, const char *path, struct hc_error *err)
{
    struct hc_error failure = {0};
    memset(found, 0, sizeof *found);
    /* What the system refuses twice it will refuse whoever reads the file next. Refused once only,
     * a rank would be taken for a job of its own. */
    enum hc_status status = look_once(found, path, &failure);
    if (status == HC_IO)
        status = look_once(found, path, &failure);
    if (status != HC_INTERNAL)
        return HC_OK;
    *err = failure;
    return status;
}
