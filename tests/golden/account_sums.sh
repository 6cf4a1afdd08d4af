#!/usr/bin/env bash
# The account of GPU-time against sums that awk makes of the same dump, which has more records than one
# batch of ingest; and the same dump in parts, in another order and twice: the same bytes.
set -euo pipefail
: "${HINDCAST:?the program to test}"
HINDCAST=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "account_sums: $*" >&2
    exit 1
}
"$HINDCAST" synth cluster -q --nodes 400 --days 20 --jobs 150000 --runs 4 --faults 40 --seed 5 -o made
sacct=made/slurm/sacct.txt

# GPU-hours by state: gres/gpu of AllocTRES times ElapsedRaw.
awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["Start"] != "Unknown" {
        gpus = 0
        if (match($at["AllocTRES"], /gres\/gpu=[0-9]+/))
            gpus = substr($at["AllocTRES"], RSTART + 9, RLENGTH - 9)
        state = tolower($at["State"]); sub(/ .*/, "", state)
        n[state]++; s[state] += gpus * $at["ElapsedRaw"]
    }
    END { for (state in n) printf "state,%s,%d,%.6f\n", state, n[state], s[state] / 3600 }' "$sacct" |
    sort >expected
[ -s expected ] || fail 'awk made no sums'

account() { # archive
    "$HINDCAST" report account -a "$1" --csv -
}
"$HINDCAST" ingest -q -a whole "$sacct" >/dev/null
account whole >whole.csv
awk -F, '$1 == "state" { printf "state,%s,%d,%.6f\n", $2, $3, $4 }' whole.csv | sort | diff expected - ||
    fail 'other GPU-hours than awk sums up'

head -n 1 "$sacct" >head
tail -n +2 "$sacct" | awk '{ print (NR * 7919) % 104729 "\t" $0 }' | sort -n | cut -f2- >body
cat head body >other-order.txt
"$HINDCAST" ingest -q -a order other-order.txt >/dev/null
account order | cmp - whole.csv || fail 'another order of lines, another account'

n=$(wc -l <body)
{ cat head; head -n $((n * 2 / 3)) body; } >first.txt
{ cat head; tail -n $((n * 2 / 3)) body; } >second.txt
"$HINDCAST" ingest -q -a parts second.txt first.txt >/dev/null
account parts | cmp - whole.csv || fail 'in two parts that overlap, another account'
"$HINDCAST" ingest -q -o - -a parts "$sacct" >said
grep -q unchanged said || fail "a dump that the archive holds changed it: $(cat said)"
account parts | cmp - whole.csv || fail 'ingested again, another account'
echo "account_sums: $n records, $(wc -l <expected) states"
