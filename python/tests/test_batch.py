"""A batch is its problems, one by one."""

import numpy as np
import pytest
from conftest import falling_boxes

import capstan


def equal_to_single(batch, k, single):
    np.testing.assert_array_equal(batch.r[k], single.r)
    np.testing.assert_array_equal(batch.u[k], single.u)
    assert batch.error[k] == single.error
    assert batch.iterations[k] == single.iterations
    assert batch.status[k] == single.status
    assert batch.states[k].tolist() == single.states.tolist()


def test_a_batch_has_the_bits_of_its_problems():
    W, b = falling_boxes(60)
    for options in ({}, {"solver": "gs", "tolerance": 1e-4}, {"max_iterations": 3, "solver": "sweep"}):
        batch = capstan.solve_batch(W, b, 0.5, **options)
        assert len(batch) == 60
        for k in range(60):
            equal_to_single(batch, k, capstan.solve(W[k], b[k], 0.5, **options))
    assert set(batch.status) == {"converged", "iteration_limit"}  # of the last, which has but three sweeps
    np.testing.assert_array_equal(batch.converged, batch.status == "converged")


def test_threads_do_not_change_a_bit():
    W, b = falling_boxes(300)
    one, two = (capstan.solve_batch(W, b, 0.5, threads=threads) for threads in (1, 2))
    assert one.converged.all()
    for field in ("r", "u", "error", "iterations", "status_codes", "state_codes"):
        np.testing.assert_array_equal(getattr(one, field), getattr(two, field))


def test_friction_and_laws_are_given_once_or_for_each():
    W, b = falling_boxes(5)
    rng = np.random.default_rng(2)
    mu = rng.uniform(0.1, 1, (5, 4))
    laws = capstan.Laws(restitution=0.3, velocity_before=b[:, ::3], shift=rng.uniform(0, 0.1, (5, 4, 3)))
    batch = capstan.solve_batch(W, b, mu, laws=laws)
    for k in range(5):
        own = capstan.Laws(restitution=0.3, velocity_before=b[k, ::3], shift=laws.shift[k])
        equal_to_single(batch, k, capstan.solve(W[k], b[k], mu[k], laws=own))
    elliptic = rng.uniform(0.1, 1, (5, 4, 2))
    batch = capstan.solve_batch(W, b, elliptic)
    for k in range(5):
        equal_to_single(batch, k, capstan.solve(W[k], b[k], elliptic[k]))
    np.testing.assert_array_equal(
        capstan.solve_batch(W, b, mu[0]).r, capstan.solve_batch(W, b, np.tile(mu[0], (5, 1))).r
    )


def test_a_batch_with_masses():
    rng = np.random.default_rng(4)
    H = rng.standard_normal((20, 12, 9))
    A = rng.standard_normal((20, 9, 9))
    M, f = A @ A.transpose(0, 2, 1) + np.eye(9), rng.standard_normal((20, 9))
    w = rng.standard_normal((20, 12))
    for given in ({}, {"w": w}):
        batch = capstan.solve_batch(M=M, f=f, H=H, mu=0.5, **given)
        for k in range(20):
            own = {name: value[k] for name, value in given.items()}
            single = capstan.solve(M=M[k], f=f[k], H=H[k], mu=0.5, **own)
            equal_to_single(batch, k, single)
            np.testing.assert_array_equal(batch.v[k], single.v)


def test_guesses_are_one_row_a_problem():
    W, b = falling_boxes(20)
    first = capstan.solve_batch(W, b, 0.5)
    again = capstan.solve_batch(W, b, 0.5, guess=first.r)
    assert first.iterations.max() > 0 and again.iterations.max() == 0
    np.testing.assert_array_equal(again.r, first.r)


def test_any_order_in_memory():
    W, b = falling_boxes(6)
    expected = capstan.solve_batch(W, b, 0.5).r
    for W2, b2 in (
        (np.asfortranarray(W), np.asfortranarray(b)),
        (np.broadcast_to(W[0], W.shape), b),
        (list(W), list(b)),
        (np.repeat(W, 2, axis=0)[::2], np.repeat(b, 2, axis=0)[::2]),
    ):
        np.testing.assert_array_equal(capstan.solve_batch(W2, b2, 0.5).r, expected)


def test_problems_of_any_size_as_a_list():
    problems = [capstan.sample(name) for name in ("slope", "stack_3", "wall_8", "slope_sliding")]
    for given in (problems, tuple(problems), (p for p in problems)):
        solutions = capstan.solve_batch(given, tolerance=1e-7)
        for problem, solution in zip(problems, solutions):
            np.testing.assert_array_equal(solution.r, problem.solve(tolerance=1e-7).r)
    assert capstan.solve_batch([]) == []


def test_an_empty_batch():
    batch = capstan.solve_batch(np.zeros((0, 3, 3)), np.zeros((0, 3)), 0.5)
    assert len(batch) == 0 and batch.r.shape == (0, 3)
    assert "0 of 0" in repr(batch)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"W": np.eye(12)}, r"W: has shape \(12, 12\), expected 3 dimensions"),
        ({"W": np.ones((5, 12, 6))}, r"W: has shape \(5, 12, 6\), expected \(5, 12, 12\), squares"),
        ({"b": np.zeros((4, 12))}, r"b: has shape \(4, 12\), expected \(5, 12\), one row a problem of W"),
        ({"mu": np.ones((5, 3))}, r"mu: has 3 entries|mu: has shape \(5, 3\)"),
        (
            {"mu": np.ones((6, 4))},
            r"mu: has shape \(6, 4\), expected a number, \(4,\), \(5, 4\) or \(5, 4, 2\)",
        ),
        ({"guess": np.zeros((5, 11))}, r"guess: has shape \(5, 11\), expected \(5, 12\)"),
        ({"solver": "gauss"}, r"solver: there is no 'gauss'"),
        ({"tolerance": -1}, r"problem 0: tolerance: is -1"),
        ({"b": None}, r"b: is missing"),
    ],
)
def test_bad_input_is_named(change, message):
    W, b = falling_boxes(5)
    with pytest.raises(capstan.InputError, match="^(" + message + ")"):
        capstan.solve_batch(**{"W": W, "b": b, "mu": 0.5, **change})


def test_the_first_bad_problem_is_named_whatever_the_threads():
    W, b = falling_boxes(200)
    b[57, 2] = b[150, 0] = np.nan
    W[120, 4, 4] = np.inf
    for threads in (1, 2):
        with pytest.raises(capstan.InputError, match="^problem 57: b: entry 2 is nan"):
            capstan.solve_batch(W, b, 0.5, threads=threads)


def test_what_is_no_batch_is_named():
    with pytest.raises(capstan.InputError, match=r"^W: has shape \(\), expected 3 dimensions"):
        capstan.solve_batch(3, [1], 0.5)
    with pytest.raises(TypeError, match="^W: has dtype object"):
        capstan.solve_batch(capstan.sample("slope"), [1], 0.5)


def test_parts_have_no_place_beside_whole_problems():
    with pytest.raises(capstan.InputError, match="^mu: has no place beside whole problems"):
        capstan.solve_batch([capstan.sample("slope")], mu=0.5)
