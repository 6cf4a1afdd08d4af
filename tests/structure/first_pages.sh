#!/usr/bin/env bash
# What a newcomer sees first stays short: README.md has at most 150 lines with a picture in its first screen,
# what scripts/demo ends with fits a screen of 24 lines of 80 columns, and names three commands. The start page
# of docs/ leads to every guide and every page of methods, and no link of these pages leads nowhere.
set -euo pipefail
cd "${SOURCE_DIR:-$(dirname "$0")/../..}"
n_failed=0
fail() { echo "FAIL: $*"; n_failed=$((n_failed + 1)); }
[ "$(wc -l <README.md)" -le 150 ] || fail "README.md has $(wc -l <README.md) lines"
head -n 24 README.md | grep -q '^!\[.*\](docs/figures/.*\.svg)$' || fail "README.md has no picture in its first screen"
for page in README.md docs/README.md docs/guide/*.md; do
    while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || fail "$page leads to $link, which is not there"
    done < <(grep -oE '\]\([a-zA-Z0-9./_-]+' "$page" | cut -c 3- | sed '/^https$/d')
done
for page in docs/guide/*.md docs/methods/*.md; do
    grep -qF "(${page#docs/})" docs/README.md || fail "docs/README.md does not lead to $page"
done
ending=$(sed -n '/^cat <<END$/,/^END$/p' scripts/demo | sed '1d;$d')
# The verdict has up to four lines where the script has one.
[ "$(wc -l <<<"$ending")" -le 20 ] || fail "scripts/demo ends with $(wc -l <<<"$ending") lines"
[ "$(grep -c '^  hindcast ' <<<"$ending")" = 3 ] || fail "scripts/demo does not end with three commands"
! grep -v '^\$(\|  \$(' <<<"$ending" | grep -qE '.{81}' || fail "scripts/demo ends with lines of more than 80 columns"
echo "$n_failed failures"
[ "$n_failed" = 0 ]
