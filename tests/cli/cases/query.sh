# Rows and groups of a table, and conditions that are none.
cat >sacct.txt <<'END'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName
1|c|train|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|one
2|c|train|a|u2|2026-03-01T00:00:00|2026-03-01T00:30:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|NODE_FAIL|2|16|cpu=16,gres/gpu:h100=16,gres/gpu=16,node=2|0|n[2-3]|two
2|c|train|a|u2|2026-03-01T02:00:00|2026-03-01T02:02:00|2026-03-01T03:00:00|2026-03-01T04:00:00|3600|FAILED|2|16|cpu=16,gres/gpu=16,node=2|2|n[2-3]|two
3|c|cpu|b|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T10:00:00|36000|COMPLETED|1|4|cpu=4,node=1|0|n4|three
4|c|train|b|u3|2026-03-01T05:00:00|2026-03-01T05:00:00|2026-03-01T05:00:00|Unknown|1800|RUNNING|1|8|cpu=8,gres/gpu=1,node=1|0|n1|four
5|c|train|b|u3|2026-03-01T05:00:00|2026-03-01T05:00:00|Unknown|Unknown|0|PENDING|1|8||0|None assigned|five
END
hindcast ingest -q -o - -a a sacct.txt
try() { hindcast query -a a "$@" || echo "exit $?" >&2; }
try jobs --columns job,user,state,gpus,start_ns,elapsed_ns
try jobs --columns job,user,restarts --where "gpus >= 8 and (state = failed or user = u1)"
try jobs --columns job --where "not (state in (completed, running))"
try jobs --columns job,end_ns --where "end_ns is missing" --as csv
try jobs --columns job,gpu_type,gpus --where "gpu_type is not missing" --as jsonl
try jobs --columns job --where "elapsed_ns > 90min and name ~ 't*'"
try jobs --columns job --where "start_ns >= '2026-03-01T03:00:00Z' and start_ns < 2026-03-02"
try jobs --columns job --where "gpus != 8" --limit 1
try jobs --columns job --where "elapsed_ns = 0.5 h"
try jobs --columns job --where "gpus > 7.5 and gpus < 8.5"
try jobs --where "gpus < 1e30" --agg count --as csv
try jobs --where "gpus > 1e30" --agg count --as csv
try jobs --where "elapsed_ns = 0.02083333333333 d or elapsed_ns = 0.5h" --agg count --as csv
try jobs --group-by user,state --agg "count,sum(gpus),mean(elapsed_ns),p50(elapsed_ns),max(end_ns)"
try jobs --agg "count,sum(gpus),min(submit_ns),p100(elapsed_ns)" --as csv
try jobs --group-by partition --order "count desc" --as jsonl
try job
try jobs --where "gpu > 1"
try jobs --where "gpus > many"
try jobs --where "user > u1"
try jobs --where "gpus ~ 8"
try jobs --where "gpus > 1 and"
try jobs --where "(gpus > 1"
try jobs --where "gpus > 1 gpus < 3"
try jobs --where "name = 'open"
try jobs --agg "median(gpus)"
try jobs --agg "sum(user)"
try jobs --group-by nobody
try jobs --order count
try jobs --group-by user --order gpus
try jobs --columns job,jobs
try jobs --as xml
try jobs --json
