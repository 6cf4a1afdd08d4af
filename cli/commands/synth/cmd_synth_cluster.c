/* cmd_synth_cluster.c - `hindcast synth cluster`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/base/clock.h"
#include "pipeline/synth/cluster/synth_cluster.h"

#include <stdlib.h>
#include <string.h>

#define SECOND_NS ((int64_t)1000000000)

struct synth_cluster_settings {
    struct hc_common_options common;
    int64_t seed, nodes, days, jobs, runs, node_days, queue_days, looks, repair;
    double faults, stray_share;
    const char *start, *zone;
    int model;
    bool dialects;
    struct hc_words plants;
};

#define FIELD(name) offsetof(struct synth_cluster_settings, name)

static const char *const models[] = {
    [HC_CLUSTER_STEADY] = "steady", [HC_CLUSTER_BURSTY] = "bursty", NULL};

static const struct hc_option options[] = {
    {.name = "nodes",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(nodes),
     .value = "64",
     .low = 4,
     .high = 100000,
     .help = "nodes, of 8 GPUs each; a quarter of them for jobs of less than a node"},
    {.name = "days",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(days),
     .value = "60",
     .low = 1,
     .high = 3650,
     .help = "length of the record"},
    {.name = "jobs",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(jobs),
     .value = "5000",
     .low = 0,
     .high = 1e8,
     .help = "jobs that are submitted, besides those of runs"},
    {.name = "runs",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(runs),
     .value = "6",
     .low = 0,
     .high = 10000,
     .help = "training runs over several jobs, with logs"},
    {.name = "faults",
     .kind = HC_OPTION_DOUBLE,
     .argument = "RATE",
     .target = FIELD(faults),
     .value = "6.5",
     .low = 0.001,
     .high = 10000,
     .help = "faults in 1,000 node-days"},
    {.name = "strays",
     .kind = HC_OPTION_SHARE,
     .argument = "SHARE",
     .target = FIELD(stray_share),
     .value = "5%",
     .help = "share of healthy ends beside which a kernel logs something of no consequence"},
    {.name = "start",
     .kind = HC_OPTION_TEXT,
     .argument = "TIME",
     .target = FIELD(start),
     .value = "2026-03-01T00:00:00Z",
     .help = "when the record begins, in ISO 8601 with a zone"},
    {.name = "zone",
     .kind = HC_OPTION_TEXT,
     .argument = "ZONE",
     .target = FIELD(zone),
     .value = "Europe/Berlin",
     .help = "the zone of records in local time"},
    {.name = "node-days",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(node_days),
     .value = "1",
     .low = 0,
     .high = 3650,
     .help = "days from one look at the nodes (scontrol show node) to the next; 0: none"},
    {.name = "queue-days",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(queue_days),
     .value = "0",
     .low = 0,
     .high = 3650,
     .help = "days, the last ones, in which somebody looks at the queue (squeue) every 10 minutes"},
    {.name = "repair",
     .kind = HC_OPTION_INT,
     .argument = "SECONDS",
     .target = FIELD(repair),
     .value = "7200",
     .low = 6,
     .high = 86400,
     .help = "for which a fault keeps a node away, median; a hang for a sixth of it"},
    {.name = "looks",
     .kind = HC_OPTION_INT,
     .argument = "SECONDS",
     .target = FIELD(looks),
     .value = "0",
     .low = 0,
     .high = 86400,
     .help = "from one look of the scheduler at what waits to the next; 0: it looks whenever "
             "something can begin"},
    {.name = "model",
     .kind = HC_OPTION_CHOICE,
     .argument = "MODEL",
     .target = FIELD(model),
     .choices = models,
     .value = "steady",
     .help = "steady: faults at a constant rate, steps of one length; bursty: faults in bursts and "
             "again on the same node, steps of random lengths that grow by a tenth, runs that "
             "begin late"},
    {.name = "plant",
     .kind = HC_OPTION_LIST,
     .argument = "KIND[:DAY]",
     .target = FIELD(plants),
     .unset = "none",
     .help = "a change from a day on (from 0; unset: half of the days), which truth/planted.csv "
             "tells: lemon (a node has 10 times as many faults), xid (a kind of fault 3 times), "
             "image (pulls take twice as long), ettr (a run loses 5 points to mistakes of its "
             "user), saves (to slower saves), evaluations (to longer ones), queue (so many more "
             "jobs that they wait 1.5 times as long), looks (the scheduler looks at what waits "
             "less often, 1.5 times as far apart); may be given again"},
    {.name = "dialects",
     .kind = HC_OPTION_FLAG,
     .target = FIELD(dialects),
     .help = "write the same in every further form that hindcast reads, below dialects/"},
    {.name = "seed",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = FIELD(seed),
     .value = "0",
     .low = 0,
     .high = 9e18,
     .help = "same options and seed, same bytes"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_DIR,
     .argument = "DIR",
     .target = FIELD(common.output),
     .unset = "must be given",
     .help = "write the files to DIR, which is empty or not there"},
    HC_OPTION_GROUP(struct synth_cluster_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static enum hc_status write_in_zone(const struct synth_cluster_settings *s,
                                    struct hc_synth_cluster *synth, struct hc_error *err)
{
    struct hc_zone zone;
    if (hc_zone_init(&zone, s->zone, err))
        return hc_context(err, "--zone");
    synth->zone = &zone;
    enum hc_status status = hc_synth_cluster_write(synth, err);
    hc_zone_fini(&zone);
    return status;
}

/* "lemon:30" */
static enum hc_status add_plant(struct hc_cluster_options *to, const char *word,
                                struct hc_error *err)
{
    const char *colon = strchrnul(word, ':');
    size_t n = (size_t)(colon - word);
    int kind = 0;
    int64_t day = to->n_days / 2;
    char *end = NULL;
    while (kind < HC_CLUSTER_N_PLANTS &&
           (strlen(hc_cluster_plant_name((enum hc_cluster_plant_kind)kind)) != n ||
            memcmp(hc_cluster_plant_name((enum hc_cluster_plant_kind)kind), word, n) != 0))
        kind++;
    if (*colon)
        day = strtoll(colon + 1, &end, 10);
    if (kind == HC_CLUSTER_N_PLANTS || (end && (*end || end == colon + 1)) || day < 0 ||
        day > INT32_MAX)
        return hc_fail(err, HC_USAGE,
                       "--plant: '%s' is none of lemon, xid, image, ettr, queue, saves, "
                       "evaluations, looks, with a day as in lemon:30",
                       word);
    if (to->n_plants == HC_CLUSTER_MOST_PLANTS)
        return hc_fail(err, HC_USAGE, "--plant: at most %d", HC_CLUSTER_MOST_PLANTS);
    to->plants[to->n_plants++] =
        (struct hc_cluster_plant){.kind = (enum hc_cluster_plant_kind)kind, .day = (int32_t)day};
    return HC_OK;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct synth_cluster_settings *s = settings;
    int64_t start_ns;
    (void)words;
    if (!s->common.output)
        return hc_fail(err, HC_USAGE, "say where to: -o DIR");
    if (!hc_parse_iso8601(s->start, strlen(s->start), &start_ns))
        return hc_fail(err, HC_USAGE,
                       "--start: '%s' is no time with a zone, as 2026-03-01T00:00:00Z", s->start);
    struct hc_synth_cluster synth = {.directory = s->common.output,
                                     .node_days = (int32_t)s->node_days,
                                     .queue_days = (int32_t)s->queue_days,
                                     .with_dialects = s->dialects,
                                     .options = {.model = (enum hc_cluster_model)s->model,
                                                 .seed = (uint64_t)s->seed,
                                                 .start_s = start_ns / SECOND_NS,
                                                 .n_days = (int32_t)s->days,
                                                 .n_nodes = (int32_t)s->nodes,
                                                 .n_jobs = (int32_t)s->jobs,
                                                 .n_runs = (int32_t)s->runs,
                                                 .repair_s = (int32_t)s->repair,
                                                 .look_s = (int32_t)s->looks,
                                                 .faults_per_1000_node_days = s->faults,
                                                 .stray_share = s->stray_share}};
    for (size_t i = 0; i < s->plants.n; i++)
        if (add_plant(&synth.options, s->plants.word[i], err))
            return err->status;
    return write_in_zone(s, &synth, err);
}

const struct hc_command hc_command_synth_cluster = {
    .name = "synth cluster",
    .summary = "make the records of a cluster over months, whose truth is known",
    .description =
        "Simulates jobs, training runs over several jobs, and faults of nodes under a simple "
        "scheduler, and writes what a site would have of it: accounting of Slurm in three forms, "
        "histories of nodes and looks at them, kernel logs in four forms, marks of start-up, logs "
        "of the runs, "
        "and profiles of their first steps. What was planted is in truth/: attempts with what "
        "ended them, cycles, runs with their forks, faults, starts of nodes, the jobs of the "
        "profiles, and what the GPUs of each attempt did on each day "
        "(docs/formats/cluster-truth.md).",
    .options = options,
    .examples =
        (const char *const[]){"hindcast synth cluster --nodes 64 --days 30 -o cluster", NULL},
    .settings_size = sizeof(struct synth_cluster_settings),
    .run = run,
};
