# Two tasks of an array that run at once on one node, in one directory, as Slurm 22.05 tells of them: no paths of
# logs, and prologs that know the allocation only, whose number the last task shares with its array.
mkdir sweep
cat >sacct.txt <<END
JobID|JobIDRaw|Cluster|User|Submit|Start|End|State|AllocTRES|NodeList|WorkDir|JobName
700_1|701|c|ada|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:10:00|COMPLETED|gres/gpu=4|n01|$PWD/sweep|sweep
700_2|700|c|ada|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:10:00|COMPLETED|gres/gpu=4|n01|$PWD/sweep|sweep
END
for task in 1 2; do
    cat >sweep/slurm-700_$task.out <<END
using world size: 4, data-parallel size: 4, tensor-model-parallel size: 1, pipeline-model-parallel size: 1
[after megatron is initialized] datetime: 2026-03-01 10:01:0$task
 [2026-03-01 10:02:00.000000] iteration        1/       2 | consumed samples:           64 | elapsed time per iteration (ms): 1000.0 |
 [2026-03-01 10:03:00.000000] iteration        2/       2 | consumed samples:          128 | elapsed time per iteration (ms): 1000.0 |
  successfully saved checkpoint from iteration       2 to /ckpt/$task [ t 1/1, p 1/1 ]
END
    echo "hindcast-phase 1 2026-03-01T10:00:3${task}Z end load job=700 array_task=$task node=n01 began=2026-03-01T10:00:30Z"
done >marks.log
for raw in 700 701; do
    echo "hindcast-phase 1 2026-03-01T10:00:0${raw: -1}Z end environment job=$raw node=n01 began=2026-03-01T10:00:00Z"
done >>marks.log
hindcast ingest -q -a a --cluster c --zone UTC sacct.txt "$PWD"/sweep/*.out marks.log >ingested
hindcast joins -a a --as csv | cut -d, -f 1,8-12
hindcast show -a a 700_1
hindcast show -a a 700_2 | grep -c phase
hindcast show -a a 701 | grep -c phase
hindcast show -a a 700 | grep -c phase
