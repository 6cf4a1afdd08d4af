#!/usr/bin/env bash
# What `synth cluster` says that the GPU-time of its cluster went into, against other ways to work that out: the
# dump of the scheduler, the logs, and the launches played forward. The same seed gives the same bytes.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_truth: $*" >&2
    exit 1
}
size="--nodes 32 --days 40 --jobs 1000 --runs 6 --faults 90 --zone UTC"
end=$(date -d 2026-04-10T00:00:00Z +%s)
for seed in ${HINDCAST_SEEDS:-1 2 3 4}; do
    rm -rf made
    "$hindcast" synth cluster -q $size --seed "$seed" -o made
    python3 "$root/tests/support/cluster_truth.py" made "$end" || fail "seed $seed"
    cat made/truth/account.csv >>all.csv
done
for leaf in startup.image,planned startup.load,infrastructure lost_work,infrastructure lost_work,user lost_work,planned \
    detection,infrastructure recovery,user checkpoint.stall,none evaluation,none idle_after,none; do
    grep -q ",$leaf," all.csv || fail "nothing of $leaf, so nothing is tested"
done
"$hindcast" synth cluster -q $size --seed "$seed" -o again
diff -r made again >/dev/null || fail 'the same options, other bytes'
