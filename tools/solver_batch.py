"""Many scripts in one solver process: what it says to each of them."""

import json
import os
import re
import select
import subprocess
import tempfile

SOLVERS = {
    "z3": ["z3", "-smt2", "-in", "-t:{ms}", "-memory:2000"],
    "cvc5": ["cvc5", "--lang=smt2", "-q", "--incremental", "--strings-exp", "--fp-exp",
             "--sets-ext", "--tlimit-per={ms}"],
    "cvc4": ["cvc4", "--lang=smt2.6", "-q", "--incremental", "--strings-exp", "--fp-exp",
             "--tlimit-per={ms}"],
}
# What a profile's options do not say: the limit of a check, and that many scripts come.
BATCH_OPTIONS = {
    "z3": ["timeout={ms}"],
    "cvc5": ["--incremental", "--tlimit-per={ms}"],
    "cvc4": ["--incremental", "--tlimit-per={ms}"],
    "bitwuzla": ["--time-limit-per={ms}"],
}
BATCH = 500  # scripts of one process
HANG = 5.0  # seconds without a word; limits are not always kept
MARK = "end-of-script"


def outputs(command, scripts):
    """What the solver says to each script. One process reads many; where it ends or hangs, another
    goes on behind the script that it had come to."""
    done = []
    while len(done) < len(scripts):
        done += part_of(command, scripts[len(done):len(done) + BATCH])
    return done


def part_of(command, scripts):
    with tempfile.TemporaryFile() as source:
        for script in scripts:
            # cvc5 repeats what it has read when a text goes over several lines, marks included.
            script = re.sub(r"\(set-info [^|()]*\|[^|]*\|\s*\)", "", script)
            source.write(f'{script}\n(echo "{MARK}")\n(reset)\n'.encode())
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
    pieces = []
    while select.select([process.stdout], [], [], HANG)[0]:
        piece = os.read(process.stdout.fileno(), 1 << 16)
        if not piece:
            break
        pieces.append(piece)
    process.kill()
    process.wait()
    process.stdout.close()
    done = b"".join(pieces).decode(errors="replace").split(MARK)
    return done[:-1] if len(done) > len(scripts) else done


def add_program(elenchus, argument):
    """Takes NAME=PATH, a solver to be known by that name; its options are those of its profile."""
    name, path = argument.split("=", 1)
    listed = subprocess.run([elenchus, "solvers", path, "--json"], check=True, capture_output=True,
                            text=True).stdout
    solver = json.loads(listed)[0]
    SOLVERS[name] = [solver["program"], *solver["base_options"],
                     *BATCH_OPTIONS.get(solver["profile"], [])]
    return name


def command_of(name, milliseconds):
    """The command line of a solver that takes this long for a check at most."""
    return [word.format(ms=milliseconds) for word in SOLVERS[name]]
