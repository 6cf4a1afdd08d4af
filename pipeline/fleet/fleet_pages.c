#include "pipeline/fleet/fleet_pages.h"

#include "core/base/digest.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/outfile.h"
#include "core/files/read_at.h"
#include "core/process/made_by.h"
#include "core/process/temporary_files.h"
#include "reports/whatif/whatif_html.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAST_LINE   "<!-- hindcast page %s -->\n"
#define LAST_LENGTH (sizeof LAST_LINE - 3 + HC_DIGEST_TEXT - 1)

/* Where finished pages are until the report is put in place. */
#define WAITING ".tmp-pages"

enum hc_status hc_fleet_pages_prepare(struct hc_outset *set, const char *directory,
                                      struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err))
        return err->status;
    char *path = hc_new_text(err, "%s/" WAITING, directory);
    enum hc_status status = path ? hc_outset_scratch_directory(set, path, err) : err->status;
    free(path);
    return status;
}

static char *page_path(const char *directory, const char *part, const struct hc_fleet_row *row,
                       struct hc_error *err)
{
    char name[HC_FLEET_PAGE_NAME];
    return hc_new_text(err, "%s/%s/%s", directory, part, hc_fleet_page_name(row, name));
}

static enum hc_status find_key(const struct hc_fleet_pages *pages, const struct hc_fleet_row *row,
                               char key[HC_DIGEST_TEXT], struct hc_error *err)
{
    const struct hc_made_by made_by = hc_made_by(); /* of which a page tells */
    char *text =
        hc_new_text(err, "%s, page %d\n%s\n%s\n%s\n%s\n%s\n", HC_VERSION, HC_WHATIF_PAGE_VERSION,
                    row->segment_sha256, pages->inputs, pages->archive,
                    made_by.commit ? made_by.commit : "", made_by.command ? made_by.command : "");
    if (!text)
        return err->status;
    hc_digest_bytes(text, strlen(text), key);
    free(text);
    return HC_OK;
}

/* Whether the file at path ends in the last line of a page with this key. */
static bool has_key(const char *path, const char *key)
{
    char wanted[LAST_LENGTH + 1], there[LAST_LENGTH + 1] = "";
    struct hc_input_file file;
    struct hc_error ignored = {0};
    if (!hc_is_regular_file(path) || hc_input_file_open(&file, path, &ignored))
        return false;
    snprintf(wanted, sizeof wanted, LAST_LINE, key);
    off_t at = file.info.st_size - (off_t)LAST_LENGTH;
    bool read = at >= 0 && hc_read_at(file.fd, there, LAST_LENGTH, at) == (ssize_t)LAST_LENGTH;
    hc_input_file_close(&file);
    return read && strcmp(wanted, there) == 0;
}

bool hc_fleet_pages_want(const struct hc_fleet_row *row, void *context)
{
    const struct hc_fleet_pages *pages = context;
    struct hc_error ignored;
    char key[HC_DIGEST_TEXT];
    char *path = page_path(pages->directory, HC_FLEET_PAGES, row, &ignored);
    char *waiting = page_path(pages->directory, WAITING, row, &ignored);
    bool wanted = true;
    if (path && waiting && find_key(pages, row, key, &ignored) == HC_OK) {
        bool is_there = has_key(path, key);
        if (is_there)
            unlink(waiting); /* of other inputs: a page that waits is always the newest */
        wanted = !is_there && !has_key(waiting, key);
    }
    free(waiting);
    free(path);
    return wanted;
}

/* Where a page is written: a pipe that somebody has put into its place gets it at once. */
static char *path_to_take(const char *directory, const struct hc_fleet_row *row,
                          struct hc_error *err)
{
    enum hc_file_kind kind = HC_FILE_NONE;
    char *path = page_path(directory, HC_FLEET_PAGES, row, err);
    enum hc_status status = path ? hc_look_at_file(path, &kind, err) : err->status;
    if (status == HC_OK && kind == HC_FILE_OTHER)
        return path;
    free(path);
    return status ? NULL : page_path(directory, WAITING, row, err);
}

/* For the case that the run fails or is stopped; before the page is there. */
static enum hc_status note_made(struct hc_fleet_pages *pages, const char *path,
                                struct hc_error *err)
{
    char *copy = hc_copy_text(path, err);
    if (!copy)
        return err->status;
    pthread_mutex_lock(&pages->lock);
    enum hc_status status =
        hc_reserve(&pages->made, &pages->capacity, pages->n_made + 1, sizeof *pages->made, err);
    if (status == HC_OK) {
        pages->made[pages->n_made++] = copy;
        hc_temporary_add(copy);
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&pages->lock);
    return status;
}

