/* Foreign names and any numbers in CSV: a strict reader of RFC 4180 finds the same cells, each line
 * of a table has as many as its head, nothing acts that stands in a cell, and no cell is a formula.
 */
#include "core/text/csv_writer.h"
#include "reports/study/study_views.h"
#include "reports/whatif/whatif_csv.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/shown.h"
#include "tests/support/outset_case.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* ---- reading ---- */

#define MAX_CELL 4096

struct reader {
    const char *at;
    char cell[MAX_CELL];
    size_t length;
};

/* The next cell; what is quoted is quoted whole, and what is not has no quote in it. */
static void take_cell(struct reader *r)
{
    r->length = 0;
    bool quoted = *r->at == '"';
    r->at += quoted;
    while (quoted ? *r->at != '"' || r->at[1] == '"' : !strchr(",\n", *r->at)) {
        require(*r->at && *r->at != '\r' && (quoted || *r->at != '"'));
        r->at += quoted && *r->at == '"';
        require(r->length + 1 < MAX_CELL);
        r->cell[r->length++] = *r->at++;
    }
    r->cell[r->length] = '\0';
    r->at += quoted;
    require(*r->at == ',' || *r->at == '\n');
}

/* As spreadsheets see it: not a number, and begins as formulas do. */
static bool is_formula(const char *cell)
{
    char *end = NULL;
    strtod(cell, &end);
    return *cell && strchr("=+-@\t\r", *cell) && *end;
}

static void check_cell(const struct reader *r)
{
    for (size_t i = 0, n = 0; i < r->length; i += n)
        require(!fuzz_acts(fuzz_code_point(r->cell + i, &n)));
    require(!is_formula(r->cell));
}

static void check_table(const char *text, size_t size)
{
    struct reader r = {.at = text};
    size_t n_head = 0, n = 0;
    require(strlen(text) == size && size > 0 && text[size - 1] == '\n' && fuzz_is_utf8(text, size));
    while (*r.at) {
        take_cell(&r);
        check_cell(&r);
        n++;
        if (*r.at++ == ',')
            continue;
        require(n == (n_head ? n_head : n));
        n_head = n;
        n = 0;
    }
    require(n == 0);
}

/* ---- cells that come back ---- */

/* What a text must be when it is read back, where that is simple; else NULL. */
static const char *expected(const char *name, char guarded[310])
{
    for (const char *p = name; *p; p++)
        if (*p < ' ' || *p > '~')
            return NULL;
    bool is_guarded = is_formula(name) || *name == '\'';
    snprintf(guarded, 310, "%s%s", is_guarded ? "'" : "", name);
    return guarded;
}

static void check_cells(const struct fuzz_documents *d, int64_t whole, double real)
{
    char *text = NULL, guarded[310];
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream && fputs("a,b,c,d,whole,real\n", stream) > 0);
    struct hc_csv csv = {.stream = stream};
    for (size_t i = 0; i < FUZZ_N_NAMES; i++)
        hc_csv_text(&csv, d->name[i]);
    hc_csv_i64(&csv, whole);
    hc_csv_real(&csv, real);
    hc_csv_end(&csv);
    require(!fclose(stream));
    check_table(text, size);
    struct reader r = {.at = strchr(text, '\n') + 1};
    for (size_t i = 0; i < FUZZ_N_NAMES; i++, r.at++) {
        take_cell(&r);
        const char *cell = expected(d->name[i], guarded);
        require(!cell || strcmp(cell, r.cell) == 0);
    }
    take_cell(&r);
    require(whole == HC_MISSING_I64 ? r.length == 0 : strtoll(r.cell, NULL, 10) == whole);
    r.at++;
    take_cell(&r);
    require(isfinite(real) ? strtod(r.cell, NULL) == real : r.length == 0);
    free(text);
}

/* ---- tables ---- */

static void check_study(const struct fuzz_documents *d)
{
    const struct hc_study_csv *table = NULL;
    for (size_t i = 0; (table = hc_study_nth_csv(&d->study.result, i)); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        require(stream);
        hc_study_write_table(&d->study.result, table, stream);
        require(!fclose(stream));
        check_table(text, size);
        free(text);
    }
}

/* In place of those of the C library: nothing of this target must outlast it, and waiting for a
 * disk took most of its time. */
int fsync(int fd)
{
    return fd < 0 ? -1 : 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

static char directory[] = "/tmp/hindcast-fuzz-XXXXXX";

static void remove_directory(void)
{
    rmdir(directory);
}

static void check_file(int at, const char *name)
{
    static char text[1 << 20];
    int fd = openat(at, name, O_RDONLY | O_CLOEXEC);
    require(fd >= 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    require(n >= 0);
    text[n] = '\0';
    check_table(text, (size_t)n);
    unlinkat(at, name, 0);
}

/* Every file of the directory, which is empty then; the index is no table. */
static void check_files(void)
{
    size_t n = 0;
    DIR *dir = opendir(directory);
    require(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            bool is_index = strcmp(entry->d_name, HC_OUTSET_INDEX) == 0;
            if (is_index)
                unlinkat(dirfd(dir), entry->d_name, 0);
            else
                check_file(dirfd(dir), entry->d_name);
            n += !is_index;
        }
    closedir(dir);
    require(n > 1);
}

static void check_directories(const struct fuzz_documents *d)
{
    static bool made;
    struct hc_error err = {0};
    if (!made)
        require(mkdtemp(directory) && !atexit(remove_directory));
    made = true;
    struct hc_fleet_report fleet = d->fleet;
    struct hc_whatif_report whatif = d->whatif;
    fleet.run_id = whatif.run_id = CASE_RUN_ID;
    struct hc_outset *set = case_set();
    require(!case_commit(set, hc_fleet_write_csv(set, directory, &fleet, &err), &err));
    check_files();
    set = case_set();
    require(!case_commit(set, hc_whatif_write_csv(set, directory, &whatif, &err), &err));
    check_files();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    struct fuzz_documents d;
    bool with_files = fuzz_byte(&input) % 32 == 0;
    int64_t whole = fuzz_i64(&input);
    double real = fuzz_real(&input);
    fuzz_documents_init(&d, &input, false);
    check_cells(&d, whole, real);
    check_study(&d);
    if (with_files)
        check_directories(&d);
    fuzz_documents_fini(&d);
    return 0;
}
