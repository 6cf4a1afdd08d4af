/* slow_options.h - the text of a slow part of a synthetic job: "DP,STAGE,FACTOR", and what may
 * follow it to say when and on what it acts. Private to this wing.
 */
#ifndef HC_CLI_OPTIONS_SLOW_OPTIONS_H
#define HC_CLI_OPTIONS_SLOW_OPTIONS_H

#include "core/base/status.h"
#include "sim/synth/step_synth.h"

#include <stdbool.h>

/* What an option takes before the factor, and what it makes slow. */
struct hc_slow_form {
    const char *option;
    bool has_dp, has_stage;
    enum hc_synth_target target;
    enum hc_synth_ops ops; /* unless the text says others */
};

/* Read "DP,STAGE,FACTOR[:KEY=VALUE...]"; HC_USAGE names option, text and what it should be. */
enum hc_status hc_slow_read(struct hc_synth_slow *slow, const struct hc_slow_form *form,
                            const char *text, struct hc_error *err);

/* Read one finite number that is followed by one of `ends`, or by the end of the text when `ends`
 * is
 * "", and move *text behind it and that character. */
bool hc_slow_number(const char **text, const char *ends, double *number);

#endif
