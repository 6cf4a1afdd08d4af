#include "tests/support/profile_loader.h"

#include "models/profiles/profile_fill.h"
#include "parsers/io/tar.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/shared_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 65536

static struct hc_error err;

static void need(enum hc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "profile loader: %s\n", err.message);
    exit(1);
}

bool shared_profiles_are_missing(void)
{
    return shared_data_is_missing("chakra-param/dlrm_kineto.tar.gz");
}

void profile_load_begin(struct hc_profile *profile)
{
    need(hc_profile_init(profile, &err));
}

/* All batches of one trace. */
static void read_rows(struct hc_profile_rank *rank, struct hc_table_names *names,
                      const struct hc_source *source)
{
    struct hc_table batch[HC_PROFILE_N_TABLES];
    struct hc_row_report report = {0};
    struct hc_parse_options options = {.names = names};
    void *parser = NULL;
    need(hc_format_kineto.open(&parser, source, &options, &err));
    for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++)
        need(hc_table_init(&batch[t], hc_profile_tables[t], BATCH_ROWS, &err));
    for (size_t n = 1; n > 0;) {
        need(hc_format_kineto.next_tables(parser, batch, &report, &err));
        n = 0;
        for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++) {
            need(hc_profile_rank_add(rank, &batch[t], &err));
            n += batch[t].n_rows;
            batch[t].n_rows = 0;
        }
    }
    for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++)
        hc_table_fini(&batch[t]);
    hc_row_report_fini(&report);
    hc_format_kineto.close(parser);
}

static void add_rank(struct hc_profile *profile, const struct hc_source *source)
{
    struct hc_profile_rank rank;
    struct hc_table_names names;
    need(hc_profile_rank_init(&rank, source->name, &err));
    need(hc_table_names_init(&names, hc_profile_tables, &err));
    read_rows(&rank, &names, source);
    need(hc_profile_take(profile, &rank, &names, &err));
    hc_table_names_fini(&names);
}

void profile_load(struct hc_profile *profile, const char *file)
{
    char path[PATH_MAX];
    struct hc_source source, member;
    struct hc_tar *tar = NULL;
    bool is_tar, found = true;
    need(hc_source_open(&source, shared_data(path, file), &err));
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
        hc_profile_rank_fini(&profile->ranks[r]);
        profile->ranks[r] = profile->ranks[--profile->n_ranks];
        return;
    }
}
