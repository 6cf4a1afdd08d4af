#!/usr/bin/env bash
# Where outputs go: files under /dev/shm are files; notes do not land in results when standard error is
# closed, nor are results lost without an error when standard output is; the files of a run are told
# from those of another; what fails or is stopped leaves nothing.
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
hindcast=$(realpath "$HINDCAST")
work=$(mktemp -d)
trap 'rm -rf "$work" ${shm:+"$shm"}' EXIT
cd "$work"
fail() { echo "FAIL: $*" >&2; exit 1; }
expect() { # code, command
    local code=0 wanted=$1
    shift
    "$@" || code=$?
    [ "$code" = "$wanted" ] || fail "$* -> $code, not $wanted"
}
samples=$SOURCE_DIR/data/samples
trace=$samples/trace-slow-worker.parquet
other=$SOURCE_DIR/tests/fixtures/straggler/trace-dp1.csv

# ---- a regular file under /dev is a file
if [ -d /dev/shm ] && shm=$(mktemp -d /dev/shm/hindcast-XXXXXX 2>/dev/null); then
    for i in 1 2; do
        "$hindcast" whatif -q --json -o "$shm/o.json" "$trace"
        "$hindcast" ingest -q -o - -a "$shm/archive" "$trace"
    done
    "$hindcast" whatif -q --json -o o.json "$trace"
    cmp o.json "$shm/o.json" || fail "-o on /dev/shm twice is not the document"
    "$hindcast" check -q -a "$shm/archive" || fail "an archive on /dev/shm is broken"
else
    echo "note: no /dev/shm to try"
fi
echo before >log
"$hindcast" formats -o /dev/fd/7 7>>log
[ "$(head -n 1 log)" = before ] && [ "$(wc -l <log)" -gt 1 ] || fail "/dev/fd/7 is not written in place"

# ---- closed descriptors
"$hindcast" whatif --json --steps 10,999 -o whole.json "$other" 2>notes
[ -s notes ] || fail "there is no note that could land in a file"
"$hindcast" whatif --json --steps 10,999 -o closed.json "$other" 2>&-
cmp whole.json closed.json || fail "a note is in the result"
"$hindcast" whatif --json --steps 10,999 -o closed.json "$other" <&- >&- 2>&-
cmp whole.json closed.json || fail "without any descriptor the result is another"
expect 4 "$hindcast" formats >&-
expect 4 "$hindcast" formats -o /dev/stdout >&-
expect 4 "$hindcast" whatif -q --csv unseen "$trace" >&-
[ ! -e unseen ] || fail "tables without the report that belongs to them"
expect 3 "$hindcast" ingest -q -o - -a none - <&- # as for any device

# ---- a set of files: one id, a list that shows a mixture, and no file of others
"$hindcast" whatif --csv t --html page.html --json -o report.json "$trace" 2>/dev/null
id=$(sed -n 's/.*"run_id": "\([0-9a-f]\{16\}\)",$/\1/p' report.json)
[ -n "$id" ] || fail "the report has no id"
grep -q "<meta name=\"hindcast-run\" content=\"$id\">" page.html || fail "the page has another id"
head -n 1 t/files.sha256 | grep -q " $id:" || fail "the tables have another id"
(cd t && sha256sum --check --quiet files.sha256) || fail "the list is not of these files"
cp t/steps.csv steps.csv
"$hindcast" whatif -q --threads 1 --csv t --html page.html --json -o again.json "$trace"
cmp report.json again.json || fail "the id depends on more than the result"
"$hindcast" whatif -q --steps 10-20 --csv t --html page.html --json -o again.json "$trace"
! grep -q "$id" again.json page.html t/files.sha256 || fail "another result has the same id"
cp steps.csv t/
! (cd t && sha256sum --check --status files.sha256) || fail "a mixture is not seen"

scenario=$SOURCE_DIR/tests/scenarios/spec/standbys.json
"$hindcast" simulate -q --replicas 2 -o sim/ "$scenario" >printed
echo mine >sim/mine.txt
ids=$(cat sim/result.json sim/report.html sim/life.perfetto.json sim/summary.txt sim/files.sha256 |
    grep -oE '(run_id": "|hindcast-run" content="|^run +|hindcast run )[0-9a-f]{16}' | grep -oE '[0-9a-f]{16}$')
[ "$(wc -l <<<"$ids")" = 5 ] && [ "$(sort -u <<<"$ids" | wc -l)" = 1 ] || fail "ids of one run: $ids"
"$hindcast" simulate -q --replicas 2 --json -o sim/ "$scenario" | cmp - sim/result.json
[ "$(cat sim/mine.txt)" = mine ] || fail "a file of others is gone"

# ---- what fails leaves what was there, and no directory
digests() { (cd sim && sha256sum -- *); }
before=$(digests)
rm sim/summary.txt && mkdir sim/summary.txt
expect 4 "$hindcast" simulate -q --replicas 3 -o sim/ "$scenario" >/dev/null 2>&1
rmdir sim/summary.txt
[ "$(digests)" = "$(grep -v summary.txt <<<"$before")" ] || fail "a run that failed left a part"
for options in "--csv new/tables" "--html new/page.html" "--compat new/compat"; do
    # shellcheck disable=SC2086 # two words
    expect 4 "$hindcast" whatif -q --steps 10 -o missing/report $options "$other" 2>/dev/null
    [ ! -e new ] || fail "$options left a directory"
    # shellcheck disable=SC2086 # two words
    expect 2 "$hindcast" whatif -q --steps 100000 $options "$other" 2>/dev/null
    [ ! -e new ] || fail "$options left a directory"
done
expect 2 "$hindcast" whatif -q --html same -o same "$trace" 2>/dev/null
[ ! -e same ] || fail "two outputs of one name were written"

# ---- a fleet that is stopped
"$hindcast" synth steps -q --fleet 300 -o fleet &
pid=$!
while [ -z "$(find . -path './fleet.tmp-*/*' -print -quit 2>/dev/null)" ] && kill -0 $pid 2>/dev/null; do :; done
kill -TERM $pid
wait $pid || true
[ -z "$(ls -d fleet* 2>/dev/null)" ] || [ -e fleet/truth.csv ] || fail "a stopped fleet left $(ls -d fleet*)"
echo "outputs: ok"
