"""Answers known in closed form, and what comes with them."""

import inspect
import math
import pickle

import numpy as np
import pytest

import capstan
from capstan import _core

G, DT = 9.81, 0.1


def on_slope(degrees):
    """Velocity that a block of 1 kg would have after a step without contact: normal, down the slope, across."""
    a = math.radians(degrees)
    return G * DT * np.array([-math.cos(a), math.sin(a), 0])


def test_a_block_on_a_gentle_slope_sticks():
    # tan 15 < 0.3: u = 0 and r = -b.
    b = on_slope(15)
    solution = capstan.solve(np.eye(3), b, 0.3, tolerance=1e-10)
    assert solution.converged and solution.status == "converged"
    assert solution.states.tolist() == ["stick"]
    np.testing.assert_allclose(solution.r, -b, atol=1e-9)
    np.testing.assert_allclose(solution.u, 0, atol=1e-9)
    assert solution.v is None


def test_a_block_on_a_steep_slope_slides():
    # It gains g dt (sin a - mu cos a).
    a = math.radians(30)
    solution = capstan.solve(M=np.eye(3), f=on_slope(30), H=np.eye(3), mu=0.3, tolerance=1e-10)
    assert solution.states.tolist() == ["slide"]
    expected = [0, G * DT * (math.sin(a) - 0.3 * math.cos(a)), 0]
    np.testing.assert_allclose(solution.v, expected, atol=1e-9)
    np.testing.assert_allclose(solution.u, expected, atol=1e-9)
    np.testing.assert_allclose(solution.r[1], -0.3 * solution.r[0], rtol=1e-8)


def test_the_plane_has_two_components_a_contact():
    # r_N = 1, friction at its limit of 0.25 leaves 0.75.
    solution = capstan.solve(np.eye(2), [-1, 1], [0.25], tolerance=1e-10)
    np.testing.assert_allclose(solution.u, [0, 0.75], atol=1e-9)


def test_elliptic_friction_has_a_coefficient_a_tangent():
    # Along either axis alone it is Coulomb's with that coefficient; r_N = 1.
    for axis, mu in ((1, 0.2), (2, 0.6)):
        b = np.array([-1.0, 0, 0])
        b[axis] = 2
        solution = capstan.solve(np.eye(3), b, [[0.2, 0.6]], tolerance=1e-10)
        assert abs(solution.r[axis] + mu) < 1e-9


def test_drilling_friction_is_dimension_four():
    # Spin alone: the torque is at its limit mu_tau r_N = 0.1.
    solution = capstan.solve(np.eye(4), [-1, 0, 0, 1], [[0.5, 0.5, 0.1]], tolerance=1e-10)
    np.testing.assert_allclose(solution.r, [1, 0, 0, -0.1], atol=1e-9)


def test_restitution_returns_a_part_of_the_speed():
    # Newton: u_N = -e v_N where it came in; a contact that separates gets nothing.
    laws = capstan.Laws(restitution=[0.5, 0.5], velocity_before=[-2, 3])
    solution = capstan.solve(np.eye(6), [-2, 0, 0, 3, 0, 0], [0.0, 0.0], laws=laws, tolerance=1e-10)
    np.testing.assert_allclose(solution.u[[0, 3]], [1, 3], atol=1e-9)


def test_a_traction_holds_what_is_pulled_apart():
    # r = -E u while open, u = W r + b: u = b / (1 + W E).
    laws = {"traction": [3.0, 0, 0]}
    solution = capstan.solve(2 * np.eye(3), [1, 0, 0], 0.5, laws=laws, tolerance=1e-10)
    np.testing.assert_allclose(solution.u[0], 1 / 7, atol=1e-9)
    np.testing.assert_allclose(solution.r[0], -3 / 7, atol=1e-9)


def test_a_shift_adds_to_the_velocity_in_the_law():
    # 0 <= r_N, 0 <= u_N + s_N: s_N = -0.4 makes the contact leave with 0.4.
    solution = capstan.solve(
        np.eye(3), [-1, 0, 0], 0.5, laws=capstan.Laws(shift=[[-0.4, 0, 0]]), tolerance=1e-10
    )
    np.testing.assert_allclose(solution.u[0], 0.4, atol=1e-9)


def test_no_contact_is_no_problem():
    solution = capstan.solve(M=np.eye(2), f=[3, 4], H=np.zeros((0, 2)), mu=np.zeros(0), dimension=2)
    assert solution.converged and solution.r.shape == (0,)
    np.testing.assert_array_equal(solution.v, [3, 4])


