"""Scenes simulated from Python: physics with closed forms, and everything that can be touched between steps."""

import math
import threading

import numpy as np
import pytest
from scenes import SCENES, everything, hairy_ball, sledge

import capstan


def test_a_box_slides_as_coulomb_says():
    sim = capstan.Simulation(sledge(mu=0.3, slope=0.5))
    reports = sim.run(10)
    # (sin a - mu cos a) g t
    expected = (math.sin(0.5) - 0.3 * math.cos(0.5)) * 9.81 * 0.2
    assert sim.t == pytest.approx(0.2, abs=1e-12)
    assert sim.rigid.velocities[0, 0] == pytest.approx(expected, rel=1e-8)
    assert all(report.converged for report in reports) and len(reports) == sim.steps
    assert sim.report is reports[-1] and sim.certificate.slide == 4
    assert sim.certificate.error == sim.report.error <= 1e-10


def test_contacts_carry_the_weight():
    sim = capstan.Simulation(sledge())
    sim.run(1)
    contacts = sim.contacts
    assert len(contacts) == 4 and set(contacts.states) == {"stick"}
    force = contacts.impulses.sum(axis=0) / sim.report.dt
    np.testing.assert_allclose(force, [0, 0, 9.81], atol=1e-7)
    np.testing.assert_array_equal(contacts.normals, np.tile([0.0, 0, 1], (4, 1)))
    assert (contacts.kinds == ["rigid", "obstacle"]).all() and (contacts.bodies == 0).all()
    assert contacts.between("obstacle", 0).all() and not contacts.between("rigid", 1).any()
    np.testing.assert_allclose(abs(contacts.points[:, :2]), 0.05, atol=1e-9)
    np.testing.assert_allclose(contacts.gaps, 0, atol=1e-9)
    np.testing.assert_array_equal(contacts.friction, 0.3)
    assert not contacts.beta.any()


def test_friction_can_be_changed():
    sim = capstan.Simulation(sledge(mu=0.5, velocity=[1, 0, 0]))
    sim.run(5)
    sim.set_friction("table", "box", mu=0.1)
    sim.run(5)
    # mu g t of both
    assert sim.rigid.velocities[0, 0] == pytest.approx(1 - 0.6 * 9.81 * 0.1, abs=1e-8)
    with pytest.raises(capstan.InputError, match="did you mean 'table'"):
        sim.set_friction("tabel", "box", mu=0.1)
    with pytest.raises(capstan.InputError, match="did you mean 'restitution'"):
        sim.set_friction("table", "box", mu=0.1, restitutoin=1)


def test_forces_push_until_they_are_changed():
    sim = capstan.Simulation(sledge(mu=0.2))
    sim.rigid.forces[0] = [3, 0, 0]
    sim.run(5)
    assert sim.rigid.masses[0] == pytest.approx(1)
    assert sim.rigid.velocities[0, 0] == pytest.approx((3 - 0.2 * 9.81) * 0.1, abs=1e-8)
    sim.rigid.forces = 0
    sim.run(10)
    assert abs(sim.rigid.velocities[0]).max() < 1e-8
    sim.rigid.forces[0, 1] = np.nan
    with pytest.raises(capstan.InputError, match=r"rigid.forces: entry \(0, 1\) is nan"):
        sim.step()


