#!/usr/bin/env bash
# 300 system calls, of all commands, fail one at a time (fewer in a sanitizer build, where each takes
# longer). All of them: tests/long/failing_calls_all.sh.
case ${BUILD_DIR:-} in
    *build) points=300 ;;
    *) points=60 ;;
esac
POINTS=${POINTS:-$points} exec bash "${SOURCE_DIR:?}/tests/faults/failing_calls.sh"
