#!/bin/sh
# Nothing overlaps on a track, whatever the job: synthetic ones (interleaved schedules, overlapped
# gradient reduction, one dp rank, one stage, long launch delays) and the fixtures, in all timelines. What
# the check itself would find is tried first. Needs HINDCAST and CHECK_TIMELINE.
set -u

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
: "${HINDCAST:?must name the program}" "${CHECK_TIMELINE:?must name check_timeline}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failures=0
fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# The judge: two slices that overlap by 1 ns, and two that only touch.
judge() {
    cat >"$out/judge.json" <<END
{"traceEvents":[
{"name":"gc","ph":"X","pid":0,"tid":1,"ts":0.000,"dur":2.000,"args":{"step":1,"seq_id":0,"stage":0}},
{"name":"gc","ph":"X","pid":0,"tid":1,"ts":$1,"dur":1.000,"args":{"step":1,"seq_id":1,"stage":0}},
{"name":"thread_name","ph":"M","pid":0,"tid":1,"args":{"name":"PP rank 0, TP rank 0, compute"}},
{"name":"thread_sort_index","ph":"M","pid":0,"tid":1,"args":{"sort_index":0}},
{"name":"process_name","ph":"M","pid":0,"args":{"name":"DP rank [0]"}}]}
END
    "$CHECK_TIMELINE" tracks "$out/judge.json" >"$out/judged"
}
judge 2.000 || fail "the judge finds fault with slices that touch"
judge 1.999 && fail "the judge sees no overlap of 1 ns"

# check NAME TRACE
check() {
    for timeline in traced replayed ideal; do
        "$HINDCAST" export -q "$2" --timeline $timeline --perfetto "$out/timeline.json" \
            2>"$out/said" || { cat "$out/said"; fail "$1, $timeline: no export"; continue; }
        "$CHECK_TIMELINE" tracks "$out/timeline.json" >"$out/checked" ||
            { cat "$out/checked"; fail "$1, $timeline"; }
        # Only recorded times, and ends before starts, may need further tracks.
        if [ "$3" = exact ] && grep -q '"further_tracks": [1-9]' "$out/timeline.json"; then
            fail "$1, $timeline: further tracks"
        fi
        echo "$1, $timeline: $(sed 's/.*json: //' "$out/checked")"
    done
}

synthetic() {
    name=$1
    shift
    "$HINDCAST" synth steps -q --steps 3 --microbatches 8 "$@" -o "$out/trace-$name.csv" ||
        fail "$name: no trace"
    check "$name" "$out/trace-$name.csv" exact
}

synthetic plain --dp 2 --pp 4
synthetic interleaved --dp 2 --pp 4 --vpp 2
synthetic overlapped --dp 2 --pp 2 --overlap-dp
synthetic both --dp 4 --pp 4 --vpp 3 --overlap-dp
synthetic dp1 --dp 1 --pp 4
synthetic dp1-interleaved --dp 1 --pp 2 --vpp 2
synthetic pp1 --dp 3 --pp 1
synthetic alone --dp 1 --pp 1
synthetic slow --dp 2 --pp 4 --slow-worker 1,2,2
for name in absts clamp dp1 launch noop1 ovlp pp1 vpp2; do
    check "$name" "$source_dir/tests/fixtures/straggler/trace-$name.csv" any
done
[ "$failures" -eq 0 ]
