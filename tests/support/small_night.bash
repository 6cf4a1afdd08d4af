# small_night.bash - a night that can be worked out by hand: `source` it and call `small_night`, which writes
# sacct.txt, logs/ and marks.log and ingests them into the archive `a`. Times are of 2026-03-01, UTC.
#
# Run `big` of ada on n1 and n2, 16 GPUs: submitted at 23:00 of the day before, runs from 00:00 to 04:00, when a node
# fails; waits for an hour; runs from 05:00 to 08:10, when its 360 iterations are done. Steps take a minute and begin
# 10 minutes after each start; every 60 iterations a checkpoint is saved, which holds nothing up. The last line of the
# first attempt is of iteration 220 at 03:50; the second goes on behind iteration 180. Images take 2 minutes on n1 and
# 4 on n2 at first, and 1 minute on both later. Job 200 of bob holds 8 GPUs of n3 for an hour and tells nothing.
small_night() {
    cat >sacct.txt <<'END'
JobID|Cluster|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|StdOut|JobName|Restarts
100|c|ada|lab|train|2026-02-28T23:00:00|2026-02-28T23:00:00|2026-03-01T00:00:00|2026-03-01T04:00:00|14400|NODE_FAIL|2|gres/gpu=16|n[1-2]|/l/%x-%j.out|big|0
101|c|ada|lab|train|2026-03-01T04:00:00|2026-03-01T04:00:00|2026-03-01T05:00:00|2026-03-01T08:10:00|11400|COMPLETED|2|gres/gpu=16|n[1-2]|/l/%x-%j.out|big|0
200|c|bob|lab|shared|2026-03-01T06:00:00|2026-03-01T06:00:00|2026-03-01T06:00:00|2026-03-01T07:00:00|3600|FAILED|1|gres/gpu=8|n3|/l/%x-%j.out|small|0
END
    mkdir -p logs
    small_log 0 0 220 >logs/big-100.out
    small_log 300 180 360 >logs/big-101.out
    {
        small_mark image 100 n1 00:00 00:02
        small_mark image 100 n2 00:00 00:04
        small_mark environment 100 n1 00:04 00:05
        small_mark environment 100 n2 00:04 00:05
        small_mark image 101 n1 05:00 05:01
        small_mark image 101 n2 05:00 05:01
        small_mark environment 101 n1 05:01 05:02
        small_mark environment 101 n2 05:01 05:02
    } >marks.log
    hindcast ingest -q -a a sacct.txt marks.log >/dev/null
    hindcast ingest -q -a a --zone UTC logs/*.out >/dev/null
}

small_log() { # minute of the start, first iteration, last
    local start=$1 first=$2 last=$3 i minute
    at() { printf '2026-03-01 %02d:%02d:00' $(($1 / 60)) $(($1 % 60)); }
    printf 'using world size: 16, data-parallel size: 16, tensor-model-parallel size: 1, pipeline-model-parallel size: 1\n'
    printf '[after megatron is initialized] datetime: %s \n' "$(at $((start + 8)))"
    [ "$first" = 0 ] || printf ' successfully loaded checkpoint from /ckpt/big at iteration %d\n' "$first"
    printf '[before the start of training step] datetime: %s \n' "$(at $((start + 10)))"
    for ((i = first + 10; i <= last; i += 10)); do
        minute=$((start + 10 + i - first))
        printf ' [%s.000000] iteration %8d/     360 | consumed samples: %12d | elapsed time per iteration (ms): 60000.0 | learning rate: 1.0E-04 | global batch size:   256 | lm loss: 2.0E+00 | loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |\n' \
            "$(at $minute)" "$i" $((256 * i))
        [ $((i % 60)) != 0 ] || printf '  successfully saved checkpoint from iteration %7d to /ckpt/big\n' "$i"
    done
}

small_mark() { # phase, job, node, from, to
    printf 'hindcast-phase 1 2026-03-01T%s:00Z start %s job=%s restart=0 node=%s\n' "$4" "$1" "$2" "$3"
    printf 'hindcast-phase 1 2026-03-01T%s:00Z end %s job=%s restart=0 node=%s began=2026-03-01T%s:00Z\n' "$5" "$1" "$2" "$3" "$4"
}
