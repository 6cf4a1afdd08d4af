#!/usr/bin/env bash
# Execution traces of PyTorch and Chakra: kept, shown, what is wrong with them counted, and joined to the profiler
# traces of the same ranks, which then know how many bytes their collectives have.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
expect() { [ "$2" = "$3" ] || fail "$1: '$2' in place of '$3'"; }
fixtures=$root/tests/fixtures/execution
samples=$root/data/samples/execution
said() { "$hindcast" show -a archive "$1" | sed -n "s/^kind  *execution: //p"; }

# Kept and shown.
mkdir chakra cycle run
cp "$samples/chakra/trace.0.et" chakra/
cp "$fixtures/cycle.0.et" cycle/
cp "$samples"/pytorch/et_*.json run/
for job in chakra cycle run; do "$hindcast" ingest -a archive $job >/dev/null; done
expect "ls" "$("$hindcast" ls -a archive | awk 'NR > 1 { print $1, $4, $5, $NF }' | xargs)" \
    "default/chakra rank 5 chakra-et default/cycle rank 4 chakra-et default/run ranks 6 pytorch-et"
expect "rows" "$(said chakra)" "5 rows of et_nodes, 2 of et_comms, 8 of et_dependencies, 1 of executions"
"$hindcast" check -a archive >/dev/null || fail "the archive is not whole"

# The sizes of the traces by hand, which say them, are those that the execution traces give.
mkdir named bare
cp "$root"/data/samples/two-ranks/rank-*.json named/
for r in 0 1; do
    jq '.traceEvents |= map(if .args["Collective name"] then .args |= with_entries(
        select(.key | test("nelems|dtype|Collective|Seq") | not)) else . end)' named/rank-$r.json >bare/rank-$r.json
done
sizes() { "$hindcast" report collectives "$@" --json | jq -c '[.collectives[] | .bytes, .busbw_gb_s]'; }
expect "named" "$(sizes named)" "[4000000,160]"
expect "bare" "$(sizes bare)" "[null,null]"
expect "joined" "$(sizes bare --et run)" "[4000000,160]"
if sizes bare --et chakra >/dev/null 2>warnings; then :; fi
grep -q "rank 0: .*trace.0.et' is not joined: the execution trace has 2 collectives, the profiler trace" warnings ||
    fail "a join that cannot be: $(cat warnings)"
grep -q "1 of 2 ranks have no execution trace" warnings || fail "a rank without: $(cat warnings)"

# What cannot be.
if "$hindcast" whatif named --et named 2>said.txt >/dev/null; then fail "no execution trace"; fi
grep -q "'named' holds no execution trace" said.txt || fail "said: $(cat said.txt)"
cp run/et_1.json run/again_1.json
if "$hindcast" whatif named --et run 2>said.txt >/dev/null; then fail "two of a rank"; fi
grep -q "are both execution traces of rank 1" said.txt || fail "said: $(cat said.txt)"
if "$hindcast" whatif "$root/data/samples/trace-slow-worker.parquet" --et run 2>said.txt; then fail "a timeline"; fi
grep -q -- "--et is for profiler traces" said.txt || fail "said: $(cat said.txt)"
head -c -3 chakra/trace.0.et >cut.0.et
"$hindcast" ingest -a archive cut.0.et >/dev/null 2>said.txt
grep -q "the file is cut off here; the 4 nodes before it are kept" said.txt || fail "said: $(cat said.txt)"
[ ! -e failures ]
