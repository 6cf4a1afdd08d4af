# Two timelines: what changed, in text, CSV and JSON; how the sides are named.
cp "$SOURCE_DIR"/data/samples/{trace,meta}-slow-worker.* .
synth() { hindcast synth steps -q --dp 2 --pp 2 --microbatches 4 --steps 24 --step-stride 1 --first-step 1 "$@"; }
synth --seed 3 -o trace-healthy.csv
synth --seed 3 --slow-worker 1,0,1.5 -o trace-slow.csv
hindcast compare trace-slow.csv trace-healthy.csv
echo "# the same trace twice, and halves of it"
hindcast compare trace-healthy.csv trace-healthy.csv | head -6
hindcast compare trace-healthy.csv@1-12 trace-healthy.csv@13-24 | sed -n 1,6p
echo "# few steps, which do not touch, and too few"
hindcast compare trace-healthy.csv@1-4 trace-slow.csv | sed -n 1,8p
hindcast compare -q trace-healthy.csv@1-4 trace-healthy.csv@5-24 | sed -n '/^answer/,/^note/p'
hindcast compare -q trace-healthy.csv@3 trace-slow.csv@1-2 | sed -n '/^answer/,/^note/p'
echo "# other shapes"
hindcast compare trace-slow-worker.parquet trace-slow.csv | sed -n 1,16p
echo "# jobs and attempts, and names that hold '@' and '#'"
cp trace-slow.csv 'a#1@3.csv'
hindcast ingest -q -o - -a arc trace-healthy.csv trace-slow.csv 'a#1@3.csv'
hindcast compare -a arc 'healthy#0@1-12' slow | head -2
hindcast compare -a arc 'a#1@3@1-12' 'a#1@3.csv@5' | head -2
hindcast compare - trace-slow.csv@1-12 <trace-healthy.csv | head -2
echo "# two attempts of one job"
for attempt in 1 2; do
    synth --seed $attempt --slow-worker 1,0,1.$((6 - 2 * attempt)) -o trace-run.csv
    printf 'job_id: run\nattempt: %s\n' $attempt >meta-run.yaml
    hindcast ingest -q -o - -a arc trace-run.csv
done
hindcast compare -a arc 'run#1' 'run#2@1-20' | sed -n 1,5p
echo "# warm-up is left out, also of chosen steps"
synth --seed 3 --warmup 6 -o trace-warm.csv
hindcast compare trace-warm.csv@1-12 trace-warm.csv@13-24 | sed -n 1,8p
hindcast compare --keep-outliers trace-warm.csv@1-12 trace-warm.csv@13-24 | sed -n 3,8p
echo "# tables"
hindcast compare --csv - trace-slow.csv trace-healthy.csv | cut -d, -f1,10
hindcast compare -q --csv tables trace-slow.csv trace-healthy.csv >report.txt
head -2 tables/workers.csv | cut -d, -f1-6,18-24
ls tables
hindcast compare --json trace-slow.csv trace-healthy.csv | jq '.verdict, .figures.slowdown_change.changed, (.by_worker | length)'
