#!/usr/bin/env bash
# Intervals of 95 % hold the truth in at least 92 % of the synthetic jobs of 20 and 40 steps in which they
# are given; docs/methods/intervals.md has a table. About ten minutes on a busy machine of two cores.
set -euo pipefail
"${INTERVAL_COVERAGE:?}" "${RUNS:-600}" "${SEED:-1}"
# The same of S by stretch, in jobs that change once.
"${STRETCH_COVERAGE:?}" "${RUNS:-600}" "${SEED:-1}"
