#!/usr/bin/env bash
# Reports on the account of made-up clusters, against what was done to them (truth/account.csv).
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "account_reports: $*" >&2
    exit 1
}
for seed in ${HINDCAST_SEEDS:-1 2 3}; do
    rm -rf made A
    "$hindcast" synth cluster -q --zone UTC --nodes 32 --days 40 --jobs 400 --runs 6 --faults 90 --seed "$seed" -o made
    "$hindcast" ingest -q -a A made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >/dev/null
    "$hindcast" ingest -q -a A --zone UTC made/logs/*/*.out >/dev/null
    "$hindcast" top lost -a A --from 2026-03-01 --to 2026-04-12 --by run,user,node,cause --json >top.json
    "$hindcast" report ettr -a A --json >ettr.json
    "$hindcast" report startup -a A --from 2026-03-01 --to 2026-04-12 --json >startup.json
    python3 "$root/tests/support/account_reports.py" || fail "seed $seed"
done
