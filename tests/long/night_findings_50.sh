#!/usr/bin/env bash
# Of 50 clusters, planted changes are found within two days in at least 90 %, where what the changes and the
# rates are lets any test find them; the nights before have at most one false finding a week
# (docs/methods/findings.md has the figures). Half an hour to an hour.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
python3 "$root/tests/long/night_findings.py" "$(realpath "${HINDCAST:-$root/build/hindcast}")" "${CLUSTERS:-50}" "${SEED:-1}"
