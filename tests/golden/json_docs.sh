#!/usr/bin/env bash
# The tables of keys in docs/ are those of the definitions that write the documents, and a page that is
# not so is noticed.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
export JSON_DOCS=${JSON_DOCS:-$root/build/tests/json_docs}
"$root/scripts/json-docs" --check
[ "$(grep -rhx '<!-- keys of .* -->' "$root/docs" | wc -l)" -ge 5 ] || { echo "FAIL: tables of keys are gone"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts"
cp "$root/scripts/json-docs" "$work/scripts/"
cp -r --no-preserve=mode "$root/docs" "$work/"
sed -i 's/^| `waste` | .*/| `waste` | | something else |/' "$work/docs/json.md"
! "$work/scripts/json-docs" --check >"$work/differences" || { echo "FAIL: a page that is wrong is not noticed"; exit 1; }
grep -q '^-.*something else' "$work/differences" || { echo "FAIL: the difference is not shown"; exit 1; }
"$work/scripts/json-docs"
diff -r "$root/docs" "$work/docs"
