#!/usr/bin/env bash
# What a real Slurm says of its jobs and nodes, read by hindcast: jobs that complete, fail, run into
# their limit or out of memory, are cancelled before and after their start, requeued, held, dependent, suspended,
# reserved for, in an array, on several nodes, heterogeneous, pre-empted, of a node that is set down (one of them twice),
# on a node that is drained; training runs that fail, restart in place and go on in another job, several in one
# directory. Its dumps, the marks of start-up phases and the logs become tables, and each job is in them as it was made
# to be (slurm/check.bash); the GPU-time of all is what sreport says. Takes four minutes. KEEP=DIR keeps the dumps there.
#
# What was done is kept apart from what Slurm's database says of it, in dumps/:
#   jobs.env     job: numbers by name; at: of what was done, the second before and the second after
#   given.txt    what the prolog of each node was told that a job has there, and when an epilog ran
#   ends.txt     when the jobs that came to their end did so
#   started.txt  when the controller gave nodes to jobs, from its log
#   truth.txt    what the training runs did
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
here=$(dirname "$(realpath "$0")")/slurm
. "$here/site.bash"
. "$here/jobs.bash"
. "$here/dumps.bash"
start_slurm
cd "$work"
mkdir out dumps runs go
touch ends.txt
chmod 777 out
chmod 666 ends.txt
export GO=$work/go ENDS=$work/ends.txt
export PHASE_MARK TRUTH=$work/truth.txt HINDCAST_PHASES=$work/phases/jobs.log # of train.sh

