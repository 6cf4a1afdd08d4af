# A trace that cannot be kept leaves no archive behind, but one that was there stays.
awk -F, '!($2 == 2 && $5 == "optimizer")' "$SOURCE_DIR/tests/fixtures/straggler/trace-dp1.csv" >no-end.csv
"$HINDCAST" ingest -a new/archive no-end.csv || echo "exit $?"
ls new
"$HINDCAST" ingest -a old "$SOURCE_DIR/tests/fixtures/straggler/trace-pp1.csv" >/dev/null
"$HINDCAST" ingest -a old no-end.csv || echo "exit $?"
"$HINDCAST" ls -a old
