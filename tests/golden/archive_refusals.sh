#!/usr/bin/env bash
# What the commands do with an archive that cannot be read, or that has something else than its own
# files in it: exit status 4 and no harm. tests/unit/test_archive_refusals.c has the same from inside;
# here are the exit statuses, the permissions (as another user, where this one is root), the waiting,
# and the signals.
set -uo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}") fail_call=${FAIL_CALL:-}
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset HINDCAST_ARCHIVE
export LC_ALL=C
failures=0
fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# Run hindcast as $user; it must end with $1, and not hang.
user=()
expect() { # CODE ARGUMENTS...
    local code=$1 got=0
    shift
    timeout 60 "${user[@]}" "$hindcast" "$@" >out 2>err </dev/null || got=$?
    [ $got = "$code" ] || fail "$* -> $got, not $code: $(cat out err)"
}
jobs_in() { jq -r '.segments[].job_id' "$1/manifest.json" | sort | tr '\n' ' '; }

for i in a b; do
    "$hindcast" synth steps -q --dp 1 --pp 2 --microbatches 2 --steps 6 -o "trace-$i.csv"
done
"$hindcast" synth steps -q --dp 1 --pp 2 --microbatches 2 --steps 6 --seed 2 -o trace-c.csv
"$hindcast" ingest -q -o - -a template trace-a.csv trace-b.csv >out || exit 1
fresh() {
    chmod -R u+rwx archive 2>err
    rm -rf archive
    cp -a template archive
    segment=$(echo archive/segments/default~a~0.*.h5)
}

# ---- something else in the place of a file: never waited for, never taken for damage ----
for place in manifest.json lock 'segments/default~a*'; do
    for thing in 'mkfifo' 'mkdir' 'ln -s /dev/zero' 'ln -s nowhere'; do
        fresh
        file=$(echo archive/$place)
        mv "$file" aside
        $thing "$file" || exit 1
        case $place in
            lock) commands=('archive gc' 'check --repair' 'ingest -q -o - trace-c.csv') ;;
            manifest.json) commands=('archive gc' 'check --repair' 'check' 'ls' 'ingest -q -o - trace-c.csv' 'whatif -q a') ;;
            *) commands=('check' 'check --repair' 'ingest -q -o - trace-a.csv' 'whatif -q a' 'show a') ;;
        esac
        for command in "${commands[@]}"; do
            # shellcheck disable=SC2086 # words
            expect 4 $command -a archive
        done
        rm -rf "$file"
        mv aside "$file"
        expect 0 check -a archive
        [ "$(jobs_in archive)" = 'a b ' ] || fail "$place as '$thing': the archive has $(jobs_in archive)"
    done
done

# ---- gc does not leave the archive ----
fresh
mkdir outside && echo mine >outside/mine && ln -s ../outside archive/derived
mkdir archive/segments/folder && ln -s nowhere archive/segments/.tmp-1-0123456789abcdef.h5 && : >archive/segments/.tmp-2-0123456789abcdef.h5
expect 0 archive gc -a archive
[ -e outside/mine ] || fail "gc removed a file outside the archive"
[ ! -e archive/segments/.tmp-2-0123456789abcdef.h5 ] || fail "gc did not come to the leftover"
for kept in derived segments/folder segments/.tmp-1-0123456789abcdef.h5; do
    grep -q "^$kept: kept: " out || fail "gc does not list $kept: $(cat out)"
done
expect 0 check -a archive

# ---- what only looks like a leftover: not ours, and neither an ingest nor gc removes it ----
fresh
mkdir archive/derived
precious=(segments/.tmp-my-own-notes.h5 manifest.json.tmp-before-upgrade derived/.tmp-notes
    segments/.tmp-7-0123456789abcdef.h5 manifest.json.tmp-7-0123456789abcdef)
