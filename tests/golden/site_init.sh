#!/usr/bin/env bash
# `site init` over made-up months in every dialect, among files that are nothing: what it writes is right by
# `site check`, and ingests at once every file that is in a known format; new files of the same names are read
# the next time; a site file that is there is never replaced.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
fail() {
    echo "site_init: $*" >&2
    exit 1
}
"$hindcast" synth cluster -q --nodes 12 --days 14 --jobs 200 --runs 2 --faults 60 --seed 3 -o made
rm -rf made/truth made/slurm/sacct-local.txt made/kernel/syslog-local.log # whose zone no site file can know
mkdir -p 'made/odd [1]/a' made/mixed
cp made/slurm/sacct.txt 'made/odd [1]/a/sacct 2026-03-01.txt'
cp made/slurm/sacct.txt made/mixed/dump-1.txt
echo 'nothing that is known' >made/mixed/dump-2.txt
echo 'a,b,c' >made/notes.csv
: >made/empty.log
"$hindcast" formats --template corrections >made/corrections.csv

"$hindcast" site init made/ >said || fail "$(cat said)"
grep -qE 'found [0-9]+ files: slurm-sacct' said || fail "$(cat said)"
grep -q 'found 1 without a byte' said || fail "$(cat said)"
"$hindcast" site check made/site.json >checked || fail "$(cat checked)"
grep -q '"mixed/dump-1.txt"' made/site.json || fail "a pattern names what is in no format: $(cat made/site.json)"
grep -q '"odd ?\*?/a/sacct \*.txt"' made/site.json || fail "$(cat made/site.json)"
grep -q '//   "notes.csv", 1' made/site.json || fail "$(cat made/site.json)"
"$hindcast" ingest -q -o - -a a --site made/site.json >said 2>&1 || fail "$(cat said)"
known=$(sed -n 's/^[^:]*: \([0-9]*\) files as .*/\1/p; s/^[^ ]*: \([0-9]*\) files$/\1/p' checked | awk '{ n += $1 } END { print n }')
grep -qE "^site: $known files, " said || fail "$known files: $(tail -n 1 said)"
for table in jobs events node_states; do
    [ "$("$hindcast" query -a a "$table" --agg count --as csv | tail -n 1)" -gt 0 ] || fail "no row of $table"
done
# The same dump twice more changes nothing.
[ "$("$hindcast" query -a a jobs --agg count --as csv | tail -n 1)" = "$(($(wc -l <made/slurm/sacct.txt) - 1))" ] ||
    fail "$("$hindcast" query -a a jobs --agg count --as csv)"
# Tomorrow's dump has another date.
head -n 5 made/slurm/sacct.txt >'made/odd [1]/a/sacct 2026-03-02.txt'
"$hindcast" ingest -a a --site made/site.json >said 2>&1
grep -q 'sacct 2026-03-02.txt' said || fail "$(cat said)"

cp made/site.json before.json
"$hindcast" site init made 2>why && fail 'it is written twice'
[ $? = 0 ] || true
cmp made/site.json before.json
grep -q "is there already" why || fail "$(cat why)"
mkdir nothing
echo 'no record of anything' >nothing/x
if "$hindcast" site init nothing 2>why; then fail 'a site without a source'; fi
[ ! -e nothing/site.json ] || fail 'a site file without a source'
if "$hindcast" site init made/site.json 2>why; then fail 'a file is no directory'; fi
echo "site_init: $known files"
