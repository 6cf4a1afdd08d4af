#!/usr/bin/env bash
# Profiler traces for a viewer: what is drawn is what the reports say. Slices of a track do not overlap, arrows end
# in slices, the critical path has the parts of `report path` and ends with the steps, timelines are as long as T,
# and the output is the same from files, archive and compressed, with any number of threads.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
expect() { [ "$2" = "$3" ] || fail "$1: '$2' in place of '$3'"; }
slices='[.traceEvents[] | select(.ph == "X") | .from = (.ts * 1000 | round) | .to = .from + (.dur * 1000 | round)]'

# check NAME FILE: what holds for any export.
check() {
    expect "$1: overlaps" "$(jq "$slices | group_by([.pid, .tid]) | map(sort_by(.from) |
        [.[:-1], .[1:]] | transpose[] | select(.[0].to > .[1].from)) | length" "$2")" 0
    expect "$1: arrows beside slices" "$(jq "$slices as \$x |
        [.traceEvents[] | select(.ph == \"s\" or .ph == \"f\") | . as \$e | (.ts * 1000 | round) as \$t |
         select([\$x[] | select(.pid == \$e.pid and .tid == \$e.tid and .from <= \$t and \$t <= .to)] | length == 0)] |
        length" "$2")" 0
}
# path FILE: the parts of the path that was drawn, as `report path --json` has them.
path() {
    jq -c '.otherData as $d | ([.traceEvents[] | select(.ph == "M" and .name == "process_name" and
        .args.name == "critical path") | .pid][0]) as $pid |
        [.traceEvents[] | select(.ph == "X" and .pid == $pid)] | group_by(.cat) |
        map({key: .[0].cat, value: (map(.dur * 1000) | add | round)}) | from_entries' "$1"
}
said_path() {
    "$hindcast" report path --json "$1" 2>/dev/null |
        jq -cS '.whatif.path | map(select(.time_ns > 0) | {key: .part, value: .time_ns}) | from_entries'
}

cp -r --no-preserve=mode "$root/data/samples/two-ranks" two
"$hindcast" synth kineto --dp 2 --pp 2 --layers 2 --steps 3 --slow-rank 1,1.4 --clock-spread-ms 5 --seed 3 -o four -q
rm four/truth.json
for set in two four; do
    for timeline in traced replayed ideal; do
        "$hindcast" export $set --timeline $timeline --perfetto $set-$timeline.json -q
        check "$set $timeline" $set-$timeline.json
    done
    expect "$set: path" "$(path $set-replayed.json | jq -cS .)" "$(said_path $set)"
    # The latest end, less the median start, is T.
    "$hindcast" report path --json $set 2>/dev/null >path.json
    for timeline in replayed ideal; do
        t=$(jq ".whatif.${timeline}_ns" path.json)
        expect "$set: $timeline lasts" "$(jq --argjson t "$t" "$slices | (map(.to) | max) - \$t |
            if . >= 0 then \"behind the first start\" else . end" $set-$timeline.json)" '"behind the first start"'
    done
done
# By hand: the ideal step lasts 230 us, the traced one 500.
expect "two: traced" "$(jq "$slices | map(.to) | max" two-traced.json)" 500000
expect "two: ideal" "$(jq "$slices | map(.to) | max" two-ideal.json)" 230000
expect "two: path" "$(path two-traced.json)" \
    '{"compute":370000,"cpu":80000,"launch":10000,"sync":10000,"transfer":25000,"unexplained":5000}'

"$hindcast" export four --perfetto packed.json.gz --threads 1 -q
gzip -dc packed.json.gz | cmp -s - four-traced.json || fail "compressed is not the same"
"$hindcast" ingest -a archive four >/dev/null
"$hindcast" export -a archive four --perfetto archived.json -q
cmp -s archived.json four-traced.json || fail "archive and files differ"
"$hindcast" export four --steps 11-12 --perfetto - -q | jq -e '[.traceEvents[].args.step // empty] | min == 11' >/dev/null ||
    fail "--steps"
if "$hindcast" export "$root/data/samples/trace-slow-worker.parquet" two --perfetto x.json 2>said; then fail "two kinds"; fi
grep -q "2 jobs are as many files: name a directory" said || fail "said: $(cat said)"
if "$hindcast" export four --steps 99 --perfetto x.json 2>said; then fail "a step that is not there"; fi
[ ! -e x.json ] || fail "something is left behind"
[ ! -e failures ]
