# What cannot be compared, and what is no choice of steps.
try() { code=0; hindcast compare "$@" 2>&1 | cut -c1-200 || true; code=${PIPESTATUS[0]}; echo "$* -> $code"; }
hindcast synth steps -q --dp 2 --pp 2 --microbatches 2 --steps 3 -o trace-a.csv
hindcast ingest -q -o - -a arc trace-a.csv
unset HINDCAST_ARCHIVE
for b in trace-a.csv@ trace-a.csv@5-2 trace-a.csv@x trace-a.csv@1@2 trace-a.csv@500-600 'trace-a.csv#1' nothing.csv nothing@1-2; do
    try trace-a.csv "$b"
done
try -a arc 'a#7' a
try -a arc a@1-2@3 a
try -a arc b@1-2 a
try - -
try trace-a.csv
try trace-a.csv trace-a.csv trace-a.csv
try trace-a.csv trace-a.csv --html pages/
try trace-a.csv trace-a.csv --csv - --json
try trace-a.csv trace-a.csv --fail-on 'slowdown > 1'
try trace-a.csv@10,99 trace-a.csv --fail-on 'step_change > -100 %' -o report.txt
