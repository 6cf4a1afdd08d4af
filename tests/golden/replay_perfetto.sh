#!/usr/bin/env bash
# A step of a scenario, untouched and edited side by side in one file for Perfetto: read back, its times are those of
# the result and of `hindcast export` to the nanosecond, and an op differs by what the edits say and by nothing else.
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

cp "$root"/data/samples/trace-slow-worker.parquet "$root"/data/samples/meta-slow-worker.yaml .
cat >scenario.json <<'END_OF_SCENARIO'
{ "schema": "hindcast/scenario/1", "kind": "replay",
  "input": {"file": "trace-slow-worker.parquet"},
  "edits": {
    "pause": {"select": {"op": "forward-compute", "stage": 0, "microbatch": 0}, "pause_s": 0.05},
    "late": {"select": {"op": "forward-compute", "stage": 2}, "delay_s": 0.003}
  },
  "variants": {"paused": ["pause"], "late": ["late"], "all \"2\"": ["pause", "late"]},
  "report": {"perfetto": {"variant": "all \"2\"", "step": 16}} }
END_OF_SCENARIO

# The slices of a file in whole ns, by dp rank and what identifies an op; group: which of the timelines.
slices() { # file group dp_size
    jq -c --argjson group "$2" --argjson dp "$3" '[.traceEvents[] | select(.ph == "X" and .cat != "step" and (.pid / $dp | floor) == $group) |
        {d: (.pid - $group * $dp), op: .name, a: .args, at: (.ts * 1000 | round), ns: (.dur * 1000 | round)}] |
        sort_by(.d, .a.stage, .op, .a.seq_id)[]' "$1"
}

"$hindcast" simulate -q -o out/ scenario.json >/dev/null
slices out/steps.perfetto.json 0 4 >untouched
slices out/steps.perfetto.json 1 4 >edited
[[ $(wc -l <untouched) == 744 && $(wc -l <edited) == 744 ]] || fail "not all ops: $(wc -l untouched edited)"

# The untouched one is the replayed timeline of the trace.
"$hindcast" export -q trace-slow-worker.parquet --timeline replayed --steps 16 --perfetto replayed.json
slices replayed.json 0 4 | cmp - untouched || fail "the untouched step is not the exported one"

# Ends are those of the result.
length() { jq -s 'map(.at + .ns) | max' "$1"; }
step() { jq --arg run "$1" '.runs[] | select(.name == $run).steps[] | select(.step == 16)'" | .$2 * 1e9 | round" out/result.json; }
[[ $(length untouched) == "$(step base step_s)" ]] || fail "untouched: $(length untouched) is not $(step base step_s)"
[[ $(length edited) == "$(step 'all "2"' step_s)" ]] || fail "edited: $(length edited) is not $(step 'all "2"' step_s)"

# Durations differ by the pause, of the ops that it is for, and of no other.
paste -d '\n' untouched edited | jq -s '[_nwise(2)] | map(
    (.[1].ns - .[0].ns) == (if .[0].op == "forward-compute" and .[0].a.stage == 0 and .[0].a.mb_id == 0
                            then 50000000 else 0 end)) | all' >alike
[[ $(cat alike) == true ]] || fail "durations differ by more than the pause"
# Those of stage 2 begin 3 ms after what they wait for: no sooner than in the job without them.
paste -d '\n' untouched edited | jq -s '[_nwise(2)] | map(select(.[0].op == "forward-compute" and .[0].a.stage == 2)) |
    map(.[1].at - .[0].at >= 3000000) | all' >late
[[ $(cat late) == true ]] || fail "launches are not later"

# Tracks have numbers of their own, and processes the names of their timelines.
jq -r '[.traceEvents[] | select(.ph == "X") | [.pid, .tid]] | unique | length, (map(.[1]) | unique | length)' \
    out/steps.perfetto.json | uniq | wc -l >same
[[ $(cat same) == 1 ]] || fail "two processes share a track"
jq -r '.traceEvents[] | select(.name == "process_name").args.name' out/steps.perfetto.json >names
printf '%s, DP rank [%d]\n' untouched 0 untouched 1 untouched 2 untouched 3 'all "2"' 0 'all "2"' 1 'all "2"' 2 \
    'all "2"' 3 >expected
printf '%s, steps\n' untouched 'all "2"' >>expected
cmp expected names || fail "names of processes: $(cat names)"

# Without a choice: the first variant and the first step; of one run, the edited job; without edits, one timeline.
seen() { jq -c '[.otherData.side_by_side, .otherData.first_step]' out/steps.perfetto.json; }
"$hindcast" simulate -q --set '/report={}' -o out/ scenario.json >/dev/null
[[ $(seen) == '[["untouched","paused"],10]' ]] || fail "default: $(seen)"
"$hindcast" simulate -q --set '/variants={}' --set '/report={}' -o out/ scenario.json >/dev/null
[[ $(seen) == '[["untouched","edited"],10]' ]] || fail "one run: $(seen)"
"$hindcast" simulate -q --set '/variants={"as it is": []}' --set '/report={}' -o out/ scenario.json >/dev/null 2>&1 &&
    { [[ $(seen) == '[["untouched"],10]' ]] || fail "no edits: $(seen)"; }

[[ ! -s failures ]] || exit 1
echo "a step was read back to the nanosecond"
