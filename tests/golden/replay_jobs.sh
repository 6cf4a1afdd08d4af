#!/usr/bin/env bash
# A scenario on many jobs of an archive (/input/jobs): each figure of a job is that of the scenario on this job alone,
# to the last digit; the totals are the sums over the jobs, computed here again; the bytes are the same for any number
# of threads. A job in which the edits mean nothing, or whose replay is off its trace, is named with its reason and
# counted; one that is damaged decides the exit; a scenario that asks what many jobs cannot answer is refused in place.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*"; exit 1; }
same() { [ "$1" = "$2" ] || fail "$3: '$1', not '$2'"; }

# ---- the archive: a slow worker, a healthy job, two stages only, late launches, no metadata ----

synth() { "$hindcast" synth steps -q --steps 6 --microbatches 4 -o "trace-$1.csv" --seed "$2" "${@:3}"; }
synth slow 1 --dp 2 --pp 4 --tp 2 --slow-worker 1,2,1.5
synth even 2 --dp 4 --pp 4
synth short 3 --dp 2 --pp 2 --slow-worker 0,1,1.3
synth late 4 --dp 2 --pp 4 --launch-ms 60
synth bare 5 --dp 3 --pp 4 && rm meta-bare.yaml
"$hindcast" ingest -q -a archive trace-*.csv >/dev/null

cat >many.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "replay", "question": "What do they gain?",
 "input": {"jobs": {}},
 "edits": {
   "mend": {"select": {"slowest": {"percent": 3, "of": "workers"}},
            "replace": {"with": "mean", "by": ["op", "stage"], "over": "others"}},
   "fourth": {"select": {"stage": 3}, "scale": {"lognormal": {"mean": 0.9, "sd": 0.05}}},
   "one": {"select": {"worker": ["1/0"]}, "scale": 0.9}},
 "variants": {"mend": ["mend"], "fourth": ["fourth"], "both": ["mend", "fourth"]}}
END
simulate() { "$hindcast" simulate -q -a archive "$@"; }

simulate --json many.json >many.out
same "$(jq -c '[.jobs[] | [.id, .fate]]' many.out)" \
    '[["bare","answered"],["even","answered"],["late","discrepancy"],["short","answered"],["slow","answered"]]' fates
same "$(jq -c .fates many.out)" \
    '{"answered":4,"unreadable":0,"damaged":0,"no_memory":0,"no_replay":0,"discrepancy":1,"refused":0}' counts

# ---- each job as alone ----

n=0
for id in bare even short slow; do
    jq --arg id "$id" '.input = {job: $id}' many.json >alone.json
    simulate --json alone.json >alone.out
    jq -c --arg id "$id" '[.runs[] | {name} + (.figures | {step_s, change, slowdown, recovered, gained_gpu_h} |
        map_values({mean, low, high}))]' alone.out >of_alone
    jq -c --arg id "$id" '.jobs[] | select(.id == $id) | .gpus as $gpus |
        [.runs[] | {name: .run} + ({step_s, change, slowdown, recovered, gained_gpu_h} | map_values({mean, low, high}) |
         if $gpus == null then .gained_gpu_h = {mean: 0, low: 0, high: 0} else . end)]' many.out >of_many
    cmp of_alone of_many || fail "$id: $(diff of_alone of_many)"
    jq -e --arg id "$id" --slurpfile alone alone.out '.jobs[] | select(.id == $id) | .untouched_s ==
        $alone[0].runs[0].figures.step_s.mean' many.out >/dev/null || fail "$id: another untouched step"
    n=$((n + 1))
done
echo "$n jobs are as they are alone"
jq -e '.jobs[] | select(.id == "bare") | .gpus == null and .gpu_hours == null and
    ([.runs[].gained_gpu_h.mean] | all(. == null))' many.out >/dev/null || fail "GPUs of a job without metadata"

# ---- the totals ----

