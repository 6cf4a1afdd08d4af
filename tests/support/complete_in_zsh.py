#!/usr/bin/env python3
"""What zsh offers: complete_in_zsh.py DIRECTORY LINE WANTED types the line on a terminal of its own, presses Tab,
and prints what is there once WANTED is, or after 20 s. DIRECTORY holds the completion, _hindcast, and takes files
of zsh."""
import os
import pty
import re
import select
import sys
import time

directory, line, wanted = sys.argv[1:]
with open(os.path.join(directory, ".zshrc"), "w") as rc:
    rc.write("PROMPT='>'\nfpath=('%s' $fpath)\nautoload -Uz compinit\ncompinit -u -D\n"
             "unsetopt zle_bracketed_paste beep 2>/dev/null\n" % directory)
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(ZDOTDIR=directory, TERM="dumb", LC_ALL="C.UTF-8")
    os.execvp("zsh", ["zsh", "-i"])


def read_until(text, seconds):
    """What the terminal shows without its control sequences, up to a text or the time."""
    seen, shown, end = b"", "", time.monotonic() + seconds
    while time.monotonic() < end and text not in shown:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode(errors="replace"))
    return shown


read_until(">", 30)
os.write(terminal, line.encode() + b"\t")
print(read_until(wanted, 20))
os.write(terminal, b"\x15exit\n")
os.close(terminal)
