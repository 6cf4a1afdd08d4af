#!/usr/bin/env bash
# Each figure that docs/command-line.md names for --fail-on stands in the JSON of its report under that
# name, and --fail-on sees the value that the JSON has.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

# names ROW: the figures of the table's row that begins so.
names() {
    grep -F "| $1" "$root/docs/command-line.md" | grep -F '**' | cut -d '|' -f 3 | grep -oE '`[a-z0-9_.]+`' |
        tr -d '`'
}

# The figure at a path: as it is, within "figures", or with an element of an array by its first member.
value='def at($p): reduce $p[] as $k (.; if type == "array" then map(select(.[keys_unsorted[0]] == $k))[0] else .[$k]? end);
    ($name / ".") as $p | ((.figures? // {} | at($p)) // at($p)) |
    if type == "object" then .value // .mean else . end | numbers'

# check ROW ARG...: the report and its figures.
check() {
    local row=$1 name number condition n=0
    shift
    "$hindcast" "$@" -q --json >report.json
    jq '. + {m_w: (.m_w // {}), m_s: (.m_s // {})}' report.json >with.json
    for name in $(names "$row"); do
        number=$(jq --arg name "$name" "$value" with.json)
        [ -n "$number" ] || { fail "$row: the JSON has no $name"; continue; }
        n=$((n + 1))
        condition="$name >= $number and $name <= $number"
        "$hindcast" "$@" -q --fail-on "$condition" >/dev/null 2>message && fail "$row: not $condition"
        grep -qF "$name is $number" message || fail "$row: $condition: $(cat message)"
        "$hindcast" "$@" -q --fail-on "$name < $number" >/dev/null || fail "$row: $name < $number"
    done
    [ "$n" -ge 8 ] || fail "$row: only $n figures"
}

samples=$root/data/samples
"$hindcast" ingest -q -a archive "$samples"/fleet/trace-* >/dev/null
"$hindcast" whatif -q -a archive --all --shard 1/1 -o shard.json
check '`whatif` |' whatif "$samples/trace-slow-worker.parquet"
check '`compare`' compare "$samples/trace-slow-worker.parquet" "$samples/trace-slow-stage.csv.gz"
check '`whatif --all`' whatif -a archive --all
check '`whatif --all`' merge shard.json
check '`report reliability` |' report reliability "$samples"/incidents/*.csv
[ ! -e failures ]
