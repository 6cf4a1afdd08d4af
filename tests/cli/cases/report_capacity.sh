# Three nodes of a day and a half, by hand: GPU-hours of each leaf, what is beside the tree, what waited.
export TZ=UTC
cat >sacct.txt <<'END'
JobID|Cluster|User|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|ReqTRES|AllocTRES|NodeList|Timelimit
1|c|ada|train|2026-03-01T09:00:00|2026-03-01T09:00:00|2026-03-01T10:00:00|2026-03-01T14:00:00|14400|COMPLETED|2|gres/gpu=16|gres/gpu=16|n[1-2]|06:00:00
2|c|bob|short|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-02T00:00:00|86400|COMPLETED|1|gres/gpu=2|gres/gpu=2|n3|1-00:00:00
3|c|ada|train|2026-03-01T12:00:00|2026-03-01T12:00:00|Unknown|Unknown|0|PENDING|2|gres/gpu=16||None assigned|02:00:00
4|c|ada|train|2026-03-01T20:00:00|2026-03-01T20:00:00|2026-03-01T20:00:00|2026-03-01T22:00:00|7200|COMPLETED|2|gres/gpu=5|gres/gpu=5|n[1-2]|06:00:00
5|c|bob|train|2026-03-01T01:00:00|2026-03-01T01:00:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|COMPLETED|1|gres/gpu=1|gres/gpu=1|n9|06:00:00
6|c|bob|short|2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T13:00:00|3600|COMPLETED|1|gres/gpu=4|gres/gpu=4|n3|06:00:00
7|c|bob|short|2026-03-02T02:00:00|2026-03-02T02:00:00|2026-03-02T02:00:00|2026-03-02T02:00:01|1|FAILED|1|gres/gpu=1|gres/gpu=1|n3|06:00:00
8|c|bob|short|2026-03-02T02:00:00|2026-03-02T02:00:00|2026-03-02T03:00:00|2026-03-02T12:00:00|32400|COMPLETED|1|cpu=1|cpu=1|n3|06:00:00
END
for day in 01 02; do
    for n in 1 2 3; do
        [ $n = 1 ] && printf '2026-03-%sT00:00:00Z\n' $day
        echo "NodeName=n$n State=IDLE Gres=gpu:h100:$((n < 3 ? 8 : 4)) CPUTot=8 Partitions=$([ $n = 3 ] && echo short || echo train,all)"
    done >nodes-$day.txt
done
cat >events.txt <<'END'
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
c|n1|2026-03-01T16:00:00|2026-03-01T17:00:00|DOWN*|Not responding|slurm
c|n2|2026-03-01T13:00:00|2026-03-01T16:00:00|DRAIN|fan|root
c|n2|2026-03-02T11:00:00|Unknown|DRAIN|fan|root
END
echo 'ReservationName=update StartTime=2026-03-01T22:00:00 EndTime=2026-03-01T23:00:00 Nodes=n1 Users=root Flags=MAINT,SPEC_NODES State=INACTIVE' >reservations.txt
head='JOBID|PARTITION|USER|ACCOUNT|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME'
cat >queue.txt <<END
2026-03-01T09:00:00Z
$head
1|train|ada|x|PENDING|Resources|2|gres:gpu:8|2026-03-01T09:00:00
2|train|bob|x|PENDING|QOSMaxGRESPerUser|1|gres:gpu:8|2026-03-01T09:00:00
2026-03-01T09:10:00Z
$head
2026-03-01T09:15:00Z
$head
3|short|ada|x|PENDING|Priority|1|gres:gpu:2|2026-03-01T09:00:00
4|short|ada|x|PENDING|Priority|1|N/A|2026-03-01T09:00:00
77|short|ada|x|PENDING|Priority|1|N/A|2026-03-01T09:00:00
END
hindcast ingest -q -a a sacct.txt nodes-*.txt events.txt reservations.txt queue.txt >/dev/null
hindcast report capacity -a a
hindcast report capacity -a a --csv - | cut -d, -f1,4-20
hindcast report capacity -a a --csv - | cut -d, -f1,21-37
hindcast report capacity -a a --csv tables >/dev/null && cat tables/partitions.csv tables/demand.csv && cut -d, -f1-7,10-16 tables/nodes.csv && cut -d, -f1-9,14-17 tables/waits.csv
hindcast report capacity -a a --json | sed -n '/"trust"/,/}/p'
hindcast report capacity -a a --from 2026-03-01 --to 2026-03-02 --zone Europe/Berlin --csv - | cut -d, -f1-5
hindcast report capacity -a a --fail-on 'total.used_of_installed < 50 %' >/dev/null || echo "exit $?" >&2
hindcast report capacity -a a --from 2026-03-02 --to 2026-03-01 || echo "exit $?" >&2
hindcast report capacity -a a --cluster d || echo "exit $?" >&2
# Without an inventory the tree begins at allocated; by a site file it has one.
hindcast ingest -q -a b sacct.txt >/dev/null
hindcast report capacity -a b --top 1
echo '{"schema": "hindcast/site/1", "cluster": "c", "sources": [{"name": "jobs", "files": "sacct.txt"}],
    "partitions": {"train": {"gpus_per_node": 8}, "short": {"gpus_per_node": 4}}}' >site.json
hindcast report capacity -a b --top 1 --site site.json | head -n 20
rm site.json
# Two clusters: which?
sed 's/|c|/|d|/' sacct.txt >other.txt
hindcast ingest -q -a b other.txt >/dev/null
hindcast report capacity -a b || echo "exit $?" >&2
hindcast report capacity -a b --cluster d | head -n 2
hindcast ingest -q -a e queue.txt >/dev/null
hindcast report capacity -a e || echo "exit $?" >&2
# Times of damaged records, at the end of what numbers can be: counted, and nothing made of them.
printf '%s\n' job,submit_ns,state,start_ns,end_ns,nodes,gpus,node_list,elapsed_ns \
    1,9223372036854775807,completed,9223372036854775806,9223372036854775807,1,8,n1,9223372036854775807 \
    2,2026-03-01T00:00:00Z,completed,2026-03-01T01:00:00Z,2026-03-01T02:00:00Z,1,8,n1, >x-jobs.csv
printf '%s\n' since_ns,until_ns,node,state,gpus,how 9223372036854775807,,n1,down,8,snapshot \
    2026-03-01T00:00:00Z,,n1,idle,8,snapshot 2026-03-01T00:00:00Z,9223372036854775807,n1,drain,8,history >x-nodes.csv
printf '%s\n' time_ns,job,state,reason,gpus 9223372036854775807,1,pending,Resources,8 >x-queue.csv
hindcast ingest -q -a x x-jobs.csv x-nodes.csv x-queue.csv >/dev/null
hindcast report capacity -a x --json | grep -E '"(bad|installed_gpu_hours|allocated_gpu_hours|drained_gpu_hours)"' | grep -v day
