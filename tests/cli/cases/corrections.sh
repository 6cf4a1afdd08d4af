# What people say of ends goes before what the rules say, and is shown where it acted.
cat >sacct.txt <<'END'
JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts
100|c|ada|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|FAILED|2|gres/gpu=16|n[1-2]|/l/%j.out|big|0
101|c|ada|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T02:00:00|7200|NODE_FAIL|1|gres/gpu=8|n3|/l/%j.out|node|0
102|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n4|/l/%j.out|mine|0
103_1|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n5|/l/%j.out|stray|0
103_2|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|FAILED|1|gres/gpu=8|n6|/l/%j.out|stray|0
105|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|CANCELLED|1|gres/gpu=8|n7|/l/%j.out|hung|0
106|c|bob|2026-03-05T00:00:00|2026-03-05T00:00:00|2026-03-05T03:00:00|10800|COMPLETED|1|gres/gpu=8|n8|/l/%j.out|well|0
END
cat >corrections.csv <<'END'
date_ns,job,array_task,restarts,node,time_ns,cause,detail,scope,author,reason
2026-03-06T10:00:00Z,100,,,,,user,,job,ann,too early a guess
2026-03-06T11:00:00Z,100,,0,,,infrastructure,NVLink of GPU 3,device,ann,ticket 88: board replaced
2026-03-06T10:00:00Z,101,,,,,planned,,node,ben,drained for firmware
2026-03-06T10:00:00Z,103,,,,,user,bad shape,,ann,read the log
2026-03-06T10:00:00Z,103,2,,,,infrastructure,,,ben,same night
2026-03-06T10:00:00Z,105,,,,,infrastructure,hang of a switch,switch,ann,ticket 90
2026-03-06T10:00:00Z,,,,n4,2026-03-05T02:55:00Z,infrastructure,fan,node,ben,found later
2026-03-06T10:00:00Z,,,,n8,2026-03-05T02:55:00Z,infrastructure,fan,node,ben,not a failure
2026-03-06T10:00:00Z,999,,,,,user,,,ann,a slip of the pen
END
hindcast ingest -q -o - -a a sacct.txt
hindcast ingest -q -o - -a a corrections.csv
hindcast report failures -a a
hindcast report failures -a a --csv - | cut -d, -f2,3,9,16,17,31-40
hindcast report failures -a a --json | grep '"taken_out"\|"put_in"\|"outcome"'
hindcast ingest -q -o - -a a sacct.txt # they stay
hindcast report failures -a a --json | grep -c '"outcome": "acted"'
hindcast show -a a 103_2
hindcast show -a a n4
hindcast report account -a a | sed '/^BY STATE/,/^CORRECTIONS/d'
hindcast report account -a a --json | grep 'put_in\|taken_out'
hindcast report failures -a a --csv tables && ls tables && wc -l <tables/corrections.csv
