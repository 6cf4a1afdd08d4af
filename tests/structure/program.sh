#!/usr/bin/env bash
# The program as readelf sees it: hardened (cmake/hardening.cmake), and with little to do when it starts
# (cmake/libraries.cmake). Builds with sanitizers are neither.
set -euo pipefail
setting() { sed -n "s/^$1:[^=]*=//p" "$BUILD_DIR/CMakeCache.txt"; }
if [ -n "$(setting HC_SANITIZE)" ] || [ "$(setting HC_FUZZ)" = ON ] || [ "$(setting HC_HARDENING)" = OFF ]; then
    echo 'skip: this build is not hardened'
    exit 77
fi
n_failed=0
fail() { echo "FAIL: $*"; n_failed=$((n_failed + 1)); }
dynamic=$(readelf -dW "$HINDCAST")
segments=$(readelf -lW "$HINDCAST")
sections=$(readelf -SW "$HINDCAST")
imported=$(readelf -W --dyn-syms "$HINDCAST")

# ---- hardened ----

grep -qE 'BIND_NOW|Flags:.* NOW' <<<"$dynamic" || fail 'symbols are not bound at the start (-z now)'
grep -q ' GNU_RELRO ' <<<"$segments" || fail 'relocated tables stay writable (-z relro)'
grep -qE 'Flags:.* PIE' <<<"$dynamic" || fail 'not position-independent (-pie)'
grep -qE ' GNU_STACK .* RW +0x' <<<"$segments" || fail 'the stack is executable'
grep -q ' __stack_chk_fail@' <<<"$imported" || fail 'no stack protector'
if [ "$(setting CMAKE_BUILD_TYPE)" = Release ]; then
    grep -qE ' __(mem|str|v?f?s?n?printf|f?read)[a-z]*_chk@' <<<"$imported" || fail 'no call is fortified'
fi
# Of the program itself this is said only where the C library and each static archive have it too, which those
# of Debian 12 do not: so it is asked of each object of ours.
if [ "$(setting HC_HAS_CET)" = 1 ]; then
    for library in "$BUILD_DIR"/libhc_{core,parsers,store,models,sim,study,reports,pipeline,cli}.a; do
        n=$(ar t "$library" | wc -l)
        marked=$(readelf -nW "$library" 2>/dev/null | grep -c 'x86 feature: IBT, SHSTK') || true
        [ "$n" = "$marked" ] || fail "$library: $marked of $n objects have -fcf-protection"
    done
fi

# ---- quick to start ----

# size NAME: bytes of a section, 0 where there is none.
size() { awk -v name="$1" '{ sub(/^ *\[ *[0-9]+\] */, "") } $1 == name { print $5 }' <<<"$sections" | sed 's/^/16#/'; }
if [ "$(setting CMAKE_BUILD_TYPE)" = Release ] && [ "$(setting HC_STATIC)" = ON ] && [ "$(setting HC_RELR)" = 1 ]; then
    relocations=$(($(size .rela.dyn) + $(size .relr.dyn)))
    [ "$relocations" -le 16000 ] || fail "relocations take $relocations bytes, 16,000 at most"
    # Each page of these is written when the program starts.
    tables=$(($(size .data.rel.ro)))
    [ "$tables" -le 480000 ] || fail "tables with pointers take $tables bytes, 480,000 at most: see struct hc_field"
    needed=$(grep -c '(NEEDED)' <<<"$dynamic")
    [ "$needed" -le 3 ] || fail "$needed shared libraries are loaded, 3 at most: $(grep -o '\[lib.*\]' <<<"$dynamic" | tr '\n' ' ')"
    resolvers=$(($(size .text.resolvers)))
    [ "$resolvers" -gt 0 ] || fail 'the functions that choose code by the CPU are not side by side'
    echo "relocations $relocations B, tables $tables B, $needed shared libraries, resolvers $resolvers B"
fi
exit $((n_failed > 0))
