"""What an engine did in a step, in the words of capstan.certify.

The problem is the one Coulomb and Signorini state at the engine's own contacts: M v = f + H^T r, u = H v + w,
where f has the velocities before the step and the forces during it, and w_N = gap/dt lets open contacts
close. Where bodies overlap, w_N = 0: they must not go deeper. This is how bench/bullet_world.cpp builds it,
but for Bullet's own goal of a normal velocity, which Python cannot see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

import numpy as np
import scipy.sparse


@dataclass
class Contacts:
    """n contacts; bodies are numbers of moving ones, -1: does not move."""

    a: np.ndarray  # (n,)
    b: np.ndarray  # (n,)
    point: np.ndarray  # (n, 3), m
    normal: np.ndarray  # (n, 3), from b to a
    impulse: np.ndarray  # (n, 3) on a, N s
    mu: np.ndarray  # (n,)
    gap: np.ndarray  # (n,), m
    point_b: Optional[np.ndarray] = None  # where b is touched, if not at the same point

    def __len__(self) -> int:
        return len(self.a)


@dataclass
class Bodies:
    """The moving bodies before a step."""

    mass: np.ndarray  # (n,)
    inertia: np.ndarray  # (n, 3, 3), world axes
    centre: np.ndarray  # (n, 3)
    velocity: np.ndarray  # (n, 3)
    spin: np.ndarray  # (n, 3), world axes


def world_inertia(matrix: np.ndarray, principal: np.ndarray) -> np.ndarray:
    """R diag(I) R^T of each body."""
    return np.einsum("nij,nj,nkj->nik", matrix, principal, matrix)


def frames_along(normal: np.ndarray) -> np.ndarray:
    """(n, 3, 3), rows: normal and two tangents."""
    n = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    axis = np.eye(3)[np.abs(n).argmin(axis=1)]
    first = np.cross(n, axis)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return np.stack([n, first, np.cross(n, first)], axis=1)


def point_rows(frame: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """(n, 3, 6): the velocity of a point of a body, seen in the frame, from (v, omega)."""
    return np.concatenate([frame, np.cross(arm[:, None, :], frame)], axis=2)


def jacobian(bodies: Bodies, contacts: Contacts, frame: np.ndarray) -> scipy.sparse.csr_array:
    rows, columns, values = [], [], []
    point_b = contacts.point if contacts.point_b is None else contacts.point_b
    for body, point, sign in ((contacts.a, contacts.point, 1.0), (contacts.b, point_b, -1.0)):
        k = np.flatnonzero(body >= 0)
        block = sign * point_rows(frame[k], point[k] - bodies.centre[body[k]])
        rows.append(np.broadcast_to((3 * k[:, None] + np.arange(3))[:, :, None], block.shape).ravel())
        columns.append(
            np.broadcast_to((6 * body[k][:, None] + np.arange(6))[:, None, :], block.shape).ravel()
        )
        values.append(block.ravel())
    shape = (3 * len(contacts), 6 * len(bodies.mass))
    return scipy.sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape
    )


def mass_blocks(bodies: Bodies) -> np.ndarray:
    M = np.zeros((len(bodies.mass), 6, 6))
    M[:, [0, 1, 2], [0, 1, 2]] = bodies.mass[:, None]
    M[:, 3:, 3:] = 0.5 * (bodies.inertia + bodies.inertia.transpose(0, 2, 1))
    return M


def momenta(bodies: Bodies, gravity: np.ndarray, dt: float) -> np.ndarray:
    """M v before the step and what gravity and gyration add; (n, 6)."""
    spin = np.einsum("nij,nj->ni", bodies.inertia, bodies.spin)
    linear = bodies.mass[:, None] * (bodies.velocity + dt * np.asarray(gravity))
    return np.concatenate([linear, spin - dt * np.cross(bodies.spin, spin)], axis=1)


def problem_of(
    bodies: Bodies, contacts: Contacts, gravity: Any, dt: float
) -> Tuple[Dict[str, Any], np.ndarray]:
    """Arguments of capstan.Problem, and the impulses in its frames."""
    frame = frames_along(contacts.normal)
    w = np.zeros((len(contacts), 3))
    w[:, 0] = np.maximum(contacts.gap, 0) / dt
    arguments = dict(
        M=list(mass_blocks(bodies)),
        f=momenta(bodies, gravity, dt).ravel(),
        H=jacobian(bodies, contacts, frame),
        w=w.ravel(),
        mu=np.asarray(contacts.mu, float),
    )
    return arguments, np.einsum("nij,nj->ni", frame, contacts.impulse).ravel()


def velocity_after(arguments: Dict[str, Any], r: np.ndarray) -> np.ndarray:
    """M^-1 (f + H^T r), (n, 6): what these impulses lead to."""
    f = arguments["f"] + arguments["H"].T @ r
    return np.linalg.solve(np.array(arguments["M"]), f.reshape(-1, 6, 1))[:, :, 0]


def certificate_of(arguments: Dict[str, Any], r: np.ndarray) -> Dict[str, float]:
    import capstan

    certificate = capstan.Problem(**arguments).certify(r)
    return {
        name: float(getattr(certificate, name))
        for name in (
            "error",
            "natural_map_error",
            "penetration_velocity",
            "cone_violation",
            "dissipation_defect",
        )
    }


def judge(bodies: Bodies, contacts: Contacts, gravity: Any, dt: float, after: np.ndarray) -> Dict[str, Any]:
    """The certificate of a step.

    mismatch: between the velocities these impulses lead to and the engine's own (n, 6), m/s or rad/s; it says
    whether what was read from the engine is what the engine did.
    """
    if len(contacts) == 0:
        return {"contacts": 0}
    arguments, r = problem_of(bodies, contacts, gravity, dt)
    mismatch = float(np.abs(velocity_after(arguments, r) - after).max())
    return {"contacts": len(contacts), "mismatch": mismatch, **certificate_of(arguments, r)}
