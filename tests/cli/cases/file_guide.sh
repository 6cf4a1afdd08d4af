# `hindcast FILE` says what a file is and which commands can use it.
samples=$SOURCE_DIR/data/samples
ln -s "$samples" samples
ln -s "$SOURCE_DIR/examples/scenarios/job-9600.jsonc" .
hindcast ingest -q samples/trace-slow-worker.parquet
hindcast whatif slow-worker --json -o result.json
hindcast simulate --replicas 2 --json -o study.json job-9600.jsonc
hindcast whatif --all -q --shard 1/2 -o part.json
hindcast synth cluster -q --nodes 4 --days 3 --jobs 8 --runs 1 -o made
for file in samples/trace-slow-stage.csv.gz samples/incidents/cluster.jsonl samples/two-ranks samples/two-ranks/rank-0.json \
    samples/flight-recorder/late samples/inspector samples/nccl-tests/node0.log samples/execution/pytorch/et_0.json \
    made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json job-9600.jsonc result.json study.json part.json hindcast-archive; do
    hindcast "$file" || echo "exit $?"
    echo
done
# What no command can use ends with 3 or 4; a pipe is not read.
for file in samples/README.md samples/meta-slow-worker.yaml nosuch.csv; do hindcast $file || echo "exit $?"; done
