# Tables for those who may not know whose they are: no name of the source is left, rows of different
# tables still join, and one key gives one answer.
cat >sacct.txt <<'XX'
JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName|QOS|WorkDir|StdOut|Comment|Reason|Reservation
7654321|zcluster|zpart|zaccount|zuser|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|2|8|cpu=8,gres/gpu:h100=8,node=2|0|znode[07-08]|zname|zqos|/zhome/zdir|/zhome/zdir/out.log|zcomment|zreason|zres
7654322|zcluster|zpart|zaccount|zother|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T02:00:00|3600|NODE_FAIL|1|8|cpu=8,gres/gpu:h100=8,node=1|0|znode08|zname|zqos|/zhome/zdir|/zhome/zdir/out.log|zcomment|zreason|zres
XX
cat >events.txt <<'XX'
Cluster|NodeName|TimeStart|TimeEnd|Duration|State|Reason|User
zcluster|znode08|2026-03-01T02:00:00|2026-03-01T06:00:00|04:00:00|DOWN*|zreason|zroot(0)
XX
hindcast ingest -q -o - -a a sacct.txt
hindcast ingest -q -o - -a a events.txt
try() { hindcast export -q -a a "$@" || echo "exit $?" >&2; }
echo 00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF >key
for table in jobs node_states; do
    for form in csv jsonl parquet; do
        try $table --as $form --anonymise key -o $table.$form
    done
done
hindcast export -a a jobs --as csv --anonymise key -o /dev/null
cat jobs.jsonl node_states.jsonl
# Every word that begins with z is a name of the source; a job's number is one, too.
grep -lE 'z[a-z]+|765432|2026-03|1772[0-9]{15}' ./*.csv ./*.jsonl ./*.parquet || echo "no name is left"
# The node that was down is the last of the first job's and that of the second.
node=$(grep -o 'node-[0-9a-f]*' node_states.csv | head -n 1)
grep -c "$node" jobs.csv
# Times lie as far apart as they did: the start of the second job and the node's fall, one hour.
start=$(sed -n 's/.*"start_ns": \([0-9]*\).*/\1/p' jobs.jsonl | tail -n 1)
since=$(sed -n 's/.*"since_ns": \([0-9]*\).*/\1/p' node_states.jsonl)
echo $(((since - start) / 1000000000)) s
# Conditions are on what the archive says; another key is another answer, and one is drawn.
try jobs --as csv --anonymise key --where "user = zother" --columns user,state,elapsed_ns
try jobs --as csv --anonymise key2 --columns user,job -o two.csv
try jobs --as csv --anonymise key2 --columns user,job | cmp - two.csv
stat -c '%a %s' key2
try jobs --as csv --anonymise key --columns user,job | cmp -s - two.csv || echo "another answer"
echo secret >short
rm -f jobs.csv
try jobs --as csv --anonymise short -o jobs.csv
ls jobs.csv 2>/dev/null || echo "nothing is written"
try jobs --as csv --anonymise short
try jobs --as csv --anonymise missing/key
# Incidents: the job is that of the jobs, the node theirs; words are left out. What counts from a start
# of its own has no date to hide, and would tell the offset.
cat >incidents.csv <<'XX'
time,job,node,group,cause,text,detected,action,scope
2026-03-01T02:00:00Z,7654322,znode08,zgroup,hardware.gpu,ztext,2026-03-01T02:05:00Z,zaction,node
2026-03-01T02:30:00Z,7654321_7,"znode[07-08]",zgroup,network.switch,ztext,,zaction,switch
2026-03-01T02:40:00Z,zname,,,unknown,,,,job
XX
printf 'time,node,cause\n3600.5,znode08,hardware.gpu\n' >relative.csv
hindcast ingest -q -o - -a b incidents.csv
hindcast ingest -q -o - -a b relative.csv
hindcast export -q -a b incidents --as jsonl --anonymise key -o incidents.jsonl
cat incidents.jsonl
grep -E 'z[a-z]+|765432|2026-03|1772[0-9]{15}' incidents.jsonl || echo "no name is left"
for job in $(sed -n 's/.*"job": "\([0-9]*\)["_].*/\1/p' incidents.jsonl); do
    grep -c "\"job\": $job, " jobs.jsonl
done
grep -c "$node" incidents.jsonl
name=$(grep -o 'name-[0-9a-f]*' incidents.jsonl)
grep -c "$name" jobs.jsonl
try ops --as csv --anonymise key
try jobs --anonymise key --perfetto x.json
