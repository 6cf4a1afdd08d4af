#!/usr/bin/env bash
# docs/site.schema.json is what the table of keys says (HINDCAST_REFRESH=1 writes it), and holds for what the
# program accepts; what file names tell goes into the rows; partitions and rules of runs are checked.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
schema=$root/docs/site.schema.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
fail() {
    echo "site_keys: $*" >&2
    exit 1
}
"$hindcast" site schema >schema.json
[ "${HINDCAST_REFRESH:-}" != 1 ] || cp schema.json "$schema"
diff -u "$schema" schema.json

mkdir -p logs/n01 logs/n02 hist/run7 hist/run8
for node in n01 n02; do
    echo '[2026-03-01T10:00:00+00:00] NVRM: Xid (PCI:0000:9b:00): 79, pid=1, GPU has fallen off the bus.' >logs/$node/kernel.txt
done
for run in 7 8; do
    echo "{\"step\": $run, \"t\": 1772348400, \"loss\": 2}" >hist/run$run/4711$run.jsonl
done
printf 'job,run\n1,a\n2,b\n' >runs.csv
cat >site.json <<'END'
{"$schema": "https://hindcast.example/hindcast/site/1", "schema": "hindcast/site/1", "currency": "EUR",
 "partitions": {"gpu": {"gpu_type": "h100", "gpus_per_node": 8, "price": 2.5}, "cpu": {}},
 "runs": [{"column": "name", "pattern": "^(?<run>.*)-part\\d+$"}, {"csv": "runs.csv", "cluster": "north"},
          {"column": "work_dir", "pattern": "/runs/(?<run>[^/]+)"}],
 "sources": [
   {"name": "kernel", "files": "logs/*/kernel.txt", "format": "kernel-log", "path": "logs/(?<node>[^/]+)/"},
   {"name": "steps", "files": "hist/**/*.jsonl", "path": "hist/(?<log>[^/]+)/(?<job>\\d+)",
    "map": {"table": "train_steps", "columns": {"iteration": "step", "end_ns": {"from": "t", "unit": "s"}, "loss": "loss"}}}]}
END
"$hindcast" site check site.json >said || fail "$(cat said)"
"$hindcast" ingest -q -o - -a a --site site.json >said
[ "$("$hindcast" query -a a events --columns node,code --as csv | sort | tr '\n' ' ')" = 'n01,79 n02,79 node,code ' ] || fail "$("$hindcast" query -a a events)"
[ "$("$hindcast" query -a a train_steps --columns log,job,iteration --as csv | tr '\n' ' ')" = 'log,job,iteration run7,47117,7 run8,47118,8 ' ] ||
    fail "$("$hindcast" query -a a train_steps --columns log,job,iteration)"

printf 'job,run\n1,a\n1,b\n' >twice.csv
cat >wrong.json <<'END'
{"schema": "hindcast/site/1",
 "partitions": {"gpu": {"gpus_per_node": 1.5, "prise": 2}, "cpu": 3},
 "runs": [{"csv": "twice.csv"}, {"column": "user", "pattern": "(?<run>a)"}, {"column": "comment", "pattern": "(a)"},
          {"csv": "nowhere.csv"}, {"csv": "runs.csv", "column": "name"}, {"pattern": "(?<run>a"}],
 "sources": [{"name": "a", "files": "*.csv", "path": "(?<host>n\\d+)"}, {"name": "b", "files": [], "path": "x"}]}
END
"$hindcast" site check wrong.json >said && fail 'nothing is wrong'
for what in "wrong.json:2:42: /partitions/gpu/gpus_per_node: 'gpus_per_node' is a whole number above 0" "unknown key 'prise' (did you mean 'price'?)" \
    "/partitions/cpu: is to be an object, not a number" "'twice.csv': line 3 puts job 1 into a second run" "'column' is one of name, comment, work_dir, not 'user'" \
    "'pattern' has no group that names the run" "cannot open 'nowhere.csv'" "a rule has 'column'" "the group 'host' is neither 'node' nor 'job'" \
    "'files' is an empty list" "'path' has no named group"; do
    grep -qF "$what" said || fail "'$what' is not in: $(cat said)"
done

python=
for candidate in /usr/bin/python3 python3; do # Debian's first: it is the one that users have
    if [ -z "$python" ] && "$candidate" -c 'import jsonschema' 2>/dev/null; then python=$candidate; fi
done
if [ -z "$python" ]; then
    echo "the schema was not tried: python3 has no jsonschema"
    exit 0
fi
"$python" - "$schema" site.json wrong.json <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
assert schema["$id"].startswith("https://"), "a relative $id, which validators look for as a file"
validator = jsonschema.Draft202012Validator(schema)
for error in validator.iter_errors(json.load(open(sys.argv[2]))):
    sys.exit("FAIL: %s %s" % (error.json_path, error.message))
wrong = list(validator.iter_errors(json.load(open(sys.argv[3]))))
assert len(wrong) >= 5, wrong
print("a site file against the schema, and", len(wrong), "mistakes of a wrong one")
END
