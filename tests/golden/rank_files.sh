#!/usr/bin/env bash
# Files of several ranks of one job (column `job`): together they are one trace, with the figures of the same
# rows in one file, whatever order, packing, directory and clocks they have; what is missing, twice or of
# another world is named; all other files stay a job each.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }

# split TRACE DIRECTORY JOB DP PP [SECONDS]: a file for each rank, the clock of rank N ahead by N * SECONDS.
split() {
    mkdir -p "$2"
    awk -F, -v OFS=, -v to="$2" -v job="$3" -v dp="$4" -v pp="$5" -v shift_s="${6:-0}" '
        NR == 1 { header = $0 ",job,dp_size,pp_size"; next }
        !($3 in seen) { seen[$3] = 1; print header >(to "/rank-" $3 ".csv") }
        {   split($6, at, ".")
            $6 = (at[1] + shift_s * $3) "." at[2]
            print $0, job, dp, pp >(to "/rank-" $3 ".csv") }' "$1"
}
# figures INPUT...: what does not depend on where the rows came from.
figures() {
    "$hindcast" whatif --json --quiet "$@" |
        jq 'del(.input, .tool, .command, .job.id, .job.metadata, .trace, .source, .run, .metadata)
            | [.figures, .workers, .steps, .cause.verdict, .m_s, .m_w] | del(.. | .start_time?, .date?)'
}

"$hindcast" synth steps --quiet --dp 2 --pp 3 --steps 12 --microbatches 4 --seed 5 --transfer-cv 0 \
    --slow-worker 1,2,1.5 -o trace-w.csv
split trace-w.csv plain J1 2 3
split trace-w.csv shifted J1 2 3 5000
split trace-w.csv other J2 2 3

figures trace-w.csv >whole
for input in "plain" "plain/rank-3.csv plain/rank-0.csv plain/rank-1.csv plain/rank-5.csv plain/rank-2.csv plain/rank-4.csv" shifted; do
    figures $input >joined
    cmp -s whole joined || fail "$input: other figures than the rows in one file"
done
grep -q 'slow worker' <("$hindcast" whatif --quiet shifted) || fail "the slow worker is not named"
"$hindcast" whatif shifted 2>&1 >/dev/null | grep -q 'clocks of its 6 ranks were up to 25000000.000 ms apart' ||
    fail "the clocks are not told"

# compare takes directories, each side for itself: the same rows show no difference, also where both sides carry one
# job id, and steps are chosen as of files.
split trace-w.csv again J1 2 3
for sides in "trace-w.csv plain" "plain again" "plain other"; do
    "$hindcast" compare --quiet $sides >compared || fail "compare $sides: exit $?"
    grep -q 'no difference that the steps can show' compared || fail "compare $sides: $(cat compared)"
done
halves() { "$hindcast" compare --quiet --json "$1@10-20" "$1@25-43" | jq -ce '[.figures, .by_worker, .verdict] | select(all)'; }
[ "$(halves plain)" = "$(halves trace-w.csv)" ] && [ -n "$(halves plain)" ] ||
    fail "chosen steps of a directory and of its rows in one file differ"

# Packed, and read with any number of threads.
mkdir packed
for rank in 0 1 2 3 4 5; do gzip -c "plain/rank-$rank.csv" >"packed/rank-$rank.csv.gz"; done
figures --threads 2 packed >joined
cmp -s whole joined || fail "packed files have other figures"

# Kept once, whatever names them; two jobs side by side, and an ordinary trace between their files.
"$hindcast" ingest -a kept --quiet plain/rank-5.csv trace-w.csv other plain/rank-[0-4].csv >/dev/null
[ "$("$hindcast" ls -a kept --json | jq -r '[.jobs[].id] | sort | join(" ")')" = "J1 J2 w" ] ||
    fail "the archive does not hold J1, J2 and w: $("$hindcast" ls -a kept)"
"$hindcast" ingest -a kept plain | grep -q unchanged || fail "a directory of the same files is ingested again"
[ "$("$hindcast" whatif -a kept --quiet J1 --json | jq .figures)" = \
    "$("$hindcast" whatif --quiet plain --json | jq .figures)" ] || fail "the job in the archive has other figures"

# refused STATUS TEXT COMMAND...
refused() {
    local status=0 wanted=$1 text=$2
    shift 2
    "$@" >out 2>err || status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit $status, not $wanted"
    grep -qF "$text" err || fail "$*: no '$text' in: $(cat err)"
}
mkdir part && cp plain/rank-[0-4].csv part
refused 3 "no file is a profiler trace, such as 'plain/rank-0.csv' (step-csv)" "$hindcast" report breakdown plain
refused 3 "has 6 ranks (dp 2 x pp 3) and 1 of them no file: dp 1, stage 2" "$hindcast" whatif part
refused 3 "1 of them no file" "$hindcast" ingest -a late part
[ ! -e late ] || fail "a part of a job left an archive"
cp plain/rank-5.csv part # it arrives later, and the job is whole
"$hindcast" ingest -a late --quiet part >/dev/null || fail "the whole job is refused"
refused 3 "5 of them no file" "$hindcast" ingest -a late part/rank-5.csv
[ "$("$hindcast" ls -a late --json | jq '.jobs | length')" = 1 ] || fail "a lone rank has changed the archive"
cp plain/rank-2.csv part/again.csv
refused 3 "both hold the rank with dp 0, stage 1" "$hindcast" whatif part
refused 3 "both hold the rank with dp 0, stage 0" "$hindcast" whatif plain/rank-0.csv plain/rank-0.csv
rm part/again.csv
sed 's/,2,3$/,4,3/' plain/rank-1.csv >part/rank-1.csv
refused 3 "recorded in a world of dp 2, pp 3, and 'part/rank-1.csv' of the same job 'J1' in one of dp 4, pp 3" \
    "$hindcast" whatif part
cp other/rank-0.csv part/
refused 2 "holds ranks of two jobs, 'J2' ('part/rank-0.csv') and 'J1' ('part/rank-1.csv')" "$hindcast" whatif part
mkdir empty
refused 2 "" "$hindcast" whatif -a kept empty
mkdir bad && cp plain/* bad
awk -F, -v OFS=, 'NR == 5 { $7 = "inf" } 1' plain/rank-0.csv >bad/rank-0.csv
refused 3 "bad/rank-0.csv': line 5" "$hindcast" whatif bad

# A column `job` in a timeline by itself means nothing; nor does it in a file of another format.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "job" : "x" }' trace-w.csv >trace-lone.csv
figures trace-lone.csv >joined
cmp -s whole joined || fail "a column job changes a lone timeline"
[ "$("$hindcast" whatif --quiet --json trace-lone.csv | jq -r .job.id)" = lone ] || fail "a lone timeline has another id"

[ ! -e failures ] || exit 1
echo "rank_files: as they must be"
