"""A scene in Drake: MultibodyPlant with its convex (SAP) discrete solvers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional, Tuple

import numpy as np
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Box,
    Capsule,
    CollisionFilterDeclaration,
    Cylinder,
    GeometrySet,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import (
    AddMultibodyPlant,
    CoulombFriction,
    ExternallyAppliedSpatialForce,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from .judge import Contacts
from .scenes import Body, Rope, Scene

CORNER = 1e-3  # radius of the balls in the lower corners of a box, m


def shape_of(body: Body) -> Any:
    if body.shape == "plane":
        return HalfSpace()
    return {"box": Box, "sphere": Sphere, "capsule": Capsule, "cylinder": Cylinder}[body.shape](*body.size)


def properties_of(
    mu: float, stiffness: Optional[float] = None, dissipation: Optional[float] = None
) -> ProximityProperties:
    """stiffness of a point, N/m; dissipation by Hunt and Crossley, s/m; Drake's estimates if not given."""
    properties = ProximityProperties()
    AddContactMaterial(
        dissipation=dissipation,
        point_stiffness=stiffness,
        friction=CoulombFriction(mu, mu),
        properties=properties,
    )
    return properties


def hydroelastic_properties_of(body: Body, modulus: float) -> ProximityProperties:
    """What moves is compliant, what does not is rigid."""
    properties = properties_of(body.mu)
    if body.moves:
        AddCompliantHydroelasticProperties(0.05, modulus, properties)
    else:
        AddRigidHydroelasticProperties(0.05, properties)
    return properties


def slab_of(plane: Body) -> Body:
    """A thick plate with its upper face in the plane."""
    side, depth = 4.0, 0.2
    below = np.array(plane.position) - depth / 2 * plane.matrix[:, 2]
    return replace(plane, shape="box", size=(side, side, depth), position=tuple(map(float, below)))


def inertia_of(body: Body) -> SpatialInertia:
    return SpatialInertia(body.mass, np.zeros(3), UnitInertia(*(body.inertia / body.mass)))


class DrakePlant:
    """A plant in its diagram, and a simulator that advances it step by step."""

    def __init__(
        self,
        gravity: Any,
        dt: float,
        approximation: str = "lagged",
        allowance: float = 1e-3,
        stiction: float = 1e-4,
        near_rigid: float = 1.0,
    ) -> None:
        self.dt = dt
        config = MultibodyPlantConfig(
            time_step=dt,
            discrete_contact_approximation=approximation,
            penetration_allowance=allowance,
            stiction_tolerance=stiction,
            sap_near_rigid_threshold=near_rigid,
        )
        self._builder = DiagramBuilder()
        self.plant, self.scene_graph = AddMultibodyPlant(config, self._builder)
        self.plant.mutable_gravity_field().set_gravity_vector(gravity)

    def finish(self) -> None:
        self.diagram = self._builder.Build()
        self.simulator = Simulator(self.diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self._steps = 0

    def step(self) -> None:
        self._steps += 1
        self.simulator.AdvanceTo(self._steps * self.dt)


class DrakeWorld(DrakePlant):
    """contact: 'hydroelastic' (pressure fields), 'corners' (boxes touch with balls in their corners, since
    Drake has one point a pair), 'points' (one a pair, with the shapes as they are)."""

    def __init__(
        self, scene: Scene, dt: float, contact: str = "hydroelastic", modulus: float = 1e7, **options: Any
    ) -> None:
        super().__init__(scene.gravity, dt, **options)
        if sum(body.shape == "plane" for body in scene.bodies) > 1:  # Drake 1.51.1 crashed in the drum
            scene = replace(
                scene, bodies=tuple(slab_of(b) if b.shape == "plane" else b for b in scene.bodies)
            )
        self._contact, self._modulus = contact, modulus
        self._solids, self._feet = [], []
        nodes = [self._add(body) for body in scene.bodies]
        self.plant.Finalize()
        if contact == "corners":  # balls touch solids, nothing else does
            filters = self.scene_graph.collision_filter_manager()
            for group in (self._solids, self._feet):
                filters.Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(group)))
        self.finish()
        self._nodes = [node for node in nodes if node is not None]
        self._number = {int(node.index()): k for k, node in enumerate(self._nodes)}
        for node, body in zip(self._nodes, scene.moving):
            self.plant.SetFreeBodyPose(self.context, node, pose_of(body))
        self._mu = {body.name: body.mu for body in scene.bodies}

    def _add(self, body: Body) -> Any:
        hydroelastic = self._contact == "hydroelastic"
        properties = (
            hydroelastic_properties_of(body, self._modulus) if hydroelastic else properties_of(body.mu)
        )
        node = self.plant.AddRigidBody(body.name, inertia_of(body)) if body.moves else None
        owner, pose = (node, RigidTransform()) if body.moves else (self.plant.world_body(), pose_of(body))
        self._solids.append(
            self.plant.RegisterCollisionGeometry(owner, pose, shape_of(body), body.name, properties)
        )
        if self._contact == "corners" and body.moves:
            for k, corner in enumerate(body.corners):
                place = RigidTransform(corner - np.sign(corner) * CORNER)
                self._feet.append(
                    self.plant.RegisterCollisionGeometry(
                        node, place, Sphere(CORNER), f"{body.name}#{k}", properties
                    )
                )
        return node

    def poses(self) -> Tuple[np.ndarray, np.ndarray]:
        poses = [self.plant.EvalBodyPoseInWorld(self.context, node) for node in self._nodes]
        return (
            np.array([pose.translation() for pose in poses]),
            np.array([pose.rotation().matrix() for pose in poses]),
        )

    def velocities(self) -> np.ndarray:
        twists = [self.plant.EvalBodySpatialVelocityInWorld(self.context, node) for node in self._nodes]
        return np.array([np.concatenate([twist.translational(), twist.rotational()]) for twist in twists])

    def recorded_step(self) -> Contacts:
        self.step()
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        if results.num_hydroelastic_contacts():
            return None  # only the sum of a surface's forces is told, not those of its polygons
        infos = [results.point_pair_contact_info(k) for k in range(results.num_point_pair_contacts())]
        number = lambda index: self._number.get(int(index), -1)  # noqa: E731
        vectors = lambda of: np.array([of(info) for info in infos]).reshape(-1, 3)  # noqa: E731
        return Contacts(
            a=np.array([number(info.bodyB_index()) for info in infos], int),
            b=np.array([number(info.bodyA_index()) for info in infos], int),
            point=vectors(lambda info: info.contact_point()),
            normal=vectors(lambda info: -np.array(info.point_pair().nhat_BA_W)),
            impulse=self.dt * vectors(lambda info: info.contact_force()),
            mu=np.array([self._pair_mu(info) for info in infos]),
            gap=np.array([-info.point_pair().depth for info in infos]),
        )

    def _pair_mu(self, info: Any) -> float:
        inspector = self.scene_graph.model_inspector()
        names = [
            inspector.GetName(k).split("::")[-1].split("#")[0]
            for k in (info.point_pair().id_A, info.point_pair().id_B)
        ]
        first, second = (self._mu[name] for name in names)
        return 2 * first * second / (first + second) if first + second else 0.0


