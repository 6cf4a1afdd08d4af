# Logs of NCCL Inspector, a process a file: who is late, and which bandwidth falls short (data/samples/README.md).
cp -r "$SOURCE_DIR"/data/samples/inspector "$SOURCE_DIR"/data/samples/nccl-tests .
hindcast report collectives inspector
hindcast report collectives inspector --baseline nccl-tests >held
cat held
hindcast report collectives inspector/* --csv -
hindcast report collectives inspector --json --baseline nccl-tests/node0.log >report.json
jq -c '.totals, .ranks[2], .rates[0], (.collectives[0] | .waits)' report.json
echo "== packed, in a tar archive, kept, joined, in another order: the same"
hindcast report collectives inspector >plain
gzip inspector/node0-pid4000.log && xz inspector/node0-pid4001.log && zstd -q --rm inspector/node1-pid4002.log
hindcast report collectives inspector | cmp - plain
tar czf inspector.tar.gz inspector && hindcast report collectives inspector.tar.gz | cmp - plain
hindcast ingest -q -o - -a kept inspector nccl-tests/node0.log && hindcast ls -a kept | sed -E 's, +[0-9.]+ kB,,'
mv inspector logs
hindcast report collectives -a kept inspector | cmp - plain
hindcast report collectives -a kept inspector --baseline node0.log | sed 's/baseline      .*/baseline/' >of-kept
sed 's/baseline      .*/baseline/' held | cmp - of-kept
for i in 3 1 0 2; do cat "$SOURCE_DIR"/data/samples/inspector/*400$i.log; done >joined
hindcast report collectives joined | sed 1,3d >of-joined
sed 1,3d plain | cmp - of-joined
echo "== a member is missing"
rm logs/node1-pid4002.log.zst
hindcast report collectives logs | sed -n 2,10p
echo "== pages and tables"
hindcast report collectives logs -q --csv tables --html page.html -o out.txt
(cd tables && sha256sum -c --quiet files.sha256 && ls && head -3 rates.csv)
grep -o '<h2[^>]*>[^<]*</h2>' page.html
echo "== what is no such log"
hindcast diagnose collectives logs || echo "-> $?"
hindcast diagnose collectives logs/node1-pid4003.log || echo "-> $?"
hindcast whatif logs/node1-pid4003.log || echo "-> $?"
hindcast report collectives logs --baseline logs || echo "-> $?"
hindcast report collectives logs --baseline gone || echo "-> $?"
hindcast report collectives logs --figures f || echo "-> $?"
echo "== options that only profiler traces have"
for option in '--fail-on=ranks>1' '--et=traces' --no-align; do
    hindcast report collectives logs "$option" || echo "-> $?"
done
