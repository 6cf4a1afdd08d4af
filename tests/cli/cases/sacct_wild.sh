# Dumps of sacct as other sites and versions have them.
H='JobID|Submit|Start|End|State|Eligible|AllocTRES|NodeList|Comment|Timelimit|JobName'
T='2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|COMPLETED|2026-03-01T10:00:00'
columns=job,array_task,het_component,submit_ns,state,gpus,gpu_type,name,comment
show() {
    hindcast ingest -a "archive-$1" "$1"
    hindcast query -a "archive-$1" jobs --columns "${2:-$columns}"
}

echo "# messages before the header, the header once more, and another one further down"
{
    printf 'sacct: warning: slow\n\n%s\n1|%s|gres/gpu=8|n1||1:00|a\n' "$H" "$T"
    printf '%s\n2|%s|gres/gpu=8|n1||1:00|b\n' "$H" "$T"
    printf 'JobID|JobName|State|Submit\n3|c|RECONFIG_FAIL|2026-03-01T10:00:00+0100\n4_5+1|d|EXPEDITING|2026-03-01T09:00:00Z\n'
} >together.txt
show together.txt

echo "# delimiters in texts that are not last, and a comma that is one"
cat >texts.txt <<END
$H
1|$T|gres/gpu=8|n1|a|b|c|1:00|plain
2|$T|gres/gpu=8|n1||1:00|a|b
3|$T|gres/gpu=8|n1|x|y|1:00|z
END
show texts.txt
cat >quoted.csv <<END
JobID,Submit,State,AllocTRES,JobName
1,2026-03-01T10:00:00,COMPLETED,"cpu=1,gres/gpu=4","a ""b"", c"
"2","2026-03-01T10:00:00","FAILED","","d"
END
show quoted.csv
cat >commas.csv <<END
JobID,Submit,State,AllocTRES,JobName
1,2026-03-01T10:00:00,COMPLETED,cpu=1,gres/gpu=4,a
END
show commas.csv || true

echo "# GPUs in the forms of other versions"
{
    echo 'JobID|Submit|AllocGRES|AllocTRES'
    n=0
    for gpus in 'gpu:4|' 'gpu:a100:4(S:0-1)|cpu=1' 'gpu:a100:3(IDX:0,2-3),nvme:1|' 'gres:gpu:2|' '7696487:4|' '|gres/gpu:1g.10gb=7' \
        '|gres/gpu:a100_1g.5gb=2,gres/gpu=2' 'gpu:v100:2,gpu:p100:2|' 'gpu:8|billing=1,gres/gpu=4' '|1=8,1001=2' '|cpu=1' 'gpu:4090:2|'; do
        n=$((n + 1))
        echo "$n|2026-03-01T10:00:00|$gpus"
    done
} >gpus.txt
show gpus.txt job,gpus,gpu_type

echo "# without a header, in an earlier order of XDMoD"
echo "1|1|c|gpu|ml|g|5|ann|6|$(echo "$T" | cut -d'|' -f1)|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T11:00:00|01:00:00|0:0|NODE_FAIL|1|8|8|9Gn|gpu:4||1-00:00:00|n1|a|b" >xdmod.log
show xdmod.log job,user,partition,state,requested_gpus,time_limit_ns,name

echo "# a day with many lists of nodes, one of them long; and one that is too long"
awk -v t="$T" 'BEGIN {
    print "JobID|Submit|Start|End|State|Eligible|NodeList"
    for (i = 1; i <= 9999; i++) printf "%d|%s|n[%04d-%04d]\n", i, t, i, i + 3
    for (i = 1; i < 3000; i++) list = list sprintf("%04d,", 2 * i)
    printf "10000|%s|n[%s9999]\n", t, list
    for (i = 1; i < 3000; i++) list = "r" i "n[1,3]," list
    printf "10001|%s|%sx\n", t, list
}' >lists.txt
show lists.txt job >lists.out
cat lists.out | head -2
hindcast query -a archive-lists.txt jobs --where 'job>=9999' --columns job,node_list --as csv | sed 's/\(,"[^"]\{20\}\).*\(.\{20\}"\)/\1...\2/'
hindcast query -a archive-lists.txt jobs --where 'node_list ~ "n[[]0002,*9999]"' --columns job
hindcast check -a archive-lists.txt

echo "# what is no dump"
printf 'JobID           JobName  State\n------------ ---------- ------\n1  a COMPLETED\n' >people.txt
printf '{"meta": {}, "jobs": [{"association": {}, "job_id": 1, "time": {"submission": 1}}]}\n' >sacct.json
printf '1|a|COMPLETED|2026-03-01T10:00:00|x|y\n' >bare.txt
printf 'sacct: error: Problem talking to the database: Connection refused\n' >error.txt
printf 'JobID|State\n1|COMPLETED\n' >short.txt
printf '\377\376J\0o\0b\0I\0D\0|\0' >wide.txt
printf 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n1 gpu a ann R 1:00 1 n1\n' >squeue.txt
printf 'PartitionName=gpu AllowGroups=ALL\n' >partitions.txt
printf 'id,when,what\n1,2,3\n' >table.csv
printf '{"a": 1}\n{"a": 2}\n' >lines.jsonl
printf '<!DOCTYPE html><html></html>\n' >page.txt
for file in people.txt sacct.json bare.txt error.txt short.txt wide.txt squeue.txt partitions.txt table.csv lines.jsonl page.txt; do
    hindcast ingest -a none "$file" || true
done
