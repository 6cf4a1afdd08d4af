#!/usr/bin/env bash
# The table of slow hosts of a fleet: three jobs on the same nodes, two of them slow on one, one healthy; the
# report says which, in text, JSON, CSV and on the page, and shards of it merge to the same bytes.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }

# job NAME START OPTION...: 16 workers of 2 GPUs each on 8 nodes of 4 GPUs.
job() {
    local name=$1 start=$2
    shift 2
    "$hindcast" synth steps --quiet --dp 4 --pp 4 --tp 2 --microbatches 4 --steps 20 --nodes 4 --start-time "$start" "$@" \
        -o "trace-$name.csv"
}
# Rank 18 is the first GPU of dp rank 1, stage 2: node 18 / 4 = 4.
job one 2026-11-21T10:00:00Z --seed 1 --slow-worker 1,2,1.6
job two 2026-11-20T10:00:00Z --seed 2 --slow-worker 1,2,1.5
job well 2026-11-19T10:00:00Z --seed 3
"$hindcast" ingest --quiet -a nightly trace-*.csv >ingested
"$hindcast" whatif -a nightly --all --quiet --json -o all.json
"$hindcast" whatif -a nightly --all --quiet >all.txt
"$hindcast" whatif -a nightly --all --quiet --csv tables -o /dev/null
"$hindcast" whatif -a nightly --all --quiet --html page -o /dev/null

found=$(jq -c '[.hosts[] | [.host, .jobs, .since_job, .lasts]]' all.json)
[ "$found" = '[["gpu-004",2,"two",true]]' ] || fail "hosts are $found"
[ "$(jq .figures.slow_hosts_of_several_jobs all.json)" = 1 ] || fail "the finding is not there"
jq -e '.hosts[0].since_unix_ns / 1e9 | todate | startswith("2026-11-20T10:00")' all.json >date ||
    fail "since $(cat date)"
jq -e '.hosts[0].gpu_hours_lost as $sum | [.jobs[].hosts[]?.gpu_hours_lost] | (add - $sum | fabs) < 1e-9 * $sum' all.json >sum ||
    fail "the hours of the hosts do not add up"
jq -e '.hosts[0] | .gpu_hours_lost > 0 and .stretches >= 2' all.json >cost || fail "the host costs nothing"
[ "$(jq -c '[.jobs[] | .hosts | length]' all.json)" = '[1,1,0]' ] || fail "hosts of jobs"
grep -q '^slow hosts *gpu-004 is slow in 2 jobs: a machine, not a job$' all.txt || fail "text: $(head -30 all.txt)"
grep -Eq '^ *gpu-004 +2 +[0-9]+ +[0-9.]+ +2026-11-20 10:00 UTC' all.txt || fail "no row in the text"
[ "$(cut -d, -f1-3 tables/hosts.csv)" = "$(printf 'cluster,host,jobs\ndefault,gpu-004,2')" ] || fail "$(cat tables/hosts.csv)"
# The culprits of all jobs: each once in the CSV as in the JSON, with what fixes it.
found=$(jq -c '[.jobs[] | .id as $id | .culprits[] | [$id, .kind, .cause, .fix]]' all.json)
[ "$found" = '[["one","worker","worker","rank:18"],["two","worker","worker","rank:18"]]' ] || fail "culprits are $found"
[ "$(cut -d, -f2 tables/culprits.csv | paste -sd ' ')" = "id one two" ] || fail "$(cat tables/culprits.csv)"
jq -e '.figures.culprits == ([.jobs[].culprits_found] | add) and .figures.culprits == 2' all.json >same || fail "count of culprits"
"$hindcast" whatif -a nightly --all --quiet --fail-on 'culprits > 2' -o /dev/null || fail "culprits > 2"
"$hindcast" whatif -a nightly --all --quiet --fail-on 'culprits > 1 and cause = worker' -o /dev/null 2>said && fail "culprits > 1"
grep -q 'culprits is 2.*cause is worker' said || fail "said: $(cat said)"
grep -q 'Slow hosts' page/index.html || fail "no section on the page"

# What was kept of all jobs tells of one node; a node of which nothing is known is no job.
"$hindcast" show -a nightly gpu-004 --json >node.json
jq -e '.of == "node" and ([.facts[].text | test("^slow by itself in job default/(one|two)#0 from step [0-9]+ on")] == [true, true])' node.json >same ||
    fail "show: $(cat node.json)"
"$hindcast" show -a nightly gpu-001 >node.txt 2>&1 && fail "a node that is not slow is shown"
for shard in 1 2 3; do
    "$hindcast" whatif -a nightly --all --quiet --shard "$shard/3" -o "shard-$shard.json"
done
"$hindcast" merge --quiet --json -o merged.json shard-*.json
"$hindcast" merge --quiet shard-*.json >merged.txt
cmp <(jq 'del(.run_id)' all.json) <(jq 'del(.run_id)' merged.json) || fail "a merge of shards gives another JSON"
cmp all.txt merged.txt || fail "a merge of shards gives another text"
# A host that is all of a stage: nothing speaks for the host, and the stage is named.
"$hindcast" synth steps --quiet --dp 3 --pp 3 --steps 30 --seed 4 --job same --slow-worker 0,1,1.5:steps=20-39 \
    --slow-worker 1,1,1.5:steps=20-39 --slow-worker 2,1,1.5:steps=20-39 -o trace-same.csv
sed -i '/^nodes/d' meta-same.yaml
echo 'nodes: [gpu-a, gpu-a, gpu-a, gpu-b, gpu-b, gpu-b, gpu-c, gpu-c, gpu-c]' >>meta-same.yaml
name=$("$hindcast" whatif --json trace-same.csv | jq -r '.cause.culprits[0].name')
[ "$name" = "stage 1, all 3 dp ranks" ] || fail "a host that is a stage is called $name"
[ ! -e failures ]
