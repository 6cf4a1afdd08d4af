#!/usr/bin/env bash
# The account of 50 made-up clusters of other sizes against what was done in them, and how often its estimates agree
# within what they print: a row for each leaf. HINDCAST_CLUSTERS: other numbers of them.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
n_failed=0
for ((i = 1; i <= ${HINDCAST_CLUSTERS:-50}; i++)); do
    rm -rf made a
    nodes=$((12 + i * 7 % 60)) days=$((15 + i * 11 % 31)) runs=$((2 + i % 7)) faults=$((30 + i * 13 % 150))
    "$hindcast" synth cluster -q --nodes $nodes --days $days --jobs $((100 + 10 * i)) --runs $runs --faults $faults \
        --seed $((1000 + i)) -o made
    "$hindcast" ingest -q -a a made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >/dev/null
    "$hindcast" ingest -q -a a --zone Europe/Berlin made/logs/*/*.out >/dev/null
    last=$(date -u -d "2026-03-01 + $((days - 1)) days" +%F)
    "$hindcast" report nightly -a a --date "$last" --days "$days" --explain all --csv - >slices.csv
    python3 "$root/tests/support/night_truth.py" made slices.csv coverage.csv >/dev/null ||
        { echo "night_truth_50: seed $((1000 + i)) differs" >&2; n_failed=$((n_failed + 1)); }
done
python3 - coverage.csv <<'END'
import collections, sys
sums = collections.defaultdict(lambda: [0, 0, 0, 0])
for line in open(sys.argv[1]):
    leaf, *numbers = line.strip().split(",")
    for i, number in enumerate(numbers):
        sums[leaf][i] += int(number)
print("leaf                     estimates  within  GPU-hours of the truth  of the account")
for leaf, (n, within, truth, account) in sorted(sums.items()):
    print(f"{leaf:24} {n:9}  {100 * within / n:5.1f}% {truth / 3.6e12:23.1f} {account / 3.6e12:15.1f}")
n, within = sums["lost_work by a fault"][:2]
sys.exit(0 if n and within >= 0.9 * n else "night_truth_50: lost work is within its interval too seldom")
END
[ $n_failed = 0 ] || { echo "night_truth_50: $n_failed clusters differ" >&2; exit 1; }
