#!/usr/bin/env bash
# Records made from the counts that papers published give their figures back, through the reports: ByteRobust's
# incident mix and resolution tables (arXiv 2509.16293), the interruptions of Llama 3 and the rates of Meta's RSC
# (arXiv 2407.21783, 2410.21680), the failures of Acme (arXiv 2403.07648), the Xids of Delta (arXiv 2503.11901).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

# is DOCUMENT FILTER WANTED
is() {
    local found
    found=$(jq -c "$2" "$1")
    [ "$found" = "$3" ] || fail "$1: $2 is $found, not $3"
}

# incidents NAME OPTION...: NAME.csv into an archive of that name, and its report of reliability to NAME.json.
incidents() {
    "$hindcast" ingest -q -a "$1" "$1.csv" >/dev/null
    "$hindcast" report reliability -a "$1" --json "${@:2}" >"$1.json"
}

# ---- ByteRobust, table 1: 55,365 incidents ----
cat >mix.csv <<'END'
text,class,count
CUDA error,explicit,19968
CPU overload,explicit,6095
CPU OOM,explicit,5567
insufficient disk,explicit,2755
InfiniBand,explicit,1599
filesystem mount,explicit,1176
HDFS,explicit,1104
container,explicit,781
OS kernel panic,explicit,203
GPU memory,explicit,188
external service,explicit,128
GPU unavailable,explicit,76
disk fault,explicit,47
job hang,implicit,5506
MFU decline,implicit,442
NaN,implicit,148
code/data adjustment,manual,9582
END
printf '%s\n' 'CUDA error:36.1' 'CPU overload:11' 'CPU OOM:10.1' 'insufficient disk:5' 'InfiniBand:2.9' \
    'filesystem mount:2.1' 'HDFS:2' 'container:1.4' 'OS kernel panic:0.4' 'GPU memory:0.3' 'external service:0.2' \
    'GPU unavailable:0.1' 'disk fault:0.1' 'job hang:9.9' 'MFU decline:0.8' 'NaN:0.3' 'code/data adjustment:17.3' |
    sort >mix.wanted
incidents mix
is mix.json .incidents 55365
is mix.json '[.by_class[] | .count]' '[39687,6096,9582]'
is mix.json '[.by_cause[] | select(.cause == "unknown")] | length' 0
jq -r '.by_text[] | "\(.text):\(.share * 1000 | round / 10)"' mix.json | sort | diff mix.wanted - ||
    fail 'shares of the incident mix'

# ---- ByteRobust, table 4: how the incidents of two jobs were resolved ----
cat >dense.csv <<'END'
text,action,class,count
,auto-evict,explicit,128
,auto hot-update,manual,20
,analyzer-evict,implicit,15
,rollback,implicit,12
END
cat >moe.csv <<'END'
text,action,class,count
,auto-evict,explicit,71
,auto hot-update,manual,31
,analyzer-evict,implicit,9
,rollback,explicit,1
,rollback,implicit,13
END
incidents dense
incidents moe
shares='[.by_action[] | "\(.action) \(.count) \(.share * 1000 | round / 10)"]'
is dense.json .incidents 175
is dense.json "$shares" '["auto-evict 128 73.1","auto hot-update 20 11.4","analyzer-evict 15 8.6","rollback 12 6.9"]'
is moe.json .incidents 125
is moe.json "$shares" '["auto-evict 71 56.8","auto hot-update 31 24.8","rollback 14 11.2","analyzer-evict 9 7.2"]'
is moe.json '[.by_class[] | .count]' '[72,22,31]'
"$hindcast" query incidents -a moe --group-by action,class --agg 'sum(count)' --as csv >moe.query
grep -qx 'rollback,explicit,1' moe.query && grep -qx 'rollback,implicit,13' moe.query ||
    fail 'the two classes of rollbacks'

