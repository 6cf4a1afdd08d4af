#include "pipeline/sources/tar_sources.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "parsers/io/tar.h"

#include <stdlib.h>
#include <string.h>

bool hc_is_tar(const char *path)
{
    struct hc_input_file file;
    struct hc_error ignored;
    bool is_tar = false;
    if (strcmp(path, "-") == 0 || hc_input_file_open(&file, path, &ignored))
        return false;
    char *name = hc_copy_text(path, &ignored);
    const struct hc_source source = {.name = name, .fd = file.fd, .size = file.info.st_size};
    if (!name || !S_ISREG(file.info.st_mode) || hc_tar_is(&source, &is_tar, &ignored))
        is_tar = false;
    free(name);
    hc_input_file_close(&file);
    return is_tar;
}

const char *hc_tar_name_end(const char *name)
{
    for (const char *at = strchr(name, ':'); at; at = strchr(at + 1, ':')) {
        char *archive = strndup(name, (size_t)(at - name));
        bool is_file = archive && hc_is_tar(archive);
        free(archive);
        if (is_file)
            return at;
    }
    return NULL;
}

enum hc_status hc_tar_each(const char *path, hc_tar_member *take, void *context,
                           struct hc_error *err)
{
    struct hc_source archive, member;
    struct hc_tar *tar = NULL;
    bool found = true;
    if (hc_source_open(&archive, path, err))
        return err->status;
    enum hc_status status = hc_tar_open(&tar, &archive, err);
    while (status == HC_OK) {
        status = hc_tar_next(tar, &member, &found, err);
        if (status || !found)
            break;
        status = take(&member, context, err);
    }
    hc_tar_close(tar);
    hc_source_close(&archive);
    return status;
}
