#include "reports/figure/gnuplot/figure_files.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/process/temporary_files.h"
#include "reports/figure/gnuplot/figure_data.h"
#include "reports/figure/gnuplot/gnuplot_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE 80
#define WHY_SIZE  256

struct hc_figure_files {
    struct hc_outset *set;
    char *directory;
    char *workshop; /* where gnuplot works */
    enum hc_figure_format format;
    bool is_absent; /* no gnuplot */
    size_t n, n_failed, capacity;
    char (*names)[NAME_SIZE];
    char failed_name[NAME_SIZE], why[WHY_SIZE]; /* of the first that failed */
};

/* ---- open and close ---- */

static enum hc_status make_workshop(struct hc_figure_files *files, struct hc_error *err)
{
    const char *parent = getenv("TMPDIR");
    files->workshop =
        hc_new_text(err, "%s/hindcast-figures-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (!files->workshop)
        return err->status;
    if (mkdtemp(files->workshop)) {
        hc_temporary_add(files->workshop);
        return HC_OK;
    }
    hc_fail_errno(err, "cannot make the temporary directory", files->workshop);
    free(files->workshop);
    files->workshop = NULL;
    return err->status;
}

enum hc_status hc_figure_files_open(struct hc_figure_files **files, struct hc_outset *set,
                                    const char *directory, enum hc_figure_format format,
                                    const char *run_id, struct hc_error *err)
{
    struct hc_figure_files *made = hc_new_array(1, sizeof *made, err);
    *files = made;
    if (!made)
        return err->status;
    made->set = set;
    made->format = format;
    made->directory = hc_copy_text(directory, err);
    if (!made->directory || make_workshop(made, err) || hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_FIGURE_INDEX, run_id, err))
        return err->status;
    return HC_OK;
}

void hc_figure_files_close(struct hc_figure_files *files)
{
    if (!files)
        return;
    hc_outset_index_end(files->set);
    if (files->is_absent)
        hc_warn("gnuplot is not installed: '%s' has the data and scripts of the figures, and no "
                "pictures (Debian: gnuplot-nox)",
                files->directory);
    else if (files->n_failed)
        hc_warn("gnuplot could not draw %zu of %zu figures, of which '%s' has data and script; of "
                "'%s' it said: %s",
                files->n_failed, files->n, files->directory, files->failed_name, files->why);
    if (files->workshop) {
        hc_temporary_forget(files->workshop);
        rmdir(files->workshop);
    }
    free(files->workshop);
    free(files->directory);
    free(files->names);
    free(files);
}

/* ---- names ---- */

/* Small letters, digits and '-', as file names and within the scripts. */
static void clean_name(char to[NAME_SIZE], const char *name)
{
    size_t n = 0;
    for (const char *p = name; *p && n + 8 < NAME_SIZE; p++) {
        bool is_plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');
        bool is_capital = *p >= 'A' && *p <= 'Z';
        if (is_plain || is_capital)
            to[n++] = (char)(is_capital ? *p - 'A' + 'a' : *p);
        else if (n > 0 && to[n - 1] != '-')
            to[n++] = '-';
    }
    while (n > 0 && to[n - 1] == '-')
        n--;
    to[n] = '\0';
    if (n == 0)
        strcpy(to, "figure");
}

static bool has_name(const struct hc_figure_files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->names[i], name) == 0)
            return true;
    return false;
}

/* The name of the files of one more figure; of a name that is there already, "name-2". NULL with
 * err filled without memory. */
static const char *add_name(struct hc_figure_files *files, const char *name, struct hc_error *err)
{
    char clean[NAME_SIZE];
    if (hc_reserve(&files->names, &files->capacity, files->n + 1, NAME_SIZE, err))
        return NULL;
    char *added = files->names[files->n];
    clean_name(clean, name);
    strcpy(added, clean);
    for (unsigned again = 2; has_name(files, added); again++)
        snprintf(added, NAME_SIZE, "%.*s-%u", NAME_SIZE - 8, clean, again);
    files->n++;
    return added;
}

/* ---- files ---- */

