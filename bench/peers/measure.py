"""One engine on one scene: what it does to the bodies, what a step costs, what its impulses are worth."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, Callable, Dict, Tuple

import numpy as np
from scipy.spatial.transform import Rotation

from . import capstan_run
from .judge import Bodies, certificate_of, judge, world_inertia
from .pinocchio_loop import BoxLoop, CapstanSolver, PinocchioSolver
from .scenes import ROOT, SCENES, Rope, Scene, drum
from .settings import TABLES, Setting, rope_class, world_class
from .strand_frames import strand_points

RUNS = ROOT / "build/peers_runs"
SAMPLES = 100  # of a run, for curves and speeds
LOST = 0.03  # m that the cube of the grasp may slip: half its side
WARM_UP = 0.2  # part of the steps that is not timed

Result = Dict[str, Any]


def bodies_before(world: Any, scene: Scene) -> Bodies:
    x, R = world.poses()
    v = world.velocities()
    moving = scene.moving
    inertia = world_inertia(R, np.array([body.inertia for body in moving]))
    return Bodies(np.array([body.mass for body in moving]), inertia, x, v[:, :3], v[:, 3:])


def judged_step(world: Any, scene: Scene) -> Result:
    before = bodies_before(world, scene)
    contacts = world.recorded_step()
    if contacts is None:
        return {"not_judged": "forces of single contacts are not told"}
    return judge(before, contacts, scene.gravity, world.dt, world.velocities())


def march(world: Any, steps: int, seconds_of: Callable[[float], float]) -> Tuple[np.ndarray, np.ndarray]:
    """Places at SAMPLES times, (samples, bodies, 3), and seconds of each step after the warm-up."""
    places, seconds = [world.poses()[0]], []
    every = max(1, steps // SAMPLES)
    for k in range(steps):
        start = time.process_time()
        world.step()
        seconds.append(seconds_of(time.process_time() - start))
        if (k + 1) % every == 0:
            places.append(world.poses()[0])
    return np.array(places), np.array(seconds[int(WARM_UP * steps) :])


def physics(scene: Scene, t: np.ndarray, places: np.ndarray) -> Result:
    """What should be zero: creep, slip, m/s, over the second half; drift, sinking, m, at the end."""
    half = len(t) // 2
    moved = places - places[0]
    speed = (places[-1] - places[half]) / (t[-1] - t[half])
    if scene.name == "slope":
        return {"speed": float(speed[0, 0]), "track": moved[:, 0, 0].tolist()}
    if scene.name == "grasp":
        lost = not moved[-1, 0, 2] > -LOST
        return {"speed": math.inf if lost else float(-speed[0, 2]), "track": (-moved[:, 0, 2]).tolist()}
    aside = np.linalg.norm(moved[:, :, :2], axis=2).max(axis=1)
    return {"drift": float(aside[-1]), "sink": float(-moved[-1, -1, 2]), "track": aside.tolist()}


def measure_boxes(scene: Scene, engine: str, setting: Setting, seconds: float) -> Result:
    dt = scene.dt / setting.divide
    steps = int(round(seconds / dt))
    if engine in ("pinocchio", "capstan_solver"):
        make = PinocchioSolver if engine == "pinocchio" else CapstanSolver
        loop = BoxLoop(scene, dt, make(**setting.options))
        places, times = march(loop, steps, lambda _: loop.solve_seconds)
        judged = {"contacts": len(loop.arguments["mu"]), **certificate_of(loop.arguments, loop.impulses)}
    else:
        world = world_class(engine)(scene, dt, **setting.options)
        places, times = march(world, steps, lambda spent: spent)
        judged = judged_step(world, scene) if np.isfinite(places).all() else {"not_judged": "it has blown up"}
    t = np.linspace(0, seconds, len(places))
    return {
        "dt": dt,
        "step": float(np.median(times)),
        "t": t.tolist(),
        **physics(scene, t, places),
        "certificate": judged,
    }


def measure_by_program(scene: Scene, setting: Setting, seconds: float) -> Result:
    dt = scene.dt / setting.divide
    steps = int(round(seconds / dt))
    folder = RUNS / f"{scene.name}_{setting.options['tolerance']:g}"
    capstan_run.run(
        capstan_run.scene_text(scene, dt, seconds, SAMPLES / seconds, **setting.options),
        folder,
        "--dump-problems",
        f"every={steps}",
    )
    stats = capstan_run.statistics(folder)
    names, t, tracks = capstan_run.body_tracks(folder)
    moving = [names.index(body.name) for body in scene.moving]
    return {
        "dt": dt,
        "step": median_step(stats),
        "t": t.tolist(),
        **physics(scene, t, tracks[:, moving, :3]),
        "certificate": capstan_run.last_certificate(folder),
    }


def median_step(stats: Dict[str, np.ndarray]) -> float:
    times = capstan_run.step_seconds(stats)
    return float(np.median(times[int(WARM_UP * len(times)) :]))


# The capstan: a rope that should run as soon as the ratio of its pulls is above exp(mu phi).

RUNS_AWAY = 0.05  # m/s at the end; 0.3 % above the limit it has that speed
CREEP_AT = 0.9  # of the limit
OFF = -0.03  # m: the light end has come up to the bollard
BRACKET = 0.8, 1.2
HALVINGS = 7


FRAMES = 50  # of a run
FRAME_STEP = 7.63e-6  # Capstan's frames keep places to this, m


def rope_track(rope: Rope, engine: str, setting: Setting) -> Tuple[np.ndarray, float]:
    """Heights of the light end at FRAMES + 1 times, fewer if it has run off; median seconds of a step."""
    dt = rope.dt / setting.divide
    if engine == "capstan":
        folder = RUNS / "rope"
        capstan_run.run(capstan_run.rope_text(rope, dt, FRAMES / rope.duration, **setting.options), folder)
        return strand_points(folder)[1][:, 0, 2], median_step(capstan_run.statistics(folder))
    chain = rope_class(engine)(rope, dt, **setting.options)
    steps = int(round(rope.duration / dt))
    heights, seconds = [chain.ends()[0]], []
    for k in range(steps):
        start = time.process_time()
        chain.step()
        seconds.append(time.process_time() - start)
        if (k + 1) % (steps // FRAMES) == 0:
            heights.append(chain.ends()[0])
            if heights[-1] > OFF:
                break
    return np.array(heights), float(np.median(seconds[int(WARM_UP * steps) :] or seconds))


def runs_away(heights: np.ndarray, duration: float) -> bool:
    if len(heights) <= FRAMES or heights.max() > OFF:
        return True
    return abs(heights[-1] - heights[-6]) / (5 * duration / FRAMES) > RUNS_AWAY


def measure_rope(engine: str, setting: Setting, full: bool) -> Result:
    rope = Rope()
    pulled = lambda part: replace(rope, heavy=part * rope.limit * rope.light)  # noqa: E731
    heights, step = rope_track(pulled(CREEP_AT), engine, setting)
    creep = abs(heights[-1] - heights[FRAMES // 2]) / (rope.duration / 2)
    result: Result = {
        "dt": rope.dt / setting.divide,
        "step": step,
        "speed": float(creep),
        "certificate": {"not_judged": "joints are not contacts"},
    }
    if engine == "capstan":
        result["certificate"] = {"error": float(capstan_run.statistics(RUNS / "rope")["error"][-1])}
        result["resolution"] = FRAME_STEP / (rope.duration / 2)
    if full:
        low, high = BRACKET
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            runs = runs_away(rope_track(pulled(middle), engine, setting)[0], rope.duration)
            low, high = (low, middle) if runs else (middle, high)
        result["ratio"] = 0.5 * (low + high)
    return result


# The drum: all begin at rest where Capstan's run of the scene is at 1.4 s.

SETTLED_AT = 1.4


def settled_poses() -> Tuple[np.ndarray, np.ndarray]:
    """Places and rotation vectors of the 1,000 bodies; made once, some 50 s."""
    kept = RUNS / "drum_settled.npz"
    if not kept.exists():
        folder = RUNS / "settle"
        text = (ROOT / "scenes/rigid/drum_1000.toml").read_text()
        capstan_run.run(text, folder, "--set", f"simulation.duration={SETTLED_AT}")
        names, _, tracks = capstan_run.body_tracks(folder)
        still = len(drum().bodies)
        np.savez_compressed(kept, x=tracks[-1, still:, :3], turn=tracks[-1, still:, 3:])
    data = np.load(kept)
    return data["x"], data["turn"]


def overlap(x: np.ndarray, R: np.ndarray, name: str) -> float:
    """Deepest, by Capstan's geometry for all: what it finds in a step that takes no time, m."""
    scene = drum((x, Rotation.from_matrix(R).as_rotvec()))
    folder = RUNS / f"overlap_{name}"
    capstan_run.run(capstan_run.scene_text(scene, 1e-9, 1e-9, 1e9, 1.0), folder)
    return float(capstan_run.statistics(folder)["penetration"][0])