jq -r '. as $all | [.jobs[] | select(.fate == "answered")] as $jobs |
    ([$jobs[].gpu_hours | select(. != null)] | add) as $hours |
    (if $hours == .gpu_hours then empty else "GPU-hours: \(.gpu_hours), not \($hours)" end),
    (range(.totals | length) as $r | .totals[$r] as $total | [$jobs[].runs[$r]] as $runs |
     ([$runs[].change.mean] | sort) as $sorted | ($sorted | length) as $n |
     ([$runs[].gained_gpu_h.mean | select(. != null)] | add) as $gained |
     {jobs_faster: ([$runs[] | select(.change.high < 0)] | length),
      jobs_slower: ([$runs[] | select(.change.low > 0)] | length),
      median_change: (($sorted[($n - 1) / 2 | floor] + $sorted[$n / 2 | floor]) / 2),
      gained_gpu_hours: $gained, change: (-$gained / $hours)} as $wanted |
     ($total.least.change == $sorted[0] and $total.most.change == $sorted[-1] and
      $total.jobs_open == $n - $wanted.jobs_faster - $wanted.jobs_slower) as $rest |
     select(($rest | not) or any($wanted | keys[]; $wanted[.] != $total[.])) |
     "\($total.run): \($total), not \($wanted)")' many.out >differ
[ ! -s differ ] || fail "totals: $(cat differ)"
same "$(jq -c '[.totals[] | [.run, .jobs_faster > 0]]' many.out)" \
    '[["base",false],["mend",true],["fourth",true],["both",true]]' "who is faster"
same "$(jq -c '[.edits[] | [.edit, .jobs_without_ops]]' many.out)" '[["mend",0],["fourth",1],["one",0]]' \
    "edits that select nothing"
same "$(simulate many.json | grep -c 'selects nothing')" 1 "notes on what selects nothing"

# ---- the same bytes for any number of threads, and in every view ----

for threads in 1 2 3; do
    simulate --threads "$threads" -o "out-$threads/" many.json >"text-$threads"
    simulate --threads "$threads" --csv - many.json >"csv-$threads"
done
for threads in 2 3; do
    diff -r out-1 "out-$threads" && cmp text-1 "text-$threads" && cmp csv-1 "csv-$threads"
done
(cd out-1 && sha256sum --quiet -c files.sha256)
same "$(cd out-1 && echo *)" "edits.csv files.sha256 jobs.csv report.html result.json summary.txt totals.csv" files
same "$(wc -l <csv-1)" 18 "rows of CSV" # a head, 4 runs of 4 jobs, and a job without an answer
grep -q '^default,late,0,discrepancy,.*off its trace' csv-1 || fail "no reason in CSV"
grep -q 'discrepancy too large' text-1 || fail "no reason in the text"

# ---- which jobs ----

# chosen CONDITION: the jobs that it chooses, by each of the ways to say it.
chosen() {
    local ids
    ids=$(simulate --json --where "$1" many.json | jq -c '[.jobs[].id]')
    same "$(jq --arg where "$1" '.input.jobs = {where: $where}' many.json >where.json
        simulate --json where.json | jq -c '[.jobs[].id]')" "$ids" "$1 in the scenario"
    echo "$ids"
}
same "$(chosen 'gpus >= 16')" '["even","slow"]' "by GPUs"
same "$(chosen 'id ~ "s*" and cluster = default')" '["short","slow"]' "by name"
same "$(chosen '(pp_size = 2 or gpus is missing)')" '["bare","short"]' "by what is not known"
same "$(chosen 'slowdown > 1.1 and max_worker_slowdown > 1.1')" '["short","slow"]' "by the what-if"
"$hindcast" whatif --all -q -a archive --json >fleet.json
same "$(chosen 'slowdown <= 1.02')" "$(jq -c '[.jobs[] | select(.slowdown != null and .slowdown <= 1.02) | .id]' fleet.json)" \
    "as whatif --all has it"
columns=$(sed -n '/^| column | meaning/,/^$/p' "$root/docs/step-scenarios.md" | cut -d'|' -f2 | grep -o '`[a-z_]*`' | tr -d '`')
same "$(wc -w <<<"$columns")" 24 "columns that the page names"
where=$(for column in $columns; do printf '%s is missing or ' "$column"; done)
same "$(chosen "${where}id = bare" | jq -c 'index("bare") != null')" true "all columns of the page"
jq '.input = {file: "trace-slow.csv", steps: "10-16"}' many.json >file.json
same "$(simulate --all --json file.json | jq -c '[.jobs[] | select(.steps) | .steps] | unique')" '[3]' "steps of --all"
simulate --json - <many.json | jq -e '.jobs | length == 5' >/dev/null || fail "standard input"

# ---- jobs in which the edits mean nothing ----