/* Move what is at `from` into the set under path. */
static enum hc_status hand_over(struct hc_figure_files *files, const char *from, const char *ending,
                                const char *name, struct hc_error *err)
{
    char block[8192];
    size_t length;
    FILE *source = NULL, *stream;
    char *path = hc_new_text(err, "%s/%s.%s", files->directory, name, ending);
    enum hc_status status = path ? HC_OK : err->status;
    if (status == HC_OK)
        status = hc_input_file_stream(from, &source, err);
    if (status == HC_OK && !source)
        status = hc_fail(err, HC_IO, "'%s' is gone, which was just written", from);
    if (status == HC_OK)
        status = hc_outset_add(files->set, path, &stream, err);
    while (status == HC_OK && (length = fread(block, 1, sizeof block, source)) > 0)
        fwrite(block, 1, length, stream);
    if (status == HC_OK && ferror(source))
        status = hc_fail_errno(err, "cannot read back", from);
    if (source)
        fclose(source);
    free(path);
    return status;
}

static enum hc_status write_file(const struct hc_figure_files *files, const char *path,
                                 bool is_data, const struct hc_figure *figure, const char *name,
                                 struct hc_error *err)
{
    FILE *stream = fopen(path, "wxe");
    if (!stream)
        return hc_fail_errno(err, "cannot write", path);
    if (is_data)
        hc_figure_write_data(stream, figure);
    else
        hc_gnuplot_write_script(stream, figure, name, files->format);
    bool failed = fflush(stream) || ferror(stream);
    failed |= fclose(stream) != 0;
    return failed ? hc_fail_errno(err, "cannot write", path) : HC_OK;
}

/* Whether the picture is there. */
static bool draw(struct hc_figure_files *files, const char *name, const char *picture)
{
    char script[NAME_SIZE + 8], why[WHY_SIZE];
    if (files->is_absent)
        return false;
    snprintf(script, sizeof script, "%s.gp", name);
    enum hc_gnuplot_end end = hc_gnuplot_run(files->workshop, script, why, sizeof why);
    if (end == HC_GNUPLOT_DONE && access(picture, R_OK) == 0)
        return true;
    files->is_absent = end == HC_GNUPLOT_ABSENT;
    if (!files->is_absent && files->n_failed++ == 0) {
        snprintf(files->failed_name, sizeof files->failed_name, "%s", name);
        snprintf(files->why, sizeof files->why, "%s", end == HC_GNUPLOT_DONE ? "nothing" : why);
    }
    return false;
}

enum { DATA, SCRIPT, PICTURE, N_FILES };

static enum hc_status make_files(struct hc_figure_files *files, const struct hc_figure *figure,
                                 const char *name, char *const paths[N_FILES], struct hc_error *err)
{
    if (write_file(files, paths[DATA], true, figure, name, err) ||
        write_file(files, paths[SCRIPT], false, figure, name, err))
        return err->status;
    bool is_drawn = draw(files, name, paths[PICTURE]);
    if (hand_over(files, paths[DATA], "dat", name, err) ||
        hand_over(files, paths[SCRIPT], "gp", name, err))
        return err->status;
    return is_drawn ? hand_over(files, paths[PICTURE], hc_figure_formats[files->format], name, err)
                    : HC_OK;
}

static enum hc_status take(const struct hc_figure *figure, void *context, struct hc_error *err)
{
    struct hc_figure_files *files = context;
    if (hc_figure_is_empty(figure))
        return HC_OK;
    const char *name = add_name(files, figure->name, err);
    const char *endings[N_FILES] = {"dat", "gp", hc_figure_formats[files->format]};
    char *paths[N_FILES] = {NULL};
    enum hc_status status = name ? HC_OK : err->status;
    for (int i = 0; i < N_FILES && status == HC_OK; i++) {
        paths[i] = hc_new_text(err, "%s/%s.%s", files->workshop, name, endings[i]);
        status = paths[i] ? HC_OK : err->status;
        if (paths[i])
            hc_temporary_add(paths[i]);
    }
    if (status == HC_OK)
        status = make_files(files, figure, name, paths, err);
    for (int i = 0; i < N_FILES; i++) {
        if (!paths[i])
            continue;
        unlink(paths[i]);
        hc_temporary_forget(paths[i]);
        free(paths[i]);
    }
    return status;
}

struct hc_figure_sink hc_figure_files_sink(struct hc_figure_files *files)
{
    return (struct hc_figure_sink){take, files};
}
