/* other_lines.h - lines of MLPerf (:::MLLOG), verl and DeepSpeed. Private to this wing. */
#ifndef HC_PARSERS_LOGS_OTHER_LINES_H
#define HC_PARSERS_LOGS_OTHER_LINES_H

#include "parsers/logs/run_log.h"

hc_log_take hc_take_mlperf, hc_take_verl, hc_take_deepspeed;

#endif
