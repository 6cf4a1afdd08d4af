# Compare the what-if of a trace with the outputs that the OSDI'25 artifact published for it. To be sourced:
# makes the directory $out, counts $failures. Needs HINDCAST (the program) and COMPARE_RESULTS
# (tests/tools/compare_results).
: "${HINDCAST:?must name the program}" "${COMPARE_RESULTS:?must name compare_results}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failures=0

# compare NAME TRACE DIRECTORY_OF_THE_PUBLISHED
compare() {
    mkdir "$out/$1"
    if ! "$HINDCAST" whatif --compat "$out/$1" "$2" >"$out/$1/stdout"; then
        echo "FAIL $1: hindcast whatif failed on $2"
        failures=$((failures + 1))
        return
    fi
    for kind in result ms mw; do
        if ! "$COMPARE_RESULTS" "$out/$1/$kind-$1.json" "$3/$kind-$1.json"; then
            echo "FAIL $1: $kind differs from the published"
            failures=$((failures + 1))
        fi
    done
}

# The last line of a test: what it found, and its exit code.
conclude() {
    [ "$failures" -eq 0 ] && echo "all equal" || echo "$failures failures"
    [ "$failures" -eq 0 ]
}
