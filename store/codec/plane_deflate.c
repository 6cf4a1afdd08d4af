#include "store/codec/plane_deflate.h"

#include "core/base/memory.h"
#include "store/codec/huffman.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MATCH 258
/* Shorter matches cost more bits than the literals of a plane of few values, and time: with 4 the
 * months of a cluster are 4 % smaller, timelines and profiles 1 % larger, and ingest takes 20 %
 * more. */
#define MIN_MATCH          8
#define WINDOW             32768
#define MAX_BLOCK          131072 /* bytes that share one Huffman code */
#define MAX_SEQUENCES      16384
#define HASH_BITS          13
#define MISS_SHIFT         5 /* the parse steps faster with every 32 positions without a match */
#define STORED_MAX         65535
#define END_OF_BLOCK       256
#define N_LITERAL_SYMBOLS  286
#define N_DISTANCE_SYMBOLS 30
#define N_LENGTH_SYMBOLS   19
/* Most bits of a code: four literals fit between two flushes, at hardly any cost in size. */
#define LITERAL_BITS  14
#define DISTANCE_BITS 15
/* A block below is stored without a look: the codes alone would take as much. */
#define SHORTEST_CODED 25
#define SLACK          16 /* bytes that flushing whole words writes past the end */
/* Lengths of a block of one value that is kept: all from SHORTEST_CODED on are smaller coded than
 * stored, and this one needs CONSTANT_ROOM bytes, by two bits for each longest match. */
#define CONSTANT_MOST 65536
#define CONSTANT_ROOM 152

/* Literals and then a match; the last sequence of a block has length 0. */
struct sequence {
    uint32_t n_literals;
    uint16_t length, distance;
};

/* A symbol with its extra bits. */
struct symbol {
    int code;
    unsigned n_extra, extra;
};

/* Code lengths of both codes, run-length encoded. */
struct length_code {
    int n_literal, n_distance, n_items, n_lengths;
    uint8_t item[N_LITERAL_SYMBOLS + N_DISTANCE_SYMBOLS];
    uint8_t extra[N_LITERAL_SYMBOLS + N_DISTANCE_SYMBOLS];
    struct hc_huffman_code codes[N_LENGTH_SYMBOLS];
};

/* The block that a plane of one value becomes, without its first bit, which says whether it is the
 * last. Most planes of a chunk are of one value, and of a few values and one length. */
struct constant_block {
    size_t length; /* of the plane; 0: nothing is kept */
    size_t n_bits;
    uint8_t bytes[CONSTANT_ROOM];
};

/* Where a stream is written. */
struct bit_writer {
    uint64_t bits; /* not yet written, the first in bit 0 */
    unsigned n_bits;
    uint8_t *out;
};

struct hc_plane_deflate {
    struct bit_writer to;
    size_t n_sequences;
    struct sequence sequences[MAX_SEQUENCES + 1];
    /* Hash of eight bytes -> last position of them in the plane, counted from base: what lies below
     * is of planes before, so that the table need not be emptied for each. */
    uint32_t table[1 << HASH_BITS], base;
    uint32_t literal_count[N_LITERAL_SYMBOLS], distance_count[N_DISTANCE_SYMBOLS];
    struct hc_huffman_code literal_codes[N_LITERAL_SYMBOLS], distance_codes[N_DISTANCE_SYMBOLS];
    uint64_t extra_bits; /* of all symbols of the block */
    struct length_code lengths;
    struct constant_block constants[256]; /* by the value */
};

/* Extra bits of the run symbols of the length code, and the order in which its own lengths go. */
static const uint8_t run_extra[N_LENGTH_SYMBOLS] = {[16] = 2, [17] = 3, [18] = 7};
static const uint8_t length_order[N_LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};

struct hc_plane_deflate *hc_plane_deflate_new(struct hc_error *err)
{
    return hc_new_array(1, sizeof(struct hc_plane_deflate), err);
}

void hc_plane_deflate_free(struct hc_plane_deflate *encoder)
{
    free(encoder);
}

size_t hc_plane_deflate_bound(size_t n_planes, size_t length)
{
    /* No block is larger than stored blocks of it, 5 bytes each and one begun before; a block ends
     * after MAX_BLOCK bytes or after MAX_SEQUENCES matches, which are as much. */
    size_t n_stored = 3 * (length / STORED_MAX + 1);
    return n_planes * (length + 6 * n_stored) + SLACK;
}

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* ---- bits ---- */

/* At most 56 bits may be put between two flushes. */
static inline void put(struct bit_writer *to, uint64_t bits, unsigned n)
{
    to->bits |= bits << to->n_bits;
    to->n_bits += n;
}

static inline void flush(struct bit_writer *to)
{
    memcpy(to->out, &to->bits, sizeof to->bits);
    to->out += to->n_bits >> 3;
    to->bits >>= to->n_bits & ~7u;
    to->n_bits &= 7;
}

