#!/usr/bin/env bash
# Our files through the tools of others, and theirs through ours: h5dump reads a segment, and traces
# that gzip, zstd and xz compressed (in several members, frames and streams too) are the same trace.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "$*"
    exit 1
}
for tool in h5dump gzip zstd xz jq; do
    command -v "$tool" >/dev/null || { echo "skipped: '$tool' is not installed"; exit 77; }
done

"$hindcast" synth steps --dp 2 --pp 2 --microbatches 4 --steps 6 --seed 7 -o trace-plain.csv
half=$(($(wc -l <trace-plain.csv) / 2))
gzip -c trace-plain.csv >trace-gzip.csv.gz
zstd -qc trace-plain.csv >trace-zstd.csv.zst
{ head -n "$half" trace-plain.csv | gzip -c; tail -n +$((half + 1)) trace-plain.csv | gzip -c; } \
    >trace-members.csv.gz
{ head -n "$half" trace-plain.csv | zstd -qc; tail -n +$((half + 1)) trace-plain.csv | zstd -qc; } \
    >trace-frames.csv.zst
xz -c trace-plain.csv >trace-xz.csv.xz
{ head -n "$half" trace-plain.csv | xz -c; tail -n +$((half + 1)) trace-plain.csv | xz -9c; } \
    >trace-streams.csv.xz

"$hindcast" ingest -a archive trace-* >/dev/null
digest() { # of all values of all columns, as h5dump prints them
    local segment
    segment=archive/$("$hindcast" ls -a archive --json |
        jq -r --arg id "$1" '.jobs[] | select(.id == $id) | .segment')
    for table in ops steps; do
        h5dump -y -w 1 -g "/$table" "$segment" 2>&1 || fail "h5dump: /$table of '$segment'"
    done | grep -v '^HDF5' | sha256sum
}
plain=$(digest plain)
n_values=$(h5dump -y -w 1 -d /ops/duration_ns archive/segments/*plain* | grep -cE '^ +[0-9]+,?$')
n_rows=$(($(wc -l <trace-plain.csv) - 1))
[ "$n_values" = "$n_rows" ] || fail "h5dump sees $n_values durations of $n_rows rows"
for other in gzip zstd xz members frames streams; do
    [ "$(digest "$other")" = "$plain" ] || fail "'$other' is not the same as the plain trace"
done
echo "$n_rows rows, seven ways"
