#!/usr/bin/env bash
# An engine that hindcast does not have (tests/engines) answers scenarios: they are checked, have a schema,
# variants, sweeps, a value that is sought, replicas until an interval is narrow, a tornado, recorded data, and
# are shown as text, JSON, CSV and a page, by commands and reports that know nothing of it.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
queue=$(realpath "${HINDCAST_QUEUE:-$root/build/tests/hindcast_queue}")
plain=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
# is WHAT COMMAND...: all that it prints
is() {
    local wanted=$1 found
    shift
    found=$("$@" 2>&1) || true
    [ "$found" = "$wanted" ] || fail "$*: '$found', not '$wanted'"
}
# holds CONDITION FILE
holds() { jq -e "$1" "$2" >holds.out || fail "$2: $1"; }

cat >day.json <<'END'
{
  "schema": "hindcast/scenario/1", "kind": "queue", "question": "How many servers?", "replicas": 100,
  "queue": {"servers": 2, "customers": 2000, "arrivals_per_h": 60, "service_s": 60},
  "variants": {
    "one": {"set": {"/queue/arrivals_per_h": 30, "/queue/servers": 1}},
    "slow": {"set": {"/queue/slow_factor": 1.5}},
    "both": {"use": ["one", "slow"]}
  },
  "sweep": [{"path": "/queue/servers", "values": [2, 3]}, {"path": "/queue/service_s", "values": [45, 60]}],
  "find": {"smallest": "/queue/servers", "such_that": "wait_s.high < 0.2 min and busy > 20 %",
           "range": {"from": 2, "to": 5, "step": 1}},
  "sensitivity": {"values": {"/queue/arrivals_per_h": {"low": 50, "high": 70},
                             "/queue/service_s": {"low": 50, "high": 70}}}
}
END

# ---- check and schema ----
is "day.json: ok: queue, 3 variants, 4 points to sweep, 2 values to test, 1 value to find" \
    "$queue" scenario check day.json
sed 's/"servers": 2,/"servers": 0, "servrs": 2,/' day.json >wrong.json
is "wrong.json:3:24: /queue/servers: must be at least 1, not 0
wrong.json:3:27: /queue/servrs: unknown key (did you mean 'servers'?)
hindcast: 'wrong.json' cannot be run" "$queue" scenario check wrong.json
sed 's/"service_s": 60}/"service_s": 120}/' day.json >busy.json
is "busy.json:3:64: /queue/arrivals_per_h: more come than are served
hindcast: 'busy.json' cannot be run" "$queue" scenario check busy.json
sed 's/"values": \[2, 3\]/"values": [1, 3]/; s/"arrivals_per_h": 60/"arrivals_per_h": 70/' day.json >point.json
is "hindcast: /queue/servers = 1, /queue/service_s = 60: point.json:3:64: /queue/arrivals_per_h: more come than are served" \
    "$queue" simulate point.json
"$plain" scenario check day.json >plain.txt 2>&1 || true
grep -qF "/kind: 'queue' is none of its values: 'lifetime', 'replay'" plain.txt ||
    fail "hindcast without the engine knows it"
"$queue" scenario schema --kind queue >schema.json
holds '.properties.queue.properties.servers.maximum == 100' schema.json
holds '."$defs".figure.anyOf[0].enum == ["wait_s", "busy", "interaction"]' schema.json
holds '.properties | has("job") | not' schema.json
"$queue" scenario schema >schema.json
holds '.properties | has("job") and (has("queue") | not)' schema.json
"$queue" scenario schema --as markdown --kind queue >keys.md
grep -qF '| `/queue/servers` | whole number, 1 to 100 |' keys.md ||
    fail "markdown has no /queue/servers"

