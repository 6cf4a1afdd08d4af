#!/usr/bin/env bash
# Files: names are unique in the tree; every .c of a room has its header there, unless a registry
# declares all that it shows; headers guard themselves. Files over 600 lines are listed, as a habit to keep an eye on, not an error.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"
rooms=(core parsers store models sim reports cli)
failed=0
breach() {
    echo "$*"
    failed=1
}

mapfile -t files < <(find "${rooms[@]}" bench tests -name '*.[ch]' | sort)
[ ${#files[@]} -gt 20 ] || breach "only ${#files[@]} files found"

while read -r name; do
    breach "'$name' is there more than once:" "$(printf '%s\n' "${files[@]}" | grep "/$name\$" | xargs)"
done < <(printf '%s\n' "${files[@]}" | sed 's|.*/||' | sort | uniq -d)

for file in "${files[@]}"; do
    case $file in
        cli/main.c | cli/cmd_*.c) ;; # entry points: the command table declares them
        bench/*.c | tests/*.c) ;;    # programs
        parsers/*.c) # a format is a row of the registry: format.h declares it
            [ -e "${file%.c}.h" ] || grep -q '^const struct hc_format hc_format_' "$file" ||
                breach "$file: has no header ${file%.c}.h"
            ;;
        *.c) [ -e "${file%.c}.h" ] || breach "$file: has no header ${file%.c}.h" ;;
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
