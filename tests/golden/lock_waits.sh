#!/usr/bin/env bash
# Waiting for the lock of an archive: every command that writes says after two seconds whom it waits for, also with
# --quiet, and ends with 4 after --lock-timeout, having changed nothing; readers do not wait. A lock file that an
# older hindcast left open to readers is closed to them, and one that a reader holds for reading is no lock to them.
set -uo pipefail
. "$(dirname "$0")/../support/killed_case.bash"

{
    echo 'JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList'
    for day in 01 02; do
        at=2026-01-$day
        echo "1$day|c|u|${at}T00:00:00|${at}T00:00:00|${at}T00:00:00|${at}T02:00:00|7200|FAILED|1|gres/gpu=8|n1"
    done
} >sacct.txt
"$hindcast" synth steps -q --dp 1 --pp 2 --microbatches 2 --steps 6 -o trace-1.csv
"$hindcast" ingest -q -a archive sacct.txt 2>/dev/null >&2 || fail "ingest"

# What is run while another holds the lock: COMMAND | exit status.
cat >commands <<'COMMANDS'
ingest trace-1.csv|4
archive gc|4
archive rm --yes c/jobs|4
archive prune --older 2026-02-01|4
archive compact --older 2026-03-01|4
check --repair|4
check|0
query jobs|0
COMMANDS
cat >meanwhile.sh <<'MEANWHILE'
seconds=$(cat seconds)
while IFS='|' read -r command code; do
    got=0 timeout=()
    [ "$code" = 0 ] || timeout=(--lock-timeout "$seconds")
    # shellcheck disable=SC2086
    "$HINDCAST_PROGRAM" $command -q -a archive "${timeout[@]}" -o out >>said 2>err </dev/null || got=$?
    echo "$got $code $command: $(tr '\n' ' ' <err)" >>got
done <"$1"
MEANWHILE
export HINDCAST_PROGRAM=$hindcast

# The moment from which 'archive gc' holds the lock.
echo 'archive gc|4' >first
echo 0 >seconds
export FAIL_CALL_MEANWHILE='bash meanwhile.sh first'
held=0
for ((n = 8; n < 60 && held == 0; n++)); do
    rm -f got
    code=0
    "$fail_call" --nth $n meanwhile -- "$hindcast" archive gc -q -a archive >out.first 2>&1 || code=$?
    [ $code != 77 ] || { echo "skipped: $(cat out.first)"; exit 77; }
    [ $code = 0 ] || fail "gc: $(cat out.first)"
    grep -q '^4 ' got && held=$n
done
[ $held != 0 ] || fail "no moment at which gc holds the lock"
point="call $held of gc"

sha256sum archive/manifest.json archive/segments/* >before
rm -f got
export FAIL_CALL_MEANWHILE='bash meanwhile.sh commands'
"$fail_call" --nth $held meanwhile -- "$hindcast" archive gc -q -a archive >/dev/null || fail "gc"
[ "$(wc -l <got)" = 8 ] || fail "not all were run: $(cat got)"
while read -r code wanted rest; do
    [ "$code" = "$wanted" ] || fail "exit $code, not $wanted: $rest"
    [ "$code" = 0 ] || grep -q "the lock of 'archive', held by [0-9]* on $(uname -n) since 20[-0-9]*T[:0-9]*Z, was not free within 0 s" <<<"$rest" ||
        fail "what it says: $rest"
done <got
sha256sum archive/manifest.json archive/segments/* | cmp - before || fail "something was changed"

echo 2.2 >seconds
rm -f got
export FAIL_CALL_MEANWHILE='bash meanwhile.sh first'
"$fail_call" --nth $held meanwhile -- "$hindcast" archive gc -q -a archive >/dev/null || fail "gc"
grep -q "hindcast: waiting for the lock of 'archive', held by [0-9]* on $(uname -n) since 20.* was not free within 2.2 s" got ||
    fail "what it says when it has waited: $(cat got)"

point=options
for value in -1 x '' nan; do
    "$hindcast" archive gc -a archive --lock-timeout "$value" >/dev/null 2>err && fail "'$value' is taken"
    grep -q 'lock-timeout' err || fail "$(cat err)"
done

# As an older hindcast left it.
point=old
chmod 644 archive/lock
"$hindcast" archive gc -q -a archive >/dev/null || fail "gc"
[ "$(stat -c %a archive/lock)" = 600 ] || fail "the lock is of mode $(stat -c %a archive/lock)"
echo "lock_waits: 6 commands that write, 2 that read"