# ---- what is asked ---- (a queue of one server waits rho / (mu (1 - rho)) = 60 s, one of two 20 s)
"$queue" simulate --json day.json >day.out
holds '.runs[0].figures.wait_s | .low < 20 and .high > 20' day.out
holds '.runs[1].figures.wait_s | .low < 60 and .high > 60' day.out
holds '.columns | map(.name) == ["wait_s", "busy"]' day.out
holds '.runs[3].interaction.wait_s.low > 50' day.out
holds '.sweep.points | length == 16' day.out
holds '.find.value == 3 and .find.tries[0].holds == false and .find.tries[3].holds == false' day.out
holds '.find.tries[3].figure.mean < 12 and .find.tries[3].also[0].figure.mean < 0.2' day.out
holds '.sensitivity | .figure == "wait_s" and .bars[0].path == "/queue/service_s"' day.out
holds '.runs[0].waits | length == 3 and (map(.share) | add | . > 0.999 and . < 1.001)' day.out
"$queue" simulate --json --set '/replicas={"until": {"figure": "wait_s", "half_width": 20}, "max": 1000}' \
    --set '/find={"largest": "/queue/servers", "such_that": "wait_s > 1", "range": {"from": 2, "to": 4, "step": 1}}' \
    day.json >until.out
holds '.runs | all(.replicas == 64)' until.out
holds '.find.value == 3' until.out

# ---- every form, the same for any number of threads ----
"$queue" simulate --threads 1 -o one/ day.json >one.txt
"$queue" simulate --threads 2 -o two/ day.json >two.txt
diff -r one two || fail "1 and 2 threads differ"
grep -q '^scenario      day: 2 servers, 2000 customers; 100 replicas, seed 1' one.txt || fail "no subject"
grep -q '^Waits: Who waits how long.$' one.txt || fail "the text has no section"
[ "$(head -1 one/waits.csv)" = run,wait,share ] && [ "$(wc -l <one/waits.csv)" = 13 ] || fail "waits.csv"
[ "$(wc -l <one/sweep.csv)" = 17 ] && [ ! -e one/life.perfetto.json ] || fail "sweep.csv, or a life"
[ ! -e one/account.csv ] && [ ! -e one/causes.csv ] || fail "tables of another engine"
! grep -qi 'faults\|lives' one.txt || fail "the text speaks of another engine"
grep -q 'with the same events' one.txt || fail "the text does not say what variants share"
for word in 'A day at the counter' 'simulated days' 'Servers at work' '<h2>Waits' 'up to a minute' '<h2>Sensitivity'; do
    grep -qi "$word" one/report.html || fail "the page has no '$word'"
done
! grep -qi 'gpu\|ettr\|lives' one/report.html || fail "the page speaks of another engine"

# ---- recorded data, through the provider of the program ----
cp "$root/data/samples/incidents/cluster.jsonl" "$root"/data/samples/{trace,meta}-slow-worker.* .
outages='/queue/outages={"file": "cluster.jsonl", "causes": ["hardware"]}'
jq 'del(.variants, .sweep, .find, .sensitivity)' day.json >alone.json
"$queue" simulate --json --set "$outages" --set /queue/servers=30 alone.json >outages.out
is "hindcast: alone.json:7:16: /queue/servers: 2 outages leave none of them" \
    "$queue" simulate --set "$outages" alone.json
holds '.notes[0] | test("^[1-9][0-9]* servers are away[.]$")' outages.out
holds '.inputs | map(.path) | any(. == "cluster.jsonl")' outages.out
"$queue" simulate --json --set '/queue/slow_factor={"whatif": {"file": "trace-slow-worker.parquet"}}' alone.json >slow.out
slowdown=$("$plain" whatif --json trace-slow-worker.parquet | jq .figures.slowdown)
holds ".runs[0].figures.busy.mean / 0.5 / $slowdown | . > 0.98 and . < 1.02" slow.out
is "hindcast: --set '/queue/outages={\"file\": \"none.csv\"}':1:10: /queue/outages/file: cannot open 'none.csv': No such file or directory" \
    "$queue" simulate --set '/queue/outages={"file": "none.csv"}' alone.json

# ---- the other engine is as before ----
"$queue" simulate --json --replicas 2 "$root/tests/scenarios/spec/standbys.json" >queue.out
"$plain" simulate --json --replicas 2 "$root/tests/scenarios/spec/standbys.json" >plain.out
cmp queue.out plain.out || fail "lifetimes differ beside another engine"

# ---- nothing else knows it ----
! grep -rlE 'queue_engine|arrivals_per_h' "$root"/{core,parsers,store,models,sim,study,reports,pipeline,cli} --include='*.[ch]' |
    grep -v '^$' || fail "the product knows the made-up engine"
[ ! -e failures ]
