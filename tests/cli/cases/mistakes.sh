# Natural mistakes of somebody new to the command line: each is answered in one line that says what to do,
# and ends with something else than 0. At the end, how many there are, and how many are not answered so.
n=0 n_poor=0
try() {
    code=0
    n=$((n + 1))
    hindcast "$@" >out 2>err </dev/null || code=$?
    echo "\$ hindcast $*"
    cat err
    if [ "$code" = 0 ] || [ -s out ] || [ "$(wc -l <err)" != 1 ]; then
        n_poor=$((n_poor + 1))
        echo "POOR: exit $code, $(wc -l <out) lines of output, $(wc -l <err) of errors"
    fi
}
samples=$SOURCE_DIR/data/samples
cp "$samples"/*-slow-worker.* "$samples/incidents/cluster.jsonl" .
cp "$SOURCE_DIR/examples/scenarios/job-9600.jsonc" scenario.json
hindcast ingest -q "$samples"/trace-* "$samples/incidents/cluster.jsonl"
hindcast whatif slow-worker --json -o result.json
hindcast whatif --all -q --shard 1/2 -o part-1.json
echo 'hello world' >notes.txt
: >empty.csv
mkdir empty

echo '# the program'
try
try whatis slow-worker
try --versoin
try -v
try version
try -a hindcast-archive ls
try --json ls
try -q report reliability cluster.jsonl
try list
try info slow-worker
try slow-worker
try trace-slow-wroker.parquet
try empty
try notes.txt
try meta-slow-worker.yaml

echo '# groups of commands'
try report
try reliability
try report relability
try report whatif slow-worker
try archive rm slow-worker
try synth step
try scenario validate scenario.json
try top lots
try help whatiff
try gc

echo '# jobs and files'
try whatif
try whatif slow-wroker
try whatif worker
try whatif slow
try whatif 'slow-worker#2'
try whatif trace-slow-worker
try whatif trace-slow-wroker.parquet
try whatif nosuch.parquet
try whatif ./nosuch
try whatif empty
try whatif empty.csv
try whatif notes.txt
try whatif scenario.json
try whatif result.json
try whatif cluster.jsonl
try whatif meta-slow-worker.yaml
try whatif --all slow-wroker
try whatif -a nosuch slow-worker
try whatif -a nosuch nosuch.parquet
try show slow-wroker
try show notes.txt
try check slow-wroker
try check hindcast-archive
try ls 'slwo-*'
try ls --cluster defualt
try ls --sort sise
try whatif 'slow-*' --since 2031-01-01
try export 'slow-*' -o x.json.gz
try compare slow-worker
try compare slow-worker slow-stage interleaved
try compare slow-worker@1-5 slow-worker@100-200
try merge result.json
try merge part-1.json
try reproduce scenario.json
try reproduce result.json

echo '# options'
try whatif --html slow-worker
try whatif --csv slow-worker
try whatif slow-worker --html
try whatif slow-worker --csv
try whatif slow-worker --csv --json
try whatif slow-worker --jsno
try whatif slow-worker -j
try whatif slow-worker --outfile x.txt
try whatif slow-worker --format json
try whatif slow-worker --steps all
try whatif slow-worker --threshold ten
try whatif slow-worker --threads 0
try whatif slow-worker --fail-on slowdown
try whatif slow-worker --fail-on 'slowdwon > 1'
try whatif slow-worker --fail-on 'slowdown > 10 GB'
try whatif slow-worker -o nosuch/x.txt
try whatif slow-worker -o empty/
try whatif slow-worker --html -
try ls -a --json
try ls --all
try report account --by usr
try report account --since 2026-01-01
try report reliability --by cuase cluster.jsonl
try top lost --by usr
try archive prune --older-than 5d
try report nightly --date yesterday

echo '# scenarios and presets'
try simulate
try simulate llama-3
try simulate slow-worker
try simulate scenario
try simulate scenarios.json
try simulate trace-slow-worker.parquet
try simulate result.json
try simulate notes.txt
try simulate 'scen*.jsn'
try simulate scenario.json --set nodes=3
try simulate scenario.json --set /job/nodes
try simulate scenario.json --set /job/ndoes=3
try simulate scenario.json --replicas many
try simulate scenario.json -o answer
try scenario check trace-slow-worker.parquet
try scenario show lama3
try presets lama3

echo '# tables, exports and made-up traces'
try ls job
try query jobz
try query slow-worker
try query incidents --where 'nod = 3'
try query incidents --where 'node = '
try query incidents --columns nod
try export slow-worker
try export slow-worker --as parquet
try export incidents
try export trace-slow-worker.parquet --as csv
try export slow-worker --perfetto a.json -o b.json
try synth kineto
try synth steps --dp four -o x.csv
try synth steps -o x.txt
try formats parquet

echo '# reading in'
try ingest
try ingest nosuch.parquet
try ingest trace-slow-wroker.parquet
try ingest 'trace-*.csv'
try ingest https://example.org/x.parquet
try ingest notes.txt
try ingest empty
try ingest scenario.json
try ingest meta-slow-worker.yaml
try ingest hindcast-archive
try ingest --format parquet trace-slow-worker.parquet
try report reliability trace-slow-worker.parquet
try report breakdown trace-slow-worker.parquet
try report breakdown slow-worker
try report nightly
try diagnose collectives trace-slow-worker.parquet
try site check nosuch.json

echo "$n mistakes, $n_poor not answered in one line with an exit status"
