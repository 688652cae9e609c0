"""Who is compared and with which settings. What is not named here is the engine's default.

default: as it comes, at the scene's dt. best: what its documentation recommends against slip, as far as it
helped here.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple


class Setting(NamedTuple):
    """words: for the page. divide: dt is the scene's over this. options: of the engine's world.

    steps: of the drum. once: too slow to be timed more than once.
    """

    words: str
    divide: int = 1
    options: Dict[str, Any] = {}
    steps: int = 30
    once: bool = False


ENGINES: Dict[str, Tuple[str, str]] = {  # name in tables, package that must be there
    "capstan": ("Capstan", "capstan"),
    "mujoco": ("MuJoCo", "mujoco"),
    "drake": ("Drake", "pydrake"),
    "bullet": ("Bullet", "pybullet"),
    "pinocchio": ("Pinocchio ADMM", "pinocchio"),
    "capstan_solver": ("capstan.solve", "capstan"),
}

MUJOCO_BEST = dict(cone="elliptic", impratio=1e4, tolerance=1e-12)
BULLET_BEST = dict(iterations=500, residual=0.0, cone=True)
BOXES: Dict[Tuple[str, str], Setting] = {
    ("capstan", "default"): Setting("tolerance 1e-4", 1, dict(tolerance=1e-4)),
    ("capstan", "best"): Setting("tolerance 1e-8", 1, dict(tolerance=1e-8)),
    ("mujoco", "default"): Setting("pyramid, Newton"),
    ("mujoco", "best"): Setting(
        "elliptic cone, impratio 1e4, tolerance 1e-12, solref 2 dt, dt/4", 4, dict(MUJOCO_BEST, solref=0.002)
    ),
    ("drake", "default"): Setting("hydroelastic, lagged"),
    ("drake", "best"): Setting(
        "points in corners, lagged, stiction 1e-6 m/s, dt/4", 4, dict(contact="corners", stiction=1e-6)
    ),
    ("bullet", "default"): Setting("50 iterations, pyramid"),
    ("bullet", "best"): Setting("500 iterations, no early end, cone, dt/4", 4, BULLET_BEST),
    ("pinocchio", "default"): Setting("tolerance 1e-6"),
    ("pinocchio", "best"): Setting(
        "tolerance 1e-10, 10,000 iterations, Anderson 5",
        1,
        dict(tolerance=1e-10, iterations=10000, anderson=5),
    ),
    ("capstan_solver", "default"): Setting("tolerance 1e-6"),
    ("capstan_solver", "best"): Setting("tolerance 1e-10", 1, dict(tolerance=1e-10)),
}

ROPES: Dict[Tuple[str, str], Setting] = {
    ("capstan", "default"): Setting("a strand, tolerance 1e-4", 1, dict(tolerance=1e-4)),
    ("capstan", "best"): Setting("the same, tolerance 1e-8, dt/2", 2, dict(tolerance=1e-8)),
    ("mujoco", "default"): Setting("pyramid, Newton"),
    ("mujoco", "best"): Setting(
        "elliptic cone, impratio 1e4, tolerance 1e-12, solref 2 dt, dt/2", 2, dict(MUJOCO_BEST, solref=0.004)
    ),
    ("drake", "default"): Setting("points of 1e5 N/m, lagged"),
    ("drake", "best"): Setting("points of 1e5 N/m, SAP, dt/2", 2, dict(approximation="sap")),
    ("bullet", "default"): Setting("50 iterations, pyramid"),
    ("bullet", "best"): Setting(
        "200 iterations, no early end, cone, dt/2", 2, dict(BULLET_BEST, iterations=200)
    ),
}

DRUMS: Dict[Tuple[str, str], Setting] = {
    ("capstan", "default"): Setting("tolerance 1e-4", 1, dict(tolerance=1e-4)),
    ("capstan", "best"): Setting("tolerance 1e-5; 8 steps", 1, dict(tolerance=1e-5), 8, True),
    ("mujoco", "default"): Setting("pyramid, Newton; 5 steps", steps=5, once=True),
    ("mujoco", "best"): Setting(
        "elliptic cone, impratio 10, CG, 300 iterations, solref 2 dt",
        1,
        dict(cone="elliptic", impratio=10, solver="cg", iterations=300, solref=0.008),
    ),
    ("drake", "default"): Setting("one point a pair, lagged; 5 steps", 1, dict(contact="points"), 5, True),
    ("bullet", "default"): Setting("50 iterations, pyramid"),
    ("bullet", "best"): Setting("500 iterations, no early end, cone", 1, BULLET_BEST),
    ("pinocchio", "default"): Setting(
        "a step's problem from zero, 1,000 iterations, Lanczos 10", 1, dict(lanczos=10), once=True
    ),
    ("pinocchio", "best"): Setting(
        "the same, 10,000 iterations, Anderson 5",
        1,
        dict(lanczos=10, iterations=10000, anderson=5),
        once=True,
    ),
    ("capstan_solver", "default"): Setting(
        "the same problem from zero, tolerance 1e-4", 1, dict(tolerance=1e-4)
    ),
    ("capstan_solver", "best"): Setting("the same, tolerance 1e-5", 1, dict(tolerance=1e-5), once=True),
}

TABLES = {"slope": BOXES, "stack": BOXES, "grasp": BOXES, "capstan": ROPES, "drum": DRUMS}


def missing(engine: str) -> Optional[str]:
    """Why an engine is left out, or nothing."""
    import importlib.util

    package = ENGINES[engine][1]
    return None if importlib.util.find_spec(package) else f"{package} is not installed"


def world_class(engine: str) -> Callable[..., Any]:
    if engine == "mujoco":
        from .mujoco_world import MujocoWorld as world
    elif engine == "drake":
        from .drake_world import DrakeWorld as world
    else:
        from .bullet_world import BulletWorld as world
    return world


def rope_class(engine: str) -> Callable[..., Any]:
    if engine == "mujoco":
        from .mujoco_world import MujocoRope as rope
    elif engine == "drake":
        from .drake_world import DrakeRope as rope
    else:
        from .bullet_world import BulletRope as rope
    return rope
