# The account of a small cluster whose sums can be made by hand.
cat >sacct.txt <<'END'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName
1|c|train|a|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|one
2|c|train|a|u2|2026-03-01T00:00:00|2026-03-01T00:30:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|NODE_FAIL|2|16|cpu=16,gres/gpu:h100=16,gres/gpu=16,node=2|0|n[2-3]|two
2|c|train|a|u2|2026-03-01T02:00:00|2026-03-01T02:02:00|2026-03-01T03:00:00|2026-03-01T04:00:00|3600|FAILED|2|16|cpu=16,gres/gpu=16,node=2|2|n[2-3]|two
3|c|cpu|b|u1|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T10:00:00|36000|COMPLETED|1|4|cpu=4,node=1|0|n4|three
4|c|train|b|u3|2026-03-01T05:00:00|2026-03-01T05:00:00|2026-03-01T05:00:00|Unknown|1800|RUNNING|1|8|cpu=8,gres/gpu=1,node=1|0|n1|four
5|c|train|b|u3|2026-03-01T05:00:00|2026-03-01T05:00:00|Unknown|Unknown|0|PENDING|1|8||0|None assigned|five
END
hindcast report account -a a || echo "exit $?" >&2
hindcast ingest -q -o - -a a sacct.txt
hindcast report account -a a
hindcast report account -a a --from 2026-03-01T02:30:00Z --to 2026-03-01T03:30:00Z --csv -
hindcast report account -a a --csv tables >/dev/null && head -n 2 tables/groups.csv
hindcast report account -a a --json | grep -v '"tool\|"version\|"commit\|"command'
hindcast report account -a a --cluster d || echo "exit $?" >&2
hindcast report account -a a --from 5d || echo "exit $?" >&2
hindcast report account -a a --from 2026-03-02 --to 2026-03-01 || echo "exit $?" >&2
hindcast report account -a a --from later || echo "exit $?" >&2
hindcast report account -a a --fail-on "interrupted.high_gpu_hours > 10" >/dev/null || echo "exit $?" >&2
hindcast report account -a a --fail-on "queue.p90_s > 2 h" >/dev/null || echo "exit $?" >&2
