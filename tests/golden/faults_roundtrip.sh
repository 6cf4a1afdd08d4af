#!/usr/bin/env bash
# The faults of lives, written by --faults-out and read by incidents_from: the same lives, to the nanosecond. Of
# 50 random scenarios and 6 presets each replay gives the same figures and the same list again.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$root/tests/support/fault_scenarios.py" "$hindcast" 50