# ---- Llama 3: 419 unexpected interruptions of 2,048 nodes in 54 days, and 47 that were planned ----
cat >llama.csv <<'END'
text,count
Faulty GPU,148
GPU HBM3 Memory,72
Software Bug,54
Network Switch/Cable,35
Host Maintenance,32
GPU SRAM Memory,19
GPU System Processor,17
NIC,7
NCCL Watchdog Timeouts,7
Silent Data Corruption,6
GPU Thermal Interface + Sensor,6
SSD,3
Power Supply,3
Server Chassis,2
IO Expansion Board,2
Dependency,2
CPU,2
System Memory,2
END
incidents llama --nodes 2048 --from 0d --to 54d
is llama.json .incidents 419
is llama.json '.rates[2].per_1000_node_days.value * 1000 | round' 3789
is llama.json '.rates[2].mttf_fleet_h.value * 1000 | round' 3093
is llama.json '[.by_text[].share * 1000 | round / 10]' \
    '[35.3,17.2,12.9,8.4,7.6,4.5,4.1,1.7,1.7,1.4,1.4,0.7,0.7,0.5,0.5,0.5,0.5,0.5]'
is llama.json '[.by_cause[] | select(.cause == "unknown")] | length' 0
{ cat llama.csv; echo 'code/data adjustment,47'; } >llama-all.csv
incidents llama-all --nodes 2048 --from 0d --to 54d
is llama-all.json .incidents 466
is llama-all.json '.rates[2].count' 419
is llama-all.json '54 * 24 / .incidents * 1000 | round' 2781

# ---- Meta RSC: 6.50 failures per 1,000 node-days, so 16,384 GPUs run for 1.803 h and 131,072 for 0.225 h ----
printf 'text,count\nFaulty GPU,1664\n' >rsc16k.csv
printf 'text,count\nFaulty GPU,13312\n' >rsc131k.csv
incidents rsc16k --nodes 2048 --from 0d --to 125d
incidents rsc131k --nodes 16384 --from 0d --to 125d
for size in rsc16k rsc131k; do
    is $size.json '.rates[0].per_1000_node_days.value * 100 | round' 650
done
is rsc16k.json '.rates[0].mttf_fleet_h.value * 1000 | round' 1803
is rsc131k.json '.rates[0].mttf_fleet_h.value * 1000 | round' 225

# ---- Delta: the time between errors of the whole system is its hours over their number ----
# delta NAME DAYS COUNT WANTED: 112 nodes of 4 A100, or 76 of 8 H100; hours to two digits behind the point.
delta() {
    printf 'text,count\n%s,%s\n' "$1" "$3" >"delta-$1.csv"
    incidents "delta-$1" --nodes 112 --from 0d --to "$2d"
    is "delta-$1.json" '.rates[2].mttf_fleet_h.value * 100 | round' "$4"
    is "delta-$1.json" ".rates[2].per_1000_node_days.value * 112 * $2 / 1000 | round" "$3"
}
delta xid95 855 38905 53
delta xid31 855 18876 109
delta xid74 855 2987 687
delta xid119 855 2136 961
delta xid63 855 95 21600
delta xid64 855 35 58629
delta xid48 855 32 64125
delta gsp-a100 895 3857 557
delta gsp-h100 146 3 116800

# The same Xids as lines of kernel logs: their numbers come out again. (No report has rates of events of nodes.)
awk 'function lines(code, n, i) {
        for (i = 0; i < n; i++) {
            t = int(i * 855 * 86400 / n)
            printf "%d.%03d n%03d kernel: NVRM: Xid (PCI:0000:%02x:00): %d, pid=%d, name=python, error\n",
                1640995200 + t, i % 1000, i % 106, 7 + i % 4 * 32, code, 1000 + i
        }
    }
    BEGIN { lines(119, 2136); lines(74, 2987); lines(63, 95); lines(64, 35); lines(48, 32) }' | sort -n >delta.log
"$hindcast" ingest -q -a delta-kernel delta.log >/dev/null
"$hindcast" query events -a delta-kernel --group-by code --agg count --as csv | tail -n +2 | sort -n |
    awk -F, '{ printf "%s %.2f\n", $1, 855 * 24 / $2 }' >delta.found
printf '%s\n' '48 641.25' '63 216.00' '64 586.29' '74 6.87' '119 9.61' | diff - delta.found || fail 'Xids of Delta'

# ---- jobs of a scheduler ----
# Rows of sacct from lines "STATE GPUS SECONDS": a job each, one after the other.
sacct() {
    awk 'BEGIN {
            print "JobID|JobIDRaw|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|" \
                "AllocTRES|NodeList|JobName"
        }
        {
            nodes = int(($2 + 7) / 8)
            start = 1677628800 + NR * 60
            s = strftime("%Y-%m-%dT%H:%M:%S", start, 1)
            e = strftime("%Y-%m-%dT%H:%M:%S", start + $3, 1)
            printf "%d|%d|made|gpu|lab|u|%s|%s|%s|%s|%d|%s|%d|gres/gpu=%d,node=%d|n[1-%d]|job\n",
                NR, NR, s, s, s, e, $3, $1, nodes, $2, nodes, nodes
        }'
}

