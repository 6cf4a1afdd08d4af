#!/usr/bin/env bash
# The month of the quick tier, for ten minutes.
MONTH_SECONDS=${MONTH_SECONDS:-600} exec bash "${SOURCE_DIR:-$(dirname "$0")/../..}/tests/golden/archive_month.sh"
