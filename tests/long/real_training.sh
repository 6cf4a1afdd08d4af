#!/usr/bin/env bash
# A real training run (real_training.py): four processes, data parallel 2 x pipeline 2, recorded by
# examples/recorders/hindcast_steps.py. By turns with runs in which nothing is wrong, one rank is 60 ms slower a
# step, one host begins its steps 60 ms late, one rank is slow in steps 40 to 60. hindcast names rank or host,
# cause and stretch, and nobody where nothing is wrong; what it says a mean step lost is within 10 % of the
# measured difference of median steps; recording takes at most 1 % of the steps. The plain DDP loop of
# examples/recorders is recorded and read, too. Needs Debian's python3-torch: scripts/deps torch.
# ROUNDS (3): how often each runs. It measures time: on a busy machine it takes longer, and says what it saw.
set -euo pipefail
: "${HINDCAST:?the program to test}"
root=$(cd "${SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)
hindcast=$(realpath "$HINDCAST")
python=/usr/bin/python3
if ! $python -c 'import torch' 2>/dev/null || ! command -v jq >/dev/null; then
    echo "real_training: skipped: no $python with torch, or no jq (scripts/deps torch test)"
    exit 77
fi
work=$(mktemp -d)
pids=()
n_none=0
stop() {
    [ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT
cd "$work"
export OMP_NUM_THREADS=1 PYTHONPATH=$root/examples/recorders PYTHONDONTWRITEBYTECODE=1
fail() { echo "FAIL: $*" | tee -a failures; }

# four_ranks SCRIPT ARGUMENT...: a rank a process; a port that is free now.
four_ranks() {
    local port rank pid status=0
    port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    pids=()
    for rank in 0 1 2 3; do
        MASTER_ADDR=127.0.0.1 MASTER_PORT=$port WORLD_SIZE=4 RANK=$rank timeout 300 $python "$@" 2>"stderr-$rank" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    pids=()
    [ $status = 0 ] || { cat stderr-*; return $status; }
}
# median FILE...: of numbers, a line each
median() { sort -g "$@" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# within A B SHARE: whether A is within SHARE of B
within() { awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { exit !(a > b * (1 - s) && a < b * (1 + s)) }'; }

# expect RUN NAME OPS FIRST LAST: what hindcast says of the only culprit of a run.
expect() {
    local said
    said=$(jq -r '[.cause.culprits[] | [.name, .ops, .since, .until] | join("|")] | join(" and ")' "$1.json")
    [ "$said" = "$2|$3|$4|$5" ] || fail "$1: not '$2|$3|$4|$5' but '$said': $(jq -r .verdict.text "$1.json")"
    jq '.cause.culprits[0].lost_s' "$1.json" >>"lost-${1%%-*}"
}

for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
    for plant in none slow none late none stretch; do
        run=$plant-$round
        steps=$([ $plant = stretch ] && echo 80 || echo 30)
        [ $plant != none ] || run=none-$round-$((++n_none))
        mkdir "$run"
        four_ranks "$root/tests/long/real_training.py" "$run" "$steps" $plant
        "$hindcast" whatif --quiet --json "$run" >"$run.json"
        awk '$2 > 0.01 { exit 1 }' "$run"/overhead-*.txt ||
            fail "$run: recording takes more than 1 %: $(cat "$run"/overhead-*.txt)"
        case $plant in
            none)
                [ "$(jq '.cause.culprits | length' "$run.json")" = 0 ] ||
                    fail "$run: somebody is blamed: $(jq -r .verdict.text "$run.json")"
                cat "$run/took.txt" >>took-none ;;
            slow) expect "$run" 'rank 1 (dp 0, stage 1) on host-a, GPU 1' forward 0 29 ;;
            late) expect "$run" 'host host-b, all 2 workers' launches 0 29 ;;
            stretch) expect "$run" 'rank 2 (dp 1, stage 0) on host-b, GPU 0' forward 40 60 ;;
        esac
        case $plant in
            slow | late) cat "$run/took.txt" >>"took-$plant" ;;
            stretch) sed -n 41,61p "$run/took.txt" >>took-stretch ;;
        esac
    done
done

none=$(median took-none)
for plant in slow late stretch; do
    lost=$(median lost-$plant)
    # A stretch is 21 of 80 steps, and what is lost is said of the mean step.
    measured=$(awk -v p="$(median took-$plant)" -v n="$none" -v share="$([ $plant = stretch ] && echo 0.2625 || echo 1)" \
        'BEGIN { printf "%.6f", (p - n) * share }')
    printf '%s: lost %.1f ms of the mean step, measured %.1f ms (medians of steps: %.1f and %.1f ms)\n' $plant \
        "$(awk "BEGIN { print 1e3 * $lost }")" "$(awk "BEGIN { print 1e3 * $measured }")" \
        "$(awk "BEGIN { print 1e3 * $(median took-$plant) }")" "$(awk "BEGIN { print 1e3 * $none }")"
    within "$lost" "$measured" 0.1 || fail "$plant: $lost s said, $measured s measured"
done
printf 'recording: %s us an op, %s %% of the steps at most\n' \
    "$(cat ./*/overhead-*.txt | awk '$1 > m { m = $1 } END { print m / 1000 }')" \
    "$(cat ./*/overhead-*.txt | awk '$2 > m { m = $2 } END { print 100 * m }')"

# The plain DDP loop: no pipeline, buckets that cut the backward pass.
four_ranks "$root/examples/recorders/ddp_loop.py" ddp 20
"$hindcast" whatif --quiet --json ddp/rank-*.csv >ddp.json
jq -e '(.workers | length) == 4 and (.steps | length) + (.steps_left_out | length) == 20' ddp.json >check ||
    fail "the DDP loop is not read whole: $(jq -c '[.workers, .steps_left_out]' ddp.json)"
[ "$(cut -d, -f5 ddp/rank-0.csv | sort -u | tr '\n' ' ')" = \
    "backward-compute forward-compute grads-reduce-scatter optimizer optype " ] || fail "other ops in the DDP loop"

[ ! -e failures ] || exit 1
echo "real_training: as it must be"
