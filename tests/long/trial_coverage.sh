#!/usr/bin/env bash
# trial_coverage.sh [SEED] [N] [STEPS]: the intervals of S of short traces of jobs that are not made by
# `hindcast synth` (tests/trials/) hold S of a long trace of the same job in at least 92 % of those given, over N
# trials of each clean and lasting case.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${TRIAL_COVERAGE:?the tool that makes trials and counts}"
"$TRIAL_COVERAGE" "${1:-1}" "${2:-10}" "${3:-20}"
