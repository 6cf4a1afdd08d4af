# A worker that is slow from a step on: who and since when, in text and in the records.
cp "$SOURCE_DIR"/data/samples/*-changing.* .
hindcast whatif trace-changing.parquet >report.txt
for part in '/^verdict/,/^slowdown/p' '/^Slower/,/^$/p'; do # up to the figures
    sed -n "$part" report.txt | tr -s ' \n' ' ' | sed 's/ times as long.*//' | fold -s -w 100
    echo
done
hindcast whatif --json trace-changing.parquet |
    jq -c '.cause.culprits[] | {kind, ops, pattern, dp_rank, stage, rank, host, workers, since, until, lasts, slow_steps, steps}'
hindcast whatif --csv tables trace-changing.parquet >/dev/null
cut -d, -f1-4,5-9 tables/stretches.csv
hindcast whatif --html page.html trace-changing.parquet >/dev/null
grep -o '>rank [^<]* times<' page.html
hindcast ingest -q -o - trace-changing.parquet
hindcast whatif --all --json 2>/dev/null | jq -c '.jobs[] | {id, cause, culprit, culprit_kind, culprit_since, culprit_until}'
