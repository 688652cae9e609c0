"""The scenes, as data that every engine builds its world from. SI units, z up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Tuple

import numpy as np
from scipy.spatial.transform import Rotation

ROOT = Path(__file__).resolve().parents[2]
G = 9.81


@dataclass(frozen=True)
class Body:
    """A rigid solid about its centre of mass; density 0: it does not move.

    shape: box (size: whole sides), sphere (radius,), capsule and cylinder (radius, length of the axis, along
    z), plane (solid below z = 0 of its frame). mu is that of any pair it is in, unless the other one has 0.
    """

    name: str
    shape: str
    size: Tuple[float, ...]
    position: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: Tuple[float, float, float] = (0.0, 0.0, 0.0)  # rotation vector
    density: float = 0.0
    mu: float = 0.5
    feet: str = "bottom"  # corners of a box that rest on something: bottom or all

    @property
    def corners(self) -> np.ndarray:
        """Of a box, those of its feet, in its frame; (4, 3) or (8, 3)."""
        signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
        return 0.5 * signs[: 4 if self.feet == "bottom" else 8] * np.array(self.size)

    @property
    def moves(self) -> bool:
        return self.density > 0

    @property
    def mass(self) -> float:
        return self.density * volume(self.shape, self.size) if self.moves else 0.0

    @property
    def inertia(self) -> np.ndarray:
        """About the axes of its frame, (3,), kg m^2."""
        return self.density * inertia_of_unit_density(self.shape, self.size)

    @property
    def matrix(self) -> np.ndarray:
        return Rotation.from_rotvec(self.rotation).as_matrix()

    @property
    def quaternion(self) -> np.ndarray:
        """x, y, z, w."""
        return Rotation.from_rotvec(self.rotation).as_quat()


def volume(shape: str, size: Tuple[float, ...]) -> float:
    if shape == "plane":
        return math.inf
    if shape == "box":
        return float(np.prod(size))
    if shape == "sphere":
        return 4 / 3 * math.pi * size[0] ** 3
    cylinder = math.pi * size[0] ** 2 * size[1]
    return cylinder + (volume("sphere", size) if shape == "capsule" else 0)


def inertia_of_unit_density(shape: str, size: Tuple[float, ...]) -> np.ndarray:
    if shape == "box":
        squares = np.square(size)
        return volume(shape, size) / 12 * (squares.sum() - squares)
    r = size[0]
    ball = volume("sphere", size)
    if shape == "sphere":
        return np.full(3, 0.4 * ball * r**2)
    length = size[1]
    tube = math.pi * r**2 * length
    across, along = tube * (r**2 / 4 + length**2 / 12), tube * r**2 / 2
    if shape == "capsule":  # half balls: 2/5 m r^2 about their flat face's middle, whose centre is 3/8 r away
        across += ball * (0.4 * r**2 + length**2 / 4 + 3 / 8 * r * length)
        along += 0.4 * ball * r**2
    return np.array([across, across, along])


@dataclass(frozen=True)
class Scene:
    name: str
    bodies: Tuple[Body, ...]
    gravity: Tuple[float, float, float]
    duration: float
    dt: float = 0.004

    @property
    def moving(self) -> List[Body]:
        return [body for body in self.bodies if body.moves]


@dataclass(frozen=True)
class Rope:
    """Half a turn around a bollard along y through the origin, no gravity; both ends pulled down.

    light, heavy: the pulls, N. In engines without ropes: capsules joined by ball joints, which bend freely.
    """

    light: float = 2.0
    heavy: float = 4.0
    mu: float = 0.3
    angle: float = math.pi
    bollard: float = 0.2  # radius, m
    radius: float = 0.001
    link: float = 0.03  # length of a piece, m
    link_mass: float = 0.02
    tail: float = 0.15
    dt: float = 0.004
    duration: float = 2.0

    @property
    def limit(self) -> float:
        """Euler and Eytelwein: the ratio of the pulls that friction holds."""
        return math.exp(self.mu * self.angle)

    @property
    def link_inertia(self) -> np.ndarray:
        """That of a capsule ten times as thick: a thin one has next to no inertia about its axis."""
        size = (10 * self.radius, self.link)
        return self.link_mass / volume("capsule", size) * inertia_of_unit_density("capsule", size)

    @property
    def joints(self) -> np.ndarray:
        """Ends of the pieces, (n + 1, 3), from the light end over the top to the heavy one."""
        wrap = self.bollard + self.radius
        # Corners just outside the circle, so that the middles of the pieces touch it.
        half = math.asin(self.link / 2 / wrap)
        pieces = int(round(self.angle / (2 * half)))
        step = self.angle / pieces
        outer = wrap / math.cos(step / 2)
        corners = [
            np.array([-outer * math.cos(step * (k + 0.5)), 0, outer * math.sin(step * (k + 0.5))])
            for k in range(-1, pieces + 1)
        ]
        tail = int(round(self.tail / self.link))
        down = np.array([0, 0, -self.link])
        return np.array(
            [corners[0] + down * k for k in range(tail, 0, -1)]
            + corners
            + [corners[-1] + down * k for k in range(1, tail + 1)]
        )


def slope() -> Scene:
    """A box on a plane; gravity leans by 0.99 of the friction angle. It should stay."""
    mu = 0.5
    angle = 0.99 * math.atan(mu)
    return Scene(
        "slope",
        (
            Body("ground", "plane", (), mu=mu),
            Body("box", "box", (0.2, 0.2, 0.1), (0, 0, 0.05), density=1000, mu=mu),
        ),
        (G * math.sin(angle), 0, -G * math.cos(angle)),
        10,
    )


def stack() -> Scene:
    """Ten boxes on top of each other (scenes/rigid/stack.toml). They should stay."""
    side = 0.1
    boxes = [Body(f"box_{k}", "box", (side,) * 3, (0, 0, side * (k + 0.5)), density=1000) for k in range(10)]
    return Scene("stack", (Body("ground", "plane", ()), *boxes), (0, 0, -G), 10)


GRASP_RESERVE = 1.05  # what friction can hold over the weight


def grasp() -> Scene:
    """A cube between two fingers, 5 % above what friction needs. It should stay.

    The left finger is fixed. The right one lies on a shelf without friction and is pushed to the left by
    gravity, which has a horizontal part of g: it presses with M g, the fixed one then with (M + m) g. So
    friction holds at most mu (2 M + m) g.
    """
    mu, side = 0.4, 0.06
    finger = (0.04, 0.06, 0.08)
    cube = Body("cube", "box", (side,) * 3, density=1000, mu=mu, feet="all")
    finger_mass = 0.5 * (GRASP_RESERVE / mu - 1) * cube.mass
    away = side / 2 + finger[0] / 2
    return Scene(
        "grasp",
        (
            Body("left", "box", finger, (-away, 0, 0), mu=mu),
            Body("shelf", "box", (0.2, 0.2, 0.04), (0.032 + 0.1, 0, -finger[2] / 2 - 0.02), mu=0),
            cube,
            Body("right", "box", finger, (away, 0, 0), density=finger_mass / volume("box", finger), mu=mu),
        ),
        (-G, 0, -G),
        5,
    )


DRUM = ROOT / "scenes/rigid/drum_1000.toml"


def drum(poses: Optional[Tuple[np.ndarray, np.ndarray]] = None) -> Scene:
    """scenes/rigid/drum_1000.toml, released at rest from the given poses: (n, 3), rotation vectors (n, 3)."""
    table = read_toml(DRUM)
    bodies = [fixed_body(obstacle) for obstacle in table["obstacle"]]
    if poses is not None:
        kinds = [entry for entry in table["rigid"] for _ in range(int(np.prod(entry["repeat"])))]
        for k, (entry, x, turn) in enumerate(zip(kinds, *poses)):
            bodies.append(
                Body(
                    f"{entry['name']}_{k}",
                    entry["shape"],
                    size_of(entry),
                    tuple(map(float, x)),
                    tuple(map(float, turn)),
                    1000.0,
                    entry["friction"],
                )
            )
    return Scene("drum", tuple(bodies), (0, 0, -G), 0.12, table["simulation"]["dt"])


def size_of(entry: dict) -> Tuple[float, ...]:
    if entry["shape"] == "plane":
        return ()
    if entry["shape"] == "box":
        return tuple(entry["size"])
    return (entry["radius"],) if entry["shape"] == "sphere" else (entry["radius"], entry["length"])


def fixed_body(entry: dict, mu: float = 0.4) -> Body:
    rotation = tuple(entry.get("rotation", (0.0, 0.0, 0.0)))
    if "normal" in entry:
        turn, _ = Rotation.align_vectors([entry["normal"]], [[0, 0, 1]])
        rotation = tuple(map(float, turn.as_rotvec()))
    return Body(entry["name"], entry["shape"], size_of(entry), tuple(entry["position"]), rotation, mu=mu)


def read_toml(path: Path) -> dict:
    try:
        import tomllib
    except ImportError:
        from pip._vendor import tomli as tomllib
    return tomllib.loads(path.read_text())


SCENES = {"slope": slope, "stack": stack, "grasp": grasp}
