/* Any bytes as manifest.json: what is accepted names only files in the archive, each job once, and
 * is the same when it is written and read again. */
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/hindcast-fuzz-XXXXXX";

static void clean_up(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, HC_MANIFEST_FILE);
    unlink(path);
    rmdir(directory);
}

static void make_directory(void)
{
    static bool made;
    if (!made && !mkdtemp(directory))
        abort();
    if (!made)
        atexit(clean_up);
    made = true;
}

static void write_again(struct hc_archive *archive)
{
    struct hc_error err = {0};
    struct hc_archive *again = NULL;
    for (size_t i = 0; i < archive->n_entries; i++)
        if (!hc_is_segment_file(archive->entries[i].file) ||
            strchr(strchr(archive->entries[i].file, '/') + 1, '/'))
            abort();
    if (archive->newer)
        return;
    if (hc_manifest_write(archive, &err) || hc_archive_open(&again, directory, false, &err) ||
        again->n_entries != archive->n_entries || again->generation != archive->generation)
        abort();
    for (size_t i = 0; i < archive->n_entries; i++)
        if (!hc_manifest_same(&archive->entries[i], &again->entries[i]))
            abort();
    hc_archive_close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    struct hc_archive *archive = NULL;
    char path[128];
    make_directory();
    snprintf(path, sizeof path, "%s/%s", directory, HC_MANIFEST_FILE);
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(data, 1, size, stream) != size || fclose(stream))
        abort();
    if (hc_archive_open(&archive, directory, false, &err)) {
        if (!*err.message)
            abort();
        return 0;
    }
    write_again(archive);
    hc_archive_close(archive);
    return 0;
}
