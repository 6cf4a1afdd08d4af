#!/usr/bin/env bash
# Tables of jobs that others published, against the numbers that were published of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
nasa=$shared/swf-cloudsimplus/NASA-iPSC-1993-3.1-cln.swf.zip
[ -r "$nasa" ] && [ -r "$shared/philly-pollux/philly.csv" ] && [ -d "$shared/philly-muri" ] || {
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
"$hindcast" ingest -q -o - -a nasa "$nasa" >said 2>warned
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
# Philly as Pollux and Sia have it, in Pacific time: counts by GPUs, mean and median of the durations.
"$hindcast" ingest -q -o - -a pollux --zone America/Los_Angeles "$shared/philly-pollux/philly.csv" >said 2>warned
grep -q ' 82,247 of 82,247 rows new' said || fail "Pollux: $(cat said)"
printf '%s\n' 1,76627 2,1818 4,1870 8,1643 12,7 16,199 24,7 32,67 64,6 128,3 >expected
query pollux --group-by gpus --agg count --order gpus | diff expected - || fail 'Pollux: GPUs'
query pollux --agg 'mean(elapsed_ns),p50(elapsed_ns)' >figures
awk -F, '{ exit !(int($1 / 1e9 + 0.5) == 13136 && $2 / 1e9 == 1144) }' figures || fail "Pollux: $(cat figures)"
# Summer time: 07:01:55 is seven hours behind UTC.
query pollux --where 'job = 1' --columns submit_ns >submitted
[ "$(cat submitted)" = 1507557715000000000 ] || fail "Pollux: zone: $(cat submitted)"

# Muri: traces in milliseconds, and jobs as a scheduler ran them in seconds; both of one trace.
"$hindcast" ingest -q -o - -a trace "$shared/philly-muri/cluster_exp/trace-data/cluster_trace.csv" >said 2>warned
grep -q ' 400 of 400 rows new' said || fail "Muri: $(cat said)"
"$hindcast" ingest -q -o - -a run "$shared/philly-muri/cluster_exp/results/Muri-L/job.csv" >said 2>warned
grep -q ' 400 of 400 rows new' said || fail "Muri: $(cat said)"
query trace --columns job,submit_ns,gpus | sort >trace.csv
query run --columns job,submit_ns,gpus | sort >run.csv
cmp trace.csv run.csv || fail 'Muri: trace and run differ'
[ -z "$(query run --where 'start_ns is missing or end_ns is missing' --columns job)" ] || fail 'Muri: a job never ran'
for n in 1 3; do
    file=$shared/philly-muri/simulator/trace-data/trace$n.csv
    "$hindcast" ingest -q -o - -a "sim$n" "$file" >said 2>warned
    [ "$(query "sim$n" --agg 'count,sum(gpus),sum(elapsed_ns)')" = \
        "$(awk -F, 'NR > 1 { n++; g += $2; s += $7 } END { printf "%d,%d,%.0f000000", n, g, s }' "$file")" ] || fail "Muri: trace$n"
done
echo "workloads_published: 82,247 jobs of Philly, 400 of Muri, 18,239 jobs of NASA's iPSC"
