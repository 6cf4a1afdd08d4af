#!/usr/bin/env bash
# What a real Slurm says of its jobs and nodes, read by hindcast: jobs that complete, fail, run into
# their limit, are cancelled, requeued, in an array, heterogeneous, pre-empted, of a node that is set
# down, on a node that is drained; its dumps become tables, and each job is in them as it was made to
# be; the GPU-time of all is what sreport says. Takes six minutes. KEEP=DIR keeps the dumps there.
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
here=$(dirname "$(realpath "$0")")
. "$here/slurm_site.sh"
set_clock $((6 * 60))
start_slurm
cd "$work"
mkdir out dumps
chmod 777 out
export TZ=UTC
slurm() { on_clock "$@"; }

job() { # name, options of sbatch...: its number
    local name=$1
    shift
    slurm sbatch --parsable -J "$name" --output="$work/out/%x-%A_%a.out" -t 5 "$@" | cut -d';' -f1
}
is_in() { [ "$(slurm squeue -h -j "$1" -o %T 2>/dev/null | sort -u)" = "$2" ]; }
state() { slurm sacct -n -X -D -P -j "$1" -o state | tr '\n' ' '; }
snapshot() {
    slurm scontrol show node >"dumps/scontrol-nodes-$1.txt"
    slurm scontrol -o show node >"dumps/scontrol-nodes-oneline-$1.txt"
    slurm sinfo -N -l >"dumps/sinfo-$1.txt"
    slurm sinfo --json >"dumps/sinfo-$1.json"
    slurm squeue --json >"dumps/squeue-$1.json"
    slurm scontrol show reservation >"dumps/reservations-$1.txt"
}

# ---- jobs on healthy nodes ----
complete=$(job complete --gres=gpu:8 --no-requeue --wrap 'sleep 15')
failed=$(job 'fail|pipe' --gres=gpu:a100:4 --wrap 'sleep 5; exit 3')
timeout=$(job timeout -w gpu01 --gres=gpu:2 -t 1 --no-requeue --comment=$'two\nlines' --wrap 'sleep 600')
cancelled=$(job cancelled --gres=gpu:2 --wrap 'sleep 600')
held=$(job held -H --gres=gpu:2 --wrap true)
array=$(job array --array=1-4%2 --gres=gpu:1 --wrap 'sleep 6')
het=$(slurm sbatch --parsable -J het --output=out/het.out --gres=gpu:2 -t 5 : --gres=gpu:1 -n 1 --wrap 'sleep 8' | cut -d';' -f1)
nogpu=$(job nogpu -n 2 --wrap 'sleep 4')
requeued=$(job requeued --gres=gpu:4 --wrap 'sleep 12')
other=$(job other --uid=nobody -A other --gres=gpu:3 --wrap 'sleep 7')
wait_for 60 'the job to be cancelled' is_in "$cancelled" RUNNING
wait_for 60 'the job to be requeued' is_in "$requeued" RUNNING
sleep 5
slurm scontrol requeue "$requeued"
slurm scancel "$cancelled"
wait_for 30 'the requeue' is_in "$requeued" PENDING
slurm scontrol update "JobId=$requeued" StartTime=now
snapshot healthy
sleep 20

# ---- nodes that are set down and drained ----
nodefail=$(job nodefail -w gpu04 --no-requeue --gres=gpu:8 --wrap 'sleep 600')
moved=$(job moved -w gpu03 --requeue --gres=gpu:4 --wrap 'sleep 20')
wait_for 60 'the job of the bad node' is_in "$nodefail" RUNNING
wait_for 60 'the job of the other bad node' is_in "$moved" RUNNING
sleep 4
slurm scontrol update nodename=gpu04 state=down reason='ECC error [hw 12]'
slurm scontrol update nodename=gpu03 state=down reason='link flap'
slurm scontrol update nodename=gpu02 state=drain reason='planned: firmware'
slurm scontrol create reservation starttime=now+600 duration=10 users=root nodes=gpu01 reservationname=maint1 flags=maint >/dev/null
sleep 8
snapshot broken
slurm scontrol update nodename=gpu03 state=resume
slurm scontrol update "JobId=$moved" StartTime=now || true
slurm scontrol update nodename=gpu02 state=resume

# ---- pre-emption ----
lowprio=$(job lowprio -w gpu02 --requeue --gres=gpu:8 --wrap 'sleep 12')
wait_for 60 'the job to be pre-empted' is_in "$lowprio" RUNNING
sleep 3
urgent=$(job urgent -p urgent -w gpu02 -n 16 --gres=gpu:8 --wrap 'sleep 6')
wait_for 90 'the urgent job' is_in "$urgent" RUNNING
slurm scontrol update "JobId=$lowprio" StartTime=now || true
slurm scontrol update nodename=gpu04 state=resume
slurm scancel "$held"
all_done() { [ -z "$(slurm squeue -h)" ]; }
wait_for 180 'the last job' all_done

