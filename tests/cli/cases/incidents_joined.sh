# Recorded incidents join attempts by job, by node and time (a switch's by the list of its nodes), by
# partition or cluster; they are evidence, and facts of jobs and nodes.
cat >sacct.txt <<'END'
JobID|Cluster|User|Partition|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|JobName|Restarts|Eligible
100|c|ada|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|FAILED|2|gres/gpu=16|n[1-2]|named|0|2026-03-05T00:00:00
101|c|ada|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|FAILED|1|gres/gpu=8|n3|fan|0|2026-03-05T00:00:00
102|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n4|switch|0|2026-03-05T00:00:00
103|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n5|switch|0|2026-03-05T00:00:00
104|c|bob|a100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T04:00:00|14400|FAILED|1|gres/gpu=8|n6|power|0|2026-03-05T00:00:00
105|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T05:00:00|18000|FAILED|1|gres/gpu=8|n7|own|0|2026-03-05T00:00:00
106|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T05:00:00|18000|FAILED|1|gres/gpu=8|n8|planned|0|2026-03-05T00:00:00
107|c|bob|h100|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T06:00:00|21600|FAILED|1|gres/gpu=8|n9|corrected|0|2026-03-05T00:00:00
END
cat >tickets.csv <<'END'
time,job,node,group,cause,text,recovered,scope
2026-03-05T01:55:00Z,100,,,hardware.gpu,fell off,,
2026-03-05T01:58:00Z,,n3,,hardware.cooling,fan,2026-03-05T08:00:00Z,
2026-03-05T02:59:00Z,,"n[4-5,20]",,network.switch,leaf 7,2026-03-05T03:30:00Z,switch
2026-03-05T03:55:00Z,,,a100,facilities.power,row B,,partition
2026-03-05T04:59:00Z,105,,,software.program,,,
2026-03-05T04:59:00Z,,n8,,planned.test,,,
2026-03-05T05:59:00Z,,n9,,undetermined,,,
2026-03-05T12:00:00Z,,n1,,hardware.gpu,nobody there,,
2026-03-05T01:00:00Z,,,,hardware.gpu,where?,,
2026-03-05T01:58:00Z,999,,,hardware.gpu,no such job,,
END
cat >corrections.csv <<'END'
date_ns,incident,cause,author,reason
2026-03-07,tickets#7,infrastructure,ann,vendor found it
2026-03-07,tickets#99,user,ann,no such row
END
printf 'time,node,cause\n3600,n1,hardware.gpu\n' >relative.csv
hindcast ingest -q -o - -a a sacct.txt tickets.csv relative.csv corrections.csv
hindcast joins -a a
hindcast joins -a a --json | grep '"incident"'
hindcast report failures -a a
hindcast report failures -a a --csv - | cut -d, -f2,16-21,41-42 | sed "s:$PWD/::"
hindcast show -a a 102 | sed "s:$PWD/::"
hindcast show -a a n3 | sed "s:$PWD/::"
