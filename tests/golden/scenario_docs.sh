#!/usr/bin/env bash
# docs/scenario.md and docs/scenario.schema.json are what the table of keys says, and the schema holds for
# what the program accepts. HINDCAST_REFRESH=1 writes them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
page=$root/docs/scenario.md schema=$root/docs/scenario.schema.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mark='<!-- The rest is written by hindcast scenario schema --as markdown. -->'
grep -qxF -- "$mark" "$page" || { echo "FAIL: '$page' has no mark for its generated part"; exit 1; }
sed "/^$mark\$/q" "$page" >"$work/page"
echo >>"$work/page"
"$hindcast" scenario schema --as markdown >>"$work/page"
"$hindcast" scenario schema >"$work/schema"
if [ "${HINDCAST_REFRESH:-}" = 1 ]; then
    cp "$work/page" "$page"
    cp "$work/schema" "$schema"
fi
diff -u "$page" "$work/page"
diff -u "$schema" "$work/schema"

# Every example of a scenario in the page is right.
n=0
while IFS= read -r -d '' example; do
    n=$((n + 1))
    printf '%s' "$example" >"$work/example.json"
    "$hindcast" scenario check "$work/example.json"
done < <(awk '/^```jsonc$/ { inside = 1; next } /^```$/ && inside { inside = 0; printf "%c", 0 } inside' "$page")
[ "$n" -ge 1 ] || { echo "FAIL: no example in '$page'"; exit 1; }

if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "the schema was not tried: python3 has no jsonschema"
    exit 0
fi
mkdir "$work/plain"
for file in "$root"/tests/scenarios/right/*.json "$root"/tests/scenarios/spec/standbys.json \
    "$root"/data/presets/*.json "$root"/examples/scenarios/*.json; do
    name=${file%/*}
    "$hindcast" scenario show "$file" >"$work/plain/${name##*/}-${file##*/}"
done
"$hindcast" scenario schema --kind replay >"$work/replay.schema.json"
python3 - "$schema" "$work/replay.schema.json" "$work"/plain/*.json <<'END'
import json, sys
import jsonschema
validators = {}
for kind, path in (("lifetime", sys.argv[1]), ("replay", sys.argv[2])):
    schema = json.load(open(path))
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[kind] = jsonschema.Draft202012Validator(schema)
bad = 0
for path in sys.argv[3:]:
    document = json.load(open(path))
    validator = validators[document["kind"]]
    for error in validator.iter_errors(document):
        print("FAIL:", path, error.json_path, error.message)
        bad += 1
    document["faultz"] = {}
    assert not validator.is_valid(document)
print(len(sys.argv) - 3, "scenarios against the schema")
sys.exit(bad > 0)
END
