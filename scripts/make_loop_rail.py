#!/usr/bin/env python3
"""Writes the rail of scenes/rigid/double_loop.toml: one turn of radius 1 that ends beside where it began.

    scripts/make_loop_rail.py scenes/rigid/loop_rail.obj

The middle of its upper side is (sin a, 0.6 s, 1 - cos a), a from 0 to 2 pi, s a step that begins and ends level.
Corners every 0.0063 rad: a ball that slides through without friction loses 1.5 % of its energy a turn. Needs the standard library alone.
"""
import math
import sys

SECTIONS = 1000
SIDEWAYS = 0.6
WIDTH, HEIGHT = 0.04, 0.06


def section(a):
    part = a / (2 * math.pi)
    y = SIDEWAYS * part * part * (3 - 2 * part)
    for radius, side in ((1, -1), (1 + HEIGHT, -1), (1 + HEIGHT, 1), (1, 1)):
        yield radius * math.sin(a), y + side * WIDTH / 2, 1 - radius * math.cos(a)


def main(path):
    with open(path, "w") as file:
        file.write("# one turn of a rail; scripts/make_loop_rail.py\n")
        for k in range(SECTIONS + 1):
            for x, y, z in section(2 * math.pi * k / SECTIONS):
                file.write(f"v {x:.6f} {y:.6f} {z:.6f}\n")
            if k == 0:
                file.write("f -1 -2 -3 -4\n")
                continue
            for i in range(4):  # corners count back from the latest: -4..-1 of this section, -8..-5 of the last
                j = (i + 1) % 4
                file.write(f"f {i - 8} {j - 8} {j - 4} {i - 4}\n")
        file.write("f -4 -3 -2 -1\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
