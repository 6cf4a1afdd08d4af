#!/usr/bin/env bash
# The same files in another directory, under other names and named in another order, give the same rows in the
# same order, for every table, and the same reports: nothing but what names a file differs. Among them are dumps
# that overlap, and a line that gives many rows.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
corpus=$root/tests/fuzz/corpus
samples=$root/data/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
fail() {
    echo "other_names: $*" >&2
    exit 1
}

# Every format, by the inputs of other tests. Of what is in fixed, the name is that of a job, of a rank or of a node.
mkdir -p one/named/own one/fixed
"$hindcast" synth cluster -q -o made --nodes 8 --days 6 --jobs 60 --runs 3 --faults 30
cp made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/kernel/syslog-iso.log made/starts/marks.log \
    made/nodes/* one/named
(sed -n 1p made/slurm/sacct.txt && sed -n '40,$p' made/slurm/sacct.txt) >one/named/sacct-late.txt
sed -n '5,$p' made/kernel/syslog-iso.log >one/named/syslog-late.log
for file in "$corpus"/records/* "$corpus"/logs/*; do
    cp "$file" "one/named/${file##*/}.txt"
done
tables=$("$hindcast" formats | sed -n 's/^\([a-z_]*\)-table .*/\1/p')
for table in $tables; do
    "$hindcast" formats --template "$table" >"one/named/own/$table.csv"
    tail -n 1 "one/named/own/$table.csv" | cut -c 2- >>"one/named/own/$table.csv"
done
mv one/named/own/incidents.csv one/fixed
cp -r --no-preserve=mode made/logs "$corpus/events" "$samples"/two-ranks "$samples"/flight-recorder/late "$samples"/execution/pytorch "$samples"/inspector \
    "$samples"/nccl-tests "$samples"/trace-* "$samples"/meta-* one/fixed
[ "$(wc -w <<<"$tables")" -ge 10 ] || fail "only these have own forms: $tables"

# The same under other names.
mkdir -p 'two/of them/run.log'
cp -r one/named one/fixed 'two/of them/run.log'
for file in one/named/* one/named/own/*; do
    [ -d "$file" ] || mv "two/of them/run.log/${file#one/}" "two/of them/run.log/${file#one/}.r"
done
find one two -type f -exec touch -d 2026-03-05T10:00:00Z {} + # the time of what says none

bare() { # what is printed, without what names a file
    sed -E -e "s#$work/##g; s#two/of them/run.log/#one/#g; s#[.]r\b##g" \
        -e 's#"source": "[^"]*"#"source": ""#g; s#(one/)?(named|fixed)/[A-Za-z0-9_./-]*#FILE#g' "$1" | tr -s ' ' # columns are as wide as names
}
outputs() { # FOLDER FILE...: the rows of an archive of these files, and what is reported of it
    local folder=$1 what code
    rm -rf a
    "$hindcast" ingest -q -a a --zone Europe/Berlin "${@:2}" >said 2>&1 || [ $? = 3 ] || fail "$(cat said)"
    for what in $tables ops; do
        "$hindcast" query "$what" -a a --as jsonl >out || fail "$what: nothing"
        sed -E -e 's/"(log_id|log|source)": ("[^"]*"|null|[0-9]+)(, )?//g' out >"$folder/$what"
        [ -s "$folder/$what" ] || fail "no row of $what"
    done
    sed -i -E 's/"fact": [0-9]+, //' "$folder/phases" "$folder/events" # made of the path of the log, too
    for what in 'report account' 'report failures' 'report ettr' 'report startup' 'report findings' \
        'report nightly --date 2026-03-03 --json' 'report capacity --cluster made' \
        'runs propose' 'top lost' 'joins --json' 'whatif --all' 'report breakdown two-ranks' 'diagnose collectives late' \
        'report collectives inspector' 'fit --cluster made'; do
        code=0
        # shellcheck disable=SC2086 # words
        "$hindcast" $what -a a >out 2>&1 || code=$?
        { bare out && echo "exit $code"; } >"$folder/${what// /_}"
    done
}
mkdir first second
mapfile -d '' -t files < <(find one -type f ! -empty ! -name 'meta-*' -print0 | sort -z)
outputs first "${files[@]}"
mapfile -d '' -t files < <(find two -type f ! -empty ! -name 'meta-*' -print0 | sort -z -r)
outputs second "${files[@]}"
diff -r first second >differences || fail "$(head -n 20 differences | cut -c 1-300)"
# The id of a run is of what its inputs hold.
for tree in one 'two/of them/run.log'; do
    "$hindcast" whatif -q --csv "tables-${tree%%/*}" "$tree/fixed/trace-slow-worker.parquet" >/dev/null
done
cmp tables-one/workers.csv tables-two/workers.csv
cmp <(head -n 1 tables-one/files.sha256) <(head -n 1 tables-two/files.sha256) || fail 'another id of the run'
echo "other_names: ${#files[@]} files, $(cat first/* | wc -l) lines"
