/* json_source.h - JSON of a source (plain, gzip, zstd or xz), token by token: the reader of
 * core/text/json_pull.h over the bytes of parsers/io/byte_reader.h. */
#ifndef HC_PARSERS_IO_JSON_SOURCE_H
#define HC_PARSERS_IO_JSON_SOURCE_H

#include "core/text/json_pull.h"
#include "parsers/io/source.h"

/* As hc_pull_open, without liberties. The source must stay; hc_pull_position counts its bytes
 * (compressed). */
enum hc_status hc_pull_open_source(struct hc_json_pull **pull, const struct hc_source *source,
                                   struct hc_error *err);

#endif
