/* zip.h - where the one file of a zip archive lies (PKWARE's APPNOTE 6.3: end record, central
 * directory, local header). Private to this wing: byte readers unpack it. */
#ifndef HC_PARSERS_IO_ZIP_H
#define HC_PARSERS_IO_ZIP_H

#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_zip_file {
    int64_t start, end; /* bytes of the archive that hold it */
    int64_t size;       /* unpacked */
    uint32_t crc;       /* of the unpacked bytes */
    bool is_deflated;   /* else it lies there as it is */
};

/* Whether the first bytes of a file are those of a zip archive. */
bool hc_is_zip(const unsigned char *head, size_t length);

/* Find the file of an archive that holds one; directories, and the twins with attributes that
 * macOS adds, are none. HC_BAD_INPUT: it holds another number of files, one that is encrypted, of
 * 4 GiB or more, or packed by another method than deflate; or it is cut off or damaged. */
enum hc_status hc_zip_find(struct hc_zip_file *file, const struct hc_source *source,
                           struct hc_error *err);

#endif
