#!/usr/bin/env bash
# A prune that is killed before each of its system calls in turn: the archive has all days or none of
# those that go, checks clean, and the same prune again leaves no file that nothing names. And one
# of which every fifth call fails: likewise, with an exit status that says so.
set -euo pipefail
. "$(dirname "$0")/../support/killed_case.bash"

{
    echo 'JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName'
    for day in 1 2 3 4 5; do
        date=2026-01-0$day
        echo "$day|c|p|a|u|${date}T00:00:00|${date}T00:00:00|${date}T01:00:00|${date}T02:00:00|3600|COMPLETED|1|8|cpu=8,node=1|0|n1|j"
    done
} >sacct.txt
"$hindcast" ingest -q -a template sacct.txt >/dev/null
days() { "$hindcast" ls -a archive | awk 'NR > 1 { print $2 }'; }
files() { find archive/segments -type f | wc -l; }
prune=("$hindcast" archive prune -a archive --older 2026-01-04)
printf '2026-01-0%d\n' 1 2 3 4 5 >before
printf '2026-01-0%d\n' 4 5 >after

code=0
cp -r template archive
calls=$("$fail_call" --count KILL -- "${prune[@]}" 2>&1 >/dev/null) || code=$?
[ $code != 77 ] || exit 77
[ $code = 0 ] || fail "it ends with $code"
days | cmp - after || fail "a prune that is left alone removes other days"

n_within=0 n_failed=0
for kind in KILL ENOSPC EIO; do
    step=5
    [ $kind != KILL ] || step=1
    for ((n = 1; n <= calls; n += step)); do
        point="$kind $n" code=0
        rm -rf archive
        cp -r template archive
        "$fail_call" --nth $n $kind -- "${prune[@]}" >out 2>err || code=$?
        [ $code != 98 ] || break
        case $kind:$code in
            *:0 | KILL:137) ;;
            E*:3 | E*:4 | E*:5) n_failed=$((n_failed + 1)) ;;
            *) fail "exit $code: $(cat err)" ;;
        esac
        "$hindcast" check -a archive >check.out 2>&1 || fail "check: $(cat check.out)"
        days >now
        cmp -s now before || cmp -s now after || fail "some days went, and others that go did not"
        [ $code != 0 ] || cmp -s now after || fail "it says that it is done, and is not"
        [ "$(files)" = 5 ] || [ "$(files)" = 2 ] || n_within=$((n_within + 1))
        "${prune[@]}" >/dev/null || fail "the prune after it fails"
        days | cmp - after || fail "the prune after it removes other days"
        [ "$(files)" = 2 ] || fail "files are left that nothing names"
    done
done
[ "$n_within" -ge 2 ] || fail "no kill came while files went"
[ "$n_failed" -ge 5 ] || fail "only $n_failed calls failed"
echo "$calls calls, killed at each; $n_failed failures told"
