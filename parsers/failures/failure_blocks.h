/* failure_blocks.h - failures that take several lines: a Python traceback, and the account that
 * torchrun gives of the process that failed first. Private to this wing. */
#ifndef HC_PARSERS_FAILURES_FAILURE_BLOCKS_H
#define HC_PARSERS_FAILURES_FAILURE_BLOCKS_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>

#define HC_FAILURE_TEXT_MOST 512

/* A traceback of a rank whose lines are still coming. */
struct hc_traceback {
    int64_t who;  /* the rank, or whatever else its lines begin with */
    int64_t line; /* of the log, where it begins */
    int n_lines;
    char frame[200]; /* the last one: file, line, function */
};

/* What a line was to it. */
enum hc_block_line {
    HC_BLOCK_GOES_ON, /* a line of it */
    HC_BLOCK_ENDS,    /* its last line: the event is whole */
    HC_BLOCK_NOT      /* not of it */
};

/* Whether text, behind its prefix, begins a traceback. */
bool hc_traceback_begins(struct hc_event_text text);

/* The next line of it. At its end: name and message of the event, in a buffer of
 * HC_FAILURE_TEXT_MOST bytes. */
enum hc_block_line hc_traceback_take(struct hc_traceback *traceback, struct hc_event_text text,
                                     struct hc_event *event, char *buffer);

/* torchrun's block "Root Cause (first observed failure)". Zeroed memory is none. */
struct hc_root_cause {
    bool is_open;
    int n_lines;
    int64_t line;
    struct hc_event event; /* its texts are in here */
    char time[40], node[128], message[HC_FAILURE_TEXT_MOST];
};

bool hc_root_cause_begins(struct hc_event_text text);

/* The next line of it. At its end the event is whole but for its time, which is as written. */
enum hc_block_line hc_root_cause_take(struct hc_root_cause *cause, struct hc_event_text text);

#endif
