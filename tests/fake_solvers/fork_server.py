#!/usr/bin/env python3
"""A solver that is a fork server, as afl-clang-fast makes one, without being compiled.

    fork_server.py HANDSHAKE
    fork_server.py exec PROGRAM ARGUMENTS...     children become this program; handshake "old"

    old         one word, 0
    old-flags   one word, which says that the map has 70,000 bytes
    new         version 1, a map of 70,000 bytes
    new-words   the same, with a dictionary of 10,000 bytes on the way
    old-error   error 4 in the older form
    new-error   error 4 at once
    late-error  error 4 instead of options
    half        goes away in the middle of the handshake
    silent      never shakes hands, and never ends
    none        knows nothing of fork servers
    barren      shakes hands, and goes away when it is asked for a child

Children read a command from each line of their input:

    (check-sat)         prints sat
    (echo "TEXT")       prints TEXT
    (print TEXT)        prints TEXT without ending the line
    (complain TEXT)     prints TEXT on standard error
    (children)          says how many children the server had before this one
    (file)              prints the file that is descriptor 3
    (quit CODE)         exits with this code, and leaves the rest of the input unread
    (crash)             dies of SIGABRT
    (hang)              ignores all signals that can be ignored, and does not end
    (eat)               takes more and more memory
    (work)              uses 300 ms of processor time
    (litter)            starts a process that lives on and writes to the same output
    (orphan)            kills the server
    (get-model)         prints an empty model
    (exit)              exits with code 0
"""

import os
import signal
import struct
import sys
import time

COMMANDS, STATUS = 198, 199
SIZE = 70_000
HELLO = 0x41464C01


def say(word):
    os.write(STATUS, struct.pack("=I", word))


def shake_hands(kind):
    if kind == "old":
        say(0)
    elif kind == "old-flags":
        say(0x80000001 | 0x40000000 | (SIZE - 1) << 1)
    elif kind == "old-error":
        say(0xF800008F | 4 << 8)
    elif kind == "new-error":
        say(0xEFFE0000 | 4)
    else:
        say(HELLO)
        if kind == "half":
            sys.exit(0)
        (reply,) = struct.unpack("=I", os.read(COMMANDS, 4))
        if reply != HELLO ^ 0xFFFFFFFF:
            sys.exit("a wrong answer to the handshake")
        if kind == "late-error":
            say(0xEFFE0000 | 4)
            return
        say(0x1 | (0x800 if kind == "new-words" else 0))
        say(SIZE)
        if kind == "new-words":
            say(10_000)
            os.write(STATUS, b"w" * 10_000)
        say(HELLO)


def print_raw(text, to=1):
    os.write(to, text.encode())


def work():
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass


def hang():
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        time.sleep(1000)


def litter():
    if os.fork() == 0:
        print_raw("litter\n")
        while True:
            time.sleep(0.01)
            print_raw("x")


def eat():
    held = []
    while True:
        held.append(b"x" * (8 << 20))
        time.sleep(0.001)


def obey(line, children):
    word, _, rest = line.strip().strip("()").partition(" ")
    if word == "check-sat":
        print_raw("sat\n")
    elif word == "get-model":
        print_raw("()\n")
    elif word == "echo":
        print_raw(rest.strip('"') + "\n")
    elif word == "print":
        print_raw(rest)
    elif word == "complain":
        print_raw(rest + "\n", 2)
    elif word == "children":
        print_raw(f"{children}\n")
    elif word == "file":
        with open("/proc/self/fd/3", encoding="utf-8") as file:
            print_raw(file.read())
    elif word == "quit":
        os._exit(int(rest))
    elif word == "crash":
        os.abort()
    elif word == "orphan":
        os.kill(os.getppid(), signal.SIGKILL)
        hang()
    elif word == "exit":
        os._exit(0)
    elif word in ("hang", "eat", "work", "litter"):
        globals()[word]()


def answer(children):
    """Reads byte by byte, so that what it does not read stays in the pipe."""
    line = b""
    while byte := os.read(0, 1):
        line += byte
        if byte == b"\n":
            obey(line.decode(), children)
            line = b""


def serve(kind, program):
    children = 0
    while len(os.read(COMMANDS, 4)) == 4:
        if kind == "barren":
            return
        child = os.fork()
        if child == 0:
            os.close(COMMANDS)
            os.close(STATUS)
            if program:
                os.execv(program[0], program)
            answer(children)
            os._exit(0)
        children += 1
        say(child)
        _, status = os.waitpid(child, 0)
        say(status)


def has_server_files():
    try:
        os.fstat(COMMANDS)
        os.fstat(STATUS)
    except OSError:
        return False
    return True


def main():
    if "--version" in sys.argv:
        print("Z3 version 0.0.3 - fake")
        return
    is_wrapper = sys.argv[1:2] == ["exec"]
    program = sys.argv[2:] if is_wrapper else []
    kind = "old" if is_wrapper else sys.argv[-1]
    if kind == "silent":
        while True:
            time.sleep(1000)
    if kind == "none" or not has_server_files():
        answer(0)
        return
    print_raw("the server itself\n")
    shake_hands(kind)
    serve(kind, program)


if __name__ == "__main__":
    main()
