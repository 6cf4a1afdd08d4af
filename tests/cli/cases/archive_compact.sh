# The days of months long over become a segment a month: all that is asked gets the same answer, and
# what comes later of such a month is merged into it.
row() { # ID CLUSTER SUBMIT END STATE
    echo "$1|$2|train|a|u$1|$3T00:00:00|$3T00:00:00|$3T01:00:00|$4T03:00:00|7200|$5|1|8|cpu=8,gres/gpu=8,node=1|0|n$1|job $1"
}
head='JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName'
{
    echo "$head"
    row 1 c 2026-03-01 2026-03-01 COMPLETED
    row 2 c 2026-03-02 2026-03-02 FAILED
    row 3 c 2026-03-31 2026-03-31 COMPLETED
    row 4 c 2026-04-01 2026-04-01 COMPLETED
    row 5 d 2026-03-02 2026-03-02 COMPLETED
    row 6 d 2026-03-07 2026-03-07 NODE_FAIL
} >sacct.txt
hindcast ingest -q -a a sacct.txt >/dev/null
hindcast ingest -q -a a "$SOURCE_DIR/data/samples/trace-slow-worker.parquet" >/dev/null
cp -r a plain
hide() { sed -E 's/[0-9.]+ k?B/SIZE/g'; }
days() { hindcast ls -a a | awk 'NR > 1 { print $1, $2 }'; }
answers() {
    hindcast export jobs -a $1 --as csv
    (cd $1 && hindcast report account -a . | grep -v segments)
    hindcast query jobs -a $1 --where 'submit_ns >= 2026-03-02T00:00:00Z and submit_ns < 2026-03-31T00:00:00Z' --group-by cluster --agg count
}
same() { answers plain >plain.txt && answers a >a.txt && cmp plain.txt a.txt && echo "the same answers"; }
hindcast archive compact -a a --older 2026-05-01 --dry-run | hide
hindcast archive compact -a a --older 2026-03-31 --table jobs # the month is not over
hindcast archive compact -a a --older 2026-05-01 --cluster c | hide
days
hindcast archive compact -a a --older 2026-05-01 | hide
days
same
hindcast check -a a | tail -1
# The files of the days do not come back: they are the month's, with the manifest and without.
hindcast check --repair -a a | tail -1
days | wc -l
rm a/manifest.json
hindcast check --repair -a a | tail -1
same
hindcast archive gc -a a | tail -1
same
hindcast check -a a
# Later dumps of days of the month, one of them new, in two clusters.
{
    echo "$head"
    row 2 c 2026-03-02 2026-03-02 COMPLETED
    row 7 c 2026-03-15 2026-03-15 COMPLETED
    row 8 c 2026-03-16 2026-03-16 COMPLETED
    row 9 d 2026-03-15 2026-03-15 TIMEOUT
    row 10 d 2026-05-15 2026-05-15 TIMEOUT
} >later.txt
for to in a plain; do hindcast ingest -a $to later.txt; done
same
days
for to in a plain; do hindcast ingest -a $to sacct.txt; done
same
# A month goes with its last day only.
hindcast archive gc -a a | tail -1
hindcast archive prune -a a --older 2026-03-31 | hide
hindcast archive prune -a a --older 2026-04-01 | hide
days
fail() { hindcast archive compact -a a "$@" || echo "exit $?" >&2; }
fail --older soon
fail --table ops
fail -a absent
