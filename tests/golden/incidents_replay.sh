#!/usr/bin/env bash
# Recorded incidents in scenarios: from a file and from an archive the same, with the file among the
# inputs.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

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
[ ! -e failures ]
