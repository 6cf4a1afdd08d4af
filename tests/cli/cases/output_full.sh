# What cannot be written is an error, and an output file is there whole or not at all.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code" >&2; }
try formats >/dev/full
try --help >/dev/full
try formats -o missing/formats.txt
try formats -o formats.txt
ls
diff formats.txt <(hindcast formats)
