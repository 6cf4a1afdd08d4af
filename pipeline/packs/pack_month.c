#include "pipeline/packs/pack_month.h"

#include "pipeline/packs/pack_source.h"

#include <unistd.h>

size_t hc_pack_month_length(const struct hc_manifest_entry *entries, size_t n)
{
    size_t length = 1;
    while (hc_has_pack(entries) && length < n && hc_is_same_pack(entries, &entries[length]))
        length++;
    return length;
}

/* A pack that is torn, or of another version, is as none. */
static struct hc_pack *open_kept(const struct hc_pack_month *month)
{
    struct hc_error why;
    struct hc_pack *pack = NULL;
    int fd = -1;
    if (hc_derived_pack_open(month->archive->path, month->entries, &fd, &why) || fd < 0 ||
        hc_pack_open(&pack, fd, HC_DERIVED_PACK, &why))
        return NULL;
    return pack;
}

static bool keeps(const struct hc_pack_month *month)
{
    return hc_pack_source().keeps && !month->archive->newer && hc_has_pack(month->entries) &&
           hc_manifest_entry_is(month->entries, month->def) && hc_pack_can_hold(month->def);
}

void hc_pack_month_open(struct hc_pack_month *month, const struct hc_archive *archive,
                        const struct hc_table_def *def, const struct hc_manifest_entry *entries,
                        size_t n)
{
    *month = (struct hc_pack_month){
        .archive = archive, .def = def, .entries = entries, .n = n, .file = {.folder = {.fd = -1}}};
    if (keeps(month))
        month->kept = open_kept(month);
}

/* What a pack has of a segment, if it is as much as the manifest says. */
static const struct hc_pack_entry *find_in(const struct hc_pack_month *month, struct hc_pack *pack,
                                           size_t i)
{
    const struct hc_manifest_entry *entry = &month->entries[i];
    const struct hc_pack_entry *found = hc_pack_find(pack, entry->sha256, month->def);
    return found && found->n_rows == (uint64_t)hc_manifest_entry_rows(entry, month->def) ? found
                                                                                         : NULL;
}

bool hc_pack_month_find(const struct hc_pack_month *month, size_t i, struct hc_packed_rows *found)
{
    static size_t last; /* parts are of neighbours: where the one before was, the next is mostly */
    struct hc_pack_source source = hc_pack_source();
    for (size_t p = 0; p < source.n_parts; p++) {
        size_t at = (last + p) % source.n_parts;
        *found = (struct hc_packed_rows){source.parts[at], find_in(month, source.parts[at], i)};
        if (found->entry) {
            last = at;
            return true;
        }
    }
    *found =
        (struct hc_packed_rows){month->kept, month->kept ? find_in(month, month->kept, i) : NULL};
    return found->entry;
}

/* ---- the new pack ---- */

static void drop_writer(struct hc_pack_month *month)
{
    hc_pack_writer_abort(month->writer);
    month->writer = NULL;
    hc_derived_pack_end(&month->file);
}

static void give_up(struct hc_pack_month *month, const struct hc_error *why)
{
    drop_writer(month);
    hc_pack_source_give_up(month->archive->path, why);
}

/* What of the old pack is damaged is left out: it is read from its segment the next time. */
void hc_pack_month_pass(struct hc_pack_month *month, size_t i)
{
    struct hc_error why = {.status = HC_OK};
    const struct hc_pack_entry *entry =
        month->writer && month->kept ? find_in(month, month->kept, i) : NULL;
    if (entry && hc_pack_writer_copy(month->writer, month->kept, entry, month->def, &why) &&
        why.status != HC_BAD_INPUT)
        give_up(month, &why);
}

static bool begin_writer(struct hc_pack_month *month, size_t i)
{
    struct hc_error why;
    if (hc_derived_pack_begin(&month->file, month->archive->path, month->entries, &why) ||
        hc_pack_writer_open(&month->writer, month->file.stream, "", &why)) {
        give_up(month, &why);
        return false;
    }
    for (size_t before = 0; before < i && month->writer; before++)
        hc_pack_month_pass(month, before);
    return month->writer;
}

bool hc_pack_month_begins(struct hc_pack_month *month, size_t i)
{
    return month->writer || (keeps(month) && begin_writer(month, i));
}

void hc_pack_month_names(struct hc_pack_month *month, size_t i, const struct hc_table_names *names)
{
    struct hc_error why;
    if (month->writer &&
        hc_pack_writer_entry(month->writer, month->entries[i].sha256, month->def, names, &why))
        give_up(month, &why);
}

void hc_pack_month_rows(struct hc_pack_month *month, const struct hc_table *rows)
{
    struct hc_error why;
    if (month->writer && hc_pack_writer_rows(month->writer, rows, &why))
        give_up(month, &why);
}

void hc_pack_month_close(struct hc_pack_month *month, bool is_whole)
{
    struct hc_error why;
    if (month->writer && is_whole) {
        struct hc_pack_writer *writer = month->writer;
        month->writer = NULL;
        if (hc_pack_writer_close(writer, &why) || hc_derived_pack_commit(&month->file, &why))
            give_up(month, &why);
        /* Who takes segments away first publishes that, then forgets their packs: one that is put
         * in place after that is to be forgotten here. */
        else if (!hc_archive_still_names(month->archive, month->entries, month->n))
            hc_derived_pack_forget(month->archive->path, month->entries, 1, &why);
    }
    drop_writer(month);
    hc_pack_close(month->kept);
    month->kept = NULL;
}
