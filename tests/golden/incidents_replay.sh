#!/usr/bin/env bash
# Recorded incidents in scenarios: from a file and from an archive the same, with the file among the
# inputs; and the incidents of InfiniteHBD replayed against a job on its 400 servers.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

# ---- file and archive ----
cp "$root/data/samples/incidents/events.json" "$root/tests/scenarios/right/recorded_job.json" .
"$hindcast" ingest --quiet -a nightly events.json >ingested
"$hindcast" scenario check -a nightly recorded_job.json >checked
sed 's|"job": "events"|"file": "events.json"|' recorded_job.json >recorded_file.json
grep -q '"file": "events.json"' recorded_file.json || fail "no scenario with a file"
"$hindcast" simulate --json -a nightly recorded_job.json >job.json
HINDCAST_ARCHIVE=nightly "$hindcast" simulate --json recorded_job.json | cmp - job.json || fail "HINDCAST_ARCHIVE"
"$hindcast" simulate --json recorded_file.json >file.json
jq -e --slurpfile file file.json '.runs == $file[0].runs' job.json >equal || fail "file and archive differ"
[ "$(jq -r '.inputs[] | select(.path == "events.json").sha256' file.json)" = \
    "$(sha256sum events.json | cut -d' ' -f1)" ] || fail "the digest of the list is not among the inputs"
jq -e '[.inputs[].path] | any(startswith("nightly/segments/"))' job.json >segment || fail "the segment is no input"
# Beside the scenario, wherever it is run from.
mkdir elsewhere
(cd elsewhere && "$hindcast" simulate --json ../recorded_file.json) | jq -S .runs | cmp - <(jq -S .runs file.json) ||
    fail "from elsewhere"
"$hindcast" scenario show --resolved recorded_file.json |
    grep -qxF '/faults/seen/incidents_from/file = "events.json"  # recorded_file.json:8' || fail "show --resolved"
[ ! -e failures ] || exit 1

# ---- InfiniteHBD ----
data=${HINDCAST_SHARED:-$root/../shared}/data/infinitehbd
[ -r "$data/fault_trace.json" ] || { echo "skipped: no ../shared/data/infinitehbd"; exit 77; }
cp "$data/fault_trace.json" "$root/examples/scenarios/recorded/infinitehbd-replay.json" .
"$hindcast" simulate --json infinitehbd-replay.json >hbd.json
jq -e '.notes | any(contains("578 recorded incidents of 348.98 days are replayed."))' hbd.json >noted ||
    fail "578 incidents are not replayed: $(jq -c .notes hbd.json)"
# What was asked: each helps beyond its interval, and both together most.
jq -r '.runs[] | "\(.name) \(.figures.ettr.low) \(.figures.ettr.high)"' hbd.json >ettr
awk '{ low[$1] = $2; high[$1] = $3 }
    END { exit !(high["base"] < low["standbys"] && high["standbys"] < low["checkpoints"] &&
                 high["checkpoints"] < low["both"]) }' ettr || fail "ETTR: $(paste -sd ' ' ettr)"
# Half the servers meet half the incidents, give or take: the slots are spread.
"$hindcast" simulate --json --replicas 2 --set /job/nodes=200 --set /recovery/pool_nodes=208 infinitehbd-replay.json >half.json
n=$(jq -r '.notes[] | capture("(?<n>[0-9]+) recorded incidents of .* replayed").n' half.json | head -1)
[ "$n" -gt 231 ] && [ "$n" -lt 347 ] || fail "$n incidents on 200 of 400 servers"
[ ! -e failures ]
