"""What is in a simulation: strands, rigid bodies, soft bodies and obstacles, as numpy arrays."""

from __future__ import annotations

import difflib
import math
from typing import Any, Iterator, Optional, Sequence, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import Floats, Ints, array_of, check_finite, check_shape, float_of, int_of, vector_of
from ._core import InputError

Which = Union[int, str]
Driven = tuple[str, int, int]

_FOREVER = float(np.finfo(np.float64).max)


def _find(names: Sequence[str], which: Which, kind: str) -> int:
    """The number of something by its name or number; negative ones count from the end."""
    if isinstance(which, str):
        if which in names:
            return names.index(which)
        close = difflib.get_close_matches(which, names, 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise InputError(f"{kind}: there is no '{which}'{hint}")
    index = int_of(kind, which)
    if not -len(names) <= index < len(names):
        raise IndexError(f"{kind}: there is no number {index}; there are {len(names)}")
    return index % len(names)


def _three(name: str, value: ArrayLike) -> Floats:
    array = vector_of(name, value, 3)
    check_finite(name, array)
    return array


def _unit_quaternion(value: ArrayLike) -> Floats:
    array = vector_of("quaternion", value, 4, "w, x, y, z")
    check_finite("quaternion", array)
    length = float(np.linalg.norm(array))
    if not 0.99 < length < 1.01:
        raise InputError(f"quaternion: has length {length:.3g}, expected 1")
    return array


def _drive(
    core: _core.Run,
    what: Driven,
    position: Optional[ArrayLike],
    quaternion: Optional[ArrayLike],
    velocity: Optional[ArrayLike],
    angular_velocity: Optional[ArrayLike],
    until: Optional[float],
) -> None:
    to_a_place = position is not None or quaternion is not None
    at_a_velocity = velocity is not None or angular_velocity is not None
    if to_a_place and at_a_velocity:
        raise InputError("velocity: is given beside a place to go to, expected one of them")
    if not to_a_place and not at_a_velocity:
        if until is not None:
            raise InputError("until: is given without a place to go to or a velocity")
        core.let_go(what)
        return
    end = None if until is None else float_of("until", until)
    if end is not None and not (math.isfinite(end) and end > core.t):
        raise InputError(f"until: is {end} s, expected a time after now, {core.t} s")
    if at_a_velocity:
        zero = np.zeros(3)
        v = zero if velocity is None else _three("velocity", velocity)
        w = zero if angular_velocity is None else _three("angular_velocity", angular_velocity)
        core.drive_at(what, v, w, _FOREVER if end is None else end)
        return
    x, q = core.pose(what)
    x = x if position is None else _three("position", position)
    q = q if quaternion is None else _unit_quaternion(quaternion)
    core.drive_to(what, x, q, core.t + core.dt if end is None else end)


class _Forces:
    """An array of the user's that is handed over before every step, from the first time he asks for it."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._array: Optional[Floats] = None

    def array(self) -> Floats:
        if self._array is None:
            self._array = np.zeros((self._rows, 3))
        return self._array

    def set(self, name: str, value: ArrayLike) -> None:
        given = array_of(name, value)
        if given.shape not in ((), (3,)):
            check_shape(name, given.shape, (self._rows, 3))
        self.array()[...] = given

    def in_use(self) -> bool:
        return self._array is not None

    def checked(self, name: str) -> Floats:
        array = self.array()
        check_finite(name, array)
        return array


class Strands:
    """All strands of a simulation: points along them, one strand after the other.

    The points are those that touch things and are recorded. They are computed when they are asked for: a
    copy, since most models have other unknowns.
    """

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self._names: list[str] = core.strand_names()
        self._starts = core.strand_starts()
        self._forces = _Forces(int(self._starts[-1]))

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<capstan.Strands: {len(self)} with {int(self._starts[-1])} points>"

    @property
    def names(self) -> list[str]:
        return list(self._names)

    @property
    def starts(self) -> Ints:
        """Where the points of each strand begin, then their number: strand k is starts[k]:starts[k + 1]."""
        return self._starts

    @property
    def radii(self) -> Floats:
        """Of each strand, m."""
        return self._core.strand_radii()

    @property
    def positions(self) -> Floats:
        """(points, 3), m."""
        return self._core.strand_positions()

    @property
    def velocities(self) -> Floats:
        """(points, 3), m/s."""
        return self._core.strand_velocities()

    def points(self, which: Which) -> slice:
        """Those of one strand: sim.strands.positions[sim.strands.points(0)]."""
        k = _find(self._names, which, "strand")
        return slice(int(self._starts[k]), int(self._starts[k + 1]))

    @property
    def forces(self) -> Floats:
        """(points, 3), N: what you write here acts in every step until you change it, beside the scene's."""
        return self._forces.array()

    @forces.setter
    def forces(self, value: ArrayLike) -> None:
        self._forces.set("strands.forces", value)

    def drive_root(
        self,
        which: Which,
        position: Optional[ArrayLike] = None,
        quaternion: Optional[ArrayLike] = None,
        *,
        velocity: Optional[ArrayLike] = None,
        angular_velocity: Optional[ArrayLike] = None,
        until: Optional[float] = None,
    ) -> None:
        """Takes over what holds the root of a strand, as Obstacles.drive does; it must not be free."""
        what = ("root", _find(self._names, which, "strand"), 0)
        _drive(self._core, what, position, quaternion, velocity, angular_velocity, until)

    def drive_tip(
        self,
        which: Which,
        position: Optional[ArrayLike] = None,
        quaternion: Optional[ArrayLike] = None,
        *,
        velocity: Optional[ArrayLike] = None,
        angular_velocity: Optional[ArrayLike] = None,
        until: Optional[float] = None,
    ) -> None:
        """The same for the tip."""
        what = ("tip", _find(self._names, which, "strand"), 0)
        _drive(self._core, what, position, quaternion, velocity, angular_velocity, until)

    def root_pose(self, which: Which) -> tuple[Floats, Floats]:
        """Position and quaternion (w, x, y, z) of what holds the root; x of its frame is the tangent."""
        return self._core.pose(("root", _find(self._names, which, "strand"), 0))

    def tip_pose(self, which: Which) -> tuple[Floats, Floats]:
        return self._core.pose(("tip", _find(self._names, which, "strand"), 0))

    def _apply(self) -> None:
        if self._forces.in_use():
            self._core.set_strand_forces(self._forces.checked("strands.forces"))


class RigidBodies:
    """All rigid bodies of a simulation that move freely. Arrays have one row a body and are copies."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self._names: list[str] = core.rigid_names()
        self._forces = _Forces(len(self._names))
        self._torques = _Forces(len(self._names))

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<capstan.RigidBodies: {len(self)}>"

    @property
    def names(self) -> list[str]:
        return list(self._names)

    def index(self, name: str) -> int:
        """The row of a body."""
        return _find(self._names, name, "rigid")

    @property
    def masses(self) -> Floats:
        """kg."""
        return self._core.rigid_masses()

    @property
    def positions(self) -> Floats:
        """Of the frames of the bodies, m: as scenes place them and recordings keep them."""
        return self._core.rigid_positions()

    @property
    def centres(self) -> Floats:
        """Of mass, m."""
        return self._core.rigid_centres()

    @property
    def quaternions(self) -> Floats:
        """Orientations of the frames: w, x, y, z."""
        return self._core.rigid_quaternions()

    @property
    def velocities(self) -> Floats:
        """Of the centres of mass, m/s."""
        return self._core.rigid_velocities()

    @property
    def angular_velocities(self) -> Floats:
        """rad/s, world axes."""
        return self._core.rigid_angular_velocities()

    @property
    def forces(self) -> Floats:
        """(bodies, 3), N, at the centres of mass: what you write here acts until you change it."""
        return self._forces.array()

    @forces.setter
    def forces(self, value: ArrayLike) -> None:
        self._forces.set("rigid.forces", value)

    @property
    def torques(self) -> Floats:
        """(bodies, 3), N m, world axes; likewise."""
        return self._torques.array()

    @torques.setter
    def torques(self, value: ArrayLike) -> None:
        self._torques.set("rigid.torques", value)

    def push(self, which: Which, force: ArrayLike, at: ArrayLike) -> None:
        """Adds a force (N) at a place of the world (m) to `forces` and `torques`."""
        k = _find(self._names, which, "rigid")
        f = _three("force", force)
        self.forces[k] += f
        self.torques[k] += np.cross(_three("at", at) - self.centres[k], f)

    def _apply(self) -> None:
        if self._forces.in_use() or self._torques.in_use():
            self._core.set_rigid_forces(
                self._forces.checked("rigid.forces"), self._torques.checked("rigid.torques")
            )


class SoftBody:
    """Cloth or a soft solid. positions and velocities show the memory of the simulation itself: they are not
    copied, change with every step, and cannot be written to."""

    def __init__(self, core: _core.Run, index: int, name: str) -> None:
        self._core, self._index = core, index
        self.name = name
        self.kind = "solid" if core.soft_closed(index) else "cloth"
        self._forces = _Forces(len(self.positions))

    def __repr__(self) -> str:
        return f"<capstan.SoftBody '{self.name}': {self.kind} of {len(self.positions)} nodes>"

    @property
    def positions(self) -> Floats:
        """(nodes, 3), m, not copied."""
        return self._core.soft_positions(self._index)

    @property
    def velocities(self) -> Floats:
        """(nodes, 3), m/s, not copied."""
        return self._core.soft_velocities(self._index)

    @property
    def masses(self) -> Floats:
        """Of the nodes, kg."""
        return self._core.soft_masses(self._index)

    @property
    def strain(self) -> Floats:
        """Of the nodes, as pictures colour it."""
        return self._core.soft_strain(self._index)

    @property
    def triangles(self) -> NDArray[np.int32]:
        """(triangles, 3), nodes of the surface."""
        return self._core.soft_triangles(self._index)

    @property
    def holds(self) -> list[Ints]:
        """The nodes of each hold of the scene."""
        return self._core.soft_holds(self._index)

    @property
    def forces(self) -> Floats:
        """(nodes, 3), N: what you write here acts in every step until you change it."""
        return self._forces.array()

    @forces.setter
    def forces(self, value: ArrayLike) -> None:
        self._forces.set(f"{self.name}.forces", value)

    def drive(
        self,
        hold: int,
        position: Optional[ArrayLike] = None,
        quaternion: Optional[ArrayLike] = None,
        *,
        velocity: Optional[ArrayLike] = None,
        angular_velocity: Optional[ArrayLike] = None,
        until: Optional[float] = None,
    ) -> None:
        """Takes over one of the holds, whose place is the middle of its box; as Obstacles.drive does."""
        what = ("soft", self._index, int_of("hold", hold))
        _drive(self._core, what, position, quaternion, velocity, angular_velocity, until)

    def hold_pose(self, hold: int) -> tuple[Floats, Floats]:
        """Position and quaternion (w, x, y, z) of a hold."""
        return self._core.pose(("soft", self._index, int_of("hold", hold)))

    def _apply(self) -> None:
        if self._forces.in_use():
            self._core.set_soft_forces(self._index, self._forces.checked(f"{self.name}.forces"))


class SoftBodies(Sequence[SoftBody]):
    """All cloth, then all soft solids of a simulation, by number or name."""

    def __init__(self, core: _core.Run) -> None:
        self._names: list[str] = core.soft_names()
        self._all = [SoftBody(core, k, name) for k, name in enumerate(self._names)]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[SoftBody]:
        return iter(self._all)

    @overload
    def __getitem__(self, which: Which) -> SoftBody: ...
    @overload
    def __getitem__(self, which: slice) -> list[SoftBody]: ...
    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return self._all[which]
        return self._all[_find(self._names, which, "soft")]

    def __repr__(self) -> str:
        return f"<capstan.SoftBodies: {self._names}>"

    def _apply(self) -> None:
        for body in self._all:
            body._apply()


class Obstacles:
    """All bodies of a simulation that move as told."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self._names: list[str] = core.obstacle_names()

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<capstan.Obstacles: {self._names}>"

    @property
    def names(self) -> list[str]:
        return list(self._names)

    def pose(self, which: Which) -> tuple[Floats, Floats]:
        """Position (m) and quaternion (w, x, y, z) now."""
        return self._core.pose(("obstacle", _find(self._names, which, "obstacle"), 0))

    def drive(
        self,
        which: Which,
        position: Optional[ArrayLike] = None,
        quaternion: Optional[ArrayLike] = None,
        *,
        velocity: Optional[ArrayLike] = None,
        angular_velocity: Optional[ArrayLike] = None,
        until: Optional[float] = None,
    ) -> None:
        """Takes an obstacle over from its script, with all that follows it.

        Either to a place, given by position (m) or quaternion (w, x, y, z) or both: straight there and
        evenly turning, to arrive at the time `until`, or if that is left out after sim.dt; then it rests. A
        step that turns out shorter does the same part of the way.

        Or at a velocity (m/s) and angular velocity (rad/s), until then or until you say something else.

        With neither: back to its script, at once.
        """
        what = ("obstacle", _find(self._names, which, "obstacle"), 0)
        _drive(self._core, what, position, quaternion, velocity, angular_velocity, until)
