#!/usr/bin/env bash
# Reports of records are the same bytes whether they read segments or packs: without a cache, with a cold
# and a warm one, after another day was ingested, after a record came late, after the days became a month,
# with packs that are torn, flipped or cannot be kept; and made by 1, 2 or 5 shards, joined in any order.
# What must not be merged is refused.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?the program to test}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
export OMP_NUM_THREADS=2
fail() { echo "record_packs: $*" >&2; exit 1; }
ingest() { "$hindcast" ingest -q -o - -a A "$@" >>log 2>&1 || { cat log; fail "ingest $* failed"; }; }

"$hindcast" synth cluster -q -o made --nodes 16 --days 20 --jobs 150 --runs 4 --faults 90
submit=$(head -n 1 made/slurm/sacct.txt | tr '|' '\n' | grep -n '^Submit$' | cut -d: -f1)
late=$(awk -F '|' -v c="$submit" 'NR > 1 && $c < "2026-03-06" { print NR; exit }' made/slurm/sacct.txt)
[ -n "$late" ] || fail 'no row of the first days'
awk -F '|' -v c="$submit" -v late="$late" 'NR == 1 || ($c < "2026-03-12" && NR != late)' made/slurm/sacct.txt >first.txt
awk -v late="$late" 'NR != late' made/slurm/sacct.txt >second.txt

# ---- the reports ----
run=$(ls made/logs | head -n 1)
reports=(
    "report nightly --date 2026-03-10"
    "report nightly --date 2026-03-12 --days 5"
    "report findings --date 2026-03-12 --backtest 5d"
    "report ettr --to 2026-03-12"
    "report startup --to 2026-03-12"
    "report reliability --records"
    "report capacity"
    "report failures"
    "report account"
    "report run -- $run"
    "top lost --last 7d --date 2026-03-12"
    "compare --nights 2026-03-08 2026-03-11"
    "joins"
    "runs propose"
    "fit"
)
# make DIRECTORY OPTION...: all reports, as text, and as JSON where there is such; what they print and how they end.
make() {
    local out=$1 i=0 report before words
    shift
    rm -rf "$out"
    mkdir "$out"
    for report in "${reports[@]}"; do
        before=${report%% -- *}
        words=()
        [ "$before" = "$report" ] || words=(-- "${report##* -- }")
        for form in '' --json; do
            echo "$report $form" >"$out/$i$form"
            "$hindcast" $before -q -a A $form "$@" "${words[@]}" >>"$out/$i$form" 2>>"$out/$i$form.err" || echo "ended in $?" >>"$out/$i$form"
        done
        i=$((i + 1))
    done
}
same() { diff -r "$1" "$2" >difference || { head -n 40 difference; fail "$3"; }; }
n_packs() { find A/derived -name 'records.*.pack' 2>/dev/null | wc -l; }

stage() { # WHAT: without a cache, as it is found, and once more
    make plain --no-cache
    make cold
    same plain cold "$1: other bytes than without a cache"
    make warm
    same plain warm "$1: other bytes from a warm cache"
    "$hindcast" check -a A >check 2>&1 || { cat check; fail "$1: check"; }
    ! grep -qi 'derived' check || { cat check; fail "$1: check does not know the packs"; }
}

