#!/usr/bin/env bash
# Tables of jobs that others published, against the numbers that were published of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
nasa=$shared/swf-cloudsimplus/NASA-iPSC-1993-3.1-cln.swf.zip
[ -r "$nasa" ] || {
    echo "skipped: no job tables in ../shared/data"
    exit 77
}
shared=$(realpath "$shared")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "workloads_published: $*" >&2
    exit 1
}
query() { "$hindcast" query jobs -a "$1" "${@:2}" --as csv | tail -n +2; }

# NASA's iPSC: a zip archive; no job has a wait time.
"$hindcast" ingest -q -a nasa "$nasa" >said 2>warned
grep -q ' 18,239 of 18,239 rows new' said || fail "NASA: $(cat said)"
grep -q 'jobs without a wait time: 18239; ' warned || fail "NASA: $(cat warned)"
[ "$(query nasa --where 'start_ns is missing and elapsed_ns >= 0s' --agg count)" = 18239 ] || fail 'NASA: waits'
# Line by line with another reader, awk, where there is an unzip.
if command -v unzip >/dev/null; then
    unzip -p "$nasa" | awk '!/^;/ && NF { printf "%d,%d,%d,%d\n", $1, $2 + 749458803, $4, $5 }' | sort >theirs
    query nasa --columns job,submit_ns,elapsed_ns,cpus |
        awk -F, '{ printf "%d,%d,%d,%d\n", $1, $2 / 1e9, $3 / 1e9, $4 }' | sort >ours
    cmp ours theirs || fail 'NASA: jobs differ'
fi
echo "workloads_published: 18,239 jobs of NASA's iPSC"
