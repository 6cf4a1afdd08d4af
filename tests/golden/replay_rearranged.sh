#!/usr/bin/env bash
# A measured job given its own plan replays as before, to the nanosecond of every figure, by either way of dealing out
# layers: our fixtures and the published traces (where ../shared is there). Then what cannot be rearranged, that
# threads change no byte of what is drawn, and what is said of an extrapolation.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
fail() { echo "FAIL: $*" | tee -a failures; }

# scenario FILE EDITS VARIANTS
scenario() {
    printf '{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "%s", "max_discrepancy": 1},
             "edits": {%s}, "variants": {%s}}' "$1" "$2" "$3" >scenario.json
}

# What a variant of an edit comes to, without its name.
figures() { jq -cS --arg name "$1" '.runs[] | select(.name == $name) | .figures' answer.json; }

same() {
    scenario "$1" '"none": {"scale": 1}, "same": {"rearrange": {}}, "move": {"rearrange": {"layers": "move"}},
                   "slow": {"select": {"worker": ["0/0"]}, "scale": 1.5}, "late": {"delay_s": 0.001}' \
        '"none": ["none"], "same": ["same"], "move": ["move"],
         "edited": ["slow", "late"], "before": ["slow", "late", "same"], "after": ["same", "slow", "late"],
         "between": ["late", "move", "slow"]'
    "$hindcast" simulate -q --json scenario.json >answer.json || { fail "$1: cannot be run"; return; }
    for pair in none:same none:move edited:before edited:after edited:between; do
        [ "$(figures "${pair%:*}")" = "$(figures "${pair#*:}")" ] ||
            fail "$1: '${pair#*:}' differs from '${pair%:*}': $(figures "${pair%:*}" | head -c 300)"
    done
    [ "$(figures edited)" != "$(figures none)" ] || fail "$1: edits change nothing"
}

n=0
for trace in "$root"/tests/fixtures/straggler/trace-*.csv "$shared"/bytedance-straggler/csv/trace-*.csv.gz; do
    [ -e "$trace" ] || continue
    case $trace in
    *bytedance*)
        cp "$trace" . && cp -f "$shared"/bytedance-straggler/data/meta-*.yaml .
        same "$work/${trace##*/}"
        ;;
    *) same "$trace" ;;
    esac
    n=$((n + 1))
done
echo "$n traces have their own plan"
[ "$n" -ge 8 ] || fail "only $n traces were found"

# FSDP: parameters are gathered before each pass, so passes are no pipeline.
printf 'job_id: fsdp\ndp_size: 2\npp_size: 1\nabsent_ops: [layernorm-grads-all-reduce, embedding-grads-all-reduce, optimizer-clip-main-grad, gc]\n' >meta-fsdp.yaml
{
    echo 'dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc'
    for d in 0 1; do
        printf "$d,0,$d,1,%s\n" params-all-gather,0,0.1,0,0,-1,-1 forward-compute,0.1,1,0,0,0,0 \
            params-all-gather,1.1,0.1,1,0,-1,-1 backward-compute,1.2,2,0,0,0,0 \
            grads-reduce-scatter,3.2,0.1,0,0,-1,-1 separate-grads-all-reduce,3.3,0.1,0,-1,-1,-1 \
            optimizer,3.4,0.1,0,-1,-1,-1
    done
} >trace-fsdp.csv
scenario "$work/trace-fsdp.csv" '"it": {"rearrange": {}}' ''
"$hindcast" scenario check scenario.json >said 2>&1 && fail "an FSDP step was rearranged"
grep -q 'FSDP' said || fail "of an FSDP step it is said: $(cat said)"

# Draws are by place: the same with one thread and with two, and with other draws others.
slow=$root/data/samples/trace-slow-worker.parquet
cat >scenario.json <<END
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "$slow"}, "draws": 3,
 "edits": {"more": {"extrapolate": {"dp": 40}}, "plan": {"rearrange": {"schedule": "gpipe"}}},
 "variants": {"more": ["more"], "both": ["more", "plan"], "first": ["plan", "more"]}}
END
OMP_NUM_THREADS=1 "$hindcast" simulate -q --json scenario.json | jq -S '.runs' >one.json
OMP_NUM_THREADS=2 "$hindcast" simulate -q --json scenario.json | jq -S '.runs' >two.json
cmp one.json two.json || fail "threads change what is drawn"
jq -e 'map({(.name): .figures.step_s.mean}) | add | .more > .base' one.json >/dev/null ||
    fail "more ranks do not take longer: $(jq -c 'map(.figures.step_s.mean)' one.json)"
# Which columns are alike depends a little on their plan.
jq -e 'map({(.name): .figures.step_s.mean}) | add | (.both / .first - 1 | fabs) < 0.01 and .both > .base' \
    one.json >/dev/null || fail "a plan before the draws is another than after them"
"$hindcast" simulate -q --json scenario.json | jq -r '.notes[]?' >notes
grep -q 'persists by rank' notes || fail "the variance is not split: $(cat notes)"
[ ! -s failures ]
