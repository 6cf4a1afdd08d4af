#!/usr/bin/env bash
# The naive simulation of tests/independent/ again: 40 of the settings that it draws by a seed (SETTINGS_SEED; 14 has the
# kept ones), 400 lives of each, and what hindcast says of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
found=$(mktemp)
trap 'rm -f "$found"' EXIT
python3 "$root"/tests/independent/settings.py 40 "${SETTINGS_SEED:-14}" 400 "$(nproc)" >"$found"
python3 "$root"/tests/independent/compare.py "$hindcast" "$found"
