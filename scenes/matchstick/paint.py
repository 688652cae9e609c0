#!/usr/bin/env python3
"""Paints the pictures and makes the meshes of the scenes of this folder that have some.

    scenes/matchstick/paint.py        writes *.png and *.obj beside itself

A picture holds a direction at each pixel: red = (1 + cos h)/2, green = (1 + sin h)/2, h the angle to the right
(docs/friction.md). Needs Pillow.
"""
import math
import pathlib

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent


def paint(name, size, metres, heading):
    """heading(x, y): angle in rad at x metres from the left and y from the middle, upwards; None: no structure."""
    image = Image.new("RGB", size, (128, 128, 128))
    for column in range(size[0]):
        for row in range(size[1]):
            h = heading((column + 0.5) / size[0] * metres[0], (0.5 - (row + 0.5) / size[1]) * metres[1])
            if h is not None:
                image.putpixel((column, row), (round(127.5 * (1 + math.cos(h))), round(127.5 * (1 + math.sin(h))), 0))
    image.save(HERE / name, optimize=True)


def three_boxes(x, y):
    """Lines that run together by a factor of e in 2 m, about one that ends 1 m to the side of where it began."""
    middle, slope = 0.5 * (1 - math.cos(math.pi * x / 8)), math.pi / 16 * math.sin(math.pi * x / 8)
    return math.atan(slope - (y - middle) / 2)


def road(x, _):
    """Along the road for 30 m, orange; then 135 and 45 degrees in turn, 10 m each, green and yellow."""
    return 0 if x < 30 else math.pi * (0.75 if int((x - 30) / 10) % 2 == 0 else 0.25)


RAVINE = (16, 10)  # m, along it and around its section
BUILDING = 11      # m along it, where the cube stands


def into(x, y):
    """To the middle line."""
    return -math.atan(1.5 * math.tanh(y))


def around(x, y):
    """Away from the middle line until the building is passed, then along it."""
    return math.atan(1.5 * math.tanh(y / 0.3)) if x < BUILDING and abs(y) < 2.6 else 0


class Mesh:
    """Faces with their own texture coordinates; vertices are shared."""

    def __init__(self):
        self.vertices, self.uv, self.faces = {}, {}, []

    def face(self, corners, uv=None):
        words = []
        for k, corner in enumerate(corners):
            word = str(self.vertices.setdefault(tuple(corner), len(self.vertices) + 1))
            if uv:
                word += f"/{self.uv.setdefault(tuple(uv[k]), len(self.uv) + 1)}"
            words.append(word)
        self.faces.append("f " + " ".join(words))

    def prism(self, outline, y0, y1):
        """Outline in x and z, counterclockwise seen from -y."""
        self.face([(x, y0, z) for x, z in outline])
        self.face([(x, y1, z) for x, z in reversed(outline)])
        for (x0, z0), (x1, z1) in zip(outline, outline[1:] + outline[:1]):
            self.face([(x1, y0, z1), (x0, y0, z0), (x0, y1, z0), (x1, y1, z1)])

    def write(self, name, comment):
        lines = [f"# {comment}; made by paint.py"]
        lines += ["v %.6g %.6g %.6g" % v for v in self.vertices]
        lines += ["vt %.6g %.6g" % t for t in self.uv]
        (HERE / name).write_text("\n".join(lines + self.faces) + "\n")


def truck():
    """A body, a cab and four wheels with sixteen corners that stand on one. x is ahead, z = 0 the road."""
    mesh = Mesh()
    mesh.prism([(-2.1, 0.45), (2.1, 0.45), (2.1, 1.0), (-2.1, 1.0)], -0.85, 0.85)
    mesh.prism([(-0.2, 1.01), (1.6, 1.01), (1.1, 1.6), (-0.2, 1.6)], -0.8, 0.8)
    for x in (-1.35, 1.35):
        turns = [math.pi / 8 * k for k in range(16)]
        wheel = [(x + 0.36 * math.sin(a), 0.36 - 0.36 * math.cos(a)) for a in turns]
        mesh.prism(wheel, -1.08, -0.86)
        mesh.prism(wheel, 0.86, 1.08)
    mesh.write("truck.obj", "truck with locked wheels")


def posts():
    """Beside the road where its grain changes."""
    mesh = Mesh()
    for x in (30, 40, 50):
        for y in (-6, 6):
            mesh.prism([(x - 0.15, 0), (x + 0.15, 0), (x + 0.15, 1), (x - 0.15, 1)], y - 0.15, y + 0.15)
    mesh.write("road_posts.obj", "posts at the borders of the zones of road.png")


def section():
    """Of the ravine: a floor 4 m wide between banks that rise by 35 degrees, as (y, z, length along the outline)."""
    bank = 0.5 * (RAVINE[1] - 4)
    c, s = bank * math.cos(math.radians(35)), bank * math.sin(math.radians(35))
    return [(-2 - c, s, 0), (-2, 0, bank), (2, 0, bank + 4), (2 + c, s, RAVINE[1])]


def ravine():
    """x is downhill, the floor z = 0; u of the picture runs along x, v around the section."""
    mesh, length, thick = Mesh(), RAVINE[0], 0.3
    points = section()
    for (y0, z0, l0), (y1, z1, l1) in zip(points, points[1:]):
        v0, v1 = l0 / RAVINE[1], l1 / RAVINE[1]
        uv = [(0, v0), (1, v0), (1, v1), (0, v1)]
        mesh.face([(0, y0, z0), (length, y0, z0), (length, y1, z1), (0, y1, z1)], uv)
        mesh.face([(0, y1, z1 - thick), (length, y1, z1 - thick), (length, y0, z0 - thick), (0, y0, z0 - thick)], uv[::-1])
        for x, turn in ((0, 1), (length, -1)):
            side = [(x, y0, z0), (x, y1, z1), (x, y1, z1 - thick), (x, y0, z0 - thick)]
            mesh.face(side[::turn], [(0, 0), (1, 0), (1, 1), (0, 1)])
    for (y, z, _), turn in ((points[0], 1), (points[-1], -1)):
        rim = [(0, y, z), (0, y, z - thick), (length, y, z - thick), (length, y, z)]
        mesh.face(rim[::turn], [(0, 0), (1, 0), (1, 1), (0, 1)])
    mesh.write("ravine.obj", "ravine, 16 m long")


def funnel():
    """The shell of a cone about z, open above and below: inner radius 1.28 m at the outlet, 4.5 m at the rim."""
    mesh, sides = Mesh(), 48
    rings = [[(r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]
             for r, z in ((1.28, -1.7), (4.5, 1.7), (5.0, 1.7), (1.78, -1.7))]
    for ring, after in zip(rings, rings[1:] + rings[:1]):
        for k in range(sides):
            n = (k + 1) % sides
            mesh.face([ring[k], after[k], ring[n]])
            mesh.face([ring[n], after[k], after[n]])
    mesh.write("funnel.obj", "funnel, 10 m wide")


def main():
    paint("three_boxes.png", (256, 128), (8, 4), three_boxes)
    paint("road.png", (128, 16), (128, 16), road)
    paint("ravine_into.png", (128, 80), RAVINE, into)
    paint("ravine_around.png", (128, 80), RAVINE, around)
    truck()
    posts()
    ravine()
    funnel()


if __name__ == "__main__":
    main()
