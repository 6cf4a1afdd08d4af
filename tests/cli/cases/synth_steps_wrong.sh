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
try --slow-link 0,3,2
try --slow-link 1,2
try --slow-collectives 2,0.5,1
try --dp 1 --slow-collectives 2,2
try --slow-host 0,7,2
try --sequence-cv 2
try --gc-every 0.5
try --step-rho 1
ls
try --slow-worker 1,2,1.5:stpes=3
try --slow-worker 1,2,1.5:steps=9-4
try --slow-link 1,1,2:ops=all
try --slow-collectives 1,2:passes=0.5
try --warmup 0.5
try --nodes 0
ls
