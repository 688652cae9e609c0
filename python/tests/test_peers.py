"""The comparison with other engines (bench/peers): what it computes itself, without any engine."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
judge = pytest.importorskip("peers.judge")
scenes = pytest.importorskip("peers.scenes")


def box_on_a_slope(angle, mu, dt=0.01, shear=None):
    """One box of 2 kg at rest on four corners, and the impulses that hold it; shear: another tangential impulse."""
    g = 9.81 * np.array([np.sin(angle), 0, -np.cos(angle)])
    half = np.array([0.2, 0.1, 0.05])
    inertia = 2 / 3 * (np.sum(half**2) - half**2)
    bodies = judge.Bodies(
        np.array([2.0]),
        np.diag(inertia)[None],
        np.array([[0, 0, half[2]]]),
        np.zeros((1, 3)),
        np.zeros((1, 3)),
    )
    corners = np.array([(x, y, 0) for x in (-0.2, 0.2) for y in (-0.1, 0.1)])
    # Friction acts below the centre: its moment is borne by the lower corners.
    normal, tangential = 2 * 9.81 * dt * np.cos(angle), -2 * 9.81 * dt * np.sin(angle)
    shift = -tangential * half[2] / half[0]
    impulse = np.array(
        [
            [(tangential if shear is None else shear) / 4, 0, (normal + np.sign(x) * shift) / 4]
            for x, _, _ in corners
        ]
    )
    contacts = judge.Contacts(
        np.zeros(4, int),
        np.full(4, -1),
        corners,
        np.tile([0, 0, 1.0], (4, 1)),
        impulse,
        np.full(4, mu),
        np.zeros(4),
    )
    return bodies, contacts, g, dt


def test_impulses_that_hold_a_box_have_no_error():
    bodies, contacts, g, dt = box_on_a_slope(0.3, mu=0.5)
    judged = judge.judge(bodies, contacts, g, dt, after=np.zeros((1, 6)))
    assert judged["contacts"] == 4
    assert judged["mismatch"] < 1e-15  # they lead to rest
    assert judged["error"] < 1e-12


def test_a_box_that_is_let_creep_inside_its_cone_has_an_error():
    bodies, contacts, g, dt = box_on_a_slope(0.3, mu=0.5, shear=0.0)
    judged = judge.judge(bodies, contacts, g, dt, after=np.zeros((1, 6)))
    assert judged["mismatch"] > 0.01  # g sin(0.3) dt = 0.029 m/s
    assert judged["error"] > 0.1


def test_an_open_contact_may_close():
    # 1 mm above the ground, falling at 0.05 m/s: within 0.01 s it comes no lower.
    bodies, contacts, _, dt = box_on_a_slope(0.0, mu=0.5)
    bodies.velocity[0, 2] = -0.05
    contacts.gap[:] = 1e-3
    contacts.impulse[:] = 0
    judged = judge.judge(bodies, contacts, np.zeros(3), dt, after=np.array([[0, 0, -0.05, 0, 0, 0]]))
    assert judged["error"] == 0 and judged["mismatch"] == 0


def test_equal_and_opposite_impulses_act_on_two_bodies():
    # Two balls of 1 and 2 kg with 1 N s between them, off the line of their centres.
    bodies = judge.Bodies(
        np.array([1.0, 2.0]),
        np.array([np.eye(3), 2 * np.eye(3)]),
        np.array([[0, 0, 1.0], [0, 0, 0]]),
        np.zeros((2, 3)),
        np.zeros((2, 3)),
    )
    contacts = judge.Contacts(
        np.array([0]),
        np.array([1]),
        np.array([[0.1, 0, 0.5]]),
        np.array([[0, 0, 1.0]]),
        np.array([[0, 0, 1.0]]),
        np.array([0.3]),
        np.zeros(1),
    )
    v = judge.velocity_after(*judge.problem_of(bodies, contacts, np.zeros(3), 0.01))
    assert np.allclose(v[0], [0, 0, 1, 0, -0.1, 0]) and np.allclose(v[1], [0, 0, -0.5, 0, 0.05, 0])


def test_inertias_are_those_of_the_closed_forms():
    box = scenes.Body("", "box", (0.2, 0.3, 0.4), density=1000)
    assert np.allclose(box.inertia, 24 / 12 * np.array([0.3**2 + 0.4**2, 0.2**2 + 0.4**2, 0.2**2 + 0.3**2]))
    # A capsule without length is a ball; a long one is a thin rod, m l^2/12.
    assert np.allclose(
        scenes.inertia_of_unit_density("capsule", (0.1, 0)), scenes.inertia_of_unit_density("sphere", (0.1,))
    )
    rod = scenes.Body("", "capsule", (1e-3, 1.0), density=1000)
    assert rod.inertia[0] == pytest.approx(rod.mass / 12, rel=5e-3)


def test_the_rope_touches_the_bollard_with_the_middles_of_its_pieces():
    rope = scenes.Rope()
    middles = 0.5 * (rope.joints[1:] + rope.joints[:-1])
    distance = np.linalg.norm(middles, axis=1)
    on = middles[:, 2] > -1e-9
    assert (
        np.allclose(distance[on], rope.bollard + rope.radius)
        and (distance[~on] > rope.bollard + rope.radius).all()
    )
    assert np.allclose(np.linalg.norm(np.diff(rope.joints, axis=0), axis=1), rope.link, rtol=0.01)


def test_fingers_hold_as_much_more_than_the_weight_as_is_said():
    cube, finger = scenes.grasp().moving
    held = cube.mu * (2 * finger.mass + cube.mass)
    assert held == pytest.approx(scenes.GRASP_RESERVE * cube.mass)


def test_a_part_of_the_page_is_replaced_and_the_rest_kept():
    report = pytest.importorskip("peers.report")
    page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n"
    assert report.replace_part(page, "x", "new") == "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n"
    with pytest.raises(ValueError, match="has no part 'y'"):
        report.replace_part(page, "y", "new")
