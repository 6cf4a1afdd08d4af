# Jobs by names, patterns, cluster and date, in each command that takes several; and what is answered where none is meant.
for i in 1 2 3; do
    hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 4 --seed $i --cluster east --start 2026-03-0${i}T23:30:00Z -o trace-llama-$i.csv
done
hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 5 --seed 4 --cluster west -o trace-other.csv
mkdir west
hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 3 --seed 4 --cluster west --start 2026-03-01T12:00:00Z -o west/trace-llama-1.csv
hindcast ingest -q -a a trace-*.csv west/trace-llama-1.csv
cat >sacct.txt <<'XX'
JobID|Cluster|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|JobName
1|c|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|COMPLETED|1|gres/gpu=8|n1|one
2|c|2026-03-02T23:30:00|2026-03-02T23:30:00|2026-03-03T01:00:00|2026-03-03T02:00:00|3600|FAILED|1|gres/gpu=8|n2|two
XX
hindcast ingest -q -a a sacct.txt
export HINDCAST_ARCHIVE=a
try() { echo "\$ $*"; hindcast "$@" 2>&1 || echo "exit $?"; }
shown() { echo "\$ $*"; hindcast "$@" 2>&1 | grep -E '^(job|rows read|hindcast:)' || echo none; }
listed() { echo "\$ $*"; { hindcast "$@" 2>&1 || echo "exit $?"; } | sed 's/  *[0-9.]* kB.*//'; }
listed ls
listed ls 'llama-*' --cluster east --since 2026-03-02
listed ls --until 2026-03-01 --sort first -r
listed ls --since 2026-03-02T23:30:02Z --until 2026-03-03T00:00:00Z
listed ls 'east/llama-[12]' west/other --sort rows -r
listed ls --where "kind = steps and first_ns >= 2026-03-02" --sort last -r
listed ls --where "cluster in (west, c) and not day is missing"
# A day is one of the zone of the site file: 23:30 in UTC is the next day there.
echo '{"schema": "hindcast/site/1", "zone": "Europe/Berlin", "sources": [{"name": "logs", "files": "*.log"}]}' >site.json
listed ls 'llama-*' --until 2026-03-02
rm site.json
try ls 'lama-1*'
try ls --cluster wets
try ls --until 2026-02-01
try ls other --since 2026-02-01
try ls --where "rows > 1e9"
try ls --since 2026-03-02 --until 2026-03-01
try ls --since 3d
try ls --sort sise
try ls -r
try ls jobs --sort user
try ls jobs --since 2026-03-02 --columns job,submit_ns
try ls jobs --until 2026-03-01 --columns job,submit_ns
try ls incidents --since 2026-03-02
try query jobs --since 2026-03-01T00:00:01Z --as csv --columns job
try query jobs --until 2026-03-02T23:30:00Z --as csv --columns job
try export jobs --as jsonl --since 2026-03-02 --columns job
shown show 'llama-*' --cluster east --until 2026-03-02
shown show 'east/*3' west/other
try show 'nothing-*'
hindcast show 'east/*' --json | grep -c '"hindcast-show"'
shown whatif 'east/llama-[23]'
hindcast whatif 'east/*' --json | grep -c '"schema": "hindcast-whatif"'
try whatif 'llama-*' --since 2027-01-01
try whatif trace-other.csv --cluster east
for choice in "llama-*" "west/* --where steps>4" "--cluster east --since 2026-03-03"; do
    echo "\$ whatif --all $choice"
    set -f
    hindcast whatif --all $choice --min-steps 1 --csv - 2>&1 | cut -d, -f1,2
    set +f
done
try whatif --all --where "steps > 99" --min-steps 1
try whatif --where "steps > 99" west/other
hindcast whatif -q --all 'east/*' --min-steps 1 --shard 1/2 -o 1.json
hindcast whatif -q --all '*llama-?' --cluster east --min-steps 1 --shard 2/2 -o 2.json
try merge 1.json 2.json
try export 'east/*' -o timelines
try export 'east/*' west/other --until 2026-03-02 -o timelines/
ls timelines
try export 'east/llama-1*' -o one.json
try check 'llama-*' --cluster west
try check 'llama-*' --repair
try check nothing
try compare 'east/llama-*' west/other
hindcast compare -q 'west/o*r' 'e*/llama-1' --csv - | head -1 | cut -d, -f1-3
cat >faster.json <<'XX'
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"job": "west/other"},
 "edits": {"faster": {"select": {"op": "forward-compute"}, "scale": 0.5}}}
XX
for choice in "--on llama-*" "--on west/other --on east/llama-3" "--all --until 2026-03-01" "--cluster west --where steps>=4"; do
    echo "\$ simulate $choice"
    set -f
    hindcast simulate faster.json $choice --json 2>&1 | grep -E '"(where|id)"|hindcast:' || true
    set +f
done
try simulate faster.json --on 'lama-1*'
try simulate faster.json --on 'llama-[12]'
try simulate faster.json --all --on llama-1
