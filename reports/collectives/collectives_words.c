#include "reports/collectives/collectives_words.h"

#include "core/text/number_format.h"
#include "models/collectives/collective_names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define MOST_REASONS 4 /* suspects whose reason the verdict gives */

static void add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

const char *hc_ranks_text(const struct hc_collective_diagnosis *diagnosis, struct hc_rank_span span,
                          char text[HC_RANKS_TEXT])
{
    const int32_t *ranks = diagnosis->ranks + span.from;
    text[0] = '\0';
    for (size_t i = 0, end = 0; i < span.n; i = end) {
        for (end = i + 1; end < span.n && ranks[end] == ranks[end - 1] + 1;)
            end++;
        if (strlen(text) + 40 > HC_RANKS_TEXT) {
            add(text, HC_RANKS_TEXT, ", ... (%zu)", span.n);
            break;
        }
        if (end - i == 2) /* "4, 5" reads better than "4-5" */
            end = i + 1;
        add(text, HC_RANKS_TEXT, "%s%" PRId32, i ? ", " : "", ranks[i]);
        if (end - i > 1)
            add(text, HC_RANKS_TEXT, "-%" PRId32, ranks[end - 1]);
    }
    return text;
}

/* "group 41 (TENSOR_MODEL_PARALLEL_GROUP)" */
static void add_group(char *text, size_t size, const struct hc_collective_set *set, int32_t group)
{
    const char *description = hc_collective_group_description(set, group);
    add(text, size, "group %.60s", hc_collective_group_name(set, group));
    if (description[0])
        add(text, size, " (%.80s)", description);
}

/* Why a rank is suspected: where it is behind, and where others wait for it. */
static void add_reason(char *text, size_t size, const struct hc_collectives_report *report,
                       const struct hc_collective_suspect *suspect)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char ranks[HC_RANKS_TEXT];
    if (suspect->is_behind) {
        add(text, size,
            "its GPU stands still, %" PRId64 " collective%s behind rank %" PRId32 " in ",
            suspect->most, suspect->most == 1 ? "" : "s", suspect->ahead);
        add_group(text, size, report->set, suspect->group);
    }
    if (!suspect->is_late || suspect->wait < 0)
        return;
    const struct hc_collective_wait *wait = &d->waits[suspect->wait];
    add(text, size, "%sit has not called %.60s %" PRId64 " of ", suspect->is_behind ? ", and " : "",
        hc_collective_op_name(report->set, wait->op), wait->seq);
    add_group(text, size, report->set, wait->group);
    add(text, size, ", where %s wait%s", hc_ranks_text(d, wait->waiting, ranks),
        wait->waiting.n == 1 ? "s" : "");
}

static void add_suspects(char *text, size_t size, const struct hc_collectives_report *report)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    add(text, size, "%s ", d->n_suspects == 1 ? "rank" : "ranks");
    for (size_t i = 0; i < d->n_suspects && i < 32; i++)
        add(text, size, "%s%" PRId32,
            i == 0                   ? ""
            : i + 1 == d->n_suspects ? " and "
                                     : ", ",
            d->suspects[i].rank);
    if (d->n_suspects > 32)
        add(text, size, " and %zu more", d->n_suspects - 32);
    add(text, size, " %s suspected to hang the job", d->n_suspects == 1 ? "is" : "are");
    for (size_t i = 0; i < d->n_suspects && d->n_suspects <= MOST_REASONS; i++) {
        add(text, size, "%s", i == 0 ? ": " : "; ");
        if (d->n_suspects > 1)
            add(text, size, "rank %" PRId32 ": ", d->suspects[i].rank);
        add_reason(text, size, report, &d->suspects[i]);
    }
}

