/* huffman.h - length-limited canonical Huffman codes, as deflate wants them.
 * Private to this wing. */
#ifndef HC_STORE_CODEC_HUFFMAN_H
#define HC_STORE_CODEC_HUFFMAN_H

#include <stdint.h>

#define HC_HUFFMAN_MAX_SYMBOLS 288

/* The code of a symbol, its first bit in bit 0 of bits; length 0 when the symbol is not used. */
struct hc_huffman_code {
    uint16_t bits;
    uint8_t length;
};

/* Make codes of at most max_length bits (15 or less) for n symbols that occur count[] times. At
 * least two symbols get a code, so that the code is complete: count[] of the first ones is raised
 * where fewer are used. */
void hc_huffman_make(uint32_t *count, int n, int max_length, struct hc_huffman_code *codes);

#endif
