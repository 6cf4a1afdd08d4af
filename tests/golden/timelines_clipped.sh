#!/usr/bin/env bash
# A Chrome timeline as one that was published: a few transfers are a little below 0 (there 8 of 112,320
# events, by 75 us at most). They are taken as 0, counted, and said, of a file and of an archived job.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
meta=$root/data/samples/meta-interleaved.yaml

fail() {
    echo "FAIL: $*"
    exit 1
}

# below FILE SHORTEST: the timeline with 8 transfers from -1 us to SHORTEST us.
below() {
    jq -c --argjson shortest "$2" '
        (if type == "array" then . else .traceEvents end) as $events
        | [range($events | length) | select($events[.].name == "forward-send")][0:8] as $chosen
        | reduce range(8) as $k ($events; .[$chosen[$k]].dur = (if $k == 3 then $shortest else -1 - $k end))' \
        good.json >"$1"
}

"$hindcast" export -q "$root/data/samples/trace-interleaved.csv" --meta "$meta" --perfetto good.json
below clipped.json -75
below refused.json -10000

"$hindcast" whatif -q --json --meta "$meta" good.json >good.out
"$hindcast" whatif -q --json --meta "$meta" clipped.json >clipped.out || fail "a timeline with small negative transfers is refused"
[ "$(jq -c '[.rows.clipped, .rows.skipped, .rows.absent]' good.out)" = "[0,0,0]" ] || fail "clipped where nothing is: $(jq -c .rows good.out)"
[ "$(jq -c '[.rows.clipped, .rows.skipped, .rows.absent]' clipped.out)" = "[8,0,0]" ] || fail "rows: $(jq -c .rows clipped.out)"
jq -ne --slurpfile a good.out --slurpfile b clipped.out \
    '($a[0].figures.slowdown - $b[0].figures.slowdown) | fabs < 1e-3' >/dev/null ||
    fail "S is another: $(jq .figures.slowdown good.out clipped.out)"
"$hindcast" whatif -q --meta "$meta" clipped.json | tr -s ' \n' ' ' >text.out
grep -q "8 clipped, durations between -10 ms and 0, taken as 0; first: 'clipped.json': byte [0-9]*: dur -1 us" text.out ||
    fail "the report does not say it: $(cat text.out)"

"$hindcast" ingest -q -o - -a archive --meta "$meta" clipped.json >ingest.out
grep -q '8 clipped, durations between -10 ms and 0' ingest.out || fail "the ingest does not say it: $(cat ingest.out)"
"$hindcast" whatif -q --json -a archive interleaved >archived.out || fail "the archived job is refused"
[ "$(jq -c '[.rows.clipped, .rows.skipped, .rows.skipped_without_step]' archived.out)" = "[8,0,0]" ] ||
    fail "rows of the archived job: $(jq -c .rows archived.out)"
"$hindcast" check -q -a archive || fail "the archive is not whole"

code=0
"$hindcast" whatif -q --meta "$meta" refused.json >refused.out 2>&1 || code=$?
[ "$code" = 3 ] && grep -q 'duration -0.010000000 s is negative' refused.out ||
    fail "-10 ms is not refused: exit $code, $(cat refused.out)"
