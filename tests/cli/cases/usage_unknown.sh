# Every mistake names what was nearest, and ends with 2.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
try
try ingset
try frobnicate
try archive collect
try --quiet ls
try ls --jsn
try ls --frobnicate
try ls --jsn=1
try ls --json=1
try ls -x
try ls -qx
try ls jobs extra
try show
try ingest
try help nothing
