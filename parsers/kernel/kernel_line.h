/* kernel_line.h - a line of a kernel log in its parts: when, where, what. Private to this wing. */
#ifndef HC_PARSERS_KERNEL_KERNEL_LINE_H
#define HC_PARSERS_KERNEL_KERNEL_LINE_H

#include "core/tables/events/event_table.h"
#include "parsers/io/line_stamp.h"

#include <stdbool.h>

struct hc_kernel_line {
    bool has_stamp;
    struct hc_line_stamp stamp;
    struct hc_event_text host; /* empty: the line names none */
    struct hc_event_text message;
    bool is_of_kernel; /* not of a daemon */
    /* How sure it is that this is a line of such a log at all. */
    bool is_dmesg;  /* written by dmesg, or tagged as the kernel's */
    bool is_syslog; /* it has a stamp, a host and a tag */
};

/* "kern  :warn  : STAMP message", "[STAMP] message", "<6>[12.345] message" (dmesg);
 * "STAMP host kernel: [12.345] message" (syslog, journalctl); "<4>1 STAMP host kernel - - -
 * message" (RFC 5424). */
void hc_kernel_line_split(struct hc_event_text line, struct hc_kernel_line *parts);

/* The node that a path names, where its lines name none: of ".../n01/dmesg" and
 * ".../n01/kern.log.1" the folder, of "dmesg-n01.log" and "n01.dmesg.gz" the name. Empty: it names
 * none. */
struct hc_event_text hc_kernel_node_of_path(const char *path);

/* Whether a path names a log of a system: "syslog", "kern.log.1", "n01-dmesg.txt". */
bool hc_kernel_is_named_by(const char *path);

#endif
