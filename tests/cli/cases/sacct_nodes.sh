# A record whose list of nodes disagrees with its own counts is kept, and said.
cat >sacct.txt <<'END'
JobID|Submit|Start|End|State|Eligible|NNodes|AllocTRES|NodeList|FailedNode
1|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|COMPLETED|2026-03-01T10:00:00|4|gres/gpu=32|n[01-02],r[1-2]|
2|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|COMPLETED|2026-03-01T10:00:00|3|gres/gpu=32|n[01-02],r[1-2]|
3|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|NODE_FAIL|2026-03-01T10:00:00|2|gres/gpu=16|a[1-2]b3|a2b3
4|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|NODE_FAIL|2026-03-01T10:00:00|2|gres/gpu=16|a[1-2]b3|a3b3
5|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|COMPLETED|2026-03-01T10:00:00|2|gres/gpu=16|a[1-2|
6|2026-03-01T10:00:00|||PENDING|2026-03-01T10:00:00|2||None assigned|
END
hindcast ingest sacct.txt
hindcast query jobs --columns job,nodes,node_list,failed_node