static inline void put_code(struct bit_writer *to, struct hc_huffman_code code)
{
    put(to, code.bits, code.length);
}

static void align_to_byte(struct bit_writer *to)
{
    to->n_bits = (to->n_bits + 7) & ~7u;
    flush(to);
}

/* ---- parsing ---- */

/* Without branches, which would be foreseen badly: the first codes, of one length or distance each,
 * are those of the rule for all others with no extra bits. */
static inline struct symbol length_symbol(unsigned length)
{
    unsigned x = length - 3, n_extra = 29 - (unsigned)__builtin_clz(x | 4);
    struct symbol symbol = {(int)(257 + 4 * n_extra + (x >> n_extra)), n_extra,
                            x & ((1u << n_extra) - 1)};
    return length == MAX_MATCH ? (struct symbol){285, 0, 0} : symbol;
}

static inline struct symbol distance_symbol(unsigned distance)
{
    unsigned x = distance - 1, n_extra = 30 - (unsigned)__builtin_clz(x | 2);
    return (struct symbol){(int)(2 * n_extra + (x >> n_extra)), n_extra, x & ((1u << n_extra) - 1)};
}

/* How many bytes at a and b agree, at most limit; a is before b. */
static size_t match_length(const uint8_t *a, const uint8_t *b, size_t limit)
{
    size_t n = 0;
    for (; n + 8 <= limit; n += 8) {
        uint64_t x, y;
        memcpy(&x, a + n, sizeof x);
        memcpy(&y, b + n, sizeof y);
        if (x != y)
            return n + (size_t)__builtin_ctzll(x ^ y) / 8;
    }
    while (n < limit && a[n] == b[n])
        n++;
    return n;
}

static void add_sequence(struct hc_plane_deflate *d, size_t n_literals, size_t length,
                         size_t distance)
{
    d->sequences[d->n_sequences++] = (struct sequence){
        .n_literals = (uint32_t)n_literals,
        .length = (uint16_t)length,
        .distance = (uint16_t)distance,
    };
}

/* Where eight bytes like those at i stood before: one period back, else where the hash says; i when
 * nowhere within the window. What the table has of planes before is farther back than i. */
static inline size_t find_match(struct hc_plane_deflate *d, const uint8_t *plane, size_t i,
                                size_t period)
{
    uint64_t here = load64(plane + i);
    if (i >= period && load64(plane + i - period) == here)
        return i - period;
    uint32_t *slot = &d->table[here * 0x9E3779B97F4A7C15ULL >> (64 - HASH_BITS)];
    uint32_t at = d->base + (uint32_t)i, distance = at - *slot;
    *slot = at;
    bool found = distance <= i && distance < WINDOW && load64(plane + i - distance) == here;
    return found ? i - distance : i;
}

/* Split plane[start..] into the sequences of one block; returns where the block ends. */
static size_t parse_block(struct hc_plane_deflate *d, const uint8_t *plane, size_t start,
                          size_t length)
{
    size_t end = length - start < MAX_BLOCK ? length : start + MAX_BLOCK;
    size_t i = start, literals = start, misses = 0, period = 1;
    d->n_sequences = 0;
    while (i + MIN_MATCH <= end) {
        size_t from = find_match(d, plane, i, period);
        if (from == i) {
            i += 1 + (misses++ >> MISS_SHIFT);
            continue;
        }
        size_t limit = end - i < MAX_MATCH ? end - i : MAX_MATCH;
        size_t n = match_length(plane + from, plane + i, limit);
        period = i - from;
        add_sequence(d, i - literals, n, period);
        i += n;
        literals = i;
        /* Not 0: where matches are few, the next is as far, and the search for it is half of the
         * time. Months of a cluster become 0.5 % larger, and their encoding takes 12 % less. */
        misses >>= 1;
        if (d->n_sequences == MAX_SEQUENCES) {
            end = i;
            break;
        }
    }
    add_sequence(d, end - literals, 0, 0);
    return end;
}

/* ---- one block ---- */

/* Eight at a time, in four tables: one after the other would wait for its own count where bytes
 * repeat. */
static void count_literals(uint32_t count[4][256], const uint8_t *bytes, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t eight = load64(bytes + i);
        for (unsigned k = 0; k < 8; k++)
            count[k & 3][eight >> 8 * k & 0xff]++;
    }
    for (; i < n; i++)
        count[0][bytes[i]]++;
}

