#!/usr/bin/env bash
# docs/json.md names the keys of every JSON document, and no others: each key that a command prints is
# in the general part or in the section of its schema.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
gauges=$(realpath "${HINDCAST_GAUGES:-$root/build/tests/hindcast_gauges}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

# Keys in backquotes: words, and each word of a path as `funnel[].fate`.
quoted_keys() { grep -oE '`[a-z0-9][][a-z0-9_.]*`' | tr -d '`[]' | tr '.' '\n' | grep -v '^$' | sort -u; }
# Those of the general part and the section of a schema.
documented() {
    sed -nE "1,/^## hindcast-/p; /^## $1\$/,/^## hindcast-/p" "$root/docs/json.md" | quoted_keys
}
# One for each key, wherever it is. Op types and names of tables are data.
keys() { jq -r 'del(.trace.ops_by_type[]?, .jobs[]?.tables[]?, .tables[]?) | .. | objects | keys[]' | sort -u; }

# check SCHEMA: the document on standard input.
check() {
    local lacking
    cat >document
    jq -e --arg schema "$1" '.schema == $schema' document >/dev/null || fail "not of schema $1"
    grep -qx "## $1" "$root/docs/json.md" || fail "no section of $1"
    keys <document >>printed
    lacking=$(comm -23 <(keys <document) <(documented "$1") | paste -sd ' ')
    [ -z "$lacking" ] || fail "$1 prints what is not documented: $lacking"
}

# A trace with a row that cannot be read and one that is absent; then one that cannot be ingested.
sed -e '2d;3000s/,[^,]*/,x/' "$root/data/samples/trace-interleaved.csv" >trace-odd.csv
echo "no trace" >other.txt
export HINDCAST_ARCHIVE=archive
cp "$root"/data/samples/*-slow-worker.* .
sed -i '$a nodes: {0: a, 18: b}' meta-slow-worker.yaml
"$hindcast" ingest --json trace-odd.csv trace-slow-worker.parquet other.txt 2>errors >ingest.json || [ $? = 3 ]
check hindcast-ingest <ingest.json
"$hindcast" ls --json | check hindcast-ls
# Of a kind whose segments are of a day.
printf 'gauges\n1772409600 hall 19\n' >rack.csv
"$gauges" ingest -a days rack.csv >/dev/null
"$gauges" ls -a days --json | check hindcast-ls
"$hindcast" show --json odd >odd.json
"$hindcast" show --json slow-worker >slow.json
check hindcast-show <odd.json
check hindcast-show <slow.json
touch archive/segments/.tmp-1-0123456789abcdef.h5
"$hindcast" check -v --json | check hindcast-check
touch archive/segments/.tmp-1-0123456789abcdef.h5
"$hindcast" archive gc --json | check hindcast-archive-gc
"$hindcast" formats --json | check hindcast-formats
"$hindcast" presets --json | check hindcast-presets
{ "$hindcast" scenario check --json "$root/tests/scenarios/wrong/seed_fraction.json" 2>errors || [ $? = 3 ]; } |
    check hindcast-scenario-check
"$hindcast" scenario show --json "$root/tests/scenarios/right/smallest.json" | check hindcast-scenario-show
cat >study.json <<'END'
{ "schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 3,
  "job": {"nodes": 64, "work_d": 2},
  "faults": {"machine": {"class": "explicit", "per_1000_node_days": 20, "remedy": "evict", "detect_s": 60}},
  "checkpoint": {"mode": "blocking", "every_s": 600, "stall_s": 5},
  "recovery": {"warm_standbys": 0},
  "variants": {"a": {"set": {"/recovery/warm_standbys": 1}}, "b": {"set": {"/recovery/wake_s": 60}}, "ab": {"use": ["a", "b"]}},
  "sweep": [{"path": "/recovery/warm_standbys", "values": [0, 1]}],
  "find": {"smallest": "/recovery/warm_standbys", "such_that": "ettr > 0.5"},
  "sensitivity": {"values": {"/checkpoint/every_s": {"low": 300, "high": 900}}},
  "report": {"price_per_gpu_h": 2} }
END
"$hindcast" simulate --json study.json | check hindcast-simulate
"$hindcast" simulate --replicas 2 -o study/ study.json 2>errors
check hindcast-simulate <study/result.json
"$hindcast" simulate --replicas 2 --json "$root/tests/scenarios/right/several_jobs.json" |
    check hindcast-simulate
"$hindcast" simulate --json "$root/tests/scenarios/right/step_timeline.json" | check hindcast-simulate
"$hindcast" simulate --json --all "$root/examples/scenarios/step-slow-worker.jsonc" | check hindcast-simulate-jobs
"$hindcast" whatif --json --threshold 0 odd | check hindcast-whatif
"$hindcast" whatif --json --fix rank:0 slow-worker | check hindcast-whatif
"$hindcast" compare --json odd slow-worker | check hindcast-compare
"$hindcast" compare --json slow-worker@10-20 slow-worker@21-40 | check hindcast-compare
level=$root/tests/fixtures/compare/trace-cmp.csv.gz
"$hindcast" compare --json "$level@1-10" "$level@11-31" | check hindcast-compare
"$hindcast" whatif --json --scale comm=0 --scale cpu:1=2 --mend rank:1 "$root/data/samples/two-ranks" | check hindcast-profile
"$hindcast" synth kineto -q --dp 2 --steps 3 -o three-steps
"$hindcast" whatif -q --json three-steps 2>/dev/null | check hindcast-profile
for report in breakdown collectives stragglers clocks path; do
    "$hindcast" report $report --json "$root/data/samples/two-ranks" | check hindcast-profile
done
"$hindcast" report clocks --json "$root/data/samples/two-ranks/rank-1.json" | check hindcast-profile
"$hindcast" report collectives --json --baseline "$root/data/samples/nccl-tests" "$root/data/samples/inspector" |
    check hindcast-timings
"$hindcast" synth cluster -q --nodes 8 --days 4 --jobs 40 --runs 1 -o cluster
"$hindcast" ingest -q -a jobs cluster/slurm/sacct.txt >/dev/null
echo '{"schema": "hindcast/site/1", "sources": [{"name": "a", "files": "cluster/slurm/sacct.txt"}]}' >site.json
"$hindcast" ingest -a sites --site site.json --json | check hindcast-ingest
"$hindcast" report account -a jobs --json | check hindcast-account
printf '%s\n' 'Use 2020-01-01T00:00:00 - 2039-12-31T23:59:59' 'Usage reported in TRES Seconds' 'Cluster|Login|TRES Name|Used' \
    'c|u1|gres/gpu|1' >sreport.txt
{ "$hindcast" report account -a jobs --sreport sreport.txt --json || [ $? = 1 ]; } 2>/dev/null | check hindcast-account
"$hindcast" ingest -q -a jobs --zone Europe/Berlin cluster/logs/*/*.out >/dev/null
printf '%s\n' 'time,node,cause' '2026-03-20T00:00:00Z,n1,hardware.gpu' >tickets.csv
"$hindcast" ingest -q -a jobs tickets.csv "$root"/data/samples/trace-slow-worker.parquet >/dev/null
"$hindcast" joins -a jobs --json | check hindcast-joins
printf '%s\n' 'date_ns,job,cause,author,reason' '2026-03-20,1,user,ann,read it' >corrections.csv
"$hindcast" ingest -q -a jobs corrections.csv >/dev/null
"$hindcast" report failures -a jobs --json | check hindcast-failures
printf '%s\n' 'time_ns,job,partition,state,reason,gpus' '2026-03-02T00:00:00Z,1,train,pending,Resources,8' >queue.csv
"$hindcast" ingest -q -a jobs queue.csv >/dev/null
"$hindcast" report capacity -a jobs --json | check hindcast-capacity
"$hindcast" fit -a jobs --json | check hindcast-fit
"$hindcast" fit -a jobs --backtest 1 --period day --json | check hindcast-fit-backtest
"$hindcast" show -a jobs --json 100001 | check hindcast-history
"$hindcast" report ettr -a jobs --json | check hindcast-ettr
"$hindcast" report nightly -a jobs --date 2026-03-04 --json | check hindcast-nightly
# A cluster of some weeks: days are restated, and in the end its sources are silent.
"$hindcast" synth cluster -q --nodes 8 --days 40 --jobs 200 --runs 2 --faults 150 -o weeks
"$hindcast" ingest -q -a weeks.archive weeks/slurm/sacct.txt weeks/kernel/journal.json >/dev/null
"$hindcast" ingest -q -a weeks.archive --zone Europe/Berlin weeks/logs/*/*.out >/dev/null
"$hindcast" report nightly -a weeks.archive --date 2026-03-13 --json | check hindcast-nightly
{ "$hindcast" report findings -a weeks.archive --date 2026-04-20 --backtest 30d --json || [ $? = 1 ]; } |
    check hindcast-findings
cp -r --no-preserve=mode "$root/tests/fixtures/archive-0.1/archive" old
"$hindcast" report reliability -a old --json | check hindcast-reliability
"$hindcast" report startup -a jobs --date 2026-03-04 --json | check hindcast-startup
"$hindcast" compare --nights 2026-03-02 2026-03-04 -a jobs --json | check hindcast-compare-nights
"$hindcast" compare --runs run-01 run-02 -a weeks.archive --json | check hindcast-compare-runs
"$hindcast" report reliability --records -a jobs --json | check hindcast-reliability-records
# A night with a run that fails, phases of nodes and an Xid: into the archive `a`.
mkdir night && cd night
hindcast() { "$hindcast" "$@"; }
source "$root/tests/support/small_night.bash"
small_night
echo '2026-03-01T06:59:00+00:00 n3 kernel: NVRM: Xid (PCI:0000:18:00): 79, pid=200, name=python3, GPU has fallen off the bus.' >kern.log
"$hindcast" ingest -q -a a kern.log >/dev/null
printf '%s\n' 'date_ns,job,cause,author,reason' '2026-03-02,100,infrastructure,ann,read it' >corrections.csv
"$hindcast" ingest -q -a a corrections.csv >/dev/null
cd ..
unset -f hindcast
"$hindcast" report nightly -a night/a --date 2026-03-01 --json | check hindcast-nightly
"$hindcast" report startup -a night/a --date 2026-03-01 --json | check hindcast-startup
"$hindcast" report reliability --records -a night/a --json | check hindcast-reliability-records
"$hindcast" report job 100001 -a jobs --json | check hindcast-subject
"$hindcast" report run run-01 -a jobs --json | check hindcast-subject
"$hindcast" top lost -a jobs --date 2026-03-04 --json | check hindcast-top
"$hindcast" ingest --json "$root/data/samples/incidents/events.json" | check hindcast-ingest
"$hindcast" report reliability --json "$root/data/samples/incidents/cluster.jsonl" | check hindcast-reliability
for hang in late stuck circle differ; do
    { "$hindcast" diagnose collectives --json "$root/data/samples/flight-recorder/$hang" || [ $? = 1 ]; } |
        check hindcast-diagnose-collectives
done
: >nccl_trace_rank_3
{ "$hindcast" diagnose collectives --json "$root"/data/samples/flight-recorder/late/*_[012] nccl_trace_rank_3 ||
    [ $? = 1 ]; } | check hindcast-diagnose-collectives
"$hindcast" report reliability --json --fits --lemons --compare-from 2026-02-01 \
    "$root/data/samples/incidents/cluster.jsonl" | check hindcast-reliability
mkdir fleet
"${FAKE_FLEET_REPORT:-$root/build/tests/fake_fleet_report}" 12 fleet
check hindcast-fleet <fleet/report.json
# A real one: its slow host has keys that the made-up rows lack.
"$hindcast" whatif --all --json 2>errors | check hindcast-fleet

# What is in backquotes is a key, or one of these values and commands.
others='absent_ops all_reduce alone clocks recorded explicit implicit manual result json steps other incidents absent bad_rows common duplicate failed fields gc ignored ingest ingested launch link no_graph none
    not_selected null number outlier range replaced replayed_s
    all always backward forward launches passes recurrent some_passes transfers sequence unchanged unexplained warm_up worker
    down faster gone mixed new no same slower stronger unknown unsure up weaker change culprit duty text_a text_b copy p2p_seq_id'
unused=$(comm -13 <(sort -u printed <(tr -s ' \n' '\n' <<<"$others") | sort -u) <(
    quoted_keys <"$root/docs/json.md") | paste -sd ' ')
[ -z "$unused" ] || fail "documented, but in no document: $unused"
echo "$(sort -u printed | wc -l) keys"
[ ! -s failures ]
