#!/usr/bin/env bash
# Over 100 fleets a law in which nothing changes, findings say at most once a week that something did
# (docs/methods/findings.md has the table); and in how many of 50 fleets what was planted is found, to
# be read. Half an hour.
set -euo pipefail
"${FINDING_RATES:?the tool that counts}" "${FLEETS:-100}" "${SEED:-1}"
"${FINDING_POWER:?the tool that plants}" "${PLANTED:-50}" "${SEED:-1}"
