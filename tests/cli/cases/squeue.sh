# Looks at a queue: with jobs, without any, without a time, and where squeue failed.
cat >queue.txt <<'END'
2026-03-01T08:00:00+01:00
JOBID|PARTITION|USER|ACCOUNT|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME
4711|long,short|ann|nlp|PENDING|Resources|2|gres:gpu:8|2026-03-01T06:00:00
4712_3|short|bob|cv|RUNNING|None|1|gres/gpu:h100:4|2026-03-01T05:00:00
4712_[4-9%2]|short|bob|cv|PENDING|JobArrayTaskLimit|1|gres/gpu:h100:4|2026-03-01T05:00:00
4713|short|bob|cv|PENDING|QOSMaxGRESPerUser|2-4|gpu:1|2026-03-01T05:30:00
4714+1|short|bob|cv|PD|Priority|1|N/A|N/A
4715|short|bob|cv|PENDING|ReqNodeNotAvail, Un|available:n1|1|N/A|2026-03-01T05:30:00
4716|short|bob|cv|PENDING|Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions|1|gres/gpu:1|2026-03-01T05:30:00
4717|short|bob|cv|PENDING|Dependency|1|gres/gpu:1|2026-03-01T05:30:00
4718|short|bob|cv|PENDING|JobHeldUser|1|gres/gpu:1|2026-03-01T05:30:00
4719|short|bob|cv|COMPLETING|None|1|gres/gpu:1|2026-03-01T05:30:00
2026-03-01T08:05:00+01:00
JOBID|PARTITION|USER|ACCOUNT|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME
2026-03-01T08:10:00+01:00
2026-03-01T08:15:00+01:00
     JOBID|ST|NODELIST(REASON)|NAME|TRES_ALLOC
      4711| R|n[01-02]        |x   |cpu=2,gres/gpu=16
      4714|PD|(Priority)      |x   |cpu=2,mem=4G
END
cat >clusters.txt <<'END'
2026-03-01T08:00:00Z
CLUSTER: a
JOBID|STATE|REASON
1|PENDING|Resources

CLUSTER: b
JOBID|STATE|REASON
END
cat >bad.txt <<'END'
2026-03-01T08:00:00Z
JOBID|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME
1|SINGING|None|1|N/A|N/A
1.batch|RUNNING|None|1|N/A|N/A
1|PENDING|None|many|N/A|N/A
1|PENDING|None|2000000000|gpu:2|N/A
1|PENDING|None|1|gpu:x:y:z|N/A
1|PENDING|None|1|N/A|soon
1|PENDING
2026-03-01T08:05:00Z
slurm_load_jobs error: Unable to contact slurm controller (connect failure)
2026-03-01T08:10:00Z
JOBID|STATE|REASON
JOBID|STATE|REASON
2|PENDING|Resources
END
printf '%s\n' 'JOBID|STATE|REASON' '7|PENDING|Priority' >queue-20260301T120000Z.txt
printf '%s\n' 'JOBID|STATE|REASON' '7|PENDING|Priority' >timeless.txt
printf '%s\n' '1|PENDING|Resources' >headless.txt
printf '%s\n' 'time_ns,job,state,reason,gpus' '2026-03-01T09:00:00Z,,,,' '2026-03-01T09:00:00Z,5,PD,Licenses,8' >own.csv
touch -d 2026-03-01T13:00:00Z timeless.txt
queue() { hindcast query -a "$1" queue --columns time_ns,cluster,job,array_task,het_component,partition,user,state,waits_for,nodes,gpus,submit_ns,clock,line; }
hindcast ingest -a a --zone Europe/Berlin queue.txt
hindcast ingest -a a --zone Europe/Berlin queue.txt queue-20260301T120000Z.txt timeless.txt own.csv
queue a
hindcast query -a a queue --columns job,reason --as csv | sort -u | head -n 4
hindcast ingest -a b clusters.txt
queue b
hindcast ingest -a c bad.txt || echo "exit $?" >&2
hindcast ingest -a c --max-bad 1 bad.txt
hindcast ingest -a c --format slurm-squeue headless.txt || echo "exit $?" >&2
queue c