# Acme's table of failures: side, reason, number, per cent of the GPU time of failures, GPUs of such jobs. The table
# adds to 99.99 %: what is missing lies in the rows of 0, half of it of frameworks and half of scripts.
cat >acme.txt <<'END'
infrastructure|hardware.gpu_link|NVLink|54|30.25|1024
infrastructure|hardware.gpu|CUDA|21|15.77|1024
infrastructure|undetermined.node_crash|node failure|16|14.30|1024
infrastructure|hardware.gpu_memory|ECC|12|11.00|1024
infrastructure|network.other|network|12|4.53|1024
infrastructure|network.link|connection|147|3.44|512
infrastructure|software.service|S3 storage|10|2.12|512
infrastructure|network.switch|NCCL timeout|6|.50|512
infrastructure|hardware.nic|NCCL remote|3|.15|512
framework|software.resources|dataloader killed|6|4.38|256
framework|software.program|attribute|67|3.90|256
framework|software.program|OOM|14|3.28|256
framework|software.program|runtime|65|1.72|256
framework|software.program|assertion|105|1.24|256
framework|software.program|value|33|.16|64
framework|software.program|zero division|5|.03|64
framework|software.program|model loading|104|.00466|8
framework|software.program|dataset loading|5|.00024|8
script|software.program|file not found|568|2.83|64
script|software.program|OS error|266|.28|64
script|software.program|type|620|.06|8
script|software.program|name|18|.02|8
script|software.program|permission|7|.01|8
script|software.program|import|111|.01|8
script|software.program|key|260|.01|8
script|software.program|syntax|10|.0012|8
script|software.program|argument|3|.0004|8
script|software.program|called process|4|.0005|8
script|software.program|index|23|.0028|8
END
# A hundredth of a per cent is 1,024,000 GPU-seconds; the jobs of a row share what it has.
awk -F'|' '{
        total = int($5 * 100 * 1024000 / $6 + .5)
        for (i = 0; i < $4; i++)
            printf "%s|%d %d|%s|%s|%s\n", $3 == "node failure" ? "NODE_FAIL" : "FAILED", $6,
                int(total * (i + 1) / $4) - int(total * i / $4), $1, $2, $3
    }' acme.txt >acme.jobs
tr '|' ' ' <acme.jobs | awk '{ print $1, $2, $3 }' | sacct >acme-sacct.txt
{
    echo 'time,job,cause,text,class,scope'
    paste -d'|' <(tail -n +2 acme-sacct.txt | cut -d'|' -f1,10) acme.jobs |
        awk -F'|' '{ printf "%sZ,%s,%s,%s,explicit,job\n", $2, $1, $6, $7 }'
} >acme.csv
"$hindcast" ingest -q -a acme acme-sacct.txt acme.csv >/dev/null
"$hindcast" report failures -a acme --json >acme.json
"$hindcast" report account -a acme --json >acme-account.json
"$hindcast" report reliability -a acme --json >acme-list.json
is acme.json '.failures | length' 2575
is acme.json '[.by_side[] | select(.failures > 0) | "\(.side) \(.failures)"]' '["infrastructure 281","user 2294"]'
is acme.json '[.by_side[].gpu_hours] as $h | .by_side[] | select(.side == "infrastructure") |
    [.failures / 2575 * 1000, .gpu_hours / ($h | add) * 10000] | map(round)' '[109,8206]'
# The same time by the records of the scheduler, in two reports, and the same counts by the list alone.
"$hindcast" report nightly -a acme --date 2023-03-31 --days 40 --json >acme-nightly.json
for hours in '[.groups[] | select(.by == "state") | .rows[].gpu_hours] | add' '.totals.gpu_hours'; do
    jq "$hours" acme-account.json acme-nightly.json 2>/dev/null | grep -v null >>acme.hours || true
done
jq '[.failures[].gpu_hours] | add' acme.json | awk 'NR == FNR { all = $1; next } { n++; d = $1 / all - 1
    if (d > 1e-9 || d < -1e-9) print "other GPU-hours:", $1, all }
    END { if (n < 2) print "two reports are to say it, not", n }' - acme.hours >acme.differ
