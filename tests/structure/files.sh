#!/usr/bin/env bash
# Files: names are unique in the tree; every .c of a room has its header there; headers guard
# themselves. The header is its own, or that of its module: the one named by the beginning of its name
# (archive_check.c: archive.h), or the one it includes first. A format is declared by its registry.
# Files over 600 lines are listed, as a habit to keep an eye on, not an error.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"
rooms=(core parsers store models sim study reports pipeline cli)
failed=0
breach() {
    echo "$*"
    failed=1
}

has_header() {
    local stem=${1%.c}
    while [ ! -e "$stem.h" ]; do
        case ${stem##*/} in
            *_*) stem=${stem%_*} ;;
            *)
                grep -m 1 '^#include' "$1" | grep -q "\"${1%%/*}/" ||
                    grep -q '^const struct hc_format hc_format_' "$1"
                return
                ;;
        esac
    done
}

mapfile -t files < <(find "${rooms[@]}" bench tests -name '*.[ch]' | sort)
[ ${#files[@]} -gt 20 ] || breach "only ${#files[@]} files found"

while read -r name; do
    breach "'$name' is there more than once:" "$(printf '%s\n' "${files[@]}" | grep "/$name\$" | xargs)"
done < <(printf '%s\n' "${files[@]}" | sed 's|.*/||' | sort | uniq -d)

for file in "${files[@]}"; do
    case $file in
        cli/main.c | cli/commands/cmd_*.c) ;; # entry points: the command table declares them
        bench/*.c | tests/*.c) ;;    # programs
        *.c) has_header "$file" || breach "$file: has no header" ;;
        tests/*.h) ;;
        *.h)
            guard=HC_$(printf '%s' "${file%.h}_H" | tr 'a-z/-' 'A-Z__')
            grep -q "^#ifndef $guard\$" "$file" || breach "$file: is not guarded by $guard"
            ;;
    esac
done

printf '%s\n' "${files[@]}" | xargs wc -l | awk '$2 != "total" && $1 > 600 {
    print "note: " $2 " has " $1 " lines: time to split it" }'
echo "${#files[@]} files"
exit "$failed"
