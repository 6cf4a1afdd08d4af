#!/usr/bin/env bash
# changing_trials.sh [SEED] [N] [CASE|GROUP...]: N trials of each case, made by a simulation that is
# not `hindcast synth` (tests/trials/), against what the program says of them: jobs with faults that
# last, begin, end, come and go, jobs without any, and the kinds of issue 36:
#   stages  a stage changes, or work moves from one stage to another
#   common  the network, a collective type, or all passes slow for all ranks in some steps
#   levels  one worker gets slower in two or three levels
#   own     an optimizer, a collection or a checkpoint of one rank
#   loader  one rank starts late in every k-th step, S below 1.1
#   slots   several workers slow in the same steps
#   many    13 to 20 slow workers, one of them the most expensive
#   links   one link or network card, nodes in the metadata
#   pairs   two of these kinds in one job
#   placed-clean  no fault, nodes in the metadata
# Fails below the bars of tests/tools/trial_tally.c. A trial that is not right is made again by
# `trial_maker CASE SEED FOLDER`.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${TRIAL_TALLY:?the tool that makes trials and judges}"
seed=${1:-1} n=${2:-40}
shift $(($# > 2 ? 2 : $#))
"$TRIAL_TALLY" --bars --list "$seed" "$n" "$@"
