# What was skipped is said, with its steps; too much of it is refused; others are still read.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
fixtures=$SOURCE_DIR/tests/fixtures/straggler
awk 'BEGIN { FS = OFS = "," } NR == 20 { $3 = "x" } NR != 100 { print } NR == 300 { print }' \
    "$fixtures/trace-dp1.csv" >trace-odd.csv
try ingest trace-odd.csv
try ingest --max-bad 0 -a strict trace-odd.csv
try ls -a strict
try ingest --json trace-odd.csv
try ingest -a other --json trace-odd.csv
try ingest -a several trace-absent.csv "$fixtures/trace-pp1.csv" trace-odd.csv
hindcast show odd | grep skipped
hindcast whatif odd | grep -A3 -E '^(rows|steps)'
