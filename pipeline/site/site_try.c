#include "pipeline/site/site_try.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "parsers/registry/format_registry.h"

#include <stdlib.h>

static enum hc_status try_open(const struct hc_site_source *of, const struct hc_source *source,
                               struct hc_error *err)
{
    void *parser = NULL;
    struct hc_table_names names;
    const struct hc_format *format = hc_format_find(of->format);
    if (of->map->form->start_names(&names, err))
        return err->status;
    const struct hc_parse_options options = {
        .names = &names, .map = &of->map->map, .path = of->path};
    enum hc_status status = format->open(&parser, source, &options, err);
    format->close(parser);
    hc_table_names_fini(&names);
    return status;
}

enum hc_status hc_site_try(const struct hc_site_source *source, const char *path,
                           struct hc_error *err)
{
    struct hc_input_file file;
    if (!source->map || hc_input_file_open(&file, path, err))
        return err->status;
    char *name = hc_copy_text(path, err);
    const struct hc_source opened = {.name = name, .fd = file.fd, .size = file.info.st_size};
    enum hc_status status = name ? try_open(source, &opened, err) : err->status;
    free(name);
    hc_input_file_close(&file);
    return status;
}
