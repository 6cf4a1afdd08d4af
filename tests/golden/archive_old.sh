#!/usr/bin/env bash
# An archive that hindcast 0.1 wrote is read as before, checked, repaired and added to; what is then
# written is of today's version, and says the same of what was there.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fixture=$root/tests/fixtures/archive-0.1
cp -r --no-preserve=mode "$fixture/archive" "$work/archive"
cd "$work/archive"
export HINDCAST_ARCHIVE=.
fail() { echo "FAIL: $*" | tee -a "$work/failures"; }

# What it says is what that version said of it.
same() {
    "$hindcast" show dp1 | diff - "$fixture/show.txt" || fail "$1: show differs"
    "$hindcast" whatif dp1 | diff - "$fixture/whatif.txt" || fail "$1: whatif differs"
    "$hindcast" report reliability | diff - "$fixture/reliability.txt" || fail "$1: report reliability differs"
    [ "$("$hindcast" ls --json | jq -c '[.jobs[] | [.kind, .id, .tables.ops, .tables.steps, .tables.incidents]]')" = \
        '[["incidents","cluster",null,null,6],["steps","dp1",414,3,null]]' ] || fail "$1: ls differs"
    "$hindcast" check >"$work/check.txt" || fail "$1: check finds something: $(cat "$work/check.txt")"
}
version() { jq -c '[.major, .minor]' manifest.json; }
tables() { jq -c '[.segments[] | [.job_id, .table, .tables]]' manifest.json; }

same "as it was"
[ "$(version)" = '[1,1]' ] || fail "reading changed the manifest"

# Neither gc nor an ingest of what it holds has anything to do.
"$hindcast" archive gc >/dev/null
[ "$(find segments -name '*.h5' | wc -l)" = 2 ] || fail "gc removed a segment"
cp "$root"/tests/fixtures/straggler/{trace-dp1.csv,meta-dp1.yaml} "$work"
"$hindcast" ingest "$work/trace-dp1.csv" | grep -q unchanged || fail "what it holds is ingested again"
[ "$(version)" = '[1,1]' ] || fail "an ingest of nothing new changed the manifest"

# A new job, and another recording of the old one: the manifest becomes that of today. What the old one did not
# say, the rows of the inventory, stays unsaid.
cp -r . "$work/copy"
cp "$root"/tests/fixtures/straggler/{trace-pp1.csv,meta-pp1.yaml} "$work"
"$hindcast" ingest -q "$work/trace-pp1.csv" >/dev/null
[ "$(version)" = '[2,0]' ] || fail "the manifest is not of today: $(version)"
[ "$(tables)" = '[["cluster","incidents",{"incidents":6,"inventory":null}],["dp1","ops",{"ops":414,"steps":3}],["pp1","ops",{"ops":180,"steps":3}]]' ] ||
    fail "the manifest says something else: $(tables)"
"$hindcast" check >/dev/null || fail "check finds something after an ingest"
"$hindcast" whatif dp1 | diff - "$fixture/whatif.txt" || fail "an ingest changed another job"
sed 1,2d "$work/trace-dp1.csv" | cat <(head -1 "$work/trace-dp1.csv") - >"$work/new.csv" && mv "$work/new.csv" "$work/trace-dp1.csv"
"$hindcast" ingest --max-bad 5% "$work/trace-dp1.csv" 2>"$work/err" | grep -q "replaced by" ||
    fail "a new recording does not replace the old: $(cat "$work/err")"
"$hindcast" archive gc | grep -q removed || fail "the old recording is not removed"

# Repair, from the old manifest and from none.
for damage in "true" "rm manifest.json"; do
    rm -rf "$work/archive" && cp -r "$work/copy" "$work/archive" && cd "$work/archive"
    $damage
    "$hindcast" check --repair >/dev/null || fail "repair fails after '$damage'"
    same "repaired after '$damage'"
    [ "$(tables)" = '[["cluster","incidents",{"incidents":6,"inventory":1}],["dp1","ops",{"ops":414,"steps":3}]]' ] ||
        fail "the repaired manifest says something else: $(tables)"
done
[ ! -s "$work/failures" ]
