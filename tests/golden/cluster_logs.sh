#!/usr/bin/env bash
# The logs of a made-up cluster's runs against what was planted: each cycle with its first step, what it
# loaded and what it saved; the ends by faults; and the same logs rotated, packed, in pieces and twice.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_logs: $*" >&2
    exit 1
}
"$hindcast" synth cluster -q --nodes 32 --days 40 --jobs 50 --runs 5 --faults 90 --seed 11 -o made
ingest() { "$hindcast" ingest -q -a "$1" --zone Europe/Berlin "${@:2}" >/dev/null; }
query() { "$hindcast" query "$2" -a "$1" "${@:3}" --as csv | tail -n +2; }
ingest whole made/logs/*/*.out

# Times in seconds; a cycle without a step has no start-up lines in the logs.
query whole cycles --columns job,first_step_ns,loaded_iteration,saved_iteration,clock |
    awk -F, '{ printf "%s,%d,%d,%d,%s\n", $1, $2 / 1e9, $3, $4, $5 }' | sort >got
awk -F, 'NR > 1 && $5 != "" {
    printf "%s,%d,%d,%d,stamped\n", $2, $5, $7, ($9 > $7 ? $9 : 0) }' made/truth/cycles.csv | sort >planted
diff planted got || fail 'other cycles than were planted'

# What faults did to cycles: watchdogs of links and switches, CUDA errors of GPUs, ends of nodes.
planted() { # kinds
    awk -F, -v kinds="$1" 'NR == FNR { kind[$1] = $2; next }
        FNR > 1 && $10 != "" && $6 != "" && index(kinds, " " kind[$10] " ") { n++ }
        END { print n + 0 }' made/truth/faults.csv made/truth/cycles.csv
}
events() { query whole events --where "$1" --agg count; }
[ "$(events "class = watchdog")" = "$(planted ' link switch ')" ] || fail 'watchdogs'
[ "$(events "class = torchrun")" = "$(planted ' gpu_lost ecc nvlink ')" ] || fail 'torchrun'
[ "$(events "class = scheduler and name ~ 'NODE FAILURE*'")" = "$(planted ' node_down ')" ] || fail 'nodes'
[ "$(planted ' link switch ')" -gt 0 ] && [ "$(planted ' gpu_lost ecc nvlink ')" -gt 0 ] || fail 'no faults'

# The same logs, read again as a site has them: grown in two pieces, rotated, packed.
tables() { for table in train_steps cycles checkpoints phases; do
    query "$1" $table --columns "$("$hindcast" query $table -a "$1" --limit 1 --as csv | head -n 1 |
        tr ',' '\n' | grep -v '^source$\|^line$' | paste -sd,)"
done; }
tables whole >whole.csv
mkdir kept
for log in made/logs/*/*.out; do
    cp "$log" kept/all
    head -n "$(($(wc -l <kept/all) / 2))" kept/all >"$log"
done
ingest parts made/logs/*/*.out
for log in made/logs/*/*.out; do rm "$log"; done
rm -rf made
"$hindcast" synth cluster -q --nodes 32 --days 40 --jobs 50 --runs 5 --faults 90 --seed 11 -o made
ingest parts made/logs/*/*.out
tables parts | diff whole.csv - >difference || fail "grown logs: $(head -n 4 difference)"
for log in made/logs/*/*.out; do mv "$log" "$log.1" && gzip "$log.1"; done
ingest parts made/logs/*/*.gz
tables parts | diff whole.csv - >difference || fail "rotated and packed logs: $(head -n 4 difference)"
echo "cluster_logs: $(wc -l <planted) cycles, $(wc -l <whole.csv) rows"
