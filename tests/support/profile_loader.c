#include "tests/support/profile_loader.h"

#include "core/base/memory.h"
#include "parsers/io/tar.h"
#include "parsers/registry/format_registry.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BATCH_ROWS 65536

static struct hc_error err;

static void need(enum hc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "profile loader: %s\n", err.message);
    exit(1);
}

static const char *shared_file(char path[PATH_MAX], const char *file)
{
    const char *shared = getenv("HINDCAST_SHARED");
    snprintf(path, PATH_MAX, "%s/data/%s", shared ? shared : "../shared", file);
    return path;
}

bool shared_profiles_are_missing(void)
{
    char path[PATH_MAX];
    if (access(shared_file(path, "chakra-param/dlrm_kineto.tar.gz"), R_OK) == 0)
        return false;
    printf("skipped: '%s' is not there; set HINDCAST_SHARED\n", path);
    return true;
}

void profile_load_begin(struct hc_profile *profile)
{
    memset(profile, 0, sizeof *profile);
    need(hc_table_names_init(&profile->names, hc_profile_tables, &err));
}

static void append(struct hc_table *to, struct hc_table *from)
{
    if (to->n_rows + from->n_rows > to->capacity) {
        struct hc_table larger;
        need(hc_table_init(&larger, to->def, 2 * to->capacity + from->n_rows, &err));
        hc_table_append(&larger, to, 0, to->n_rows);
        hc_table_fini(to);
        *to = larger;
    }
    hc_table_append(to, from, 0, from->n_rows);
    from->n_rows = 0;
}

/* All batches of one trace. */
static void read_rows(struct hc_profile *profile, struct hc_profile_rank *rank,
                      const struct hc_source *source)
{
    struct hc_table batch[HC_PROFILE_N_TABLES];
    struct hc_row_report report = {0};
    struct hc_parse_options options = {.names = &profile->names};
    void *parser = NULL;
    need(hc_format_kineto.open(&parser, source, &options, &err));
    for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++) {
        need(hc_table_init(&batch[t], hc_profile_tables[t], BATCH_ROWS, &err));
        need(hc_table_init(&rank->table[t], hc_profile_tables[t], BATCH_ROWS, &err));
    }
    for (size_t n = 1; n > 0;) {
        need(hc_format_kineto.next_tables(parser, batch, &report, &err));
        n = 0;
        for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++) {
            n += batch[t].n_rows;
            append(&rank->table[t], &batch[t]);
        }
    }
    for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++)
        hc_table_fini(&batch[t]);
    hc_row_report_fini(&report);
    hc_format_kineto.close(parser);
}

static void add_rank(struct hc_profile *profile, const struct hc_source *source)
{
    size_t n = profile->n_ranks;
    struct hc_profile_rank *ranks = hc_new_array(n + 1, sizeof *ranks, &err);
    need(ranks ? HC_OK : err.status);
    if (n > 0)
        memcpy(ranks, profile->ranks, n * sizeof *ranks);
    free(profile->ranks);
    profile->ranks = ranks;
    struct hc_profile_rank *rank = &profile->ranks[profile->n_ranks++];
    rank->name = hc_copy_text(source->name, &err);
    need(rank->name ? HC_OK : err.status);
    read_rows(profile, rank, source);
    const struct hc_table *row = &rank->table[HC_PROFILE_RANKS];
    if (row->n_rows != 1) {
        fprintf(stderr, "profile loader: '%s' has %zu ranks\n", rank->name, row->n_rows);
        exit(1);
    }
    rank->rank = hc_table_i32(row, HC_RANKS_RANK)[0];
    rank->world_size = hc_table_i32(row, HC_RANKS_WORLD_SIZE)[0];
}

void profile_load(struct hc_profile *profile, const char *file)
{
    char path[PATH_MAX];
    struct hc_source source, member;
    struct hc_tar *tar = NULL;
    bool is_tar, found = true;
    need(hc_source_open(&source, shared_file(path, file), &err));
    need(hc_tar_is(&source, &is_tar, &err));
    if (!is_tar)
        add_rank(profile, &source);
    if (is_tar)
        need(hc_tar_open(&tar, &source, &err));
    while (is_tar && found) {
        need(hc_tar_next(tar, &member, &found, &err));
        if (found) {
            add_rank(profile, &member);
            hc_source_close(&member);
        }
    }
    hc_tar_close(tar);
    hc_source_close(&source);
}

void profile_without(struct hc_profile *profile, int32_t rank)
{
    for (size_t r = 0; r < profile->n_ranks; r++) {
        if (profile->ranks[r].rank != rank)
            continue;
        struct hc_profile_rank last = profile->ranks[profile->n_ranks - 1];
        profile->ranks[profile->n_ranks - 1] = profile->ranks[r];
        profile->ranks[r] = last;
        /* The one at the end goes as a profile of its own would. */
        struct hc_profile gone = {.n_ranks = 1, .ranks = hc_new_array(1, sizeof *gone.ranks, &err)};
        need(gone.ranks ? HC_OK : err.status);
        gone.ranks[0] = profile->ranks[--profile->n_ranks];
        hc_profile_fini(&gone);
        return;
    }
}
