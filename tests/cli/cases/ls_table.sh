# Rows of a table for people: default columns, those asked for, conditions, and what is no table.
cat >sacct.txt <<'XX'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName
1|c|train|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|one
2|c|train|a|u2|2026-03-01T00:00:00|2026-03-01T00:30:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|NODE_FAIL|2|16|cpu=16,gres/gpu:h100=16,gres/gpu=16,node=2|0|n[2-3]|two
3|d|cpu|b|u1|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T10:00:00|36000|COMPLETED|1|4|cpu=4,node=1|0|n4|three
XX
cat >events.txt <<'XX'
Cluster|NodeName|TimeStart|TimeEnd|Duration|State|Reason|User
c|n2|2026-03-01T02:00:00|2026-03-01T06:00:00|04:00:00|DOWN*|Not responding|root(0)
XX
hindcast ingest -q -o - -a a sacct.txt
hindcast ingest -q -o - -a a events.txt
try() { hindcast ls -a a "$@" || echo "exit $?" >&2; }
try jobs
try jobs --where "gpus >= 8" --limit 1
try jobs --columns job,node_list --cluster d
try nodes
try node_states --columns node,source,line
try events
try job
try jobs --where "gpu > 1"
try jobs --columns jub
try jobs --json
try jobs events
try --limit 3
