#!/usr/bin/env python3
"""Draws the growth of a scene with its number of strands, from runs of it.

    for n in 250 500 1000; do capstan run SCENE -o runs/grow_$n --set groom.0.count=$n; done
    scripts/plot_growth.py docs/images/growth.svg 250=runs/grow_250 500=runs/grow_500 ...

Time is that of the phases in stats.csv, wall clock, means over the steps. Needs the standard library alone.
"""
import csv
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 420, 70, 50, 40, 150
CURVES = [("contacts", "#2ca02c", lambda r: float(r["contacts"])),
          ("sweeps", "#9467bd", lambda r: float(r["sweeps"])),
          ("detection, ms", "#1f77b4", lambda r: 1e3 * float(r["seconds_detect"])),
          ("assembly, ms", "#ff7f0e", lambda r: 1e3 * float(r["seconds_assemble"])),
          ("solve, ms", "#d62728", lambda r: 1e3 * float(r["seconds_solve"])),
          ("advance, ms", "#17becf", lambda r: 1e3 * float(r["seconds_advance"]))]


def mean(rows, value):
    return sum(map(value, rows)) / len(rows)


def draw(runs):
    points = {name: [(n, mean(rows, value)) for n, rows in runs] for name, _, value in CURVES}
    values = [y for curve in points.values() for _, y in curve if y > 0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    first, last = math.log10(runs[0][0]), math.log10(runs[-1][0])

    def x_of(n):
        return LEFT + (math.log10(n) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y_of(y):
        return HEIGHT - BOTTOM - (math.log10(y) - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="22" font-size="14">A step, by the number of strands</text>']
    for n, _ in runs:
        parts.append(f'<path d="M{x_of(n):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                     f'<text x="{x_of(n):.1f}" y="{HEIGHT - BOTTOM + 16}" font-size="11" text-anchor="middle">{n:,}</text>')
    for power in range(low, high + 1):
        y = y_of(10.0 ** power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" font-size="11" text-anchor="end">{10.0 ** power:,g}</text>')
    for k, (name, colour, _) in enumerate(CURVES):
        line = " ".join(f"{x_of(n):.1f},{y_of(y):.1f}" for n, y in points[name] if y > 0)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x_of(n):.1f}" cy="{y_of(y):.1f}" r="3" fill="{colour}"/>' for n, y in points[name]
                  if y > 0]
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 16 + 18 * k}" font-size="12" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" font-size="12" text-anchor="middle">strands'
                 "</text></svg>")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    given = [word.split("=", 1) for word in sys.argv[2:]]
    runs = [(int(n), list(csv.DictReader(open(pathlib.Path(folder) / "stats.csv")))) for n, folder in given]
    pathlib.Path(sys.argv[1]).write_text(draw(runs))
