#!/usr/bin/env bash
# What a real Slurm says of its jobs and nodes, read by hindcast: jobs that complete, fail, run into
# their limit or out of memory, are cancelled, requeued, held, dependent, suspended, reserved for, in an array,
# heterogeneous, pre-empted, of a node that is set down (one of them twice), on a node that is drained;
# training runs that fail, restart in place and go on in another job. Its dumps, the marks of start-up
# phases and the logs become tables, and each job is in them as it was made to be; the GPU-time of
# all is what sreport says. Takes seven minutes. KEEP=DIR keeps the dumps there.
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
here=$(dirname "$(realpath "$0")")
. "$here/slurm_site.sh"
set_clock $((6 * 60))
start_slurm
cd "$work"
mkdir out dumps runs
chmod 777 out
export TZ=UTC
slurm() { on_clock "$@"; }

job() { # name, options of sbatch...: its number
    local name=$1
    shift
    slurm sbatch --parsable -J "$name" --output="$work/out/%x-%A_%a.out" -t 5 "$@" | cut -d';' -f1
}
train() { # name, run, options of sbatch...: its number
    local name=$1 run=$2
    shift 2
    mkdir -p "runs/$run"
    export PHASE_MARK CKPT=$work/runs/$run/ckpt TRUTH=$work/truth.txt HINDCAST_PHASES=$work/phases/jobs.log
    job "$name" --chdir="$work/runs/$run" --output="$work/runs/$run/%x-%j.out" --open-mode=append \
        --gres=gpu:8 "$@" "$here/slurm_train.sh"
}
is_in() { [ "$(slurm squeue -h -t all -j "$1" -o %T 2>/dev/null | sort -u)" = "$2" ]; }
state() { slurm sacct -n -X -D -P -j "$1" -o state | tr '\n' ' '; }
# All that this Slurm says of its nodes, in every form, as docs/formats/slurm-nodes.md tells to dump it.
snapshot() {
    local at
    { slurm date -Is; slurm scontrol show node; } >"dumps/scontrol-nodes-$1.txt"
    { slurm date -Is; slurm scontrol -o show node; } >"dumps/scontrol-oneline-$1.txt"
    slurm sinfo -N -l >"dumps/sinfo-$1.txt"
    at=$(slurm date -u +%Y%m%dT%H%M%SZ)
    slurm sinfo --json >"dumps/sinfo-$1-$at.json"
    # scontrol of 22.05 knows no --json.
    slurm scontrol show node --json >"dumps/scontrol-$1-$at.json" 2>/dev/null || rm "dumps/scontrol-$1-$at.json"
    slurm scontrol show reservation >"dumps/reservations-$1.txt"
    slurm scontrol -o show reservation >"dumps/reservations-oneline-$1.txt"
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
released=$(job released -H --gres=gpu:1 --wrap 'sleep 3')
dependent=$(job dependent --dependency="afterok:$complete" --gres=gpu:1 --wrap 'sleep 3')
suspended=$(job suspended --gres=gpu:1 --wrap 'sleep 14')
memory=$(job memory --no-requeue --gres=gpu:1 --mem=100M --wrap 'x=$(head -c 300M /dev/zero | tr "\0" x); sleep 60; echo ${#x}')
wait_for 60 'the job to be cancelled' is_in "$cancelled" RUNNING
wait_for 60 'the job to be requeued' is_in "$requeued" RUNNING
sleep 5
slurm scontrol requeue "$requeued"
slurm scancel "$cancelled"
wait_for 30 'the requeue' is_in "$requeued" PENDING
slurm scontrol update "JobId=$requeued" StartTime=now
wait_for 60 'the job to be suspended' is_in "$suspended" RUNNING
slurm scontrol suspend "$suspended"
snapshot healthy
sleep 7
slurm scontrol resume "$suspended"
slurm scontrol release "$released"
released_at=$(slurm date +%s)
sleep 13

# ---- training runs ----
pretrain=$(CRASH_AT='3 5' STEPS=9 IN_PLACE=2 train pretrain pretrain)
tune=$(CRASH_AT= STEPS=4 IN_PLACE=1 train tune tune -w gpu02)
wait_for 90 'the run to fail' is_in "$pretrain" FAILED
again=$(CRASH_AT= STEPS=9 IN_PLACE=1 train pretrain pretrain)

# ---- nodes that are set down and drained ----
nodefail=$(job nodefail -w gpu04 --no-requeue --gres=gpu:8 --wrap 'sleep 600')
moved=$(CRASH_AT= STEPS=26 IN_PLACE=1 train moved moved -w gpu03 --requeue)
wait_for 60 'the job of the bad node' is_in "$nodefail" RUNNING
wait_for 60 'the job of the other bad node' is_in "$moved" RUNNING
has_saved() { grep -q "^$1 $2 0 saved" truth.txt; }
wait_for 60 'a checkpoint' has_saved "$moved" 0
slurm scontrol update nodename=gpu04 state=down reason='ECC error [hw 12]'
slurm scontrol update nodename=gpu03 state=down reason='link flap'
slurm scontrol update nodename=gpu02 state=drain reason='planned: firmware'
slurm scontrol create reservation starttime=now+600 duration=10 users=root nodes=gpu01 reservationname=maint1 flags=maint >/dev/null
sleep 8
snapshot broken
slurm scontrol update nodename=gpu03 state=resume
start_again() { # a requeued job waits two minutes, unless it is told not to
    wait_for 30 "the requeue of $1" is_in "$1" PENDING
    slurm scontrol update "JobId=$1" StartTime=now
    wait_for 60 "the next attempt of $1" is_in "$1" RUNNING
}
start_again "$moved"
slurm scontrol update nodename=gpu02 state=resume
wait_for 60 'another checkpoint' has_saved "$moved" 1
slurm scontrol update nodename=gpu03 state=down reason='link flap'
wait_for 30 'the second requeue' is_in "$moved" PENDING
slurm scontrol update nodename=gpu03 state=resume
start_again "$moved"

# ---- a reservation ----
slurm scontrol update nodename=gpu04 state=resume
slurm scontrol create reservation starttime=now duration=5 users=root nodes=gpu04 reservationname=tuning flags=ignore_jobs >/dev/null
reserved=$(job reserved --reservation=tuning --gres=gpu:2 --wrap 'sleep 5')
wait_for 60 'the job of the reservation' is_in "$reserved" RUNNING
snapshot reserved

# ---- pre-emption ----
lowprio=$(job lowprio -w gpu02 --requeue --gres=gpu:8 --wrap 'sleep 12')
wait_for 60 'the job to be pre-empted' is_in "$lowprio" RUNNING
sleep 3
urgent=$(job urgent -p urgent -w gpu02 -n 16 --gres=gpu:8 --wrap 'sleep 6')
wait_for 90 'the urgent job' is_in "$urgent" RUNNING
slurm scontrol update "JobId=$lowprio" StartTime=now || true
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
released=$released released_at=$released_at dependent=$dependent suspended=$suspended memory=$memory pretrain=$pretrain again=$again tune=$tune
reserved=$reserved
NUMBERS
cp -r out runs phases truth.txt dumps/
[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r dumps/. "$KEEP"; }

unset LD_PRELOAD
. "$here/slurm_check.bash"
