#!/usr/bin/env bash
# Intervals of 95 % hold the truth in 92 to 98 % of many synthetic jobs; docs/methods/intervals.md has
# the table of a run of it. About ten minutes on a busy machine of two cores.
set -euo pipefail
exec "${INTERVAL_COVERAGE:?}" "${RUNS:-600}" "${SEED:-1}"
