#!/usr/bin/env bash
# Lives simulated from months 1 to 6 of made-up clusters, held against months 7 to 12: fit_ettr.py says how.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 "$root/tests/long/fit_ettr.py" "${HINDCAST:-$root/build/hindcast}" "${1:-1}" "${2:-50}"
