#!/usr/bin/env bash
# Nodes of one name on two clusters are two for the findings; an event's name is looked at however many there
# are, the last ones together; and the account is reconciled with the scheduler each night.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "findings_clusters: $*" >&2
    exit 1
}
counts() { # kind, series and findings of the night
    "$hindcast" report findings -a all --date 2026-04-05 --json "$@" |
        python3 -c 'import json, sys
for kind in json.load(sys.stdin)["findings"]["kinds"]:
    if kind["kind"] in ("lemon_node", "event_rate", "reconciliation"):
        print(kind["kind"], kind["series"], kind["findings"])' | tr '\n' ';'
}
for cluster in 1 2; do
    "$hindcast" synth cluster -q --nodes 8 --days 40 --jobs 2000 --runs 2 --faults 60 --seed $cluster -o $cluster
    sed "s/|made|/|c$cluster|/" $cluster/slurm/sacct.txt >$cluster.txt
    "$hindcast" ingest -q -o - -a all $cluster.txt >said
done
apart=$(($(counts --cluster c1 | sed 's/lemon_node \([0-9]*\).*/\1/') + $(counts --cluster c2 | sed 's/lemon_node \([0-9]*\).*/\1/')))
[ "$apart" -gt 8 ] || fail "the two clusters have $apart nodes"
[ "$(counts)" = "lemon_node $apart 0;event_rate 0 0;reconciliation 1 0;" ] || fail "$apart nodes apart, but $(counts)"
# 300 codes, of which no catalogue knows most.
for code in {1..300}; do
    printf '2026-04-0%s:%02d:00+00:00 gpu0001 kernel: NVRM: Xid (PCI:0000:3a:00): %d, pid=1, name=python3, x\n' \
        $((code % 5 + 1))T$((code % 10 + 10)) $((code % 60)) "$code"
done >kernel.log
"$hindcast" ingest -q -o - -a all kernel.log >said
case $(counts) in
    *';event_rate 256 '*) ;;
    *) fail "300 codes: $(counts)" ;;
esac
# A cluster whose accounting ended days ago is told of, though the records of another go on.
"$hindcast" synth cluster -q --nodes 8 --days 31 --jobs 1500 --runs 2 --seed 3 -o 3
sed "s/|made|/|c3|/" 3/slurm/sacct.txt >3.txt
"$hindcast" ingest -q -a all 3.txt >said
stale() {
    "$hindcast" report findings -a all --date 2026-04-05 --json --cluster "$1" | python3 -c 'import json, sys
print(*(f["subject"] for f in json.load(sys.stdin)["findings"]["rows"] if f["kind"] == "stale_source"))'
}
[ "$(stale c3)" = jobs ] || fail "of a cluster without accounting since Sunday: stale '$(stale c3)'"
[ -z "$(stale c1)" ] || fail "of a cluster whose accounting goes on: stale '$(stale c1)'"
