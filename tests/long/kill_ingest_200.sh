#!/usr/bin/env bash
# The kills of the quick tier, 200 of them.
ROUNDS=200 exec bash "${SOURCE_DIR:-$(dirname "$0")/../..}/tests/golden/kill_ingest.sh"
