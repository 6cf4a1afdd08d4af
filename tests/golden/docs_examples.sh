#!/usr/bin/env bash
# The examples in README.md and docs/ are what the program prints. A block is tested when the line
# before it says so:
#
#     <!-- test -->
#     ```console
#     $ hindcast formats
#     step-csv   ...
#     ```
#
# Lines that start with "$ " are run, in order, in one temporary directory a file, where data/ and
# examples/ are those of the source tree; the lines up to the next one are what must come out (stdout and stderr).
# "..." stands for anything, also for lines, where times or sizes differ from run to run.
#
# With HINDCAST_REFRESH=1, output that does not match is written into the file instead, with "..." for
# the place of the source tree; put "..." for sizes and times by hand.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$hindcast" "$work/bin/hindcast"
export PATH=$work/bin:$PATH COLUMNS=80 NO_COLOR=1 LC_ALL=C.UTF-8
unset HINDCAST_ARCHIVE
n_run=0 n_failed=0

# matches ACTUAL EXPECTED: equal, with "..." in EXPECTED for anything. Where that stands for the place of the source
# tree, which may be long, lines may end elsewhere.
matches() {
    local actual=$1 expected=$2 pattern
    if [[ $expected == *.../* ]]; then
        actual=$(tr -s ' \n' ' ' <<<"$actual") expected=$(tr -s ' \n' ' ' <<<"$expected")
    fi
    pattern=$(printf '%s' "$expected" | sed -e 's/[][\\*?]/\\&/g' -e 's/\.\.\./*/g')
    # shellcheck disable=SC2053 # a pattern on purpose
    [[ $actual == $pattern ]]
}

# Run the pending command and compare; what belongs into the file goes to $refreshed.
settle() {
    local actual
    [ -n "$command" ] || return 0
    actual=$(cd "$sandbox" && bash -c "$command" 2>&1 </dev/null) || true
    n_run=$((n_run + 1))
    if matches "$actual" "$expected"; then
        [ -z "$expected" ] || printf '%s\n' "$expected" >>"$refreshed"
    else
        n_failed=$((n_failed + 1))
        printf -- '--- %s:%s: $ %s\n' "$file" "$line_number" "$command"
        diff <(printf '%s\n' "$expected") <(printf '%s\n' "$actual") || true
        [ -z "$actual" ] || printf '%s\n' "${actual//"$root"/...}" >>"$refreshed"
    fi
    command='' expected=''
}

run_file() {
    local file=$1 state=text line line_number=0 at=0
    local sandbox=$work/run refreshed=$work/refreshed command='' expected=''
    rm -rf "$sandbox" && mkdir "$sandbox" && : >"$refreshed"
    ln -s "$root/data" "$sandbox/data"
    ln -s "$root/examples" "$sandbox/examples"
    while IFS= read -r line || [ -n "$line" ]; do
        at=$((at + 1))
        case $state:$line in
            text:'<!-- test -->') state=marked ;;
            marked:'```console') state=block ;;
            marked:*) echo "$file:$at: no \`\`\`console block after the mark"; exit 1 ;;
            'block:```') settle; state=text ;;
            block:'$ '*)
                settle
                command=${line#'$ '} line_number=$at
                ;;
            block:*)
                expected+=${expected:+$'\n'}$line
                continue
                ;;
        esac
        printf '%s\n' "$line" >>"$refreshed"
    done <"$file"
    [ "$state" = text ] || { echo "$file: a tested block is not closed"; exit 1; }
    if [ "${HINDCAST_REFRESH:-}" = 1 ] && ! cmp -s "$refreshed" "$file"; then
        cat "$refreshed" >"$file"
        echo "refreshed $file"
    fi
}

while IFS= read -r file; do
    run_file "$file"
done < <(grep -rl --include='*.md' '^<!-- test -->$' "$root/README.md" "$root/docs" | sort)
echo "$n_run examples, $n_failed not as printed"
[ "$n_run" -gt 0 ] && { [ "$n_failed" = 0 ] || [ "${HINDCAST_REFRESH:-}" = 1 ]; }
