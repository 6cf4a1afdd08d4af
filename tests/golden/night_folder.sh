#!/usr/bin/env bash
# The folder of a night (report nightly -o): what is in it, the same bytes again, what it must not
# replace, and kills at many moments, after which the link leads to a whole report.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?}")
fail_call=$(realpath "${FAIL_CALL:?the fail_call tool}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMP_NUM_THREADS=2
unset HINDCAST_ARCHIVE HINDCAST_SITE
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # LeakSanitizer does not work under ptrace
fail() { echo "FAIL: $*"; exit 1; }
night() { # DATE OPTION...
    local date=$1
    shift
    "$hindcast" report nightly -q -a A --date "$date" "$@"
}
is_whole() { (cd "$1" && sha256sum -c --quiet files.sha256); }
digests() { find "$1" -type f ! -name metrics.prom -print0 | sort -z | xargs -0 sha256sum; }

"$hindcast" synth cluster -q -o made --nodes 16 --days 20 --jobs 150 --runs 4 --faults 90
"$hindcast" ingest -q -a A made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >/dev/null
"$hindcast" ingest -q -a A --zone Europe/Berlin made/logs/*/*.out >/dev/null

# What is in it; the JSON is that of --json, and the index names all of it.
night 2026-03-10 -o R >out
[ ! -s out ] || fail "it prints: $(head -n 2 out)"
[ "$(readlink R/latest)" = 2026-03-10 ] || fail "latest leads to $(readlink R/latest)"
for file in index.html report.json metrics.prom alerts.json drain.txt tables/leaves.csv tables/runs.csv; do
    [ -s "R/latest/$file" ] || fail "there is no $file"
done
night 2026-03-10 --json | cmp - R/latest/report.json || fail "report.json is not what --json prints"
is_whole R/latest
jq -e 'type == "array"' R/latest/alerts.json >/dev/null || fail "alerts.json"
! grep -qvE '^(#|scontrol update nodename=[A-Za-z0-9._-]+ state=drain reason="[^"$`\\]*"$)' R/latest/drain.txt || fail "drain.txt"
listed=$(grep -cv '^# hindcast' R/latest/files.sha256)
[ "$(find R/latest/ -type f | wc -l)" = $((listed + 1)) ] || fail "the index does not name every file"
# Every link of the page, and of the pages beside it, leads to a file of the folder.
while read -r page link; do
    [ -e "R/latest/$(dirname "$page")/$link" ] || fail "$page links $link, which is not there"
done < <(cd R/latest && grep -oE 'href="[^"#]+' -r . --include='*.html' | grep -v '"data:' | sed 's/:href="/ /' | sort -u)

# The same bytes again, but for the one figure that asks the clock.
cp -r R/2026-03-10 before
sleep 1.1
night 2026-03-10 -o R
diff <(cd before && digests .) <(cd R/2026-03-10 && digests .) || fail "other bytes"
[ "$(diff before/metrics.prom R/2026-03-10/metrics.prom | grep -c '^[<>]')" = 2 ] || fail "more in metrics.prom differs"
grep -q last_success_timestamp_seconds <(diff before/metrics.prom R/2026-03-10/metrics.prom) || fail "the clock is not asked"

# The link leads to the greatest day, whatever was reported last; several days are beside it.
night 2026-03-12 -o R
night 2026-03-11 -o R
[ "$(readlink R/latest)" = 2026-03-12 ] || fail "latest leads to $(readlink R/latest)"
night 2026-03-13 --days 3 -o R
is_whole R/2026-03-11_2026-03-13
[ "$(readlink R/latest)" = 2026-03-12 ] || fail "several days are no night"

# What is somebody else's is not replaced.
refused() { # WHAT COMMAND...
    local what=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    [ $code = 2 ] || fail "$what: exit $code, $(cat err)"
    [ -z "$(find R -name '*.tmp-*')" ] || fail "$what leaves something"
}
echo mine >R/2026-03-12/notes.txt
refused "a note" night 2026-03-12 -o R
grep -q "notes.txt' is no file of the report" err || fail "$(cat err)"
rm R/2026-03-12/notes.txt
mkdir R/2026-03-14
refused "a folder" night 2026-03-14 -o R
rmdir R/2026-03-14
echo mine >R/2026-03-14
refused "a file" night 2026-03-14 -o R
rm R/2026-03-14
mkdir S && mkdir S/latest
refused "a folder called latest" night 2026-03-14 -o S
for option in --json '--html x' '--csv -' '--explain all' '--figures x'; do
    # shellcheck disable=SC2086 # words
    refused "$option" night 2026-03-14 -o R $option
done

# Killed before a system call, of three days in turn, above all before the last ones, which put the folder in place:
# the link leads to a whole report, and so does each day.
killed=0 code=0
declare -A calls
for n in $(seq 14) -48 -40 -32 -24 -16 -8 -7 -6 -5 -4 -3 -2 -1; do # in fifteenths of the calls, or from their end
    day=2026-03-$((12 + (n + 60) % 3)) code=0
    report=("$hindcast" report nightly -q -a A --date "$day" -o R)
    "${report[@]}" # which sweeps what the kill before it left
    [ -n "${calls[$day]:-}" ] || calls[$day]=$("$fail_call" --count KILL -- "${report[@]}" 2>&1 >/dev/null) || code=$?
    [ $code != 77 ] || { echo "skipped: ptrace cannot be used: nothing is killed" && break; }
    [ $code = 0 ] || fail "it ends with $code: ${calls[$day]}"
    last=${calls[$day]}
    "$fail_call" --nth $((n < 0 ? last + n : last * n / 15)) KILL -- "${report[@]}" >out 2>&1 || code=$?
    case $code in
        137) killed=$((killed + 1)) ;;
        0 | 98) ;; # with two threads there may be fewer calls than before
        *) fail "call $n of $last: exit $code: $(cat out)" ;;
    esac
    is_whole R/latest || fail "after kill $n"
    for folder in R/2026-03-??; do
        is_whole "$folder" || fail "after kill $n, $folder"
    done
done
[ $code = 77 ] || [ $killed -ge 15 ] || fail "only $killed were killed"
echo "$killed of 27 killed"
night 2026-03-14 -o R
night 2026-03-13 -o R
[ -z "$(find R -name '*.tmp-*')" ] || fail "what was killed is not swept"
[ "$(readlink R/latest)" = 2026-03-14 ] || fail "latest leads to $(readlink R/latest)"

# Two at once: one after the other.
night 2026-03-14 -o R & night 2026-03-14 -o R & wait
is_whole R/latest && [ -z "$(find R -name '*.tmp-*')" ] || fail "two at once"

# A file system that cannot exchange names.
if [ -n "${NO_EXCHANGE:-}" ]; then
    LD_LIBRARY_PATH=${NO_EXCHANGE%/*} LD_PRELOAD=${NO_EXCHANGE##*/} night 2026-03-14 -o R
    is_whole R/latest && [ -z "$(find R -name '*.tmp-*')" ] || fail "without an exchange"
    # Killed between its steps: the old folder lies under a temporary name, and comes back.
    mv R/2026-03-14 "R/2026-03-14.tmp-1-0-1"
    night 2026-03-12 -o R
    is_whole R/2026-03-14 || fail "the folder does not come back"
fi

# What came after --as-of is not known to the page either, whatever the archive has by now: no source
# reaches further, and pages of a day are the same once more was ingested.
night 2026-03-10 --as-of 2026-03-11T06:00:00Z -o T
last=$(jq -r '[.sources[].last_time | values] | max' T/latest/report.json)
[[ $last > 2026-03-10T12 && ! $last > 2026-03-11T06:00:00.000000000Z ]] || fail "the last source tells of $last"

# The metrics of two clusters have no series in common.
night 2026-03-10 --cluster made -o C
series() { grep -v '^#' "$1" | sed 's/ [^ ]*$//' | sort; }
[ -z "$(comm -12 <(series R/latest/metrics.prom) <(series C/latest/metrics.prom))" ] || fail "two clusters share a series"
if command -v promtool >/dev/null; then
    promtool check metrics <R/latest/metrics.prom || fail "promtool"
    promtool check metrics <C/latest/metrics.prom || fail "promtool, of one cluster"
else
    echo "promtool is not installed: metrics.prom was not checked by it"
fi