def late_mean(seconds: Any) -> float:
    """Of the steps after the warm-up: those of a heap differ much, and a median would hide the hard ones."""
    return float(np.mean(seconds[max(1, int(WARM_UP * len(seconds))) :]))


def motion(x: np.ndarray, start: np.ndarray) -> Result:
    return {"moved": float(np.linalg.norm(x - start, axis=1).mean())}


def measure_drum(engine: str, setting: Setting, steps: int, name: str) -> Result:
    poses = settled_poses()
    scene = drum(poses)
    if engine in ("pinocchio", "capstan_solver"):
        return measure_problem(engine, setting)
    dt = scene.dt / setting.divide
    if engine == "capstan":
        folder = RUNS / f"drum_{setting.options['tolerance']:g}"
        capstan_run.run(
            capstan_run.scene_text(scene, dt, steps * dt, 1 / (steps * dt), **setting.options),
            folder,
            "--dump-problems",
            f"every={steps}",
        )
        stats = capstan_run.statistics(folder)
        names, _, tracks = capstan_run.body_tracks(folder)
        x, turn = np.split(tracks[-1, len(drum().bodies) :], 2, axis=1)
        return {
            "dt": dt,
            "step": late_mean(capstan_run.step_seconds(stats)),
            "certificate": capstan_run.last_certificate(folder),
            "overlap": overlap(x, Rotation.from_rotvec(turn).as_matrix(), name),
            **motion(x, poses[0]),
        }
    world = world_class(engine)(scene, dt, **setting.options)
    seconds = []
    for _ in range(steps - 1):
        start = time.process_time()
        world.step()
        seconds.append(time.process_time() - start)
    judged = judged_step(world, scene)
    x, R = world.poses()
    return {
        "dt": dt,
        "step": late_mean(seconds),
        "certificate": judged,
        "overlap": overlap(x, R, name),
        **motion(x, poses[0]),
    }


