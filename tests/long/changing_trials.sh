#!/usr/bin/env bash
# changing_trials.sh [SEED] [N] [CASE|GROUP...]: N trials of each case, jobs with faults that last,
# begin, end, come and go, and jobs without any, made by a simulation that is not `hindcast synth`
# (tests/trials/), against what the program says of them. Fails below the bars of
# tests/tools/trial_tally.c. A trial that is not right is made again by `trial_maker CASE SEED FOLDER`.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${TRIAL_TALLY:?the tool that makes trials and judges}"
seed=${1:-1} n=${2:-40}
shift $(($# > 2 ? 2 : $#))
"$TRIAL_TALLY" --bars --list "$seed" "$n" "$@"
