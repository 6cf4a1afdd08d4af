#!/usr/bin/env bash
# Synthetic profiler traces: equal options give equal bytes, they read as what was written, and eight shapes
# are found out as their truth says.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
. "$root/tests/golden/synth_shapes.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }

# ---- the same bytes; gzip changes nothing but the packing ----
options=(--dp 2 --pp 2 --steps 3 --seed 5 --slow-rank 3,1.4 --clock-spread-ms 40)
"$hindcast" synth kineto -q "${options[@]}" -o one
"$hindcast" synth kineto -q "${options[@]}" -o two
"$hindcast" synth kineto -q "${options[@]}" --gzip -o packed
diff -r one two || fail "equal options, other bytes"
for rank in 0 1 2 3; do
    gunzip -c packed/rank-$rank.pt.trace.json.gz | sed 's/trace\.json\.gz"/trace.json"/' |
        cmp -s - one/rank-$rank.pt.trace.json || fail "rank $rank: packed, another trace"
done
"$hindcast" synth kineto -q "${options[@]}" --seed 6 -o other
cmp -s one/rank-0.pt.trace.json other/rank-0.pt.trace.json && fail "another seed, the same bytes"
[ "$("$hindcast" report stragglers -q --json one 2>/dev/null | jq -c '[.whatif.traced_ns] == [.whatif.replayed_ns]')" = true ] ||
    fail "replay is not the trace"

# ---- what is written is what is read ----
for rank in 0 3; do
    written=$(jq -c '[.traceEvents | length, (map(select(.cat == "cpu_op")) | length),
        (map(select(.cat == "cuda_runtime")) | length),
        (map(select(.cat == "kernel" or .cat == "gpu_memcpy")) | length)]' one/rank-$rank.pt.trace.json)
    read=$("$hindcast" report stragglers -q --json one 2>/dev/null |
        jq -c ".ranks[$rank] | [.events, .cpu_ops, .calls, .gpu_events]")
    [ "$written" = "$read" ] || fail "rank $rank: written $written, read $read"
done
"$hindcast" report stragglers -q --json one 2>/dev/null | jq -e 'all(.ranks[]; .unlinked == 0 and .dropped == 0)' >/dev/null ||
    fail "kernels without a launch, or dropped events"
[ "$(jq -c '.planted == [] and .total_ns == .healthy_ns' \
    <("$hindcast" synth kineto -q --dp 2 --steps 2 -o healthy && cat healthy/truth.json))" = true ] ||
    fail "a healthy job has a cost"

# ---- each step from the others: noise without a plant, the stop where one was planted ----
predictions() { # OPTIONS...
    rm -rf steps
    "$hindcast" synth kineto -q --dp 2 --pp 2 --seed 9 "$@" -o steps
    "$hindcast" whatif -q --json steps 2>/dev/null | jq -c "[.whatif.predictions[] | [.first_step, $field]]"
}
field='(.error | fabs) < 0.005 and .share_without_twin < 0.05 and .first_step == .last_step'
[ "$(predictions --steps 4)" = '[[10,true],[11,true],[12,true],[13,true]]' ] ||
    fail "healthy steps are not predicted: $(predictions --steps 4)"
[ "$(predictions --steps 4 --pause 1,12,20)" = '[[10,true],[11,true],[12,false],[13,true]]' ] ||
    fail "the step with a stop is not the one that is off"
[ "$(predictions --steps 2)" = '[]' ] || fail "two steps predict each other"
field='(.error + 0.187 | fabs) < 0.01'
[ "$(predictions --steps 4 --pause 1,12,20 | jq -c '.[2]')" = '[12,true]' ] || fail "the stop is not what the step is off by"

# ---- shapes ----
try_shapes 0 1 2 3 4 5 6 66 >shapes
[ "$n_wrong" = 0 ] || fail "$(cat shapes)"
[ "$n_asked" -ge 4 ] || fail "only $n_asked of $n_tried shapes say anything of a rank"
[ ! -e failures ]
