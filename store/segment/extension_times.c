#include "store/segment/extension_times.h"

#include "core/files/read_at.h"
#include "store/codec/lookup3.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The parts of the format (specification 3.0, II.A and IV.A.1.b): a superblock of version 2, and a
 * header of version 2 whose flags say that it has times and that its size takes one byte. */
#define EXTENSION_AT 20
#define FLAGS_AT     5
#define TIMES_AT     6
#define TIMES_SIZE   16
#define SIZE_AT      (TIMES_AT + TIMES_SIZE)
#define MESSAGES_AT  (SIZE_AT + 1)
#define SUM_SIZE     4
#define MOST         (MESSAGES_AT + 255 + SUM_SIZE)
#define HAS_TIMES    0x20

static uint64_t address_at(const uint8_t *bytes)
{
    uint64_t address = 0;
    for (int i = 7; i >= 0; i--)
        address = address << 8 | bytes[i];
    return address;
}

static bool is_header_with_times(const uint8_t *header, ssize_t length)
{
    return length > MESSAGES_AT && memcmp(header, "OHDR\2", 5) == 0 &&
           header[FLAGS_AT] == HAS_TIMES && length >= MESSAGES_AT + header[SIZE_AT] + SUM_SIZE;
}

enum hc_status hc_extension_times_clear(int fd, const char *path, struct hc_error *err)
{
    uint8_t superblock[EXTENSION_AT + 8], header[MOST];
    ssize_t length = hc_read_at(fd, superblock, sizeof superblock, 0);
    if (length < 0)
        return hc_fail_errno(err, "cannot read", path);
    if (length < (ssize_t)sizeof superblock)
        return hc_fail(err, HC_IO, "cannot read '%s': it ends within its superblock", path);
    uint64_t at = address_at(superblock + EXTENSION_AT);
    if (at == UINT64_MAX) /* there is none */
        return HC_OK;
    length = hc_read_at(fd, header, sizeof header, (off_t)at);
    if (length < 0)
        return hc_fail_errno(err, "cannot read", path);
    if (!is_header_with_times(header, length))
        return hc_fail(err, HC_INTERNAL, "'%s': HDF5 wrote an extension of another form", path);
    size_t summed = MESSAGES_AT + (size_t)header[SIZE_AT];
    memset(header + TIMES_AT, 0, TIMES_SIZE);
    uint32_t sum = hc_lookup3(header, summed);
    for (int i = 0; i < SUM_SIZE; i++)
        header[summed + (size_t)i] = (uint8_t)(sum >> 8 * i);
    for (size_t done = 0; done < summed + SUM_SIZE; done += (size_t)length) {
        length = pwrite(fd, header + done, summed + SUM_SIZE - done, (off_t)(at + done));
        if (length <= 0)
            return hc_fail_errno(err, "cannot write", path);
    }
    return HC_OK;
}
