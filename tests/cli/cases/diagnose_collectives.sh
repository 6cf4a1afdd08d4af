# Who hangs, by dumps of jobs of four ranks with known faults (data/samples/README.md); each view.
cp -r "$SOURCE_DIR"/data/samples/flight-recorder/* .
for hang in healthy late stuck circle differ; do
    echo "== $hang"
    hindcast diagnose collectives $hang || echo "-> $?"
done
hindcast diagnose collectives late >pickles || echo "-> $?"
hindcast diagnose collectives late-json >json || echo "-> $?"
cmp pickles json
gzip -k late/nccl_trace_rank_0 && mv late/nccl_trace_rank_0 . && hindcast diagnose collectives late | cmp - json
mv nccl_trace_rank_0 late && rm late/*.gz
tar czf late.tar.gz late && hindcast diagnose collectives late.tar.gz | cmp - json
hindcast diagnose collectives --csv - late || echo "-> $?"
hindcast diagnose collectives --json late >late.json || echo "-> $?"
jq -c '[.suspects[].rank], .late, .behind, .collectives' late.json
hindcast diagnose collectives -q --csv tables --html hang.html late -o late.txt || echo "-> $?"
(cd tables && sha256sum -c --quiet files.sha256 && ls && cat suspects.csv progress.csv)
grep -o '<h2[^>]*>[^<]*</h2>' hang.html
hindcast ingest -q -o - -a kept late stuck/* && hindcast ls -a kept
hindcast diagnose collectives -a kept late | cmp - json
hindcast diagnose collectives -a kept stuck | head -2
hindcast diagnose collectives -a kept gone || echo "-> $?"
hindcast diagnose collectives -a kept late stuck || echo "-> $?"
