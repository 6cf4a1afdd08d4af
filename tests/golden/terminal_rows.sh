#!/usr/bin/env bash
# Thousands of rows go to a terminal only when '-o -' asks for them; to a pipe always. What `synth steps
# -o x.csv` writes is read back with the metadata beside it.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
. "$SOURCE_DIR/tests/support/needs_terminal.sh"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; exit 1; }
run() { python3 "$SOURCE_DIR/tests/support/on_terminal.py" '' "$hindcast" "$@" >seen; }

run synth steps --steps 2
[ "$(tail -n 1 seen)" = 2 ] || fail "synth steps on a terminal ends with $(tail -n 1 seen)"
grep -q "would go to the terminal: give a file, as '-o trace-x.csv'" seen || fail "synth steps says: $(head -c 300 seen)"
run synth steps --steps 2 -o -
[ "$(tail -n 1 seen)" = 0 ] || fail "synth steps -o - on a terminal: $(head -c 300 seen)"
"$hindcast" synth steps --steps 2 >piped.csv || fail "synth steps into a pipe"
[ "$(wc -l <piped.csv)" -gt 100 ] || fail "synth steps into a pipe wrote $(wc -l <piped.csv) lines"

"$hindcast" ingest -q "$SOURCE_DIR/data/samples/incidents/cluster.jsonl"
run export incidents --as parquet
grep -q "Parquet is not for a terminal: give a file, as '-o incidents.parquet'" seen || fail "export says: $(head -c 300 seen)"
for form in csv jsonl; do
    run export incidents --as $form
    grep -q "all rows of the table would go to the terminal: give a file, as '-o incidents.$form', or '-o -'" seen || fail "export --as $form says: $(head -c 300 seen)"
    run export incidents --as $form -o -
    [ "$(tail -n 1 seen)" = 0 ] || fail "export --as $form -o - on a terminal: $(head -c 300 seen)"
    "$hindcast" export incidents --as $form 2>/dev/null | grep -q . || fail "export --as $form into a pipe"
done

"$hindcast" synth steps --steps 2 --dp 2 --tp 4 -o x.csv 2>notes
[ -e meta-x.yaml ] || fail "no metadata beside x.csv"
! grep -q 'meta' notes || fail "synth steps says: $(cat notes)"
"$hindcast" whatif x.csv | grep -q 'tp 4' || fail "x.csv is read without meta-x.yaml"
"$hindcast" ingest -q x.csv
"$hindcast" show x | grep -q 'declared .*tp 4' || fail "x.csv is ingested without meta-x.yaml: $("$hindcast" show x | head -n 4)"
