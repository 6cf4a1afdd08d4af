#include "parsers/io/json_source.h"

#include "parsers/io/byte_reader.h"

static enum hc_status read_bytes(void *context, void *buffer, size_t room, size_t *length,
                                 struct hc_error *err)
{
    return hc_byte_reader_read(context, buffer, room, length, err);
}

static int64_t position_of(const void *context)
{
    return hc_byte_reader_position(context);
}

static void close_reader(void *context)
{
    hc_byte_reader_close(context);
}

enum hc_status hc_pull_open_source(struct hc_json_pull **pull, const struct hc_source *source,
                                   struct hc_error *err)
{
    struct hc_byte_reader *reader = NULL;
    *pull = NULL;
    if (hc_byte_reader_open(&reader, source, err))
        return err->status;
    return hc_pull_open(
        pull, &(struct hc_pull_input){source->name, reader, read_bytes, position_of, close_reader},
        0, err);
}
