#!/bin/sh
# phase-mark.sh - write down when a job begins and ends a phase of its start-up, for hindcast.
#
#   phase-mark.sh start PHASE [DETAIL...]
#   phase-mark.sh end PHASE [DETAIL...]
#   phase-mark.sh run PHASE COMMAND [ARGUMENT...]
#
# PHASE is queue, allocate, image, environment, init, load, compile, warm_up, data or first_step;
# any other name is kept as phase "other" with that name. Needs nothing but a POSIX shell, date and
# awk. A mark is one line, appended by one write of less than 512 bytes, so that tasks may share a
# file. Marks never fail a job: what goes wrong is said on standard error, and the exit status is 0
# (that of COMMAND with `run`).
#
# Job, array task, restart, node and rank are those that Slurm or torchrun put in the environment.
#
#   HINDCAST_PHASES    file to append to; default: hindcast-phases/JOB.log in the working directory
#   HINDCAST_CYCLE     which launch within the allocation this is, from 0 (default: of torchrun)
#
# An end names the time of its start, which is looked up in the file: so each line tells its phase by
# itself, also where another file or a later reading has the start.
#
# In a job script (each rank marks for itself; a prolog or TaskProlog calls it likewise):
#
#   mark=/path/to/phase-mark.sh
#   $mark start image;  srun --ntasks-per-node=1 enroot import ...;  $mark end image
#   srun $mark run environment ./check-node.sh
#   srun torchrun ... train.py      # calls: phase-mark.sh start load; phase-mark.sh end load
#
# Then: hindcast ingest hindcast-phases/*.log

set -u

# The time in UTC; whole seconds where date knows no finer ones.
now() {
    t=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
    case $t in
    *N*) date -u +%Y-%m-%dT%H:%M:%SZ ;;
    *) printf '%s\n' "$t" ;;
    esac
}

# Without blanks and control bytes, 100 letters at most.
word() {
    printf '%s' "$1" | tr -c 'A-Za-z0-9._+:/@=-' '_' | cut -c1-100
}

job=${SLURM_ARRAY_JOB_ID:-${SLURM_JOB_ID:-${SLURM_JOBID:-}}}
file=${HINDCAST_PHASES:-hindcast-phases/${job:-nojob}.log}

# Who marks, as words NAME=VALUE.
who() {
    [ -n "$job" ] && printf ' job=%s' "$(word "$job")"
    [ -n "${SLURM_ARRAY_TASK_ID:-}" ] && printf ' array_task=%s' "$(word "$SLURM_ARRAY_TASK_ID")"
    # A prolog has it under the longer name.
    printf ' restart=%s' "$(word "${SLURM_RESTART_COUNT:-${SLURM_JOB_RESTART_COUNT:-0}}")"
    cycle=${HINDCAST_CYCLE:-${TORCHELASTIC_RESTART_COUNT:-}}
    [ -n "$cycle" ] && printf ' cycle=%s' "$(word "$cycle")"
    printf ' node=%s' "$(word "${SLURMD_NODENAME:-$(uname -n)}")"
    rank=${RANK:-${SLURM_PROCID:-}}
    [ -n "$rank" ] && printf ' rank=%s' "$(word "$rank")"
    return 0
}

# mark start|end PHASE DETAIL
mark() {
    me=$(who)
    began=
    if [ "$1" = end ] && [ -f "$file" ]; then
        began=$(awk -v tail=" start $2$me" '
            index($0, tail) && $1 == "hindcast-phase" { t = $3 } END { print t }' "$file")
    fi
    detail=$(printf '%s' "$3" | tr -c '[:print:]' '?' | cut -c1-100)
    mkdir -p "$(dirname "$file")" &&
        printf 'hindcast-phase 1 %s %s %s%s%s%s\n' "$(now)" "$1" "$2" "$me" \
            "${began:+ began=$began}" "${detail:+ detail=$detail}" >>"$file" ||
        echo "phase-mark.sh: '$file' could not be written" >&2
}

what=${1:-}
phase=$(word "${2:-}")
case $what in
start | end | run) ;;
*) what= ;;
esac
if [ -z "$what" ] || [ -z "$phase" ] || { [ "$what" = run ] && [ $# -lt 3 ]; }; then
    echo "usage: phase-mark.sh start|end PHASE [DETAIL...], phase-mark.sh run PHASE COMMAND..." >&2
    exit 0
fi
shift 2
if [ "$what" = run ]; then
    mark start "$phase" ""
    "$@"
    status=$?
    mark end "$phase" "exit $status"
    exit $status
fi
mark "$what" "$phase" "$*"
exit 0
