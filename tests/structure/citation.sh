#!/usr/bin/env bash
# CITATION.cff is of this version, and has what the Citation File Format 1.2.0 asks for: its four required
# keys, and no key of another name. Each preset is cited by an entry that BibTeX can read.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
n_failed=0
fail() { echo "FAIL: $*"; n_failed=$((n_failed + 1)); }
file=$root/CITATION.cff
known=' abstract authors cff-version commit contact date-released doi identifiers keywords license license-url message preferred-citation references repository repository-artifact repository-code title type url version '
for key in cff-version message title authors; do
    grep -q "^$key:" "$file" || fail "$file has no '$key'"
done
grep -qx 'cff-version: 1.2.0' "$file" || fail "$file is of another format"
while read -r key; do
    [[ $known == *" $key "* ]] || fail "'$key' is no key of a citation file"
done < <(sed -n 's/^\([a-z-]*\):.*/\1/p' "$file")
version=$(sed -n 's/^project(hindcast VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
grep -qx "version: $version" "$file" || fail "$file is not of version $version"
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    /usr/bin/python3 -c 'import sys, yaml; sys.exit(not isinstance(yaml.safe_load(open(sys.argv[1])), dict))' "$file" ||
        fail "$file is no YAML"
fi

for entry in "$root"/data/presets/sources/*.bib; do
    key=$(basename "$entry" .bib)
    head -n 1 "$entry" | grep -qx "@misc{$key," || fail "$entry: its first line is not '@misc{$key,'"
    tail -n 1 "$entry" | grep -qx '}' || fail "$entry: its last line is not '}'"
    grep -qE '^  title = \{\{.+\}\},$' "$entry" || fail "$entry has no title"
    [ "$(tr -cd '{' <"$entry" | wc -c)" = "$(tr -cd '}' <"$entry" | wc -c)" ] || fail "$entry: braces"
    sed '1d;$d' "$entry" | grep -vqE '^  [a-z]+ = \{.*\},?$' && fail "$entry: a line that is no field"
    grep -lqx "// Cite: $key" "$root"/data/presets/*.json || fail "$entry: no preset cites it"
    # What is cited is what the first lines of its presets say.
    id=$(sed -n 's/^  eprint = {\(.*\)},$/\1/p' "$entry")
    while read -r preset; do
        [ -z "$id" ] || head -n 2 "$preset" | grep -qF "arXiv $id" || fail "$preset is not from arXiv $id"
    done < <(grep -lx "// Cite: $key" "$root"/data/presets/*.json)
done
echo "$n_failed failures"
[ "$n_failed" = 0 ]
