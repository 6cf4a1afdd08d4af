#!/usr/bin/env bash
# The own forms of the tables of records: each template is read and sniffed, and its example gives a row; and
# what a query gives of made-up months, read again in the own form, as CSV and as JSON lines, gives the same
# table.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
fail() {
    echo "own_forms: $*" >&2
    exit 1
}
query() { "$hindcast" query "$2" -a "$1" "${@:3}"; }

tables=$("$hindcast" formats | sed -n 's/^\([a-z_]*\)-table .*/\1/p')
[ "$(wc -w <<<"$tables")" -ge 8 ] || fail "only these have own forms: $tables"
for table in $tables; do
    "$hindcast" formats --template "$table" >"$table.csv"
    tail -n 1 "$table.csv" | cut -c 2- >>"$table.csv"
    "$hindcast" ingest -a filled "$table.csv" >said || fail "$table: its example is not read"
    grep -qE "^default/$table: .*\($table-table\), 1 (of 1 rows new|rows of incidents)" said || fail "$table: $(cat said)"
    "$hindcast" ingest -a filled "$table.csv" | grep -q unchanged || fail "$table: not the same again"
    if [ "$table" = incidents ]; then # a list of them is kept as one, whatever others have
        query filled incidents --as jsonl >list.jsonl
        "$hindcast" ingest -q -a filled list.jsonl >/dev/null || fail "$table: JSON lines are not read"
        query filled incidents --as csv | sort | uniq -d | grep -q board || fail "$table: other rows as JSON lines"
        continue
    fi
    # Without the comments, and as JSON lines.
    grep -v '^#' "$table.csv" >plain.csv
    "$hindcast" ingest -a filled plain.csv | grep -q unchanged || fail "$table: its header is not known"
    query filled "$table" --as jsonl >"$table.jsonl"
    "$hindcast" ingest -a filled "$table.jsonl" | grep -q unchanged ||
        fail "$table: other rows as JSON lines"
done
if "$hindcast" formats --template steps 2>why; then fail 'a template of steps'; fi
grep -q 'these have: jobs, events' why || fail "$(cat why)"

# Months of a cluster, there and back.
"$hindcast" synth cluster -q --nodes 16 --days 20 --jobs 600 --runs 3 --faults 40 --seed 5 -o made
"$hindcast" ingest -q -a first made/slurm/sacct.txt made/kernel/syslog-iso.log >/dev/null
for table in jobs events; do
    query first "$table" --as csv >"$table.csv"
    query first "$table" --as jsonl >"$table.jsonl"
    for form in csv jsonl; do
        "$hindcast" ingest -q -a "again-$form" "$table.$form" >/dev/null || fail "$table: $form is not read"
        query "again-$form" "$table" --as csv | cmp - "$table.csv" || fail "$table: not the same as $form"
    done
    [ "$(wc -l <"$table.csv")" -gt 30 ] || fail "$table: hardly a row"
done

# Without names, and at other times, the months give the same figures.
figures() { # ARCHIVE: those of no name
    "$hindcast" report account -a "$1" --json | sed -n '/"totals"/,/}/p;/"queue"/,/}/p;/"interrupted"/,/}/p' | grep -v '"first"\|"last"'
    "$hindcast" report failures -a "$1" --json | grep -E '^  "(healthy|expected|events|failures)[a-z_]*":'
}
for table in jobs events; do
    "$hindcast" export "$table" -a first --as csv --anonymise key -o "nameless-$table.csv" 2>/dev/null
    "$hindcast" ingest -q -a nameless "nameless-$table.csv" >/dev/null
done
grep -q 'user[0-9]' nameless-jobs.csv && fail 'a user is named'
[ "$(figures first | wc -l)" -gt 10 ] || fail "no figures: $(figures first)"
diff <(figures first) <(figures nameless) || fail 'other figures without names'

# What is wrong is told and counted.
cat >wrong.csv <<'END'
job,submit_ns,state,gpus
1,2026-03-01T00:00:00Z,completed,8
2,1772323200,completed,8
3,2026-03-01T00:00:00Z,sleeping,8
4,2026-03-01T00:00:00Z,completed,many
5,,completed,8
6,2026-03-01T00:00:00Z,completed,99999999999
7,2026-03-01T00:00:00Z
END
"$hindcast" ingest -a wrong --max-bad 1 wrong.csv >said
for what in "1 of 7 rows new" "line 3: submit_ns: '1772323200' is no time in nanoseconds" \
    "line 4: state: 'sleeping' is none of the words" "line 5: gpus: 'many' is no whole number" \
    "line 6: nothing is given for 'submit_ns'" "line 8 has another number of fields"; do
    grep -qF "$what" said || fail "'$what' is not in: $(cat said)"
done
if "$hindcast" ingest -a refused wrong.csv 2>why >&2; then fail 'six bad rows of seven are taken'; fi
echo "own_forms: $(wc -w <<<"$tables") tables, $(wc -l <jobs.csv) jobs and $(wc -l <events.csv) events there and back"
