#!/usr/bin/env bash
# Start-up of real training runs that others published (MLPerf Training 5.1, Llama 3.1 405B on 1,024 H200): `report
# startup` gives what was published of them, where the scheduler's record holds the GPUs from the log's first time on.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
logs=${HINDCAST_SHARED:-$root/../shared}/data/mlperf-train-v5.1/Nebius/results/nebius_h200_n128/llama31_405b
[ -d "$logs" ] || { echo "skipped: no $logs"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "startup_published: $*" >&2
    exit 1
}
"$hindcast" ingest -q -a logs "$logs"/result_*.txt >/dev/null
echo 'JobID|Cluster|User|Partition|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts' >sacct.txt
job=0
while IFS=, read -r source start_ns end_ns; do
    job=$((job + 1))
    start=$((start_ns / 1000000000)) end=$((end_ns / 1000000000 + 1))
    printf '%d|c|n|p|%s|%s|%s|%d|COMPLETED|128|gres/gpu=1024|h[1-128]|%s|r%d|0\n' $job "$(date -u -d "@$start" +%FT%T)" \
        "$(date -u -d "@$start" +%FT%T)" "$(date -u -d "@$end" +%FT%T)" $((end - start)) "$source" $job >>sacct.txt
done < <("$hindcast" query cycles -a logs --columns source,start_ns,end_ns --as csv | tail -n +2 | sort)
[ $job = 3 ] || fail "$job launches, not 3"
"$hindcast" ingest -q -a all sacct.txt >/dev/null 2>&1
"$hindcast" ingest -q -a all "$logs"/result_*.txt >/dev/null
day=$(awk -F'|' 'NR > 1 { print substr($7, 1, 10) }' sacct.txt | sort | tail -n 1)
"$hindcast" report startup -a all --date "$day" --last 60d --json >report.json
[ "$(jq .totals.starts report.json)" = 3 ] || fail "$(jq -c .totals report.json)"
# Up to the first step 917, 915 and 904 s were published; each record begins up to a second before its log. What the
# first steps take above steady ones (40 s where 25 s is usual) is a leaf of its own, of some 30 s.
seconds() { jq -e --arg what "$1" '.leaves[] | select(.what == $what) | .gpu_hours * 3600 / 1024' report.json; }
awk -v up="$(seconds startup.unsplit)" -v warm="$(seconds startup.warm_up)" \
    'BEGIN { exit !(up >= 2736 - 1.5 && up <= 2736 + 4.5 && warm > 3 * 20 && warm < 3 * 40) }' ||
    fail "$(jq -c .leaves report.json)"
jq -e '.classes[0].starts == 3 and .classes[0].median_s > 935 and .classes[0].median_s < 960' report.json >checked ||
    fail "$(jq -c .classes report.json)"
