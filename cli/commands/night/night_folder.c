#include "cli/commands/night/night_folder.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outfolder.h"
#include "reports/night/night_alerts.h"
#include "reports/night/night_pages.h"

#include <stdlib.h>
#include <time.h>

/* ---- the metrics ---- */

/* The account of one day of the window; result is zeroed before. */
static enum hc_status make_day(const struct hc_night_folder *folder, size_t day,
                               struct hc_night_result *result, struct hc_error *err)
{
    return hc_night_result_make(result, &folder->data->night, &(struct hc_night_range){day, day},
                                &folder->data->names, err);
}

/* Metrics are of single days: of the newest that is final, and of the newest, if it is not. */
static enum hc_status write_metrics(const struct hc_night_folder *folder, FILE *stream,
                                    struct hc_error *err)
{
    const struct hc_night_result *result = folder->report->result;
    struct hc_night_result final = {0}, provisional = {0};
    size_t last = result->range.last, day = last + 1;
    enum hc_status status = HC_OK;
    while (day > 0 && result->days[day - 1].is_provisional)
        day--;
    if (day > 0)
        status = make_day(folder, day - 1, &final, err);
    if (status == HC_OK && day <= last)
        status = make_day(folder, last, &provisional, err);
    if (status == HC_OK)
        hc_night_write_metrics(
            &(struct hc_night_metrics){.report = folder->report,
                                       .final = day > 0 ? &final : NULL,
                                       .provisional = day <= last ? &provisional : NULL,
                                       .success_s = (int64_t)time(NULL)},
            stream);
    hc_night_result_fini(&final);
    hc_night_result_fini(&provisional);
    return status;
}

/* ---- the files ---- */

static enum hc_status write_record(const struct hc_night_folder *folder, FILE *stream,
                                   struct hc_error *err)
{
    const struct hc_output output = {.stream = stream, .path = "report.json"};
    return folder->write_json(&output, folder->report, err);
}

static enum hc_status write_page(const struct hc_night_folder *folder, FILE *stream,
                                 struct hc_error *err)
{
    return hc_night_write_html(folder->report, stream, err);
}

static enum hc_status write_alerts(const struct hc_night_folder *folder, FILE *stream,
                                   struct hc_error *err)
{
    return hc_night_write_alerts(folder->report, stream, err);
}

static enum hc_status write_drain(const struct hc_night_folder *folder, FILE *stream,
                                  struct hc_error *err)
{
    (void)err;
    hc_night_write_drain(folder->report, stream);
    return HC_OK;
}

static const struct night_file {
    const char *name;
    bool is_listed; /* the same bytes for the same archive */
    enum hc_status (*write)(const struct hc_night_folder *folder, FILE *stream,
                            struct hc_error *err);
} night_files[] = {
    {"report.json", true, write_record},    {"index.html", true, write_page},
    {"alerts.json", true, write_alerts},    {"drain.txt", true, write_drain},
    {"metrics.prom", false, write_metrics},
};

static enum hc_status write_tables(const struct hc_night_folder *folder, struct hc_outfolder *out,
                                   struct hc_error *err)
{
    for (size_t i = 0; hc_night_table_name(i); i++) {
        char name[64];
        FILE *stream;
        snprintf(name, sizeof name, "tables/%s", hc_night_table_name(i));
        if (hc_outfolder_add(out, name, true, &stream, err))
            return err->status;
        hc_night_write_table(folder->report, i, stream);
    }
    return HC_OK;
}

static enum hc_status write_files(const struct hc_night_folder *folder, struct hc_outfolder *out,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < sizeof night_files / sizeof *night_files; i++) {
        FILE *stream;
        if (hc_outfolder_add(out, night_files[i].name, night_files[i].is_listed, &stream, err) ||
            night_files[i].write(folder, stream, err))
            return err->status;
    }
    return write_tables(folder, out, err);
}

/* ---- pages ---- */

static enum hc_status write_pages_of(const struct hc_night_folder *folder, struct hc_outfolder *out,
                                     enum hc_night_page_kind kind, struct hc_error *err)
{
    const struct hc_text_set *names = &folder->report->pages->names[kind];
    struct hc_night_members members;
    enum hc_status status =
        hc_night_members_make(&members, folder->report->result, hc_night_page_dimension(kind), err);
    for (size_t i = 0; i < names->n && status == HC_OK; i++) {
        char path[HC_NIGHT_PAGE_PATH];
        FILE *stream;
        hc_night_page_path(kind, names->text[i], path);
        status = hc_outfolder_add(out, path, true, &stream, err);
        if (status == HC_OK)
            status = hc_night_write_member_page(folder->report, kind, i, &members, stream, err);
    }
    hc_night_members_fini(&members);
    return status;
}

static enum hc_status write_all(const struct hc_night_folder *folder, struct hc_outfolder *out,
                                struct hc_error *err)
{
    struct hc_night_page_list list = {0};
    enum hc_status status = hc_night_page_list_make(&list, folder->report->result, err);
    folder->report->pages = &list;
    if (status == HC_OK)
        status = write_files(folder, out, err);
    for (int kind = 0; kind < HC_N_NIGHT_PAGE_KINDS && status == HC_OK; kind++)
        status = write_pages_of(folder, out, (enum hc_night_page_kind)kind, err);
    folder->report->pages = NULL;
    hc_night_page_list_fini(&list);
    return status;
}

/* "2026-03-20", or "2026-03-14_2026-03-20" of several days, which no link leads to. */
static char *folder_name(const struct hc_night_result *result, struct hc_error *err)
{
    const char *last = result->night->days.names[result->range.last];
    return result->range.first == result->range.last
               ? hc_copy_text(last, err)
               : hc_new_text(err, "%s_%s", result->night->days.names[result->range.first], last);
}

enum hc_status hc_night_folder_write(const struct hc_night_folder *folder, struct hc_error *err)
{
    char run_id[HC_RUN_ID];
    struct hc_outfolder *out = NULL;
    const struct hc_night_result *result = folder->report->result;
    char *name = folder_name(result, err);
    if (!name)
        return err->status;
    enum hc_status status =
        hc_outfolder_open(&out, folder->directory, name,
                          result->range.first == result->range.last ? "latest" : NULL, err);
    if (status == HC_OK)
        status = hc_output_run_id(run_id, folder->write_json, folder->report, err);
    if (status == HC_OK) {
        folder->report->run_id = run_id;
        status = write_all(folder, out, err);
    }
    if (status == HC_OK)
        status = hc_outfolder_commit(out, run_id, err);
    if (status == HC_OK)
        hc_note("the report is '%s/%s/index.html'", folder->directory, name);
    hc_outfolder_close(out);
    free(name);
    return status;
}
