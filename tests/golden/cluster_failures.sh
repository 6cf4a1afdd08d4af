#!/usr/bin/env bash
# Failures of a made-up cluster against what was planted: each attempt and each launch that a fault ended
# is the infrastructure's; no healthy end is, though events of no consequence stand beside 5 % of them;
# and what else is taken for the infrastructure's is no more than chance was told to give. Where the
# kernel logs are those of another cluster, all that counts does so by chance, and the number that chance
# was told to give is right.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_failures: $*" >&2
    exit 1
}
figure() { sed -n "s/^  \"$1\": \([0-9.]*\),*$/\1/p" report.json; }
# Another size, as of a large site: HINDCAST_CLUSTER="--nodes 5000 --days 180 --jobs 1000000 --runs 99 --faults 56".
size=${HINDCAST_CLUSTER:---nodes 48 --days 40 --jobs 3000 --runs 6 --faults 60}
n_planted=0 n_false=0 chance=0
for seed in ${HINDCAST_SEEDS:-1 2 3}; do
    rm -rf made archive
    "$hindcast" synth cluster -q $size --seed "$seed" -o made
    "$hindcast" ingest -q -a archive made/slurm/sacct.txt made/kernel/journal.json >/dev/null
    "$hindcast" ingest -q -a archive --zone Europe/Berlin made/logs/*/*.out >/dev/null
    "$hindcast" report failures -a archive --json >report.json
    "$hindcast" report failures -a archive --csv - |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["side"] == "infrastructure" {
                printf "%d,%d,%s,%s\n", $at["raw_job"], $at["start_ns"] / 1e9,
                    $at["cycle"] == "" ? "attempt" : "launch", $at["evidence"] }' | sort >found

    # What faults ended: attempts, and launches inside an attempt that went on. A launch that never came
    # to a step has no line in a log, so neither it nor the end of the one before it is to be seen.
    awk -F, 'FNR > 1 && $13 != "" { print $3 "," $9 ",attempt" }' made/truth/attempts.csv >planted
    awk -F, 'FNR == 1 { next }
        NR == FNR { fault[$1] = $13; next }
        $1 != attempt { launch = "" }
        $5 != "" && launch != "" { print launch }
        $5 != "" { launch = $10 != "" && fault[$1] != $10 ? $2 "," $4 ",launch" : "" }
        { attempt = $1 }' \
        made/truth/attempts.csv <(head -n 1 made/truth/cycles.csv; tail -n +2 made/truth/cycles.csv | sort -t, -k1,1n -k3,3n) >>planted
    sort -o planted planted
    cut -d, -f1-3 found >ends
    comm -23 planted ends >missed
    [ ! -s missed ] || fail "seed $seed: planted and not found: $(head -n 3 missed)"
    comm -13 planted ends >false
    grep -F -f false found | grep certain && fail "seed $seed: certain, and not planted"
    n_planted=$((n_planted + $(wc -l <planted)))
    n_false=$((n_false + $(wc -l <false)))
    chance=$(awk -v a="$chance" -v b="$(figure expected_by_chance_high)" 'BEGIN { print a + b }')

    # Lines of no consequence: 5 % of healthy ends with GPUs.
    awk -v any="$(figure healthy_beside_any)" -v all="$(figure healthy)" -v stop="$(figure healthy_beside)" \
        'BEGIN { exit !(any / all > 0.03 && stop / all < 0.0015) }' || fail "seed $seed: healthy ends"
done
awk -v n="$n_false" -v most="$chance" 'BEGIN { exit !(n <= most) }' ||
    fail "$n_false are taken for the infrastructure's, chance gives at most $chance"
echo "cluster_failures: $n_planted planted, $n_false by chance (at most $chance)"
[ -z "${HINDCAST_CLUSTER:-}" ] || exit 0

# Records of one cluster, kernel logs of another with the same names of nodes.
likely=0 expected=0
for seed in 1 2 3 4; do
    rm -rf made other archive
    size="--nodes 200 --days 40 --jobs 20000 --runs 1 --faults 300"
    "$hindcast" synth cluster -q $size --seed "$seed" -o made
    "$hindcast" synth cluster -q $size --seed $((seed + 100)) -o other
    "$hindcast" ingest -q -a archive made/slurm/sacct.txt other/kernel/journal.json >/dev/null
    "$hindcast" report failures -a archive --json >report.json
    likely=$((likely + $("$hindcast" report failures -a archive --csv - | grep -c ',likely,')))
    expected=$(awk -v a="$expected" -v b="$(figure expected_by_chance)" 'BEGIN { print a + b }')
done
awk -v n="$likely" -v e="$expected" 'BEGIN { exit !(e > 50 && (n - e) ^ 2 <= 1.96 ^ 2 * e) }' ||
    fail "$likely count by chance, and $expected were expected"
echo "cluster_failures: $likely of another cluster's events, $expected expected"
