/* Sentences of a report on timed collectives. */
#include "reports/timings/timings_views.h"

#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *hc_timings_extent(const struct hc_timings_report *report, char text[HC_TIMINGS_WORDS])
{
    const struct hc_timed_totals *totals = &report->result->totals;
    char records[HC_NUMBER_TEXT], collectives[HC_NUMBER_TEXT], p2p[HC_NUMBER_TEXT];
    int64_t n_processes = (int64_t)report->result->n_processes;
    snprintf(text, HC_TIMINGS_WORDS,
             "%zu log%s, %s record%s of %" PRId64 " process%s: %s collective%s, %s send%s and "
             "receive%s, in %zu communicator%s",
             report->n_files, plural((int64_t)report->n_files),
             hc_format_count(totals->n_records, records), plural(totals->n_records), n_processes,
             n_processes == 1 ? "" : "es", hc_format_count(totals->n_collectives, collectives),
             plural(totals->n_collectives), hc_format_count(totals->n_p2p, p2p),
             plural(totals->n_p2p), plural(totals->n_p2p), report->set->n_communicators,
             plural((int64_t)report->set->n_communicators));
    return text;
}

static const struct hc_timed_process *worst_process(const struct hc_timed_result *result)
{
    const struct hc_timed_process *worst = NULL;
    for (size_t i = 0; i < result->n_processes; i++)
        if (result->processes[i].caused_ns > (worst ? worst->caused_ns : 0))
            worst = &result->processes[i];
    return worst;
}

/* How the transfers compare with the baseline. */
static void put_baseline(const struct hc_timings_report *report, char *text, size_t size)
{
    const struct hc_timed_totals *totals = &report->result->totals;
    char share[HC_NUMBER_TEXT], below[HC_NUMBER_TEXT];
    size_t used = strlen(text);
    if (!report->baseline || used >= size)
        return;
    if (totals->n_expected == 0)
        snprintf(text + used, size - used,
                 "; no transfer is of an operation and size of the "
                 "baseline");
    else
        snprintf(text + used, size - used,
                 "; %" PRId64 " of %" PRId64 " transfer%s (%s) run%s below %s of the baseline",
                 totals->n_below, totals->n_expected, plural(totals->n_expected),
                 hc_format_percent((double)totals->n_below / (double)totals->n_expected, share),
                 totals->n_below == 1 ? "s" : "", hc_format_percent(report->below, below));
}

const char *hc_timings_verdict(const struct hc_timings_report *report, char text[HC_TIMINGS_WORDS])
{
    const struct hc_timed_result *result = report->result;
    const struct hc_timed_process *worst = worst_process(result);
    char wait[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT], rank[32] = "";
    if (worst && worst->rank != HC_MISSING_I32)
        snprintf(rank, sizeof rank, "rank %" PRId32 ", ", worst->rank);
    if (worst)
        snprintf(
            text, HC_TIMINGS_WORDS,
            "%sprocess %.200s, arrives last in %" PRId64 " of %" PRId64
            " collective%s and makes the others wait %s%s (%s)",
            rank, report->set->processes.text[worst->process], worst->n_last,
            result->totals.n_joint, plural(result->totals.n_joint),
            result->totals.n_incomplete ? "at least " : "",
            hc_format_seconds((double)worst->caused_ns * 1e-9, wait),
            hc_format_percent((double)worst->caused_ns / (double)result->totals.waited_ns, share));
    else if (result->totals.n_joint)
        snprintf(text, HC_TIMINGS_WORDS, "nobody waits for anybody");
    else
        snprintf(text, HC_TIMINGS_WORDS,
                 "no collective has records of two members: nobody is seen to wait");
    put_baseline(report, text, HC_TIMINGS_WORDS);
    return text;
}

/* ---- doubts ---- */

static void say_members(const struct hc_timings_report *report, char *text)
{
    const struct hc_timed_totals *totals = &report->result->totals;
    if (totals->n_incomplete)
        snprintf(text, HC_TIMINGS_WORDS,
                 "%" PRId64 " of %" PRId64 " collectives lack members (a log is missing, or left "
                 "the record out): the waits there are lower bounds, transfers upper bounds, and "
                 "who is last is so of those present",
                 totals->n_incomplete, totals->n_collectives);
}

static void say_world(const struct hc_timings_report *report, char *text)
{
    if (report->result->world < 0 && report->result->n_processes > 0)
        snprintf(text, HC_TIMINGS_WORDS,
                 "no communicator has all processes in it: ranks of the job are not known, and "
                 "processes are told by host and process id");
}

static void say_agreement(const struct hc_timings_report *report, char *text)
{
    const struct hc_timed_totals *totals = &report->result->totals;
    if (totals->n_disagree == 0)
        return;
    const struct hc_timed_record *record = &report->set->records[report->result->disagreeing];
    char bus[HC_NUMBER_TEXT];
    snprintf(text, HC_TIMINGS_WORDS,
             "%" PRId64 " of %" PRId64 " records say another bandwidth than size and time give "
             "(first: %s %" PRId64 " of rank %" PRId32 " of communicator %.40s, where the log says "
             "%s GB/s on the bus): here it is computed",
             totals->n_disagree, totals->n_compared, report->set->ops.text[record->op], record->seq,
             record->rank, report->set->ids.text[record->communicator],
             hc_format_fixed(record->busbw_gb_s, 4, bus));
}

static void say_oddities(const struct hc_timings_report *report, char *text)
{
    const struct hc_timed_totals *t = &report->result->totals;
    const struct {
        int64_t n;
        const char *words;
    } parts[] = {
        {t->n_contradicted, "collectives where a member has two records that differ (no waits)"},
        {t->n_other_timing, "collectives that members timed in different ways (no waits)"},
        {t->n_other_sizes, "collectives where members say different sizes (the largest is taken)"},
        {t->n_repeated, "records that are there twice (taken once)"},
        {t->n_dropped, "records dropped"},
        {t->n_other, "objects that are no records"},
        {t->n_cut, "logs whose tail is cut off"},
        {t->n_unknown, "logs of a version that is not known (read as v4.2)"},
        {report->n_twins, "files equal to another (left out)"},
        {report->n_left_out, "files that are no such logs (left out)"},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && used < HC_TIMINGS_WORDS; i++)
        if (parts[i].n)
            used += (size_t)snprintf(text + used, HC_TIMINGS_WORDS - used, "%s%s: %" PRId64,
                                     used ? "; " : "", parts[i].words, parts[i].n);
}

const char *hc_timings_doubt(const struct hc_timings_report *report, int i,
                             char text[HC_TIMINGS_WORDS])
{
    static void (*const say[])(const struct hc_timings_report *report,
                               char *text) = {say_members, say_world, say_agreement, say_oddities};
    if (i >= (int)(sizeof say / sizeof *say))
        return NULL;
    text[0] = '\0';
    say[i](report, text);
    return text;
}
