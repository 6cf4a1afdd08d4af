#!/usr/bin/env bash
# What a real Slurm says of its queue, read by hindcast: jobs that wait for resources, behind others, for another job, for
# their time, for a limit, on hold, for nodes that are drained; tasks of an array, components, GPUs asked for in each way. The
# forms of squeue that docs/formats/slurm-squeue.md tells to dump agree, and each job waits for what it was made to wait
# for. Takes half a minute. KEEP=DIR keeps the dumps there.
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
here=$(dirname "$(realpath "$0")")/slurm
. "$here/site.bash"
command -v jq >/dev/null || exit 77
start_slurm
cd "$work"
mkdir dumps
declare -A job
batch() { # name, what sbatch is told...: its number is job[name]
    local name=$1
    shift
    job[$name]=$(sbatch --parsable -A lab -J "$name" --output=/dev/null -t 5 "$@" --wrap 'sleep 300')
}
states() { squeue -h -a -r -o '%i|%T|%r' | sort; }
look() { # name: nothing may begin or end meanwhile
    local before=unknown
    until [ "$before" = "$(states)" ]; do
        before=$(states)
        { date -Is; TZ=UTC squeue -a -r -o '%i|%P|%u|%a|%T|%r|%D|%b|%V'; } >"dumps/plain-$1.txt"
        { date -Is; TZ=UTC squeue -a -r \
            -O 'JobArrayID:|,Partition:|,UserName:|,Account:|,State:|,Reason:|,NumNodes:|,tres-alloc:|,SubmitTime:|'; } >"dumps/long-$1.txt"
        { date -Is; TZ=UTC squeue -a -o '%.18i|%P|%u|%t|%R|%D|%b|%V|%j'; } >"dumps/short-$1.txt"
    done
}
look empty
batch holds -N 4 --gres=gpu:8
is_running() { [ "$(squeue -h -j "${job[holds]}" -o %T)" = RUNNING ]; }
wait_for 30 'the first job' is_running
batch first -N 2 --gres=gpu:a100:8
batch second -N 1 --gres=gpu:4
batch total -n 4 --gpus=6
batch task -n 2 --gpus-per-task=2
batch after -N 1 --gres=gpu:1 --dependency="afterok:${job[holds]}"
batch held -N 1 --gres=gpu:1 --hold
batch later -N 1 --gres=gpu:1 --begin=now+1hour
batch array -N 1 --gres=gpu:8 '--array=1-3%1'
batch cpus -N 4 -n 64
batch both -N 1 --gres=gpu:8 : -N 1 --gres=gpu:2
batch long -N 1 --gres=gpu:1 -t 120
are_told() { [ "$(squeue -h -r -t PENDING -o %r | grep -c None)" = 0 ] && squeue -h -o %r | grep -qx Resources; }
wait_for 30 'the reasons' are_told
look full
scontrol update nodename=gpu04 state=drain reason=test
batch wide -N 4 --gres=gpu:8 -p urgent
lacks_nodes() { squeue -h -o %r | grep -q '^Nodes required for job are DOWN'; }
wait_for 30 'a job that lacks a node' lacks_nodes
look drained
[ -z "${KEEP:-}" ] || cp -r dumps "$KEEP"

rows() { # dump, columns, [condition]
    rm -rf archive
    "$HINDCAST" ingest -q -o - -a archive "dumps/$1" >said || fail "$1: $(cat said)"
    ! grep -q skipped said || fail "$1: $(cat said)"
    "$HINDCAST" query queue -a archive --columns "$2" ${3:+--where "$3"} --as csv | tail -n +2 | sort
}
# An empty queue is a look and nothing else.
[ "$(rows plain-empty.txt job,state)" = , ] || fail "an empty queue: $(rows plain-empty.txt job,state)"
# The forms agree: %b does not have GPUs that are asked for in another way than by node, nor says that there are none.
for look in full drained; do
    all=job,array_task,het_component,partition,user,account,state,reason,waits_for,nodes,submit_ns
    rows plain-$look.txt $all >plain
    rows long-$look.txt $all | diff plain - >said || fail "$look: -o and -O: $(cat said)"
    few=job,het_component,partition,user,state,waits_for,nodes,submit_ns
    rows plain-$look.txt $few "job != ${job[array]}" >plain
    rows short-$look.txt $few "job != ${job[array]}" >short
    diff plain short >said || fail "$look: %i and %R: $(cat said)"
done
declare -A waits=([first]=resources [second]=priority [total]=priority [task]=priority [after]=dependency [held]=held
    [later]=time [cpus]=priority [long]=limit) gpus=([first]=16 [second]=4 [total]=6 [task]=4 [after]=1 [held]=1 [later]=1
    [cpus]=0 [long]=1)
rows long-full.txt job,waits_for,gpus >got
for name in "${!waits[@]}"; do
    grep -qx "${job[$name]},${waits[$name]},${gpus[$name]}" got ||
        fail "$name waits for $(grep "^${job[$name]}," got), not for ${waits[$name]}"
done
[ "$(grep -c "^${job[array]},priority,8" got)" = 3 ] || fail "tasks of an array: $(grep "^${job[array]}," got)"
[ "$(grep -c "^${job[both]},resources," got)" = 2 ] || [ "$(grep -c "^${job[both]},priority," got)" = 2 ] ||
    fail "components: $(grep "^${job[both]}," got)"
grep -qx "${job[holds]},,32" got || fail "a job that runs: $(grep "^${job[holds]}," got)"
rows long-drained.txt job,waits_for,gpus | grep -qx "${job[wide]},resources,32" || fail "a job that lacks a node"
echo "slurm_queue: ${#job[@]} jobs wait for what they were made to"
