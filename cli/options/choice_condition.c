/* What names, --cluster, --since and --until mean, as a condition. */
#include "cli/options/choice_options.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One term after the other, with "and" between. */
struct terms {
    FILE *stream;
    size_t n;
};

static FILE *next_term(struct terms *terms)
{
    if (terms->n++)
        fputs(" and ", terms->stream);
    return terms->stream;
}

/* A text in the quotes that it does not have. */
static enum hc_status put_text(FILE *stream, const char *text, size_t length, struct hc_error *err)
{
    bool has_single = memchr(text, '\'', length);
    if (has_single && memchr(text, '"', length))
        return hc_fail(err, HC_USAGE, "a condition cannot name '%.*s', with both sorts of quotes",
                       (int)length, text);
    char quote = has_single ? '"' : '\'';
    fprintf(stream, "%c%.*s%c", quote, (int)length, text, quote);
    return HC_OK;
}

/* "llama-*" or "east/llama-*". */
static enum hc_status put_pattern(FILE *stream, const char *pattern, struct hc_error *err)
{
    const char *slash = strchr(pattern, '/'), *id = slash ? slash + 1 : pattern;
    if (strchr(pattern, '[') || strchr(pattern, '#'))
        return hc_fail(err, HC_USAGE,
                       "'%.200s': a pattern of jobs to simulate has '*' and '?' alone", pattern);
    fputc('(', stream);
    if (slash) {
        fputs("cluster ~ ", stream);
        if (put_text(stream, pattern, (size_t)(slash - pattern), err))
            return err->status;
        fputs(" and ", stream);
    }
    fputs("id ~ ", stream);
    enum hc_status status = put_text(stream, id, strlen(id), err);
    fputc(')', stream);
    return status;
}

/* The job that a name means, with its whole name. */
static enum hc_status put_job(FILE *stream, const char *name, const struct hc_archive *archive,
                              struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    if (hc_archive_find(archive, name, hc_ops_def.name, &entry, err))
        return err->status;
    fputs("(cluster = ", stream);
    if (put_text(stream, entry->cluster, strlen(entry->cluster), err))
        return err->status;
    fputs(" and id = ", stream);
    if (put_text(stream, entry->job_id, strlen(entry->job_id), err))
        return err->status;
    fprintf(stream, " and attempt = %d)", (int)entry->attempt);
    return HC_OK;
}

static enum hc_status put_names(struct terms *terms, const struct hc_words *names,
                                const struct hc_archive *archive, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    FILE *stream = names->n ? next_term(terms) : NULL;
    for (size_t i = 0; i < names->n && !status; i++) {
        fputs(i ? " or " : "(", stream);
        status = hc_is_job_pattern(names->word[i]) ? put_pattern(stream, names->word[i], err)
                                                   : put_job(stream, names->word[i], archive, err);
    }
    if (names->n)
        fputc(')', stream);
    return status;
}

static enum hc_status put_options(struct terms *terms, const struct hc_choice_options *options,
                                  struct hc_error *err)
{
    int64_t bounds_ns[2];
    char text[32];
    if (hc_choice_bounds(bounds_ns, options, err))
        return err->status;
    if (options->cluster) {
        fputs("cluster = ", next_term(terms));
        if (put_text(terms->stream, options->cluster, strlen(options->cluster), err))
            return err->status;
    }
    if (bounds_ns[0] != INT64_MIN) {
        hc_format_iso8601(bounds_ns[0], text);
        fprintf(next_term(terms), "last_ns >= %s", text);
    }
    if (bounds_ns[1] != INT64_MAX) {
        hc_format_iso8601(bounds_ns[1], text);
        fprintf(next_term(terms), "first_ns < %s", text);
    }
    return HC_OK;
}

static enum hc_status write_terms(FILE *stream, const struct hc_choice_options *options,
                                  const struct hc_words *names, const char *where,
                                  const struct hc_archive *archive, struct hc_error *err)
{
    struct terms terms = {.stream = stream};
    if (where)
        fprintf(next_term(&terms), "(%s)", where);
    if (put_options(&terms, options, err))
        return err->status;
    return put_names(&terms, names, archive, err);
}

/* Whoever asks for jobs that are not there is told so here, with what is near. */
static enum hc_status check_jobs(const struct hc_archive *archive,
                                 const struct hc_choice_options *options,
                                 const struct hc_words *names, struct hc_error *err)
{
    bool *is_chosen = NULL;
    enum hc_status status =
        hc_choice_entries(&is_chosen, archive, options, hc_ops_def.name, names, err);
    free(is_chosen);
    return status;
}

enum hc_status hc_choice_condition(char **condition, const struct hc_choice_options *options,
                                   const struct hc_words *names, const char *where,
                                   const char *archive_path, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    size_t length = 0;
    *condition = NULL;
    if (!hc_choice_is_given(options) && names->n == 0) {
        /* --where alone stays the text that was given. */
        *condition = where ? hc_copy_text(where, err) : NULL;
        return where && !*condition ? err->status : HC_OK;
    }
    if (hc_archive_open(&archive, archive_path, false, err))
        return err->status;
    FILE *stream = hc_text_stream(condition, &length, err);
    enum hc_status status = stream ? check_jobs(archive, options, names, err) : err->status;
    if (!status)
        status = write_terms(stream, options, names, where, archive, err);
    if (stream)
        status = hc_text_stream_end(stream, condition, status, err);
    hc_archive_close(archive);
    return status;
}
