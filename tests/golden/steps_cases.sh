#!/usr/bin/env bash
# The cases of tests/fixtures/steps-cases: which cause, who, when and how strongly; and that no machine is blamed where
# none is slow. (The case of `compare` is in compare_pairs.sh.)
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root/tests/fixtures/steps-cases"

# is TRACE CONDITION [OPTION...]: of the JSON of whatif. $c: the culprits.
helpers='def near($want): (. - $want | fabs) <= 0.01 * $want;
    def is_machine: .kind | IN("worker", "dp_rank", "host", "switch", "slot", "link");
    .cause.culprits as $c | .cause.fixes as $fixes | .cause.together_s as $all |'
is() {
    local trace=$1 condition=$2
    shift 2
    "$hindcast" whatif -q --json "$@" "trace-$trace.csv.gz" >"$work/$trace.json"
    jq -e "$helpers ($condition)" "$work/$trace.json" >/dev/null && return 0
    echo "FAIL: $trace $*: not $condition" | tee -a "$work/failures"
    jq -c "[.verdict.text, (.cause.culprits[] | [.kind, .name, .when, .factor.value, .alone_s])]" "$work/$trace.json"
}
says() {
    "$hindcast" whatif -q "trace-$1.csv.gz" | tr -s ' \n' ' ' | grep -qF "$2" && return 0
    echo "FAIL: $1 does not say '$2'" | tee -a "$work/failures"
}

# A stage that changes is no machine, whether its hosts are named or not.
for trace in stage re; do
    for options in "" "--meta none"; do
        is $trace '.verdict.cause == "stage" and ($c | length) == 1 and ($c[0] | .kind == "stage" and .stage == 1
            and .pattern == "since" and .since == 9 and (.factor.value | near(1.6)) and .host == null)' $options
    done
    says $trace "verdict stage partitioning: stage 1, all 4 dp ranks, from step 9"
done
is re '.cause.try == "stage:1" and ($c[0] | (.alone_s | near(0.2165)) and (.workers | length) == 4)'

# What is late costs as much as what is slow, though S does not have it.
is load '.verdict.cause == "launch" and ($c | length) == 1 and ($c[0] | .kind == "worker" and .rank == 1 and .ops == "launches"
    and .period_steps == 4 and .since == 4 and .until == 24 and .slow_steps == 6)
    and (.cause.launches_together_s | near(0.0778)) and ($fixes[0] | .launches_saved_s == $c[0].alone_s and .saved_s == 0)' --fix rank:1
says load "verdict late launches: rank 1 (dp 1, stage 0) on n0, GPU 1, in every 4th step (4, 8, 12, 16, ...)"
says load "saves 77.81 ms of a mean step (8.52 %)"

# What all ranks have in common names none of them.
is coll '.verdict.cause == "common" and ($c | any(is_machine) | not) and ($c[0] | .kind == "job"
    and .op_types == ["grads-reduce-scatter", "params-all-gather"] and (.factor.value | near(7.95))
    and .slow_steps == 7 and ([.stretches[] | [.first, .last]] == [[5, 7], [14, 15], [21, 22]])) and .cause.try == null'
is net '.verdict.cause == "common" and ($c | any(is_machine) | not) and ($c[0] | .kind == "job" and .since == 5 and .until == 9
    and .pattern == "between" and (.factor.value | near(6.09)) and (.op_types | index("layernorm-grads-all-reduce") == null))'

# Many that are slow together: each has its own figure, and no cap gives one that of others.
is many '.verdict.cause == "worker" and ($c | all(.kind == "worker")) and ($fixes[0].saved_s | fabs < 0.001 * 0.764)
    and ([$c[] | select(.rank == 9).alone_s] | all(. == $fixes[0].saved_s))
    and ([$c[].split_s] | add - $all | fabs < 1e-9)' --fix rank:9

is slot '.verdict.cause == "worker" and ($c | length) == 1 and ($c[0] | .kind == "slot" and .since == 9 and .until == 16
    and (.factor.value | near(1.5)) and ([.workers[].dp_rank] == [1, 5, 9, 13]) and .alone_s == $fixes[1].saved_s)
    and ($fixes[0].share | fabs < 0.002) and ($fixes[1].share | near(0.1502)) and .cause.try == "rank:1,5,9,13"' \
    --fix rank:9 --fix rank:1,5,9,13
says slot "GPU 1 of all 4 hosts (ranks 1, 5, 9, 13)"
says slot "to try it: hindcast whatif --fix rank:1,5,9,13 trace-slot.csv.gz"

is opt '.verdict.cause == "worker" and ($c | length) == 1 and ($c[0] | .rank == 6 and .op_types == ["optimizer"]
    and .pattern == "always" and (.factor.value | near(8)))'
is two '.verdict.cause == "worker" and ($c | length) == 1 and ($c[0] | .rank == 6 and .since == 9 and .lasts
    and ([.stretches[].first] == [9, 17]) and (.stretches[0].factor | near(1.2)) and (.stretches[1].factor | near(1.6)))'
says two "1.20 times from step 9, 1.60 times from step 17"

# The same in a timeline: a track for the culprit, with a slice for each level.
"$hindcast" export --quiet --culprits trace-two.csv.gz -o "$work/two.json"
marks=$(jq -c '[.traceEvents[] | select(.cat == "culprit") | [.name, .args.first_step, .args.last_step]]' "$work/two.json")
[ "$marks" = '[["passes: 1.20 times",9,16],["passes: 1.60 times",17,24]]' ] || { echo "FAIL: marks $marks" | tee -a "$work/failures"; }
jq -e '[.traceEvents[] | select(.cat == "culprit")] as $marks | [.traceEvents[] | select(.cat == "step")] as $steps
    | ($marks | length) == 2 and all($marks[]; . as $mark
        | any($steps[]; .name == "step \($mark.args.first_step)" and .ts == $mark.ts and .pid == $mark.pid))
    and any(.traceEvents[]; .name == "thread_name" and .tid == $marks[0].tid and .args.name == "slow: rank 6 (dp 2, stage 1) on n3, GPU 0")' \
    "$work/two.json" >/dev/null || { echo "FAIL: marks are not above their steps" | tee -a "$work/failures"; }
"$hindcast" export --culprits - -o "$work/two.json" <trace-two.csv.gz 2>/dev/null && { echo "FAIL: standard input" | tee -a "$work/failures"; }
[ ! -e "$work/failures" ]
