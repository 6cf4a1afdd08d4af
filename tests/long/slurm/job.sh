#!/usr/bin/env bash
# A job of slurm_records.sh:  job.sh SECONDS|NAME [STATUS]
# Sleeps for so many seconds, or until there is a file GO/NAME; then writes to ENDS that it is done, and exits
# with STATUS. A line of ENDS:  time, number of the allocation, restarts, number and task of the array.
set -u
case $1 in
    *[!0-9]*) until [ -e "$GO/$1" ]; do sleep 0.2; done ;;
    *) sleep "$1" ;;
esac
echo "$EPOCHSECONDS $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} ${SLURM_ARRAY_JOB_ID:--} ${SLURM_ARRAY_TASK_ID:--}" >>"$ENDS"
exit "${2:-0}"
