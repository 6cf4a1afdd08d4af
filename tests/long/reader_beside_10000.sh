#!/usr/bin/env bash
# The reads of the quick tier, 10,000 beside each of prune, rm, compact and gc, and at each call of a query.
READS=10000 STEP=1 exec bash "${SOURCE_DIR:-$(dirname "$0")/../..}/tests/golden/reader_beside.sh"
