# killed_case.bash - what the tests have in common that kill a command before each of its system calls, or let a call
# fail: the programs as $hindcast and $fail_call, an empty directory to work in, and fail, which says at which point.
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
fail_call=$(realpath "${FAIL_CALL:?the fail_call tool}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # LeakSanitizer does not work under ptrace
fail() {
    echo "${point:-}: $*"
    exit 1
}
