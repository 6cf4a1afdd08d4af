#!/usr/bin/env bash
# Random histories of the logs of a site (tests/support/log_histories.py): whatever happens to their
# files between ingests, and where an ingest is killed, the tables are those of one clean ingest.
#
#   HISTORIES  how many (1)
#   STEPS      what happens in each (24)
#   SEED       of the first (250; others are for a longer look)
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
python3 "$SOURCE_DIR/tests/support/log_histories.py" "$hindcast" "$work" \
    "${SEED:-250}" "${HISTORIES:-1}" "${STEPS:-24}"
