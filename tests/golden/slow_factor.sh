#!/usr/bin/env bash
# The factor of a slow fault is what `hindcast whatif` says of a job, to the last digit, from a file and
# from the archive; and a job that cannot give one is refused where it is named.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
samples=$root/data/samples
cp "$samples"/{trace,meta}-slow-worker.* "$samples"/{trace,meta}-slow-stage.* .
"$hindcast" ingest --quiet -a nightly trace-slow-worker.parquet trace-slow-stage.csv.gz >ingested

# scenario FACTOR: one whose slow fault has that factor.
scenario() {
    cat <<END
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 3,
 "job": {"nodes": 4, "work_d": 5}, "startup": {"full_s": 600}, "checkpoint": {"mode": "async", "every_s": 600},
 "faults": {"straggler": {"class": "implicit", "per_node_day": 0.1, "effect": "slow", "detect_s": 7200,
                          "remedy": "evict", "slow_factor": $1}}}
END
}

# ---- the factor ---- (jq would round what it prints: digits are taken as they stand)
digits() { grep -o "\"$1\": [0-9.]*" | sed 's/.*: //'; }
"$hindcast" whatif --json -a nightly slow-worker >whatif.json
s=$(jq .figures whatif.json | digits slowdown)
worst=$(digits slowdown_exact <whatif.json | sort -g | tail -1)
scenario "$s" >number.json
scenario "$worst" >worst_number.json
scenario '{"whatif": {"job": "slow-worker"}}' >job.json
scenario '{"whatif": {"file": "trace-slow-worker.parquet"}}' >file.json
scenario '{"whatif": {"job": "default/slow-worker", "figure": "worst_worker"}}' >worst.json
for name in number worst_number job file worst; do
    "$hindcast" simulate --json -a nightly $name.json >$name.out
done
same() { jq -e --slurpfile other "$2.out" '.runs == $other[0].runs' "$1.out" >equal; }
same job number || fail "the job gives another factor than $s"
same file number || fail "the file gives another factor than $s"
same worst worst_number || fail "the worst worker has another factor than $worst"
! same worst job || fail "the figures do not differ"
scenario "$(awk -v s="$s" 'BEGIN { printf "%.15g", s * (1 + 1e-9) }')" >near.json
"$hindcast" simulate --json near.json >near.out
! same near number || fail "the last digits of a factor do not show in the runs"

# ---- what is said of it ----
note() { jq -r '.notes[]' "$1.out" | grep slow_factor; }
short=$(printf %.4g "$s")
[ "$(note job)" = "Fault 'straggler': slow_factor is $short, the slowdown of job slow-worker (default/slow-worker, attempt 0)." ] ||
    fail "note of the job: $(note job)"
[ "$(note file)" = "Fault 'straggler': slow_factor is $short, the slowdown of 'trace-slow-worker.parquet' (job slow-worker)." ] ||
    fail "note of the file: $(note file)"
[ "$(jq -r '.inputs[] | select(.path == "trace-slow-worker.parquet").sha256' file.out)" = \
    "$(sha256sum trace-slow-worker.parquet | cut -d' ' -f1)" ] || fail "the digest of the trace is not among the inputs"
[ "$(jq -r '.inputs[] | select(.path | endswith("meta-slow-worker.yaml")).sha256' file.out)" = \
    "$(sha256sum meta-slow-worker.yaml | cut -d' ' -f1)" ] || fail "the metadata is no input"
jq -e '[.inputs[].path] | any(startswith("nightly/segments/"))' job.out >segment || fail "the segment is no input"
"$hindcast" scenario show --resolved job.json |
    grep -qxF '/faults/straggler/slow_factor/whatif/job = "slow-worker"  # job.json:4' || fail "show --resolved"
# Beside the scenario, wherever it is run from.
mkdir elsewhere
(cd elsewhere && "$hindcast" simulate --json ../file.json) >elsewhere.out
same elsewhere number || fail "from elsewhere"

# ---- another job ---- as a value of a sweep, of either form
"$hindcast" whatif --json trace-slow-stage.csv.gz >stage.json
stage=$(jq .figures stage.json | digits slowdown)
ettr() { jq -c '[.sweep.points[].figures.ettr.mean]' "$1"; }
"$hindcast" simulate --json -a nightly --set '/sweep=[{"path": "/faults/straggler/slow_factor/whatif/job", "values": ["slow-stage", "slow-worker"]}]' job.json >sweep_job.json
"$hindcast" simulate --json -a nightly --set '/sweep=[{"path": "/faults/straggler/slow_factor", "values": [{"whatif": {"job": "slow-stage"}}, {"whatif": {"job": "slow-worker"}}]}]' job.json >sweep_object.json
"$hindcast" simulate --json --set "/sweep=[{\"path\": \"/faults/straggler/slow_factor\", \"values\": [$stage, $s]}]" number.json >sweep_number.json
ettr sweep_number.json >wanted
jq -e 'length == 2 and .[0] != .[1]' wanted >differ || fail "the sweep of numbers: $(cat wanted)"
ettr sweep_job.json | cmp - wanted || fail "a sweep of jobs"
ettr sweep_object.json | cmp - wanted || fail "a sweep of factors"

# ---- what gives no factor ----
refused() { # NAME MESSAGE [ARCHIVE]
    code=0
    "$hindcast" scenario check -a "${3:-nightly}" "$1.json" >out 2>err || code=$?
    [ "$code" = 3 ] || fail "$1: exit status $code"
    [ "$(cat out)" = "$1.json:4:$2" ] || fail "$1: $(cat out)"
}
small=(--quiet --dp 2 --pp 2 --microbatches 2 --steps 3 --seed 1)
"$hindcast" synth steps "${small[@]}" --launch-ms 20 -o trace-late.csv
"$hindcast" synth steps "${small[@]}" -o trace-whole.csv
grep -v ',optimizer,' trace-whole.csv >trace-part.csv
"$hindcast" synth steps --quiet --dp 1 --pp 2 --dsp 2 --microbatches 2 --steps 3 --compute-cv 0 --launch-ms 0.01 --seed 3 -o trace-even.csv
# The ideal of a collective is the median: with one fast step of three, the job was faster than ideal.
awk -F, -v OFS=, '$4 == 10 && ($5 == "grads-reduce-scatter" || $5 == "params-all-gather") { $7 = $7 / 4 } 1' trace-even.csv >trace-fast.csv
cp meta-even.yaml meta-fast.yaml
for trace in late part fast; do
    scenario "{\"whatif\": {\"file\": \"trace-$trace.csv\"}}" >$trace.json
done
scenario '{"whatif": {"job": "slow-wroker"}}' >unknown.json
scenario '{"whatif": {"job": "slow"}}' >any.json
at=/faults/straggler/slow_factor/whatif
refused late "81: $at/file: 'trace-late.csv': the replay is 37.4 % off the trace, 5 % at most: its slowdown cannot be taken"
refused part "81: $at/file: 'trace-part.csv': step 10: stage 0 has no optimizer: the end of the step is not known; the profiler did not record it, or the job has none: then its metadata needs the line absent_ops: [optimizer]"
refused fast "72: $at: the slowdown of 'trace-fast.csv' (job even) is 0.985214, which makes no step longer"
refused unknown "80: $at/job: no job 'slow-wroker' in archive 'nightly' (did you mean 'default/slow-worker'?); 'hindcast ls' lists its jobs"
refused any "80: $at/job: job 'slow' could be any of 'default/slow-stage#0', 'default/slow-worker#0'; name one of them"
refused job "80: $at/job: archive 'nowhere' does not exist; 'ingest' creates it" nowhere
[ ! -e failures ]
