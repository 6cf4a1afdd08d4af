# A directory of traces with their truth; what does not fit together is told before anything is written.
hindcast synth kineto --dp 2 --steps 1 --layers 1 --microbatches 1 --jitter-cv 0 --slow-rank 1,2 -o traces
ls traces
cat traces/truth.json
head -c 1200 traces/rank-1.pt.trace.json
try() { hindcast synth kineto "$@" || echo "exit $?" >&2; }
try
try -o traces
try --dp 600 -o new
try --dp 100 --pp 100 -o new
try --slow-rank 4,2 -o new
try --slow-rank 1 -o new
try --slow-kernel 1,2 -o new
try --slow-link 1,1,2 -o new
try --late-host 1,x -o new
try --pause 1,9,5 -o new
try --clock 1,2 -o new
try --clock 7,2,0 -o new
try --json
ls
