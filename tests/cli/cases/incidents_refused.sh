# Lists of incidents that cannot be read or reported, and what is not one.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
report() { try report reliability "$@"; }
samples=$SOURCE_DIR/data/samples
cp "$samples"/incidents/* .
printf 'time,node,txt\n1,a,b\n' >list.csv && report --format incidents-csv list.csv
printf 'time,node,text\n1,a,b\nsoon,a,b\n' >list.csv && report list.csv
report --max-bad 60% list.csv | head -1
printf 'time,text\n1,"b\n' >list.csv && report list.csv
printf 'time,text\n1,\000\n' >list.csv && report list.csv
printf '{"observation": {"nodes": -1}}\n' >list.jsonl && report list.jsonl
printf '{"time": 1, "text": "a"}\n{"time": 2, "text": "b"' >list.jsonl && report list.jsonl
head -c 700 events.json >cut.json && report cut.json
sed 's/"fault_end"/"fault_over"/' events.json >odd.json && report odd.json
sed '1s/Down Time/Uptime/' records.csv >odd-records.csv && report odd-records.csv
sed '2s/60,,CPU/x,,CPU/' records.csv >odd-records.csv && report odd-records.csv
report "$samples/trace-interleaved.csv"
report --from 2024-01-01 events.json
report --from 3d cluster.csv
report --from 3d --to 2d events.json
report --from 3d --to 2024-01-01 events.json
report --from yesterday events.json
report --csv - --json events.json
report --csv --json events.json
report --csv events.json
report events.json --csv
report --fail-on 'availability < 1' events.json
report --by weather events.json
report --nodes 0 events.json
report -a fleet events.json
report -a fleet
try whatif events.json
try ingest -a fleet list.jsonl
[ ! -e fleet ]
try ingest -q -o - -a fleet events.json
try whatif -a fleet events
try show -a fleet --table ops events
try report -a fleet
try report relability
