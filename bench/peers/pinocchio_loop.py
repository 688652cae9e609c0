"""Pinocchio's contact solvers, and ours, in a small time-stepping loop of boxes.

Pinocchio solves contact problems; it has no simulator. So the scenes of boxes are stepped here: the contacts
are the corners that rest on a face, W and b are made with numpy, and only the solver is timed. capstan.solve
in the same loop gets the same arrays.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, List, Tuple

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.spatial.transform import Rotation

from .judge import Bodies, Contacts, problem_of, velocity_after, world_inertia
from .scenes import Body, Scene


@dataclass
class Feet:
    """Corners of one box that rest on a face of another, or of what does not move (b = -1)."""

    a: int
    corners: np.ndarray  # (n, 3), in the frame of a
    b: int
    origin: np.ndarray  # a point of the face, in the frame of b
    normal: np.ndarray  # of the face, outwards
    mu: float


def feet_of(scene: Scene) -> List[Feet]:
    moving = scene.moving
    up, right = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
    if scene.name == "grasp":
        cube, finger = moving
        left = cube.corners[:, 0] < 0
        shelf = finger.corners[:4].copy()
        shelf[:, 0] = np.maximum(shelf[:, 0], 0.032 - finger.position[0])  # where the shelf begins
        return [
            Feet(0, cube.corners[left], -1, np.array([-cube.size[0] / 2, 0, 0]), right, cube.mu),
            Feet(0, cube.corners[~left], 1, np.array([-finger.size[0] / 2, 0, 0]), -right, cube.mu),
            Feet(1, shelf, -1, np.array([0, 0, -finger.size[2] / 2]), up, 0.0),
        ]
    return [
        Feet(
            k, body.corners, k - 1, np.array([0, 0, moving[k - 1].size[2] / 2 if k > 0 else 0.0]), up, body.mu
        )
        for k, body in enumerate(moving)
    ]


def tangents_first(n: int) -> np.ndarray:
    """Order of Pinocchio's components among ours: its normal is the third."""
    return (3 * np.arange(n)[:, None] + np.array([1, 2, 0])).ravel()


class PinocchioSolver:
    """tolerance: absolute and relative, on feasibility and complementarity; anderson: steps of acceleration;
    lanczos: size of the estimate of eigenvalues, as many as there are rows if not given."""

    def __init__(
        self, tolerance: float = 1e-6, iterations: int = 1000, anderson: int = 0, lanczos: int = 0
    ) -> None:
        import pinocchio

        self._pin = pinocchio
        self._solver = pinocchio.ADMMConstraintSolver()
        self._settings = pinocchio.ADMMSolverSettings()
        self._result = pinocchio.ADMMSolverResult()
        for name in (
            "absolute_feasibility_tol",
            "relative_feasibility_tol",
            "absolute_complementarity_tol",
            "relative_complementarity_tol",
        ):
            setattr(self._settings, name, tolerance)
        self._settings.max_iterations = iterations
        self._settings.anderson_capacity = anderson
        if lanczos:
            self._settings.lanczos_size = lanczos
        self._mu: Any = None

    def _prepare(self, mu: np.ndarray) -> None:
        if self._mu is not None and np.array_equal(mu, self._mu):
            return
        pin = self._pin
        model = pin.Model()
        self._models, self._datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
        for each in mu:
            contact = pin.PointContactConstraintModel(model)
            contact.setFriction(float(each))
            general = pin.ConstraintModel(contact)
            self._models.append(general)
            self._datas.append(general.createData())
        self._mu = mu.copy()

    def solve(
        self, W: Any, b: np.ndarray, mu: np.ndarray, guess: np.ndarray
    ) -> Tuple[np.ndarray, float, int]:
        """Impulses, processor seconds, iterations. W dense or sparse, the normal first."""
        self._prepare(mu)
        order = tangents_first(len(mu))
        pin = self._pin
        turned, g = W[order][:, order], b[order]
        if scipy.sparse.issparse(W):
            turned = scipy.sparse.csc_matrix(turned)
        start = time.process_time()
        make = pin.DelassusOperatorSparse if scipy.sparse.issparse(W) else pin.DelassusOperatorDense
        self._result.setConstraintImpulseGuess(guess[order])
        self._solver.solve(make(turned), g, self._models, self._datas, self._settings, self._result)
        seconds = time.process_time() - start
        r = np.empty_like(b)
        r[order] = self._result.retrieveConstraintImpulses()
        return r, seconds, int(self._result.iterations)


