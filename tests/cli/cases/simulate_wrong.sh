# What cannot be run is refused before anything runs, and leaves nothing behind.
cp "$SOURCE_DIR/tests/scenarios/spec/standbys.json" "$SOURCE_DIR/tests/scenarios/wrong/faults_array.json" .
try() {
    code=0
    hindcast simulate "$@" || code=$?
    echo "$* -> $code"
}
try
try standbys.json other.json
try no_such_file.json
try faults_array.json
try --csv - --json standbys.json
# What worked when --csv was a flag and -o a directory: the message says what to give now.
try --csv --json standbys.json
try --csv standbys.json
try standbys.json --csv
try -o answer standbys.json
try --json -o "$PWD" standbys.json
try --html - standbys.json
try --fail-on 'etr < 0.9' standbys.json
try --replicas 0 standbys.json
try --seed -1 standbys.json
try --seed soon standbys.json
try --set /job/nodez=1 standbys.json
# A point of the sweep, with its values; and one that only the whole of the config forbids.
try --set '/sweep=[{"path": "/recovery/warm_standbys", "values": [0, 1]}, {"path": "/job/nodes", "values": [1200, 0]}]' standbys.json
try --set /recovery/pool_nodes=1210 standbys.json
try --set '/sweep=[{"path": "/checkpoint/every_s", "values": [300, 60]}]' standbys.json
try --set '/sensitivity={"values": {"/checkpoint/every_s": {"low": 60, "high": 300}}}' standbys.json
# A range that the search leaves.
cat >pool.json <<'END'
{ "schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 2,
  "job": {"nodes": 8, "work_d": 1},
  "recovery": {"pool_nodes": 20},
  "find": {"smallest": "/recovery/warm_standbys", "such_that": "ettr > 1"} }
END
try pool.json
touch file
try -o file/ standbys.json
try -o file/within/ standbys.json
(ulimit -f 4; try -q --replicas 2 -o full/ standbys.json | tail -n 1)
ls
