# A fleet with its truth; then what is refused, before anything is written.
hindcast synth steps --fleet 5 --seed 2 -o fleet
ls fleet
cut -d, -f1-20 fleet/truth.csv
mkdir empty && hindcast synth steps --fleet 2 --with-discards -o empty/
try() { hindcast synth steps "$@" || echo "exit $?" >&2; }
try --fleet 2 -o fleet
try --fleet 2 -o fleet/truth.csv
try --fleet 2
try --fleet 2 --dp 4 -o other
try --fleet 2 --slow-worker 0,0,2 -o other
try --fleet 2 --json -o other
try --fleet 0 -o other
try --fleet 2 -o nowhere/fleet
try --with-discards -o trace-x.csv
ls
