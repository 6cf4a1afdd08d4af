#!/usr/bin/env bash
# Intervals of 95 % hold the truth in at least 92 % of the synthetic jobs of 20 and 40 steps in which they
# are given; docs/methods/intervals.md has a table. About ten minutes on a busy machine of two cores.
set -euo pipefail
exec "${INTERVAL_COVERAGE:?}" "${RUNS:-600}" "${SEED:-1}"