[ ! -s acme.differ ] || fail "$(cat acme.differ)"
is acme-nightly.json .totals.adds_up true
is acme-list.json .incidents 2575
is acme-list.json '[.by_origin[] | "\(.origin) \(.count)"]' '["infrastructure 281","user 2294"]'
# The rows of the table and its three classes: each failure names the row of the list that says why. (No report
# sums the GPU-hours of failures by reason, so they are summed here.)
jq -r '.failures[] | "\(.event_line)|\(.side)|\(.gpu_hours)"' acme.json >acme.lines
awk -F'|' 'NR == FNR { class[NR] = $3; text[NR] = $5; next }
    { n[text[$1]]++; h[text[$1]] += $3; c[class[$1]]++; t[class[$1]] += $3; all += $3 }
    END { for (i in n) printf "%s|%d|%.2f\n", i, n[i], 100 * h[i] / all
          for (k in c) printf "%s|%.1f %%|%.2f %%\n", k, c[k] / 25.75, 100 * t[k] / all }' acme.jobs acme.lines |
    sort >acme.found
{
    awk -F'|' '{ printf "%s|%d|%.2f\n", $3, $4, $5 }' acme.txt
    printf '%s\n' 'infrastructure|10.9 %|82.06 %' 'framework|15.7 %|14.71 %' 'script|73.4 %|3.22 %'
} | sort | diff - acme.found || fail 'the table of Acme'

# Meta's RSC-1: how jobs end (of the rest of 3.2 % the paper does not say how: cancelled, here), and failures of the
# infrastructure, which are 0.2 % of the jobs and 18.7 % of their time.
{
    awk 'function jobs(state, n, gpus, seconds, i) { for (i = 0; i < n; i++) print state, gpus, seconds }
        BEGIN {
            jobs("COMPLETED", 6000, 8, 36000); jobs("FAILED", 2390, 8, 25200)
            jobs("PREEMPTED", 1000, 8, 25200); jobs("REQUEUED", 200, 8, 3600)
            jobs("TIMEOUT", 60, 8, 86400); jobs("OUT_OF_MEMORY", 10, 8, 600); jobs("CANCELLED", 320, 8, 14400)
        }'
} >rsc.jobs
rest=$(awk '{ s += $2 * $3 } END { print s }' rsc.jobs)
# 20 jobs of 1,024 GPUs have 18.7 % of all, to a second each.
awk -v rest="$rest" 'BEGIN {
    seconds = int(rest * .187 / .813 / 20 / 1024 + .5)
    for (i = 0; i < 10; i++) print "NODE_FAIL", 1024, seconds
    for (i = 0; i < 10; i++) print "FAILED", 1024, seconds }' >>rsc.jobs
sacct <rsc.jobs >rsc-sacct.txt
{
    echo 'time,job,cause,class,scope'
    tail -n 10 rsc-sacct.txt | awk -F'|' '{ printf "%sZ,%s,hardware.gpu,explicit,job\n", $10, $1 }'
} >rsc.csv
"$hindcast" ingest -q -a rsc rsc-sacct.txt rsc.csv >/dev/null
"$hindcast" report account -a rsc --json >rsc-account.json
"$hindcast" report failures -a rsc --json >rsc-failures.json
is rsc-account.json '[.groups[] | select(.by == "state") | .rows[].attempts] | add' 10000
is rsc-account.json '[.groups[] | select(.by == "state") | .rows[] | {key: .name, value: (.attempts / 100)}] | sort_by(.key)
    | from_entries' '{"cancelled":3.2,"completed":60,"failed":24,"node_fail":0.1,"out_of_memory":0.1,"preempted":10,"requeued":2,"timeout":0.6}'
jq -s '([.[0].groups[] | select(.by == "state") | .rows[].gpu_hours] | add) as $all | .[1].by_side[] |
    select(.side == "infrastructure") | [.failures, (.gpu_hours / $all * 1000 | round)]' rsc-account.json \
    rsc-failures.json | jq -c . | grep -qx '\[20,187\]' || fail '0.2 % of the jobs with 18.7 % of the time'
is rsc-failures.json '[.by_evidence[] | select(.evidence == "certain") | .failures]' '[20]'

[ ! -s failures ]
