#!/usr/bin/env bash
# Of every command that writes, each of the last 2,000 allocations fails in turn, and of all commands
# together 2,000 times as many others as there are of them.
LAST=2000 POINTS=${POINTS:-110000} exec bash "${SOURCE_DIR:?}/tests/faults/failing_allocations.sh"
