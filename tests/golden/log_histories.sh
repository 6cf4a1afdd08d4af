#!/usr/bin/env bash
# Random histories of the logs and dumps of a site (tests/support/log_histories.py): whatever happens to
# their files between ingests, and where an ingest is killed, the tables are those of one clean ingest.
# Always the same few here; tests/long/log_histories_400.sh takes others each time.
#
#   HISTORIES  how many (6)
#   STEPS      what happens in each (24)
#   SEED       of the first (250), or "random"; a failure names its own
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
seed=${SEED:-250}
[ "$seed" != random ] || seed=$((SRANDOM % 1000000))
python3 "$SOURCE_DIR/tests/support/log_histories.py" "$hindcast" "$work" "$seed" "${HISTORIES:-6}" "${STEPS:-24}"
