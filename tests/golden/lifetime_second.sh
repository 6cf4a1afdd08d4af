#!/usr/bin/env bash
# The lifetime engine in 40 settings in which pool, standbys, waiting, repairs, elasticity and age meet, against what the
# naive simulation of tests/independent/lifetime.py found in them: ten figures each, |z| below 4. That program was written
# from the documents alone; kept.json has its settings, means and standard errors (`settings.py 40 14 400`, minutes).
# tests/long/lifetime_second.sh runs it again. Whoever changes the model on purpose changes the documents, then it.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 "$root"/tests/independent/compare.py "$hindcast" "$root"/tests/independent/kept.json
