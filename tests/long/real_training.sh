#!/usr/bin/env bash
# A real training run (real_training.py): four processes, data parallel 2 x pipeline 2, recorded by
# examples/recorders/hindcast_steps.py. By turns with runs in which nothing is wrong, one rank is 60 ms slower a
# step, one host begins its steps 60 ms late, one rank is slow in steps 40 to 60. hindcast names rank or host,
# cause and stretch, and nobody where nothing is wrong; what it says a mean step lost is within 10 % of the
# measured difference of median steps (of a planted run against the runs before and behind it, of a stretch against the
# rest of its run; the median over the rounds); recording takes at most 1 % of the steps. The plain DDP loop of
# examples/recorders is recorded and read, too. Needs Debian's python3-torch: scripts/deps torch.
# ROUNDS (3): how often each runs. The processes sleep most of the time and run before others where that is
# allowed (root): what waits for a core measures the machine.
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
first=()
! chrt -r 1 true 2>refusal || first=(chrt -r 1) # nice says nothing to the sessions of others (autogroups)
fail() { echo "FAIL: $*" | tee -a failures; }

# four_ranks SCRIPT ARGUMENT...: a rank a process; a port that is free now.
four_ranks() {
    local port rank pid status=0
    port=$($python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    pids=()
    for rank in 0 1 2 3; do
        MASTER_ADDR=127.0.0.1 MASTER_PORT=$port WORLD_SIZE=4 RANK=$rank \
            "${first[@]}" timeout 300 $python "$@" 2>"stderr-$rank" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    pids=()
    [ $status = 0 ] || { cat stderr-*; return $status; }
}
# median FILE...: of numbers, a line each
median() { sort -g "$@" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# expect RUN NAME OPS FIRST LAST: what hindcast says of the only culprit of a run.
expect() {
    local said
    said=$(jq -r '[.cause.culprits[] | [.name, .ops, .since, .until] | join("|")] | join(" and ")' "$1.json")
    [ "$said" = "$2|$3|$4|$5" ] || fail "$1: not '$2|$3|$4|$5' but '$said': $(jq -r .verdict.text "$1.json")"
    jq '.cause.culprits[0].lost_s' "$1.json" >>"lost-${1%%-*}"
}

# train PLANT RUN STEPS: into the directory RUN, its step times into RUN.took, what hindcast says into RUN.json.
train() {
    mkdir "$2"
    four_ranks "$root/tests/long/real_training.py" "$2" "$3" "$1"
    "$hindcast" whatif --quiet --json "$2" >"$2.json"
    mv "$2/took.txt" "$2.took"
    awk '$2 > 0.01 { exit 1 }' "$2"/overhead-*.txt ||
        fail "$2: recording takes more than 1 %: $(cat "$2"/overhead-*.txt)"
}
healthy() { # RUN
    train none "$1" 24
    [ "$(jq '.cause.culprits | length' "$1.json")" = 0 ] ||
        fail "$1: somebody is blamed: $(jq -r .verdict.text "$1.json")"
}
# compare PLANT PLANTED OTHER...: how much longer the median step of PLANTED is than the mean of those of OTHER.
compare() {
    local plant=$1 planted
    planted=$(median "$2")
    shift 2
    for other in "$@"; do median "$other"; done | awk -v p="$planted" '{ s += $1 } END { print p - s / NR }' >>"measured-$plant"
}

healthy none-0
for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
    train slow slow-$round 24
    expect slow-$round 'rank 1 (dp 0, stage 1) on host-a, GPU 1' forward 0 23
    healthy none-$((2 * round - 1))
    compare slow slow-$round.took none-$((2 * round - 2)).took none-$((2 * round - 1)).took
    train late late-$round 24
    expect late-$round 'host host-b, all 2 workers' launches 0 23
    healthy none-$((2 * round))
    compare late late-$round.took none-$((2 * round - 1)).took none-$((2 * round)).took
    train stretch stretch-$round 80
    expect stretch-$round 'rank 2 (dp 1, stage 0) on host-b, GPU 0' forward 40 60
    sed -n 41,61p stretch-$round.took >inside
    sed 41,61d stretch-$round.took >outside
    compare stretch inside outside
done

for plant in slow late stretch; do
    # A stretch is 21 of 80 steps, and what is lost is said of the mean step.
    awk -v plant=$plant -v lost="$(median lost-$plant)" -v measured="$(median measured-$plant)" \
        -v step="$(median none-*.took)" 'BEGIN {
            measured *= plant == "stretch" ? 21 / 80 : 1
            printf "%s: %.1f ms of a mean step lost, %.1f ms measured (a healthy step: %.1f ms)\n", plant,
                1e3 * lost, 1e3 * measured, 1e3 * step
            exit !(lost > 0.9 * measured && lost < 1.1 * measured) }' || fail "$plant: not within 10 %"
done
for run in none-*.took; do median "$run"; done | sort -g |
    awk '{ v[NR] = 1e3 * $1 } END { printf "%d healthy runs: median steps from %.1f to %.1f ms\n", NR, v[1], v[NR] }'
printf 'recording: %.1f us an op, %.3f %% of the steps at most\n' \
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
