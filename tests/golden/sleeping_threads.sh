#!/usr/bin/env bash
# Threads that wait sleep without the user saying so, whatever variables there are; who says otherwise is obeyed; and the
# environment is as it was given by the time that hindcast looks at it. What a command prints is the same for all.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset OMP_WAIT_POLICY GOMP_SPINCOUNT OMP_NUM_THREADS
fail() { echo "sleeping_threads: $*" >&2; exit 1; }
spins() { # VARIABLE=VALUE...: how often a thread of libgomp looks before it sleeps, with these alone
    env -i OMP_DISPLAY_ENV=verbose "$@" "$hindcast" formats 2>&1 >/dev/null | sed -n "s/.*GOMP_SPINCOUNT = '\(.*\)'.*/\1/p"
}
[ "$(spins GOMP_SPINCOUNT=7)" = 7 ] || { echo "sleeping_threads: skipped: no libgomp that says what it has read"; exit 77; }
sleeps() { [ "$(spins "$@")" = 0 ] || fail "with $* threads spin: $(spins "$@")"; }
sleeps _=/usr/bin/x
sleeps HOME=/ USER=x
sleeps PATH="$PATH"
sleeps PWD=/ OLDPWD=/ PATH="$PATH" LD_LIBRARY_PATH=/nowhere
[ "$(spins OMP_WAIT_POLICY=active PATH=/bin)" -gt 0 ] || fail "OMP_WAIT_POLICY is not obeyed"
[ "$(spins GOMP_SPINCOUNT=7 PATH=/bin)" = 7 ] || fail "GOMP_SPINCOUNT is not obeyed"
# Of these the variable that stood back is one that hindcast reads afterwards: a job of the archive that it names.
"$hindcast" synth steps -q --dp 1 --pp 1 --steps 3 --microbatches 2 -o trace-a.csv
"$hindcast" ingest -q -a kept trace-a.csv
env -i HINDCAST_ARCHIVE=kept _=x "$hindcast" ls >out
grep -q '^default/a ' out || fail "the environment is not what it was: $(cat out)"
# As many threads as there are, one, and several that spin: the same bytes, for work that stays on one thread and for work
# that does not.
for replicas in 3 300; do
    "$hindcast" simulate -q llama3 --replicas $replicas --json >usual.json
    "$hindcast" simulate -q llama3 --replicas $replicas --threads 1 --json >one.json
    OMP_NUM_THREADS=5 OMP_WAIT_POLICY=active "$hindcast" simulate -q llama3 --replicas $replicas --json >five.json
    cmp usual.json one.json && cmp usual.json five.json || fail "threads change what $replicas lives give"
done
echo "sleeping_threads: passive unless said"