def test_a_force_off_the_centre_turns_a_body():
    scene = sledge()
    scene["simulation"]["gravity"] = [0, 0, 0]
    scene["obstacle"], scene["friction"] = [], []
    sim = capstan.Simulation(scene)
    sim.rigid.push("box", [0, 2, 0], at=[0.05, 0, 0.05])
    sim.run(1)
    # I = m a^2/6, torque 0.1 N m
    np.testing.assert_allclose(
        sim.rigid.angular_velocities[0], [0, 0, 0.1 / (0.01 / 6) * 0.02], rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(sim.rigid.velocities[0], [0, 2 * 0.02, 0], rtol=1e-9, atol=1e-12)
    angle = 2 * math.acos(sim.rigid.quaternions[0, 0])
    assert 0 < angle < 0.1


def test_gravity_can_be_changed():
    sim = capstan.Simulation(sledge(mu=0.0))
    sim.gravity = [0, 1.0, -9.81]
    sim.run(5)
    assert sim.rigid.velocities[0, 1] == pytest.approx(0.1, abs=1e-8)
    np.testing.assert_array_equal(sim.gravity, [0, 1.0, -9.81])


def test_obstacles_can_be_driven():
    sim = capstan.Simulation(sledge(mu=0.5))
    sim.obstacles.drive("table", velocity=[1, 0, 0])
    sim.run(5)
    assert sim.rigid.velocities[0, 0] == pytest.approx(0.5 * 9.81 * 0.1, abs=1e-8)
    sim.run(10)
    assert sim.rigid.velocities[0, 0] == pytest.approx(1, abs=1e-8)
    position, quaternion = sim.obstacles.pose("table")
    np.testing.assert_allclose(position, [0.3, 0, 0], atol=1e-12)
    sim.obstacles.drive("table", position=position, until=sim.t + 0.1)  # stand still
    sim.run(5)
    np.testing.assert_allclose(sim.obstacles.pose("table")[0], position, atol=1e-12)


def test_a_place_is_reached_step_by_step():
    scene = sledge(mu=10.0)
    sim = capstan.Simulation(scene)
    quarter = [math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)]

    def swing(sim):
        x = 0.01 * math.sin(2 * math.pi * (sim.t + sim.dt))
        sim.obstacles.drive("table", [x, 0, 0])

    sim.run(10, before_step=swing)
    assert sim.obstacles.pose("table")[0][0] == pytest.approx(0.01 * math.sin(2 * math.pi * 0.2), abs=1e-9)
    assert sim.rigid.positions[0, 0] == pytest.approx(sim.obstacles.pose("table")[0][0], abs=1e-6)
    sim.obstacles.drive("table", quaternion=quarter, until=sim.t + 0.4)
    sim.run(10)
    angle = 2 * math.atan2(*sim.obstacles.pose("table")[1][[3, 0]])
    assert angle == pytest.approx(math.pi / 4, abs=1e-9)  # half of the way


def test_roots_can_be_driven_and_strands_pulled():
    sim = capstan.Simulation(everything())
    strands = sim.strands
    assert strands.names == ["line"] and strands.positions.shape == (strands.starts[-1], 3)
    np.testing.assert_allclose(strands.positions[0], [-0.2, -0.1, 0.1], atol=1e-12)
    sim.strands.drive_root("line", velocity=[0, -0.5, 0])
    sim.run(3)
    np.testing.assert_allclose(strands.positions[0], [-0.2, -0.13, 0.1], atol=1e-9)
    np.testing.assert_allclose(strands.velocities[0], [0, -0.5, 0], atol=1e-9)
    np.testing.assert_allclose(strands.root_pose(0)[0], strands.positions[0], atol=1e-9)
    with pytest.raises(capstan.InputError, match="tip: that of strand 0 is free"):
        strands.drive_tip(0, velocity=[0, 0, 1])
    before = strands.positions[-1, 2]
    strands.forces[-1] = [0, 0, 0.5]
    sim.run(3)
    assert strands.positions[-1, 2] > before + 0.005


def test_a_driven_obstacle_takes_its_hair_along():
    sim = capstan.Simulation(hairy_ball(), overrides={"groom.0.count": 3})
    roots = sim.strands.positions[sim.strands.starts[:-1]]
    start = sim.obstacles.pose("ball")[0]
    sim.obstacles.drive("ball", start + [0, 0, 0.01], until=0.04)
    sim.run(1)
    moved = sim.strands.positions[sim.strands.starts[:-1]]
    np.testing.assert_allclose(moved - roots, np.tile([0, 0, 0.01], (3, 1)), atol=1e-9)


def test_soft_bodies_show_their_memory():
    sim = capstan.Simulation(everything())
    assert [(body.name, body.kind) for body in sim.soft] == [("cloth", "cloth"), ("cube", "solid")]
    cloth = sim.soft["cloth"]
    view, velocity = cloth.positions, cloth.velocities
    assert not view.flags.owndata and not view.flags.writeable and view.flags.c_contiguous
    before = view.copy()
    sim.run(2)
    assert (view != before).any()
    np.testing.assert_array_equal(view, cloth.positions)
    held = cloth.holds[0]
    assert len(held) == 4 and not velocity[held].any()
    assert cloth.triangles.max() < len(view) and cloth.masses.sum() == pytest.approx(0.2 * 0.02)
    state = sim.checkpoint()
    sim.run(1)
    sim.restore(state)  # the view lives on
    np.testing.assert_array_equal(view, cloth.positions)
    del sim, cloth
    assert np.isfinite(view).all()


