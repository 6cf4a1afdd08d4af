#!/usr/bin/env bash
# Files are opened for reading in one place, core/files/input_file.c, and inside an archive in
# store/folder/folder.c: a name may lead to a FIFO, which blocks, or to a device that never ends. Any
# other call that may open a file for reading is an error, but for those that are listed here with
# their reason. What is opened for writing (O_WRONLY, O_RDWR; modes "w" and "a") or as a directory is
# not meant. Documents are parsed from memory, so that their size has a limit.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"

# file | such calls in it | why
allowed='
core/files/input_file.c   | 2 | the place itself
store/folder/folder.c     | 1 | the place itself, inside an archive
core/files/outfile.c      | 2 | with the flags of a file that is written
core/files/outset_index.c | 1 | an output of an older run, below its directory and not through a link; fstat tells what it is
core/files/outset_places.c | 1 | a temporary file that is to be removed: its lock is asked for, nothing is read
core/files/file_access.c  | 1 | with O_PATH: who may read and write it, which is no reading
core/files/outfolder.c    | 1 | a file that this process wrote under its temporary name, to give it a mode
core/files/outset.c       | 1 | the same
core/base/zone.c          | 1 | a time zone of the system, which the C library opens too; core/base knows no files
'
calls='fopen(64)?|freopen|open(64)?|openat(64)?|openat2|creat|popen|gzopen|gzdopen|mmap|json_load_file|json_loadf|json_loadfd|H5Fopen'
failed=0

# The calls of a file, one a line, without comments.
calls_of() {
    tr '\n' ' ' <"$1" | sed 's|/\*|\x01|g; s|\*/|\x02|g; s/\x01[^\x02]*\x02//g' |
        sed -E "s/(^|[^A-Za-z0-9_>.])($calls)\(/\n\2(/g" | grep -E "^($calls)\(" | sed 's/;.*//' |
        grep -vE 'O_WRONLY|O_RDWR|O_DIRECTORY|DIRECTORY_FLAGS|, "[wa]|MAP_ANON' || true
}

n=0
while read -r file; do
    found=$(calls_of "$file")
    [ -n "$found" ] || continue
    count=$(printf '%s\n' "$found" | wc -l)
    right=$(printf '%s\n' "$allowed" | awk -F '|' -v file="$file" '{ gsub(/ /, "", $1) } $1 == file { print $2 + 0 }')
    n=$((n + count))
    if [ "$count" != "${right:-0}" ]; then
        echo "$file: $count calls that may open a file for reading, ${right:-0} allowed:"
        printf '%s\n' "$found" | cut -c1-150
        failed=1
    fi
done < <(grep -rlE --include='*.[ch]' "\b($calls)\(" core parsers store models sim study reports pipeline cli | sort)
[ "$n" = 11 ] || { echo "$n calls found, 11 expected: the list above is out of date"; failed=1; }

# The test itself: it sees what it forbids, over two lines too.
sample=$(mktemp)
trap 'rm -f "$sample"' EXIT
printf 'void f(void) { /* fopen(a, "r"); */\n FILE *a = fopen(path,\n "rb"); int b = open(path, O_WRONLY), c = open(path,\nO_RDONLY); }\n' >"$sample"
[ "$(calls_of "$sample" | wc -l)" = 2 ] || { echo "finds $(calls_of "$sample") in its sample"; failed=1; }
exit "$failed"
