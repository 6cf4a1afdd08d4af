/* shuffle.h - HDF5's byte shuffle: byte k of every value next to each other, plane after plane.
 * Private to this wing.
 *
 * The arrangement is exactly that of H5Z_FILTER_SHUFFLE, so that HDF5's own filter reads it.
 */
#ifndef HC_STORE_CODEC_SHUFFLE_H
#define HC_STORE_CODEC_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

/* Arrange n values of size bytes (size >= 1) as size planes of n bytes. The areas of n * size bytes
 * must not overlap. */
void hc_shuffle(const uint8_t *values, size_t n, size_t size, uint8_t *planes);

/* The way back. */
void hc_unshuffle(const uint8_t *planes, size_t n, size_t size, uint8_t *values);

#endif
