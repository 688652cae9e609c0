"""One measurement in a process of its own: peers.worker SCENE ENGINE SETTING [--short]; prints JSON."""

from __future__ import annotations

import contextlib
import json
import os
import sys

from .measure import measure


def main() -> None:
    scene, engine, kind = sys.argv[1:4]
    # What engines print goes to standard error; the answer alone to standard output.
    answer = os.dup(1)
    os.dup2(2, 1)
    with contextlib.redirect_stdout(sys.stderr):
        result = measure(scene, engine, kind, "--short" not in sys.argv)
    os.write(answer, json.dumps(result).encode())


if __name__ == "__main__":
    main()
