#!/usr/bin/env bash
# Intervals of 95 % hold the truth in 92 to 98 % of many synthetic jobs; docs/methods/intervals.md has
# the table of a run of it. Several minutes.
set -euo pipefail
exec "${INTERVAL_COVERAGE:?}" "${RUNS:-1000}" "${SEED:-1}"
