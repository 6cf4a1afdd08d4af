#!/usr/bin/env bash
# The categories of ml-goodput sum to the tree of the account, to the nanosecond: over made-up clusters, of one day
# and of twenty, by the leaves of the report and by a map written down here from the definitions
# (docs/methods/account.md).
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for seed in ${HINDCAST_SEEDS:-1 2}; do
    rm -rf made A
    "$hindcast" synth cluster -q -o made --nodes 32 --days 20 --jobs 400 --runs 6 --faults 60 --seed "$seed"
    "$hindcast" ingest -q -o - -a A made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json \
        made/starts/marks.log >/dev/null
    "$hindcast" ingest -q -a A --zone Europe/Berlin made/logs/*/*.out >/dev/null
    for days in 20 1; do
        "$hindcast" report nightly -a A --date 2026-03-$((10 + (days > 1 ? 10 : 0))) --days $days --json >night.json
        python3 - "$days" night.json <<'END'
import json, sys
# By the numbers of BadputType; 0 is goodput.
number = {"startup.image": 2, "startup.environment": 2, "startup.init": 1, "startup.load": 7, "startup.compile": 3,
          "startup.first_step": 3, "startup.warm_up": 3, "startup.failed": 9, "startup.unsplit": 11,
          "productive.ideal": 0, "productive.straggler_excess": 0, "productive.unsplit": 0, "degraded": 12,
          "checkpoint.stall": 6, "evaluation": 10, "data_wait": 4, "lost_work": 8, "abandoned": 8, "detection": 9,
          "localisation": 9, "recovery": 9, "standby.idle": 11, "pool.idle": 11, "idle_after": 11, "unknown": 11}
days, night = sys.argv[1], json.load(open(sys.argv[2]))
total = int(night["totals"]["gpu_ns"])
wanted = {}
for leaf in night["leaves"]:
    if leaf["why"] is None:
        n = number[leaf["what"]]
        wanted[n] = wanted.get(n, 0) + int(leaf["gpu_ns"])
found = {row["number"]: int(row["gpu_ns"]) for row in night["goodput"]}
assert len(found) == len(night["goodput"]), "a category is there twice"
assert sum(found.values()) == total > 0, (sum(found.values()), total)
assert found == {n: ns for n, ns in wanted.items() if ns}, (found, wanted)
if days != "1":
    missing = {0, 1, 2, 6, 7, 8, 9, 10, 11} - set(found)
    assert not missing, f"nothing of categories {missing}, so nothing is tested"
    assert len(night["runs"]) == 6
print(f"{days} days: {len(found)} categories, {total} GPU-ns")
END
    done
done
