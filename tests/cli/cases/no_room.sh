# A file system without room (here: a limit on the size of files): one line that says so, and nothing
# is left behind.
try() {
    (ulimit -f "$kib" && hindcast "$@" 2>&1) |
        sed -E "s/\.tmp-[0-9a-f-]+/TEMPORARY/; s/dataset '[^']*'/dataset/"
    code=${PIPESTATUS[0]}
    echo "$* -> $code"
}
cp "$SOURCE_DIR/tests/fixtures/straggler/trace-launch.csv" trace-x.csv
kib=4
try ingest trace-x.csv
kib=1
try whatif --json -o report.json trace-x.csv
try whatif --compat compatible trace-x.csv
try synth steps -o trace-y.csv
try synth steps -o trace-y.parquet
ls
