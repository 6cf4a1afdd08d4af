# A trace that cannot be kept leaves no archive behind, but one that was there stays.
awk -F, '!($2 == 2 && $5 == "optimizer")' "$SOURCE_DIR/tests/fixtures/straggler/trace-dp1.csv" >no-end.csv
hindcast ingest -a new/archive no-end.csv || echo "exit $?"
ls new
hindcast ingest -a old "$SOURCE_DIR/tests/fixtures/straggler/trace-pp1.csv" >/dev/null
hindcast ingest -a old no-end.csv || echo "exit $?"
hindcast ls -a old | sed "s, [0-9.]* kB, SIZE,"
hindcast ingest -a none no-end.csv no-file.csv || echo "exit $?"
ls -d none || true
