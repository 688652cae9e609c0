#!/usr/bin/env python3
"""Draws the plots of docs/validation.md and docs/benchmarks/matchstick.md from what the tests measured.

    mkdir data && CAPSTAN_VALIDATION=data build/release/bin/test_step
    scripts/plot_validation.py data docs/images

Needs the standard library alone.
"""
import csv
import pathlib
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 30, 170
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"]

# Clamped-pinned elastica, boundary value problem: eps, Q/P.
ELASTICA = [(0.01, .0449), (0.02, .0639), (0.05, .1035), (0.1, .1528), (0.15, .1959), (0.2, .2378), (0.25, .2807),
            (0.3, .3265), (0.3303, .3564)]


class Plot:
    """Axes from x to y, curves and marks in order, and a legend."""

    def __init__(self, title, x_label, y_label, x, y):
        self.x, self.y = x, y
        self.parts, self.names = [], []
        self.text(WIDTH / 2 - 50, 18, title, "middle", 14)
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label, "middle")
        self.parts.append(f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
                          f'text-anchor="middle" font-size="11">{y_label}</text>')
        for i in range(6):
            at_x, at_y = x[0] + i * (x[1] - x[0]) / 5, y[0] + i * (y[1] - y[0]) / 5
            px, py = self.place(at_x, at_y)
            self.parts.append(f'<path d="M{px:.1f} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {py:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
            self.text(px, HEIGHT - BOTTOM + 16, f"{at_x:.4g}", "middle")
            self.text(LEFT - 6, py + 4, f"{at_y:.4g}", "end")

    def place(self, x, y):
        return (LEFT + (x - self.x[0]) / (self.x[1] - self.x[0]) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (y - self.y[0]) / (self.y[1] - self.y[0]) * (HEIGHT - TOP - BOTTOM))

    def text(self, x, y, words, anchor, size=11):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{words}</text>')

    def name(self, words, colour):
        row = TOP + 14 + 18 * len(self.names)
        self.names.append(words)
        self.parts.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{row - 9}" width="10" height="10" fill="{colour}"/>')
        self.text(WIDTH - RIGHT + 30, row, words, "start")

    def curve(self, points, colour, words, width=1.5, dash=""):
        d = "M" + "L".join("%.1f %.1f" % self.place(*p) for p in points)
        self.parts.append(f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"/>')
        self.name(words, colour)

    def marks(self, points, colour, words, shape):
        for point in points:
            x, y = self.place(*point)
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 + 1.5 * shape}" fill="none" stroke="{colour}"/>')
        self.name(words, colour)

    def write(self, path):
        body = "\n".join(self.parts)
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">\n'
                        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n')


def rows_by_name(path):
    found = {}
    for name, *values in csv.reader(path.open()):
        found.setdefault(name, []).append([float(v) for v in values])
    return found


def plot_orbit(data, images):
    orbits = rows_by_name(data / "orbit.csv")
    every = [p for orbit in orbits.values() for p in orbit]
    x = (min(p[1] for p in every), max(p[1] for p in every))
    y = (min(p[0] for p in every), max(p[0] for p in every))
    plot = Plot("Free end on the turning ball, from above: third turn", "across the strand, m", "along the strand, m", x, y)
    wanted = ["gs:enum", "auto", "newton_fb", "gs:duriez06", "gs:4sides"]
    for i, name in enumerate(wanted):
        exact = name in wanted[:3]
        dash = ["", "8 5", "2 6", "", ""][i]
        plot.curve([(p[1], p[0]) for p in orbits[name]], COLOURS[i], name + ("" if exact else " (not exact)"),
                   [4, 3, 2, 1.5, 1.5][i], dash)
    plot.write(images / "validation_orbit.svg")


def plot_floor(data, images):
    plot = Plot("Rod pushed onto a rough floor", "eps: clamp lowered, over L", "Q/P: friction that sticking needs", (0, 0.35), (0, 0.4))
    plot.curve(ELASTICA, "black", "elastica")
    for i, (name, rows) in enumerate(rows_by_name(data / "floor.csv").items()):
        plot.marks([(r[0], r[2]) for r in rows], COLOURS[i], name, i)
    for i, (name, rows) in enumerate(rows_by_name(data / "slip.csv").items()):
        plot.marks([(r[1], r[0]) for r in rows], COLOURS[i], name + ": slips", i + 0.5)
    plot.write(images / "validation_stick_slip.svg")


def plot_ball(data, images):
    plot = Plot("Tip on a ball that turns to and fro", "way of the ball, over mu Gamma L/8", "way of the tip, over the same", (0, 2.5), (0, 1.25))
    plot.curve([(0, 0), (1, 1), (2.5, 1)], "black", "theory")
    for i, (name, rows) in enumerate(rows_by_name(data / "ball.csv").items()):
        plot.marks([(r[0], r[1]) for r in rows], COLOURS[i], name, i)
    plot.write(images / "validation_ball.svg")


def plot_arch(data, images):
    plot = Plot("Keystone of the strong arch", "time, s", "dropped, m", (0, 2), (0, 0.5))
    for i, (name, rows) in enumerate(rows_by_name(data / "arch_budget.csv").items()):
        inside = [(t, drop) for t, drop in rows if drop <= 0.5]
        beyond = [(t, drop) for t, drop in rows if drop > 0.5][:1]
        if beyond and inside:  # cut where the curve leaves the picture
            (t0, y0), (t1, y1) = inside[-1], beyond[0]
            inside.append((t0 + (0.5 - y0) / (y1 - y0) * (t1 - t0), 0.5))
        plot.curve([(0, 0)] + inside, COLOURS[i], name, 2)
    plot.write(images / "arch_budget.svg")


def main():
    data, images = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    plot_orbit(data, images)
    plot_floor(data, images)
    plot_ball(data, images)
    plot_arch(data, images)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
