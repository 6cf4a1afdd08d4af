# A worker that gets slower: S, relative to the ideal of the untouched job, rises with it, in the text, the sweep,
# what `find` takes and JSON; relative to the edited job's own ideal it falls at first. Profiler traces likewise.
ln -s "$SOURCE_DIR"/data/samples samples
# scenario NAME INPUT SELECT: NAME.json, and NAME-sweep.json with a sweep
scenario() {
    cat >"$1.json" <<E
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "samples/$2"},
 "edits": {"slow": {"select": $3, "scale": 2}}}
E
    sed '$s/}$/, "sweep": [{"path": "\/edits\/slow\/scale", "values": [1, 1.2, 1.5, 2]}]}/' "$1.json" >"$1-sweep.json"
}
scenario worker trace-slow-stage.csv.gz '{"op": ["forward-compute", "backward-compute"], "worker": ["0/0"]}'
scenario rank two-ranks '{"op": "gpu", "rank": 0}'
for name in worker rank; do
    hindcast simulate -q "$name-sweep.json" | sed -n '/^sweep/,/^Best/p' | head -n 6
    hindcast simulate -q "$name.json" | sed -n '/^  variant   /,/^waste/p'
    hindcast simulate -q --json "$name.json" |
        jq -c '.runs[0].figures | [.slowdown.mean, .own_slowdown.mean, .waste.mean] | map(. * 1000 | round / 1000)'
done
echo "# what find takes"
hindcast simulate -q worker.json --set '/find={"largest": "/edits/slow/scale", "such_that": "slowdown <= 1.15",
    "range": {"from": 1, "to": 2, "step": 0.05}}' | sed -n '/^answer/,/^$/p'
echo "# a name of before"
hindcast simulate -q --set '/report/figures=["slowdown_base"]' worker.json || echo "exit $?"
