/* megatron_lines.h - lines of Megatron-LM, and of what grew from it: iterations, start-up,
 * checkpoints. Private to this wing. */
#ifndef HC_PARSERS_LOGS_MEGATRON_LINES_H
#define HC_PARSERS_LOGS_MEGATRON_LINES_H

#include "parsers/logs/run_log.h"

extern const struct hc_log_startup hc_startup_none;

/* What hc_take_megatron_iteration looks for in a line; freed with hc_line_labels_free. */
enum hc_status hc_megatron_labels_make(struct hc_line_labels **made, struct hc_error *err);

hc_log_take hc_take_megatron_iteration, hc_take_megatron_world, hc_take_megatron_initialised,
    hc_take_megatron_compiled, hc_take_megatron_datetime, hc_take_megatron_save,
    hc_take_megatron_validation, hc_take_megatron_load;

#endif
