/* kernel_message.h - which messages of a kernel are events, and what they say.
 * Private to this wing. */
#ifndef HC_PARSERS_KERNEL_KERNEL_MESSAGE_H
#define HC_PARSERS_KERNEL_KERNEL_MESSAGE_H

#include "core/tables/events/event_table.h"

#include <stdbool.h>

struct hc_kernel_rules;

enum hc_status hc_kernel_rules_make(struct hc_kernel_rules **rules, struct hc_error *err);
void hc_kernel_rules_free(struct hc_kernel_rules *rules);

/* Whether a line may hold an event: some literal of a rule stands in it. Quick, for most lines. */
bool hc_kernel_may_match(const struct hc_kernel_rules *rules, const char *line, size_t length);

/* Read a message, without stamp, host and tag. False: it is no event. Else class, effect, code,
 * name, device, pid and process of the event are put, which point into the message or stay. */
bool hc_kernel_message_read(const struct hc_kernel_rules *rules, struct hc_event_text message,
                            struct hc_event *event);

#endif
