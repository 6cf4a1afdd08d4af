# Scenarios on the steps of a job: the answer first, what each edit did, what the steps are made of, who has slack.
cp "$SOURCE_DIR"/data/samples/trace-slow-worker.parquet "$SOURCE_DIR"/data/samples/meta-slow-worker.yaml .
cat >mend.json <<'E'
{ "schema": "hindcast/scenario/1", "kind": "replay",
  "question": "Mend the slow worker, or wait for pauses and late launches?",
  "input": {"file": "trace-slow-worker.parquet"},
  "edits": {
    "mend": {"select": {"slowest": {"percent": 1, "of": "workers"}}, "replace": "ideal"},
    "pause": {"select": {"op": "forward-compute", "stage": 0, "microbatch": 0}, "pause_s": 0.05},
    "late": {"select": {"op": "params-all-gather"}, "delay_s": 0.02}
  },
  "variants": {"mended": ["mend"], "paused": ["pause"], "late": ["late"], "all": ["mend", "pause", "late"]} }
E
hindcast simulate mend.json
# One run: it stands beside the untouched job.
cat >one.json <<'E'
{ "schema": "hindcast/scenario/1", "kind": "replay",
  "input": {"file": "trace-slow-worker.parquet"},
  "edits": {"replace": {"select": {"worker": ["1/2"]}, "evict": {"after_steps": 3, "cost_s": 5}}},
  "bootstrap": {"block_steps": 5} }
E
hindcast simulate one.json
# Tables of each run.
hindcast simulate --json mend.json >mend.out
sed -n '/"name": "all"/,$p' mend.out | sed -n '/"edits": /,/^    *]/p;/"critical_path": /,/^    *]/p;/"gain": /,/^    *]/p'
hindcast simulate -o answer/ mend.json >summary
cmp summary answer/summary.txt
ls answer
head -n 3 answer/steps.csv
cat answer/step_ranks.csv
grep '^all,' answer/critical_path.csv
grep '^all,' answer/critical_path_workers.csv | head -n 3
grep '^all,' answer/slack.csv | head -n 3
hindcast simulate --csv - mend.json | head -n 3
# What the timeline of a step cannot be of.
for set in '/report/perfetto={"step": 11}' '/report/perfetto={"variant": "mendet"}' /report/replica=1; do
    code=0
    hindcast simulate --set "$set" mend.json || code=$?
    echo "$set -> $code"
done