void hc_fleet_pages_drop(const struct hc_fleet_pages *pages)
{
    for (size_t i = 0; i < pages->n_made; i++)
        unlink(pages->made[i]);
}

void hc_fleet_pages_fini(struct hc_fleet_pages *pages)
{
    for (size_t i = 0; i < pages->n_made; i++) {
        hc_temporary_forget(pages->made[i]);
        free(pages->made[i]);
    }
    free(pages->made);
    pthread_mutex_destroy(&pages->lock);
}

enum hc_status hc_fleet_pages_take(const struct hc_fleet_row *row,
                                   const struct hc_whatif_report *report, void *context,
                                   struct hc_error *err)
{
    struct hc_fleet_pages *pages = context;
    struct hc_outfile file;
    char key[HC_DIGEST_TEXT];
    char *path = path_to_take(pages->directory, row, err);
    enum hc_status status = path ? find_key(pages, row, key, err) : err->status;
    if (status == HC_OK)
        status = hc_outfile_open(&file, path, err);
    if (status == HC_OK && file.temporary && !pages->are_left && note_made(pages, path, err)) {
        hc_outfile_abort(&file);
        status = err->status;
    }
    free(path);
    if (status)
        return status;
    status = hc_whatif_write_html(file.stream, report, err);
    fprintf(file.stream, LAST_LINE, key);
    if (status == HC_OK)
        return hc_outfile_commit(&file, err);
    hc_outfile_abort(&file);
    return status;
}

/* ---- the index ---- */

static enum hc_status make_jobs(struct hc_outset *set, const char *directory, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", directory, HC_FLEET_PAGES);
    enum hc_status status = path ? hc_outset_directory(set, path, err) : err->status;
    free(path);
    return status;
}

/* Where the pages of a report are. */
struct place {
    struct hc_outset *set;
    const char *directory;
    bool leaves_pages;
};

static enum hc_status add_page(const struct place *place, const struct hc_fleet_row *row,
                               bool *found, struct hc_error *err)
{
    struct hc_outset *set = place->set;
    char *path = page_path(place->directory, HC_FLEET_PAGES, row, err);
    char *waiting = path ? page_path(place->directory, WAITING, row, err) : NULL;
    enum hc_file_kind new = HC_FILE_NONE, old = HC_FILE_NONE;
    enum hc_status status = HC_OK;
    if (!waiting || hc_look_at_file(waiting, &new, err) || hc_look_at_file(path, &old, err))
        status = err->status;
    *found = new == HC_FILE_REGULAR || old != HC_FILE_NONE;
    if (status == HC_OK && new == HC_FILE_REGULAR)
        status = make_jobs(set, place->directory, err)
                     ? err->status
                     : hc_outset_adopt(set, waiting, path, !place->leaves_pages, err);
    else if (status == HC_OK && old == HC_FILE_REGULAR)
        status = hc_outset_keep(set, path, err);
    free(waiting);
    free(path);
    return status;
}

static bool *add_pages(const struct place *place, const struct hc_fleet_report *report,
                       struct hc_error *err)
{
    bool *found = hc_new_array(report->n_rows, sizeof *found, err);
    enum hc_status status = HC_OK;
    for (size_t i = 0; found && i < report->n_rows && status == HC_OK; i++)
        if (report->rows[i].fate == HC_FLEET_ANALYSED)
            status = add_page(place, &report->rows[i], &found[i], err);
    if (found && status) {
        free(found);
        found = NULL;
    }
    return found;
}

static enum hc_status write_index(const struct place *place, struct hc_fleet_report *report,
                                  struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/index.html", place->directory);
    bool *found = path ? add_pages(place, report, err) : NULL;
    enum hc_status status = found ? hc_outset_add(place->set, path, &stream, err) : err->status;
    if (status == HC_OK) {
        report->pages = HC_FLEET_PAGES;
        report->has_page = found;
        status = hc_fleet_write_html(stream, report, err);
        report->pages = NULL;
        report->has_page = NULL;
    }
    free(found);
    free(path);
    return status;
}

enum hc_status hc_fleet_pages_index(struct hc_outset *set, const char *directory, bool leaves_pages,
                                    struct hc_fleet_report *report, struct hc_error *err)
{
    const struct place place = {set, directory, leaves_pages};
    if (hc_fleet_pages_prepare(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, report->run_id, err))
        return err->status;
    enum hc_status status = write_index(&place, report, err);
    hc_outset_index_end(set);
    return status;
}
