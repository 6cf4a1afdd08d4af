#include "cli/fleet_pages.h"

#include "core/digest.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "reports/whatif_html.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAST_LINE   "<!-- hindcast page %s -->\n"
#define LAST_LENGTH (sizeof LAST_LINE - 3 + HC_DIGEST_TEXT - 1)

/* Opening an output file asks for the umask of the process, which one thread at a time may do. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

enum hc_status hc_fleet_pages_prepare(const struct hc_fleet_pages *pages, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/%s", pages->directory, HC_FLEET_PAGES);
    enum hc_status status = path ? hc_make_directories(path, err) : err->status;
    free(path);
    return status;
}

static char *page_path(const char *directory, const struct hc_fleet_row *row, struct hc_error *err)
{
    char name[HC_FLEET_PAGE_NAME];
    return hc_new_text(err, "%s/%s/%s", directory, HC_FLEET_PAGES, hc_fleet_page_name(row, name));
}

static enum hc_status find_key(const struct hc_fleet_pages *pages, const struct hc_fleet_row *row,
                               char key[HC_DIGEST_TEXT], struct hc_error *err)
{
    char *text = hc_new_text(err, "%s\n%s\n%s\n%s\n", HC_VERSION, row->segment_sha256,
                             pages->inputs, pages->archive);
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
    FILE *stream = hc_is_regular_file(path) ? fopen(path, "re") : NULL;
    if (!stream)
        return false;
    snprintf(wanted, sizeof wanted, LAST_LINE, key);
    bool read = fseek(stream, -(long)LAST_LENGTH, SEEK_END) == 0 &&
                fread(there, 1, LAST_LENGTH, stream) == LAST_LENGTH;
    fclose(stream);
    return read && strcmp(wanted, there) == 0;
}

bool hc_fleet_pages_want(const struct hc_fleet_row *row, void *context)
{
    const struct hc_fleet_pages *pages = context;
    struct hc_error ignored;
    char key[HC_DIGEST_TEXT];
    char *path = page_path(pages->directory, row, &ignored);
    bool wanted = !path || find_key(pages, row, key, &ignored) || !has_key(path, key);
    free(path);
    return wanted;
}

enum hc_status hc_fleet_pages_take(const struct hc_fleet_row *row,
                                   const struct hc_whatif_report *report, void *context,
                                   struct hc_error *err)
{
    const struct hc_fleet_pages *pages = context;
    struct hc_outfile file;
    char key[HC_DIGEST_TEXT];
    char *path = page_path(pages->directory, row, err);
    if (!path || find_key(pages, row, key, err)) {
        free(path);
        return err->status;
    }
    pthread_mutex_lock(&opening);
    enum hc_status status = hc_outfile_open(&file, path, err);
    pthread_mutex_unlock(&opening);
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

static bool *find_pages(const char *directory, const struct hc_fleet_report *report,
                        struct hc_error *err)
{
    bool *found = hc_new_array(report->n_rows, sizeof *found, err);
    for (size_t i = 0; found && i < report->n_rows; i++) {
        char *path = page_path(directory, &report->rows[i], err);
        if (!path) {
            free(found);
            return NULL;
        }
        found[i] = report->rows[i].fate == HC_FLEET_ANALYSED && access(path, F_OK) == 0;
        free(path);
    }
    return found;
}

enum hc_status hc_fleet_pages_index(const char *directory, struct hc_fleet_report *report,
                                    struct hc_error *err)
{
    struct hc_outfile file;
    char *path = hc_new_text(err, "%s/index.html", directory);
    bool *found = path ? find_pages(directory, report, err) : NULL;
    enum hc_status status = found ? hc_make_directories(directory, err) : err->status;
    if (status == HC_OK)
        status = hc_outfile_open(&file, path, err);
    if (status == HC_OK) {
        report->pages = HC_FLEET_PAGES;
        report->has_page = found;
        status = hc_fleet_write_html(file.stream, report, err);
        if (status == HC_OK)
            status = hc_outfile_commit(&file, err);
        else
            hc_outfile_abort(&file);
        report->pages = NULL;
        report->has_page = NULL;
    }
    free(found);
    free(path);
    return status;
}
