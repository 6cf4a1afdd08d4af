#!/usr/bin/env bash
# The k-th allocation of a command finds no memory, for many k and every command: see
# tests/faults/cases.bash for what must hold then. Such a command must end with 5, or do all of its
# work without that memory.
#
#   LAST     of each command, so many of its last allocations, where it publishes (0)
#   POINTS   how many of all others, over all commands (300), or "all"
#   SEED     which ones (printed)
#   CASES    only those whose name matches this expression
#   JOBS     how many at once (2)
set -uo pipefail
points=${POINTS:-300} seed=${SEED:-$((SRANDOM % 100000))} jobs=${JOBS:-2} last=${LAST:-0}
if [ ! -e "${FAIL_ALLOCATION:-}" ]; then
    echo "skip: allocations are not made to fail under sanitizers"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/faults/cases.bash
source "${SOURCE_DIR:?}/tests/faults/cases.bash"
library=$(realpath "$FAIL_ALLOCATION")
preload=(env LD_LIBRARY_PATH="${library%/*}" LD_PRELOAD="${library##*/}") # a list: no path with blanks
cd "$work" || exit 1
mapfile -t cases < <(printf '%s\n' "${all_cases[@]}" | grep -E "^(${CASES:-.*}) *\|")

# A line "case kind n" for each allocation of each command; the kind of the last ones is "last".
list_points() {
    local i count
    for i in "${!cases[@]}"; do
        fresh_run
        # shellcheck disable=SC2046 # words
        (cd run && "${preload[@]}" FAIL_ALLOCATION_COUNT=../count "$hindcast" $(case_field "${cases[i]}" 3) &>/dev/null)
        count=$(cat count)
        awk -v i="$i" -v n="$count" -v last="$last" 'BEGIN { for (k = 1; k <= n; k++) print i, (k > n - last ? "last" : "other"), k }'
    done
}

choose_points() {
    cat >points.listed
    awk '$2 == "last"' points.listed
    awk '$2 != "last"' points.listed | choose_some
}

try_point() { # CASE-NUMBER KIND N
    local entry=${cases[$1]} n=$3 name code=0
    name=$(case_field "$entry" 1)
    point="$name allocation $n"
    # shellcheck disable=SC2046 # words
    timeout -s KILL 60 "${preload[@]}" FAIL_ALLOCATION_AT="$n" "$hindcast" $(case_field "$entry" 3) >try.out 2>try.err || code=$?
    # Before main begins libgomp takes memory of its own, and without it ends the process with 1.
    [ $code = 1 ] && grep -q '^libgomp: Out of memory' try.err && code=5
    case $code in
        0) cmp -s try.out ../ref-"$name".stdout ||
            complain "exit 0, but standard output is another: $(diff try.out ../ref-"$name".stdout | head -n 3)" || return 1 ;;
        5) ;;
        *) complain "exit $code: $(tail -n 2 try.err)" || return 1 ;;
    esac
    nothing_is_left && verify "$name" $code whole
}

prepare # in no condition, which would switch off its -e
status=$?
[ $status = 0 ] || exit $status
try_points
