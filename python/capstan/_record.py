"""Recordings: the folders that `capstan run` and Simulation.run(output=...) leave."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator, Sequence, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import Floats, Ints
from ._core import InputError
from ._picture import Pixels, picture_options

_STATES = np.array(["open", "stick", "slide"])

_COLUMNS = [
    ("step", "i4"),
    ("t", "f8"),
    ("dt", "f8"),
    ("contacts", "i4"),
    ("nu", "f8"),
    ("sweeps", "i4"),
    ("error", "f8"),
    ("converged", "?"),
    ("seconds_detect", "f8"),
    ("seconds_assemble", "f8"),
    ("seconds_solve", "f8"),
    ("seconds_advance", "f8"),
    ("seconds_record", "f8"),
    ("energy_kinetic", "f8"),
    ("energy_elastic", "f8"),
    ("energy_gravity", "f8"),
    ("penetration", "f8"),
    ("penetration_obstacle", "f8"),
    ("penetration_ratio", "f8"),
    ("crossings", "i4"),
    ("status", "U64"),
]


@dataclass(frozen=True, repr=False, eq=False)
class RecordedContacts:
    """Contacts of a frame that carry something, one row each, as exact as recordings are (docs/runs.md)."""

    points: Floats
    """(n, 3), m."""
    forces: Floats
    """(n, 3), N, on A."""
    bodies: NDArray[np.int32]
    """(n, 2): A and B; strands >= 0, others -1 - k, counted from obstacles to rigid to soft bodies."""
    beta: Floats
    """(n,), intensity of the bond."""
    state_codes: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.beta)

    @property
    def states(self) -> NDArray[np.str_]:
        """(n,): 'open', 'stick' or 'slide'."""
        return _STATES[self.state_codes]


@dataclass(frozen=True, repr=False, eq=False)
class Frame:
    """One moment of a recording."""

    t: float
    """s."""
    strand_points: Floats
    """(points, 3), m, one strand after the other."""
    solid_positions: Floats
    """(solids, 3), m: obstacles, then rigid bodies."""
    solid_quaternions: Floats
    """(solids, 4): w, x, y, z."""
    mesh_points: Floats
    """(vertices, 3), m: surfaces of soft bodies, one after the other."""
    mesh_strain: Floats
    contacts: RecordedContacts

    def __repr__(self) -> str:
        return (
            f"<capstan.Frame: t = {self.t:.6g} s, {len(self.strand_points)} points of strands, "
            f"{len(self.solid_positions)} solids, {len(self.mesh_points)} vertices, "
            f"{len(self.contacts)} contacts>"
        )


class Record(Sequence[Frame]):
    """The frames of a run, read when they are asked for; see load_record()."""

    def __init__(self, folder: Union[str, os.PathLike[str]]) -> None:
        self.folder = Path(folder)
        if not (self.folder / "manifest.json").exists():
            raise FileNotFoundError(f"{self.folder}: holds no run")
        self._core = _core.RunReader(os.fspath(folder))
        self.times: Floats = np.array(self._core.times())
        """Of the frames, s."""
        self.strand_starts: Ints = np.cumsum([0, *self._core.points_per_strand()]).astype(np.int32)
        """Strand k has strand_points[strand_starts[k]:strand_starts[k + 1]]."""
        self.mesh_starts: Ints = np.cumsum([0, *self._core.points_per_mesh()]).astype(np.int32)
        """The same of soft bodies and mesh_points."""
        self.problems: str = self._core.dropped()
        """What is cut off or damaged, and so not among the frames."""

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """manifest.json, docs/runs.md."""
        loaded: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        return loaded

    @cached_property
    def solids(self) -> list[str]:
        """Names of obstacles, then rigid bodies."""
        return [json.loads(text).get("name", "") for text in self._core.solids()]

    @property
    def stats(self) -> NDArray[np.void]:
        """stats.csv, one row per step, by column: record.stats["error"].max().

        In runs recorded by older versions penetration_ratio is NaN and crossings is -1: not recorded.
        """
        return np.array(_core.statistics(os.fspath(self.folder)), dtype=_COLUMNS)

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"<capstan.Record '{self.folder.name}': {len(self)} frames>"

    def _number(self, index: int) -> int:
        if not -len(self) <= index < len(self):
            raise IndexError(f"frame: there is no number {index}; there are {len(self)}")
        return index % len(self)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        fields = self._core.frame(self._number(index))
        return Frame(**{**fields, "contacts": RecordedContacts(**fields["contacts"])})

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def at(self, t: float) -> Frame:
        """The frame nearest to a time."""
        if not len(self):
            raise InputError("record: has no frames")
        return self[int(np.argmin(abs(self.times - t)))]

    def picture(self, frame: int = -1, **options: Any) -> Pixels:
        """A frame as pixels; options are those of Simulation.picture."""
        return self._core.picture(self._number(frame), picture_options(options))


def load_record(folder: Union[str, os.PathLike[str]]) -> Record:
    """Opens the folder of a run, also one that is still going on.

    >>> import capstan, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> sim = capstan.Simulation({"rigid": [{"name": "ball", "shape": "sphere", "radius": 0.1}]})
    >>> reports = sim.run(5, output=folder)
    >>> record = capstan.load_record(folder)
    >>> record.times.tolist(), record.solids, len(record.stats) == len(reports)
    ([0.0, 0.04, 0.08, 0.12, 0.16, 0.2], ['ball'], True)
    >>> print(record[-1].solid_positions.round(2))  # g t^2 / 2
    [[ 0.   0.  -0.2]]
    """
    return Record(folder)
