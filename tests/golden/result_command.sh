#!/usr/bin/env bash
# Each JSON result says by which command it was made: that command, typed into a shell, gives the same bytes, and
# however the command was typed (short options, other order, threads, outputs, archive) it is the same text.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast() { "$program" "$@"; }
program=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
fail() { echo "FAIL: $*" | tee -a failures; }
cp "$root"/data/samples/*slow-worker* "$root/data/samples/trace-slow-stage.csv.gz" "$root/data/samples/meta-slow-stage.yaml" .
cp trace-slow-worker.parquet "it's a trace.parquet"
hindcast ingest -q -a archive trace-slow-worker.parquet trace-slow-stage.csv.gz
export HINDCAST_ARCHIVE=archive

n=0
# The command of a result gives the result; the way in which it is given is the command line of this script.
again() {
    n=$((n + 1))
    hindcast "$@" --json >first 2>/dev/null || [ $? = 1 ] || { fail "$*: exit"; return; }
    jq -r .command first >command
    [ "$(jq -r .commit first)" != null ] && [ "$(jq -r .libraries first | cut -c 1-5)" = "HDF5 " ] || fail "$*: commit or libraries"
    bash -c "$(declare -f hindcast); program='$program'; $(cat command) --json" >second 2>/dev/null || [ $? = 1 ] || { fail "$*: '$(cat command)' does not run"; return; }
    cmp -s first second || fail "$*: '$(cat command)' gives another result"
}
again whatif slow-worker
again whatif "it's a trace.parquet"
again whatif slow-stage
again whatif slow-worker --steps 10-20 --threshold 1.2
again whatif --all
again simulate llama3 --set '/replicas=8' --set '/seed=5'
again simulate --preset airesim --set '/replicas=4' --set '/question="What'"'"'s \"new\"?"'
again scenario check "$root/examples/scenarios/standbys.jsonc"
again ls
again report reliability "$root"/data/samples/incidents/*.csv
again compare slow-worker slow-stage
again formats

# However it was typed.
said() { hindcast "$@" | jq -r .command; }
want='hindcast whatif --steps=10-20 --threshold=1.2 slow-worker'
for typed in "slow-worker --steps 10-20 --threshold=1.2 --json" "--threshold 1.2 --json --threads 2 --steps=10-20 slow-worker" \
    "--json -q --steps 10-20 --thresh 1.2 -a archive slow-worker" "--csv csv/ --html page.html --json --steps 10-20 --threshold 1.2 slow-worker"; do
    # shellcheck disable=SC2086 # words of a command line
    [ "$(said whatif $typed)" = "$want" ] || fail "whatif $typed: $(said whatif $typed)"
done
# A report of shards is that of the whole report.
for i in 1 2; do hindcast whatif -q --all --shard $i/2 -o part-$i.json --threshold 1.2; done
[ "$(said merge -q --json part-2.json part-1.json)" = 'hindcast whatif --threshold=1.2 --all' ] ||
    [ "$(said merge -q --json part-2.json part-1.json)" = 'hindcast whatif --all --threshold=1.2' ] ||
    fail "merge: $(said merge -q --json part-2.json part-1.json)"
cmp -s <(hindcast merge -q --json part-2.json part-1.json) <(hindcast whatif -q --all --threshold 1.2 --json) || fail "merge gives another result"
# A file of its own has the same id of its run, by whichever command.
hindcast simulate -q -o one/ llama3 --set /replicas=4 >/dev/null
hindcast simulate -q --preset llama3 --set /replicas=4 -o two/ >/dev/null
[ "$(jq -r .run_id one/result.json)" = "$(jq -r .run_id two/result.json)" ] || fail "the id of a run depends on how it was typed"

[ ! -s failures ] || exit 1
echo "$n commands give their results again"
