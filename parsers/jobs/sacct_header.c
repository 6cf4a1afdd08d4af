#include "parsers/jobs/sacct_header.h"

#include <string.h>

/* ---- delimiters ---- */

static bool is_word_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t word_length(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && is_word_letter(at[n]))
        n++;
    return n;
}

static bool is_blank(struct hc_span text)
{
    size_t n = 0;
    while (n < text.length && text.text[n] == ' ')
        n++;
    return n == text.length;
}

struct hc_span hc_sacct_delimiter(struct hc_span line, bool *is_quoted)
{
    const char *at = line.text, *end = at + line.length;
    *is_quoted = at < end && *at == '"';
    at += *is_quoted;
    struct hc_span first = {at, word_length(at, end)};
    at += first.length;
    if (*is_quoted && at < end)
        at += *at == '"';
    struct hc_span between = {at, 0};
    while (at < end && !is_word_letter(*at) && *at != '"')
        at++;
    between.length = (size_t)(at - between.text);
    at += *is_quoted && at < end;
    struct hc_span second = {at, word_length(at, end)};
    bool is_header = hc_sacct_column_is_known(first) && hc_sacct_column_is_known(second) &&
                     !is_blank(between) && between.length <= HC_SACCT_MOST_DELIMITER;
    bool is_comma = between.length == 1 && *between.text == ',';
    between.length = is_header && (is_comma || !*is_quoted) ? between.length : 0;
    return between;
}

bool hc_sacct_is_late_header(struct hc_span line)
{
    bool is_quoted;
    return hc_sacct_delimiter(line, &is_quoted).length &&
           memmem(line.text, line.length, "JobID", 5) != NULL;
}

/* ---- headers ---- */

static enum hc_status lacking(const char *name, const char *file, int64_t line,
                              struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': line %lld: column '%s' is missing; add it to --format of sacct (see "
                   "'hindcast formats slurm-sacct')",
                   file, (long long)line, name);
}

/* "Start" and "End" may be asked for twice in one command: both then hold the same. */
enum hc_status hc_sacct_header_set(struct hc_sacct_header *header, const struct hc_span *names,
                                   size_t n, const char *file, int64_t line, struct hc_error *err)
{
    bool found_id = false, found_submit = false;
    for (size_t i = 0; i < n; i++) {
        const struct hc_sacct_column *column = hc_sacct_column_find(names[i]);
        header->column[i] = column;
        header->is_text[i] = hc_sacct_column_is_text(names[i]);
        found_submit |= column && column->column == HC_JOBS_SUBMIT_NS;
        if (!column || column->column != HC_JOBS_JOB)
            continue;
        if (found_id)
            return hc_fail(err, HC_BAD_INPUT, "'%s': line %lld: column '%s' is there twice", file,
                           (long long)line, column->name);
        found_id = true;
        header->job_id = i;
    }
    header->n = n;
    if (!found_id || !found_submit)
        return lacking(found_id ? "Submit" : "JobID", file, line, err);
    return HC_OK;
}

/* ---- without a header ---- */

/* What XDMoD's shredder asked for over its versions: with QOS and AllocTRES, with generic resources
 * besides, without either, and without the raw number. */
static const char *const orders[] = {
    "JobID JobIDRaw Cluster Partition QOS Account Group GID User UID Submit Eligible Start End "
    "Elapsed ExitCode State NNodes NCPUS ReqCPUS ReqMem ReqTRES AllocTRES Timelimit NodeList "
    "JobName",
    "JobID JobIDRaw Cluster Partition Account Group GID User UID Submit Eligible Start End Elapsed "
    "ExitCode State NNodes NCPUS ReqCPUS ReqMem ReqGRES ReqTRES Timelimit NodeList JobName",
    "JobID JobIDRaw Cluster Partition Account Group GID User UID Submit Eligible Start End Elapsed "
    "ExitCode State NNodes NCPUS ReqCPUS ReqMem ReqGRES Timelimit NodeList JobName",
    "JobID JobIDRaw Cluster Partition Account Group GID User UID Submit Eligible Start End Elapsed "
    "ExitCode State NNodes NCPUS ReqCPUS ReqMem Timelimit NodeList JobName",
    "JobID Cluster Partition Account Group GID User UID Submit Eligible Start End Elapsed ExitCode "
    "State NNodes NCPUS ReqCPUS ReqMem Timelimit NodeList JobName",
};

static size_t names_of(const char *order, struct hc_span *names)
{
    size_t n = 0;
    while (*order) {
        size_t length = strcspn(order, " ");
        names[n++] = (struct hc_span){order, length};
        order += length + (order[length] == ' ');
    }
    return n;
}

static bool all_fit(const struct hc_sacct_header *header, const struct hc_span *fields)
{
    for (size_t i = 0; i < header->n; i++)
        if (!hc_sacct_column_fits(header->column[i], fields[i]))
            return false;
    return true;
}

bool hc_sacct_header_guess(struct hc_sacct_header *header, const struct hc_span *fields, size_t n)
{
    struct hc_span names[64];
    struct hc_error ignored = {0};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        size_t wanted = names_of(orders[i], names);
        /* The name of a job, which is last, may hold more of the delimiters. */
        if (n >= wanted && !hc_sacct_header_set(header, names, wanted, "", 0, &ignored) &&
            all_fit(header, fields))
            return true;
    }
    return false;
}

/* ---- delimiters in texts ---- */

/* The fields when column c holds what is too much. */
static void join(const struct hc_sacct_header *header, const struct hc_span *fields, size_t extra,
                 size_t c, struct hc_span *joined)
{
    const struct hc_span *last = &fields[c + extra];
    memcpy(joined, fields, c * sizeof *fields);
    joined[c] =
        (struct hc_span){fields[c].text, (size_t)(last->text + last->length - fields[c].text)};
    memcpy(joined + c + 1, last + 1, (header->n - c - 1) * sizeof *fields);
}

bool hc_sacct_header_fit(const struct hc_sacct_header *header, struct hc_span *fields, size_t n)
{
    struct hc_span joined[HC_SACCT_MOST_FIELDS], found[HC_SACCT_MOST_FIELDS];
    size_t n_found = 0, extra = n - header->n;
    for (size_t c = header->n; c-- > 0;) {
        if (!header->is_text[c])
            continue;
        join(header, fields, extra, c, joined);
        if (!all_fit(header, joined))
            continue;
        memcpy(found, joined, header->n * sizeof *found);
        n_found++;
        if (c + 1 == header->n)
            break;
    }
    if (n_found == 1)
        memcpy(fields, found, header->n * sizeof *found);
    return n_found == 1;
}
