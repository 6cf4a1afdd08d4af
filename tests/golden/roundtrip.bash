# A traced timeline that we exported, read back as a trace: the same S. The export hides waiting, so only
# what does not need launch delays can agree. To be sourced: makes the directory $out, counts $failures.
: "${HINDCAST:?must name the program}"
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failures=0

# trip NAME TRACE: S is the same to 1e-6 of its size (times are exact to the nanosecond here and there).
trip() {
    meta=$(dirname "$2")/meta-$1.yaml
    file=$out/$1/timeline-$1.json.gz
    mkdir "$out/$1"
    "$HINDCAST" export -q "$2" --meta "$meta" --perfetto "$file" &&
        "$HINDCAST" whatif -q --json --meta "$meta" "$2" >"$out/$1/before.json" &&
        "$HINDCAST" whatif -q --json --meta "$meta" --format step-chrome "$file" \
            >"$out/$1/after.json" || {
        echo "FAIL $1: could not go there and back"
        failures=$((failures + 1))
        return
    }
    before=$(jq .figures.slowdown "$out/$1/before.json") after=$(jq .figures.slowdown "$out/$1/after.json")
    echo "$1: S $before, read back $after"
    [ -n "$before" ] && jq -ne "($before - $after) | fabs < 1e-6 * $before" >/dev/null || {
        echo "FAIL $1: S differs"
        failures=$((failures + 1))
    }
}
