"""What `capstan export` writes, read by the programs it is for: usd-core, vtk, numpy.

tests/export compares the .npz with the recording bit by bit; here the other formats are compared with the .npz.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

HAIR = """
[simulation]
duration = 0.4
dt = 4e-3
[[material]]
name = "wisp"
preset = "hair_wavy"
collision_radius = 3e-3
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.03
position = [0.04, 0, -0.1]
oscillation = [{ frequency = 1.5, translation = [-0.1, 0, 0] }]
[[bundle]]
material = "wisp"
count = 9
elements = 5
length = 0.12
direction = [0, 0, -1]
spacing = 1e-3
skip_root = 0.01
root = { hold = "clamped" }
[[strand]]
material = "nylon"
start = [0.1, 0, 0]
length = 0.05
elements = 4
"""

RIGID = """
[simulation]
duration = 0.4
dt = 4e-3
[[obstacle]]
name = "the floor"
shape = "plane"
[[rigid]]
name = "crate"
shape = "box"
size = [0.1, 0.2, 0.05]
position = [0, 0, 0.1]
rotation = [0.3, 0.2, 0.9]
repeat = [1, 1, 3]
spacing = [0, 0, 0.25]
[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.06
position = [0.3, 0, 0.1]
velocity = [-1, 0, 0]
[[rigid]]
name = "pill"
shape = "capsule"
radius = 0.04
length = 0.1
position = [0, 0.4, 0.15]
spin = [0, 3, 20]
[[rigid]]
name = "drum"
shape = "cylinder"
radius = 0.05
length = 0.1
position = [0.3, 0.4, 0.2]
rotation = [1, 0, 0]
[[rigid]]
name = "tetra"
shape = "hull"
points = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
position = [-0.3, 0, 0.1]
"""

CLOTH = """
[simulation]
duration = 0.2
dt = 4e-3
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0, -0.11]
[[cloth]]
name = "sheet"
size = [0.4, 0.4]
cells = [8, 8]
[[cloth]]
name = "flag"
size = [0.1, 0.1]
cells = [3, 3]
position = [0.5, 0, 0]
[[soft]]
name = "jelly"
shape = "box"
size = [0.1, 0.1, 0.1]
cells = [2, 2, 2]
position = [0, 0, 0.1]
"""

SCENES = {"hair": HAIR, "rigid": RIGID, "cloth": CLOTH}


def call(program, *words, code=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def runs(program, tmp_path_factory):
    """A run of each sort, and its numbers."""
    folder = tmp_path_factory.mktemp("runs")
    found = {}
    for name, scene in SCENES.items():
        (folder / f"{name}.toml").write_text(scene)
        call(program, "run", folder / f"{name}.toml", "-o", folder / name)
        call(program, "export", folder / name, "--to", "npz", "-o", folder / f"{name}.npz")
        found[name] = folder / name, dict(np.load(folder / f"{name}.npz"))
    return found


@pytest.fixture(params=SCENES)
def run(request, runs):
    return runs[request.param]


def names(array):
    return [text.decode() for text in array]


def test_numpy_gets_shapes_that_fit(runs):
    folder, n = runs["hair"]
    frames = len(n["t"])
    assert frames == 11 and n["strand_points"].shape == (frames, n["strand_offsets"][-1], 3)
    assert n["t"] == pytest.approx(np.arange(frames) / 25)
    assert len(n["strand_radius"]) + 1 == len(n["strand_offsets"]) == 11
    assert n["solid_rotation"].shape == (frames, 1, 3, 3)
    assert n["contact_offsets"][-1] == len(n["contact_force"]) > 0
    folder, n = runs["cloth"]
    assert n["mesh_strain"].shape == n["mesh_points"].shape[:2]
    assert n["mesh_triangles"].max() + 1 == n["mesh_offsets"][-1] and names(n["mesh_name"]) == ["sheet", "flag", "jelly"]
    folder, n = runs["rigid"]
    turns = n["solid_rotation"]
    assert np.abs(turns @ np.swapaxes(turns, -1, -2) - np.eye(3)).max() < 1e-12
    rows = (json.loads((folder / "manifest.json").read_text()))["obstacles"]
    assert names(n["solid_name"]) == [row["name"] for row in rows]


# --- USD -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def stage(program, run, tmp_path):
    Usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    done = call(program, "export", run[0], "--to", "usd", "-o", tmp_path / "run.usda", "--json")
    assert json.loads(done.stdout)["left_out"] == []
    return Usd.Stage.Open(str(tmp_path / "run.usda"))


def points_at(prim, k):
    return np.array(prim.GetAttribute("points").Get(k), dtype=float).reshape(-1, 3)


def test_usd_says_metres_axis_and_times(run, stage):
    from pxr import UsdGeom

    n = run[1]
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Z"
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(n["t"]) - 1)
    assert stage.GetTimeCodesPerSecond() == 25 and stage.GetDefaultPrim().GetName() == "World"


def test_usd_passes_its_own_validators(stage):
    validation = pytest.importorskip("pxr.UsdValidation", reason="this usd-core has no validators")
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    assert [error.GetErrorAsString() for error in context.Validate(stage)] == []


def test_usd_has_the_points_of_the_recording(run, stage):
    n = run[1]
    world = stage.GetPrimAtPath("/World")
    checked = 0
    for k in range(len(n["t"])):
        if n["strand_points"].shape[1]:
            prim = world.GetChild("strands")
            assert list(prim.GetAttribute("curveVertexCounts").Get()) == list(np.diff(n["strand_offsets"]))
            np.testing.assert_allclose(points_at(prim, k), n["strand_points"][k], rtol=0, atol=1e-6)
            checked += 1
        for m, name in enumerate(names(n["mesh_name"])):
            part = slice(n["mesh_offsets"][m], n["mesh_offsets"][m + 1])
            prim = world.GetChild(name)
            np.testing.assert_allclose(points_at(prim, k), n["mesh_points"][k, part], rtol=0, atol=1e-6)
            assert (np.array(prim.GetAttribute("faceVertexCounts").Get()) == 3).all()
            checked += 1
    assert checked == len(n["t"]) * ((n["strand_points"].shape[1] > 0) + len(n["mesh_name"]))


def test_usd_puts_rigid_bodies_where_they_were(run, stage):
    from pxr import UsdGeom

    n = run[1]
    world = stage.GetPrimAtPath("/World")
    corner = np.array([0.1, -0.2, 0.3])
    for s, name in enumerate(names(n["solid_name"])):
        prim = world.GetChild("".join(c if c.isalnum() else "_" for c in name.replace("]", "")))
        for k in range(len(n["t"])):
            matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(k))
            there = (np.append(corner, 1) @ matrix)[:3]
            expected = n["solid_position"][k, s] + n["solid_rotation"][k, s] @ corner
            np.testing.assert_allclose(there, expected, rtol=0, atol=1e-6)
        assert UsdGeom.Boundable(prim.GetChild("shape")).GetExtentAttr().HasAuthoredValue()


def test_usd_shapes_have_their_sizes(runs, program, tmp_path):
    Usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    from pxr import UsdGeom

    call(program, "export", runs["rigid"][0], "--to", "usd", "--frames", "0", "-o", tmp_path / "one.usda")
    stage = Usd.Stage.Open(str(tmp_path / "one.usda"))
    boxes = UsdGeom.BBoxCache(0, [UsdGeom.Tokens.default_])
    sizes = {}
    for prim in stage.GetPrimAtPath("/World").GetChildren():
        if prim.GetChild("shape"):
            box = boxes.ComputeRelativeBound(prim.GetChild("shape"), prim).ComputeAlignedBox()
            sizes[prim.GetName()] = np.array(box.GetMax()) - np.array(box.GetMin())
            mine = UsdGeom.Boundable(prim.GetChild("shape"))
            computed = UsdGeom.Boundable.ComputeExtentFromPlugins(mine, 0)
            np.testing.assert_allclose(np.array(mine.GetExtentAttr().Get()), np.array(computed), atol=1e-6)
    assert sizes["ball"] == pytest.approx([0.12] * 3)
    assert sizes["pill"] == pytest.approx([0.08, 0.08, 0.18])
    assert sizes["drum"] == pytest.approx([0.1, 0.1, 0.1])
    assert sizes["crate_0"] == pytest.approx([0.1, 0.2, 0.05])


def test_usd_contacts_are_lines_along_their_forces(run, stage):
    n = run[1]
    prim = stage.GetPrimAtPath("/World/contacts")
    scale = prim.GetCustomDataByKey("metresPerNewton")
    for k in range(len(n["t"])):
        part = slice(n["contact_offsets"][k], n["contact_offsets"][k + 1])
        ends = points_at(prim, k).reshape(-1, 2, 3)
        assert len(prim.GetAttribute("curveVertexCounts").Get(k)) == len(ends)
        np.testing.assert_allclose(ends[:, 0], n["contact_position"][part], rtol=0, atol=1e-6)
        lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        force = np.linalg.norm(n["contact_force"][part], axis=1)
        np.testing.assert_allclose(lengths, scale * force, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(prim.GetAttribute("primvars:force").Get(k), force, rtol=1e-6)


def test_usd_widths_are_diameters(runs, program, tmp_path):
    Usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    folder, n = runs["hair"]
    call(program, "export", folder, "--to", "usd", "-o", tmp_path / "run.usda")
    stage = Usd.Stage.Open(str(tmp_path / "run.usda"))
    prim = stage.GetPrimAtPath("/World/strands")
    expected = np.repeat(2 * n["strand_radius"], np.diff(n["strand_offsets"]))
    np.testing.assert_allclose(prim.GetAttribute("widths").Get(), expected, rtol=1e-7)
    assert prim.GetAttribute("widths").GetMetadata("interpolation") == "vertex"


def test_usd_becomes_binary_with_the_same_numbers(runs, program, tmp_path):
    Usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    folder, n = runs["hair"]
    call(program, "export", folder, "--to", "usd", "-o", tmp_path / "run.usda")
    words = [sys.executable, "-m", "capstan.usdc", str(tmp_path / "run.usda"), str(tmp_path / "run.usdc")]
    subprocess.run(words, check=True, capture_output=True)
    assert (tmp_path / "run.usdc").read_bytes()[:8] == b"PXR-USDC"
    stages = [Usd.Stage.Open(str(tmp_path / name)) for name in ("run.usda", "run.usdc")]
    prims = [stage.GetPrimAtPath("/World/strands") for stage in stages]
    for k in (0, 5, 10):
        np.testing.assert_array_equal(points_at(prims[0], k), points_at(prims[1], k))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.usda", "run.usdc"]


@pytest.mark.parametrize("words", [("missing.usda", "x.usdc"), ("x.usda", "x.usd")])
def test_usdc_says_what_is_wrong(tmp_path, words):
    done = subprocess.run(
        [sys.executable, "-m", "capstan.usdc", *words], capture_output=True, text=True, cwd=tmp_path
    )
    wrong = words[0] if words[1].endswith(".usdc") else words[1]
    assert done.returncode == 2 and done.stderr.startswith("capstan.usdc: ") and wrong in done.stderr


# --- VTK -------------------------------------------------------------------------------------------------------------


def poly_arrays(poly):
    from vtkmodules.util.numpy_support import vtk_to_numpy

    arrays = {"points": vtk_to_numpy(poly.GetPoints().GetData()) if poly.GetNumberOfPoints() else np.zeros((0, 3))}
    for kind, cells in (("verts", poly.GetVerts()), ("lines", poly.GetLines()), ("polys", poly.GetPolys())):
        arrays[kind] = vtk_to_numpy(cells.GetConnectivityArray()), vtk_to_numpy(cells.GetOffsetsArray())
    for data in (poly.GetPointData(), poly.GetCellData()):
        for i in range(data.GetNumberOfArrays()):
            arrays[data.GetArrayName(i)] = vtk_to_numpy(data.GetArray(i))
    return arrays


def check_bodies(a, n, k):
    """One frame, as vtk has read it, is the recording: strands and soft bodies exactly, solids as 32-bit floats."""
    strands, soft = n["strand_points"][k], n["mesh_points"][k]
    points = a["points"]
    assert points.dtype == np.float32
    np.testing.assert_array_equal(points[: len(strands)], strands)
    np.testing.assert_array_equal(points[len(strands) : len(strands) + len(soft)], soft)
    connectivity, offsets = a["lines"]
    np.testing.assert_array_equal(connectivity, np.arange(len(strands)))
    if len(strands):
        np.testing.assert_array_equal(offsets, n["strand_offsets"])
    triangles = a["polys"][0].reshape(-1, 3)
    np.testing.assert_array_equal(triangles[: len(n["mesh_triangles"])], n["mesh_triangles"] + len(strands))
    assert triangles.size == 0 or triangles.max() == len(points) - 1
    np.testing.assert_array_equal(a["strain"][len(strands) : len(strands) + len(soft)], n["mesh_strain"][k].astype("f4"))
    lines = len(n["strand_radius"])
    np.testing.assert_array_equal(a["body"][:lines], np.arange(lines))
    for s in range(len(n["solid_name"])):
        mine = points[np.unique(triangles[a["body"][lines:] == -1 - s])]
        local = (mine - n["solid_position"][k, s]) @ n["solid_rotation"][k, s]
        if n["solid_name"][s] == b"ball":
            radius = np.linalg.norm(local, axis=1)
            assert np.ptp(radius) < 1e-6  # triangles between points of the sphere


def check_contacts(a, n, k):
    part = slice(n["contact_offsets"][k], n["contact_offsets"][k + 1])
    np.testing.assert_array_equal(a["points"], n["contact_position"][part])
    if a["points"].shape[0] == 0:
        return
    np.testing.assert_array_equal(a["force"], n["contact_force"][part].astype("f4"))
    np.testing.assert_array_equal(a["state"], n["contact_state"][part])
    np.testing.assert_array_equal(np.stack([a["body_a"], a["body_b"]], 1), n["contact_bodies"][part])
    np.testing.assert_array_equal(a["mu"], n["contact_mu"][part].astype("f4"))


def test_vtp_read_by_vtk_is_identical(program, run, tmp_path):
    io = pytest.importorskip("vtkmodules.vtkIOXML", reason="vtk is not installed")
    from xml.etree import ElementTree

    folder, n = run
    call(program, "export", folder, "--to", "vtp", "-o", tmp_path / "series")
    for series, check in (("", check_bodies), ("_contacts", check_contacts)):
        collection = ElementTree.parse(tmp_path / "series" / f"{folder.name}{series}.pvd")
        sets = collection.findall("./Collection/DataSet")
        assert [float(s.get("timestep")) for s in sets] == list(n["t"])
        for k, entry in enumerate(sets):
            reader = io.vtkXMLPolyDataReader()
            reader.SetFileName(str(tmp_path / "series" / entry.get("file")))
            reader.Update()
            assert reader.GetErrorCode() == 0
            check(poly_arrays(reader.GetOutput()), n, k)


def test_vtkhdf_read_by_vtk_is_identical(program, run, tmp_path):
    hdf = pytest.importorskip("vtkmodules.vtkIOHDF", reason="vtk is not installed")
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

    folder, n = run
    call(program, "export", folder, "--to", "vtkhdf", "-o", tmp_path / "run.vtkhdf")
    for series, check in (("", check_bodies), ("_contacts", check_contacts)):
        reader = hdf.vtkHDFReader()
        reader.SetFileName(str(tmp_path / f"run{series}.vtkhdf"))
        reader.UpdateInformation()
        times = reader.GetOutputInformation(0).Get(Pipeline.TIME_STEPS())
        assert list(times) == list(n["t"])
        for k in range(len(times)):
            reader.UpdateTimeStep(times[k])
            check(poly_arrays(reader.GetOutput()), n, k)


# --- OBJ -------------------------------------------------------------------------------------------------------------


def test_obj_has_the_same_points(program, run, tmp_path):
    folder, n = run
    call(program, "export", folder, "--to", "obj", "--every", 5, "-o", tmp_path / "series")
    files = sorted((tmp_path / "series").iterdir())
    assert [file.name for file in files] == [f"{folder.name}_{k:06d}.obj" for k in range(0, len(n["t"]), 5)]
    for file, k in zip(files, range(0, len(n["t"]), 5)):
        rows = [line.split() for line in file.read_text().splitlines()]
        points = np.array([row[1:] for row in rows if row[0] == "v"], dtype=float)
        expected = np.concatenate([n["strand_points"][k], n["mesh_points"][k]])
        np.testing.assert_allclose(points[: len(expected)], expected, rtol=1e-7, atol=1e-12)
        assert sum(row[0] == "l" for row in rows) == len(n["strand_radius"])
        corners = [int(i) for row in rows if row[0] in "fl" for i in row[1:]]
        assert 1 <= min(corners) and max(corners) <= len(points)
