# Tables for other tools: all columns or those named, rows by a condition, and what is refused.
cat >sacct.txt <<'XX'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName
1|c|train|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|one
2|c|train|a|u2|2026-03-01T00:00:00|2026-03-01T00:30:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|NODE_FAIL|2|16|cpu=16,gres/gpu:h100=16,gres/gpu=16,node=2|0|n[2-3]|=cmd "x", y
3|d|cpu|b|u1|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:00:00|Unknown|36000|RUNNING|1|4|cpu=4,node=1|0|n4|three
XX
hindcast ingest -q -o - -a a sacct.txt
try() { hindcast export -a a "$@" || echo "exit $?" >&2; }
try jobs --as csv
try jobs --as jsonl --columns job,name,end_ns,gpus --where "gpus > 0"
# What a file gets is what standard output gets; nothing else is left beside it.
try jobs --as csv -o jobs.csv
try jobs --as csv -q | cmp - jobs.csv
try jobs --as parquet -o jobs.parquet
try jobs --as parquet -q --cluster d | tail -c 4
echo
head -c 4 jobs.parquet
echo
try jobs --as parquet -q -o again.parquet
cmp jobs.parquet again.parquet
try jobs --as csv -o missing/jobs.csv
try jobs --as csv >/dev/full
try jobs --as parquet >/dev/full
try jub --as csv
try jobs --as csv --where "gpus >"
try jobs --as xml
try jobs --as csv --perfetto x.json
try jobs events --as csv
try jobs --where "gpus > 1" --perfetto x.json
ls
