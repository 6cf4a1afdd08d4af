#!/usr/bin/env bash
# Pairs of scenarios that the documents make equal give equal answers, and every two of twelve features meet in one of
# them (tests/support/scenario_pairs.py says how a rule is written; tests/scenarios/pairs/ has the rules).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 "$root"/tests/support/scenario_pairs.py "$hindcast" "$root"/tests/scenarios/pairs
