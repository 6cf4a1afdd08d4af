#!/usr/bin/env bash
# Incidents that others recorded give the figures that they published: the fault trace of InfiniteHBD,
# the failure records of Los Alamos, and the table of Llama 3; each from its file and from an archive.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
data=${HINDCAST_SHARED:-$root/../shared}/data
[ -r "$data/infinitehbd/fault_trace.json" ] || { echo "skipped: no ../shared/data/infinitehbd"; exit 77; }
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
data=$(realpath "$data")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a failures; }

# is DOCUMENT FILTER WANTED
is() {
    local found
    found=$(jq -c "$2" "$1")
    [ "$found" = "$3" ] || fail "$1: $2 is $found, not $3"
}

cp "$data/infinitehbd/fault_trace.json" .
cp "$data"/hpc-failures-eseur/reliability/*.csv.xz failures.csv.xz
awk -F, 'NR == 1 { print "text,count"; next } { print $1 "," $3 }' \
    "$data/published/llama3_herd_table5_interruptions.csv" >llama3.csv

# report NAME FILE OPTION...: from the file, and the same from an archive.
report() {
    local name=$1 file=$2
    shift 2
    "$hindcast" report reliability --json "$@" "$file" >"$name.json"
    "$hindcast" ingest --quiet -a "$name" "$file" >/dev/null
    "$hindcast" report reliability --json "$@" -a "$name" | grep -v '"command"' | cmp - <(grep -v '"command"' "$name.json") ||
        fail "$name: the archive says something else than the file"
    "$hindcast" check -a "$name" >/dev/null || fail "$name: the archive is not whole"
}

# ---- InfiniteHBD ----
report hbd fault_trace.json --nodes 400
"$hindcast" ingest --json -a hbd2 fault_trace.json >ingest.json
is ingest.json '.traces[0].rows.read' 1168
is hbd.json .incidents 584
is hbd.json .nodes_struck 231
is hbd.json .repeats 353
is hbd.json .overlapping_starts 2
is hbd.json .incidents_without_end 0
jq -S '[to_entries[] | .key as $level | .value | objects | to_entries[] | .key as $class | .value | objects |
    to_entries[] | select(.key != "ClassTotal") | {key: "\($level): \($class): \(.key)", value}] | from_entries' \
    "$data/infinitehbd/fault_statistics.json" >wanted.json
jq -S '[.by_text[] | {key: .text, value: .count}] | from_entries' hbd.json >found.json
is wanted.json length 40
cmp wanted.json found.json || fail "the 40 counts differ: $(diff wanted.json found.json | head)"
is hbd.json '[.by_cause[] | select(.cause == "unknown")] | length' 0

# ---- Los Alamos ----
report lanl failures.csv.xz
is lanl.json .incidents 23739
is lanl.json '[.by_domain[] | "\(.domain) \(.share * 1000 | round / 10)"]' \
    '["hardware 60.4","software 22.6","network 1.8","facilities 1.5","human 0.6","undetermined 11.2","unknown 1.9"]'
is lanl.json '.repair.mean_s / 60 | round' 352
is lanl.json '.repair.median_s / 60' 59
# Every word of the records is known: what is unknown has no word.
is lanl.json '[.by_text[] | select(.cause == "unknown")] | length' 0

# Repairs are lognormal (Schroeder and Gibson, DSN 2006), in nearly every system.
"$hindcast" report reliability --json --fits --age new failures.csv.xz >fits.json
is fits.json '[.fits[] | select(.all_groups | not) | .time_to_repair.best == "lognormal"] | "\(map(select(.)) | length) of \(length)"' '"18 of 19"'
is fits.json '.fits[0].time_to_repair.best' '"lognormal"'
is fits.json '[.fits[].between | .best as $best | .families[] | select(.family == $best and (.family == "weibull" or .family == "gamma")) | .shape.high < 1] | all' true

# ---- Llama 3 ----
report llama llama3.csv --nodes 2048 --from 0d --to 54d
is llama.json .incidents 419
is llama.json .node_days 110592
is llama.json '.rates[2].per_1000_node_days.value * 1000 | round' 3789
is llama.json '.rates[2].mttf_fleet_h.value * 100 | round' 309
is llama.json '[.by_text[] | select(.text == "Faulty GPU") | .share * 1000 | round][0]' 353
is llama.json '[.by_cause[] | select(.cause == "unknown")] | length' 0

[ ! -s failures ]
