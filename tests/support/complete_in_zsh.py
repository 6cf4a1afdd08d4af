#!/usr/bin/env python3
"""What zsh offers: complete_in_zsh.py DIRECTORY LINE types the line on a terminal of its own, presses Tab, and
prints the line that is there then. DIRECTORY holds the completion, _hindcast, and takes files of zsh."""
import os
import pty
import re
import select
import sys
import time

directory, line = sys.argv[1:]
with open(os.path.join(directory, ".zshrc"), "w") as rc:
    rc.write("PROMPT='>'\nfpath=(%s $fpath)\nautoload -Uz compinit\ncompinit -u -D\n"
             "unsetopt zle_bracketed_paste beep 2>/dev/null\n" % directory)
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(ZDOTDIR=directory, TERM="dumb", LC_ALL="C.UTF-8")
    os.execvp("zsh", ["zsh", "-i"])


def read_until(text, seconds):
    """What the terminal shows, up to a text or the time."""
    seen, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and (not text or text not in seen):
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if ready:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        elif not text and seen:
            break
    return seen


read_until(b">", 30)
os.write(terminal, line.encode() + b"\t")
time.sleep(0.5)
shown = read_until(b"", 20)
os.write(terminal, b"\x15exit\n")
read_until(b"", 1)
os.close(terminal)
print(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace")))
