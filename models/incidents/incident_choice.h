/* incident_choice.h - some of the incidents of one source, chosen by cause, group and time, and
 * what was watched meanwhile: what a simulation replays, and what distributions are fitted to.
 *
 * Several groups are watched together from the last of their starts to the first of their ends. Day
 * 0 is that start.
 */
#ifndef HC_MODELS_INCIDENTS_INCIDENT_CHOICE_H
#define HC_MODELS_INCIDENTS_INCIDENT_CHOICE_H

#include "models/incidents/incident_set.h"

#include <stdbool.h>

struct hc_incident_choice {
    const struct hc_incident_set *set; /* of one source */
    bool is_cause[HC_N_INCIDENT_CAUSES];
    const int32_t *group; /* codes of the set; none: every group */
    size_t n_groups;
    const int32_t *text; /* the same, of what the source says */
    size_t n_texts;
    bool is_of_replica; /* of the simulation that wrote the list: only this one */
    int32_t replica;
    int64_t nodes; /* of groups whose source does not say, or 0 */
    double from_d; /* days since day 0 */
    double to_d;   /* 0: to the end of watching */
    bool is_new;   /* for times between failures: the nodes were, when watching began; else they
                      were in service for long */
};

/* A chosen group: its nodes have the slots from first_slot on. */
struct hc_watched_group {
    int32_t group;
    int64_t nodes, first_slot;
};

/* What was watched of the choice. */
struct hc_watch {
    struct hc_watched_group *groups;
    size_t n_groups;
    int64_t nodes;          /* of all groups */
    int64_t day0_ns;        /* on the clock of the source */
    int64_t from_ns, to_ns; /* the chosen time */
};

/* HC_BAD_INPUT where nodes or times are not recorded, or from_d and to_d leave nothing. */
enum hc_status hc_watch_open(struct hc_watch *watch, const struct hc_incident_choice *choice,
                             struct hc_error *err);
void hc_watch_close(struct hc_watch *watch);

/* The watched group of that code, or NULL. */
const struct hc_watched_group *hc_watch_group(const struct hc_watch *watch, int32_t group);

/* Whether cause, group, text and replica are chosen; the time is not looked at. */
bool hc_is_chosen(const struct hc_incident_choice *choice, const struct hc_incident *incident);

/* ---- as they came ---- */

struct hc_replayed_incident {
    int64_t at_ns;                                 /* since watch.from_ns */
    int64_t detected_ns, located_ns, recovered_ns; /* the same; -1: not recorded */
    int32_t slot;                                  /* -1: the node is not recorded */
    int32_t part_of;                               /* -1: a whole incident */
    int32_t replica;                               /* -1: not of a simulation */
};

/* Each chosen incident at its time. Where the list says the slot of a node, that is it. Else the
 * names of a group's nodes, in natural order ("n2" before "n10"), are spread evenly over as many
 * slots as nodes were watched, so that a job on the first slots meets its share. Slots do not
 * depend on what else is chosen. */
struct hc_incident_replay {
    struct hc_replayed_incident *incidents; /* by replica, time, part and slot */
    size_t n;
    size_t n_replicas; /* of the list, chosen ones: from first_replica on; 0: it has none */
    int32_t first_replica;
    int64_t n_no_time; /* chosen, without a time: not replayed */
    int64_t n_outside; /* outside the chosen time */
    int64_t n_beyond;  /* on slots that the job does not have */
    int64_t n_no_node;
    int64_t n_together; /* that begin at the very time of the one before */
    int64_t watched_nodes;
    double covered_s; /* length of the chosen time */
};

/* For a job on the first job_nodes slots. HC_BAD_INPUT as hc_watch_open, or where the job has more
 * nodes than were watched, or fewer while nodes are not recorded. */
enum hc_status hc_incident_replay_open(struct hc_incident_replay *replay,
                                       const struct hc_incident_choice *choice, int64_t job_nodes,
                                       struct hc_error *err);
void hc_incident_replay_close(struct hc_incident_replay *replay);

#endif
