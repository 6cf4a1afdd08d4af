/* tar.h - the files of a tar archive, each as a source of its own: plain or packed with gzip, zstd
 * or xz; old, ustar, pax and GNU headers.
 *
 *     struct hc_tar *tar = NULL;
 *     struct hc_source member;
 *     bool found = true;
 *     enum hc_status status = hc_tar_open(&tar, &archive, err);
 *     while (!status && !(status = hc_tar_next(tar, &member, &found, err)) && found) {
 *         ...
 *         hc_source_close(&member);
 *     }
 *     hc_tar_close(tar);
 *
 * A member is kept in an unlinked temporary file while it is open, as standard input is: parsers
 * want to seek, and one that is closed before the next takes the room of the largest only. It is
 * named "x.tar.gz:traces/rank0.json" after the archive, and may be packed itself. How much is
 * unpacked so has a limit, in bytes and by the bytes of the archive (source.h).
 *
 * Only files are members: directories and links are passed over, and so are the AppleDouble twins
 * ("._rank0.json") that tar of macOS adds, which hold attributes under the name of the file. How
 * many of those there were is said when the archive is closed.
 */
#ifndef HC_PARSERS_IO_TAR_H
#define HC_PARSERS_IO_TAR_H

#include "core/base/status.h"
#include "parsers/io/source.h"

#include <stdbool.h>

struct hc_tar;

/* Whether the source begins as a tar archive does: a header whose checksum is right. */
enum hc_status hc_tar_is(const struct hc_source *source, bool *is_tar, struct hc_error *err);

/* The source must stay. */
enum hc_status hc_tar_open(struct hc_tar **tar, const struct hc_source *source,
                           struct hc_error *err);

/* The next file, which the caller closes; *found is false at the end, and member is not open then.
 * HC_BAD_INPUT, naming the archive and the byte of its unpacked text, where it is damaged or cut.
 */
enum hc_status hc_tar_next(struct hc_tar *tar, struct hc_source *member, bool *found,
                           struct hc_error *err);

/* tar may be NULL. */
void hc_tar_close(struct hc_tar *tar);

#endif
