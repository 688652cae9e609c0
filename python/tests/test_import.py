"""What scenes take from other programs, compared with what these programs say themselves."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest


def first_frame(program, folder, scene):
    """Recorded places at t = 0 of a scene file in the folder."""
    for words in (["run", scene, "-o", "run", "--frames", "1"], ["export", "run", "--to", "npz"]):
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    return dict(np.load(folder / "run.npz"))


def test_usd_curves_are_where_usd_puts_them(program, tmp_path):
    pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    from pxr import Gf, Usd, UsdGeom

    stage = Usd.Stage.CreateNew(str(tmp_path / "wig.usda"))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 0.1)
    head = UsdGeom.Xform.Define(stage, "/head")
    head.AddTranslateOp().Set(Gf.Vec3d(0.1, 2, -0.3))
    head.AddRotateZXYOp().Set(Gf.Vec3f(20, 30, 40))
    head.AddScaleOp().Set(Gf.Vec3f(1.5, 1.5, 1.5))
    expected = []
    for name, kind, basis, wrap, count in (
        ("straight", "linear", None, None, 5),
        ("smooth", "cubic", "catmullRom", "pinned", 5),
        ("bent", "cubic", "bezier", "nonperiodic", 7),
    ):
        curves = UsdGeom.BasisCurves.Define(stage, f"/head/{name}")
        curves.AddOrientOp().Set(Gf.Quatf(0.5, 0.5, -0.5, 0.5))
        curves.CreateTypeAttr(kind)
        if basis:
            curves.CreateBasisAttr(basis)
            curves.CreateWrapAttr(wrap)
        roots = np.array([[len(expected), 0, 0], [len(expected), 1, 0]], dtype=float)
        lines = [root + np.linspace(0, 1, count)[:, None] * [0.2, 0.4, 1] for root in roots]
        curves.CreatePointsAttr([Gf.Vec3f(*p) for line in lines for p in line])
        curves.CreateCurveVertexCountsAttr([count] * 2)
        matrix = np.array(UsdGeom.Xformable(curves).ComputeLocalToWorldTransform(0))
        for line in lines:
            x, y, z = (np.append(line[[0, -1]], np.ones((2, 1)), axis=1) @ matrix)[:, :3].T * 0.1
            expected.append(np.stack([x, -z, y], axis=1))  # y is up there
    stage.GetRootLayer().Save()
    (tmp_path / "wig.toml").write_text('[[groom]]\nmaterial = "nylon"\nfile = "wig.usda"\nelements = 4\n')
    n = first_frame(program, tmp_path, "wig.toml")
    assert len(n["strand_radius"]) == len(expected) == 6
    for i, ends in enumerate(expected):
        strand = n["strand_points"][0, n["strand_offsets"][i] : n["strand_offsets"][i + 1]]
        np.testing.assert_allclose(strand[[0, -1]], ends, rtol=0, atol=1e-5)  # recorded to 4e-6 m


MODEL = """<mujoco>
  <compiler eulerseq="zYx"/>
  <default>
    <geom density="700"/>
    <default class="tilted"><geom euler="10 20 30" type="box" size="0.1 0.2 0.05"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" pos="0 0 -1"/>
    <geom name="ramp" type="box" size="1 1 0.1" pos="0 0 -0.5" axisangle="0 1 0 20"/>
    <frame pos="0 0 1" euler="0 0 45">
      <body name="a" pos="1 0 0"><freejoint/><geom class="tilted" pos="0.1 0 0"/></body>
    </frame>
    <body name="b" pos="-1 0 1" quat="0.5 0.5 0.1 0"><joint type="free"/><geom type="capsule" size="0.1" fromto="0 0 0 0.3 0.2 0.1" mass="2"/></body>
    <body name="c" pos="0 1 1" zaxis="1 1 1"><freejoint/><geom type="cylinder" size="0.1 0.2" xyaxes="0 1 0 0 0 1"/></body>
    <body name="d" pos="0 -1 1" childclass="tilted"><freejoint/><geom/></body>
    <body name="e" pos="2 0 2"><freejoint/><geom type="box" size="0.1" fromto="0 0 0 0.3 -0.2 0.1"/></body>
  </worldbody>
</mujoco>
"""


def test_mjcf_is_where_mujoco_puts_it(program, tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    (tmp_path / "m.xml").write_text(MODEL)
    done = subprocess.run(
        [program, "import", "m.xml", "-o", "m.toml"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["m.toml: 5 rigid bodies, 2 obstacles"]
    n = first_frame(program, tmp_path, "m.toml")
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.ngeom == len(n["solid_name"])
    for g in range(model.ngeom):
        body = model.body(model.geom_bodyid[g]).name
        name = (model.geom(g).name if body == "world" else body).encode()
        s = list(n["solid_name"]).index(name)
        np.testing.assert_allclose(n["solid_position"][0, s], data.geom_xpos[g], rtol=0, atol=1e-9)
        turn = n["solid_rotation"][0, s]
        axis = turn[:, 2] @ data.geom_xmat[g].reshape(3, 3)[:, 2]
        assert axis == pytest.approx(1, abs=1e-12)
        if body == "e":
            assert b"size = [0.2, 0.2," in (tmp_path / "m.toml").read_bytes() and model.geom_size[g][1] == 0.1
        if body in "ade" or body == "world":  # round ones may turn about their axis
            np.testing.assert_allclose(turn, data.geom_xmat[g].reshape(3, 3), rtol=0, atol=1e-9)