def test_soft_bodies_can_be_pushed_and_driven():
    free = everything()
    free["simulation"]["gravity"] = [0, 0, 0]
    sim = capstan.Simulation(free)
    cube = sim.soft["cube"]
    cube.forces = [0, 0.01, 0]
    sim.run(2)
    # n nodes pushed alike: n F t = m v
    momentum = (cube.masses[:, None] * cube.velocities).sum(axis=0)
    np.testing.assert_allclose(momentum, [0, 0.01 * len(cube.masses) * 0.04, 0], atol=1e-9)
    cloth = sim.soft["cloth"]
    start = cloth.hold_pose(0)[0]
    cloth.drive(0, start + [0, 0, 0.02], until=sim.t + 0.04)
    before = cloth.positions[cloth.holds[0]].copy()
    sim.run(2)
    np.testing.assert_allclose(
        cloth.positions[cloth.holds[0]] - before, np.tile([0, 0, 0.02], (4, 1)), atol=1e-9
    )


def test_bonds_show_their_intensity():
    sim = capstan.Simulation(everything())
    sim.step()
    glued = sim.contacts.between("rigid", 0) & (sim.contacts.beta > 0)
    assert glued.any() and (sim.contacts.beta[glued] <= 1).all()


def test_what_was_driven_survives_a_checkpoint(tmp_path):
    sim = capstan.Simulation(everything())
    sim.obstacles.drive("arm", velocity=[0, 0, 0.3], angular_velocity=[0, 1, 0])
    sim.run(2)
    sim.step()  # in the middle of a frame
    sim.save(tmp_path / "state.h5")
    steps, frames, t = sim.steps, sim.frames, sim.t
    sim.run(3)
    other = capstan.Simulation(everything())
    other.restore(tmp_path / "state.h5")
    assert (other.steps, other.frames, other.t, other.report) == (steps, frames, t, None)
    assert len(other.contacts) == 0 and other.certificate is None
    other.run(3)
    assert other.checkpoint() == sim.checkpoint()
    with pytest.raises(capstan.InputError, match="does not fit this world"):
        capstan.Simulation(sledge()).restore(tmp_path / "state.h5")
    with pytest.raises(capstan.InputError, match="damaged"):
        sim.restore(b"no checkpoint")


def test_threads_do_not_change_a_bit():
    one, two = (capstan.Simulation(hairy_ball(), threads=threads) for threads in (1, 2))
    one.run(2)
    two.run(2)
    assert one.checkpoint() == two.checkpoint()
    assert len(one.contacts) > 20


def test_python_goes_on_during_a_step():
    sim = capstan.Simulation(SCENES / "rigid/drum_1000.toml")
    counted = refused = 0
    over = threading.Event()

    def count():
        nonlocal counted, refused
        while not over.is_set():
            counted += 1
            try:
                sim.t
            except RuntimeError as error:
                refused += "another thread" in str(error)

    thread = threading.Thread(target=count)
    thread.start()
    while refused == 0 and sim.steps < 500:
        sim.step()
    over.set()
    thread.join()
    assert counted > 10 and refused > 0


def test_the_problem_of_a_step_can_be_solved_again():
    sim = capstan.Simulation(sledge(slope=0.5), keep_problem=True)
    sim.run(1)
    problem = sim.problem
    assert problem.contacts == 4
    again = problem.solve(solver="gs", tolerance=1e-10)
    np.testing.assert_allclose(again.r[::3].sum(), sim.contacts.impulses[:, 2].sum(), rtol=1e-6)
    with pytest.raises(capstan.InputError, match="keep_problem=True"):
        capstan.Simulation(sledge()).problem


def test_pictures_show_it():
    sim = capstan.Simulation(everything())
    picture = sim.picture(width=120, height=90, samples=1, azimuth=30)
    assert picture.shape == (90, 120, 3) and picture.dtype == np.uint8 and picture.std() > 5
    np.testing.assert_array_equal(picture, sim.picture(width=120, height=90, samples=1, azimuth=30))
    assert (picture != sim.picture(width=120, height=90, samples=1, azimuth=120)).any()
    with pytest.raises(capstan.InputError, match="picture: has no 'widht'"):
        sim.picture(widht=3)
    with pytest.raises(TypeError, match="width: is 'wide'"):
        sim.picture(width="wide")