for kept in "${precious[@]}"; do echo precious >"archive/$kept"; done
expect 0 ingest -q -o - -a archive trace-c.csv
expect 0 whatif -q --all -a archive
for command in check 'check --repair' 'archive gc'; do
    # shellcheck disable=SC2086 # words
    expect 0 $command -a archive
    for kept in "${precious[@]}"; do
        [ -e "archive/$kept" ] || fail "$command (or the ingest) removed $kept"
        case $command:$kept in
            *--repair:derived*) ;; # not looked at
            *) grep -q "^$kept: " out || fail "$command does not list $kept: $(cat out)" ;;
        esac
    done
done

# ---- a creation that was cut short ----
mkdir -p short/segments && : >short/lock
expect 0 check -a short
grep -q 'cut short' out || fail "check says nothing of it: $(cat out)"
expect 0 ingest -q -o - -a short trace-a.csv
expect 0 check -a short

# ---- permissions, which stop another user ----
chmod 777 .
cp "$hindcast" other-hindcast # where another user may run it, wherever the build is
chmod 755 other-hindcast
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid 65534 --clear-groups ./other-hindcast --version >out 2>err; then
    user=(setpriv --reuid 65534 --clear-groups) hindcast=./other-hindcast
    chmod a+r trace-*.csv
    fresh
    chmod -R a+rwX archive
    chmod 000 "$segment"
    expect 4 check -a archive
    grep -q "default~a.*unreadable" out || fail "check does not name it: $(cat out)"
    expect 4 check --repair -a archive
    expect 4 ingest -q -o - -a archive trace-a.csv
    expect 0 archive gc -a archive
    chmod 644 "$segment"
    expect 0 archive gc -a archive
    expect 0 check -a archive
    [ "$(jobs_in archive)" = 'a b ' ] || fail "an unreadable segment was dropped: $(jobs_in archive)"

    fresh
    chmod 600 archive
    for command in check ls 'check --repair' 'archive gc'; do
        # shellcheck disable=SC2086 # words
        expect 4 $command -a archive
        ! grep -q repair err || fail "$command: an archive that cannot be searched: $(cat err)"
    done
    user=()
else
    echo "not root, no setpriv, or a TMPDIR that others may not enter: permissions were not tried"
fi

# ---- signals leave nothing ----
if [ -n "$fail_call" ] && n=$("$fail_call" --count TERM -- "$hindcast" ingest -q -o - -a counted trace-a.csv 2>&1 >out); then
    for signal in TERM INT HUP; do
        for part in 5 6 7 8 9; do
            rm -rf killed
            "$fail_call" --nth $((n * part / 10)) $signal -- "$hindcast" ingest -q -o - -a killed trace-a.csv >out 2>err
            left=$(find killed -name '*.tmp-*' 2>err)
            [ -z "$left" ] || fail "SIG$signal leaves $left"
        done
    done
fi
# ---- a sync that fails while a segment is published: not published and gone, or it is said ----
# A source of the last seconds is read twice (hc_file_state_take), so its calls would be counted while it is new,
# and failed when it no longer is: other calls.
while [ $(($(date +%s) - $(stat -c %Z trace-c.csv))) -le 4 ]; do
    sleep 0.2
done
if [ -n "$fail_call" ] && rm -rf archive && cp -a template archive &&
    "$fail_call" --list EIO -- "$hindcast" ingest -q -o - -a archive trace-c.csv >out 2>calls; then
    n_published=0
    for n in $(awk '$2 == "fsync" || $2 ~ /^rename/ { print $1 }' calls); do
        fresh
        code=0
        "$fail_call" --nth "$n" EIO -- "$hindcast" ingest -q -o - -a archive trace-c.csv >out 2>err || code=$?
        [ $code = 4 ] || fail "a failing sync or rename: exit $code: $(cat err)"
        if [ "$(jobs_in archive)" = 'a b c ' ]; then
            n_published=$((n_published + 1))
            grep -q 'is published, but' err || fail "it is published, which is not said: $(cat err)"
        else
            ! ls archive/segments/default~c~* 2>out || fail "it failed, and leaves its segment"
        fi
        expect 0 check -a archive
        expect 0 check --repair -a archive
    done
    [ $n_published = 1 ] || fail "published in spite of an error: $n_published times, not in the last step only"
fi
echo "$failures failures"
[ $failures = 0 ]
