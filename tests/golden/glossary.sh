#!/usr/bin/env bash
# docs/glossary.md is what the table of words says (HINDCAST_REFRESH=1 writes it), and each word of it is
# explained by `hindcast help WORD`.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${HINDCAST_REFRESH:-}" != 1 ] || "$hindcast" help --as glossary -o "$root/docs/glossary.md"
diff -u "$root/docs/glossary.md" <("$hindcast" help --as glossary)
n=0
while IFS= read -r word; do
    n=$((n + 1))
    [[ $word != -* ]] || continue
    "$hindcast" help "$word" >"$work/text" || { echo "FAIL: help '$word'"; exit 1; }
    grep -qF "$word: " "$work/text" || { echo "FAIL: help '$word' says $(head -n 1 "$work/text")"; exit 1; }
done < <(sed -n 's/^| \*\*\(.*\)\*\* |.*/\1/p' "$root/docs/glossary.md")
[ "$n" -ge 60 ] || { echo "FAIL: only $n words"; exit 1; }
[ -z "$(sed -n 's/^| \*\*\(.*\)\*\* |.*/\1/p' "$root/docs/glossary.md" | sort | uniq -d)" ] || { echo "FAIL: a word twice"; exit 1; }
