# Records of days long gone leave the archive, by table, cluster and age; timelines stay.
cat >sacct.txt <<'XX'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName
1|c|train|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|one
2|c|train|a|u2|2026-03-02T00:00:00|2026-03-02T00:30:00|2026-03-02T01:00:00|2026-03-02T02:00:00|3600|COMPLETED|2|16|cpu=16,node=2|0|n[2-3]|two
3|d|cpu|b|u1|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T10:00:00|36000|COMPLETED|1|4|cpu=4,node=1|0|n4|three
4|d|cpu|b|u1|2026-03-03T00:00:00|2026-03-03T00:00:00|2026-03-03T00:00:00|2026-03-03T10:00:00|36000|COMPLETED|1|4|cpu=4,node=1|0|n4|four
XX
cat >events.txt <<'XX'
Cluster|NodeName|TimeStart|TimeEnd|Duration|State|Reason|User
c|n2|2026-03-01T02:00:00|2026-03-01T06:00:00|04:00:00|DOWN*|Not responding|root(0)
XX
hindcast ingest -q -a a sacct.txt >/dev/null
hindcast ingest -q -a a events.txt >/dev/null
hindcast ingest -q -a a "$SOURCE_DIR/data/samples/trace-slow-worker.parquet" >/dev/null
hide() { sed -E 's/[0-9.]+ k?B$/SIZE/'; }
try() { hindcast archive prune -a a "$@" | hide; }
days() { hindcast ls -a a | awk 'NR > 1 { print $1, $2 }'; }
try --older 2026-03-03 --dry-run
days
try --older 2026-03-03 --table node_states
try --older 2026-03-02
try --older 2026-03-03 --cluster c
days
# As after a kill between the manifest and the files: the same command removes what is left, and
# nothing that the manifest names.
cp -r a/segments kept
try --older 100d --dry-run | grep -c 'would be removed: 2 rows'
try --older 2026-03-03
cp -n kept/* a/segments/
hindcast check -a a | grep -c 'the manifest does not name it\|names no segment' || true
try --older 2026-03-03 --dry-run
try --older 2026-03-03
days
hindcast check -a a
# What was removed comes back with its source.
hindcast ingest -a a sacct.txt
fail() { hindcast archive prune -a a "$@" || echo "exit $?" >&2; }
fail
fail --older yesterday
fail --older 0d
fail --older 2026-02-30
fail --older 30d --table ops
fail --older 30d --table job
fail --older 30d -a absent
