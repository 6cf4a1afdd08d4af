#!/usr/bin/env bash
# A night of a real Slurm: training jobs (slurm/night_train.py: processes that compute, save and go on from what they saved) of two
# users and accounts. One loses a rank to kill -9 and starts again in place, then a node, and goes on when that is back; one is
# cancelled, one runs into its limit, some are tasks of an array, some leave no log, some wait; one node is set down and back, one
# drained and back. What Slurm says of it all is dumped as docs/nightly.md tells, read by a site file that `site init` writes, and the
# report of the night is compared with what sreport says and with what the jobs and this script wrote down
# (slurm/night_check.py). Takes two and a half minutes. KEEP=DIR keeps dumps and truth there, for slurm/night_report.bash;
# VERBOSE=1 prints each leaf of each attempt with its bounds.
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
here=$(dirname "$(realpath "$0")")/slurm
. "$here/site.bash"
. "$here/jobs.bash"
. "$here/dumps.bash"
command -v python3 >/dev/null && command -v jq >/dev/null || exit 77
start_slurm
cd "$work"
mkdir out runs records dumps
chmod 777 out runs
touch truth.txt ends.txt
chmod 666 truth.txt ends.txt
cp "$here"/night_train.py "$here"/job.sh . # where any user may read them
cp "$PHASE_MARK" phase-mark.sh
head -c 4000000 /dev/urandom >image
tar -czf image.tar.gz image
export TRUTH=$work/truth.txt PHASES=$work/phases IMAGE=$work/image.tar.gz TRAIN=$work/night_train.py
export PHASE_MARK=$work/phase-mark.sh ENDS=$work/ends.txt GO=$work
export STEP_S=0.4 SAVE_EVERY=10 EVALUATE_EVERY=1000 IN_PLACE=1

train() { # name, GPUS_PER_NODE, STEPS, options of sbatch...: in a directory of its own
    local name=$1
    local -x GPUS_PER_NODE=$2 STEPS=$3 CKPT=$work/runs/$1/ckpt-%j output=slurm-%j.out
    shift 3
    [[ " $*" != *--array* ]] || output=slurm-%A_%a.out
    mkdir -p "runs/$name"
    chmod 777 "runs/$name"
    batch "$name" --chdir="$work/runs/$name" --output="$work/runs/$name/$output" --open-mode=append \
        --mem=600M --ntasks-per-node=1 --gres="gpu:$GPUS_PER_NODE" "$@" "$here/night_job.sh"
}
now_did() { # what, number: of this script, of no job
    local now=${EPOCHREALTIME/./}
    echo "${now}000 - - - - $1 ${2:-0}" >>truth.txt
}
has() { # name, restart, what, number
    grep -qE "^[0-9]+ ${job[$1]} $2 [0-9]+ [^ ]+ $3 $4\$" truth.txt
}
done_to() { # what, name of a node or job, command...: does it, and tells the truth of it
    now_did "begin-$1" "$2"
    "${@:3}"
    now_did "end-$1" "$2"
}
look_at_queue() { { date -Is; squeue -a -r -o '%i|%P|%u|%a|%T|%r|%D|%b|%V'; } >>records/queue.txt; }
keep_looking() { while sleep 2; do look_at_queue; done; }
look_at_nodes() { # as docs/formats/slurm-nodes.md tells
    { date -Is; scontrol --oneliner show node; } >"records/nodes-$1.txt"
}
look_at_nodes first
keep_looking &
pids+=($!)

# ---- a rank is killed, a job cancelled ----
MARKS=1 IN_PLACE=3 EVALUATE_EVERY=12 train pretrain 8 40 -N 2 -w 'gpu[01-02]' --requeue
train tune 4 1000 -w gpu03
SAVE_EVERY=20 EVALUATE_EVERY=50 train limited 8 1000 -w gpu04 -t 1 --uid=nobody -A other
train sweep 1 70 -w gpu03 --array=1-3%2 --uid=nobody -A other
wait_for 60 'the run to come to step 13' has pretrain 0 end-step 13
pid=$(awk -v job="${job[pretrain]}" '$2 == job && $6 == "rank" && $7 ~ /^5:/ { sub(/.*:/, "", $7); print $7 }' truth.txt)
done_to kill "${job[pretrain]}" kill -KILL "$pid"
wait_for 60 'the other run to come to step 14' has tune 0 end-step 14
done_to cancel "${job[tune]}" scancel "${job[tune]}"

# ---- a node fails, another is drained ----
wait_for 60 'the run to come to step 24' has pretrain 0 end-step 24
set_node_to() { done_to "$2" "$1" set_node "$2-$1" "$1" "$2" "${3:-}"; }
set_node_to gpu02 down 'link flap'
set_node_to gpu03 drain 'planned: firmware'
await_requeue pretrain
sleep 3
set_node_to gpu02 resume
start_again pretrain '' 'gpu[01-02]'
wait_for 60 'the run to go on' is_in pretrain RUNNING

# ---- jobs wait ----
batch wide --output="$work/out/%j.out" -N 4 --gres=gpu:8 "$here/job.sh" 6
batch behind --output="$work/out/%j.out" --uid=nobody -A other --gres=gpu:8 "$here/job.sh" 4
is_drained() { [ "$(sinfo -h -n gpu03 -o %T | sort -u)" = drained ]; }
wait_for 90 'the drained node to be empty' is_drained
sleep 5
look_at_nodes drained
set_node_to gpu03 resume
wait_for 180 'the last job' is_left
look_at_queue
look_at_nodes last

# ---- the records of the night, and what was done ----
is_told() { [ "$(sacct -n -X -P -j "${job[behind]},${job[wide]}" -o state | sort -u)" = COMPLETED ]; }
wait_for 120 'the database to have the end of the last job' is_told
kill "${pids[-1]}" # keep_looking
sum_up
dump_sacct records/sacct.txt
dump_events records/events.txt
scontrol --oneliner show reservation >records/reservations.txt
cp -rp phases runs out records
dump_sreport dumps
cat given/* >dumps/given.txt
cat prologs/* >dumps/prologs.txt
cp truth.txt dumps
for name in "${!job[@]}"; do echo "$name ${job[$name]}"; done >dumps/jobs.txt
cp -rp records dumps
[ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -rp dumps/. "$KEEP"; }
cd dumps
. "$here/night_report.bash"
