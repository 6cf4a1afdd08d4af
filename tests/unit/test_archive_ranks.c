/* Segments of the ranks of one job: published together, found as one, kept in the order of ranks.
 */
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "tests/support/archive_fixture.h"
#include "tests/support/archive_obstacles.h"

#define N_RANKS 12

static struct hc_archive_ingest *finish_rank(struct hc_archive *archive, int32_t rank,
                                             const char *contents)
{
    struct hc_archive_ingest *ingest = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "run");
    fill_provenance(&provenance, contents);
    job.of_rank = rank;
    ASSERT_OK(hc_archive_ingest_begin(&ingest, archive, true, &err));
    append_made_up(hc_archive_ingest_writer(ingest), 30, 5, (uint64_t)rank + 1);
    ASSERT_OK(hc_archive_ingest_finish(ingest, &job, &provenance, &err));
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    return ingest;
}

/* Ranks first, first + 1, ... at once. */
static void publish_ranks(struct hc_archive *archive, int32_t first, size_t n, const char *contents,
                          bool *replaced)
{
    struct hc_archive_ingest *ingests[N_RANKS];
    for (size_t i = 0; i < n; i++)
        ingests[i] = finish_rank(archive, first + (int32_t)i, contents);
    ASSERT_OK(hc_archive_ingest_publish(&(struct hc_ingest_set){n, ingests, replaced}, &err));
}

START_TEST(ranks_come_together_and_are_found_as_one)
{
    char *path = new_path();
    bool replaced[N_RANKS];
    struct hc_archive *archive = open_archive(path);
    const struct hc_manifest_entry *entry = NULL;
    ingest_ok(archive, "other", "one");
    publish_ranks(archive, 1, N_RANKS - 1, "one", replaced);
    ck_assert_int_eq(archive->generation, 2);      /* all of them at once */
    publish_ranks(archive, 0, 1, "one", replaced); /* a rank that comes later */
    ck_assert(!replaced[0]);
    hc_archive_close(archive);

    ASSERT_OK(hc_archive_open(&archive, path, false, &err));
    ck_assert_uint_eq(archive->n_entries, N_RANKS + 1);
    ASSERT_OK(hc_archive_find(archive, "run", NULL, &entry, &err));
    ck_assert_uint_eq(hc_archive_n_ranks(archive, entry), N_RANKS);
    for (int32_t r = 0; r < N_RANKS; r++) {
        struct hc_segment *segment = NULL;
        ck_assert_int_eq(entry[r].of_rank, r);
        ck_assert(hc_is_segment_name(hc_segment_base_name(entry[r].file)));
        ASSERT_OK(hc_archive_open_segment(archive, &entry[r], &segment, &err));
        ck_assert_int_eq(hc_segment_job(segment)->of_rank, r);
        hc_segment_close(segment);
    }
    ck_assert_uint_eq(hc_archive_n_ranks(archive, entry + 3), N_RANKS - 3);
    ASSERT_OK(hc_archive_find(archive, "other", NULL, &entry, &err));
    ck_assert_uint_eq(hc_archive_n_ranks(archive, entry), 1);
    assert_clean(path, N_RANKS + 1);
    hc_archive_close(archive);
    free(path);
}
END_TEST

START_TEST(a_rank_is_replaced_alone_and_repair_finds_all)
{
    char *path = new_path(), *manifest = NULL;
    bool replaced[N_RANKS];
    struct hc_archive *archive = open_archive(path);
    publish_ranks(archive, 0, 3, "one", replaced);
    publish_ranks(archive, 1, 2, "two", replaced);
    ck_assert(replaced[0] && replaced[1]);
    ck_assert_uint_eq(archive->n_entries, 3);
    char *before = text_of(path, HC_MANIFEST_FILE);
    hc_archive_close(archive);

    struct findings findings = {0};
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    manifest = join(path, HC_MANIFEST_FILE);
    ck_assert_int_eq(unlink(manifest), 0);
    ASSERT_OK(hc_archive_repair(path, take_finding, &findings, &err));
    char *after = text_of(path, HC_MANIFEST_FILE);
    ck_assert_str_eq(strstr(before, "\"segments\""), strstr(after, "\"segments\""));
    ck_assert_ptr_nonnull(strstr(after, "\"rank\": 2"));
    free(before);
    free(after);
    free(manifest);
    free(path);
}
END_TEST

START_TEST(an_archive_without_ranks_is_written_as_before)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    ingest_ok(archive, "AR", "one");
    char *text = text_of(path, HC_MANIFEST_FILE);
    ck_assert_ptr_nonnull(strstr(text, "\"minor\": 0"));
    ck_assert_ptr_null(strstr(text, "\"rank\""));
    free(text);
    hc_archive_close(archive);
    free(path);
}
END_TEST

/* What was finished and is then given up leaves nothing. */
START_TEST(an_aborted_rank_leaves_nothing)
{
    char *path = new_path();
    struct hc_archive *archive = open_archive(path);
    hc_archive_ingest_abort(finish_rank(archive, 0, "one"));
    ck_assert_uint_eq(archive->n_entries, 0);
    struct findings findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER] + findings.count[HC_CHECK_UNPUBLISHED], 0);
    hc_archive_close(archive);
    free(path);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        ranks_come_together_and_are_found_as_one,
        a_rank_is_replaced_alone_and_repair_finds_all,
        an_archive_without_ranks_is_written_as_before,
        an_aborted_rank_leaves_nothing,
    };
    return run_archive_tests("archive_ranks", all, sizeof all / sizeof *all);
}