def measure_problem(engine: str, setting: Setting) -> Result:
    """The contact problem of the last step of Capstan's run, by a solver alone, from zero."""
    import capstan

    problem = capstan.load(max((RUNS / "drum_0.0001/problems").glob("step_*.hdf5")))
    make = PinocchioSolver if engine == "pinocchio" else CapstanSolver
    solver = make(**setting.options)
    r, seconds, iterations = solver.solve(
        problem.W.tocsr(), problem.b, problem.mu, np.zeros(3 * problem.contacts)
    )
    certificate = problem.certify(r)
    return {
        "step": seconds,
        "iterations": iterations,
        "certificate": {"contacts": problem.contacts, "error": float(certificate.error)},
    }


def measure(name: str, engine: str, kind: str, full: bool) -> Result:
    """full: everything; else what is needed for the times."""
    setting = TABLES[name][engine, kind]
    RUNS.mkdir(parents=True, exist_ok=True)
    if name == "capstan":
        return measure_rope(engine, setting, full)
    if name == "drum":
        return measure_drum(engine, setting, setting.steps, f"{engine}_{kind}")
    scene = SCENES[name]()
    seconds = scene.duration  # also if it is for the times alone: steps get cheaper as things come to rest
    if engine == "capstan":
        return measure_by_program(scene, setting, seconds)
    return measure_boxes(scene, engine, setting, seconds)