work_for() { # name, what job.sh is told, options of sbatch...
    local name=$1 does=$2
    shift 2
    # shellcheck disable=SC2086 # one word or two
    batch "$name" "$@" "$here/job.sh" $does
}
train() { # name, directory in runs, options of sbatch...; SAVE: for its checkpoints, if not there
    local name=$1 run=$2
    shift 2
    mkdir -p "runs/$run"
    local -x CKPT=${SAVE:-$work/runs/$run/ckpt}
    batch "$name" --chdir="$work/runs/$run" --output="$work/runs/$run/%x-%j.out" --open-mode=append "$@" "$here/train.sh"
}
# All that this Slurm says of its nodes, in every form, as docs/formats/slurm-nodes.md tells to dump it. Nothing may
# begin or end meanwhile: the forms are compared with each other.
nodes_now() { scontrol -o show node | grep -oE '(NodeName|State|AllocTRES|Reason)=[^ ]*'; }
snapshot() {
    local time before=
    until [ "$before" = "$(nodes_now)" ]; do
        before=$(nodes_now)
        rm -f dumps/*-"$1"*
        { date -Is; scontrol show node; } >"dumps/scontrol-nodes-$1.txt"
        { date -Is; scontrol -o show node; } >"dumps/scontrol-oneline-$1.txt"
        sinfo -N -l >"dumps/sinfo-$1.txt"
        time=$(date -u +%Y%m%dT%H%M%SZ)
        sinfo --json >"dumps/sinfo-$1-$time.json"
        scontrol show reservation >"dumps/reservations-$1.txt"
        scontrol -o show reservation >"dumps/reservations-oneline-$1.txt"
    done
}

# ---- jobs on healthy nodes ----
work_for timeout 600 -w gpu01 --gres=gpu:2 -t 1 --no-requeue --comment=$'two\nlines'
work_for complete 12 --gres=gpu:8 --no-requeue
work_for 'fail|pipe' '5 3' --gres=gpu:a100:4
work_for cancelled 600 --gres=gpu:2
work_for held 1 -H --gres=gpu:2
work_for array 6 --array=1-4%2 --gres=gpu:1
batch het --gres=gpu:2 : --gres=gpu:1 -n 2 "$here/job.sh" 8
work_for wide 6 -N 3 --ntasks-per-node=2 --gres=gpu:2
work_for nogpu 4 -n 2
work_for requeued requeued -w gpu04 --gres=gpu:4
work_for other 7 --uid=nobody -A other --gres=gpu:3
work_for released 3 -H --gres=gpu:1
work_for dependent 3 --dependency="afterok:${job[complete]}" --gres=gpu:1
work_for suspended suspended --gres=gpu:1
batch memory --no-requeue --gres=gpu:1 --mem=100M --wrap 'x=$(head -c 300M /dev/zero | tr "\0" x); sleep 60; echo ${#x}'
wait_for 60 'the job to be cancelled' is_in cancelled RUNNING
wait_for 60 'the job to be requeued' is_in requeued RUNNING
wait_for 60 'the job to be suspended' is_in suspended RUNNING
sleep 3
work_for unstarted 1 -w gpu01 --gres=gpu:8 # that another job has a part of
timed requeue scontrol requeue "${job[requeued]}"
timed cancel scancel "${job[cancelled]}"
timed suspend scontrol suspend "${job[suspended]}"
await_requeue requeued
start_again requeued '' gpu03
touch go/requeued
timed release scontrol release "${job[released]}"
sleep 4
timed resume scontrol resume "${job[suspended]}"
touch go/suspended
timed cancel-unstarted scancel "${job[unstarted]}"

# ---- training runs ----
CRASH_AT='3 5' STEPS=9 IN_PLACE=2 train pretrain pretrain --gres=gpu:8
STEPS=4 train tune tune -w gpu02 --gres=gpu:8
# Several at once in one directory, whose logs are told apart by the number in their names, or above them.
SAVE=$work/runs/sweep/ckpt-%j STEPS=3 \
    train sweep sweep --array=1-3 --gres=gpu:1 --output="$work/runs/sweep/%x-%A_%a.out"
for name in twin-a twin-b; do
    SAVE=$work/runs/twins/ckpt-%j STEPS=3 \
        train "$name" twins -H --gres=gpu:1 --output="$work/runs/twins/logs/%j/train.log"
    mkdir -p "runs/twins/logs/${job[$name]}"
done
scontrol release "${job[twin-a]}" "${job[twin-b]}"
wait_for 120 'the run to fail' is_in pretrain FAILED
STEPS=9 train again pretrain -J pretrain --gres=gpu:8
wait_for 240 'the jobs on healthy nodes' is_left held
work_for steady steady -w gpu02 --gres=gpu:3
wait_for 60 'the job that stays' is_in steady RUNNING
snapshot healthy

# ---- nodes that are set down and drained ----
work_for nodefail 600 -N 2 -w 'gpu[01,04]' --no-requeue --gres=gpu:8
STEPS=40 train moved moved -w gpu03 --requeue --gres=gpu:8
wait_for 60 'the job of the bad node' is_in nodefail RUNNING
has_saved() { grep -q "^${job[moved]} $1 0 saved" truth.txt; }
wait_for 60 'a checkpoint' has_saved 0
set_node down-04 gpu04 down 'ECC error [hw 12]'
set_node down-03 gpu03 down 'link flap'
set_node drain-02 gpu02 drain 'planned: firmware'
scontrol create reservation starttime=now+600 duration=10 users=root nodes=gpu01 reservationname=maint1 flags=maint >/dev/null
wait_for 60 'the end of the jobs of bad nodes' is_left held steady moved
await_requeue moved
snapshot broken
set_node up-03 gpu03 resume
start_again moved
wait_for 60 'another checkpoint' has_saved 1
touch go/steady
wait_for 60 'the job on the drained node' is_left held moved
at[steady-over]="0 $EPOCHSECONDS"
snapshot drained
sleep 3
set_node up-02 gpu02 resume
set_node down-03-again gpu03 down 'link flap'
await_requeue moved -2
set_node up-03-again gpu03 resume
start_again moved -2
set_node up-04 gpu04 resume

# ---- a reservation ----
timed reserve scontrol create reservation starttime=now duration=5 users=root nodes=gpu04 reservationname=tuning flags=ignore_jobs >/dev/null
scontrol create reservation starttime=now duration=4 users=root nodes=gpu01 reservationname=maint2 flags=maint >/dev/null
work_for reserved reserved --reservation=tuning --gres=gpu:2
wait_for 60 'the job of the reservation' is_in reserved RUNNING
wait_for 180 'the run that was moved' is_left held reserved
are_set_aside() { [ "$(scontrol -o show node 'gpu[01,04]' | grep -c -E 'State=[^ ]*(MAINT|RESERVED)')" = 2 ]; }
wait_for 60 'the nodes to be set aside' are_set_aside
snapshot reserved
touch go/reserved

# ---- pre-emption ----
work_for lowprio lowprio -w gpu02 --requeue --gres=gpu:8
wait_for 60 'the job to be pre-empted' is_in lowprio RUNNING
sleep 3
work_for urgent urgent -p urgent -w gpu02 -n 16 --gres=gpu:8
wait_for 90 'the urgent job' is_in urgent RUNNING
await_requeue lowprio
wait_for 60 'the job of the reservation to end' is_left held lowprio urgent
snapshot busy
touch go/urgent
start_again lowprio '' gpu03
touch go/lowprio
timed cancel-held scancel "${job[held]}"
wait_for 180 'the last job' is_left

# ---- the dumps ----
# The controller tells the database one thing after the other, and late while that sums up a full hour.
is_told() { [ "$(sacct -n -X -D -P -j "${job[lowprio]}" -o state | sort | tr '\n' ' ')" = 'COMPLETED PREEMPTED ' ]; }
wait_for 120 'the database to have the end of the last job' is_told
sum_up
columns=$(columns_of_sacct)
xdmod=jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname
dump_sacct dumps/sacct.txt
sacct --allusers --parsable2 --noheader --allocations --duplicates "${window[@]}" --format="$xdmod" >dumps/sacct-xdmod.txt
sacct --allusers --parsable --delimiter=$'\x1f' --duplicates "${window[@]}" --format="$columns" >dumps/sacct-steps.txt
sacct --allusers --parsable2 --allocations "${window[@]}" --format="$columns" >dumps/sacct-no-duplicates.txt
sacctmgr show event "start=$since" "end=$until" >dumps/events.txt
sacctmgr -P show event "start=$since" "end=$until" >dumps/events-parsable.txt
dump_events dumps/events-all.txt
dump_sreport dumps
cat given/* >dumps/given.txt
cp ends.txt truth.txt dumps/
# [2026-03-01T10:00:00.123] sched: Allocate JobId=1018 NodeList=gpu02 #CPUs=1 Partition=train
# [2026-03-01T10:00:00.123] sched/backfill: _start_job: Started JobId=1002_1(1003) in train on gpu[03-04]
sed -nE 's/^\[([^].]*)[^]]*\] .*(Allocate|Started) JobId=([0-9_+]+\()?([0-9]+)\)? .*(NodeList=| on )([^ ]+).*/\1Z \4 \6/p' log/slurmctld |
    while read -r time number nodes; do echo "$(date -d "$time" +%s) $number $nodes"; done >dumps/started.txt
{ declare -p job at; declare -p work; } >dumps/jobs.env
cp -r out runs phases dumps/
if [ -n "${KEEP:-}" ]; then
    mkdir -p "$KEEP"
    cp -r dumps/. "$KEEP"
    cp log/slurmctld "$KEEP/slurmctld.log"
fi

. "$here/check.bash"
