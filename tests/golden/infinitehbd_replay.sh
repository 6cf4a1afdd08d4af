#!/usr/bin/env bash
# The incidents of InfiniteHBD replayed against a job on its 400 servers: the example of a scenario that
# does so is right, and answers what it asks.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
data=${HINDCAST_SHARED:-$root/../shared}/data/infinitehbd
[ -r "$data/fault_trace.json" ] || { echo "skipped: no ../shared/data/infinitehbd"; exit 77; }
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
data=$(realpath "$data")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

cp "$data/fault_trace.json" "$root/examples/scenarios/infinitehbd-replay.jsonc" .
"$hindcast" scenario check infinitehbd-replay.jsonc >checked || fail "the example is not right: $(cat checked)"
"$hindcast" scenario show infinitehbd-replay.jsonc >plain_document.json
"$hindcast" scenario check plain_document.json >checked || fail "the example, printed, is not right: $(cat checked)"
"$hindcast" simulate --replicas 3 infinitehbd-replay.jsonc >text
[ "$(wc -l <text)" -ge 5 ] || fail "the example gives no answer"
"$hindcast" simulate --json infinitehbd-replay.jsonc >hbd.json
[ "$(jq -r .question hbd.json)" != "" ] || fail "the example asks nothing"
jq -e '.notes | any(contains("578 recorded incidents of 348.98 days are replayed."))' hbd.json >noted ||
    fail "578 incidents are not replayed: $(jq -c .notes hbd.json)"
# What was asked: each helps beyond its interval, and both together most.
jq -r '.runs[] | "\(.name) \(.figures.ettr.low) \(.figures.ettr.high)"' hbd.json >ettr
awk '{ low[$1] = $2; high[$1] = $3 }
    END { exit !(high["base"] < low["standbys"] && high["standbys"] < low["checkpoints"] &&
                 high["checkpoints"] < low["both"]) }' ettr || fail "ETTR: $(paste -sd ' ' ettr)"
# Half the servers meet half the incidents, give or take: the slots are spread.
"$hindcast" simulate --json --replicas 2 --set /job/nodes=200 --set /recovery/pool_nodes=212 infinitehbd-replay.jsonc >half.json
n=$(jq -r '.notes[] | capture("(?<n>[0-9]+) recorded incidents of .* replayed").n' half.json | head -1)
[ "$n" -gt 231 ] && [ "$n" -lt 347 ] || fail "$n incidents on 200 of 400 servers"
[ ! -e failures ]
