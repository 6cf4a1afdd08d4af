#!/usr/bin/env bash
# What fitted and recorded inputs leave open: with two draws the range ends at what these draws give when
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
grep -q '^inputs        ettr 0\.' text
grep -q "Fitted to 'incidents.jsonl': weibull, shape" text
echo "study_inputs: all as it should be"