const char *hc_collectives_verdict(const struct hc_collectives_report *report,
                                   char text[HC_VERDICT_TEXT])
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char ranks[HC_RANKS_TEXT];
    text[0] = '\0';
    if (d->n_suspects)
        add_suspects(text, HC_VERDICT_TEXT, report);
    else if (d->in_circle.n)
        add(text, HC_VERDICT_TEXT,
            "no rank is first: each of ranks %s waits for another of them, so they call "
            "collectives of several groups in different orders",
            hc_ranks_text(d, d->in_circle, ranks));
    else if (d->n_unknown_waits)
        add(text, HC_VERDICT_TEXT,
            "no suspect: ranks wait, but of those they wait for (%s) the dumps do not say "
            "whether they came",
            hc_ranks_text(d, d->unknown_waits[0].unknown, ranks));
    else
        add(text, HC_VERDICT_TEXT, "no suspect: no rank waits for another that has not come");
    if (d->n_mismatched)
        add(text, HC_VERDICT_TEXT,
            "%s%" PRId64 " collective%s called differently by different ranks",
            d->n_suspects || d->in_circle.n ? "; besides, " : "; but ", d->n_mismatched,
            d->n_mismatched == 1 ? " was" : "s were");
    return text;
}

/* ---- what was read ---- */

static void add_read(char *text, const struct hc_collectives_report *report)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], e[HC_NUMBER_TEXT];
    add(text, HC_VERDICT_TEXT,
        "%zu of %" PRId32 " ranks; %s entries (%s collective, %s send or receive) of %s groups",
        report->set->n_dumps, d->world_size, hc_format_count(d->n_entries, a),
        hc_format_count(d->n_collective_entries, b), hc_format_count(d->n_p2p_entries, c),
        hc_format_count((int64_t)report->set->n_ordered_groups, e));
    if (d->n_dropped)
        add(text, HC_VERDICT_TEXT, "; %s entries left out", hc_format_count(d->n_dropped, a));
}

static void add_collectives(char *text, const struct hc_collectives_report *report)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], e[HC_NUMBER_TEXT];
    add(text, HC_VERDICT_TEXT,
        "%s collectives: %s queued by all members, %s by some, %s called differently",
        hc_format_count(d->n_collectives, a), hc_format_count(d->n_complete, b),
        hc_format_count(d->n_partial, c), hc_format_count(d->n_mismatched, e));
}

static void add_missing(char *text, const struct hc_collectives_report *report)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    char ranks[HC_RANKS_TEXT];
    if (d->missing.n)
        add(text, HC_VERDICT_TEXT, "%zu rank%s left no dump that can be used: %s", d->missing.n,
            d->missing.n == 1 ? "" : "s", hc_ranks_text(d, d->missing, ranks));
}

static void add_files(char *text, const struct hc_collectives_report *report)
{
    const struct {
        int64_t n;
        const char *one, *many;
    } counts[] = {
        {report->n_cut, "file is cut off: what is there before is used",
         "files are cut off: what is there before is used"},
        {report->n_empty, "file is empty", "files are empty"},
        {report->n_unreadable, "file cannot be read", "files cannot be read"},
        {report->n_twins, "file is a copy of another", "files are copies of others"},
        {report->n_without_entries, "dump has no entries", "dumps have no entries"},
        {report->n_foreign, "file of the directory is no dump",
         "files of the directory are no dumps"},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].n)
            add(text, HC_VERDICT_TEXT, "%s%" PRId64 " %s", text[0] ? "; " : "", counts[i].n,
                counts[i].n == 1 ? counts[i].one : counts[i].many);
}

static void add_counters(char *text, const struct hc_collectives_report *report)
{
    int64_t n_contradicted = 0;
    for (size_t i = 0; i < report->set->n_dumps; i++)
        n_contradicted += report->set->dumps[i].is_contradicted;
    if (n_contradicted)
        add(text, HC_VERDICT_TEXT,
            "in %" PRId64 " dump%s the counters are not in the order of the names of groups: only "
            "those of groups with entries are used",
            n_contradicted, n_contradicted == 1 ? "" : "s");
}

const char *hc_collectives_account(const struct hc_collectives_report *report, int i,
                                   char text[HC_VERDICT_TEXT])
{
    static void (*const parts[])(char *text, const struct hc_collectives_report *report) = {
        add_read, add_collectives, add_missing, add_files, add_counters};
    text[0] = '\0';
    if ((size_t)i >= sizeof parts / sizeof parts[0])
        return NULL;
    parts[i](text, report);
    return text;
}
