#!/usr/bin/env bash
# 100 commands are stopped, each before some system call (fewer in a sanitizer build, where each takes
# longer). 10,000 of them: tests/long/killed_calls_10000.sh.
case ${BUILD_DIR:-} in
    *build) points=100 ;;
    *) points=40 ;;
esac
POINTS=${POINTS:-$points} exec bash "${SOURCE_DIR:?}/tests/faults/killed_calls.sh"
