#!/usr/bin/env bash
# Segments are read without libhdf5. Here both read the archive of all samples, and one with long
# texts and many chunks: names, attributes, types, rows and the places of chunks are the same.
# Needs HINDCAST (the program) and READERS_AGREE (tests/tools/readers_agree.c).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
agree=$(realpath "${READERS_AGREE:?the comparison}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
samples=$root/data/samples
"$hindcast" ingest -q -a archive "$samples"/trace-* "$samples"/fleet/trace-* >/dev/null
for file in "$samples"/incidents/*; do # two of them are one list in two formats: the second replaces the first
    "$hindcast" ingest -q -a archive "$file" >/dev/null
done
long=$(printf 'd%.0s' $(seq 200))
mkdir -p "$long/$long/$long/$long/$long"
trace=$long/$long/$long/$long/$long/trace-long.csv
"$hindcast" synth steps -q --dp 8 --pp 4 --microbatches 32 --steps 100 -o "$trace"
"$hindcast" ingest -q -a archive "$trace" >/dev/null
count=$("$agree" archive/segments/*.h5)
echo "$count"
[ "$(echo archive/segments/*.h5 | wc -w)" -ge 13 ] || { echo "FAIL: too few segments"; exit 1; }

# And they tell apart: one other byte in a header is no agreement.
set -- archive/segments/*.h5
chmod u+w "$1"
printf X | dd of="$1" bs=1 seek=100 conv=notrunc 2>dd.log
if "$agree" "$1" 2>refused; then
    echo "FAIL: a damaged header is read"
    exit 1
fi
