# Values out of range are refused before anything is read.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
try ls --threads
try ls --threads 0
try ls --threads 9999
try ls --threads 2x
try ls --threads ''
try ls --threads ' 2'
try whatif --threshold nan x
try whatif --threshold -1 x
try whatif --threshold 0x10 x
try whatif --steps '' x
try whatif --steps 3-1 x
try whatif --steps 1,,2 x
try whatif --steps -4 x
try whatif --steps 1-99999999999 x
try ingest --max-bad 1.5 x
try ingest --max-bad 101% x
try ingest --max-bad few x
try ingest --format step-cvs x
try ingest --format other x
try ingest --meta m.yaml a.csv b.csv
try check --repair --stale
