/* lookup3.h - the checksum that HDF5 keeps behind superblocks and object headers. */
#ifndef HC_STORE_CODEC_LOOKUP3_H
#define HC_STORE_CODEC_LOOKUP3_H

#include <stddef.h>
#include <stdint.h>

/* Bob Jenkins' lookup3 (the hash "hashlittle" that he put in the public domain) of length bytes,
 * begun with 0. */
uint32_t hc_lookup3(const uint8_t *bytes, size_t length);

#endif
