#!/usr/bin/env bash
# Every system call of every command fails in turn (POINTS of them, chosen by SEED): see
# tests/faults/cases.bash for what must hold then.
#
#   POINTS   how many points to try (300), or "all"
#   SEED     which ones (printed)
#   CASES    only those whose name matches this expression
#   JOBS     how many at once (2)
set -uo pipefail
points=${POINTS:-300} seed=${SEED:-$((SRANDOM % 100000))} jobs=${JOBS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/faults/cases.bash
source "${SOURCE_DIR:?}/tests/faults/cases.bash"
cd "$work" || exit 1
mapfile -t cases < <(printf '%s\n' "${all_cases[@]}" | grep -E "^(${CASES:-.*}) *\|")

prepare # in no condition, which would switch off its -e
status=$?
[ $status = 0 ] || exit $status

# The exit codes that an error may end with: the system refused (4), or no memory (5).
is_right_class() { # KIND CODE
    case $1:$2 in
        *:0 | E*:4 | ENOMEM:5) return 0 ;;
        *) return 1 ;;
    esac
}

try_point() { # CASE-NUMBER KIND N
    local entry=${cases[$1]} kind=$2 n=$3 name code=0
    name=$(case_field "$entry" 1)
    point="$name $kind $n"
    # shellcheck disable=SC2046 # words
    timeout -s KILL 60 "$fail_call" --nth "$n" "$kind" -- "$hindcast" $(case_field "$entry" 3) >try.out 2>try.err || code=$?
    [ $code != 98 ] || return 0 # another path was taken: there is no such call
    # What may not be looked at is no part of what 'site init' describes: it says so, and does the rest.
    [[ $name:$kind:$code != site-init:EACCES:[03] ]] || ! grep -q 'may not be looked at' try.err || return 0
    is_right_class "$kind" $code || complain "exit $code: $(tail -n 2 try.err)" || return 1
    [ $code != 0 ] || cmp -s try.out ../ref-"$name".stdout ||
        complain "exit 0, but standard output is another: $(diff try.out ../ref-"$name".stdout | head -n 3)" || return 1
    verify "$name" $code whole
}

try_points
