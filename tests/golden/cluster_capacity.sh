#!/usr/bin/env bash
# Installed GPU-time of a made-up cluster against a second account of it (tests/support/capacity_oracle.py), to the
# nanosecond, for days of two zones; it reconciles with the account of jobs; sums over nodes are those over days;
# the order of the sources is of no matter; and the same states as a history and as looks each hour agree within
# the hour.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v python3 >/dev/null && command -v jq >/dev/null || exit 77
oracle=$root/tests/support/capacity_oracle.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_capacity: $*" >&2
    exit 1
}
# Columns of a CSV file by name.
columns() {
    awk -F, -v want="$1" 'NR == 1 { n = split(want, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = $at[name[1]]; for (i = 2; i <= n; i++) line = line "," $at[name[i]]; print line }' "$2"
}
leaves='day allocated_gpu_ns down_gpu_ns drained_gpu_ns maintenance_gpu_ns reserved_gpu_ns idle_demand_gpu_ns idle_no_demand_gpu_ns idle_unknown_gpu_ns'
capacity() { "$hindcast" report capacity -q "$@"; }
is_near() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { d = a - b; exit !((d < 0 ? -d : d) <= most) }'; }

for seed in ${HINDCAST_SEEDS:-1 2}; do
    rm -rf made out one two tables
    mkdir out
    # The clocks of Berlin are set forward on the 29th.
    "$hindcast" synth cluster -q --nodes 24 --days 12 --jobs 2500 --runs 3 --faults 120 --seed "$seed" \
        --start 2026-03-20T00:00:00Z -o made
    python3 "$oracle" make made out
    "$hindcast" ingest -q -a one made/slurm/sacct.txt made/slurm/events.txt out/inventory.txt out/queue.txt >/dev/null
    for zone in UTC Europe/Berlin; do
        python3 "$oracle" count made "$zone" >truth
        capacity -a one --zone "$zone" --csv - >days.csv
        columns "$leaves" days.csv >got
        diff truth got >difference || fail "seed $seed, $zone: $(head -n 4 difference)"
    done
    # Every leaf that can be is there, and nothing is beside the tree.
    capacity -a one --csv tables --json >one.json
    jq -e '.total | .allocated_gpu_hours > 0 and .down_gpu_hours > 0 and .drained_gpu_hours > 0 and .idle_demand_gpu_hours > 0
        and .idle_no_demand_gpu_hours > 0 and .idle_unknown_gpu_hours > 0 and .over_gpu_hours == 0 and
        .outside_gpu_hours == 0' one.json >/dev/null || fail "seed $seed: $(jq -c .total one.json)"

    # All that jobs held is found again, and is what the account of jobs has.
    held=$(jq '.trust.held_gpu_hours' one.json)
    is_near "$held" "$(jq '.total | .allocated_gpu_hours + .over_gpu_hours + .outside_gpu_hours' one.json)" 1e-6 ||
        fail "seed $seed: what is held is not found again"
    is_near "$held" "$("$hindcast" report account -q -a one --json | jq .totals.gpu_hours)" 1e-6 ||
        fail "seed $seed: the account of jobs has other GPU-hours"
    for table in nodes days; do
        columns installed_gpu_hours tables/$table.csv | awk '{ sum += $1 } END { printf "%.6f\n", sum }'
    done | uniq | wc -l | grep -qx 1 || fail "seed $seed: nodes and days have other sums"

    # Sources one by one, in another order.
    for file in out/queue.txt made/slurm/events.txt out/inventory.txt made/slurm/sacct.txt; do
        "$hindcast" ingest -q -a two "$file" >/dev/null
    done
    capacity -a two --json | sed 's/"two"/"one"/' | cmp - <(capacity -a one --json) || fail "seed $seed: the order matters"

    # Looks each hour in place of the history: each begin and end may be an hour late.
    rm -rf two
    "$hindcast" ingest -q -a two made/slurm/sacct.txt out/hourly-*.txt >/dev/null
    capacity -a two --json >two.json
    n=$(tail -n +2 made/slurm/events.txt | wc -l)
    for leaf in down drained; do
        is_near "$(jq ".total.${leaf}_gpu_hours" one.json)" "$(jq ".total.${leaf}_gpu_hours" two.json)" "$((8 * n))" ||
            fail "seed $seed: $leaf by history and by looks differ by more than an hour for each of $n events"
    done
    # Both at once: the history holds, and the looks, which say the same, do not disagree.
    "$hindcast" ingest -q -a one out/hourly-*.txt >/dev/null
    capacity -a one --json >both.json
    [ "$(jq .trust.disagreeing both.json)" = 0 ] || fail "seed $seed: looks disagree with the history"
    jq -e --slurpfile one one.json '.total.down_gpu_ns == $one[0].total.down_gpu_ns and
        .total.drained_gpu_ns == $one[0].total.drained_gpu_ns and .total.unheard_gpu_hours == 0' both.json >/dev/null ||
        fail "seed $seed: looks change what the history says"
done
# The looks and the truth of the maker itself: demand is known at each second there, and each 10 minutes here.
for args in '--nodes 16 --days 10 --jobs 6500' '--nodes 24 --days 8 --jobs 2000 --node-days 3'; do
    "$hindcast" synth cluster --help | grep -q -- --queue-days || break
    rm -rf made three
    # shellcheck disable=SC2086 # several options
    "$hindcast" synth cluster -q $args --queue-days 10 --faults 100 -o made
    "$hindcast" ingest -q -a three made/slurm/sacct.txt made/slurm/events.txt made/nodes/* made/queue/* >/dev/null
    n_days=$(cut -d, -f1 made/truth/installed.csv | tail -n +2 | sort -u | wc -l)
    to=$(date -u -d "2026-03-01 + $n_days days" +%F)
    capacity -a three --from 2026-03-01 --to "$to" --csv three.csv --json >three.json
    # Looks do not say of jobs without GPUs that they have none; their accounting does.
    [ "$(jq .trust.queue_gpus_unknown three.json)" = 0 ] || fail "$args: GPUs of jobs in the queue are not known"
    columns "$leaves" three.csv/days.csv | awk -F, '{ printf "%s,%s,%s,%s,%.0f\n", $1, $2, $3, $4, $7 + $8 + $9; d += $7 }
        END { printf "demand %.0f\n", d / 3.6e12 }' >got
    columns 'day allocated_gpu_ns down_gpu_ns drained_gpu_ns idle_gpu_ns idle_demand_gpu_ns' made/truth/installed.csv |
        awk -F, '!($1 in n) { day[++k] = $1 } { n[$1]; for (i = 2; i <= 6; i++) sum[$1, i] += $i; d += $6 }
            END { for (i = 1; i <= k; i++) printf "%s,%.0f,%.0f,%.0f,%.0f\n", day[i], sum[day[i], 2], sum[day[i], 3],
                sum[day[i], 4], sum[day[i], 5]; printf "demand %.0f\n", d / 3.6e12 }' >truth
    diff <(grep -v demand truth) <(grep -v demand got) >difference || fail "$args: $(head -n 4 difference)"
    is_near "$(sed -n 's/^demand //p' got)" "$(sed -n 's/^demand //p' truth)" \
        "$(sed -n 's/^demand //p' truth | awk '{ print 1 + 0.03 * $1 }')" || fail "$args: $(grep demand got truth)"
done
echo "cluster_capacity: the leaves of $(wc -l <truth) days are those of the second account"
