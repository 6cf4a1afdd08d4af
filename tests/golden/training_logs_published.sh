#!/usr/bin/env bash
# Logs of real training runs that others published: those of MLPerf against what was published of them,
# those of BigScience against what grep and awk find in them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
[ -d "$shared/mlperf-train-v5.1" ] && [ -d "$shared/bigscience" ] || {
    echo "skipped: no real logs in ../shared/data"
    exit 77
}
shared=$(realpath "$shared")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
n=0
fail() {
    echo "training_logs_published: $*" >&2
    exit 1
}
ingest() { # log: into an archive of its own
    rm -rf one
    "$hindcast" ingest -q -a one "$1" >/dev/null
    n=$((n + 1))
}
query() { "$hindcast" query "$@" -a one --as csv | tail -n +2; }

# MLPerf Training 5.1, Llama 3.1 405B: seconds of start-up, minutes to the target, steps, longest step.
mlperf() { # log, what was published
    local published=$2
    ingest "$1"
    got=$(query cycles --columns start_ns,first_step_ns,end_ns |
        awk -F, '{ printf "%.0f %.1f", ($2 - $1) / 1e9, ($3 - $2) / 60e9 }')
    got+=$(query train_steps --agg 'count,max(duration_ns)' | awk -F, '{ printf " %d %.1f", $1, $2 / 1e9 }')
    [ "$got" = "$published" ] || fail "$1: $got, not $published"
}
nebius=$shared/mlperf-train-v5.1/Nebius/results/nebius_h200_n128/llama31_405b
mlperf "$nebius/result_1.txt" "917 106.8 246 40.4"
mlperf "$nebius/result_2.txt" "915 106.7 246 46.3"
mlperf "$nebius/result_3.txt" "904 106.7 246 41.2"
median=$(query train_steps --agg 'p50(duration_ns)' | awk '{ printf "%.1f", $1 / 1e9 }')
[ "$median" = 25.4 ] || fail "median step $median s, not 25.4"
florida=$(dirname "$(find "$shared/mlperf-train-v5.1/University-of-Florida" -name result_0.txt)")
mlperf "$florida/result_0.txt" "470 235.9 503 38.4"
mlperf "$florida/result_1.txt" "469 241.3 515 35.3"
mlperf "$florida/result_2.txt" "469 241.8 515 35.2"

# BigScience, and SuperBench's: each line of an iteration is a row, and the times are those of the lines.
logs=0
while read -r log; do
    wanted=$(grep -o 'elapsed time per iteration (ms): [0-9.]*' "$log" | awk '{ s += $NF } END { printf "%d %.1f", NR, s }')
    ingest "$log"
    got=$(query train_steps --where 'log_id is not missing' --agg 'count,sum(duration_ns)' |
        awk -F, '{ printf "%d %.1f", $1, $2 / 1e6 }')
    case $log in
        *ds-3d-old*) # lines of two frameworks tell of each iteration: the first of them counts
            [ "${got% *}" = "${wanted% *}" ] || fail "$log: $got, and grep finds $wanted"
            ;;
        *) [ "$got" = "$wanted" ] || fail "$log: $got, and grep finds $wanted" ;;
    esac
    logs=$((logs + 1))
done < <(find "$shared/bigscience/experiments" "$shared/superbench" -name '*.out' -o -name megatron_deepspeed.log | sort)
[ "$logs" -ge 11 ] || fail "only $logs logs of Megatron"

