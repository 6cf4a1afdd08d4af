/* Any bytes as a pack: opened, searched, read and verified, or refused with a message. What is
 * refused as it is comes again with the sums of its index and of its blocks set right, so that
 * mutants reach what is behind those: there every code that is read has a text. */
#include "core/base/missing.h"
#include "store/pack/block_sum.h"
#include "store/pack/pack.h"
#include "tests/fuzz/target.h"

#include <sys/mman.h>
#include <unistd.h>

#define HEAD_BYTES 8
#define TAIL_BYTES 24

static const struct hc_column_def columns[] = {
    {"time_ns", HC_I64, "ns", "", NULL},
    {"count", HC_I32, "", "", NULL},
    {"share", HC_F64, "", "", NULL},
    {"name", HC_I32, "", "", "names"},
};
static const struct hc_table_def def = {"made_up", 4, columns, 1};

/* Those of the seeds. */
static const char *const digests[] = {
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
};
#define N_DIGESTS (sizeof digests / sizeof *digests)

static void check_rows(const struct hc_table *rows, struct hc_table_names *names)
{
    const struct hc_text_set *set = hc_table_names_find(names, "names");
    size_t n_bytes = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int32_t code = hc_table_i32(rows, 3)[i];
        require(code == HC_MISSING_I32 || (code >= 0 && (size_t)code < set->n));
    }
    for (size_t i = 0; i < set->n; i++)
        n_bytes += strlen(set->text[i]);
    require(n_bytes < 1 << 20);
}

static void read_entry(struct hc_pack *pack, const struct hc_pack_entry *entry)
{
    const struct hc_table_def *const tables[] = {&def, NULL};
    struct hc_error err = {0};
    struct hc_table rows = {.def = &def};
    struct hc_table_names names;
    if (!entry || entry->chunk_rows > 1 << 16 || hc_table_reserve(&rows, entry->chunk_rows, &err))
        return;
    for (size_t chunk = 0; chunk < 3 && chunk < hc_pack_n_chunks(entry); chunk++) {
        const struct hc_pack_choice choice = {entry, UINT64_MAX, chunk};
        require(hc_table_names_init(&names, tables, &err) == HC_OK);
        if (hc_pack_read(pack, &choice, &rows, &names, &err) == HC_OK)
            check_rows(&rows, &names);
        else
            require(*err.message);
        hc_table_names_fini(&names);
    }
    hc_table_fini(&rows);
}

static bool try_bytes(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    struct hc_pack *pack = NULL;
    int fd = memfd_create("pack", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    if (hc_pack_open(&pack, fd, "pack", &err)) {
        require(err.status == HC_BAD_INPUT && *err.message);
        return false;
    }
    for (size_t i = 0; i < N_DIGESTS; i++)
        read_entry(pack, hc_pack_find(pack, digests[i], &def));
    bool is_whole = hc_pack_verify(pack, &err) == HC_OK;
    require(is_whole || err.status == HC_BAD_INPUT);
    hc_pack_close(pack);
    return is_whole;
}

/* Give the index its sum; false: there is no room for one. */
static bool mend_index(uint8_t *data, size_t size)
{
    uint64_t length;
    if (size < HEAD_BYTES + TAIL_BYTES)
        return false;
    uint8_t *tail = data + size - TAIL_BYTES;
    memcpy(&length, tail, sizeof length);
    if (length > size - HEAD_BYTES - TAIL_BYTES)
        return false;
    uint64_t sum = hc_block_sum(tail - length, length);
    memcpy(tail + sizeof length, &sum, sizeof sum);
    return true;
}

/* Give each block of the index its sum: items are 16 bytes, the last 8 of them the sum of the
 * block, blocks lie one behind the other. What cannot be so is left. */
static void mend_blocks(uint8_t *data, size_t size)
{
    struct hc_error err;
    struct hc_pack *pack = NULL;
    int fd = memfd_create("pack", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    if (hc_pack_open(&pack, fd, "pack", &err))
        return;
    uint64_t length;
    memcpy(&length, data + size - TAIL_BYTES, sizeof length);
    for (size_t i = 0; i < N_DIGESTS; i++) {
        const struct hc_pack_entry *entry = hc_pack_find(pack, digests[i], &def);
        size_t n = entry ? 1 + def.n_columns * hc_pack_n_chunks(entry) : 0;
        if (n == 0)
            continue;
        const uint8_t *items = memmem(data, size, entry->items, n * 16);
        uint64_t at = entry->offset;
        for (size_t k = 0; k < n && items; k++) {
            uint8_t *item = data + (items - data) + k * 16;
            uint32_t block;
            memcpy(&block, item, sizeof block);
            uint64_t sum = hc_block_sum(data + at, block);
            memcpy(item + 8, &sum, sizeof sum);
            at += block;
        }
    }
    hc_pack_close(pack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (try_bytes(data, size))
        return 0;
    uint8_t *right = malloc(size + 1);
    require(right);
    memcpy(right, data, size);
    if (mend_index(right, size)) {
        try_bytes(right, size);
        mend_blocks(right, size);
        mend_index(right, size);
        try_bytes(right, size);
    }
    free(right);
    return 0;
}
