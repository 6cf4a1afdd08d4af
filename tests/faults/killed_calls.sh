#!/usr/bin/env bash
# Every command that writes is stopped before a system call, by SIGKILL, SIGTERM, SIGINT or SIGHUP:
# see tests/faults/cases.bash for what must hold then.
#
#   POINTS   how many to stop (100)
#   SEED     at which calls (printed)
#   CASES    only those whose name matches this expression
#   JOBS     how many at once (2)
set -uo pipefail
points=${POINTS:-100} seed=${SEED:-$((SRANDOM % 100000))} jobs=${JOBS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/faults/cases.bash
source "${SOURCE_DIR:?}/tests/faults/cases.bash"
cd "$work" || exit 1
mapfile -t cases < <(printf '%s\n' "${all_cases[@]}" | grep -E "^(${CASES:-.*}) *\|" |
    grep -vE '^(ls|show|check|ls-table|show-record|site-check) ')
prepare # in no condition, which would switch off its -e
status=$?
[ $status = 0 ] || exit $status

# The signals reach a command at any call; what they do is the same for all but SIGKILL.
kinds_of_error=(KILL TERM INT HUP)

try_point() { # CASE-NUMBER SIGNAL N
    local entry=${cases[$1]} kind=$2 n=$3 name code=0 way=whole
    name=$(case_field "$entry" 1)
    point="$name $kind $n"
    # shellcheck disable=SC2046 # words
    timeout -s KILL 60 "$fail_call" --nth "$n" "$kind" -- "$hindcast" $(case_field "$entry" 3) >try.out 2>try.err || code=$?
    [ $code != 98 ] || return 0
    case $kind:$code in
        # It may have done all its work by then, or hold the signal back until it has.
        *:0 | KILL:137 | TERM:143 | INT:130 | HUP:129) ;;
        *) complain "exit $code: $(tail -n 2 try.err)" || return 1 ;;
    esac
    [ "$kind" != KILL ] || way=each
    [ "$kind" = KILL ] || nothing_is_left || return 1
    verify "$name" $code $way
}

try_points
