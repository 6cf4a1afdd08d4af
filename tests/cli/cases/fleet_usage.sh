# What whatif --all and merge refuse, and a small fleet.
hindcast synth steps -q --steps 6 --microbatches 2 --slow-worker 0,1,1.5 -o trace-a.csv
hindcast synth steps -q --steps 2 --microbatches 2 -o trace-b.csv
hindcast ingest -q -a archive trace-a.csv trace-b.csv >/dev/null
try() { echo "\$ hindcast $*"; hindcast "$@" 2>&1 || echo "exit $?"; }
try whatif
try whatif --all trace-a.csv
try whatif --all --compat out
try whatif --shard 1/2 a
try whatif --no-cache a
try whatif --all -a archive --shard 1/2
try whatif --all -a archive --shard 1/2 --json -o part.json
try whatif --all -a archive --shard 3/2 -o part.json
try whatif --all -a nowhere
try merge
try merge trace-a.csv
try merge nothing.json
try whatif --all -a archive --shard 1/2 -o 1.json
try whatif --all -a archive --shard 2/2 -o 2.json
try whatif --all -a archive --shard 2/2 -o 2.json
try merge 1.json
try merge 1.json 2.json -o merged.txt
try whatif --all -a archive -o all.txt
cmp merged.txt all.txt && echo same
# A manifest that is damaged ends the run.
echo '{' >archive/manifest.json
try whatif --all -a archive
