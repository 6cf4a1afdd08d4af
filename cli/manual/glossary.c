#include "cli/manual/glossary.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define STEPS  "whatif,compare,merge"
#define TRACES "whatif,report breakdown,report collectives,report stragglers,report path"
#define STUDY  "simulate,reproduce"
#define NIGHT                                                                                      \
    "report nightly,report findings,top lost,report ettr,report run,report job,report node"
#define RECORDS "report account,report failures,report capacity"

static const char jobs[] = "A job and its machines";
static const char steps[] = "What stragglers cost";
static const char traces[] = "Profiler traces and collectives";
static const char lives[] = "The months of a job";
static const char cluster[] = "The records of a cluster";
static const char numbers[] = "Numbers and their certainty";
static const char keeping[] = "The archive";

static const struct hc_term terms[] = {
    {"job", "One training task, from its first start to its end. In the archive: cluster/id.", jobs,
     STEPS ",ls,show," STUDY "," NIGHT "," RECORDS},
    {"attempt", "One start of a job, up to its end or failure; JOB#2 names the second.", jobs,
     "ls,show,whatif,joins,runs propose," NIGHT "," RECORDS},
    {"run",
     "Attempts that go on from each other's checkpoints: one training, whatever jobs it took.",
     jobs, "joins,runs propose,fit," NIGHT},
    {"rank", "One process of the job, usually one GPU.", jobs,
     TRACES ",diagnose collectives," STEPS},
    {"dp rank",
     "Data-parallel rank: one of the copies of the model that each take a part of the batch.", jobs,
     STEPS ",show,export"},
    {"stage", "Pipeline stage: the layers of the model that one group of ranks holds.", jobs,
     STEPS ",show,export"},
    {"model chunk",
     "A part of a stage, where a stage holds several parts of the model that are far apart "
     "(interleaved or virtual pipeline, vpp).",
     jobs, STEPS ",show,export"},
    {"worker",
     "One stage of one dp rank. Its tensor-parallel (tp) and context-parallel ranks work in step "
     "and "
     "count as one.",
     jobs, STEPS ",export"},
    {"step", "One iteration of the training: the batch goes through, the weights change.", jobs,
     STEPS ",show," TRACES},
    {"microbatch", "The piece of the batch that goes through the pipeline at once.", jobs, STEPS},
    {"op",
     "Operation: one recorded piece of work of a worker in a step, as a forward pass or a send.",
     jobs, STEPS ",show,export"},

    {"straggler",
     "A part of the job that is slower than its peers, so that the others wait for it.", steps,
     STEPS "," TRACES},
    {"traced", "As it was recorded.", steps, STEPS ",export"},
    {"replayed",
     "The recorded durations put through the graph of what waits for what, without launch delays: "
     "the "
     "step that the figures start from.",
     steps, STEPS ",export"},
    {"ideal",
     "The replay in which every op takes what is usual for its type: the job without stragglers.",
     steps, STEPS ",export"},
    {"S", "Slowdown: the replayed step time over the ideal one. 1.25 means a quarter longer.",
     steps, STEPS ",report stragglers,simulate"},
    {"slowdown", "See S.", steps, STEPS ",simulate"},
    {"own ideal",
     "The ideal of an edited job, in which every op takes what is usual for its type with the "
     "edits. S itself is relative to the ideal of the untouched job.",
     steps, "simulate"},
    {"waste", "The share of the time that stragglers cost: 1 - 1/S.", steps, STEPS},
    {"excess", "The time that stragglers cost: the replayed step less the ideal one.", steps,
     STEPS "," NIGHT},
    {"straggling", "Said of a job with S of 1.1 or more.", steps, STEPS},
    {"discrepancy",
     "How far the replay is from what was recorded, before anything is changed; up to 5 % is fine.",
     steps, STEPS "," TRACES},
    {"launch delay",
     "The gap between the last thing that an op waited for and its start: time in which nothing "
     "kept "
     "it from running.",
     steps, STEPS},
    {"launch slowdown", "The traced step time over the replayed one: what launch delays cost.",
     steps, STEPS},
    {"transfer time",
     "What a communication takes once its last member has arrived; waiting for that is not in it.",
     steps, STEPS ",export"},
    {"M_W",
     "Share of the excess that goes when the slowest 3 % of the workers are mended. From 0.5 on, "
     "suspect their machines.",
     steps, STEPS},
    {"M_S",
     "Share of the excess that goes when the last stage is mended. From 0.5 on, it has too much to "
     "do.",
     steps, STEPS},
    {"Shapley value",
     "A fair share of the excess for each op type: what it brings, averaged over every order in "
     "which "
     "the types could be mended. Shapley values add up; figures of one group at a time do not.",
     steps, STEPS},
    {"knee",
     "Where mending more brings little more: the point of the curve that stands out farthest.",
     steps, STEPS},
    {"counterfactual", "One what-if: a replay in which a group of ops is as it might have been.",
     steps, STEPS},
    {"lane",
     "In a replay: one of many counterfactuals that are computed side by side. In a picture or a "
     "timeline: one horizontal row.",
     steps, STEPS ",export,simulate"},
    {"verdict", "The sentence in which a report says what is the matter, and how it knows.", steps,
     STEPS "," TRACES ",diagnose collectives"},
    {"fleet", "All jobs of an archive together.", steps, "whatif,merge"},

    {"collective",
     "A communication in which every member of a group takes part, as an all-reduce; it begins "
     "when "
     "the last has come.",
     traces, TRACES ",diagnose collectives"},
    {"critical path",
     "The chain of work and waiting that decided how long the step took: shorten anything else, "
     "and "
     "nothing is won.",
     traces, "report path,whatif,export"},
    {"exposed", "Communication during which the GPU computes nothing.", traces,
     "report breakdown,report path"},
    {"flight recorder",
     "The record of the last collectives that PyTorch keeps, and dumps on a hang.", traces,
     "diagnose collectives"},
    {"bus bandwidth",
     "Bytes a second of a collective, times the factor of its algorithm, so that collectives and "
     "sizes of group can be compared with what the links can do.",
     traces, "report collectives"},

    {"scenario",
     "A file that describes a job (or recorded steps), what befalls it and what is done about it.",
     lives, STUDY ",scenario check,scenario show,presets"},
    {"preset", "A scenario of a published system that comes with the program.", lives,
     "presets,simulate,scenario show"},
    {"variant", "The same scenario with some values changed: a remedy, or an alternative.", lives,
     STUDY ",scenario check,scenario show"},
    {"sweep", "A scenario run over a range of values of a key; each value is a point.", lives,
     STUDY ",scenario check"},
    {"life", "One simulated course of the job with its own faults, as chance would have it.", lives,
     STUDY},
    {"replica", "One repetition of a simulation with other random numbers; of a job, one life.",
     lives, STUDY},
    {"fault", "What befalls a simulated job: a machine that fails, a hang, a bug, a slow node.",
     lives, STUDY},
    {"stop", "A fault or a plan that ends the steps until the job is started again.", lives, STUDY},
    {"standby", "A node that is kept ready to take the place of one that failed.", lives,
     STUDY "," NIGHT},
    {"ETTR",
     "Effective training time ratio: productive training time over wall-clock time. Of GPU-time, "
     "see "
     "goodput.",
     lives, STUDY ",fit," NIGHT},
    {"unproductive time",
     "What a stop costs: noticing it, finding the culprit, starting again, and doing lost steps "
     "anew.",
     lives, STUDY},
    {"wall time", "From the first start of the job to its last step, with everything in between.",
     lives, STUDY},
    {"checkpoint stall", "Time in which a save keeps the job from its next step.", lives,
     STUDY "," NIGHT},
    {"Young's interval",
     "The time between checkpoints that costs least, by a formula: the root of twice the cost of a "
     "save times the time between failures.",
     lives, STUDY},
    {"interaction",
     "What two remedies bring together beyond the sum of what each brings alone; negative where "
     "one "
     "makes the other needless.",
     lives, STUDY},
    {"remedy", "What is done about a fault or a cause.", lives, STUDY ",whatif"},

    {"start-up", "From the allocation of the GPUs to the first step that counts.", cluster,
     "report startup," NIGHT "," STUDY},
    {"goodput",
     "The share of the GPU-time held that made progress which was kept; badput is the rest.",
     cluster, NIGHT},
    {"lost work", "Steps done and lost, since a later start went on from an earlier checkpoint.",
     cluster, NIGHT},
    {"detection", "From a fault until it was noticed.", cluster, NIGHT "," STUDY},
    {"incident", "A fault, hang or planned stop of a node or job, with its times and its cause.",
     cluster, "report reliability," NIGHT},
    {"node-day", "One node that is watched for one day: what rates are counted by.", cluster,
     "report reliability,report node,fit"},
    {"MTBF", "Mean time between failures: time up per failure.", cluster, "report reliability"},
    {"MTTF", "Mean time to failure: time watched per failure.", cluster, "report reliability"},
    {"MTTR", "Mean time to repair: from the begin of an incident to its recovery.", cluster,
     "report reliability"},
    {"availability", "The share of the time watched in which nodes were up.", cluster,
     "report reliability,report capacity"},
    {"lemon",
     "A node that fails so much more often than its peers that chance does not explain it.",
     cluster, "report reliability,report node,report findings"},
    {"finding", "A change that is too large for chance, with a bound on how many are false.",
     cluster, "report findings,report nightly"},
    {"join", "Saying which log belongs to which job, and how that is known.", cluster,
     "joins,runs propose," NIGHT},
    {"measured, estimated, unknown",
     "How a slice of GPU-time is known: lines of records say both its ends; a rule assumes one; "
     "nothing tells.",
     cluster, NIGHT},
    {"provisional", "A day whose figures may still change, since records of it may come late.",
     cluster, NIGHT},

    {"95 %",
     "An interval behind a figure: of the intervals that are made in this way, 95 in 100 hold the "
     "true "
     "value.",
     numbers, STEPS "," STUDY ",report reliability,fit"},
    {"+-", "Half the width of such an interval.", numbers, STUDY},
    {"between lives", "What one job may meet: from the 5th to the 95th of a hundred lives.",
     numbers, STUDY},
    {"P90", "Nine in ten are at or below it; the median is P50.", numbers,
     "merge,whatif,report collectives,report startup,report capacity"},
    {"seed", "The number that all random numbers follow from: the same seed gives the same result.",
     numbers, STUDY ",synth steps,synth kineto,synth cluster"},

    {"archive", "A directory that holds what was ingested, in plain HDF5 files.", keeping,
     "ingest,ls,show,check,archive gc,archive prune,archive compact,archive migrate,query,export"},
    {"segment", "One file of the archive: a job, or records of a day.", keeping,
     "check,show,archive gc,archive compact,archive migrate"},
    {"shard", "One of N parts of a report, which may run on N machines and are merged.", keeping,
     "whatif,merge," RECORDS "," NIGHT},
};

#define N_TERMS (sizeof terms / sizeof *terms)

const struct hc_term *hc_term_find(const char *name)
{
    for (size_t i = 0; i < N_TERMS; i++)
        if (strcasecmp(terms[i].name, name) == 0)
            return &terms[i];
    return NULL;
}

/* Whether a name is one of a list with commas. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

const struct hc_term *hc_term_of_command(const struct hc_command *command,
                                         const struct hc_term *after)
{
    for (size_t i = after ? (size_t)(after - terms) + 1 : 0; i < N_TERMS; i++)
        if (is_listed(terms[i].reports, command->name))
            return &terms[i];
    return NULL;
}

void hc_glossary_write(FILE *stream)
{
    const char *topic = "";
    fputs(
        "# The words that hindcast prints\n\nMade by `hindcast help --as glossary`; `hindcast help "
        "WORD` prints one of them.\n",
        stream);
    for (size_t i = 0; i < N_TERMS; i++) {
        if (terms[i].topic != topic)
            fprintf(stream, "\n## %s\n\n| word | what it means |\n|---|---|\n", terms[i].topic);
        topic = terms[i].topic;
        fprintf(stream, "| **%s** | %s |\n", terms[i].name, terms[i].meaning);
    }
}
