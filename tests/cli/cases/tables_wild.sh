# Nodes of sinfo with bars, and tables of studies of schedulers with other columns.
nodes() {
    cat >"$1"
    hindcast ingest -q -o - -a "archive-$1" "$1"
    hindcast query -a "archive-$1" node_states --columns node,state,flags,gpus,gpus_used,gpu_type,reason,partitions
}
nodes sinfo-20260301T120000Z.txt <<'END'
NODELIST|STATE|GRES|REASON
n01|mixed|gpu:a100:8|none
n02|drained*|gpu:a100:8(S:0-1)|bad | gpu
END
nodes sinfo-20260301T130000Z.txt <<'END'
HOSTNAMES|STATE|PARTITION|GRES |GRES_USED|TIMESTAMP|NODELIST |STATE |
n01|mix|gpu*|gpu:a100:8 |gpu:a100:3(IDX:0,5-6)|Unknown|n01 |mixed |
n01|mix|debug|gpu:a100:8 |gpu:a100:3(IDX:0,5-6)|Unknown|n01 |mixed |
END
nodes nodes-20260301T120000Z.json <<'END'
{"nodes": [{"name": "n01", "state": ["IDLE", "DRAIN"], "gres": "gpu:a100:8", "gres_used": "gpu:a100:0(IDX:N/A)", "cpus": 128, "partitions": ["gpu"],
  "reason": "x", "reason_changed_at": {"set": true, "infinite": false, "number": 1709280000}, "tres": "cpu=128,gres/gpu=8"}]}
END
echo 'No reservations in the system' >reservations.txt
hindcast ingest -a none reservations.txt

jobs() {
    cat >"$1.csv"
    hindcast ingest -q -o - -a "archive-$1" "$1.csv"
    hindcast query -a "archive-$1" jobs --columns job,submit_ns,elapsed_ns,gpus,partition,user,name
}
jobs reordered <<'END'
,cluster,num_gpus,"duration",timestamp,user,gpu_time
0,ee9e8c,4,30.5,2017-10-03 01:31:02,u1,122.0
END
jobs workload <<'END'
time,name,application,num_replicas,batch_size,duration,num_gpus
60,bert-0,bert,1,12,3600,4
END
printf 'job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n1,1,0,10,vgg,100,5\n' >tiresias.csv
hindcast ingest -a none tiresias.csv || true
