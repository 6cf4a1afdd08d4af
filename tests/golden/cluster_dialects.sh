#!/usr/bin/env bash
# The months of one made-up cluster through each form of its records: the same tables, as far as a form can
# say what they hold (docs/formats/slurm-sacct.md lists what each cannot). They lie over a change to summer time.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_dialects: $*" >&2
    exit 1
}
"$hindcast" synth cluster -q --dialects --nodes 32 --days 45 --jobs 2000 --runs 4 --faults 60 --seed 7 -o made
other=made/dialects
query() { "$hindcast" query "$2" -a "$1" "${@:3}" --as csv; }
rows() { query "$@" | tail -n +2 | sort; }
ingest() { # archive, files: none of them in doubt
    "$hindcast" ingest -q -o - -a "$1" --zone Europe/Berlin --cluster made "${@:2}" >said 2>&1 || fail "$1: $(tail -n 3 said)"
    ! grep -qE ' bad|refused|dropped' said || fail "$1: $(cat said)"
}
ingest_utc() { "$hindcast" ingest -q -o - -a "$1" --cluster made "${@:2}" >said 2>&1 || fail "$1: $(tail -n 3 said)"; }
same() { # what, expected, got, fewest rows: files, or /dev/stdin
    cat "$2" >expected.rows
    cat "$3" >got.rows
    diff expected.rows got.rows >difference || fail "$1: $(head -n 4 difference)"
    [ "$(wc -l <expected.rows)" -ge "${4:-20}" ] || fail "$1: hardly a row"
}

# ---- accounting ----

common=job,raw_job,array_task,cluster,partition,account,user,name,state,submit_ns,eligible_ns,start_ns,end_ns,elapsed_ns,nodes,gpus,node_list
jobs() { rows "$1" jobs --columns "$2"; }
ingest_utc full made/slurm/sacct.txt
jobs full $common >full.csv
[ "$(wc -l <full.csv)" = "$(($(wc -l <made/slurm/sacct.txt) - 1))" ] || fail 'not a row a record'

# The truth, which knows no eligibility and no lists of nodes.
jobs full job,raw_job,array_task,restarts,state,submit_ns,start_ns,end_ns,nodes,gpus >got
tail -n +2 made/truth/attempts.csv | awk -F, -v OFS=, '
    function ns(s) { return s == "" ? "" : s "000000000" }
    { print $2, $3, $4, $5, tolower($7), ns($8), ns($9), ns($10), $11, $9 == "" ? "" : $12 }' | sort >planted
awk -F, -v OFS=, '$7 == "" { $10 = "" } 1' got | same 'sacct and the truth' planted /dev/stdin

ingest local made/slurm/sacct-local.txt
ingest_utc xdmod made/slurm/sacct-xdmod.txt
ingest_utc delimiter $other/jobs/sacct-delimiter.txt
ingest_utc seconds $other/jobs/sacct-seconds.txt
for form in local xdmod delimiter seconds; do
    jobs $form $common | same "sacct, $form" full.csv /dev/stdin
done
all=$("$hindcast" query jobs -a full --limit 1 --as csv | head -n 1 | tr , '\n' | grep -v source | paste -sd,)
jobs full "$all" >all.csv
for form in delimiter seconds; do
    jobs $form "$all" | same "all columns of sacct, $form" all.csv /dev/stdin
done
own=job,raw_job,array_task,restarts,cluster,partition,account,user,name,state,submit_ns,eligible_ns,start_ns,end_ns,elapsed_ns,nodes,gpus,node_list
for form in csv jsonl; do
    ingest_utc "own-$form" "$other/jobs/own.$form"
    jobs "own-$form" $own >got
    jobs full $own | awk -F, -v OFS=, '$13 == "" { $17 = "" } 1' >expected
    same "own form, $form" expected got
done

# SWF has no GPUs, no names and three states.
ingest_utc swf $other/jobs/jobs.swf
jobs swf job,submit_ns,start_ns,end_ns,elapsed_ns,time_limit_ns,cpus,partition,user,state >got
jobs full raw_job,submit_ns,start_ns,end_ns,elapsed_ns,time_limit_ns,cpus,partition,user,state |
    awk -F, -v OFS=, '{
        sub(/^user0*/, "", $9)
        if ($10 == "pending" || $10 == "running") $10 = ""
        else if ($10 != "completed" && $10 != "cancelled") $10 = "failed"
        if ($10 == "" && $3 != "") $4 = $3 + $5 # it does not tell that a job runs yet
        if ($3 == "") $5 = ""
    } 1' OFMT=%d CONVFMT=%d | sort >expected
