#!/usr/bin/env bash
# A JSON result holds what it was made from: it is run again, wherever that is and whatever became of the
# scenario's files, and gives the same bytes. What was tampered with, and what has changed, is named.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" >&2; exit 1; }
# same RESULT: it is run again, and is equal
same() {
    "$hindcast" reproduce -q "$@" >said 2>&1 || fail "$*: $(cat said)"
    tail -n 1 said | grep -qx "equal: all $(stat -c %s "$1") bytes" || fail "$*: $(cat said)"
}
# differs WANTED RESULT
differs() {
    local code=0
    "$hindcast" reproduce -q "$2" >said 2>&1 || code=$?
    [ "$code" = 1 ] || fail "$2 -> $code, not 1: $(cat said)"
    grep -qF "different: $1" said || fail "$2: not '$1' but $(cat said)"
}
# refused WANTED COMMAND...
refused() {
    local wanted=$1 code=0
    shift
    "$@" >said 2>&1 || code=$?
    [ "$code" = 3 ] || fail "$* -> $code, not 3: $(cat said)"
    grep -qF "$wanted" said || fail "$*: not '$wanted' but $(cat said)"
}
simulate() { "$hindcast" simulate -q "$@"; }

# ---- every kind of study: variants, sweep, find, until, sensitivity; options; a preset; standard input
n=0
for file in "$SOURCE_DIR"/examples/scenarios/*.json* "$SOURCE_DIR"/tests/scenarios/right/*.json; do
    simulate --json --replicas 3 -o study.json "$file" 2>notes || continue # recorded data that is not there
    same study.json
    n=$((n + 1))
done
[ "$n" -gt 20 ] || fail "only $n scenarios could be run"
simulate --json --replicas 5 --seed 3 --threads 2 --set /job/nodes=900 -o preset.json preset:meta-rsc2
same preset.json --threads 1
"$hindcast" presets llama3 | simulate --json --replicas 2 -o input.json -
same input.json

# ---- of a directory, with an id of the run, and a life that was summed up
simulate --preset llama3 --replicas 2 --life-events 100 -o answer/ >report.txt 2>notes
same answer/result.json

# ---- the scenario's files are not needed; data are, from where they were
mkdir -p base/data over
cp "$SOURCE_DIR/data/samples/incidents/cluster.jsonl" base/data/first.jsonl
cp --no-preserve=mode "$SOURCE_DIR/data/samples/incidents/cluster.jsonl" over/second.jsonl
cp "$SOURCE_DIR/data/samples/incidents/records.csv" third.csv
cat >base/base.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 3,
 "job": {"nodes": 10, "work_d": 20},
 "faults": {"seen": {"class": "explicit", "remedy": "evict", "incidents_from": {"file": "data/first.jsonl", "groups": ["rack-1"]}},
            "gone": {"class": "explicit", "per_1000_node_days": 10000, "remedy": "evict"}},
 "repair": {"automatic_s": {"exponential": {"mean": 3600}}},
 "recovery": {"pool_nodes": 20}, "startup": {"full_s": 60}}
END
cat >over/over.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "include": "../base/base.json", "remove": ["/faults/gone"],
 "sweep": [{"path": "/faults/seen/incidents_from/file", "values": ["second.jsonl", "../base/data/first.jsonl"]}],
 "variants": {"other": {"set": {"/faults/seen/incidents_from/file": "second.jsonl"}}}}
END
simulate --json -o data.json --set '/repair/automatic_s={"fitted": {"file": "third.csv", "what": "repair"}}' over/over.json
mv over/over.json over/moved.json
rm base/base.json
same data.json
for read in 'over/../base/data/first.jsonl' over/second.jsonl third.csv; do
    grep -q "^read again: $read, SHA-256 [0-9a-f]\{64\}$" said || fail "$read is not read again: $(cat said)"
done
echo >>over/second.jsonl
refused "'over/second.jsonl' is not what 'data.json' was made of: its SHA-256 was " "$hindcast" reproduce data.json
rm over/second.jsonl
code=0
"$hindcast" reproduce data.json >said 2>&1 || code=$?
[ "$code" -gt 2 ] && grep -q "second.jsonl" said || fail "an input that is gone -> $code: $(cat said)"

# ---- the answer is of the records, not of where they lie
cat >fitted.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 10, "inputs": {"draws": 20},
 "job": {"nodes": 30, "work_d": 20},
 "faults": {"any": {"class": "explicit", "per_1000_node_days": 100, "remedy": "evict"}},
 "recovery": {"pool_nodes": 31}, "startup": {"full_s": 60},
 "repair": {"automatic_s": {"fitted": {"file": "third.csv", "what": "repair"}}}}
END
mkdir elsewhere
cp third.csv elsewhere/another.csv
sed 's/third.csv/another.csv/' fitted.json >elsewhere/fitted.json
simulate --json -o here.json fitted.json
simulate --json -o there.json elsewhere/fitted.json
diff <(grep -v '"scenario"\|"path"\|"command"' here.json | grep -v 'Fitted to') \
    <(grep -v '"scenario"\|"path"\|"command"' there.json | grep -v 'Fitted to') || fail "draws of the inputs depend on a path"
same here.json

# ---- what was tampered with
sed '0,/"mean": [0-9.]*/s//"mean": 0.5/' preset.json >mean.json
differs 'runs[0].figures.' mean.json
sed 's/"seed": 3/"seed": 4/' preset.json >seed.json
differs 'seed is 4 in the result, and 3 now' seed.json
sed 's/^/ /' preset.json >indented.json
differs 'the same values, written in another way from byte 1 on' indented.json
sed 's/\\"replicas\\": 5/\\"replicas\\": 6/' preset.json >replicas.json
differs 'runs[0].replicas is 5 in the result, and 6 now' replicas.json

# ---- what cannot be run again
sed 's/"tool_version": "[^"]*"/"tool_version": "0.0.1"/' preset.json >old.json
refused "'old.json' is of hindcast 0.0.1, this is " "$hindcast" reproduce old.json
"$hindcast" presets --json >presets.json
refused "'presets.json' is a 'hindcast-presets': only results of 'hindcast simulate' can be run again" \
    "$hindcast" reproduce presets.json
refused "'fitted.json' is no JSON result of hindcast" "$hindcast" reproduce fitted.json
refused "'report.txt' is no JSON result of hindcast" "$hindcast" reproduce report.txt
grep -v '"scenario"' preset.json >none.json
refused "'none.json' has no scenario in it" "$hindcast" reproduce none.json
sed 's/\\"kind\\": \\"lifetime\\"/\\"kind\\": \\"lifetimes\\"/' preset.json >kind.json
refused 'the scenario of the result:1:' "$hindcast" reproduce kind.json
echo "$n scenarios and their results"
