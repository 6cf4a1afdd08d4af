# slurm/jobs.bash - sourced after site.bash: starts jobs, and keeps when what was done. The number of a job is job[NAME];
# at[WHAT] is the second before and the second after it.
declare -A job at

timed() { # name, command...: does it, and keeps when
    local name=$1 from=$EPOCHSECONDS
    shift
    "$@"
    at[$name]="$from $EPOCHSECONDS"
}
batch() { # name, what sbatch is told...: its number is job[name]
    local name=$1 from=$EPOCHSECONDS said
    shift
    said=$(sbatch --parsable -A lab -J "$name" --output="$work/out/%x-%A_%a.out" -t 5 "$@")
    at[submit-$name]="$from $EPOCHSECONDS"
    job[$name]=${said%%;*}
}
is_in() { [ "$(squeue -h -t all -j "${job[$1]}" -o %T 2>/dev/null | sort -u)" = "$2" ]; }
is_left() { # names...: whether no other jobs are pending or running
    local name numbers=
    for name; do numbers+=${job[$name]}$'\n'; done
    [ "$(squeue -h -o %A | sort)" = "$(sort <<<"${numbers%$'\n'}")" ]
}
set_node() { # name of what is done, node, state, reason
    timed "$1" scontrol update "nodename=$2" "state=$3" ${4:+"reason=$4"}
}
# The next attempt of a requeued job, at once: else Slurm lets it wait for two minutes, after which its nodes have
# forgotten the attempt before. Until then they refuse what is of the same second as the end of that one; and they run
# no prolog again, unless the job was aborted there: so it goes to another node.
await_requeue() { # name, which one
    wait_for 60 "the requeue of $1" is_in "$1" PENDING
    at[requeued-$1${2:-}]="0 $EPOCHSECONDS"
    sleep 2.5
}
start_again() { # name, which one, [node]
    timed "again-$1${2:-}" scontrol update "JobId=${job[$1]}" StartTime=now ${3:+"ReqNodeList=$3"}
}