same SWF expected got

# Philly: no accounts, the state of the last attempt only, when a job was submitted only once.
ingest philly $other/jobs/cluster_job_log.json
jobs philly raw_job,restarts,start_ns,end_ns,elapsed_ns,nodes,gpus,partition,user >got
jobs full raw_job,restarts,start_ns,end_ns,elapsed_ns,nodes,gpus,partition,user >expected
same 'jobs of Philly' expected got
ingest pollux $other/jobs/philly.csv
jobs pollux submit_ns,elapsed_ns,gpus,partition >got
jobs full submit_ns,elapsed_ns,gpus,partition >expected
same 'tables made of Philly' expected got

# ---- kernel logs: ten forms, some in local times, without a year, without a node, since the boot ----

touch -d 2026-04-20 made/kernel/* $other/kernel/*.* $other/kernel/*/*
columns=time_ns,node,device,pid,process,class,code,effect
events() { rows "$1" events --columns $columns >"$1.csv"; }
for form in syslog-iso.log syslog-local.log journal.json log-store.jsonl; do
    ingest "$form" "made/kernel/$form"
done
ingest journal.txt $other/kernel/journal.txt
ingest syslog-5424.log $other/kernel/syslog-5424.log
for form in dmesg-boot dmesg-time dmesg-iso; do
    ingest $form $other/kernel/$form/*
done
for form in syslog-iso.log syslog-local.log journal.json log-store.jsonl journal.txt syslog-5424.log \
    dmesg-boot dmesg-time dmesg-iso; do
    events "$form"
    same "kernel, $form" syslog-iso.log.csv "$form.csv" 50
done
# Faults that a kernel tells of: each once or twice, at its second.
awk -F, 'NR > 1 && $2 ~ /gpu_lost|ecc|nvlink/ { print $3 "000000000," $6 }' made/truth/faults.csv | sort >planted
cut -d, -f1,2 syslog-iso.log.csv | sort -u | comm -13 - planted >missing
end_ns=$(date -d 2026-04-15T00:00:00Z +%s)000000000
awk -F, -v end="$end_ns" '$1 < end' missing | grep . && fail 'faults that no kernel log tells of'

# ---- nodes: the history, and at four instants ----

ingest_utc history made/slurm/events.txt
rows history node_states --columns since_ns,node,flags,state | wc -l >got
tail -n +2 made/slurm/events.txt | wc -l | same 'history of nodes' /dev/stdin got 1
for n in 1 2 3 4; do
    tail -n +2 "made/truth/nodes-$n.csv" | awk -F, -v OFS=, '{ print $1 "000000000", $2, $3, $4, $5, $6 }' | sort >planted
    awk -F, -v OFS=, '{
            if ($3 == "mixed" && $4 % 2) $3 = "allocated" # draining: which of the two is not said
            print $1, $2, $3, $4, "", $6 }' planted >planted-sinfo
    for form in scontrol.txt scontrol-oneliner.txt sinfo.txt "$(basename $other/nodes/$n/nodes-*.json)"; do
        ingest_utc "nodes-$n-$form" "$other/nodes/$n/$form"
        rows "nodes-$n-$form" node_states --columns since_ns,node,state,flags,gpus_used,reason >got
        expected=planted
        [ "$form" != sinfo.txt ] || expected=planted-sinfo
        same "nodes, $form" $expected got
    done
done

# ---- logs of runs ----

ingest new made/logs/*/*.out
for form in megatron-old mlperf deepspeed verl; do
    ingest $form $other/logs/$form/*
done
rounded() { awk -F, -v OFS=, -v at="$1" '{ $at = sprintf("%.3f", $at) } 1' | sort; }
# Without a clock there are iterations, durations and losses.
rows new train_steps --columns job,iteration,iterations,duration_ns,loss | rounded 5 >steps.csv
rows megatron-old train_steps --columns job,iteration,iterations,duration_ns,loss | rounded 5 | same 'old Megatron' steps.csv /dev/stdin
rows new train_steps --columns job,iteration,duration_ns,loss | rounded 4 >steps.csv
for form in deepspeed verl; do
    rows $form train_steps --columns job,iteration,duration_ns,loss | rounded 4 | same $form steps.csv /dev/stdin
done
rows new cycles --columns job,cycle,first_iteration,last_iteration,loaded_iteration,saved_iteration,world_size >cycles.csv
rows megatron-old cycles --columns job,cycle,first_iteration,last_iteration,loaded_iteration,saved_iteration,world_size |
    same 'cycles of old Megatron' cycles.csv /dev/stdin 5
rows new checkpoints --columns job,kind,iteration,path >checkpoints.csv
rows megatron-old checkpoints --columns job,kind,iteration,path | same 'checkpoints of old Megatron' checkpoints.csv /dev/stdin
# MLPerf counts steps from the launch, and has a clock.
rows new train_steps --columns job,end_ns,duration_ns,loss | rounded 4 >steps.csv
rows mlperf train_steps --columns job,end_ns,duration_ns,loss | rounded 4 | same 'steps of MLPerf' steps.csv /dev/stdin
rows mlperf cycles --columns job,first_step_ns | sort >got
rows new cycles --columns job,first_step_ns | sort >expected
same 'cycles of MLPerf' expected got 5

# ---- starts of nodes ----

tail -n +2 made/truth/starts.csv | awk -F, -v OFS=, '{ print $1, $2, $3, $4, $5 "000000000", $6 "000000000" }' | sort >planted
ingest_utc marks made/starts/marks.log
rows marks phases --columns job,restarts,node,phase,start_ns,end_ns | same 'phase marks' planted /dev/stdin
for form in json jsonl; do # of a pod: whose job that is, only its name says
    ingest_utc "pods-$form" "$other/starts/events.$form"
    rows "pods-$form" phases --columns detail,node,phase,start_ns,end_ns |
        sed -E 's,^train/job-([0-9]+)-([0-9]+)-[^,]*,\1\,\2,' | sort | same "Kubernetes, $form" planted /dev/stdin
done

# ---- incidents, corrections ----

awk -F, -v OFS=, '
    BEGIN { scope["link"] = scope["node_down"] = "node"; scope["switch"] = "switch" }
    NR > 1 {
        first = substr($6, 4)
        print $3 "000000000", $4 "000000000", $5 "000000000",
            ($7 > 1 ? sprintf("gpu[%s-%04d]", first, first + $7 - 1) : $6), $2, (scope[$2] ? scope[$2] : "device")
    }' made/truth/faults.csv | sort >planted
for form in csv jsonl; do
    ingest_utc "incidents-$form" "$other/incidents/incidents.$form"
    rows "incidents-$form" incidents --columns time_ns,detected_ns,recovered_ns,node,text,scope >got
    same "incidents, $form" planted got
    ingest_utc "corrections-$form" "$other/incidents/corrections.$form"
    rows "corrections-$form" corrections --columns time_ns,node,cause,detail,author >got
    awk -F, -v OFS=, 'NR > 1 && $9 { print $3 "000000000", $6, "infrastructure", $2, "ann" }' made/truth/faults.csv |
        sort >planted-corrections
    same "corrections, $form" planted-corrections got 3
done

# Each that stopped something joins an attempt: those of a switch by their list of nodes.
ingest_utc struck made/slurm/sacct.txt "$other/incidents/incidents.csv"
"$hindcast" joins -a struck --json | sed -n 's/.*"time_ns": \([0-9]*\)000000000,.*"attempts": \([0-9]*\),.*/\1,\2/p' | sort >joined
awk -F, -v OFS=, 'NR > 1 && $9 { print $3 }' made/truth/faults.csv | sort | join -t, - joined >struck.csv
[ "$(wc -l <struck.csv)" -ge 5 ] || fail "only $(wc -l <struck.csv) incidents joined"
! grep ',0$' struck.csv || fail 'an incident that stopped jobs joins none'
echo "cluster_dialects: $(wc -l <full.csv) records, $(wc -l <syslog-iso.log.csv) events, $(wc -l <cycles.csv) cycles"
