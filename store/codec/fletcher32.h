/* fletcher32.h - the checksum of H5Z_FILTER_FLETCHER32, which chunks read directly need verified.
 * Private to this wing.
 */
#ifndef HC_STORE_CODEC_FLETCHER32_H
#define HC_STORE_CODEC_FLETCHER32_H

#include <stddef.h>
#include <stdint.h>

/* Fletcher-32 over big-endian 16-bit words, an odd last byte being the high half of a word: what
 * HDF5 appends, little-endian, to a chunk of length bytes. */
uint32_t hc_fletcher32(const uint8_t *bytes, size_t length);

#endif