def test_it_goes_on_after_the_end_of_the_scene():
    scene = sledge()
    scene["simulation"]["duration"] = 0.05
    sim = capstan.Simulation(scene)
    sim.run()
    assert sim.t == 0.05 and sim.run() == []
    sim.run(1)
    assert sim.t == pytest.approx(0.07)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"rigid": [{"shape": "sphere", "radios": 1}]}, "did you mean 'radius'"),
        ({"rigid": [{"shape": "sphere", "radius": -1}]}, r"rigid.radius: is -1"),
        ({"rigid": [], "friction": []}, "expected at least one"),
        ({"rigid": [{"shape": object()}]}, r"rigid.shape: is a object"),
        ({1: 2}, "has the key 1"),
        ({"simulation": {"gravity": [0, 0, np.nan]}}, "gravity"),
    ],
)
def test_mistakes_in_a_dictionary_are_those_of_a_file(tmp_path, change, message):
    scene = {**sledge(), **change}
    with pytest.raises(capstan.InputError, match=message) as from_dictionary:
        capstan.Simulation(scene, folder=tmp_path)
    if "object" in message or 1 in change:
        return
    (tmp_path / "scene.toml").write_text(capstan.to_toml(scene))
    with pytest.raises(capstan.InputError) as from_file:
        capstan.Simulation(tmp_path / "scene.toml")
    assert str(from_dictionary.value) == str(from_file.value).replace(str(tmp_path / "scene.toml"), "scene")


def test_a_dictionary_is_written_as_it_is_read():
    tomllib = pytest.importorskip("tomllib")
    scene = everything()
    scene["title"] = 'quotes " and \\ and \n and \x7f and ü'
    scene["simulation"]["gravity"] = np.array([0, 0.1, -1e-300])
    read = tomllib.loads(capstan.to_toml(scene))
    scene["simulation"]["gravity"] = [0, 0.1, -1e-300]
    assert read == scene


def test_paths_of_a_dictionary_are_relative_to_its_folder(tmp_path):
    cube = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    (tmp_path / "tet.obj").write_text("\n".join(cube))
    scene = {"rigid": [{"shape": "hull", "file": "tet.obj", "scale": 0.1}]}
    sim = capstan.Simulation(scene, folder=tmp_path)
    assert sim.rigid.masses[0] == pytest.approx(1000 * 1e-3 / 6)
    with pytest.raises(capstan.InputError, match="tet.obj"):
        capstan.Simulation(scene, folder=tmp_path / "elsewhere")


@pytest.mark.parametrize(
    "mistake, error, message",
    [
        (
            lambda sim: sim.obstacles.drive("tabel", velocity=[0, 0, 1]),
            capstan.InputError,
            "did you mean 'table'",
        ),
        (lambda sim: sim.obstacles.drive(3, velocity=[0, 0, 1]), IndexError, "there is no number 3"),
        (lambda sim: sim.obstacles.drive(0, [0, 0]), capstan.InputError, r"position: has shape \(2,\)"),
        (
            lambda sim: sim.obstacles.drive(0, quaternion=[0, 0, 0, 3]),
            capstan.InputError,
            "quaternion: has length 3",
        ),
        (lambda sim: sim.obstacles.drive(0, [0, 0, 0], until=0), capstan.InputError, "until: is 0.0"),
        (
            lambda sim: sim.obstacles.drive(0, [0] * 3, velocity=[0] * 3),
            capstan.InputError,
            "expected one of them",
        ),
        (
            lambda sim: sim.rigid.push(0, [0, 0, np.inf], at=[0] * 3),
            capstan.InputError,
            "force: entry 2 is inf",
        ),
        (lambda sim: sim.run(1.5), TypeError, "frames: is 1.5"),
        (
            lambda sim: setattr(sim.rigid, "forces", [1, 2]),
            capstan.InputError,
            r"rigid.forces: has shape \(2,\)",
        ),
        (lambda sim: capstan.Simulation(sledge(), threads=-1), capstan.InputError, "threads: is -1"),
        (lambda sim: capstan.Simulation("nowhere.toml"), FileNotFoundError, "nowhere.toml"),
        (
            lambda sim: capstan.Simulation(sledge(), overrides={"rigid.7.mass": 1}),
            capstan.InputError,
            "rigid",
        ),
    ],
)
def test_mistakes_are_told_by_name(mistake, error, message):
    with pytest.raises(error, match=message):
        mistake(capstan.Simulation(sledge()))
