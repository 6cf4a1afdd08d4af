#!/usr/bin/env bash
# The critical path of steps of any source: by op type and by worker its parts sum to the step time, to the nanosecond,
# with edits of every kind that move starts and ends; each step has a worker without slack. Fixtures, samples and the
# published traces (where ../shared is there).
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

# Parts of a result that do not sum to the step, into `wrong`; draws: of each step.
check_sums() { # file draws
    jq -r --argjson draws "$2" '.runs[] | (.steps | length * $draws) as $n | .name as $run | .figures.step_s.mean as $step |
        (.critical_path | map(.step_s) | add) as $ops |
        ((.critical_path_workers | map(.step_s // 0) | add) +
         ((.critical_path[] | select(.part == "replacement").step_s) // 0)) as $workers |
        (.slack | map(.tight) | add) as $tight | (.slack | map(.slack_s) | min) as $least |
        select((($ops - $step) * $n * 1e9 | fabs) > 0.5 + $step * $n * 1e-6 or
               (($workers - $step) * $n * 1e9 | fabs) > 0.5 + $step * $n * 1e-6 or
               $tight < 0.999999 or $least < 0) |
        "\($run): step \($step), ops \($ops), workers \($workers), tight \($tight), least slack \($least)"' \
        "$1" >wrong
}

cp "$root"/data/samples/{trace,meta}-* .
cp "$root"/tests/fixtures/straggler/{trace,meta}-* . 2>/dev/null || true
cp "$shared"/bytedance-straggler/csv/trace-*.csv.gz "$shared"/bytedance-straggler/data/meta-*.yaml . 2>/dev/null || true
n=0
for trace in trace-*; do
    cat >scenario.json <<END_OF_SCENARIO
{ "schema": "hindcast/scenario/1", "kind": "replay", "draws": 3,
  "input": {"file": "$trace", "max_discrepancy": 1},
  "edits": {
    "same": {"scale": 1},
    "noise": {"scale": {"lognormal": {"mean": 1, "sd": 0.3}}},
    "late": {"select": {"random": {"probability": 0.2}}, "delay_s": {"exponential": {"mean": 0.002}}},
    "pause": {"select": {"random": {"probability": 0.1}}, "pause_s": 0.01, "pause_as": "delay"},
    "link": {"select": {"stage": "last"}, "link": {"bandwidth": 0.1, "latency_s": 0.001}},
    "even": {"replace": "ideal"},
    "gone": {"select": {"worker": ["0/0"]}, "evict": {"after_steps": 1, "factor": 1, "cost_s": 0.5}} },
  "variants": {"same": ["same"], "noise": ["noise"], "late": ["late"], "ties": ["even"], "late ties": ["even", "late"],
               "all": ["noise", "late", "pause", "link", "gone"]} }
END_OF_SCENARIO
    if ! "$hindcast" simulate -q --json scenario.json >answer.json 2>errors; then
        grep -q 'no step is left\|is not valid\|cannot be replayed' errors || fail "$trace: $(tail -n 1 errors)"
        continue
    fi
    n=$((n + 1))
    check_sums answer.json 3
    [[ ! -s wrong ]] || fail "$trace: $(cat wrong)"
    # What changes nothing changes nothing, tie by tie; and the untouched job is the same beside each.
    jq -e '(.runs[] | select(.name == "same")) as $same | $same.critical_path == .runs[0].critical_path and
        $same.slack == .runs[0].slack and
        ([.runs[] | .critical_path | map(select(.untouched_s > 0)) | map({part, untouched_s})] | unique | length) == 1' \
        answer.json >/dev/null || fail "$trace: the same is not the same"
done
# Other plans: with edits before and after, and drawn ranks.
cat >scenario.json <<'END_OF_SCENARIO'
{ "schema": "hindcast/scenario/1", "kind": "replay", "draws": 2, "input": {"file": "trace-slow-worker.parquet"},
  "edits": {"gpipe": {"rearrange": {"schedule": "gpipe"}}, "two": {"rearrange": {"stages": 2}}, "more": {"extrapolate": {"dp": 8}},
            "late": {"select": {"stage": 0, "op": "forward-compute"}, "delay_s": 0.001}},
  "variants": {"gpipe": ["gpipe"], "two": ["late", "two"], "more": ["more", "late"], "mix": ["late", "two", "more", "late"]} }
END_OF_SCENARIO
"$hindcast" simulate -q -o out/ --set '/report/perfetto={"variant": "mix"}' scenario.json >/dev/null
mv out/result.json answer.json
for run in base gpipe two more mix; do
    case $run in more | mix) draws=2 ;; *) draws=1 ;; esac
    jq --arg run $run '.runs |= map(select(.name == $run))' answer.json >one.json
    check_sums one.json $draws
    [[ ! -s wrong ]] || fail "plans: $(cat wrong)"
done
# The picture has the workers of both plans, and the length of the step.
jq -e --slurpfile answer answer.json '(.otherData.side_by_side == ["untouched", "mix"]) and
    ([.traceEvents[] | select(.ph == "X" and .cat != "step") | .pid] | unique == [range(12)]) and
    ([.traceEvents[] | select(.ph == "X" and .cat != "step" and .pid >= 4) | (.ts + .dur) * 1000 | round] | max) as $last |
    ($answer[0].runs[] | select(.name == "mix").steps[0].step_s) > 0 and $last > 0' out/steps.perfetto.json >/dev/null ||
    fail "the picture of another plan"

[[ $n -ge 4 ]] || fail "only $n traces"
[[ ! -s failures ]] || exit 1
echo "$n traces, each with six variants"
