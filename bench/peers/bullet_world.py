"""A scene in Bullet, by PyBullet."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np
import pybullet as bullet
from scipy.spatial.transform import Rotation

from .judge import Contacts
from .scenes import Body, Rope, Scene

SHAPES = {
    "box": bullet.GEOM_BOX,
    "sphere": bullet.GEOM_SPHERE,
    "capsule": bullet.GEOM_CAPSULE,
    "cylinder": bullet.GEOM_CYLINDER,
    "plane": bullet.GEOM_PLANE,
}


def connect(gravity: Any, dt: float, iterations: int = 50, cone: bool = False, residual: float = 1e-7) -> int:
    """The defaults are PyBullet's: 50 iterations or a residual of 1e-7, a pyramid of friction."""
    client = bullet.connect(bullet.DIRECT)
    bullet.setGravity(*gravity, physicsClientId=client)
    bullet.setTimeStep(dt, physicsClientId=client)
    bullet.setPhysicsEngineParameter(
        numSolverIterations=iterations,
        enableConeFriction=int(cone),
        solverResidualThreshold=residual,
        physicsClientId=client,
    )
    return client


def shape_of(body: Body, client: int) -> int:
    sizes = {"box": dict(halfExtents=[s / 2 for s in body.size]), "plane": dict(planeNormal=[0, 0, 1])}.get(
        body.shape
    )
    if sizes is None:
        sizes = dict(radius=body.size[0])
        if len(body.size) > 1:
            sizes["height"] = body.size[1]
    return bullet.createCollisionShape(SHAPES[body.shape], physicsClientId=client, **sizes)


class BulletWorld:
    """Bodies as btMultiBody, PyBullet's default."""

    def __init__(self, scene: Scene, dt: float, **options: Any) -> None:
        self.dt = dt
        self._client = connect(scene.gravity, dt, **options)
        self._ids = {}
        for body in scene.bodies:
            self._add(body)
        self._moving = [self._ids[body.name] for body in scene.moving]
        self._number = {identity: k for k, identity in enumerate(self._moving)}
        self._mu = {self._ids[body.name]: body.mu for body in scene.bodies}

    def _add(self, body: Body) -> None:
        client = self._client
        identity = bullet.createMultiBody(
            body.mass,
            shape_of(body, client),
            basePosition=body.position,
            baseOrientation=body.quaternion,
            physicsClientId=client,
        )
        # mu of a pair is the product; its own damping would slow what falls.
        bullet.changeDynamics(
            identity,
            -1,
            lateralFriction=body.mu**0.5,
            linearDamping=0,
            angularDamping=0,
            physicsClientId=client,
        )
        if body.moves:
            bullet.changeDynamics(
                identity, -1, localInertiaDiagonal=list(body.inertia), physicsClientId=client
            )
        self._ids[body.name] = identity

    def step(self) -> None:
        bullet.stepSimulation(physicsClientId=self._client)

    def poses(self) -> Tuple[np.ndarray, np.ndarray]:
        pairs = [bullet.getBasePositionAndOrientation(k, physicsClientId=self._client) for k in self._moving]
        return (np.array([x for x, _ in pairs]), Rotation.from_quat([q for _, q in pairs]).as_matrix())

    def velocities(self) -> np.ndarray:
        pairs = [bullet.getBaseVelocity(k, physicsClientId=self._client) for k in self._moving]
        return np.array([v + w for v, w in pairs])

    def recorded_step(self) -> Contacts:
        self.step()
        points = bullet.getContactPoints(physicsClientId=self._client)
        column = lambda k: np.array([point[k] for point in points])  # noqa: E731
        force = (
            column(9)[:, None] * column(7)
            + column(10)[:, None] * column(11)
            + column(12)[:, None] * column(13)
        )
        number = lambda k: np.array([self._number.get(point[k], -1) for point in points])  # noqa: E731
        mu = np.array([(self._mu[point[1]] * self._mu[point[2]]) ** 0.5 for point in points])
        return Contacts(
            a=number(1),
            b=number(2),
            point=column(5),
            normal=column(7),
            impulse=self.dt * force,
            mu=mu,
            gap=column(8),
            point_b=column(6),
        )


