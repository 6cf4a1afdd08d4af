#!/usr/bin/env bash
# Days that later records restate: a failure of the next day takes work of the day before; a record that comes late
# adds what it held; a correction says whose doing a failure was. What was known before is still had with --as-of.
#
# Run `long` on 16 GPUs: from 2026-03-01 12:00 to 2026-03-02 02:00, steps of a minute from 12:10 on, a line every 10.
# Its one checkpoint is of iteration 470, told at 20:00. A node fails at 02:00; the next attempt, from 03:00 on,
# resumes behind 470. So of the first day 4 h x 16 = 64 GPU-hours are lost.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "night_restated: $*" >&2
    exit 1
}
ingest() { "$hindcast" ingest -q -a a "$@" >/dev/null; }
# leaf DAY LEAF[/WHY] [OPTION...]: GPU-hours of it, and how many of them are measured.
leaf() {
    local day=$1 of=$2
    shift 2
    "$hindcast" report nightly -a a --date "$day" --json "$@" | python3 -c '
import json, sys
what, _, why = sys.argv[1].partition("/")
rows = [l for l in json.load(sys.stdin)["leaves"] if l["what"] == what and (l["why"] or "") == why]
print(sum(int(r["gpu_ns"]) for r in rows) / 3.6e12, sum(r["measured_gpu_hours"] for r in rows))' "$of"
}
is() { # WORDS EXPECTED GOT
    [ "$2" = "$3" ] || fail "$1: $3, not $2"
}

heads='JobID|Cluster|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts'
job() { # number, user, start, end, seconds, state, nodes, GPUs, list
    printf '%s|c|%s|lab|train|%s|%s|%s|%s|%s|%s|%s|gres/gpu=%s|%s|/l/%%x-%%j.out|long|0\n' "$1" "$2" "$3" "$3" "$3" "$4" "$5" \
        "$6" "$7" "$8" "$9"
}
# log MINUTES FIRST LAST [LOADED]: of steps from so many minutes behind 2026-03-01 00:00 on.
log() {
    python3 - "$@" <<'END'
import datetime, sys
start, first, last = map(int, sys.argv[1:4])
at = lambda m: (datetime.datetime(2026, 3, 1) + datetime.timedelta(minutes=m)).strftime("%Y-%m-%d %H:%M:%S")
print("using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1")
print(f"[after megatron is initialized] datetime: {at(start - 5)} ")
if first:
    print(f" successfully loaded checkpoint from /ckpt/long at iteration {first}")
print(f"[before the start of training step] datetime: {at(start)} ")
for i in range(first + 10, last + 1, 10):
    print(f" [{at(start + i - first)}.000000] iteration {i:8d}/    9999 | consumed samples: {i:12d} | elapsed time per iteration (ms): 60000.0 | learning rate: 1.0E-04 | global batch size:   256 | lm loss: 2.0E+00 | loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |")
    if i == 470:
        print("  successfully saved checkpoint from iteration     470 to /ckpt/long")
END
}

# The first night: the run goes on.
{
    echo "$heads"
    job 1 ada 2026-03-01T12:00:00 Unknown 43200 RUNNING 2 16 'n[1-2]'
} >sacct.txt
mkdir logs
log 730 0 710 >logs/long-1.out
ingest sacct.txt
ingest --zone UTC logs/long-1.out
is "running, productive" "189.33333333333334 189.33333333333334" "$(leaf 2026-03-01 productive.unsplit)"
is "running, lost" "0.0 0" "$(leaf 2026-03-01 lost_work)"

# The second: a node failed, and another attempt resumed behind 470.
{
    echo "$heads"
    job 1 ada 2026-03-01T12:00:00 2026-03-02T02:00:00 50400 NODE_FAIL 2 16 'n[1-2]'
    job 2 ada 2026-03-02T03:00:00 2026-03-02T12:00:00 32400 TIMEOUT 2 16 'n[1-2]'
} >sacct.txt
log 730 0 820 >logs/long-1.out
log 1630 470 800 >logs/long-2.out
ingest sacct.txt
ingest --zone UTC logs/long-1.out logs/long-2.out
is "restated, productive" "125.33333333333333 125.33333333333333" "$(leaf 2026-03-01 productive.unsplit)"
is "restated, lost by the failure" "64.0 64.0" "$(leaf 2026-03-01 lost_work/infrastructure)"
# What was known at the first morning: nothing of that.
is "as of midnight, lost" "0.0 0" "$(leaf 2026-03-01 lost_work --as-of 2026-03-02T00:00:00Z)"
# After the failure and before the next step it was at risk: the same, but estimated.
is "at risk" "64.0 0.0" "$(leaf 2026-03-01 lost_work/infrastructure --as-of 2026-03-02T02:30:00Z)"
# The incident has it all, on the day of its fault: 64 + 1 h 50 of lines of the second day, half of the 10 minutes
# from the last one to the fault; the other half of detection; the start-up of 10 minutes.
cost=$("$hindcast" report nightly -a a --date 2026-03-02 --json | python3 -c '
import json, sys
[row] = json.load(sys.stdin)["incidents"]
print(*(round(row[k] * 60 / 16, 6) for k in ("lost", "detection", "recovery", "startup", "gpu_hours")))')
is "minutes of the incident" "355.0 5.0 0.0 10.0 370.0" "$cost"

# A record that comes late: 8 GPUs for an hour of the first day.
{
    echo "$heads"
    job 3 bob 2026-03-01T06:00:00 2026-03-01T07:00:00 3600 COMPLETED 1 8 n3
} >late.txt
before=$(leaf 2026-03-01 unknown)
ingest late.txt
is "a late record, before" "0.0 0" "$before"
is "a late record" "8.0 0.0" "$(leaf 2026-03-01 unknown)"
is "a late record, lost" "64.0 64.0" "$(leaf 2026-03-01 lost_work/infrastructure)"

# A correction: it was ada's own doing. As of the day before it was written it was not.
printf '%s\n' 'date_ns,job,cause,author,reason' '2026-03-05,1,user,eve,she pulled the cable' >corrections.csv
ingest corrections.csv
is "corrected" "64.0 64.0" "$(leaf 2026-03-01 lost_work/user)"
is "corrected, infrastructure" "0.0 0" "$(leaf 2026-03-01 lost_work/infrastructure)"
is "before the correction" "64.0 64.0" "$(leaf 2026-03-01 lost_work/infrastructure --as-of 2026-03-04T00:00:00Z)"
"$hindcast" report nightly -a a --date 2026-03-02 --json >corrected.json
grep -q '"corrected_by": *"eve"' corrected.json || fail "nobody says who corrected it"