ingest first.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log
ingest --zone Europe/Berlin made/logs/*/*.out
make plain --no-cache
[ "$(n_packs)" = 0 ] || fail '--no-cache kept something'
! grep -l 'ended in [^01]' plain/* || fail 'a report failed'
stage 'at first'
[ "$(n_packs)" -ge 6 ] || fail "only $(n_packs) packs"

# A pack is a function of its segments: made anew, on another number of threads, it is the same.
(cd A/derived && sha256sum records.*.pack) >packs
rm A/derived/records.*
OMP_NUM_THREADS=1 make warm --threads 1
(cd A/derived && sha256sum records.*.pack) | diff packs - || fail 'packs depend on threads'

# Another day: what is not of that day is in the packs still, so that less is read.
ingest second.txt
stage 'another day'
# A record that comes late, of a day that is in a pack.
before=$(sha256sum A/derived/records.2026-03.*.pack)
ingest made/slurm/sacct.txt
stage 'a late record'
[ "$before" != "$(sha256sum A/derived/records.2026-03.*.pack)" ] || fail 'the late record is in no pack'

# ---- damage: what is torn or flipped is read from the segments, and made anew ----
make plain --no-cache
for pack in A/derived/records.*.pack; do
    size=$(stat -c %s "$pack")
    cp "$pack" kept
    for how in torn index block empty; do
        case $how in
        torn) truncate -s $((size / 2)) "$pack" ;;
        index) printf '\377\377' | dd of="$pack" bs=1 seek=$((size - 40)) conv=notrunc status=none ;;
        block) printf '\377\377\377' | dd of="$pack" bs=1 seek=$((size / 3)) conv=notrunc status=none ;;
        empty) : >"$pack" ;;
        esac
        [ "$how" != block ] || continue # all of them at once, below
        "$hindcast" report nightly -q -a A --date 2026-03-12 --days 5 >out
        diff <(sed 1d plain/1) out >&2 || fail "a pack that is $how changes the report"
        cp kept "$pack"
    done
    printf '\377\377\377' | dd of="$pack" bs=1 seek=$((size / 3)) conv=notrunc status=none
done
make warm
same plain warm 'flipped blocks change reports'
make warm
same plain warm 'packs behind flipped blocks change reports'

# ---- several at once, all of which find nothing kept ----
rm A/derived/records.*
for i in 1 2 3 4; do
    "$hindcast" report nightly -q -a A --date 2026-03-12 --days 5 >"at-once-$i" 2>&1 &
done
wait
for i in 1 2 3 4; do
    diff <(sed 1d plain/1) "at-once-$i" >&2 || fail 'reports at once disturb each other'
done
"$hindcast" check -a A >check 2>&1 || { cat check; fail 'check behind reports at once'; }

# ---- an archive that cannot be written: the same, with one warning ----
# (root may write anywhere: a file in place of the folder keeps root out, too)
mv A/derived derived
: >A/derived
"$hindcast" report nightly -q -a A --date 2026-03-10 >out 2>err
diff <(sed 1d plain/0) out >&2 || fail 'an archive that cannot be written changes the report'
[ "$(grep -c 'could not be kept' err)" = 1 ] || { cat err; fail "not one warning: $(wc -l <err)"; }
rm A/derived
mv derived A/derived

# ---- shards ----
shards() { # N OPTION...: parts of all reports
    local n=$1 i=0 report before words k
    shift
    rm -rf parts
    mkdir parts
    for report in "${reports[@]}"; do
        before=${report%% -- *}
        words=()
        [ "$before" = "$report" ] || words=(-- "${report##* -- }")
        for ((k = 1; k <= n; k++)); do
            "$hindcast" $before -q -a A --shard "$k/$n" -o "parts/$i-$k" "$@" "${words[@]}" || fail "$report --shard $k/$n"
        done
        i=$((i + 1))
    done
}
merged() { # N: as make does, of the parts, the last first
    local i form
    rm -rf merged
    mkdir merged
    for ((i = 0; i < ${#reports[@]}; i++)); do
        for form in '' --json; do
            echo "${reports[i]} $form" >"merged/$i$form"
            "$hindcast" merge -q $form $(ls -r parts/$i-*) >>"merged/$i$form" 2>>"merged/$i$form.err" || echo "ended in $?" >>"merged/$i$form"
        done
    done
}
for n in 1 2 5; do
    cache=()
    [ "$n" = 2 ] || cache=(--no-cache)
    shards "$n" "${cache[@]}"
    merged
    same plain merged "$n shards give other bytes"
done
# All forms of one, the folder among them.
night() { "$hindcast" report nightly -q -a A --date 2026-03-10 "$@"; }
night --html plain.html --csv plain-csv >/dev/null
"$hindcast" merge -q --html merged.html --csv merged-csv parts/0-* >/dev/null
cmp plain.html merged.html
diff -r plain-csv merged-csv
night -o plain-folder
"$hindcast" merge -q -o merged-folder parts/0-*
diff -r -x metrics.prom -x files.sha256 plain-folder merged-folder
"$hindcast" merge -q --json -o merged.json $(ls parts/3-*) # of a report whose -o is a file
diff <(sed 1d plain/3--json) merged.json
code=0
"$hindcast" merge -q --fail-on 'held_gpu_hours >= 0' parts/0-* >/dev/null 2>err || code=$?
[ "$code" = "$(night --fail-on 'held_gpu_hours >= 0' >/dev/null 2>&1; echo $?)" ] || { cat err; fail "--fail-on of merge: $code"; }
# A shard that was done stays as it is.
cp -p parts/0-1 done
night --shard 1/5 -o parts/0-1
[ "$(stat -c %y done)" = "$(stat -c %y parts/0-1)" ] || fail 'a shard that was done was made again'

# ---- what must not be merged ----
refused() { # WHAT TEXT PART...
    local what=$1 text=$2 code=0
    shift 2
    "$hindcast" merge -q "$@" >out 2>err || code=$?
    [ "$code" = 3 ] || { cat err; fail "$what: ended in $code"; }
    [ ! -s out ] || fail "$what: something was printed"
    grep -q -- "$text" err || { cat err; fail "$what: not told"; }
}
all=(parts/0-1 parts/0-2 parts/0-3 parts/0-4 parts/0-5)
refused 'a missing shard' '2/5' parts/0-1 parts/0-3 parts/0-4 parts/0-5
refused 'a doubled shard' 'are both shard 1/5' "${all[@]}" parts/0-1
refused 'another report' 'different reports' "${all[@]:0:4}" parts/3-5
refused 'other options' 'different options' "${all[@]:0:4}" parts/1-5
night --shard 3/6 -o parts/six
refused 'another number of shards' 'different numbers of shards' "${all[@]:0:4}" parts/six
cp parts/0-2 flipped
printf '\377\377\377\377' | dd of=flipped bs=1 seek=4000 conv=notrunc status=none
refused 'a flipped block' "'flipped'" flipped parts/0-1 parts/0-3 parts/0-4 parts/0-5
head -c 4000 parts/0-2 >torn
refused 'a torn part' "'torn'" torn parts/0-1 parts/0-3 parts/0-4 parts/0-5
cp parts/0-2 older
printf '\177' | dd of=older bs=1 seek=7 conv=notrunc status=none
refused 'another version' 'version 127' older parts/0-1 parts/0-3 parts/0-4 parts/0-5
refused 'a kept pack' 'no part' "$(ls A/derived/records.*.pack | head -n 1)" "${all[@]}"
printf '{"schema": "x"}' >other
refused 'something else' "'other'" "${all[@]:0:4}" other
usage() { # WHAT COMMAND...
    local what=$1 code=0
    shift
    "$hindcast" "$@" >out 2>err || code=$?
    [ "$code" = 2 ] || { cat err; fail "$what: ended in $code"; }
}
usage 'a shard without a file' report ettr -a A --shard 1/2
grep -q 'name its file with -o' err || fail 'what -o is for is not told'
usage 'a shard as JSON' report ettr -a A --shard 1/2 --json -o x
usage 'a shard with --fail-on' report ettr -a A --shard 1/2 --fail-on 'x > 1' -o x
[ ! -e x ] || fail 'a refused shard wrote something'

# ---- the days become months; then the archive is another ----
"$hindcast" archive compact -q -a A --older 1d >>log 2>&1 || { tail -n 3 log; fail compact; }
stage 'months'
refused 'an archive that changed' 'make them again' "${all[@]}"

# ---- pruned rows are in no pack; packs of what is gone are leftovers ----
"$hindcast" archive prune -q -a A --older 1d >>log 2>&1 || { tail -n 3 log; fail prune; }
[ "$(n_packs)" = 0 ] || fail "$(ls A/derived) is left behind prune"
echo "record_packs: $((${#reports[@]} * 2)) outputs are the same bytes from segments, packs and shards"
