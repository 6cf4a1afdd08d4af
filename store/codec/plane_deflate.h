/* plane_deflate.h - a deflate encoder for shuffled byte planes. Private to this wing.
 *
 * Most planes of a column are one value throughout, or short periods, and the low planes of times
 * are noise. A general compressor spends its time on the first and wins nothing on the last; this
 * one is several times faster than libdeflate's level 1 on them at about the same size. What it
 * writes is plain deflate (RFC 1951), which any inflate reads.
 */
#ifndef HC_STORE_CODEC_PLANE_DEFLATE_H
#define HC_STORE_CODEC_PLANE_DEFLATE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_plane_deflate;

/* The working memory of an encoder, or NULL with err filled. */
struct hc_plane_deflate *hc_plane_deflate_new(struct hc_error *err);
void hc_plane_deflate_free(struct hc_plane_deflate *encoder);

/* Most bytes that n_planes planes of length bytes become, with what the encoder writes past its
 * end. */
size_t hc_plane_deflate_bound(size_t n_planes, size_t length);

/* Encode n_planes (at least 1) planes of length (at least 1) bytes that follow each other as one
 * deflate stream at out, of hc_plane_deflate_bound bytes; returns its size. */
size_t hc_plane_deflate(struct hc_plane_deflate *encoder, const uint8_t *planes, size_t n_planes,
                        size_t length, uint8_t *out);

#endif
