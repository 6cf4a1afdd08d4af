#!/usr/bin/env python3
"""on_terminal.py STOP COMMAND...: run a command on a terminal of its own and print what it wrote there,
each control character as Python writes it. Where STOP is not empty, Ctrl-C is typed once it appeared.
The last line is the exit status as a shell has it."""
import os
import pty
import sys


def main():
    stop, argv = sys.argv[1].encode(), sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(argv[0], argv)
    said, typed = b"", not stop
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the last of its users is gone
            break
        if not part:
            break
        said += part
        if not typed and stop in said:
            os.write(terminal, b"\x03")
            typed = True
    status = os.waitpid(pid, 0)[1]
    print(repr(said)[2:-1])
    print(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


main()
