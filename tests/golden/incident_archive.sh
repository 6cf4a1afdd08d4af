#!/usr/bin/env bash
# An archive of step timelines and incidents: every command goes on with its own kind, and the manifest
# can be rebuilt.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }
samples=$root/data/samples
export HINDCAST_ARCHIVE=archive

# The timeline and one of the lists have the same name: they are of two kinds.
cp "$samples/trace-interleaved.csv" trace-cluster.csv
cp "$samples"/incidents/* .
"$hindcast" ingest -q trace-cluster.csv >/dev/null
"$hindcast" whatif --all --json >steps.json 2>/dev/null
"$hindcast" ingest -q cluster.csv events.json records.csv >/dev/null
"$hindcast" ingest -q cluster.jsonl >/dev/null
[ "$(jq -c '[.major, .minor, [.segments[].tables | keys]]' archive/manifest.json)" = \
    '[2,0,[["incidents","inventory"],["ops","steps"],["incidents","inventory"],["incidents","inventory"]]]' ] ||
    fail "the manifest says something else: $(cat archive/manifest.json)"
cp archive/manifest.json before.json

# cluster.csv and cluster.jsonl are two sources of one name: the later one takes the place.
[ "$("$hindcast" ls --json | jq -c '[.jobs[] | [.kind, .id, .tables.steps, .tables.incidents]]')" = \
    '[["incidents","cluster",null,6],["steps","cluster",8,null],["incidents","events",null,4],["incidents","records",null,4]]' ] ||
    fail "ls lists something else: $("$hindcast" ls --json | jq -c '[.jobs[] | [.kind, .id]]')"
"$hindcast" ingest cluster.jsonl | grep -q unchanged || fail "a list is ingested twice"
"$hindcast" check >/dev/null || fail "check finds something"
"$hindcast" report reliability --json >report.json
"$hindcast" archive gc >/dev/null
"$hindcast" report reliability --json | cmp - report.json || fail "gc changed the report"
"$hindcast" show cluster | grep -q 8 || fail "show does not find the timeline"
"$hindcast" whatif --all --json 2>/dev/null | cmp - steps.json || fail "incidents changed the fleet"

# The manifest can be made anew.
rm archive/manifest.json
"$hindcast" check --repair >/dev/null || fail "repair fails"
diff <(jq -c '.segments[]' before.json) <(jq -c '.segments[]' archive/manifest.json) ||
    fail "the repaired manifest says something else"
"$hindcast" report reliability --json | cmp - report.json || fail "repair changed the report"

# A damaged list is found.
segment=$(jq -r '.segments[] | select(.job_id == "events") | .file' archive/manifest.json)
printf x | dd of="archive/$segment" bs=1 seek=9000 conv=notrunc status=none
if "$hindcast" check >check.out 2>&1; then fail "damage is not found"; fi
grep -q "$segment: damaged" check.out || fail "the damaged list is not named: $(cat check.out)"

# A newer kind is passed over, and such an archive not written.
jq '.minor = 9 | .segments[-1].table = "novel" | .segments[-1].tables = {"novel": 7} | .segments[-1].colour = "red"' \
    before.json >archive/manifest.json
"$hindcast" ls --json | jq -e '.jobs[-1].kind == "novel"' >/dev/null || fail "a newer kind is not listed"
if "$hindcast" ingest llama.csv 2>/dev/null; then fail "a newer archive is added to"; fi
[ ! -s failures ]
