"""A scene by `capstan run`, on one thread: written as TOML, read back from the folder of the run."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np

from .scenes import ROOT, Body, Rope, Scene


def program() -> str:
    """CAPSTAN, or what ./run or ./test has built."""
    candidates = [
        os.environ.get("CAPSTAN", ""),
        *(str(ROOT / f"build/{kind}/bin/capstan") for kind in ("release", "test")),
    ]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    raise RuntimeError("capstan: there is no program; ./run builds it, or CAPSTAN names one")


def toml_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(toml_of(float(each)) for each in value) + "]"
    return repr(value)


def table(head: str, values: Dict[str, Any]) -> str:
    return head + "\n" + "".join(f"{key} = {toml_of(value)}\n" for key, value in values.items()) + "\n"


def simulation_of(
    duration: float, dt: float, gravity: Any, fps: float, tolerance: float, adaptive: bool
) -> str:
    return table(
        "[simulation]",
        dict(
            duration=float(duration),
            dt=dt,
            gravity=gravity,
            fps=float(fps),
            tolerance=tolerance,
            adaptive=adaptive,
            threads=1,
        ),
    )


def solid_of(body: Body) -> str:
    values: Dict[str, Any] = dict(
        name=body.name,
        shape=body.shape,
        position=body.position,
        rotation=body.rotation,
        friction=float(body.mu),
    )
    if body.shape == "box":
        values["size"] = body.size
    elif body.shape != "plane":
        values["radius"] = body.size[0]
        if len(body.size) > 1:
            values["length"] = body.size[1]
    if body.moves:
        values["density"] = float(body.density)
    return table("[[rigid]]" if body.moves else "[[obstacle]]", values)


def scene_text(
    scene: Scene, dt: float, duration: float, fps: float, tolerance: float, adaptive: bool = False
) -> str:
    return simulation_of(duration, dt, scene.gravity, fps, tolerance, adaptive) + "".join(
        map(solid_of, scene.bodies)
    )


def rope_text(rope: Rope, dt: float, fps: float, tolerance: float) -> str:
    """A strand that is limp and hardly stretches, as long and heavy as the chain of the others."""
    joints = rope.joints
    length = float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())
    pieces = len(joints) - 1
    wrap = rope.bollard + rope.radius * 1.01
    tail = (length - rope.angle * wrap) / 2
    return (
        simulation_of(rope.duration, dt, (0, 0, 0), fps, tolerance, False)
        + table(
            "[[material]]",
            dict(
                name="limp",
                preset="rope",
                radius=rope.radius,
                bending=1e-5,
                twisting=1e-5,
                linear_density=rope.link_mass * pieces / length,
                stretching=2e4,
                internal_damping=0.001,
                friction=rope.mu,
            ),
        )
        + table(
            "[[obstacle]]",
            dict(
                name="bollard", shape="capsule", radius=rope.bollard, length=0.6, rotation=(np.pi / 2, 0, 0)
            ),
        )
        + table(
            "[[strand]]",
            dict(
                name="line",
                model="discrete_elastic",
                material="limp",
                shape="wrap",
                start=(0, 0, 0),
                normal=(0, 1, 0),
                direction=(0, 0, 1),
                radius=wrap,
                angle=rope.angle,
                tails=(tail, tail),
                rest="straight",
            ),
        ).replace("rest =", f"elements = {pieces}\nrest =")
        + table("[[strand.load]]", dict(at=0, force=(0, 0, -rope.light)))
        + table("[[strand.load]]", dict(at=1, force=(0, 0, -rope.heavy)))
    )


def run(text: str, folder: Path, *options: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    scene = folder.with_suffix(".toml")
    scene.write_text(text)
    subprocess.run(
        [program(), "run", str(scene), "-o", str(folder), "--threads", "1", "--json", *options],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def statistics(folder: Path) -> Dict[str, np.ndarray]:
    with open(folder / "stats.csv") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "status"}


def step_seconds(stats: Dict[str, np.ndarray]) -> np.ndarray:
    """Without recording. Wall clock: on a busy machine more than processor time."""
    return sum(stats[f"seconds_{phase}"] for phase in ("detect", "assemble", "solve", "advance"))


def body_tracks(folder: Path) -> Tuple[List[str], np.ndarray, np.ndarray]:
    """Names, times, and x, y, z and rotation vectors of rigid bodies and obstacles: (frames, bodies, 6)."""
    subprocess.run(
        [program(), "plot", str(folder)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with open(folder / "plots/bodies.csv") as file:
        rows = list(csv.DictReader(file))
    times = sorted({float(row["t"]) for row in rows})
    count = len(rows) // len(times)
    names = [row["name"] for row in rows[:count]]
    values = np.array([[float(row[key]) for key in ("x", "y", "z", "rx", "ry", "rz")] for row in rows])
    return names, np.array(times), values.reshape(len(times), count, 6)


def last_certificate(folder: Path) -> Dict[str, float]:
    """Of the last problem that was dumped, by the same function as for the others."""
    import capstan

    path = max((folder / "problems").glob("step_*.hdf5"))
    problem = capstan.load(path)
    certificate = problem.certify(problem.stored_solution.r)
    return {
        "contacts": problem.contacts,
        "mismatch": 0.0,
        **{
            name: float(getattr(certificate, name))
            for name in (
                "error",
                "natural_map_error",
                "penetration_velocity",
                "cone_violation",
                "dissipation_defect",
            )
        },
    }
