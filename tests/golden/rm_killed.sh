#!/usr/bin/env bash
# An 'archive rm' that is killed before each of its system calls in turn: the archive has all of the jobs and days that
# go or none of them, checks clean, reports have nothing that is gone, and the same command again leaves no file that
# nothing names. One of which a call fails: likewise, with an exit status that says so. What was removed comes back when
# its sources are ingested again.
set -euo pipefail
. "$(dirname "$0")/../support/killed_case.bash"

{
    echo 'JobID|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Restarts|NodeList|JobName'
    for day in 1 2 3; do
        date=2026-01-0$day
        echo "$day|old|p|a|u|${date}T00:00:00|${date}T00:00:00|${date}T01:00:00|${date}T02:00:00|3600|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|j"
        echo "1$day|new|p|a|u|${date}T00:00:00|${date}T00:00:00|${date}T01:00:00|${date}T02:00:00|3600|COMPLETED|1|8|cpu=8,gres/gpu=8,node=1|0|n1|j"
    done
} >sacct.txt
for i in 1 2; do
    "$hindcast" synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 4 --seed $i --cluster old -o trace-old-$i.csv
done
"$hindcast" synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 4 --seed 3 --cluster new -o trace-new-1.csv
"$hindcast" ingest -q -a template sacct.txt trace-*.csv
# Results and packs are kept of all of it.
"$hindcast" whatif -q --all -a template --min-steps 1 -o rows
"$hindcast" report nightly -q -a template --date 2026-01-02 -o nights
[ "$(ls template/derived | grep -c '\.pack$')" = 2 ] && [ "$(ls template/derived | grep -c fleet-row)" = 3 ] ||
    fail "not all that may be kept is there: $(ls template/derived)"
listed() { "$hindcast" ls -q -a archive | awk 'NR > 1 { print $1, $2 }'; }
files() { find archive/segments -type f | wc -l; }
rm_old=("$hindcast" archive rm -a archive --cluster old --yes)
printf '%s\n' 'new/jobs 2026-01-0'{1,2,3} 'new/new-1 0' 'old/jobs 2026-01-0'{1,2,3} 'old/old-1 0' 'old/old-2 0' >before
grep new/ before >after

# Without --yes nothing changes, not even a time, but of the lock, which says who has it.
cp -r template archive
find archive ! -name lock -printf '%p %s %T@\n' | sort >stamps
"$hindcast" archive rm -a archive --cluster old >out
grep -q '^5 segments, .* would be removed: add --yes to remove them$' out || fail "it says $(tail -n 1 out)"
find archive ! -name lock -printf '%p %s %T@\n' | sort | cmp -s - stamps || fail "without --yes something changed"

code=0
calls=$("$fail_call" --count KILL -- "${rm_old[@]}" 2>&1 >/dev/null) || code=$?
[ $code != 77 ] || exit 77
[ $code = 0 ] || fail "it ends with $code"
listed | cmp - after || fail "it removes something else"
[ "$(ls archive/derived | grep -c '\.pack$')" = 1 ] && [ "$(ls archive/derived | grep -c fleet-row)" = 1 ] ||
    fail "what was kept of it is still there: $(ls archive/derived)"
"$hindcast" report nightly -q -a archive --date 2026-01-02 --json >with-cache.json
"$hindcast" report nightly -q -a archive --date 2026-01-02 --no-cache --json >without.json
cmp with-cache.json without.json || fail "a report has what is gone"

n_within=0 n_failed=0 n_checked=0
for kind in KILL EIO; do
    step=7
    [ $kind != KILL ] || step=1
    for ((n = 1; n <= calls; n += step)); do
        point="$kind $n" code=0
        rm -rf archive
        cp -r template archive
        "$fail_call" --nth $n $kind -- "${rm_old[@]}" >out 2>err || code=$?
        [ $code != 98 ] || break
        case $kind:$code in
            *:0 | KILL:137) ;;
            E*:2 | E*:3 | E*:4 | E*:5) n_failed=$((n_failed + 1)) ;;
            *) fail "exit $code: $(cat err)" ;;
        esac
        "$hindcast" check -a archive >check.out 2>&1 || fail "check: $(cat check.out)"
        listed >now
        cmp -s now before || cmp -s now after || fail "some went, and others that go did not"
        [ $code != 0 ] || cmp -s now after || fail "it says that it is done, and is not"
        if [ "$(files)" != 9 ] && cmp -s now after && [ $((n_checked++ % 5)) = 0 ]; then
            "$hindcast" report nightly -q -a archive --date 2026-01-02 --json >now.json
            cmp -s now.json without.json || fail "a report has what is gone"
        fi
        [ "$(files)" = 9 ] || [ "$(files)" = 4 ] || n_within=$((n_within + 1))
        if cmp -s now before || [ "$(files)" != 4 ]; then
            "${rm_old[@]}" >/dev/null || fail "the same again fails"
        fi
        listed | cmp - after || fail "the same again removes something else"
        [ "$(files)" = 4 ] || fail "files are left that nothing names"
    done
done
[ $n_within -ge 3 ] || fail "only $n_within ends were between manifest and files"
[ $n_failed -ge 3 ] || fail "only $n_failed calls failed"

# Again from the sources: all of it is there, and nothing that stayed changed.
"$hindcast" ingest -q -a archive sacct.txt trace-*.csv
listed | cmp - before || fail "it does not come back"
"$hindcast" check -a archive >/dev/null
"$hindcast" query jobs -q -a archive --as csv --columns cluster,job,submit_ns,state >again.csv
"$hindcast" query jobs -q -a template --as csv --columns cluster,job,submit_ns,state | cmp - again.csv || fail "other rows came back"

# A site passes over a file that it has read and that is as it was; named, the file is read again.
echo '{"schema": "hindcast/site/1", "sources": [{"name": "accounting", "files": "sacct.txt"}]}' >site.json
"$hindcast" ingest -q -a site-archive --site site.json
"$hindcast" archive rm -q -a site-archive 'old/*' --yes >/dev/null
"$hindcast" ingest -q -a site-archive --site site.json
[ "$("$hindcast" ls -q -a site-archive | grep -c ^old/)" = 0 ] || fail "a site brings back what was removed"
"$hindcast" ingest -q -a site-archive sacct.txt
[ "$("$hindcast" ls -q -a site-archive | grep -c ^old/)" = 3 ] || fail "a file that is named is passed over"
echo "rm: $calls calls, $n_within ends between manifest and files, $n_failed that failed"
