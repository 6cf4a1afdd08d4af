# Logs that the records name, that lie in a work directory, whose name has the number, and that match
# nothing or several; a fork; clocks an hour apart.
cat >sacct.txt <<'END'
JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|WorkDir|StdOut|JobName
100|c|ada|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T02:00:00|7200|FAILED|1|gres/gpu=8|/work/big|%x-%j.out|big
101|c|ada|2026-03-01T03:00:00|2026-03-01T03:00:00|2026-03-01T05:00:00|7200|COMPLETED|1|gres/gpu=8|/work/big|%x-%j.out|big
102|c|ada|2026-03-01T03:00:00|2026-03-01T03:00:00|2026-03-01T05:00:00|7200|COMPLETED|1|gres/gpu=8|/work/side|/else/out|side
103|c|bob|2026-03-01T03:00:00|2026-03-01T03:00:00|2026-03-01T05:00:00|7200|COMPLETED|1|gres/gpu=8|/work/bob|/else/out|other
END
log() { # hour, first iteration, directory to load or -, iterations, directory to save
    printf 'using world size: 8, data-parallel size: 8, tensor-model-parallel size: 1, pipeline-model-parallel size: 1\n'
    printf '[after megatron is initialized] datetime: 2026-03-01 %02d:01:00 \n' "$1"
    [ "$3" = - ] || printf ' successfully loaded checkpoint from %s at iteration %d\n' "$3" "$2"
    for i in 10 20; do
        printf ' [2026-03-01 %02d:%02d:00.000000] iteration %8d/     100 | consumed samples: %12d | elapsed time per iteration (ms): 6000.0 | learning rate: 1.0E-04 | global batch size:   256 | lm loss: 2.0E+00 | loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |\n' \
            "$1" "$i" $(($2 + i)) $((256 * ($2 + i)))
        printf '  successfully saved checkpoint from iteration %7d to %s\n' $(($2 + i)) "$4"
    done
}
mkdir -p copy/big copy/side copy/none
log 0 0 - /ckpt/big >copy/big/big-100.out
log 3 10 /ckpt/big /ckpt/big >copy/big/big-101.out
log 3 10 /ckpt/big /ckpt/side >copy/side/103.log
log 3 0 - /ckpt/x >copy/none/777.log
hindcast joins -a a || echo "exit $?" >&2
hindcast ingest -q -o - -a a sacct.txt
hindcast joins -a a || echo "exit $?" >&2
hindcast ingest -q -o - -a a copy/*/*
hindcast joins -a a
hindcast joins -a a --as csv | sed "s:$PWD::"
hindcast runs propose -a a
hindcast runs propose -a a --json | grep -v '"tool\|"version\|"commit\|"command' | sed "s:$PWD::"
hindcast ingest -q -o - -a b sacct.txt
hindcast ingest -q -o - -a b --zone Europe/Berlin copy/big/*
hindcast joins -a b
hindcast joins -a a --as csv --json || echo "exit $?" >&2
hindcast joins -a a --cluster d || echo "exit $?" >&2
cat >site.json <<'END'
{
    "schema": "hindcast/site/1",
    "sources": [{"name": "accounting", "files": "sacct.txt"}],
    "runs": [{"column": "name", "pattern": "^(?<run>side|other)$"}]
}
END
hindcast runs propose -a a --site site.json
hindcast runs propose -a a --site none.json || echo "exit $?" >&2
