#!/usr/bin/env bash
# Dumps of sacct that others published: XDMoD's, whose counts are published, and gcm's, whose fields
# hold line ends.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
[ -r "$shared/slurm-xdmod/phillips.log" ] && [ -d "$shared/slurm-gcm" ] || {
    echo "skipped: no dumps of sacct in ../shared/data"
    exit 77
}
shared=$(realpath "$shared")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "sacct_published: $*" >&2
    exit 1
}
query() { "$hindcast" query jobs -a "$1" "${@:2}" --as csv | tail -n +2; }

# XDMoD: 26 columns without a header.
"$hindcast" ingest -q -a xdmod "$shared/slurm-xdmod/phillips.log" >/dev/null
query xdmod --group-by state --agg count --order 'count desc' >states
printf '%s\n' completed,2324 failed,1717 cancelled,243 timeout,1 | diff - states || fail 'phillips.log'
[ "$(query xdmod --agg 'sum(elapsed_ns)')" = "$(awk -F'|' '{
    n = split($15, part, /[-:]/); d = n == 4 ? part[1] : 0
    s += d * 86400 + part[n - 2] * 3600 + part[n - 1] * 60 + part[n] }
    END { printf "%d000000000", s }' "$shared/slurm-xdmod/phillips.log")" ] || fail 'sum of elapsed times'

# gcm: two jobs and two steps in records over several lines.
"$hindcast" ingest -q -o - -a gcm "$shared/slurm-gcm/sample-sacct-one-multiline.txt" >said
grep -q '2 of 4 rows new' said || fail "records over several lines: $(cat said)"
grep -q '2 ignored, rows of job steps' said || fail "job steps: $(cat said)"
printf '%s\n' 201729,failed,1024,128 201844,requeued,256,32 >expected
query gcm --columns job,state,gpus,nodes | diff expected - || fail 'jobs of gcm'
"$hindcast" ingest -q -o - -a steps "$shared/slurm-gcm/sample-sacct-output.txt" >said
grep -q '68 ignored, rows of job steps' said || fail "a dump of steps alone: $(cat said)"
echo "sacct_published: 4,285 and 2 jobs"
