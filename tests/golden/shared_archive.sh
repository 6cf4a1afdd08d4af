#!/usr/bin/env bash
# (root) An archive of two users of one group whose umask is 077, and of a third who may only read it: after each
# command of either, the other can work on, all files have the mode and group of the manifest, and the third can
# read all but the lock. And what replaces a file of another keeps its mode and owner.
set -uo pipefail
. "$(dirname "$0")/../support/killed_case.bash"
command -v setpriv >/dev/null && [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null ||
    { echo "skipped: not root, or no setpriv"; exit 77; }
chmod 755 "$work"
umask 022 # other users read what is made here
group=61000
as() { # USER COMMAND...
    local user=$1
    shift
    case $user in
        first | second)
            local id=61001
            [ "$user" = first ] || id=61002
            (umask 077 && timeout 60 setpriv --reuid $id --regid $id --groups $group "$@") ;;
        reader) timeout 60 setpriv --reuid 61003 --regid 61003 --clear-groups "$@" ;;
    esac
}

{
    echo 'JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList'
    for day in 01 02 03 04; do
        at=2026-01-$day
        echo "1$day|c|u|${at}T00:00:00|${at}T00:00:00|${at}T00:00:00|${at}T02:00:00|7200|FAILED|1|gres/gpu=8|n1"
    done
} >sacct.txt
for i in 1 2 3 4; do
    "$hindcast" synth steps -q --dp 1 --pp 2 --microbatches 2 --steps 6 --seed $i -o trace-$i.csv
done

modes() { find "$1" -mindepth 1 "${@:2}" -printf '%m %g %P\n'; }
# What `point` leaves: MODE DIRECTORY_MODE LOCK_MODE of the files.
inspect() { # ARCHIVE MODE DIRECTORY_MODE LOCK_MODE
    local wrong
    wrong=$(modes "$1" -type f ! -name lock | grep -v "^$2 $group ")
    [ -z "$wrong" ] || fail "files that are not of mode $2 and group $group: $wrong"
    wrong=$(modes "$1" -type d | grep -v "^2\?$3 $group ")
    [ -z "$wrong" ] || fail "directories that are not of mode $3 and group $group: $wrong"
    wrong=$(modes "$1" -name lock | grep -v "^$4 $group ")
    [ -z "$wrong" ] || fail "the lock is not of mode $4 and group $group: $wrong"
}

# Where the directories have their setgid bit, and where somebody has opened to the group what was private.
for way in setgid changed; do
    rm -rf archive
    mkdir archive
    chown 61001:$group archive
    if [ $way = setgid ]; then
        chmod 2775 archive
        (umask 002 && setpriv --reuid 61001 --regid 61001 --groups $group "$hindcast" ingest -q -a archive trace-1.csv >/dev/null) || fail "first ingest"
    else
        chmod 775 archive
        as first "$hindcast" ingest -q -a archive trace-1.csv >/dev/null || fail "first ingest"
        chgrp -R $group archive
        chmod -R u=rwX,g=rwX,o=rX archive
        as first "$hindcast" archive gc -q -a archive >/dev/null || fail "gc" # the lock is closed by its owner
    fi
    user=first
    while read -r command; do
        if [ $user = first ]; then user=second; else user=first; fi
        point="$way: $user: $command"
        # shellcheck disable=SC2086
        as $user "$hindcast" $command -a archive >out 2>err </dev/null || fail "exit $?: $(cat out err)"
        inspect archive 664 775 660
        for other in first second reader; do
            as $other "$hindcast" check -a archive >out 2>&1 || fail "check of $other: $(cat out)"
        done
        as reader "$hindcast" ls -a archive >out 2>&1 || fail "ls of a reader: $(cat out)"
        as reader cat archive/lock >out 2>&1 && fail "the reader opens the lock"
    done <<'COMMANDS'
ingest -q trace-2.csv
ingest -q sacct.txt
whatif --all
query jobs
report failures
archive compact --older 2026-03-01
ingest -q trace-3.csv
archive rm --yes 1
archive gc
archive migrate
archive prune --older 2026-02-01
ingest -q sacct.txt
report account
check --repair
ingest -q trace-4.csv
archive gc
COMMANDS
    [ -n "$(find archive/derived -type f 2>/dev/null)" ] || fail "no report has kept anything"
done

# A private archive stays private, whatever the umask of root.
point=private
rm -rf archive
mkdir archive
chown 61001:61001 archive
as first "$hindcast" ingest -q -a archive trace-1.csv >/dev/null || fail "ingest"
(umask 0 && "$hindcast" ingest -q -a archive trace-2.csv sacct.txt >/dev/null && "$hindcast" report failures -q -a archive >/dev/null) || fail "ingest of root"
wrong=$(find archive -mindepth 1 \( -perm /077 -o ! -uid 61001 \) -printf '%m %u %P\n')
[ -z "$wrong" ] || fail "root has opened or taken $wrong"
as first "$hindcast" archive rm -q --yes 1 -a archive >/dev/null || fail "rm after root"

point=output
"$hindcast" whatif -q trace-1.csv -o result.txt
chmod 640 result.txt
chown 61001:$group result.txt
(umask 0 && "$hindcast" whatif -q trace-2.csv -o result.txt)
[ "$(stat -c '%a %u %g' result.txt)" = "640 61001 $group" ] || fail "it is $(stat -c '%a %u %g' result.txt)"
mkdir open && chmod 777 open && cp -p result.txt open/ && chmod 644 open/result.txt
as second "$hindcast" whatif -q trace-1.csv -o open/result.txt || fail "of another user"
[ "$(stat -c '%a %u %g' open/result.txt)" = "644 61002 $group" ] || fail "it is $(stat -c '%a %u %g' open/result.txt)"
as reader "$hindcast" whatif -q trace-1.csv -o open/result.txt || fail "of a stranger"
[ "$(stat -c '%a %u %g' open/result.txt)" = "644 61003 61003" ] || fail "it is $(stat -c '%a %u %g' open/result.txt)"
echo "shared_archive: two users of a group, one reader, 32 commands"
