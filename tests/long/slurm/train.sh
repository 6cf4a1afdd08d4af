#!/usr/bin/env bash
# A job script of slurm_records.sh: what a training run leaves behind, without the training. It marks its
# start-up with phase-mark.sh, prints the lines of Megatron-LM, goes on from the last checkpoint of CKPT, and writes what it
# does to TRUTH, a line each:  number of the allocation, restarts, cycle, launched|loaded|step|saved, number
#   CKPT         directory of its checkpoints; %j stands for the number of the allocation
#   ENDS         gets a line when it is done, as from job.sh
#   STEPS        iterations of the run
#   CRASH_AT     iterations at which a rank fails, as torchrun tells it, separated by blanks (default: none)
#   IN_PLACE     launches within the allocation (default: 1); after the last one that failed the job fails
set -u
CRASH_AT=${CRASH_AT:-} IN_PLACE=${IN_PLACE:-1}
mark="sh $PHASE_MARK"
job=$SLURM_JOB_ID restart=${SLURM_RESTART_COUNT:-0} CKPT=${CKPT//%j/$SLURM_JOB_ID}
mkdir -p "$CKPT"
did() { # what number: of the launch that runs
    echo "$job $restart $cycle $1 $2" >>"$TRUTH"
}
now() { date '+%Y-%m-%d %H:%M:%S'; }

launch() { # cycle: 0 when all steps are done
    local cycle=$1 loaded i
    export HINDCAST_CYCLE=$cycle
    loaded=$(cat "$CKPT/latest" 2>/dev/null || echo 0)
    did launched "$(date +%s)"
    $mark start load
    echo 'using world size: 8, data-parallel size: 1, tensor-model-parallel size: 8, pipeline-model-parallel size: 1'
    sleep 1
    echo 'time to initialize megatron (seconds): 1.000'
    echo "[after megatron is initialized] datetime: $(now) "
    [ "$loaded" = 0 ] || echo "  successfully loaded checkpoint from $CKPT [ t 1/8, p 1/1 ] at iteration $loaded"
    echo "[after model, optimizer, and learning rate scheduler are built] datetime: $(now) "
    $mark end load
    echo "[after dataloaders are built] datetime: $(now) "
    echo "[before the start of training step] datetime: $(now) "
    did loaded "$loaded"
    for ((i = loaded + 1; i <= STEPS; i++)); do
        sleep 1
        printf ' [%s.000000] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): 1000.0 | learning rate: 1.500000E-04 | global batch size:    64 | lm loss: 2.000000E+00 | loss scale: 1.0 | grad norm: 0.123 | number of skipped iterations:   0 | number of nan iterations:   0 |\n' \
            "$(now)" "$i" "$STEPS" $((i * 64))
        did step "$i"
        if ((i % 2 == 0)); then
            echo "$i" >"$CKPT/latest"
            printf '  successfully saved checkpoint from iteration %7d to %s [ t 1/8, p 1/1 ]\n' "$i" "$CKPT"
            did saved "$i"
        fi
        if [[ " $CRASH_AT " == *" $i "* ]] && [ ! -e "$CKPT/crashed-$i" ]; then
            touch "$CKPT/crashed-$i"
            crash
            return 1
        fi
    done
    echo "[after training is done] datetime: $(now) "
}

crash() {
    local bar
    bar=$(printf '%60s' '' | tr ' ' =)
    printf '%s\n' '[rank3]: torch.AcceleratorError: CUDA error: unspecified launch failure' "$bar" \
        'pretrain_gpt.py FAILED' "${bar//=/-}" 'Root Cause (first observed failure):' '[0]:' \
        "  time      : $(date +%Y-%m-%d_%H:%M:%S)" "  host      : ${SLURMD_NODENAME:-none}" \
        '  rank      : 3 (local_rank: 3)' "  exitcode  : 1 (pid: $$)" '  error_file: <N/A>' "$bar"
}

status=1
for ((cycle = 0; cycle < IN_PLACE && status != 0; cycle++)); do
    launch "$cycle" && status=0
done
echo "$EPOCHSECONDS $SLURM_JOB_ID $restart ${SLURM_ARRAY_JOB_ID:--} ${SLURM_ARRAY_TASK_ID:--}" >>"$ENDS"
exit $status