# Evaluations, "validation loss at iteration 100 | lm loss value: ...": as many as awk finds, and the same sum.
# Timers in milliseconds, "time (ms) | name: value | ...": as many as awk finds, and the same sum. DeepSpeed
# writes them as zeros. Blocks over all ranks, by hand: SuperBench's log has three timers, all of the start-up.
timers=0 evaluations=0
while read -r log; do
    wanted=$(grep -a '^time (ms) |' "$log" | tr '|' '\n' | awk -F ': *' '!/^time/ { n++; s += $2 } END { printf "%d %.2f", n, s }')
    ingest "$log"
    got=$(query train_measures --where 'name != validation_loss' --agg 'count,sum(value)' | awk -F, '{ printf "%d %.2f", $1, $2 * 1000 }')
    [ "$got" = "$wanted" ] || fail "$log: timers $got, and awk finds $wanted"
    timers=$((timers + ${got% *}))
    wanted=$(awk '/validation loss at iteration/ { n++; s += $10 } END { printf "%d %.5f", n, s }' "$log")
    got=$(query train_measures --where 'name = validation_loss' --agg 'count,sum(value)' | awk -F, '{ n = $1; s = $2 } END { printf "%d %.5f", n, s }')
    [ "$got" = "$wanted" ] || fail "$log: evaluations $got, and awk finds $wanted"
    evaluations=$((evaluations + ${got% *}))
done < <(find "$shared/bigscience/experiments" -name '*.out' | sort)
[ "$timers" = 1824 ] || fail "$timers timers in BigScience's logs"
[ "$evaluations" = 5 ] || fail "$evaluations evaluations in BigScience's logs"
# Start-up, by hand from the lines of one of these logs and of SuperBench's: milliseconds of each phase.
phases() { # log, what its lines say
    ingest "$1"
    got=$(query phases --columns phase,start_ns,end_ns | awk -F, '{ printf "%s %.0f ", $1, ($3 - $2) / 1e6 }')
    [ "$got" = "$2 " ] || fail "$1: phases $got"
}
phases "$shared/bigscience/experiments/gpt2-meg/meg_gpt2_perf_n16-1999618.out" \
    'init 37087 compile 17880 init 1000 load 0 data 1000 first_step 150892'
phases "$shared/superbench/megatron_deepspeed.log" \
    'init 2115 compile 2092 init 16983 load 17 data 0 first_step 76015'
[ "$(query train_measures --where 'value is missing' --columns name,min,max | sort | paste -sd ' ')" = "load-checkpoint,0.00115,0.01661 \
model-and-optimizer-setup,16.58481,16.58833 train/valid/test-data-iterators-setup,0.29883,0.3426" ] ||
    fail 'timers of SuperBench'
wanted=$(grep -ao 'CurrSamplesPerSec=[0-9.]*' "$shared/superbench/megatron_deepspeed.log" | awk -F= '{ s += $2 } END { printf "%d %.4f", NR, s }')
[ "$(query train_measures --where 'name = samples_per_s' --agg 'count,sum(value)' | awk -F, '{ printf "%d %.4f", $1, $2 }')" = "$wanted" ] ||
    fail 'samples a second of SuperBench'

# What Megatron-LM's tests keep of runs: median, longest step but for the first, the first.
golden() { # file, seconds
    ingest "$shared/megatron-golden/$1"
    got=$(query train_steps --agg 'p50(duration_ns)')
    got+=" $(query train_steps --where 'iteration > 1' --agg 'max(duration_ns)')"
    got+=" $(query train_steps --where 'iteration = 1' --agg 'max(duration_ns)')"
    got=$(awk '{ printf "%.3f %.2f %.1f", $1 / 1e9, $2 / 1e9, $3 / 1e9 }' <<<"$got")
    [ "$got" = "$2" ] || fail "$1: $got, not $2"
}
golden mixtral/mixtral_8x7b_alltoall_tp2pp4ep4_release/golden_values_dev_dgx_h100.json '8.961 88.10 92.4'
golden gpt/gpt3_15b_8t_release/golden_values_dev_dgx_h100.json '1.435 6.14 0.0' # its first has no time

# verl: two steps
ingest "$shared/rl-verl/verl_console_steps_transcribed.log"
[ "$(query train_steps --agg count)" = 2 ] || fail 'verl: not two steps'
echo "training_logs_published: $n logs"
