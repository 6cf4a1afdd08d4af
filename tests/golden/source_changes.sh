#!/usr/bin/env bash
# A source that is written to between its digest and its rows is refused, and nothing of it is kept:
# else the archive has other rows than those of the digest that it gives, for good.
#
# The moment between is made by metadata that come through a FIFO: a trace is hashed, then its
# metadata are read, then its rows.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
mkfifo meta
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

# run CHANGE COMMAND...: the command while CHANGE is done to trace.csv; leaves code and out.
run() {
    local change=$1 writer
    shift
    cp --no-preserve=mode "$root/data/samples/trace-interleaved.csv" trace.csv
    touch -d 2020-01-01 trace.csv
    # Opening the FIFO waits for its reader, which has the digest by then.
    {
        "$change"
        cat "$root/data/samples/meta-interleaved.yaml"
    } >meta &
    writer=$!
    code=0
    timeout 120 "$hindcast" "$@" >out 2>&1 || code=$?
    wait "$writer" || true
}

nothing() { :; }
# Rows that are as good: the same size, a digit changed, and the time of change set back.
rewrite() {
    sed -i '2s/[1-8]\(,[^,]*,[^,]*,[^,]*,[^,]*\)$/9\1/' copy.csv
    cat copy.csv >trace.csv
    touch -d 2020-01-01 trace.csv
}
# Cut within a row, which alone would be damage (exit 3).
cut_short() { truncate -s 3000 trace.csv; }
append() { tail -1 copy.csv >>trace.csv; }

cp --no-preserve=mode "$root/data/samples/trace-interleaved.csv" copy.csv
for change in rewrite cut_short append; do
    for command in "ingest -a archive" whatif; do
        run "$change" $command --meta meta trace.csv
        [ "$code" = 4 ] || fail "exit $code, not 4: $command while '$change': $(head -3 out)"
        grep -q "'trace.csv' was changed while it was read" out || fail "$command, '$change': $(head -3 out)"
    done
    [ ! -e archive ] || fail "an archive is left after '$change'"
done
run nothing ingest -a archive --meta meta trace.csv
[ "$code" = 0 ] || fail "what was not changed is refused: $(cat out)"
"$hindcast" check -a archive >out 2>&1 || fail "check: $(cat out)"
exit "$failed"
