# Timelines joined to attempts: in a job's work directory, called by its number, of no job, at a time at
# which its job did not run, and with relative times. `show` tells of them where their job is asked for.
cat >sacct.txt <<ROWS
JobID|Cluster|User|Submit|Start|End|ElapsedRaw|State|NNodes|AllocTRES|WorkDir|StdOut|JobName
100|c|ada|2025-12-31T23:00:00|2025-12-31T23:00:00|2026-01-01T02:00:00|10800|COMPLETED|1|gres/gpu=8|$PWD/copy/work/big|%x-%j.out|big
101|c|ada|2025-12-31T23:00:00|2025-12-31T23:00:00|2026-01-01T02:00:00|10800|COMPLETED|1|gres/gpu=8|/work/side|%x-%j.out|side
102|c|ada|2026-02-01T00:00:00|2026-02-01T00:00:00|2026-02-01T02:00:00|7200|COMPLETED|1|gres/gpu=8|/work/late|%x-%j.out|late
ROWS
hindcast ingest -q -o - -a a sacct.txt
mkdir -p copy/work
for name in work/big 101 102 other; do
    hindcast synth kineto -q --dp 2 --layers 1 --steps 1 --microbatches 1 -o "copy/$name"
    rm "copy/$name/truth.json"
    hindcast ingest -q -o - -a a "copy/$name"/*.json
done
hindcast synth steps -q --dp 2 --pp 2 --steps 2 -o relative.csv
hindcast ingest -q -o - -a a relative.csv
hindcast joins -a a
hindcast joins -a a --json | grep '"timeline"' | sed "s:$PWD::"
hindcast show -a a 100 | sed "s:$PWD::"
hindcast show -a a 102 | sed "s:$PWD::"
