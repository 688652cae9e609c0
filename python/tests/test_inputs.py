"""All forms of the same problem give the same bits; what is wrong is said by name."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sparse

import capstan


@pytest.fixture(scope="module")
def wall():
    return capstan.sample("wall_8")


def same(first, second):
    np.testing.assert_array_equal(first.r, second.r)
    np.testing.assert_array_equal(first.u, second.u)


def test_all_forms_of_W_give_the_same_bits(wall):
    W, b, mu = wall.W, wall.b, wall.mu
    expected = capstan.solve(W, b, mu)
    assert expected.converged and W.format == "bsr"
    dense = W.toarray()
    backwards = np.ascontiguousarray(dense[::-1])[::-1]
    unaligned = np.zeros(dense.size * 8 + 1, np.uint8)[1:].view(np.float64).reshape(dense.shape)
    unaligned[:] = dense
    forms = [dense, np.asfortranarray(dense), backwards, unaligned, dense.tolist(), np.repeat(dense, 2, axis=1)[:, ::2],
             W.tocsr(), W.tocsc(), W.tocoo(), sparse.csr_matrix(W), sparse.bsr_matrix(W), W.tobsr((1, 1))]  # fmt: skip
    for form in forms:
        same(capstan.solve(form, b, mu, dimension=3), expected)
    with_int64 = W.copy()
    with_int64.indices, with_int64.indptr = W.indices.astype(np.int64), W.indptr.astype(np.int64)
    same(capstan.solve(with_int64, b, mu), expected)


def test_all_forms_of_M_and_H_give_the_same_bits(wall):
    M, f, H, w, mu = wall.M, wall.f, wall.H, wall.w, wall.mu
    expected = capstan.solve(M=M, f=f, H=H, w=w, mu=mu)
    assert expected.converged
    blocks = [M.toarray()[k : k + 6, k : k + 6] for k in range(0, wall.dofs, 6)]
    for mass in (M, M.tocsr(), M.tobsr((6, 6)), M.toarray(), blocks, tuple(blocks)):
        for jacobian in (H, H.tocsc(), H.tobsr((3, 6)), H.toarray(), np.asfortranarray(H.toarray())):
            solution = capstan.solve(M=mass, f=f, H=jacobian, w=w, mu=mu)
            same(solution, expected)
            np.testing.assert_array_equal(solution.v, expected.v)


def test_the_same_problem_with_and_without_masses_has_the_same_answer(wall):
    # u is unique here: rounding apart, both ways lead to it.
    with_mass = capstan.solve(wall, tolerance=1e-10)
    reduced = capstan.solve(wall.W, wall.b, wall.mu, tolerance=1e-10)
    np.testing.assert_allclose(with_mass.u, reduced.u, atol=1e-7)


def test_w_is_zero_if_it_is_left_out():
    same(capstan.solve(M=np.eye(3), f=[-1, 0, 0], H=np.eye(3), w=[0, 0, 0], mu=0.5),
         capstan.solve(M=np.eye(3), f=[-1, 0, 0], H=np.eye(3), mu=0.5))  # fmt: skip


def test_all_forms_of_mu_give_the_same_bits(wall):
    expected = capstan.solve(wall.W, wall.b, 0.6)
    n = wall.contacts
    for mu in (np.array(0.6), np.full(n, 0.6), [0.6] * n, np.full((n, 2), 0.6)):
        same(capstan.solve(wall.W, wall.b, mu), expected)


def test_other_numbers_are_converted():
    same(
        capstan.solve(np.eye(3, dtype=np.float32), [-1, 0, 0], 1), capstan.solve(np.eye(3), [-1.0, 0, 0], 1.0)
    )
    same(capstan.solve(np.eye(3, dtype=">f8"), [-1, 0, 0], 1), capstan.solve(np.eye(3), [-1.0, 0, 0], 1.0))


def test_the_dimension_follows_from_the_shapes():
    W = np.eye(12)
    b = -np.ones(12)
    assert capstan.Problem(W, b, 0.5).dimension == 3
    assert capstan.Problem(W, b, np.full(6, 0.5)).dimension == 2
    assert capstan.Problem(W, b, np.full((3, 3), 0.5)).dimension == 4
    assert capstan.Problem(sparse.bsr_array(W, blocksize=(2, 2)), b, 0.5).dimension == 2
    assert capstan.Problem(W, b, 0.5, laws={"shift": [0, 0]}).dimension == 2
    assert capstan.Problem(W, b, 0.5, dimension=2).contacts == 6


def test_arrays_of_float64_are_read_in_place():
    # The blocks that the solver keeps are not numpy's: whatever numpy allocates here is a copy of the input.
    rng = np.random.default_rng(3)
    n = 120
    A = rng.standard_normal((3 * n, 3 * n))
    W, b = A @ A.T / n + np.eye(3 * n), rng.standard_normal(3 * n)
    H, M = rng.standard_normal((3 * n, 240)), np.eye(240)
    rows, blocks = sparse.csr_array(W), sparse.bsr_array(W, blocksize=(3, 3))
    calls = {
        "dense": (W.nbytes, lambda: capstan.Problem(W, b, 0.5)),
        "Fortran": (W.nbytes, lambda: capstan.Problem(W.T, b, 0.5)),
        "CSR": (rows.data.nbytes, lambda: capstan.Problem(rows, b, 0.5)),
        "BSR": (blocks.data.nbytes, lambda: capstan.Problem(blocks, b, 0.5)),
        "H": (H.nbytes, lambda: capstan.Problem(M=M, f=np.zeros(240), H=H, mu=0.5)),
        "batch": (W.nbytes, lambda: capstan.solve_batch(W[np.newaxis], b[np.newaxis], 0.5, max_iterations=1)),
    }
    for name, (size, call) in calls.items():
        call()
        tracemalloc.start()
        call()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < size / 4, name
    tracemalloc.start()  # and a copy would be seen
    capstan.Problem(W.astype(np.float32), b, 0.5)
    assert tracemalloc.get_traced_memory()[1] > W.nbytes
    tracemalloc.stop()


def test_inputs_are_not_changed(wall):
    W, b = wall.W.toarray(), wall.b.copy()
    W.flags.writeable = b.flags.writeable = False
    same(capstan.solve(W, b, wall.mu), capstan.solve(wall.W, wall.b, wall.mu))


I3 = np.eye(3)
GOOD = {"M": I3, "f": [-1, 0, 0], "H": I3, "mu": 0.5}
RAGGED = [[1, 0, 0], [0, 1]]
FAR = sparse.csr_array(I3)
FAR.indices = np.array([0, 1, 3], dtype=np.int32)
SHORT = sparse.csr_array(I3)
SHORT.indptr = np.array([0, 2, 1, 3], dtype=np.int32)

BAD_INPUTS = [
    (dict(), r"W or M: is missing; give W, b, mu, or M, f, H, mu"),
    (dict(W=I3, mu=1), r"b: is missing"),
    (dict(W=I3, b=[0, 0, 0]), r"mu: is missing"),
    (dict(M=I3, f=[0, 0, 0], mu=1), r"H: is missing"),
    (dict(W=I3, b=[0, 0, 0], mu=1, H=I3), r"H: has no place beside W"),
    (dict(W=np.ones((3, 4)), b=[0, 0, 0], mu=1), r"W: has shape \(3, 4\), expected \(3, 3\), a square"),
    (dict(W=I3.ravel(), b=[0, 0, 0], mu=1), r"W: has shape \(9,\), expected 2 dimensions"),
    (dict(W=RAGGED, b=[0, 0, 0], mu=1), r"W: is no array of numbers"),
    (dict(W=np.eye(4), b=np.zeros(4), mu=1), r"W: has 4 rows, expected .*dimension=\.\.\. tells which"),
    (dict(W=np.eye(4), b=np.zeros(4), mu=[1, 1, 1]),
     r"mu: has 3 entries, expected a number, or one per contact: 2 \(contacts of dimension 2\) or 1 \(contacts of "
     r"dimension 4\), since W has 4 rows"),
    (dict(W=np.eye(6), b=np.zeros(6), mu=[1], dimension=3),
     r"mu: has 1 entry, expected a number, or one per contact: 2 \(contacts of dimension 3\), since W has 6 rows"),
    (dict(M=np.eye(6), f=np.zeros(6), H=np.eye(6), mu=np.ones(5)), r"mu: has 5 entries, expected .* since H has 6 rows"),
    (dict(W=I3, b=[0, 0, 0], mu=1, dimension=2), r"W: has 3 rows, expected as many rows a contact as dimension 2 has"),
    (dict(W=np.eye(5), b=np.zeros(5), mu=1, dimension=5), r"W: has 5 rows, expected"),
    (dict(W=I3, b=[0, 0], mu=1), r"b: has shape \(2,\), expected \(3,\), as many as W has rows"),
    (dict(W=I3, b=[[0, 0, 0]], mu=1), r"b: has shape \(1, 3\), expected 1 dimension"),
    (dict(W=I3, b=[0, np.nan, 0], mu=1), r"b: entry 1 is nan"),
    (dict(W=np.full((3, 3), np.inf), b=[0, 0, 0], mu=1), r"W: block \(0, 0\) has an entry that is not finite"),
    (dict(W=sparse.csr_array(np.full((3, 3), np.inf)), b=[0, 0, 0], mu=1), r"W: block \(0, 0\) has an entry that is not finite"),
    (dict(W=FAR, b=[0, 0, 0], mu=1), r"W: entry 2 of its indices is 3, expected 0 to 2"),
    (dict(W=SHORT, b=[0, 0, 0], mu=1), r"W: its indptr does not rise from 0 to the number of its indices over 3 rows"),
    (dict(W=I3, b=[0, 0, 0], mu=-1), r"mu of contact 0: is -1\.0+, expected a finite number >= 0"),
    (dict(W=I3, b=[0, 0, 0], mu=[np.nan]), r"mu: entry 0 is nan"),
    (dict(W=np.eye(6), b=np.zeros(6), mu=[[1, 1], [1]]), r"mu: is no array of numbers"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"shift": RAGGED}), r"laws.shift: is no array of numbers"),
    ({**GOOD, "M": [RAGGED, I3]}, r"M: is no array of numbers"),
    (dict(W=np.eye(6), b=np.zeros(6), mu=np.ones((2, 1))), r"mu: has shape \(2, 1\), expected a number, \(2,\) or \(2, 2\)"),
    (dict(W=np.eye(8), b=np.zeros(8), mu=1, dimension=4), r"mu: has shape \(\), expected \(2, 3\), .*torque"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"bounce": 1}), r"laws: has no 'bounce'; there are restitution, velocity_before"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"restitution": 0.5}), r"laws.velocity_before: is missing"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"velocity_before": [1]}), r"laws.restitution: is missing"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"restitution": 2, "velocity_before": [1]}), r"laws.restitution: .* \[0, 1\]"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"traction": [[1, 0]]}, dimension=3),
     r"laws.traction: has shape \(1, 2\), expected \(3,\) or \(1, 3\)"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"traction": [-1, 0, 0]}), r"traction of contact 0: is -1"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws={"shift": [np.inf, 0, 0]}), r"laws.shift: entry 0 is inf"),
    ({**GOOD, "M": np.ones((3, 2))}, r"M: has shape \(3, 2\), expected \(3, 3\), a square"),
    ({**GOOD, "M": -I3}, r"M: block of body 0 is not positive definite"),
    ({**GOOD, "M": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, r"M: entry \(0, 1\) = 1\.0+ differs from its mirror image"),
    ({**GOOD, "M": [np.eye(2), np.ones((1, 2))]}, r"M: block of body 1 is 1 x 2, expected a square"),
    ({**GOOD, "f": [1, 2]}, r"f: has shape \(2,\), expected \(3,\), as many as M has rows"),
    ({**GOOD, "f": [1, 2, np.inf]}, r"f: entry 2 is inf"),
    ({**GOOD, "H": np.ones((3, 6))}, r"H: has shape \(3, 6\), expected 3 columns as M has; is it transposed\?"),
    ({**GOOD, "H": np.ones((6, 4))}, r"H: has shape \(6, 4\), expected 3 columns as M has$"),
    ({**GOOD, "H": np.full((3, 3), np.nan)}, r"H: block of contact 0 on body 0 has an entry that is not finite"),
    ({**GOOD, "w": [1]}, r"w: has shape \(1,\), expected \(3,\), as many as H has rows"),
    ({**GOOD, "w": [1, 1, np.nan]}, r"w: entry 2 is nan"),
    ({**GOOD, "guess": [1, 2]}, r"guess: has shape \(2,\), expected \(3,\)"),
    ({**GOOD, "guess": [1, 2, np.nan]}, r"guess: entry 2 is nan"),
    ({**GOOD, "solver": "gauss"}, r"solver: there is no 'gauss'"),
    ({**GOOD, "solver": "intrior"}, r"solver: there is no 'intrior'; did you mean 'interior'\? \(capstan.solvers\(\) lists"),
    ({**GOOD, "measure": "size"}, r"measure: is 'size', expected 'error' or 'natural_map'"),
    ({**GOOD, "tolerance": 0}, r"tolerance: is 0\.0+, expected a number > 0"),
    ({**GOOD, "max_iterations": -1}, r"max_iterations: is -1, expected 0 or more"),
    ({**GOOD, "time_limit": 0}, r"time_limit: is 0\.0+, expected a number > 0"),
    ({**GOOD, "threads": -1}, r"threads: is -1, expected 0 or more"),
    (dict(W=capstan.sample("slope"), mu=1), r"mu: has no place beside a whole problem"),
]  # fmt: skip

BAD_TYPES = [
    (dict(W=I3 * 1j, b=[0, 0, 0], mu=1), r"W: has dtype complex128, expected real numbers"),
    (dict(W=sparse.csr_array(I3 * 1j), b=[0, 0, 0], mu=1), r"W: has dtype complex128, expected real numbers"),
    (dict(W=I3, b=["x", "y", "z"], mu=1), r"b: has dtype <U1, expected real numbers"),
    (dict(W=I3, b=[0, 0, 0], mu="high"), r"mu: has dtype"),
    (dict(W=I3, b=sparse.csr_array([[0, 0, 0]]), mu=1), r"b: is a sparse matrix, expected a numpy array"),
    (dict(W=I3, b=[0, 0, 0], mu=1, laws=3), r"laws: is a int, expected a capstan.Laws or a dictionary"),
    (dict(W=I3, b=[0, 0, 0], mu=1, dimension=3.5), r"dimension: is 3.5, expected a whole number"),
    ({**GOOD, "solver": 3}, r"solver: is 3, expected a str"),
    ({**GOOD, "tolerance": "small"}, r"tolerance: is 'small', expected a number"),
    ({**GOOD, "max_iterations": 1.5}, r"max_iterations: is 1.5, expected a whole number"),
    ({**GOOD, "on_judged": 3}, r"on_judged: is 3, expected a function"),
]


@pytest.mark.parametrize("arguments, message", BAD_INPUTS)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(capstan.InputError, match="^" + message):
        capstan.solve(**arguments)


@pytest.mark.parametrize("arguments, message", BAD_TYPES)
def test_bad_types_are_named(arguments, message):
    with pytest.raises(TypeError, match="^" + message):
        capstan.solve(**arguments)


def test_input_errors_are_value_errors():
    assert issubclass(capstan.InputError, ValueError)
    with pytest.raises(ValueError, match="r: has shape"):
        capstan.certify(I3, [0, 0, 0], 1, r=[1])