# ---- an hour later ----
hour_is_over() { [ "$(on_clock date +%M)" -lt 50 ]; }
wait_for 400 'the end of the hour' hour_is_over
restart_slurmdbd
since=$(on_clock date -d '-2 hours' +%Y-%m-%dT%H:00:00)
until=$(on_clock date -d '+1 hour' +%Y-%m-%dT%H:00:00)
wanted=JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,Elapsed,ElapsedRaw,ExitCode,DerivedExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,Restarts,FailedNode,Reason,DBIndex,Suspended,Flags,Reservation,WorkDir,StdOut,StdErr,Comment,JobName
known=$(slurm sacct --helpformat | tr -s ' \n' '\n\n')
columns= # those of them that this Slurm has
for column in ${wanted//,/ }; do
    grep -qx "$column" <<<"$known" && columns+=${columns:+,}$column
done
xdmod=jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname
window=(--starttime "$since" --endtime "$until")
slurm sacct --allusers --parsable2 --allocations --duplicates "${window[@]}" --format="$columns" >dumps/sacct.txt
slurm sacct --allusers --parsable2 --noheader --allocations --duplicates "${window[@]}" --format="$xdmod" >dumps/sacct-xdmod.txt
slurm sacct --allusers --parsable --delimiter=$'\x1f' --duplicates "${window[@]}" --format="$columns" >dumps/sacct-steps.txt
slurm sacct --allusers --parsable2 --allocations "${window[@]}" --format="$columns" >dumps/sacct-no-duplicates.txt
slurm sacct --allusers --json "${window[@]}" >dumps/sacct.json 2>/dev/null || true
slurm sacctmgr show event "start=$since" "end=$until" >dumps/events.txt
slurm sacctmgr -P show event "start=$since" "end=$until" >dumps/events-parsable.txt
slurm sacctmgr -P show event "start=$since" "end=$until" format=cluster,nodename,start,end,state,reason,user,tres,duration,event >dumps/events-all.txt
slurm sreport -P cluster utilization start="$since" end="$until" -t seconds -T gres/gpu >dumps/sreport-cluster.txt
slurm sreport -P cluster AccountUtilizationByUser start="$since" end="$until" -t seconds -T gres/gpu,cpu >dumps/sreport-users.txt
slurm sreport -P job SizesByAccount start="$since" end="$until" -t seconds >dumps/sreport-sizes.txt || true
cat >dumps/jobs.env <<NUMBERS
complete=$complete failed=$failed timeout=$timeout cancelled=$cancelled held=$held array=$array het=$het
nogpu=$nogpu requeued=$requeued other=$other nodefail=$nodefail moved=$moved lowprio=$lowprio urgent=$urgent
NUMBERS
cp -r out dumps/
[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r dumps/. "$KEEP"; }

# ---- what hindcast makes of it ----
unset LD_PRELOAD
"$HINDCAST" ingest -q -a archive dumps/sacct.txt >/dev/null
"$HINDCAST" report account -a archive --csv - >account.csv
for form in sacct-xdmod sacct-steps sacct-no-duplicates; do # which say nothing that is not there
    "$HINDCAST" ingest -q -a archive "dumps/$form.txt" >said
    grep -q unchanged said || fail "$form.txt says something else: $(cat said)"
done

# Each job ended as it was made to end, in each of its attempts.
"$HINDCAST" query jobs -a archive --columns job,array_task,het_component,state,gpus,name --as csv |
    sort >got
cat >expected <<JOBS
$array,1,,completed,1,array
$array,2,,completed,1,array
$array,3,,completed,1,array
$array,4,,completed,1,array
$cancelled,,,cancelled,2,cancelled
$complete,,,completed,8,complete
$failed,,,failed,4,fail|pipe
$het,,0,completed,2,het
$het,,1,completed,1,het
$lowprio,,,completed,8,lowprio
$lowprio,,,preempted,8,lowprio
$moved,,,completed,4,moved
$moved,,,node_fail,4,moved
$nodefail,,,node_fail,8,nodefail
$nogpu,,,completed,0,nogpu
$other,,,completed,3,other
$requeued,,,completed,4,requeued
$requeued,,,requeued,4,requeued
$timeout,,,timeout,2,timeout
$urgent,,,completed,8,urgent
job,array_task,het_component,state,gpus,name
JOBS
sort expected | diff - got || fail 'other jobs than were made'

# The GPU-time of all, and of each user, is what Slurm's own reports say.
seconds() { awk -F, -v by="$1" -v name="$2" '$1 == by && $2 == name { printf "%.0f", $4 * 3600 }' account.csv; }
of_sreport() { awk -F'|' -v name="$1" '$3 == name && $5 == "gres/gpu" { print $6 }' dumps/sreport-users.txt; }
for user in root nobody; do
    [ "$(seconds user $user)" = "$(of_sreport $user)" ] ||
        fail "$user: $(seconds user $user) GPU-seconds, by sreport $(of_sreport $user)"
done
all=$(awk -F, '$1 == "state" { s += $4 * 3600 } END { printf "%.0f", s }' account.csv)
by_sreport=$(awk -F'|' '$2 == "gres/gpu" { print $3 }' dumps/sreport-cluster.txt)
[ "$all" = "$by_sreport" ] || fail "$all GPU-seconds, by sreport $by_sreport"
"$HINDCAST" report account -a archive --sreport dumps/sreport-users.txt >reconciled ||
    fail "the account differs from sreport: $(grep -A 2 ^sreport reconciled)"
echo "slurm_records: $(wc -l <dumps/sacct-xdmod.txt) records, $all GPU-seconds, as sreport says"
