/* capacity_words.c - what the views of a capacity report say in words. */
#include "reports/capacity/capacity_views.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"

#include <math.h>

#define NS_PER_S    ((int64_t)1000000000)
#define NS_PER_HOUR 3600e9

/* Apart in grey too: by lightness, or by a hatch. */
const enum hc_color hc_capacity_leaf_colors[HC_N_CAPACITY_LEAVES] = {
    [HC_CAPACITY_ALLOCATED] = HC_BLUE,
    [HC_CAPACITY_DOWN] = HC_VERMILLION,
    [HC_CAPACITY_DRAINED] = HC_ORANGE,
    [HC_CAPACITY_MAINTENANCE] = HC_PURPLE,
    [HC_CAPACITY_RESERVED] = HC_SKY,
    [HC_CAPACITY_IDLE_DEMAND] = HC_BLACK,
    [HC_CAPACITY_IDLE_NO_DEMAND] = HC_PALE_GREY,
    [HC_CAPACITY_IDLE_UNKNOWN] = HC_HATCHED_GREY,
};

/* What the clocks of the zone showed, to the minute. */
static void local_text(const struct hc_capacity_report *report, int64_t ns,
                       char text[HC_CAPACITY_DAY])
{
    int64_t unix_s = ns / NS_PER_S - (ns % NS_PER_S < 0);
    hc_format_iso8601((unix_s + hc_zone_offset_s(report->zone, unix_s)) * NS_PER_S, text);
    text[16] = '\0';
}

const char *hc_capacity_day_text(const struct hc_capacity_report *report, int64_t ns,
                                 char text[HC_CAPACITY_DAY])
{
    local_text(report, ns, text);
    text[10] = '\0';
    return text;
}

void hc_capacity_extent(const struct hc_capacity_report *report, char text[HC_CAPACITY_WORDS])
{
    const struct hc_capacity_result *result = report->result;
    char from[HC_CAPACITY_DAY], to[HC_CAPACITY_DAY], count[3][HC_NUMBER_TEXT];
    local_text(report, result->from_ns, from);
    local_text(report, result->to_ns, to);
    from[10] = to[10] = ' ';
    snprintf(
        text, HC_CAPACITY_WORDS,
        "cluster %.200s from %s to %s (%s): %s nodes with GPUs; %s attempts held some; %s looks "
        "at the queue",
        report->cluster, from, to, report->zone_name,
        hc_format_count(result->n_installed_nodes, count[0]),
        hc_format_count(result->counts->n_attempts, count[1]),
        hc_format_count(result->n_looks, count[2]));
}

static const char *hours(double value, char text[HC_NUMBER_TEXT])
{
    return value < 100 ? hc_format_fixed(value, 1, text)
                       : hc_format_count((int64_t)llround(value), text);
}

static double of_ns(hc_capacity_ns ns)
{
    return (double)ns / NS_PER_HOUR;
}

/* ---- doubts ---- */

typedef void doubt(const struct hc_capacity_result *r, char *text);
#define SAY(...) snprintf(text, HC_CAPACITY_WORDS, __VA_ARGS__)

static void no_inventory(const struct hc_capacity_result *r, char *text)
{
    if (r->begins_at_allocated)
        SAY("nothing tells which GPUs are installed: the tree begins at allocated (ingest "
            "snapshots "
            "of scontrol show node)");
}

static void outside(const struct hc_capacity_result *r, char *text)
{
    char number[2][HC_NUMBER_TEXT];
    if (r->total.outside > 0)
        SAY("%s GPU-hours were held on nodes that no inventory knows then (times: %s), and are in "
            "no "
            "leaf",
            hours(r->total.outside, number[0]), hc_format_count(r->capacity->n_outside, number[1]));
}

static void over(const struct hc_capacity_result *r, char *text)
{
    char number[2][HC_NUMBER_TEXT];
    if (r->total.over > 0)
        SAY("%s GPU-hours were held above what the nodes have (times: %s), and are in no leaf",
            hours(r->total.over, number[0]), hc_format_count(r->capacity->n_over, number[1]));
}

static void unplaced(const struct hc_capacity_result *r, char *text)
{
    char number[2][HC_NUMBER_TEXT];
    if (r->counts->n_unplaced)
        SAY("%s attempts have no list of nodes: their %s GPU-hours are in no leaf",
            hc_format_count(r->counts->n_unplaced, number[0]),
            hours(of_ns(r->counts->unplaced), number[1]));
}

static void gpus_unknown(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->counts->n_gpus_unknown)
        SAY("of %s attempts nothing says how many GPUs they held: they count as none (--site says "
            "what the nodes of a partition have)",
            hc_format_count(r->counts->n_gpus_unknown, number));
}

static void assumed(const struct hc_capacity_result *r, char *text)
{
    char number[2][HC_NUMBER_TEXT];
    if (r->total.assumed > 0)
        SAY("%s GPU-hours (%s) are of times before a source said how many GPUs the node has: they "
            "are assumed to be the same",
            hours(r->total.assumed, number[0]),
            hc_format_percent(r->total.assumed / r->total.installed, number[1]));
}

static void unheard(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->total.unheard > 0)
        SAY("of %s idle GPU-hours no source says the state of the node: it counts as up (ingest "
            "sacctmgr show event)",
            hours(r->total.unheard, number));
}

static void uneven(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->counts->uneven)
        SAY("%s GPU-hours are of attempts whose GPUs do not divide by their nodes: the first nodes "
            "are assumed to have one more",
            hours(of_ns(r->counts->uneven), number));
}

static void disagreeing(const struct hc_capacity_result *r, char *text)
{
    char number[2][HC_NUMBER_TEXT];
    if (r->capacity->n_disagreeing)
        SAY("%s of %s snapshots of nodes say another thing of down or drained than the history, "
            "which holds",
            hc_format_count(r->capacity->n_disagreeing, number[0]),
            hc_format_count(r->counts->n_snapshots, number[1]));
}

static void gone(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->counts->n_gone)
        SAY("%s nodes that later looks at all nodes no longer list count as gone since the first "
            "of these",
            hc_format_count(r->counts->n_gone, number));
}

static void queue_known(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->n_looks == 0)
        SAY("nobody looked at the queue, so whether idle GPUs were wanted is unknown (ingest "
            "squeue: hindcast formats slurm-squeue)");
    else if (r->queue_known < 0.995)
        SAY("looks at the queue hold for %s of the time",
            hc_format_percent(r->queue_known, number));
}

static void queue_unknown(const struct hc_capacity_result *r, char *text)
{
    char number[HC_NUMBER_TEXT];
    if (r->counts->n_queue_gpus_unknown)
        SAY("rows of the queue that wait for resources and do not say how many GPUs: %s; they are "
            "no demand",
            hc_format_count(r->counts->n_queue_gpus_unknown, number));
}

static void binned(const struct hc_capacity_result *r, char *text)
{
    if (r->waits->is_binned)
        SAY("quantiles of waits are those of bins, at most 1.6 %% off: there are more than %d "
            "attempts",
            HC_WAITS_EXACT);
}

static doubt *const doubts[] = {no_inventory, outside,       over,   unplaced,    gpus_unknown,
                                assumed,      unheard,       uneven, disagreeing, gone,
                                queue_known,  queue_unknown, binned};

bool hc_capacity_doubt(const struct hc_capacity_report *report, int i, char text[HC_CAPACITY_WORDS])
{
    if ((size_t)i >= sizeof doubts / sizeof *doubts)
        return false;
    text[0] = '\0';
    doubts[i](report->result, text);
    return true;
}
