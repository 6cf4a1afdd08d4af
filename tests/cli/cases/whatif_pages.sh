# Pages and tables: what is written where, and what is refused before anything is.
try() { code=0; hindcast whatif -q -o report.txt "$@" || code=$?; echo "$* -> $code"; }
cp "$SOURCE_DIR"/data/samples/*-slow-worker.* "$SOURCE_DIR"/data/samples/*-slow-stage.* .
worker=trace-slow-worker.parquet stage=trace-slow-stage.csv.gz

try --html page.html $worker $stage
try --html - $worker
try --picture-step 12 $worker
try --html page.html --picture-step 10-12 $worker
try --html page.html --picture-step 10 --quick $worker
ls

# One job: the tables in the directory itself. Those of another job are kept.
try --quick --csv tables --html page.html $worker
ls tables
head -n 4 tables/job.csv
test ! -e tables/worker_steps.csv # no rows, no file
try --quick --csv tables $stage
head -n 3 tables/job.csv
try --quick --csv tables $worker

# Several: a directory each. Nothing else is left behind.
try --quick --csv several $worker $stage
ls several/*
mkdir page.dir
try --quick --html page.dir $worker
try --quick --csv page.html $worker
find . -name '*tmp*'
