#!/usr/bin/env bash
# A training job of slurm_night.sh: each node fetches its image, then all of them train (night_train.py), again where a rank
# failed, at most IN_PLACE launches. What is done is written to TRUTH, as night_train.py says.
#   CKPT, GPUS_PER_NODE, STEPS, STEP_S, SAVE_EVERY, EVALUATE_EVERY   of the training
#   IMAGE      an archive that is unpacked
#   IN_PLACE   launches within the allocation (default: 1)
set -u
export CYCLE=0 HINDCAST_PHASES=$PHASES/job-$SLURM_JOB_ID.log CKPT=${CKPT//%j/$SLURM_JOB_ID}
did() { # what, [number]
    local now=${EPOCHREALTIME/./}
    echo "${now}000 $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $CYCLE $SLURMD_NODENAME $1 ${2:-0}" >>"$TRUTH"
}
# Real unpacking; the second node has a slow disk.
export UNPACK='to=$(mktemp -d); tar -xzf "$IMAGE" -C "$to"; sleep "0.$((2 + 5 * SLURM_NODEID))"; rm -rf "$to"'
fetch() {
    did before-start-image
    sh "$PHASE_MARK" run image bash -c "$UNPACK"
    did behind-end-image
}
export -f did fetch
did script
mkdir -p "$CKPT"
each_node=(srun --ntasks-per-node=1 --kill-on-bad-exit=1)
"${each_node[@]}" bash -c fetch
status=1
for ((; CYCLE < ${IN_PLACE:-1} && status != 0; CYCLE++)); do
    export HINDCAST_CYCLE=$CYCLE
    "${each_node[@]}" "$TRAIN" "$CKPT" && status=0
done
sleep 1.5 # what a job does when the training is over
did script-over $status
exit $status
