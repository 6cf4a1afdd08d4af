# The archive comes from -a, else HINDCAST_ARCHIVE, else ./hindcast-archive; only ingest makes one.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
try ls
HINDCAST_ARCHIVE=from-environment try ls
HINDCAST_ARCHIVE=from-environment try ls -a from-option
try show AR
try check
try archive gc
try whatif AR
ls