jq '.variants = {one: ["other"]} | .edits.other = {select: {worker: ["1/3"]}, scale: 0.9}' many.json >other.json
simulate --json other.json >other.out
same "$(jq -c '[.jobs[] | select(.fate == "refused") | .id]' other.out)" '["short"]' refused
jq -r '.jobs[] | select(.fate == "refused") | .detail' other.out | grep -q "^/edits/other/select/worker.*'1/3'" ||
    fail "why it is refused: $(jq -r '.jobs[].detail' other.out)"
"$hindcast" scenario check -a archive other.json | grep -qx 'other.json: ok: replay, 1 variant, 5 jobs' || fail "check"

# ends EXIT MESSAGE OPTION...: how a run ends
ends() {
    local code=0
    simulate "${@:3}" >said 2>err || code=$?
    same "$code" "$1" "exit of ${*:3}: $(cat err)"
    grep -qF -e "$2" err || fail "${*:3}: '$(cat err)' has no '$2'"
}
jq '.edits.other.select.worker = ["9/9"]' other.json >nowhere.json
ends 3 "none of the 5 jobs has an answer; of 'default/bare': /edits/other/select/worker" nowhere.json
grep -q 'edits mean nothing in it' said || fail "nothing is reported where no job has an answer"
"$hindcast" scenario check -a archive nowhere.json >said 2>/dev/null && fail "nowhere.json is right"
grep -q "^nowhere.json:[0-9]*:[0-9]*: /edits/other/select/worker.*(job 'bare'" said || fail "check: $(cat said)"

# ---- what is refused, in its place ----

ends 3 "/input/jobs/where: condition 'gpu > 3'" --where 'gpu > 3' many.json
ends 3 "(did you mean 'gpus'?)" --where 'gpu > 3' many.json
ends 3 "/input/jobs/where: none of the 5 jobs of the archive" --where 'gpus > 1e6' many.json
ends 2 "--all chooses every job" --all --where 'gpus > 3' many.json
ends 2 "--fail-on is for a scenario on one job" --fail-on 'step_s > 0' many.json
ends 3 "/input/jobs: there is no key 'input'" --all "$root/examples/scenarios/standbys.jsonc"
refuse() { # KEY JQ: a scenario that asks this is refused at KEY, with its place
    jq "$2" many.json >refused.json
    "$hindcast" scenario check -a archive refused.json >said 2>/dev/null && fail "$1 is taken"
    grep -q "^refused.json:[0-9]*:[0-9]*: $1: " said || fail "$1: $(cat said)"
    ends 3 "$1: " refused.json
}
refuse /sweep '.sweep = [{path: "/edits/one/scale", values: [0.8, 0.9]}]'
refuse /find '.find = {smallest: "/edits/one/scale", such_that: "change >= -0.01", range: {from: 0.5, to: 1, step: 0.1}}'
refuse /sensitivity '.sensitivity = {values: {"/edits/one/scale": {low: 0.8, high: 1}}}'
refuse /report/perfetto '.report = {perfetto: {step: 10}}'
refuse /input '.input.job = "slow"'
refuse /input/jobs/wher '.input.jobs = {wher: "gpus > 3"}'
cat >months.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 2,
 "job": {"nodes": 4, "work_d": 1, "step_s": {"replay": {"scenario": "many.json"}}}}
END
ends 3 "here one job is needed" months.json
mkdir none && "$hindcast" ingest -q -a empty "$root"/tests/scenarios/right/faults.jsonl >/dev/null
ends 3 "many.json:2:12: /input/jobs: there is no job with a step timeline in the archive 'empty'" -a empty many.json

# ---- a job that is damaged, and one that is gone ----

segment() { ls archive/segments/*"$1"*.h5; }
printf 'x' | dd of="$(segment even)" bs=1 seek=5000 conv=notrunc status=none
ends 1 "the report lacks 1 of 5 jobs" --json many.json
grep -q "job 'default/even' attempt 0 is lacking" err || fail "the damaged job is not named"
same "$(jq -c '[.jobs[] | select(.fate == "answered") | .id]' said)" '["bare","short","slow"]' "the others"
rm "$(segment slow)"
ends 1 "the report lacks 2 of 5 jobs: 0 could not be read, 2 damaged" --json many.json
ends 1 "the report lacks 1 of 2 jobs" --where 'gpus >= 1000 or id = bare' many.json # nobody knows whether 'slow' is meant
echo "ok"
