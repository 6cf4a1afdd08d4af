#!/usr/bin/env bash
# Profiler traces of ranks: a directory or tar archive is one job; ranks come together, later ones complete it,
# two that differ are refused by both names, and the archive gives what the files give.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
expect() { [ "$2" = "$3" ] || fail "$1: '$2' in place of '$3'"; }
# what FILE: the figures of a report, without where its traces came from.
what() { jq -S 'del(.archive, .command, .ranks[].path, .ranks[].segment)' "$1"; }

mkdir traces # a job of the archive is not to be mistaken for a directory
cp -r --no-preserve=mode "$root/data/samples/two-ranks" traces/run-7
echo notes >traces/run-7/notes.txt
cp traces/run-7/rank-0.json traces/run-7/._rank-0.json

# A directory; the same again changes nothing; a tar archive is the same job.
"$hindcast" ingest -a whole traces/run-7 >first 2>warning
grep -q "1 file is left out.*notes.txt" warning || fail "the notes are left out in silence"
expect "ls" "$("$hindcast" ls -a whole | awk 'NR == 2 { print $1, $2, $3, $4, $5 }')" "default/run-7 0, 2 ranks 4"
"$hindcast" ingest -a whole traces/run-7 2>/dev/null | grep -c unchanged | { read -r n; expect "again" "$n" 2; }
tar cf traces/run-7.tar -C traces/run-7 rank-0.json rank-1.json
"$hindcast" ingest -a whole traces/run-7.tar | grep -c unchanged | { read -r n; expect "tar" "$n" 2; }
"$hindcast" check -a whole >/dev/null || fail "the archive is not whole"

# Rank after rank is the same as both at once.
"$hindcast" ingest -a parts traces/run-7/rank-1.json >/dev/null
"$hindcast" report breakdown -a parts run-7 --json | jq -e '.missing == [{"first": 0, "last": 0}]' >/dev/null ||
    fail "the missing rank is not named"
"$hindcast" ingest -a parts traces/run-7/rank-0.json >/dev/null
for report in breakdown collectives stragglers clocks path; do
    "$hindcast" report $report -a whole run-7 --json >of_whole
    "$hindcast" report $report -a parts run-7 --json >of_parts
    "$hindcast" report $report traces/run-7 --json >of_files 2>/dev/null
    cmp -s <(what of_whole) <(what of_parts) || fail "$report: rank after rank differs"
    cmp -s <(what of_whole) <(what of_files) || fail "$report: files and archive differ"
done

# Two of one rank.
sed 's/"gemm"/"other"/' traces/run-7/rank-0.json >traces/run-7/again-rank-0.json
"$hindcast" ingest -a twice traces/run-7 >/dev/null 2>said && fail "two of one rank are taken"
grep -q "again-rank-0.json' and 'traces/run-7/rank-0.json' are both rank 0" said || fail "said: $(cat said)"
"$hindcast" report breakdown traces/run-7 >/dev/null 2>said && fail "two of one rank are analysed"
grep -q "again-rank-0.json" said || fail "said: $(cat said)"
cp traces/run-7/rank-0.json traces/run-7/again-rank-0.json
"$hindcast" ingest -a twice traces/run-7 >/dev/null 2>&1 || fail "two that are equal are refused"
rm traces/run-7/again-rank-0.json

# By hand: the wait, the transfer, and what the step would take without the long kernel.
"$hindcast" whatif traces/run-7 --json >whatif 2>/dev/null
expect "the job of a tar archive" "$("$hindcast" whatif traces/run-7.tar --json | jq -r .id)" run-7
expect "S" "$(jq '.whatif.slowdown * 10000 | round' whatif)" 21739
expect "ideal" "$(jq '.whatif.ideal_ns' whatif)" 230000
expect "last" "$(jq -c '[.collectives[0] | .last_rank, .transfer_ns, .busbw_gb_s]' whatif)" "[1,25000,160]"
expect "scaled" "$("$hindcast" whatif traces/run-7 --scale comm=0 --scale comm=2 --json 2>/dev/null | jq -c '[.questions[].time_ns]')" \
    "[475000,525000]"
