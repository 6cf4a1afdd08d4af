#!/usr/bin/env bash
# Half a year of a large site against what was planted in it: 1 M jobs, 5,000 nodes, 50,000 faults, 99
# runs; the checks of golden/cluster_failures and golden/cluster_joins.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?where the tests are}"
export HINDCAST_CLUSTER="--nodes 5000 --days 180 --jobs 1000000 --runs 99 --faults 56 --node-days 0"
export HINDCAST_SEEDS=${1:-1}
bash "$SOURCE_DIR/tests/golden/cluster_failures.sh"
bash "$SOURCE_DIR/tests/golden/cluster_joins.sh"