class CapstanSolver:
    def __init__(self, tolerance: float = 1e-6, **options: Any) -> None:
        self._options = dict(tolerance=tolerance, threads=1, **options)

    def solve(
        self, W: Any, b: np.ndarray, mu: np.ndarray, guess: np.ndarray
    ) -> Tuple[np.ndarray, float, int]:
        import capstan

        start = time.process_time()
        answer = capstan.solve(W, b, mu=mu, guess=guess, **self._options)
        return answer.r, time.process_time() - start, answer.iterations


class BoxLoop:
    """Moreau's steps of a scene of boxes, with a solver of somebody."""

    def __init__(self, scene: Scene, dt: float, solver: Any) -> None:
        self.dt, self._scene, self._solver = dt, scene, solver
        self._bodies: List[Body] = scene.moving
        self._feet = feet_of(scene)
        self._x = np.array([body.position for body in self._bodies])
        self._turn = np.array([body.matrix for body in self._bodies])
        self._v = np.zeros((len(self._bodies), 6))
        self._r = np.zeros(3 * sum(len(feet.corners) for feet in self._feet))
        self.solve_seconds = 0.0
        self.iterations = 0

    def _state(self) -> Bodies:
        return Bodies(
            np.array([body.mass for body in self._bodies]),
            world_inertia(self._turn, np.array([body.inertia for body in self._bodies])),
            self._x,
            self._v[:, :3],
            self._v[:, 3:],
        )

    def _contacts(self) -> Contacts:
        columns: List[List[Any]] = [[] for _ in range(6)]
        for feet in self._feet:
            place = self._x[feet.a] + feet.corners @ self._turn[feet.a].T
            origin, normal = feet.origin, feet.normal
            if feet.b >= 0:
                origin = self._x[feet.b] + self._turn[feet.b] @ origin
                normal = self._turn[feet.b] @ normal
            n = len(place)
            for column, values in zip(
                columns,
                (
                    np.full(n, feet.a),
                    np.full(n, feet.b),
                    place,
                    np.tile(normal, (n, 1)),
                    np.full(n, feet.mu),
                    (place - origin) @ normal,
                ),
            ):
                column.append(values)
        a, b, point, normal, mu, gap = (np.concatenate(column) for column in columns)
        return Contacts(a, b, point, normal, np.zeros_like(point), mu, gap)

    def step(self) -> None:
        self.arguments, _ = problem_of(self._state(), self._contacts(), self._scene.gravity, self.dt)
        H, M = self.arguments["H"].toarray(), scipy.linalg.block_diag(*self.arguments["M"])
        lever = np.linalg.solve(M, H.T)
        W, b = H @ lever, lever.T @ self.arguments["f"] + self.arguments["w"]
        self._r, self.solve_seconds, self.iterations = self._solver.solve(W, b, self.arguments["mu"], self._r)
        self._v = velocity_after(self.arguments, self._r)
        self._x = self._x + self.dt * self._v[:, :3]
        self._turn = Rotation.from_rotvec(self.dt * self._v[:, 3:]).as_matrix() @ self._turn

    @property
    def impulses(self) -> np.ndarray:
        return self._r

    def poses(self) -> Tuple[np.ndarray, np.ndarray]:
        return self._x.copy(), self._turn.copy()

    def velocities(self) -> np.ndarray:
        return self._v.copy()