"$hindcast" whatif traces/run-7 --scale net=2 >/dev/null 2>&1 && fail "--scale net=2 is taken"

# --mend and --only of one rank are what every report has of it; of all ranks the ideal, and T; hosts by metadata.
echo 'nodes: [n0, n1]' >traces/run-7/meta.yaml
"$hindcast" whatif traces/run-7 --json --mend rank:1 --mend rank:0,rank:1 --mend host:n1 \
    --only rank:1 --only rank:0-5 --only host:n0,host:n1 >asked 2>/dev/null
expect "asked" "$(jq -c '[.questions[] | [.kind, [.ranks[].rank]]]' asked)" \
    '[["mend",[1]],["mend",[0,1]],["mend",[1]],["only",[1]],["only",[0,1]],["only",[0,1]]]'
expect "answers" "$(jq -c '[.questions[].time_ns]' asked)" \
    "$(jq -c '.stragglers[1] as $one | [$one.mend_ns, .whatif.ideal_ns, $one.mend_ns, $one.only_ns, .whatif.replayed_ns, .whatif.replayed_ns]' asked)"
"$hindcast" whatif traces/run-7 --json --fix rank:1 --fix rank:0,1 --fix node:n1 2>/dev/null | jq -c .questions >fixed
expect "--fix" "$(cat fixed)" "$(jq -c '.questions[:3]' asked)"
expect "cost" "$(jq '.questions[3].cost_ns' asked)" "$(jq '.stragglers[1].cost_ns' asked)"
expect "in words" "$("$hindcast" whatif traces/run-7 --mend host:n1,rank:0 --only rank:1 --csv - 2>/dev/null | cut -d, -f1,2 | tail -n 2 | tr '\n' ';')" \
    "ranks 0 and 1 mended,mend;only rank 1 as traced,only;"
for wrong in rank:2 rank:2-4 rank:1-0 1 rank: rank:1, host: host:n2 rank:-1 rank:99999999999; do
    "$hindcast" whatif traces/run-7 --only "$wrong" >/dev/null 2>said && fail "--only $wrong is taken"
    grep -q "option '--only'" said || fail "--only $wrong: $(cat said)"
done
"$hindcast" whatif --mend rank:1 "$root/data/samples/trace-slow-worker.parquet" >/dev/null 2>said && fail "--mend of steps"
grep -q -- "--mend is for profiler traces" said || fail "--mend of steps: $(cat said)"
rm traces/run-7/meta.yaml
expect "offset" "$(jq -c '[.stragglers[1] | .offset_ns, .offset_low_ns, .offset_high_ns]' whatif)" \
    "[1000000000,999975000,1000295000]"
"$hindcast" whatif traces/run-7 2>/dev/null | grep -q "rank 1 arrives last in 1 of 1 collectives and makes the others" ||
    fail "no verdict"
"$hindcast" whatif traces/run-7 --fail-on 'whatif.slowdown > 2' >/dev/null 2>&1 && fail "--fail-on does not hold"
"$hindcast" whatif traces/run-7 --compat out >/dev/null 2>said && fail "--compat is taken"
"$hindcast" whatif traces/run-7 --html page.html --csv tables --figures figures >/dev/null 2>&1 || fail "no files are written"
expect "arrivals" "$(awk 'NR > 3 { printf "%.6f %s;", $3, $5 }' figures/arrivals.dat)" \
    "$(jq -r '.collectives[].waits[] | "\(.wait_ns) \(.rank)"' whatif | awk '{ printf "%.6f %s;", $1 / 1e6, $2 }')"
[ "$(wc -l <tables/waits.csv)" = 3 ] || fail "the waits: $(cat tables/waits.csv)"

[ ! -s failures ]
