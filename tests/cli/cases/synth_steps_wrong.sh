# What does not fit together is told before anything is written.
try() { hindcast synth steps "$@" || echo "exit $?" >&2; }
try -o trace.txt
try --vpp 2 --microbatches 6
try --slow-worker 1,2
try --slow-worker 2,0,1.5
try --extra gcc,3
try --float32 -o trace-x.csv
try --json
ls