class BulletRope:
    """Capsules joined by ball joints, as one multibody."""

    def __init__(self, rope: Rope, dt: float, **options: Any) -> None:
        self.dt = dt
        client = self._client = connect((0, 0, 0), dt, **options)
        bollard = bullet.createMultiBody(
            0,
            bullet.createCollisionShape(
                bullet.GEOM_CAPSULE, radius=rope.bollard, height=0.6, physicsClientId=client
            ),
            baseOrientation=[0.5**0.5, 0, 0, 0.5**0.5],
            physicsClientId=client,
        )
        joints = rope.joints
        edges = np.diff(joints, axis=0)
        lengths = np.linalg.norm(edges, axis=1)
        # Frames turned so that z runs along each piece; about y, in whose plane the rope lies.
        turns = Rotation.from_rotvec(np.outer(np.arctan2(edges[:, 0], edges[:, 2]), [0, 1, 0]))
        shapes = [
            bullet.createCollisionShape(
                bullet.GEOM_CAPSULE, radius=rope.radius, height=length, physicsClientId=client
            )
            for length in lengths
        ]
        middles = 0.5 * (joints[:-1] + joints[1:])
        n = len(edges) - 1
        relative = turns[:-1].inv() * turns[1:]
        # A link's frame is at its joint; the middle of the piece is half a length further.
        at = np.column_stack([np.zeros((n, 2)), [lengths[0] / 2, *lengths[1:-1]]])
        self._rope = bullet.createMultiBody(
            rope.link_mass,
            shapes[0],
            basePosition=middles[0],
            baseOrientation=turns[0].as_quat(),
            linkMasses=[rope.link_mass] * n,
            linkCollisionShapeIndices=shapes[1:],
            linkVisualShapeIndices=[-1] * n,
            linkPositions=at,
            linkOrientations=relative.as_quat(),
            linkInertialFramePositions=[[0, 0, length / 2] for length in lengths[1:]],
            linkInertialFrameOrientations=[[0, 0, 0, 1]] * n,
            linkParentIndices=list(range(n)),
            linkJointTypes=[bullet.JOINT_SPHERICAL] * n,
            linkJointAxis=[[0, 0, 1]] * n,
            physicsClientId=client,
        )
        self._last, self._half = n - 1, (lengths[0] / 2, lengths[-1])
        self._pulls = rope.light, rope.heavy
        for link in range(-1, n):
            bullet.changeDynamics(
                self._rope,
                link,
                lateralFriction=rope.mu**0.5,
                linearDamping=0,
                angularDamping=0,
                jointDamping=0,
                localInertiaDiagonal=list(rope.link_inertia),
                physicsClientId=client,
            )
            bullet.setCollisionFilterGroupMask(self._rope, link, 2, 1, physicsClientId=client)
            if link >= 0:  # PyBullet's joints have a motor that holds them
                bullet.setJointMotorControlMultiDof(
                    self._rope,
                    link,
                    bullet.POSITION_CONTROL,
                    [0, 0, 0, 1],
                    force=[0, 0, 0],
                    physicsClientId=client,
                )
        bullet.changeDynamics(bollard, -1, lateralFriction=rope.mu**0.5, physicsClientId=client)
        bullet.setCollisionFilterGroupMask(bollard, -1, 1, 2, physicsClientId=client)

    def _places(self) -> Tuple[np.ndarray, np.ndarray]:
        x, q = bullet.getBasePositionAndOrientation(self._rope, physicsClientId=self._client)
        light = np.array(x) + Rotation.from_quat(q).apply([0, 0, -self._half[0]])
        state = bullet.getLinkState(
            self._rope, self._last, computeForwardKinematics=1, physicsClientId=self._client
        )
        heavy = np.array(state[4]) + Rotation.from_quat(state[5]).apply([0, 0, self._half[1]])
        return light, heavy

    def step(self) -> None:
        light, heavy = self._places()
        for link, place, pull in ((-1, light, self._pulls[0]), (self._last, heavy, self._pulls[1])):
            bullet.applyExternalForce(
                self._rope, link, [0, 0, -pull], place, bullet.WORLD_FRAME, physicsClientId=self._client
            )
        bullet.stepSimulation(physicsClientId=self._client)

    def ends(self) -> Tuple[float, float]:
        light, heavy = self._places()
        return float(light[2]), float(heavy[2])
