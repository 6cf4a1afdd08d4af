#!/usr/bin/env bash
# Planted causes against those found, over fleets of 300 jobs: at least 95 % right where one cause
# was planted and felt, and fewer than 2 % false alarms on clean jobs.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${FLEET_CONFUSION:?the tool that scores}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for seed in 1 2 3 4; do
    "$HINDCAST" synth steps -q --fleet 300 --seed $seed -o "$work/fleet"
    echo "seed $seed"
    "$FLEET_CONFUSION" "$work/fleet" --list --least-right 0.95 --most-false 0.02
    rm -r "$work/fleet"
done
