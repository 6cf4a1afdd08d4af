#!/usr/bin/env bash
# Every system call of every command fails in turn.
POINTS=all exec bash "${SOURCE_DIR:?}/tests/faults/failing_calls.sh"
