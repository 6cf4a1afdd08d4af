/* archive_fixture.h - archives made, filled and checked, for the tests of archives. */
#ifndef HC_TESTS_UNIT_ARCHIVE_FIXTURE_H
#define HC_TESTS_UNIT_ARCHIVE_FIXTURE_H

#include "store/archive/archive.h"
#include "tests/support/store_fixture.h"

#include <time.h>

static char *scratch; /* from make_scratch */
static int n_archives;

/* A path where no archive is yet. */
static inline char *new_path(void)
{
    char name[32];
    snprintf(name, sizeof name, "archive-%d", n_archives++);
    return join(scratch, name);
}

static inline struct hc_archive *open_archive(const char *path)
{
    struct hc_archive *archive = NULL;
    ASSERT_OK(hc_archive_open(&archive, path, true, &err));
    return archive;
}

/* Who is ingested, and from what. */
struct source {
    const char *cluster, *id, *contents;
    int attempt;
};

static inline enum hc_status ingest(struct hc_archive *archive, struct source source,
                                    bool *replaced, struct hc_error *err)
{
    struct hc_archive_ingest *ingest = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, source.id);
    job.attempt = source.attempt;
    if (source.cluster) {
        free(job.cluster);
        job.cluster = strdup(source.cluster);
    }
    fill_provenance(&provenance, source.contents);
    enum hc_status status = hc_archive_ingest_begin(&ingest, archive, false, err);
    if (!status) {
        append_made_up(hc_archive_ingest_writer(ingest), 300, 5, strlen(source.contents));
        status = hc_archive_ingest_commit(ingest, &job, &provenance, replaced, err);
    }
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    return status;
}

static inline bool ingest_ok(struct hc_archive *archive, const char *id, const char *contents)
{
    bool replaced = false;
    ASSERT_OK(ingest(archive, (struct source){NULL, id, contents, 0}, &replaced, &err));
    return replaced;
}

/* ---- findings ---- */

struct findings {
    int count[HC_CHECK_STALE + 1];
    char last[HC_CHECK_STALE + 1][HC_ERROR_SIZE]; /* file and message */
};

static inline void take_finding(const struct hc_check_finding *finding, void *context)
{
    struct findings *findings = context;
    findings->count[finding->kind]++;
    snprintf(findings->last[finding->kind], HC_ERROR_SIZE, "%s: %s", finding->file,
             finding->message);
}

static inline struct findings check(const char *path)
{
    struct findings findings = {0};
    ASSERT_OK(hc_archive_check(path, take_finding, &findings, &err));
    return findings;
}

static inline void assert_clean(const char *path, int n_segments)
{
    struct findings findings = check(path);
    ck_assert_msg(findings.count[HC_CHECK_DAMAGED] == 0, "%s", findings.last[HC_CHECK_DAMAGED]);
    ck_assert_int_eq(findings.count[HC_CHECK_OK], n_segments);
}

static inline char *text_of(const char *archive, const char *file)
{
    size_t size = 0;
    char *path = join(archive, file), *text = (char *)read_bytes(path, &size);
    text[size] = '\0';
    free(path);
    return text;
}

static inline void sleep_us(uint64_t us)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)us * 1000}, NULL);
}

#endif
