#!/usr/bin/env bash
# `export --timeline both`: the ops are those of the traced and of the ideal timeline to the nanosecond, each step of
# the one stands beside the same step of the other, arrows lead from every send to the receive of the same
# microbatch on the next stage, and steps are as long as the what-if says. Needs jq.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
fail() { echo "FAIL: $*" | tee -a failures; }

# The ops of a group of a file, in whole ns from the start of their step.
ops() { # FILE GROUP DP
    jq -c --argjson group "$2" --argjson dp "$3" '
        [.traceEvents[] | select(.cat == "step")] as $all |
        ($all | map(.pid) | unique)[$group] as $pid |
        ($all | map(select(.pid == $pid) | {key: .name, value: .ts}) | from_entries) as $at |
        [.traceEvents[] | select(.ph == "X" and .cat != "step" and (.pid / $dp | floor) == $group) |
         {d: (.pid - $group * $dp), op: .name, a: .args, ns: (.dur * 1000 | round),
          at: ((.ts - $at["step \(.args.step)"]) * 1000 | round)}] | sort_by(.d, .a.step, .a.stage, .op, .a.seq_id)[]' "$1"
}

# check NAME TRACE DP
check() {
    for timeline in traced ideal both; do
        "$hindcast" export -q "$2" --timeline $timeline -o $timeline.json 2>said || { cat said; fail "$1: no export"; return; }
    done
    for group in 0 1; do
        alone=$([ $group = 0 ] && echo traced || echo ideal)
        ops both.json $group "$3" >beside
        ops $alone.json 0 "$3" >alone
        [ -s alone ] && cmp -s beside alone || fail "$1: ops of $alone are others in the file of both"
    done
    jq -e '[.traceEvents[] | select(.cat == "step")] | group_by(.name) | map(map(.ts) | unique | length == 1) | all' \
        both.json >/dev/null || fail "$1: a step does not stand beside itself"
    jq -e '[.traceEvents[] | select(.ph == "M" and .name == "process_name").args.name] as $names |
        ($names | index("traced, steps")) != null and ($names | index("ideal, DP rank [0]")) != null' \
        both.json >/dev/null || fail "$1: names of processes"
    # Each arrow starts with a send and ends with the receive of its microbatch, a stage on or back. Where schedules are
    # interleaved, both ends of the pipeline have transfers with nobody.
    jq -e '[.traceEvents[] | select(.ph == "X" and .cat != "step")] as $ops | ($ops | map(.args.stage) | max) as $last |
        ($ops | map({key: "\(.tid) \(.ts)", value: .}) | from_entries) as $slice |
        [.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) |
        (map(length == 2 and .[0].ph == "s" and .[1].ph == "f" and .[1].bp == "e") | all) and
        (map([$slice["\(.[0].tid) \(.[0].ts)"], $slice["\(.[1].tid) \(.[1].ts)"]] | .[0] as $from | .[1] as $to |
            ($from.name | endswith("-send")) and $to.name == ($from.name | sub("send"; "recv")) and
            $from.pid == $to.pid and $from.args.mb_id == $to.args.mb_id and $from.args.step == $to.args.step and
            $from.args.stage != $to.args.stage) | all) and
        (map(.[] | {key: "\(.tid) \(.ts)", value: true}) | from_entries) as $linked |
        ([$ops[] | select(.name | test("-(send|recv)$")) | select($linked["\(.tid) \(.ts)"] | not)] |
            map(.args.stage == if (.name | test("backward-send|forward-recv")) then 0 else $last end) | all)' traced.json >/dev/null ||
        fail "$1: arrows are not from each send to its receive"
    jq -e '.otherData.arrows == ([.traceEvents[] | select(.ph == "s")] | length)' both.json >/dev/null || fail "$1: count of arrows"
    # Steps are as long as in the what-if.
    "$hindcast" whatif -q "$2" --json >whatif.json
    jq -c '[.traceEvents[] | select(.cat == "step") | [(.name[5:] | tonumber), (.dur * 1000 | round)]]' traced.json >lengths
    jq -c '[.steps[] | [.step, .traced_ns]]' whatif.json >said_lengths
    cmp -s lengths said_lengths || fail "$1: steps are $(head -c 120 lengths), by the what-if $(head -c 120 said_lengths)"
    # Read back, one timeline is a trace with the same ops; two are refused.
    "$hindcast" export -q traced.json -o again.json 2>said || { cat said; fail "$1: not read back"; }
    [ "$(jq '.otherData.ops' again.json)" = "$(jq '.otherData.ops' traced.json)" ] || fail "$1: read back with other ops"
    grep -q 'passed over\|not read' said && fail "$1: $(cat said)"
    "$hindcast" whatif -q both.json >said 2>&1 && fail "$1: both were read as one trace"
    grep -q 'side by side' said || fail "$1: $(cat said)"
}
check "slow worker" "$root/data/samples/trace-slow-worker.parquet" 4
check interleaved "$root/data/samples/trace-interleaved.csv" 2

# Profiler traces: processes of both, each with its critical path; slices of the one are those of its own file.
"$hindcast" export -q "$root/data/samples/two-ranks" --timeline both -o profile.json
"$hindcast" export -q "$root/data/samples/two-ranks" --timeline ideal -o ideal.json
jq -e '[.traceEvents[] | select(.name == "process_name").args.name] ==
    ["traced: rank 0", "traced: rank 1", "traced: critical path", "ideal: rank 0", "ideal: rank 1", "ideal: critical path"] and
    .otherData.timeline == "traced and ideal"' profile.json >/dev/null || fail "processes of profiler traces"
durations() { jq -c --argjson least "$2" '[.traceEvents[] | select(.ph == "X" and .pid >= $least) | [.name, .dur]] | sort' "$1"; }
cmp -s <(durations profile.json 3) <(durations ideal.json 0) || fail "ideal slices of profiler traces"

[[ ! -s failures ]] || exit 1
echo "traced and ideal stand side by side"
