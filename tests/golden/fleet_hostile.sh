#!/usr/bin/env bash
# A fleet report where the places of its files hold something else: pipes that nobody writes to,
# files without an end, directories, links; and job ids that are paths. None makes it wait, fail to
# report, or write outside the directory that was named.
set -euo pipefail
: "${HINDCAST:?the program to test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "fleet_hostile: $*" >&2; exit 1; }
run() { timeout 120 "$HINDCAST" "$@" >>log 2>&1; }
quietly() { run "$@" || { tail -n 5 log; fail "$* failed or hung"; }; }

for i in 1 2 3; do
    quietly synth steps -q --dp 1 --pp 2 --microbatches 2 --steps 6 --seed "$i" -o "trace-$i.csv"
done
quietly ingest -q -o - -a archive trace-*.csv
quietly whatif --all -a archive -o text
kept=$(ls archive/derived/* | head -n 1)

# ---- in the place of a kept result
in_place() { # what, command that makes it at $kept
    rm -rf "$kept"
    shift
    "$@"
    quietly whatif --all -a archive -o again
    cmp text again || fail "other bytes with ${1##*/} in the place of a kept result"
}
in_place pipe mkfifo "$kept"
in_place directory mkdir "$kept"
in_place endless ln -s /dev/zero "$kept"
in_place dangling ln -s nothing "$kept"
in_place empty touch "$kept"
quietly check -a archive

# ---- partials that are no regular files
quietly whatif --all -a archive --shard 1/2 -o one.json
quietly whatif --all -a archive --shard 2/2 -o two.json
timeout 120 "$HINDCAST" whatif --all -q -a archive --shard 1/2 -o /dev/stdout | cat >piped.json ||
    fail "a shard to a pipe failed or hung"
cmp one.json piped.json
mkfifo pipe
timeout 120 cat pipe >piped.json &
quietly whatif --all -a archive --shard 2/2 -o pipe
wait $! || fail "nothing came through the pipe"
cmp two.json piped.json
timeout 120 "$HINDCAST" merge -q <(cat one.json) <(cat two.json) -o merged || fail "pipes do not merge"
cmp text merged
for other in /dev/zero /dev/null archive; do
    if run merge one.json "$other"; then fail "merge took $other"; fi
    tail -n 1 log | grep -q "'$other'" || fail "merge of $other: $(tail -n 1 log)"
done

# ---- a pipe in the place of a page
quietly whatif --all -a archive --html html -o again
page=$(ls html/jobs/* | head -n 1)
cp "$page" page
rm "$page"
mkfifo "$page"
timeout 120 cat "$page" >piped &
quietly whatif --all -a archive --html html -o again
wait $! || fail "nothing came through the page"
cmp page piped

# ---- ids that are paths
for id in .. . ../../out; do
    printf '{"job_id": "%s", "cluster": "%s"}' "$id" "$id" >meta.json
    quietly ingest -q -o - -a odd --meta meta.json trace-1.csv
done
mkdir -p deep/csv deep/html
quietly whatif -a odd --csv deep/csv ../.. ./. ../../out/../../out
quietly whatif --all -a odd --html deep/html -o again
find . -newer meta.json -type f ! -path './deep/csv/*/*' ! -path './deep/html/*' ! -path './odd/*' \
    ! -name log ! -name again ! -name outside >outside
[ ! -s outside ] || fail "written elsewhere: $(cat outside)"
[ "$(ls -A deep)" = "$(printf 'csv\nhtml')" ] || fail "written to deep: $(ls -A deep)"
[ "$(ls -A deep/csv | wc -l)" = 3 ] || fail "not three directories: $(ls -A deep/csv)"

# ---- no room: all files of --csv or none
for kib in 1 2 4 8 16 32; do
    rm -rf room
    if (ulimit -f "$kib" && "$HINDCAST" whatif --all -q -a archive --csv room -o again 2>err); then
        [ "$(ls room | wc -l)" = 7 ] || fail "not 7 files in room for $kib KiB: $(ls room)"
    else
        grep -q "cannot write" err || fail "no room, and the message is: $(cat err)"
        [ -z "$(ls -A room)" ] || fail "left where there is no room for $kib KiB: $(ls -A room)"
    fi
done

# ---- killed: nothing is left beside the files, and the next run gives the same bytes
rm -rf killed && mkdir killed
if { : >killed/x && python3 -c 'import os; os.open("killed", os.O_TMPFILE | os.O_WRONLY)'; } 2>>log; then
    rm killed/x
    for i in 1 2 3 4 5 6; do
        "$HINDCAST" whatif --all -q -a archive --no-cache -o killed/text --csv killed/csv \
            --html killed/html 2>>log &
        sleep "0.0$((i * 15 % 10))$i"
        kill -9 $! 2>>log || true
        wait $! 2>>log || true
    done
    quietly whatif --all -a archive --no-cache -o killed/text --csv killed/csv --html killed/html
    quietly whatif --all -a archive --no-cache -o whole.text --csv whole.csv --html whole.html
    cmp whole.text killed/text
    diff -r whole.csv killed/csv || fail "a killed run left something in --csv"
    diff -r whole.html killed/html || fail "a killed run left something in --html"
    [ "$(ls -A killed | wc -l)" = 3 ] || fail "a killed run left something: $(ls -A killed)"
fi
echo "fleet_hostile: nothing waits, nothing is written elsewhere"