static void count_symbols(struct hc_plane_deflate *d, const uint8_t *bytes)
{
    uint32_t count[4][256] = {0};
    memset(d->literal_count, 0, sizeof d->literal_count);
    memset(d->distance_count, 0, sizeof d->distance_count);
    d->extra_bits = 0;
    for (size_t s = 0; s < d->n_sequences; s++) {
        struct sequence sequence = d->sequences[s];
        count_literals(count, bytes, sequence.n_literals);
        bytes += sequence.n_literals + sequence.length;
        if (!sequence.length)
            continue;
        struct symbol length = length_symbol(sequence.length);
        struct symbol distance = distance_symbol(sequence.distance);
        d->literal_count[length.code]++;
        d->distance_count[distance.code]++;
        d->extra_bits += length.n_extra + distance.n_extra;
    }
    for (int i = 0; i < 256; i++)
        d->literal_count[i] = count[0][i] + count[1][i] + count[2][i] + count[3][i];
    d->literal_count[END_OF_BLOCK] = 1;
}

static uint64_t cost(const uint32_t *count, const struct hc_huffman_code *codes, int n)
{
    uint64_t bits = 0;
    for (int symbol = 0; symbol < n; symbol++)
        bits += (uint64_t)count[symbol] * codes[symbol].length;
    return bits;
}

static int trimmed(const struct hc_huffman_code *codes, int n, int least)
{
    while (n > least && !codes[n - 1].length)
        n--;
    return n;
}

/* Run-length encode the lengths of both codes; returns the bits of the block's header. */
static uint64_t make_lengths(struct hc_plane_deflate *d)
{
    struct length_code *l = &d->lengths;
    uint8_t lengths[N_LITERAL_SYMBOLS + N_DISTANCE_SYMBOLS];
    uint32_t count[N_LENGTH_SYMBOLS] = {0};
    int n = 0;
    l->n_literal = trimmed(d->literal_codes, N_LITERAL_SYMBOLS, 257);
    l->n_distance = trimmed(d->distance_codes, N_DISTANCE_SYMBOLS, 1);
    for (int i = 0; i < l->n_literal; i++)
        lengths[n++] = d->literal_codes[i].length;
    for (int i = 0; i < l->n_distance; i++)
        lengths[n++] = d->distance_codes[i].length;
    l->n_items = 0;
    for (int i = 0, run; i < n; i += run) {
        int most = lengths[i] ? 1 : 138; /* only zeros are worth runs here */
        for (run = 1; run < most && i + run < n && !lengths[i + run]; run++)
            ;
        run = run < 3 ? 1 : run;
        l->item[l->n_items] = run == 1 ? lengths[i] : run < 11 ? 17 : 18;
        l->extra[l->n_items] = (uint8_t)(run == 1 ? 0 : run - (run < 11 ? 3 : 11));
        count[l->item[l->n_items++]]++;
    }
    hc_huffman_make(count, N_LENGTH_SYMBOLS, 7, l->codes);
    l->n_lengths = N_LENGTH_SYMBOLS;
    while (l->n_lengths > 4 && !l->codes[length_order[l->n_lengths - 1]].length)
        l->n_lengths--;
    return 3 + 14 + 3 * (uint64_t)l->n_lengths + cost(count, l->codes, N_LENGTH_SYMBOLS) +
           3 * (uint64_t)count[17] + 7 * (uint64_t)count[18];
}

static void put_header(struct hc_plane_deflate *d, bool final)
{
    const struct length_code *l = &d->lengths;
    struct bit_writer *to = &d->to;
    put(to, final | 2 << 1, 3);
    put(to, (uint64_t)(l->n_literal - 257), 5);
    put(to, (uint64_t)(l->n_distance - 1), 5);
    put(to, (uint64_t)(l->n_lengths - 4), 4);
    for (int i = 0; i < l->n_lengths; i++) {
        flush(to);
        put(to, l->codes[length_order[i]].length, 3);
    }
    for (int i = 0; i < l->n_items; i++) {
        flush(to);
        put_code(to, l->codes[l->item[i]]);
        put(to, l->extra[i], run_extra[l->item[i]]);
    }
    flush(to);
}

/* Four literals between two flushes: LITERAL_BITS says why that is not too much. */
static inline void put_literals(struct bit_writer *to, const struct hc_huffman_code *codes,
                                const uint8_t *bytes, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        put_code(to, codes[bytes[i]]);
        put_code(to, codes[bytes[i + 1]]);
        put_code(to, codes[bytes[i + 2]]);
        put_code(to, codes[bytes[i + 3]]);
        flush(to);
    }
    for (; i < n; i++)
        put_code(to, codes[bytes[i]]);
    flush(to);
}

/* The writer is a copy: what is written may lie anywhere, as far as the compiler knows, and d->to
 * would be stored and loaded for every code. */
