# A job of Slurm 22.05, which records neither restarts nor the node that failed, as a real one was seen (tests/long/slurm_night.sh):
# named slurm-%A_%a.out without being an array, restarted in place and marked so, its log without a time before the first
# step, then requeued within seconds of a node's failure, of which lines come after the second in which it ended. And tasks of an
# array, whose prologs know the number of the allocation only.
cat >sacct.txt <<'EOF'
JobID|JobIDRaw|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|JobName
1000|1000|c|ada|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:00:30|30|NODE_FAIL|2|gres/gpu=16|n[1-2]|train
1000|1000|c|ada|2026-03-01T10:00:30|2026-03-01T10:00:30|2026-03-01T10:00:40|2026-03-01T10:01:00|20|COMPLETED|2|gres/gpu=16|n[1-2]|train
1003_1|1004|c|bob|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:01:00|60|COMPLETED|1|gres/gpu=1|n3|sweep
1003_2|1003|c|bob|2026-03-01T10:00:00|2026-03-01T10:00:00|2026-03-01T10:00:10|2026-03-01T10:01:00|50|COMPLETED|1|gres/gpu=1|n3|sweep
EOF
mark() { # phase, words, seconds from and to of 10:00
    printf 'hindcast-phase 1 2026-03-01T10:00:%sZ start %s %s\n' "$3" "$1" "$2"
    printf 'hindcast-phase 1 2026-03-01T10:00:%sZ end %s %s began=2026-03-01T10:00:%sZ\n' "$4" "$1" "$2" "$3"
}
{
    for n in 1 2; do
        mark environment "job=1000 restart=0 node=n$n" 00 02
        mark load "job=1000 restart=0 cycle=1 node=n$n" 20 "2$n"
        mark environment "job=1000 restart=1 node=n$n" 41 43
    done
    mark environment 'job=1004 restart=0 node=n3' 00 03
    mark environment 'job=1003 restart=0 node=n3' 11 13
} >marks.log
line() { # second, iteration, milliseconds
    printf ' [2026-03-01 10:00:%s] iteration %d/ 20 | elapsed time per iteration (ms): %s | global batch size: 16 | lm loss: 2.0 | \n' "$1" "$2" "$3"
}
{
    echo 'using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1'
    for i in 1 2 3 4; do line "$((9 + i)).000000" "$i" 1000.0; done | sed 's/:9\./:09./'
    echo '  successfully saved checkpoint from iteration       4 to /ckpt/train [ t 1/1, p 1/1 ]'
    for i in 5 6; do line "$((10 + i)).000000" "$i" 1000.0; done
    bar=============================================================
    printf '%s\n' $bar 'train.py FAILED' "${bar//=/-}" 'Root Cause (first observed failure):' '[0]:' '  time      : 2026-03-01_10:00:18' \
        '  host      : n1' '  rank      : 5 (local_rank: 5)' '  exitcode  : -9 (pid: 77)' '  error_file: <N/A>' $bar
    echo 'using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1'
    echo '  successfully loaded checkpoint from /ckpt/train [ t 1/1, p 1/1 ] at iteration 4'
    line 25.000000 5 2000.0
    for i in 6 7 8; do line "$((20 + i)).000000" "$i" 1000.0; done
    line 29.000000 9 1000.0
    line 30.400000 10 1000.0
    echo 'srun: error: Node failure on n2'
    echo 'slurmstepd-n1: error: *** JOB 1000 ON n1 CANCELLED AT 2026-03-01T10:00:30 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***'
    echo 'using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1'
    echo '  successfully loaded checkpoint from /ckpt/train [ t 1/1, p 1/1 ] at iteration 4'
    line 48.000000 5 1000.0
    for i in 6 7; do line "$((43 + i)).000000" "$i" 1000.0; done
    echo ' validation loss at iteration 7 | lm loss value: 2.5E+00 | lm loss PPL: 1.2E+01 | '
    line 54.000000 8 1000.0
    echo '[after training is done] datetime: 2026-03-01 10:00:55 '
} >slurm-1000_4294967294.out
hindcast ingest -q -o - -a a sacct.txt marks.log
hindcast ingest -q -o - -a a --zone UTC slurm-1000_4294967294.out
hindcast report nightly -a a --date 2026-03-01 --explain all --csv - |
    awk -F, -v OFS=, '{ gsub("2026-03-01T", ""); gsub(/\.000000000Z/, ""); print $11, $1, $2, $3, $5, $6, $8, $9 }'
hindcast report nightly -a a --date 2026-03-01 --json | grep -A 3 '"incidents"'
for n in n1 n2; do hindcast report node "$n" -a a | sed -n 2,4p; done
hindcast report nightly -a a --date 2026-03-01 | grep -A 4 '^INCIDENTS'
