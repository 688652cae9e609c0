"""Scenes, simulated step by step."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import Floats, check_finite, int_of, vector_of
from ._bodies import Obstacles, RigidBodies, SoftBodies, Strands
from ._core import InputError
from ._picture import Pixels, picture_options
from ._problem import Problem
from ._scene import to_toml, toml_value
from ._solution import Certificate

PathLike = Union[str, "os.PathLike[str]"]

_STATES = np.array(["open", "stick", "slide"])
_KINDS = np.array(["strand", "rigid", "soft", "obstacle"])


class Energy(NamedTuple):
    """J."""

    kinetic: float
    elastic: float
    gravity: float


@dataclass(frozen=True)
class StepReport:
    """What one step did and what it cost."""

    t: float
    """s, at its end."""
    dt: float
    """s."""
    contacts: int
    sweeps: int
    nu: float
    """Contact equations over degrees of freedom."""
    error: float
    """Of the certificate."""
    status: str
    attempts: int
    """More than one: dt was reduced."""
    at_floor: bool
    """dt could not be reduced as much as it should."""
    penetration: float
    """m, the deepest overlap at the start of the step."""
    obstacle_penetration: float
    """m, the deepest overlap with an obstacle."""
    penetration_ratio: float
    """Largest overlap relative to the thickness of the thinner movable body of that contact."""
    crossings: int
    """Places where things passed through each other and could not be kept from it."""
    held: int
    """Bodies that were stopped because nothing else kept them from passing through something."""
    seconds_detect: float
    seconds_assemble: float
    seconds_solve: float
    seconds_advance: float

    @property
    def converged(self) -> bool:
        return self.status == "converged"


@dataclass(frozen=True, repr=False, eq=False)
class Contacts:
    """Contacts of a step, one row each: copies. A is the first of what there is: strand, soft, rigid body."""

    points_a: Floats
    """(n, 3), m: on the centreline of a strand, the mesh of a soft body, or the surface."""
    points_b: Floats
    normals: Floats
    """(n, 3), unit, from B to A."""
    tangents: Floats
    """(n, 3), unit: the axis that the first of the two coefficients of friction belongs to."""
    gaps: Floats
    """(n,), m, at the start of the step; < 0: overlap."""
    impulses: Floats
    """(n, 3), N s, world axes, on A; divided by the dt of the report they are forces."""
    friction: Floats
    """(n, 2), coefficients along the tangent and across."""
    beta: Floats
    """(n,), intensity of the bond, 0 (none) to 1."""
    bodies: NDArray[np.int32]
    """(n, 2), numbers of A and B among their kind."""
    kind_codes: NDArray[np.uint8]
    state_codes: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.gaps)

    def __repr__(self) -> str:
        count = [int((self.state_codes == k).sum()) for k in range(3)]
        return f"<capstan.Contacts: {count[0]} open, {count[1]} stick, {count[2]} slide>"

    @property
    def points(self) -> Floats:
        """(n, 3), m: in the middle of both."""
        return 0.5 * (self.points_a + self.points_b)

    @property
    def states(self) -> NDArray[np.str_]:
        """(n,): 'open', 'stick' or 'slide'."""
        return _STATES[self.state_codes]

    @property
    def kinds(self) -> NDArray[np.str_]:
        """(n, 2): 'strand', 'rigid', 'soft' or 'obstacle'."""
        return _KINDS[self.kind_codes]

    def between(self, kind: str, number: int) -> NDArray[np.bool_]:
        """Which of the contacts have this body on either side."""
        found: NDArray[np.bool_] = ((self.kinds == kind) & (self.bodies == number)).any(axis=1)
        return found


class _Progress:
    """One line on stderr, where that is a terminal or a notebook."""

    def __init__(self, wanted: bool, frames: int) -> None:
        self._wanted, self._frames, self._last = wanted, frames, 0.0

    def show(self, frame: int, report: StepReport) -> None:
        now = time.monotonic()
        if not self._wanted or now - self._last < 0.1:
            return
        self._last = now
        text = f"frame {frame}/{self._frames}  t {report.t:.3f} s  {report.contacts} contacts"
        text += f"  error {report.error:.0e}"
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        if self._wanted and self._last:
            print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)


class Simulation:
    """A scene that is simulated step by step: strands, rigid and soft bodies with exact friction.

    scene is the path of a scene file (docs/scene.md), or a dictionary of the same tables and keys; then
    `folder` is what paths in it are relative to, the present folder unless given, and lines and columns of
    errors are those of to_toml(scene). overrides changes values first, as `--set` of the command line does:
    {"groom.0.count": 250}. threads: 0 is what the scene says, or one a core. keep_problem keeps the contact
    problem of every step for `problem`.

    >>> import capstan
    >>> scene = {
    ...     "simulation": {"duration": 1, "dt": 0.01, "tolerance": 1e-8, "gravity": [4.905, 0, -8.4957]},
    ...     "obstacle": [{"name": "slope", "shape": "plane"}],
    ...     "rigid": [{"name": "box", "shape": "box", "size": [0.1, 0.1, 0.1], "position": [0, 0, 0.05]}],
    ...     "friction": [{"between": ["box", "slope"], "mu": 0.3}],
    ... }
    >>> sim = capstan.Simulation(scene)
    >>> reports = sim.run(10)
    >>> print(round(sim.t, 9), sim.rigid.velocities[0, 0].round(4))  # (sin 30 - 0.3 cos 30) g t
    0.4 0.9425
    >>> sim.contacts
    <capstan.Contacts: 0 open, 0 stick, 4 slide>
    >>> sim.set_friction("box", "slope", mu=0.7)
    >>> while sim.rigid.velocities[0, 0] > 1e-6:
    ...     report = sim.step()
    >>> sim.contacts
    <capstan.Contacts: 0 open, 4 stick, 0 slide>

    Steps and results are those of `capstan run`, to the last bit, for any number of threads. Other threads of
    Python run during a step; whoever touches this simulation meanwhile gets a RuntimeError.
    """

    def __init__(
        self,
        scene: Union[PathLike, Mapping[str, Any]],
        *,
        folder: Optional[PathLike] = None,
        overrides: Optional[Mapping[str, Any]] = None,
        threads: int = 0,
        keep_problem: bool = False,
    ) -> None:
        if isinstance(scene, Mapping):
            text, name, base = to_toml(scene), "scene.toml", Path(folder or ".")
        else:
            if folder is not None:
                raise InputError("folder: is given beside a file, whose own folder it is")
            path = Path(scene)
            text, name, base = path.read_bytes().decode("utf-8"), path.name, path.parent
        changes = [(key, toml_value(value, key)) for key, value in (overrides or {}).items()]
        threads = int_of("threads", threads)
        if threads < 0:
            raise InputError(f"threads: is {threads}, expected 0 or more")
        where = base.absolute()
        try:
            self._core = _core.Run.start(text, name, str(where), changes, threads)
        except InputError as error:
            if not isinstance(scene, Mapping):
                raise
            message = str(error).replace(str(where / name), "scene")  # there is no such file
            raise InputError(message) from None
        self._core.keep_problem(keep_problem)
        self.scene_text = text
        """The scene as TOML."""
        self.strands = Strands(self._core)
        self.rigid = RigidBodies(self._core)
        self.soft = SoftBodies(self._core)
        self.obstacles = Obstacles(self._core)
        self._report: Optional[StepReport] = None

    def __repr__(self) -> str:
        there = [
            (len(self.strands), "strand", "strands"),
            (len(self.rigid), "rigid body", "rigid bodies"),
            (len(self.soft), "soft body", "soft bodies"),
            (len(self.obstacles), "obstacle", "obstacles"),
        ]
        counts = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in there if count)
        title = f" '{self._core.title}'" if self._core.title else ""
        return f"<capstan.Simulation{title}: {counts}; t = {self.t:.6g} s after {self.steps} steps>"

    @property
    def t(self) -> float:
        """s."""
        return self._core.t

    @property
    def dt(self) -> float:
        """How long the next step may be, s; shorter before a frame, and where it turns out to be hard."""
        return self._core.dt

    @property
    def steps(self) -> int:
        """Made so far."""
        return self._core.steps

    @property
    def frames(self) -> int:
        """Reached so far; the first one is the start."""
        return self._core.frames_done

    @property
    def duration(self) -> float:
        """Of the scene, s. A simulation can go on after it."""
        return self._core.duration

    @property
    def fps(self) -> float:
        """Frames a second of the scene."""
        return self._core.fps

    @property
    def gravity(self) -> Floats:
        """m/s^2; can be set."""
        return self._core.gravity()

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        array = vector_of("gravity", value, 3)
        check_finite("gravity", array)
        self._core.set_gravity(array)

    @property
    def energy(self) -> Energy:
        """Of all that moves."""
        return Energy(*self._core.energy())

    @property
    def warnings(self) -> list[str]:
        """What overlaps."""
        return self._core.warnings()

    @property
    def report(self) -> Optional[StepReport]:
        """Of the last step; None before the first, and after restore()."""
        return self._report

    @property
    def certificate(self) -> Optional[Certificate]:
        """Of the last step; None likewise."""
        return None if self._report is None else Certificate(**self._core.certificate())

    @property
    def contacts(self) -> Contacts:
        """Of the last step; none before the first, and after restore()."""
        return Contacts(**self._core.contacts())

    @property
    def problem(self) -> Problem:
        """The contact problem of the last step, to be solved again; keep_problem must be set."""
        core = self._core.problem()
        if core is None:
            raise InputError("problem: there is none; expected Simulation(..., keep_problem=True) and a step")
        return Problem._of(core)

    def step(self) -> StepReport:
        """One step, not beyond the next frame."""
        self.strands._apply()
        self.rigid._apply()
        self.soft._apply()
        self._report = StepReport(**self._core.step())
        return self._report

    def run(
        self,
        frames: Optional[int] = None,
        *,
        before_step: Optional[Callable[[Simulation], Any]] = None,
        output: Optional[PathLike] = None,
        overwrite: bool = False,
        progress: bool = False,
    ) -> list[StepReport]:
        """As many frames more, or all that the scene still has; returns the reports of all steps.

        before_step is called with this simulation before every step: to drive things, to push, to look.
        output is a folder to record into, as `capstan run -o` does and byte for byte what that would write;
        the simulation must be at its start, see record().
        """
        left = max(0, self._core.frames_wanted - self.frames)
        last = self.frames + (left if frames is None else int_of("frames", frames))
        reports = []
        shown = _Progress(progress, last)
        with contextlib.ExitStack() as stack:
            stack.callback(shown.done)
            if output is not None:
                stack.enter_context(self.record(output, overwrite=overwrite))
            while self.frames < last:
                if before_step is not None:
                    before_step(self)
                reports.append(self.step())
                shown.show(self.frames, reports[-1])
        return reports

    @contextlib.contextmanager
    def record(self, folder: PathLike, *, overwrite: bool = False) -> Iterator[None]:
        """Records all frames that are reached within the block, into the folder of a run.

        The simulation must be at its start: a recording has all of a run. What Python changes (forces,
        friction, what is driven) shows in the frames, but `capstan run --resume` would not know it.
        """
        if (Path(folder) / "manifest.json").exists() and not overwrite:
            raise InputError(f"output: {os.fspath(folder)} holds a run already; overwrite=True replaces it")
        self._core.record(os.fspath(folder), overwrite)
        try:
            yield
            self._core.finish()
        finally:
            self._core.stop_recording()

    def checkpoint(self) -> bytes:
        """All that the next step depends on, but for forces, friction and gravity that you have set.

        >>> import capstan
        >>> ball = {"shape": "sphere", "radius": 0.1, "position": [0, 0, 1]}
        >>> sim = capstan.Simulation({"rigid": [ball], "obstacle": [{"shape": "plane"}]})
        >>> before = sim.checkpoint()
        >>> reports = sim.run(5)
        >>> fallen = sim.rigid.positions
        >>> sim.restore(before)
        >>> sim.t, sim.run(5)[-1].t == reports[-1].t, bool((sim.rigid.positions == fallen).all())
        (0.0, True, True)
        """
        return self._core.checkpoint()

    def save(self, path: PathLike) -> None:
        """checkpoint(), as a file."""
        Path(path).write_bytes(self.checkpoint())

    def restore(self, source: Union[bytes, PathLike]) -> None:
        """Back to a checkpoint of this scene: bytes, a file, or the folder of a run, whose last one it is."""
        if isinstance(source, bytes):
            self._core.restore(source, "checkpoint")
        else:
            path = Path(source)
            if path.is_dir():
                kept = sorted((path / "checkpoints").glob("step_*.h5"))
                if not kept:
                    raise InputError(f"{path}: has no checkpoints")
                path = kept[-1]
            self._core.restore(path.read_bytes(), str(path))
        self._report = None

    def set_friction(self, a: str, b: str, **keys: Any) -> None:
        """Friction of a pair from the next step on: names as in `between` of [[friction]], and its other
        keys (docs/scene.md): mu=0.2, or model="matchstick", mu=0.4, along=0.1, across=0.4.
        """
        self._core.change_friction(to_toml({"friction": [{"between": [a, b], **keys}]}))

    def picture(self, **options: Any) -> Pixels:
        """What it looks like now: (height, width, 3), uint8, to be shown by matplotlib's imshow or saved by
        capstan.write_png.

        Options are those of `capstan frame`: width, height, samples, azimuth and elevation (degrees; azimuth
        0 looks along +y), zoom, orthographic, color ("own" or "strain"), strain_high, wireframe.

        >>> import capstan
        >>> sim = capstan.Simulation({"rigid": [{"shape": "sphere", "radius": 0.1}]})
        >>> sim.picture(width=80, height=60, samples=1).shape
        (60, 80, 3)
        """
        return self._core.picture(picture_options(options))
