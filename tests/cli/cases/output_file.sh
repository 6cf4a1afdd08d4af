# What cannot be written is an error, and an output file is there whole or not at all.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code" >&2; }
try formats >/dev/full
try --help >/dev/full
try formats -o missing/formats.txt
try formats -o formats.txt
ls
diff formats.txt <(hindcast formats)
# A device is written to, not replaced; a link is followed.
try formats -o /dev/null
test -c /dev/null
ln -s formats.txt link.txt
try formats --json -o link.txt
test -L link.txt
head -2 formats.txt
# The options of every command mean the same for help, or are refused.
try help -o help.txt ls
diff help.txt <(hindcast ls --help)
try help --json
try help ls formats
