#!/usr/bin/env bash
# What fitted, recorded and given inputs leave open: with two draws the range ends at what these draws give when
# they are asked for by their numbers, to the last digit; no range where nothing is drawn, and the same
# bytes for any number of threads.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
command -v jq >/dev/null || { echo "study_inputs: skipped, needs jq"; exit 77; }

{
    echo '{"observation": {"nodes": 40, "start": 0, "end": 8640000}}'
    for i in 1 2 3 4 5 6 7 8; do
        echo "{\"time\": $((i * 970000 + i * i * 1000)), \"node\": \"n$((i % 5))\", \"cause\": \"hardware.gpu\"," \
            "\"recovered\": $((i * 970000 + i * i * 1000 + i * 3600))}"
    done
} >incidents.jsonl
cat >scenario.json <<'END_OF_SCENARIO'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 16,
 "job": {"nodes": 40, "gpus_per_node": 8, "work_d": 60},
 "faults": {"node": {"class": "explicit", "remedy": "evict", "unit": "node",
   "between_h": {"fitted": {"file": "incidents.jsonl", "what": "between", "family": "weibull"}},
   "detect_s": {"recorded": {"file": "incidents.jsonl", "what": "repair"}}}},
 "startup": {"full_s": 600}, "checkpoint": {"mode": "async", "every_s": 3600},
 "inputs": {"draws": 2}}
END_OF_SCENARIO
fitted=/faults/node/between_h/fitted recorded=/faults/node/detect_s/recorded
"$hindcast" simulate --json --threads 1 scenario.json >two.json
"$hindcast" simulate --json --threads 2 scenario.json | cmp - two.json
for k in 1 2; do
    "$hindcast" simulate --json --set $fitted/draw=$k --set $recorded/draw=$k scenario.json >draw$k.json
    jq -e '.runs[0].inputs == null' draw$k.json >/dev/null || { echo "draw $k: a range of what is not drawn"; exit 1; }
done
jq -e '.runs[0].input_keys == ["'$fitted'", "'$recorded'"]' two.json >/dev/null || { echo "other keys are drawn"; exit 1; }
for figure in ettr wall_d interruptions total_gpu_h; do
    jq -e -n --arg figure "$figure" --slurpfile two two.json --slurpfile a draw1.json --slurpfile b draw2.json '
        [$a[0], $b[0]] | map(.runs[0].figures[$figure].mean) | sort as $ends
        | $two[0].runs[0].inputs[$figure] as $range
        | ($range.low - $ends[0] | fabs) <= 1e-9 * ($ends[0] | fabs) and
          ($range.high - $ends[1] | fabs) <= 1e-9 * ($ends[1] | fabs) and $ends[0] < $ends[1]' >/dev/null ||
        { echo "$figure: the range does not end at its draws"; exit 1; }
done
"$hindcast" simulate --json --set /inputs/draws=0 scenario.json >none.json
jq -e '.runs[0].inputs == null' none.json >/dev/null || { echo "a range without draws"; exit 1; }
"$hindcast" simulate --set /inputs/draws=50 scenario.json >text
grep -q '^spreads       ettr: inputs 0\.' text
grep -q "Fitted to 'incidents.jsonl': weibull, shape" text

# Numbers with an interval: drawn between its ends 95 times of 100 and as often below the mean as above it; a
# draw of a rate moves what comes of it, also of a change against the base and of what is found.
cat >given.json <<'END_OF_SCENARIO'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 32,
 "job": {"nodes": 40, "gpus_per_node": 8, "work_d": 60},
 "faults": {"node": {"class": "explicit", "remedy": "evict",
   "per_node_day": {"mean": 0.01, "low": 0.005, "high": 0.04},
   "detect_s": {"exponential": {"mean": {"mean": 600, "low": 500, "high": 700}}}}},
 "startup": {"full_s": 600}, "checkpoint": {"mode": "async", "every_s": 3600},
 "variants": {"often": {"set": {"/checkpoint/every_s": 600}},
              "sure": {"set": {"/faults/node/per_node_day": 0.01, "/faults/node/detect_s": 600}}},
 "find": {"largest": "/checkpoint/every_s", "such_that": "ettr >= 0.98", "range": {"from": 600, "to": 6000, "step": 600}}}
END_OF_SCENARIO
"$hindcast" simulate --json --threads 1 given.json >given.out
"$hindcast" simulate --json --threads 2 given.json | cmp - given.out
"$hindcast" simulate --json --set /faults/node/per_node_day=0.01 --set '/faults/node/detect_s={"exponential":{"mean":600}}' \
    given.json >mean.out
jq -e -n --slurpfile a given.out --slurpfile b mean.out '
    $a[0].runs[0].input_keys == ["/faults/node/per_node_day", "/faults/node/detect_s/exponential/mean"] and
    $b[0].runs[0].inputs == null and $a[0].runs[0].figures == $b[0].runs[0].figures' >/dev/null ||
    { echo "the mean of an interval is not the number"; exit 1; }
jq -e '.runs[0] | .spread.ettr.widest == "inputs" and .inputs.ettr.low < .figures.ettr.low and
    .inputs.ettr.high > .figures.ettr.high' given.out >/dev/null || { echo "the inputs do not show"; exit 1; }
jq -e '(.runs[1].difference_inputs.ettr.high - .runs[1].difference_inputs.ettr.low) as $change
    | (.runs[0].inputs.ettr.high - .runs[0].inputs.ettr.low) as $base
    | .runs[1].difference_inputs.ettr.low > 0 and $change < $base and $change > 0' given.out >/dev/null ||
    { echo "a change against the same draw of the base is not surer than either"; exit 1; }
jq -e '.runs[2].inputs == null and .runs[2].difference_inputs.ettr != null' given.out >/dev/null ||
    { echo "a variant without what is drawn"; exit 1; }
jq -e '.find.again | .draws == 100 and .draws_hold > 10 and .draws_hold < 90 and (.inputs.ettr.low < 0.98)' given.out \
    >/dev/null || { echo "the answer is as sure as if the inputs were known"; exit 1; }
"$hindcast" simulate given.json >text
grep -q '^how sure the changes are' text
# Line ends fall where they fall.
tr -s '\n ' ' ' <text | grep -q 'Run again with faults of its own, it gives ettr .* of the inputs, the means of [0-9]* meet it'

echo "study_inputs: all as it should be"