def pose_of(body: Body) -> RigidTransform:
    return RigidTransform(RotationMatrix(body.matrix), body.position)


class DrakeRope(DrakePlant):
    """Capsules joined by ball joints; the first one is free."""

    def __init__(
        self, rope: Rope, dt: float, stiffness: float = 1e5, dissipation: float = 50.0, **options: Any
    ) -> None:
        super().__init__((0, 0, 0), dt, **options)
        joints = rope.joints
        edges = np.diff(joints, axis=0)
        self._lengths = np.linalg.norm(edges, axis=1)
        # With its own stiffness, and with 1e6 N/m, lagged friction holds far beyond the limit at dt = 4 ms.
        properties = properties_of(rope.mu, stiffness, dissipation)
        self.plant.RegisterCollisionGeometry(
            self.plant.world_body(),
            RigidTransform(RotationMatrix.MakeXRotation(np.pi / 2), [0, 0, 0]),
            Capsule(rope.bollard, 0.6),
            "bollard",
            properties,
        )
        turns = [RotationMatrix.MakeYRotation(np.arctan2(edge[0], edge[2])) for edge in edges]
        self._nodes, links = [], []
        for k, length in enumerate(self._lengths):
            node = self.plant.AddRigidBody(
                f"link_{k}",
                SpatialInertia(
                    rope.link_mass, np.zeros(3), UnitInertia(*(rope.link_inertia / rope.link_mass))
                ),
            )
            links.append(
                self.plant.RegisterCollisionGeometry(
                    node, RigidTransform(), Capsule(rope.radius, length), f"link_{k}", properties
                )
            )
            if k > 0:
                self._join(k, node, turns[k - 1].inverse() @ turns[k])
            self._nodes.append(node)
        self.plant.Finalize()
        self.scene_graph.collision_filter_manager().Apply(
            CollisionFilterDeclaration().ExcludeWithin(GeometrySet(links))
        )
        self.finish()
        self.plant.SetFreeBodyPose(
            self.context, self._nodes[0], RigidTransform(turns[0], 0.5 * (joints[0] + joints[1]))
        )
        self.plant.get_applied_spatial_force_input_port().FixValue(
            self.context, [self._pull(0, -0.5, rope.light), self._pull(-1, 0.5, rope.heavy)]
        )

    def _join(self, k: int, node: Any, turn: RotationMatrix) -> None:
        """At the ends of both pieces, so that angles of zero are the shape at the start."""
        before, length = self._lengths[k - 1], self._lengths[k]
        parent = self.plant.AddFrame(
            FixedOffsetFrame(
                f"end_{k}", self._nodes[k - 1].body_frame(), RigidTransform(turn, [0, 0, before / 2])
            )
        )
        child = self.plant.AddFrame(
            FixedOffsetFrame(f"start_{k}", node.body_frame(), RigidTransform([0, 0, -length / 2]))
        )
        self.plant.AddJoint(BallRpyJoint(f"joint_{k}", parent, child, 0.0))

    def _pull(self, k: int, end: float, force: float) -> ExternallyAppliedSpatialForce:
        pull = ExternallyAppliedSpatialForce()
        pull.body_index = self._nodes[k].index()
        pull.p_BoBq_B = np.array([0, 0, end * self._lengths[k]])
        pull.F_Bq_W = SpatialForce(tau=np.zeros(3), f=np.array([0, 0, -force]))
        return pull

    def ends(self) -> Tuple[float, float]:
        poses = [self.plant.EvalBodyPoseInWorld(self.context, self._nodes[k]) for k in (0, -1)]
        light = poses[0] @ np.array([0, 0, -self._lengths[0] / 2])
        heavy = poses[1] @ np.array([0, 0, self._lengths[-1] / 2])
        return float(light[2]), float(heavy[2])