@pytest.mark.parametrize("name", [s.name for s in capstan.solvers()])
def test_every_solver_solves_by_its_name(name):
    # Pyramids and one-pass solvers are not exact, and Levenberg-Marquardt wants a guess: they must do something.
    solution = capstan.sample("stack_3").solve(solver=name, time_limit=5)
    assert solution.solver == name
    if name == "resting":  # has nothing to say from zero, and says so
        assert solution.status == "stalled"
        return
    rough = ("duriez06", "4sides", "lemke", "pivot", "levenberg", "ncp_newton", "newton")
    assert solution.error < 1 if any(part in name for part in rough) else solution.converged


def test_an_answer_as_guess_takes_no_iteration():
    problem = capstan.sample("stack_10")
    first = problem.solve(tolerance=1e-8)
    again = problem.solve(tolerance=1e-8, guess=first.r)
    assert first.iterations > 0 and again.iterations == 0
    np.testing.assert_array_equal(again.r, first.r)


def test_a_limit_of_iterations_is_a_status_and_no_exception():
    solution = capstan.sample("stack_10").solve(max_iterations=1, solver="sweep")
    assert solution.status == "iteration_limit" and not solution.converged
    assert solution.error > 1e-6


def test_the_measure_is_what_the_tolerance_is_held_against():
    problem = capstan.sample("wall_8")
    solution = problem.solve(measure="natural_map", tolerance=1e-3, solver="sweep")
    assert solution.converged
    assert solution.history.values[-1] == pytest.approx(solution.certificate.natural_map_error, rel=1e-6)
    assert solution.certificate.natural_map_error != pytest.approx(solution.error, rel=0.1)


def test_history_is_of_all_judgements():
    seen = []
    solution = capstan.sample("stack_10").solve(on_judged=lambda *point: seen.append(point))
    assert solution.islands == 1  # or there would be more than one history
    assert [point[0] for point in seen] == solution.history.iterations.tolist()
    assert [point[1] for point in seen] == solution.history.values.tolist()
    assert seen[0][0] == 0 and seen[-1][1] <= 1e-6
    assert solution.seconds >= solution.history.seconds[-1]


def test_a_listener_stops_the_solve():
    solution = capstan.sample("wall_8").solve(tolerance=1e-300, on_judged=lambda k, value, seconds: k < 50)
    assert not solution.converged
    assert 50 <= solution.iterations < 1000


def test_what_a_listener_raises_arrives():
    def listen(iteration, value, seconds):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        capstan.sample("wall_8").solve(on_judged=listen)


def test_the_certificate_judges_anybody():
    problem = capstan.sample("wall_8")
    solution = problem.solve()
    again = problem.certify(solution.r)
    for field in ("error", "worst_contact", "cone_violation", "natural_map_error", "open", "stick", "slide"):
        assert getattr(again, field) == getattr(solution.certificate, field)
    assert solution.error == solution.certificate.error
    nothing = capstan.certify(problem, r=np.zeros_like(solution.r))
    assert nothing.error == 1 and nothing.penetration_velocity > 0
    assert capstan.certify(np.eye(3), [-1, 0, 0], 0.5, r=[math.nan, 0, 0]).error == math.inf
    assert problem.certify([1e9] + [0] * (len(solution.r) - 1)).worst_contact >= 0


def test_states_are_words_and_numbers():
    solution = capstan.solve(np.eye(9), [1, 0, 0, -1, 0.1, 0, -1, 5, 0], 0.5)
    assert solution.states.tolist() == ["open", "stick", "slide"]
    assert solution.certificate.state_codes.tolist() == [0, 1, 2]
    assert (solution.certificate.open, solution.certificate.stick, solution.certificate.slide) == (1, 1, 1)


def test_defaults_are_those_of_the_library():
    # Which are those of the command line, except the threads: there 0 is written the same.
    core = _core.Options()
    for function in (capstan.solve, capstan.solve_batch):
        parameters = inspect.signature(function).parameters
        for name in ("solver", "measure", "tolerance", "max_iterations", "time_limit"):
            assert parameters[name].default == getattr(core, name)
        assert parameters["threads"].default == 0


def test_most_direct_rows_decides_what_may_be_factorised():
    # Nothing reaches this tolerance: auto goes through all it has, with the interior point or without.
    def judged(**options):
        solution = capstan.sample("stack_3").solve(tolerance=1e-300, max_iterations=5000, **options)
        return solution.history.values.tolist()

    assert judged() == judged(most_direct_rows=2100) != judged(most_direct_rows=0)


def test_a_solution_can_be_pickled():
    solution = capstan.sample("slope").solve()
    copy = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(copy.r, solution.r)
    assert (
        copy.certificate.error == solution.error
        and copy.history.iterations.shape == solution.history.iterations.shape
    )


def test_answers_outlive_the_problem():
    r = capstan.sample("stack_10").solve().r
    before = r.copy()
    for _ in range(10):
        capstan.sample("stack_10").solve(max_iterations=1)
    np.testing.assert_array_equal(r, before)
    r[0] = 7  # they are the caller's