static void put_sequences(struct hc_plane_deflate *d, const uint8_t *bytes)
{
    struct bit_writer to = d->to;
    for (size_t s = 0; s < d->n_sequences; s++) {
        struct sequence sequence = d->sequences[s];
        put_literals(&to, d->literal_codes, bytes, sequence.n_literals);
        bytes += sequence.n_literals + sequence.length;
        if (!sequence.length)
            continue;
        struct symbol length = length_symbol(sequence.length);
        struct symbol distance = distance_symbol(sequence.distance);
        put_code(&to, d->literal_codes[length.code]);
        put(&to, length.extra, length.n_extra);
        put_code(&to, d->distance_codes[distance.code]);
        put(&to, distance.extra, distance.n_extra);
        flush(&to);
    }
    put_code(&to, d->literal_codes[END_OF_BLOCK]);
    flush(&to);
    d->to = to;
}

static void put_stored(struct bit_writer *to, const uint8_t *bytes, size_t length, bool final)
{
    while (length) {
        size_t n = length < STORED_MAX ? length : STORED_MAX;
        put(to, final && n == length, 3);
        align_to_byte(to);
        put(to, n | (~n & 0xffff) << 16, 32);
        flush(to);
        memcpy(to->out, bytes, n);
        to->out += n;
        bytes += n;
        length -= n;
    }
}

static void put_block(struct hc_plane_deflate *d, const uint8_t *bytes, size_t length, bool final)
{
    if (length < SHORTEST_CODED) {
        put_stored(&d->to, bytes, length, final);
        return;
    }
    count_symbols(d, bytes);
    hc_huffman_make(d->literal_count, N_LITERAL_SYMBOLS, LITERAL_BITS, d->literal_codes);
    hc_huffman_make(d->distance_count, N_DISTANCE_SYMBOLS, DISTANCE_BITS, d->distance_codes);
    uint64_t bits = make_lengths(d) + d->extra_bits +
                    cost(d->literal_count, d->literal_codes, N_LITERAL_SYMBOLS) +
                    cost(d->distance_count, d->distance_codes, N_DISTANCE_SYMBOLS);
    /* A few percent are not worth what Huffman decoding costs over copying. */
    if (bits >= length * 8 / 100 * 95) {
        put_stored(&d->to, bytes, length, final);
    } else {
        put_header(d, final);
        put_sequences(d, bytes);
    }
}

/* ---- planes of one value ---- */

static bool is_constant(const uint8_t *plane, size_t length)
{
    return length >= SHORTEST_CODED && length <= CONSTANT_MOST &&
           memcmp(plane, plane + 1, length - 1) == 0;
}

static void keep_constant(struct hc_plane_deflate *d, const uint8_t *plane, size_t length)
{
    struct constant_block *kept = &d->constants[plane[0]];
    const struct bit_writer to = d->to;
    d->to = (struct bit_writer){.out = kept->bytes};
    parse_block(d, plane, 0, length);
    put_block(d, plane, length, false);
    kept->length = length;
    kept->n_bits = 8 * (size_t)(d->to.out - kept->bytes) + d->to.n_bits;
    d->to = to;
}

static void put_constant(struct bit_writer *to, const struct constant_block *kept, bool final)
{
    size_t at = 8;
    put(to, (kept->bytes[0] & 0xfe) | final, 8);
    for (; at + 32 <= kept->n_bits; at += 32) {
        uint32_t bits;
        memcpy(&bits, kept->bytes + at / 8, sizeof bits);
        flush(to);
        put(to, bits, 32);
    }
    for (; at < kept->n_bits; at += 8) {
        size_t n = kept->n_bits - at < 8 ? kept->n_bits - at : 8;
        flush(to);
        put(to, kept->bytes[at / 8], (unsigned)n);
    }
    flush(to);
}

/* ---- planes ---- */

static void put_plane(struct hc_plane_deflate *d, const uint8_t *plane, size_t length, bool final)
{
    const bool constant = is_constant(plane, length);
    if (constant && d->constants[plane[0]].length == length) {
        put_constant(&d->to, &d->constants[plane[0]], final);
        return;
    }
    if (length > UINT32_MAX - d->base) {
        memset(d->table, 0, sizeof d->table);
        d->base = 0;
    }
    if (constant) {
        keep_constant(d, plane, length);
        put_constant(&d->to, &d->constants[plane[0]], final);
    }
    for (size_t start = 0, end; start < length && !constant; start = end) {
        end = parse_block(d, plane, start, length);
        put_block(d, plane + start, end - start, final && end == length);
    }
    d->base += (uint32_t)length;
}

size_t hc_plane_deflate(struct hc_plane_deflate *encoder, const uint8_t *planes, size_t n_planes,
                        size_t length, uint8_t *out)
{
    encoder->to = (struct bit_writer){.out = out};
    for (size_t i = 0; i < n_planes; i++)
        put_plane(encoder, planes + i * length, length, i + 1 == n_planes);
    align_to_byte(&encoder->to);
    return (size_t)(encoder->to.out - out);
}
