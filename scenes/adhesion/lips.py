#!/usr/bin/env python3
"""Makes the mesh of the lips.

    scenes/adhesion/lips.py        writes lip.obj beside itself

The upper one, in millimetres: 60 mm along x, round across, thinner towards its ends, which lie 8 mm further back (+y) than
its middle. Its lowest line is in the plane z = 0. The lower lip is the same, turned by half a turn about y.
"""
import math
import pathlib

HALF_LENGTH, HALF_DEPTH, HALF_HEIGHT, RECEDES = 30, 8, 6, 8  # mm
RINGS, SIDES = 20, 14


def ring(k):
    """Where a section lies, and its size relative to the one in the middle: closer where the end is round."""
    u = -math.cos(math.pi * k / RINGS)
    return HALF_LENGTH * u, RECEDES * u * u, (1 - u * u) ** 0.5


def vertices():
    yield ring(0)[0], ring(0)[1], 0
    for k in range(1, RINGS):
        x, y, size = ring(k)
        for j in range(SIDES):
            angle = 2 * math.pi * j / SIDES
            yield x, y + HALF_DEPTH * size * math.cos(angle), HALF_HEIGHT * size * (1 + math.sin(angle))
    yield ring(RINGS)[0], ring(RINGS)[1], 0


def faces():
    at = lambda k, j: 2 + (k - 1) * SIDES + j % SIDES
    last = 2 + (RINGS - 1) * SIDES
    for j in range(SIDES):
        yield 1, at(1, j + 1), at(1, j)
        for k in range(1, RINGS - 1):
            yield at(k, j), at(k, j + 1), at(k + 1, j + 1)
            yield at(k, j), at(k + 1, j + 1), at(k + 1, j)
        yield last, at(RINGS - 1, j), at(RINGS - 1, j + 1)


with open(pathlib.Path(__file__).resolve().parent / "lip.obj", "w", encoding="ascii") as out:
    for vertex in vertices():
        out.write("v %.3f %.3f %.3f\n" % vertex)
    for face in faces():
        out.write("f %d %d %d\n" % face)
