# -o, --csv, --html and --json mean the same in every command that makes a report
# (docs/command-line.md).
ln -s "$SOURCE_DIR/data/samples" samples
data=samples
trace=$data/trace-slow-worker.parquet
hindcast ingest -q -a arc "$data"/fleet/trace-* >/dev/null
hindcast whatif -q -a arc --all --shard 1/1 -o shard.json
cp "$SOURCE_DIR/tests/scenarios/spec/standbys.json" .
reports=(
    "whatif $trace"
    "compare $trace $data/trace-slow-stage.csv.gz"
    "whatif -a arc --all"
    "merge shard.json"
    "report reliability $data/incidents/cluster.csv"
    "simulate --replicas 2 standbys.json"
)
for report in "${reports[@]}"; do
    echo "# hindcast ${report//"$data"\//}"
    mkdir out
    hindcast $report -q >out/report.text
    # The report goes to -o, in whichever form, and standard output then has nothing.
    hindcast $report -q -o out/report.txt | cmp - /dev/null
    hindcast $report -q --json -o out/report.json | cmp - /dev/null
    hindcast $report -q --json | head -c 1
    # --csv DIR: tables besides the report; --csv -: the main one of them in place of it.
    hindcast $report -q --csv out/tables >out/report.beside
    hindcast $report -q --csv - -o out/main.csv | cmp - /dev/null
    # Beside files the report says which run they are of, and nothing else is different.
    diff out/report.text out/report.beside | grep '^[<>]' | sed 's/[0-9a-f]\{16\}/RUN/' || true
    (cd out && ls tables)
    (cd out/tables && sha256sum --quiet -c files.sha256)
    for table in out/tables/*.csv; do
        cmp -s "$table" out/main.csv && echo "main: ${table##*/}"
    done
    jq -r .schema out/report.json
    # One of --csv - and --json; no trailing '/' where a file is needed.
    hindcast $report --csv - --json 2>&1 && exit 1
    rm -r out
done
hindcast simulate -q --replicas 2 -o all/ --csv tables --html page.html standbys.json >text
cmp text all/summary.txt
for table in tables/*.csv; do cmp "$table" "all/${table##*/}"; done
cmp page.html all/report.html
for path in out/ -x ''; do
    hindcast ls -a arc -o "$path" 2>&1 || echo "-> $?"
done
