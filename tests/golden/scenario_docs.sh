#!/usr/bin/env bash
# docs/scenario.md and docs/scenario.schema.json are what the table of keys says, and the schema holds for
# what the program accepts. HINDCAST_REFRESH=1 writes them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
page=$root/docs/scenario.md schema=$root/docs/scenario.schema.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# agrees PAGE SCHEMA OPTION...: both are what the table of keys of a kind says
agrees() {
    local page=$1 schema=$2
    shift 2
    local mark="<!-- The rest is written by hindcast scenario schema $*${*:+ }--as markdown. -->"
    grep -qxF -- "$mark" "$page" || { echo "FAIL: '$page' has no mark for its generated part"; exit 1; }
    sed "/^$mark\$/q" "$page" >"$work/page"
    echo >>"$work/page"
    "$hindcast" scenario schema "$@" --as markdown >>"$work/page"
    "$hindcast" scenario schema "$@" >"$work/schema"
    if [ "${HINDCAST_REFRESH:-}" = 1 ]; then
        cp "$work/page" "$page"
        cp "$work/schema" "$schema"
    fi
    diff -u "$page" "$work/page"
    diff -u "$schema" "$work/schema"
}
steps=$root/docs/step-scenarios.md
agrees "$steps" "$root/docs/step-scenario.schema.json" --kind replay
agrees "$page" "$schema"

# Every example of a scenario in the pages is right.
ln -s "$root/data" "$work/data"
n=0
while IFS= read -r -d '' example; do
    n=$((n + 1))
    printf '%s' "$example" >"$work/example.json"
    "$hindcast" scenario check "$work/example.json"
done < <(awk '/^```jsonc$/ { inside = 1; next } /^```$/ && inside { inside = 0; printf "%c", 0 } inside' "$page" "$steps")
[ "$n" -ge 1 ] || { echo "FAIL: no example in '$page'"; exit 1; }

python=
for candidate in /usr/bin/python3 python3; do # Debian's first: it is the one that users have
    if [ -z "$python" ] && "$candidate" -c 'import jsonschema' 2>/dev/null; then python=$candidate; fi
done
if [ -z "$python" ]; then
    echo "the schema was not tried: python3 has no jsonschema"
    exit 0
fi
# As they lie there, with includes and comments; then with their includes resolved.
"$python" "$root/tests/support/scenario_schemas.py" "$schema" "$root/docs/step-scenario.schema.json" \
    "$root"/data/presets/*.json "$root"/examples/scenarios/*.json* "$root"/tests/scenarios/right/*.json
mkdir "$work/plain"
for file in "$root"/tests/scenarios/right/*.json "$root"/tests/scenarios/spec/standbys.json \
    "$root"/data/presets/*.json "$root"/examples/scenarios/*.json*; do
    name=${file%/*}
    "$hindcast" scenario show "$file" >"$work/plain/${name##*/}-${file##*/}"
done
"$python" - "$schema" "$root/docs/step-scenario.schema.json" "$work"/plain/*.json <<'END'
import json, sys
import jsonschema
validators = {}
for kind, path in zip(("lifetime", "replay"), sys.argv[1:3]):
    schema = json.load(open(path))
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[kind] = jsonschema.Draft202012Validator(schema)
bad = 0
for path in sys.argv[3:]:
    scenario = json.load(open(path))
    validator = validators[scenario["kind"]]
    for error in validator.iter_errors(scenario):
        print("FAIL:", path, error.json_path, error.message)
        bad += 1
    scenario["faultz"] = {}
    assert not validator.is_valid(scenario)
print(len(sys.argv) - 3, "scenarios against the schemas")
sys.exit(bad > 0)
END
