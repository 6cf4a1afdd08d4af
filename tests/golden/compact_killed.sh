#!/usr/bin/env bash
# A compaction that is killed before its system calls, above all before the last ones, or of which
# one fails: the archive answers as before, checks clean and can be repaired, with its manifest and
# without, and the same compaction again completes the work.
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
rows() { "$hindcast" export jobs -q -a "$1" --as csv; }
days() { "$hindcast" ls -a archive | awk 'NR > 1 { print $2 }' | tr '\n' ' '; }
compact=("$hindcast" archive compact -a archive --older 2026-03-01)
rows template >expected
before='2026-01-01 2026-01-02 2026-01-03 2026-01-04 2026-01-05 '
after='2026-01 '

code=0
cp -r template archive
calls=$("$fail_call" --count KILL -- "${compact[@]}" 2>&1 >/dev/null) || code=$?
[ $code != 77 ] || exit 77
[ $code = 0 ] || fail "it ends with $code"
[ "$(days)" = "$after" ] || fail "a compaction that is left alone gives $(days)"

# The rows of the archive at $1, from now on called $2.
check_rows() {
    "$hindcast" check -a "$1" >check.out 2>&1 || fail "$2: check: $(cat check.out)"
    rows "$1" >now 2>err || fail "$2: $(cat err)"
    cmp -s now expected || fail "$2: other rows"
}

n_before=0 n_after=0 n_failed=0
for kind in KILL ENOSPC EIO; do
    for ((n = 1; n <= calls; n += step)); do
        # The last calls give the segment its name and write the manifest.
        step=$((calls / 15 + 1))
        [ $kind != KILL ] || [ $n -lt $((calls - 60)) ] || step=2
        point="$kind $n" code=0
        rm -rf archive repaired
        cp -r template archive
        "$fail_call" --nth $n $kind -- "${compact[@]}" >out 2>err || code=$?
        [ $code != 98 ] || break
        case $kind:$code in
            *:0 | KILL:137) ;;
            E*:3 | E*:4 | E*:5) n_failed=$((n_failed + 1)) ;;
            *) fail "exit $code: $(cat err)" ;;
        esac
        check_rows archive 'left as it is'
        case $(days) in
            "$before") n_before=$((n_before + 1)) ;;
            "$after") n_after=$((n_after + 1)) ;;
            *) fail "days $(days)" ;;
        esac
        [ $code != 0 ] || [ "$(days)" = "$after" ] || fail "it says that it is done, and is not"
        cp -rp archive repaired
        "$hindcast" check -q --repair -a repaired >check.out 2>&1 || fail "repair: $(cat check.out)"
        check_rows repaired 'repaired'
        rm repaired/manifest.json
        "$hindcast" check -q --repair -a repaired >check.out 2>&1 || fail "repair: $(cat check.out)"
        check_rows repaired 'repaired without a manifest'
        "${compact[@]}" >/dev/null || fail "the compaction after it fails"
        [ "$(days)" = "$after" ] || fail "the compaction after it gives $(days)"
        "$hindcast" archive gc -q -a archive >/dev/null || fail "gc fails"
        check_rows archive 'compacted and collected'
        [ "$(find archive/segments -type f | wc -l)" = 1 ] || fail "files are left: $(ls archive/segments)"
    done
done
[ "$n_before" -ge 10 ] && [ "$n_after" -ge 2 ] || fail "$n_before before, $n_after after"
[ "$n_failed" -ge 5 ] || fail "only $n_failed calls failed"
echo "$calls calls, $((n_before + n_after)) of them tried; $n_failed failures told"
