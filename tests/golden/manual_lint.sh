#!/usr/bin/env bash
# mandoc and groff find nothing to warn of in any manual page.
set -euo pipefail
pages=("${BUILD_DIR:?}"/manual/man1/*.1.gz)
[ -e "${pages[0]}" ] || { echo "manual_lint: skipped, no manual (no scdoc)"; exit 77; }
checked=none
if command -v mandoc >/dev/null; then
    for page in "${pages[@]}"; do
        zcat "$page" | mandoc -T lint -W warning || { echo "manual_lint: mandoc warns of $page"; exit 1; }
    done
    checked=mandoc
fi
if command -v groff >/dev/null; then
    for page in "${pages[@]}"; do
        said=$(zcat "$page" | groff -man -Tutf8 -ww 2>&1 >/dev/null)
        [ -z "$said" ] || { echo "manual_lint: groff says of $page: $said"; exit 1; }
    done
    checked="$checked, groff"
fi
[ "$checked" != none ] || { echo "manual_lint: skipped, neither mandoc nor groff"; exit 77; }
echo "manual_lint: ${#pages[@]} pages, $checked"
