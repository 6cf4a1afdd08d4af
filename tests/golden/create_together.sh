#!/usr/bin/env bash
# Ingests that create the same archive together. At each moment of one, another is run from its start to
# its end, or as far as the lock lets it; and many are started at once. All succeed, and the archive has
# what each of them read.
#
#   MOMENTS  of the first ingest, of which every second is tried (46: it holds the lock from some 33 on)
#   ROUNDS   of many at once (3)
set -euo pipefail
moments=${MOMENTS:-46}
rounds=${ROUNDS:-3}
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
fail_call=$(realpath "${FAIL_CALL:?tests/tools/fail_call.c, built}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # LeakSanitizer does not work under ptrace
fail() { echo "FAIL: $*"; exit 1; }

"$hindcast" synth steps -q --dp 1 --pp 1 --microbatches 1 --steps 2 --seed 1 -o input.csv
for job in first second j1 j2 j3 j4 j5 j6; do
    ln -s input.csv "trace-$job.csv"
done

has_all() { # MOMENT JOB...
    local moment=$1 job
    shift
    "$hindcast" ls -a archive --json >ls.json || fail "$moment: ls"
    for job in "$@"; do
        grep -q "\"$job\"" ls.json || fail "$moment: '$job' was ingested and is not listed"
    done
}

# The second ends before the first goes on, but where it waits for the lock that the first holds.
cat >second.sh <<'SECOND'
(
    code=0
    "$HINDCAST_PROGRAM" ingest -q -o - -a archive trace-second.csv >second.out 2>&1 &
    echo $! >second.pid
    wait $! || code=$?
    echo $code >second.code.new
    mv second.code.new second.code
) </dev/null &
for ((i = 0; i < 20000; i++)); do
    [ ! -e second.code ] || { echo ends >second.how; exit 0; }
    # In clock_nanosleep (call 230 of x86-64), between two tries.
    if [ -s second.pid ] && grep -q '^230 ' "/proc/$(cat second.pid)/syscall" 2>/dev/null; then
        echo waits >second.how
        exit 0
    fi
    sleep 0.005
done
echo "the second ingest neither ends nor waits for the lock"
exit 1
SECOND
export HINDCAST_PROGRAM=$hindcast FAIL_CALL_MEANWHILE='bash second.sh'

# Nothing is there; or the directory only, as when a third process has just made it.
n_between=0 n_waits=0
for start in absent empty; do
    for ((n = 1; n <= moments; n += 2)); do
        moment="start $start, the second before call $n of the first" code=0
        rm -rf archive second.code second.pid
        [ "$start" = absent ] || mkdir archive
        "$fail_call" --nth "$n" meanwhile -- "$hindcast" ingest -q -o - -a archive trace-first.csv >first.out 2>&1 || code=$?
        [ "$code" != 77 ] || { echo "skipped: $(cat first.out)"; exit 77; }
        [ "$code" = 0 ] || fail "$moment: the first: exit $code: $(cat first.out)"
        until [ -e second.code ]; do sleep 0.005; done
        [ "$(cat second.code)" = 0 ] || fail "$moment: the second: $(cat second.out)"
        has_all "$moment" first second
        if grep -q waits second.how; then n_waits=$((n_waits + 1)); else n_between=$((n_between + 1)); fi
    done
done
[ "$n_between" -ge 10 ] && [ "$n_waits" -ge 4 ] || fail "the second ended $n_between times in between and waited $n_waits times"

for ((round = 1; round <= rounds; round++)); do
    rm -rf archive
    pids=()
    for job in j1 j2 j3 j4 j5 j6; do
        "$hindcast" ingest -q -o - -a archive "trace-$job.csv" >"$job.out" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || fail "one of six at once, round $round: $(cat j?.out)"
    done
    "$hindcast" check -q -a archive >check.out 2>&1 || fail "round $round: check: $(cat check.out)"
    has_all "round $round" j1 j2 j3 j4 j5 j6
done
echo "create_together: a whole ingest at $n_between moments of another, $n_waits waits for its lock; $rounds rounds of six at once"
