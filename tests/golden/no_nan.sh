#!/usr/bin/env bash
# Jobs at the edges (one op of each kind, one step, one stage, nothing that varies): no output says
# nan or inf.
set -euo pipefail
: "${HINDCAST:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "no_nan: $*" >&2; exit 1; }
synth() { "$HINDCAST" synth steps -q "$@"; }
synth --steps 1 --dp 1 --pp 1 --microbatches 1 -o one.csv
synth --steps 1 -o step.csv
synth --steps 6 --dp 1 --pp 1 -o worker.csv
synth --steps 6 --dp 1 -o dp1.csv
synth --steps 6 --pp 1 -o pp1.csv
synth --steps 6 --compute-cv 0 -o constant.csv
synth --steps 6 --dp 1 --pp 2 --compute-cv 0 --slow-stage 1,1.1 -o slow.csv
for threshold in 1 1.03; do
    for trace in one step worker dp1 pp1 constant slow; do
        out=$trace-$threshold
        mkdir "$out"
        "$HINDCAST" whatif -q "$trace.csv" --threshold "$threshold" --csv "$out/csv" \
            --html "$out/page.html" >"$out/text" 2>"$out/err" || fail "$out: $(cat "$out/err")"
        "$HINDCAST" whatif -q "$trace.csv" --threshold "$threshold" --json >"$out/json"
    done
done
"$HINDCAST" ingest -q -o - -a archive ./*.csv 2>err || fail "$(cat err)"
mkdir fleet
"$HINDCAST" whatif --all -q -a archive --min-steps 1 --csv fleet/csv --html fleet/html >fleet/text
"$HINDCAST" whatif --all -q -a archive --min-steps 1 --json >fleet/json
if grep -rniE '(^|[^a-z_-])[-+]?(nan|inf|infinity)([^a-z_]|$)' --exclude-dir=archive -- */ >found; then
    fail "$(cut -c1-300 found | head -n 5)"
fi
[ "$(ls fleet/html/jobs | wc -l)" = 7 ] || fail "not 7 pages: $(ls fleet/html/jobs)"
echo "no_nan: 14 reports and a fleet without nan or inf"
