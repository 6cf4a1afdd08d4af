#include "store/codec/huffman.h"

#include <string.h>

#define MAX_LENGTH  15
#define SYMBOL_BITS 9 /* of a sort key; the count is above */
#define DIGIT_BITS  7
#define DIGIT_MASK  ((1 << DIGIT_BITS) - 1)

#define MOST_INSERTED 24 /* keys, for which insertion is faster than to sort by digits */

/* By one digit of the counts, from the last to the first: each pass keeps the order of equals. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, int n, int shift)
{
    uint16_t place[1 << DIGIT_BITS] = {0};
    for (int i = 0; i < n; i++)
        place[from[i] >> shift & DIGIT_MASK]++;
    for (int digit = 0, next = 0; digit <= DIGIT_MASK; digit++) {
        int n_here = place[digit];
        place[digit] = (uint16_t)next;
        next += n_here;
    }
    for (int i = 0; i < n; i++)
        to[place[from[i] >> shift & DIGIT_MASK]++] = from[i];
}

static void insert_keys(uint64_t *keys, int n)
{
    for (int i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int to = i;
        for (; to > 0 && keys[to - 1] > key; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
    }
}

/* Ascending; the symbols are in order. */
static void sort_keys(uint64_t *keys, int n)
{
    uint64_t other[HC_HUFFMAN_MAX_SYMBOLS], most = 0;
    if (n <= MOST_INSERTED) {
        insert_keys(keys, n);
        return;
    }
    for (int i = 0; i < n; i++)
        most = keys[i] > most ? keys[i] : most;
    for (int shift = SYMBOL_BITS; most >> shift; shift += DIGIT_BITS) {
        sort_by_digit(keys, other, n, shift);
        memcpy(keys, other, (size_t)n * sizeof *keys);
    }
}

/* The used symbols, ascending; returns how many. */
static int find_used(uint32_t *count, int n, uint16_t *symbols)
{
    int used = 0;
    for (int symbol = 0; symbol < n; symbol++) {
        symbols[used] = (uint16_t)symbol;
        used += count[symbol] != 0;
    }
    if (used >= 2)
        return used;
    int first = used == 1 && symbols[0] == 0; /* not the one that is used */
    count[first] = 1;
    if (used == 0)
        count[1] = 1;
    return find_used(count, n, symbols);
}

/* Depths of the leaves of the Huffman tree over ascending weights: leaves are nodes 0..used-1,
 * inner nodes follow in the order they are made, which is ascending too. */
static void count_depths(const uint64_t *keys, int used, uint32_t *n_of_length)
{
    uint64_t weight[2 * HC_HUFFMAN_MAX_SYMBOLS];
    int parent[2 * HC_HUFFMAN_MAX_SYMBOLS], depth[2 * HC_HUFFMAN_MAX_SYMBOLS];
    int leaf = 0, inner = used;
    for (int i = 0; i < used; i++)
        weight[i] = keys[i] >> SYMBOL_BITS;
    for (int node = used; node < 2 * used - 1; node++) {
        weight[node] = 0;
        for (int side = 0; side < 2; side++) {
            int least =
                leaf < used && (inner == node || weight[leaf] <= weight[inner]) ? leaf++ : inner++;
            weight[node] += weight[least];
            parent[least] = node;
        }
    }
    depth[2 * used - 2] = 0;
    for (int node = 2 * used - 3; node >= 0; node--) {
        depth[node] = depth[parent[node]] + 1;
        if (node < used)
            n_of_length[depth[node] < MAX_LENGTH ? depth[node] : MAX_LENGTH]++;
    }
}

/* Bring the lengths down to max_length: the code space that the cut leaves take too much is given
 * back by lengthening shorter codes, the longest of them first. */
static void limit_lengths(uint32_t *n_of_length, int max_length)
{
    uint32_t space = 0;
    for (int length = MAX_LENGTH; length > max_length; length--) {
        n_of_length[max_length] += n_of_length[length];
        n_of_length[length] = 0;
    }
    for (int length = 1; length <= max_length; length++)
        space += n_of_length[length] << (max_length - length);
    for (; space > 1u << max_length; space--) {
        int length = max_length - 1;
        while (!n_of_length[length])
            length--;
        n_of_length[max_length]--;
        n_of_length[length]--;
        n_of_length[length + 1] += 2;
    }
}

/* The bits of a code in the other order: all sixteen are, and the code is below. */
static uint16_t reverse(uint32_t bits, int length)
{
    bits = (bits >> 1 & 0x5555) | (bits & 0x5555) << 1;
    bits = (bits >> 2 & 0x3333) | (bits & 0x3333) << 2;
    bits = (bits >> 4 & 0x0f0f) | (bits & 0x0f0f) << 4;
    bits = (bits >> 8 & 0x00ff) | (bits & 0x00ff) << 8;
    return (uint16_t)(bits >> (16 - length));
}

void hc_huffman_make(uint32_t *count, int n, int max_length, struct hc_huffman_code *codes)
{
    uint64_t keys[HC_HUFFMAN_MAX_SYMBOLS];
    uint16_t symbols[HC_HUFFMAN_MAX_SYMBOLS]; /* ascending */
    uint32_t n_of_length[MAX_LENGTH + 1] = {0}, next[MAX_LENGTH + 2] = {0};
    memset(codes, 0, (size_t)n * sizeof *codes);
    int used = find_used(count, n, symbols);
    for (int i = 0; i < used; i++)
        keys[i] = (uint64_t)count[symbols[i]] << SYMBOL_BITS | symbols[i];
    sort_keys(keys, used);
    count_depths(keys, used, n_of_length);
    limit_lengths(n_of_length, max_length);
    for (int length = max_length, i = 0; length > 0; length--)
        for (uint32_t k = 0; k < n_of_length[length]; k++)
            codes[keys[i++] & ((1 << SYMBOL_BITS) - 1)].length = (uint8_t)length;
    for (int length = 1; length <= max_length; length++)
        next[length + 1] = (next[length] + n_of_length[length]) << 1;
    for (int i = 0; i < used; i++) {
        struct hc_huffman_code *code = &codes[symbols[i]];
        code->bits = reverse(next[code->length]++, code->length);
    }
}
