#include "store/codec/huffman.h"

#include <string.h>

#define MAX_LENGTH  15
#define SYMBOL_BITS 9 /* of a sort key; the count is above */

/* Ascending, by Shell's method: for a few hundred keys without a call for each comparison. */
static void sort_keys(uint64_t *keys, int n)
{
    static const int gaps[] = {132, 57, 23, 10, 4, 1}; /* Ciura's */
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (int i = gaps[g]; i < n; i++) {
            uint64_t key = keys[i];
            int to = i;
            for (; to >= gaps[g] && keys[to - gaps[g]] > key; to -= gaps[g])
                keys[to] = keys[to - gaps[g]];
            keys[to] = key;
        }
}

/* Keys (count, symbol) of the used symbols, ascending; returns how many. */
static int sort_symbols(uint32_t *count, int n, uint64_t *keys)
{
    int used = 0;
    for (int symbol = 0; symbol < n; symbol++)
        used += count[symbol] != 0;
    for (int symbol = 0; used < 2; symbol++)
        if (!count[symbol]) {
            count[symbol] = 1;
            used++;
        }
    used = 0;
    for (int symbol = 0; symbol < n; symbol++)
        if (count[symbol])
            keys[used++] = (uint64_t)count[symbol] << SYMBOL_BITS | (uint64_t)symbol;
    sort_keys(keys, used);
    return used;
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

static uint16_t reverse(uint32_t bits, int length)
{
    uint32_t reversed = 0;
    for (int i = 0; i < length; i++)
        reversed |= (bits >> i & 1) << (length - 1 - i);
    return (uint16_t)reversed;
}

void hc_huffman_make(uint32_t *count, int n, int max_length, struct hc_huffman_code *codes)
{
    uint64_t keys[HC_HUFFMAN_MAX_SYMBOLS];
    uint32_t n_of_length[MAX_LENGTH + 1] = {0}, next[MAX_LENGTH + 2] = {0};
    memset(codes, 0, (size_t)n * sizeof *codes);
    int used = sort_symbols(count, n, keys);
    count_depths(keys, used, n_of_length);
    limit_lengths(n_of_length, max_length);
    for (int length = max_length, i = 0; length > 0; length--)
        for (uint32_t k = 0; k < n_of_length[length]; k++)
            codes[keys[i++] & ((1 << SYMBOL_BITS) - 1)].length = (uint8_t)length;
    for (int length = 1; length <= max_length; length++)
        next[length + 1] = (next[length] + n_of_length[length]) << 1;
    for (int symbol = 0; symbol < n; symbol++)
        if (codes[symbol].length)
            codes[symbol].bits = reverse(next[codes[symbol].length]++, codes[symbol].length);
}
