"""A scene in MuJoCo. Its contacts are soft by design; cone, impratio, solref and noslip say how soft."""

from __future__ import annotations

from typing import Any, Tuple

import mujoco
import numpy as np

from .judge import Contacts
from .scenes import Body, Rope, Scene

GEOMS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "plane": mujoco.mjtGeom.mjGEOM_PLANE,
}


def geom_size(body: Body) -> Tuple[float, ...]:
    if body.shape == "plane":
        return (0, 0, 1)
    if body.shape == "box":
        return tuple(s / 2 for s in body.size)
    if body.shape == "sphere":
        return (body.size[0], 0, 0)
    return (body.size[0], body.size[1] / 2, 0)


def specification(
    gravity: Any,
    dt: float,
    cone: str = "pyramidal",
    impratio: float = 1,
    noslip: int = 0,
    tolerance: float = 1e-8,
    iterations: int = 100,
    solver: str = "newton",
    solref: float = 0.02,
) -> mujoco.MjSpec:
    """The defaults are MuJoCo's. solref: time constant of a contact, s; MuJoCo keeps it above 2 dt."""
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.gravity = gravity
    spec.option.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
    spec.option.impratio = impratio
    spec.option.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
    spec.option.noslip_iterations = noslip
    spec.option.tolerance = tolerance
    spec.option.iterations = iterations
    spec.default.geom.solref = [solref, 1]
    return spec


class MujocoWorld:
    def __init__(self, scene: Scene, dt: float, **options: Any) -> None:
        self.dt = dt
        spec = specification(scene.gravity, dt, **options)
        for body in scene.bodies:
            self._add(spec, body)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self._body = np.array([self.model.body(body.name).id for body in scene.moving])
        self._number = np.full(self.model.nbody, -1)
        self._number[self._body] = np.arange(len(self._body))

    @staticmethod
    def _add(spec: mujoco.MjSpec, body: Body) -> None:
        x, y, z, w = body.quaternion
        node = spec.worldbody.add_body(name=body.name, pos=body.position, quat=[w, x, y, z])
        slick = body.mu == 0  # the larger mu holds, unless one has priority; condim 1: without friction
        node.add_geom(
            type=GEOMS[body.shape],
            size=geom_size(body),
            friction=[body.mu, 0.005, 0.0001],
            priority=int(slick),
            condim=1 if slick else 3,
        )
        if body.moves:
            node.add_freejoint()
            node.mass, node.inertia, node.explicitinertial = body.mass, body.inertia, True
            node.ipos, node.iquat = [0, 0, 0], [1, 0, 0, 0]

    def step(self) -> None:
        mujoco.mj_step(self.model, self.data)

    def poses(self) -> Tuple[np.ndarray, np.ndarray]:
        q = self.data.qpos.reshape(-1, 7)
        R = np.empty((len(q), 9))
        for row, quaternion in zip(R, q[:, 3:]):
            mujoco.mju_quat2Mat(row, quaternion)
        return q[:, :3].copy(), R.reshape(-1, 3, 3)

    def velocities(self) -> np.ndarray:
        """World axes; MuJoCo's spin is that of the body's axes."""
        v = self.data.qvel.reshape(-1, 6).copy()
        v[:, 3:] = np.einsum("nij,nj->ni", self.poses()[1], v[:, 3:])
        return v

    def recorded_step(self) -> Contacts:
        self.step()
        m, d = self.model, self.data
        contact = d.contact
        force = np.zeros((d.ncon, 6))
        for k in range(d.ncon):
            mujoco.mj_contactForce(m, d, k, force[k])
        frame = contact.frame.reshape(-1, 3, 3)
        first, second = self._number[m.geom_bodyid[contact.geom.T]]
        return Contacts(
            a=second,
            b=first,
            point=contact.pos.copy(),
            normal=frame[:, 0].copy(),
            impulse=self.dt * np.einsum("nji,nj->ni", frame, force[:, :3]),
            mu=np.where(contact.dim == 1, 0, contact.friction[:, 0]),
            gap=contact.dist.copy(),
        )


class MujocoRope:
    """Capsules, joined by ball joints; the first is free, and both ends are pulled."""

    def __init__(self, rope: Rope, dt: float, **options: Any) -> None:
        self.dt = dt
        spec = specification((0, 0, 0), dt, **options)
        spec.worldbody.add_geom(
            type=GEOMS["capsule"],
            size=[rope.bollard, 0.3, 0],
            quat=[0.5**0.5, 0.5**0.5, 0, 0],
            friction=[rope.mu, 0.005, 0.0001],
            contype=0,
            conaffinity=1,
        )
        joints = rope.joints
        node = spec.worldbody.add_body(pos=joints[0])
        node.add_freejoint()
        self._links = []
        for k, (start, end) in enumerate(zip(joints[:-1], joints[1:])):
            if k > 0:
                node = node.add_body(pos=start - joints[k - 1])
                node.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
            node.name = f"link_{k}"
            node.add_geom(
                type=GEOMS["capsule"],
                fromto=[0, 0, 0, *(end - start)],
                size=[rope.radius, 0, 0],
                friction=[rope.mu, 0.005, 0.0001],
                contype=1,
                conaffinity=0,
            )
            angle = np.arctan2(end[0] - start[0], end[2] - start[2])  # about y, in whose plane the rope lies
            node.mass, node.inertia, node.explicitinertial = rope.link_mass, rope.link_inertia, True
            node.ipos, node.iquat = (end - start) / 2, [np.cos(angle / 2), 0, np.sin(angle / 2), 0]
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self._first = self.model.body("link_0").id
        self._last = self.model.body(f"link_{len(joints) - 2}").id
        self._tip = joints[-1] - joints[-2]
        self._pulls = rope.light, rope.heavy

    def step(self) -> None:
        d = self.data
        mujoco.mj_kinematics(self.model, d)
        for body, arm, pull in (
            (self._first, np.zeros(3), self._pulls[0]),
            (self._last, self._tip, self._pulls[1]),
        ):
            at = d.xpos[body] + d.xmat[body].reshape(3, 3) @ arm
            force = np.array([0, 0, -pull])
            d.xfrc_applied[body, :3] = force
            d.xfrc_applied[body, 3:] = np.cross(at - d.xipos[body], force)
        mujoco.mj_step(self.model, d)

    def ends(self) -> Tuple[float, float]:
        """Heights of the light and the heavy end, m."""
        mujoco.mj_kinematics(self.model, self.data)
        d = self.data
        tip = d.xpos[self._last] + d.xmat[self._last].reshape(3, 3) @ self._tip
        return float(d.xpos[self._first][2]), float(tip[2])
