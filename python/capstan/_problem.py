"""Contact problems: made from arrays, read from files, or built in."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import (
    Floats,
    array_of,
    check_shape,
    compressed,
    int_of,
    is_sparse,
    rows_of,
    shape_of,
    vector_of,
)
from ._core import InputError
from ._laws import Laws, as_laws, core_laws

if TYPE_CHECKING:
    from ._solution import Certificate, Solution

LawsLike = Union[Laws, Mapping[str, Any], None]


class ProblemInfo(NamedTuple):
    """What a file says about its problem; free text."""

    title: str = ""
    description: str = ""
    math_info: str = ""


class StoredSolution(NamedTuple):
    """An answer that came with a problem's file. Others often store zeros: certify it before any use."""

    r: Floats
    u: Floats
    v: Optional[Floats]


class Problem:
    """One step of frictional contact: n contacts in dimension d = 2, 3 or 4.

    Either with masses, or reduced to the contacts:

        M v = f + H^T r,   u = H v + w        M (dofs, dofs), f (dofs,), H (d n, dofs), w (d n,)
        u = W r + b                           W (d n, d n), b (d n,)

    r are impulses in N s, u relative velocities in m/s, d a contact: the normal first, then the tangents; in
    dimension 4 then the torque about the normal and the spin. M, H and W are numpy arrays or scipy's sparse
    ones, M also a list of dense blocks, one a body. mu is a number, one a contact, or (n, d - 1): one a
    tangent. w is zero if it is left out.

    The dimension follows from the shapes of mu and the laws or from the blocks of a BSR matrix, and is 3 if
    these do not tell.

    >>> import capstan
    >>> problem = capstan.Problem(W=[[2, 0], [0, 1]], b=[-1, 0.1], mu=[0.5])
    >>> problem
    <capstan.Problem: 1 contact in dimension 2>
    >>> print(problem.solve(tolerance=1e-9).r.round(6))
    [ 0.5 -0.1]
    """

    def __init__(
        self,
        W: Any = None,
        b: Optional[ArrayLike] = None,
        mu: Optional[ArrayLike] = None,
        *,
        M: Any = None,
        f: Optional[ArrayLike] = None,
        H: Any = None,
        w: Optional[ArrayLike] = None,
        laws: LawsLike = None,
        dimension: Optional[int] = None,
    ) -> None:
        reduced, with_mass = {"W": W, "b": b}, {"M": M, "f": f, "H": H, "w": w}
        check_form(reduced, with_mass)
        self.info = ProblemInfo()
        self.stored_solution: Optional[StoredSolution] = None
        if W is not None:
            self._core = _reduced(W, b, mu, as_laws(laws), dimension)
        else:
            self._core = _with_mass(M, f, H, w, mu, as_laws(laws), dimension)

    @classmethod
    def _of(cls, core: _core.Problem) -> Problem:
        problem = cls.__new__(cls)
        problem._core = core
        problem.info = ProblemInfo()
        problem.stored_solution = None
        return problem

    @property
    def dimension(self) -> int:
        """d: 2, 3 or 4."""
        return self._core.dimension

    @property
    def contacts(self) -> int:
        """n."""
        return self._core.contacts

    @property
    def dofs(self) -> int:
        """Degrees of freedom; 0 if the problem is reduced."""
        return self._core.dofs

    @property
    def has_mass(self) -> bool:
        """Whether there are M, f, H, w, and not only W and b."""
        return self._core.has_mass

    def _need_mass(self, name: str) -> None:
        if not self.has_mass:
            raise AttributeError(f"{name}: the problem is reduced to W and b, without masses")

    @cached_property
    def M(self) -> Any:
        """Mass matrix, scipy.sparse.csc_array; only with masses."""
        self._need_mass("M")
        from scipy.sparse import csc_array

        indptr, indices, data = self._core.M()
        return csc_array((data, indices, indptr), shape=(self.dofs, self.dofs))

    @cached_property
    def H(self) -> Any:
        """Contact Jacobian, scipy.sparse.csr_array; only with masses."""
        self._need_mass("H")
        from scipy.sparse import csr_array

        indptr, indices, data = self._core.H()
        return csr_array((data, indices, indptr), shape=(self.dimension * self.contacts, self.dofs))

    @cached_property
    def W(self) -> Any:
        """Delassus operator, scipy.sparse.bsr_array; assembled from M and H if need be."""
        from scipy.sparse import bsr_array

        indptr, indices, data = self._core.W()
        size = self.dimension * self.contacts
        return bsr_array((data, indices, indptr), shape=(size, size))

    @cached_property
    def f(self) -> Floats:
        """Momenta, N s; only with masses."""
        self._need_mass("f")
        return self._core.f()

    @cached_property
    def w(self) -> Floats:
        """Relative velocities that do not depend on v, m/s; only with masses."""
        self._need_mass("w")
        return self._core.w()

    @cached_property
    def b(self) -> Floats:
        """Relative velocities without impulses, m/s."""
        return self._core.b()

    @cached_property
    def mu(self) -> Floats:
        """Friction coefficients: (n,) if every contact has but one, else (n, d - 1)."""
        friction = self._core.friction()
        return friction[:, 0].copy() if (friction == friction[:, :1]).all() else friction

    @cached_property
    def laws(self) -> Laws:
        """Traction and shift where there are any; restitution has become a shift."""
        traction, shift = self._core.traction(), self._core.shift()
        return Laws(traction=traction if traction.any() else None, shift=shift if shift.any() else None)

    def solve(self, **options: Any) -> Solution:
        """capstan.solve with this problem."""
        from ._solve import solve

        return solve(self, **options)

    def certify(self, r: ArrayLike) -> Certificate:
        """capstan.certify with this problem."""
        from ._solve import certify

        return certify(self, r=r)

    def save(
        self,
        path: Union[str, os.PathLike[str]],
        solution: Optional[Solution] = None,
        format: Optional[str] = None,
    ) -> None:
        """Writes the problem to a file, no bit of it lost.

        format: 'fclib' (HDF5; any law, and a solution if one is given) or 'siconos' (text; Coulomb friction
        alone); None is siconos for names that end in .dat. An existing file is replaced.
        """
        path = os.fspath(path)
        kind = format or ("siconos" if path.endswith(".dat") else "fclib")
        if kind not in ("fclib", "siconos"):
            raise InputError(f"format: is {format!r}, expected 'fclib' or 'siconos'")
        if kind == "siconos":
            if solution is not None:
                raise InputError("solution: the Siconos format has no place for one; format='fclib' has")
            _core.save_siconos(path, self._core)
            return
        r, u, v = (None, None, None) if solution is None else (solution.r, solution.u, solution.v)
        _core.save_fclib(path, self._core, r, u, v, self.info)

    def plot_sparsity(self, ax: Any = None) -> Any:
        """Draws which contacts feel each other, a dot a block of W. Returns the axes. Needs matplotlib."""
        from ._plot import plot_sparsity

        return plot_sparsity(self, ax)

    def __repr__(self) -> str:
        dofs = f", {self.dofs} dofs" if self.has_mass else ""
        title = f" '{self.info.title}'" if self.info.title else ""
        plural = "" if self.contacts == 1 else "s"
        return (
            f"<capstan.Problem{title}: {self.contacts} contact{plural} in dimension {self.dimension}{dofs}>"
        )


def check_form(reduced: Mapping[str, Any], with_mass: Mapping[str, Any]) -> None:
    """Either all of W, b, or all of M, f, H, and nothing of the other; w may be left out."""
    if reduced["W"] is None and with_mass["M"] is None:
        raise InputError("W or M: is missing; give W, b, mu, or M, f, H, mu")
    chosen, other = (reduced, with_mass) if reduced["W"] is not None else (with_mass, reduced)
    for name, value in other.items():
        if value is not None:
            raise InputError(
                f"{name}: has no place beside {next(iter(chosen))}; give W, b, mu, or M, f, H, mu"
            )
    for name, value in chosen.items():
        if value is None and name != "w":
            raise InputError(f"{name}: is missing")


def shape_if_given(name: str, value: Any) -> Tuple[int, ...]:
    """Of an array, () of a number or of nothing."""
    return () if value is None else array_of(name, value).shape


def find_dimension(
    rows: int,
    matrix: str,
    contacts: Optional[int],
    laws: Laws,
    given: Optional[int],
    block: Optional[int] = None,
) -> Tuple[int, int]:
    """Dimension and contacts, from the rows of a matrix and what else there is.

    contacts: as mu has them, None if it has but one number. block: of a BSR matrix.
    """
    dimension = None if given is None else int_of("dimension", given)
    if dimension is None and contacts:
        dimension = rows // contacts
    for name in ("traction", "shift"):
        shape = shape_if_given(f"laws.{name}", getattr(laws, name))
        if dimension is None and shape:
            dimension = shape[-1]
    if dimension is None:
        dimension = block if block in (2, 3, 4) else 3
    if dimension not in (2, 3, 4) or rows % dimension or contacts not in (None, rows // dimension):
        if contacts is not None:
            _check_length_of_mu(contacts, rows, matrix, dimension if given is not None else None)
        told = (
            f"dimension {dimension}"
            if given is not None
            else "dimension 2, 3 or 4 (dimension=... tells which)"
        )
        raise InputError(f"{matrix}: has {rows} rows, expected as many rows a contact as {told} has")
    return dimension, rows // dimension


def _check_length_of_mu(found: int, rows: int, matrix: str, dimension: Optional[int]) -> None:
    """Raises if there is a length that would do: for each dimension, or the one that was given."""
    fitting = [d for d in (2, 3, 4) if rows % d == 0 and dimension in (None, d) and found != rows // d]
    if not fitting:
        return
    lengths = " or ".join(f"{rows // d} (contacts of dimension {d})" for d in fitting)
    raise InputError(
        f"mu: has {found} {'entry' if found == 1 else 'entries'}, expected a number, or one per contact: {lengths}, "
        f"since {matrix} has {rows} rows"
    )


def _contacts_of(mu: Any) -> Optional[int]:
    shape = shape_if_given("mu", mu)
    return shape[0] if shape else None


def _reduced(W: Any, b: Any, mu: Any, laws: Laws, dimension: Optional[int]) -> _core.Problem:
    rows, columns = shape_of("W", W)
    check_shape("W", (rows, columns), (rows, rows), "a square")
    block = W.blocksize[0] if is_sparse(W) and W.format == "bsr" else None
    d, contacts = find_dimension(rows, "W", _contacts_of(mu), laws, dimension, block)
    b = vector_of("b", b, rows, "as many as W has rows")
    each = core_laws(mu, laws, (contacts,), d)
    if not is_sparse(W):
        return _core.Problem.from_dense(d, array_of("W", W, 2), b, each)
    if W.format == "bsr" and W.blocksize == (d, d):
        return _core.Problem.from_blocks(d, *compressed("W", W), b, each)
    return _core.Problem.from_rows(d, rows_of("W", W), b, each)


def _is_list_of_blocks(M: Any) -> bool:
    """A list of matrices, one a body, rather than a matrix written as a list of rows."""
    try:
        return isinstance(M, (list, tuple)) and len(M) > 0 and all(np.ndim(block) == 2 for block in M)
    except ValueError:  # rows of different length: a matrix that will be refused
        return False


def _with_mass(
    M: Any, f: Any, H: Any, w: Any, mu: Any, laws: Laws, dimension: Optional[int]
) -> _core.Problem:
    blocks: Optional[Sequence[NDArray[np.float64]]] = None
    if _is_list_of_blocks(M):
        blocks = [array_of(f"M[{k}]", block, 2) for k, block in enumerate(M)]
        dofs = sum(block.shape[0] for block in blocks)
    else:
        dofs, columns = shape_of("M", M)
        check_shape("M", (dofs, columns), (dofs, dofs), "a square")
    rows, columns = shape_of("H", H)
    if columns != dofs:
        turned = "; is it transposed? u = H v + w" if rows == dofs else ""
        raise InputError(f"H: has shape {(rows, columns)}, expected {dofs} columns as M has{turned}")
    d, contacts = find_dimension(rows, "H", _contacts_of(mu), laws, dimension)
    f = vector_of("f", f, dofs, "as many as M has rows")
    w = np.zeros(rows) if w is None else vector_of("w", w, rows, "as many as H has rows")
    each = core_laws(mu, laws, (contacts,), d)
    if blocks is not None:
        return _core.Problem.from_mass_blocks(d, blocks, f, rows_of("H", H), w, each)
    return _core.Problem.from_mass(d, rows_of("M", M), f, rows_of("H", H), w, each)


def load(path: Union[str, os.PathLike[str]]) -> Problem:
    """Reads a problem from a file of FCLib (HDF5) or Siconos (text), whichever it is.

    Files that `capstan run --dump-problems` has left are such files. What else they hold is in `info` and
    `stored_solution` of the problem.
    """
    path = os.fspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: there is no such file")
    problem = Problem._of(_core.load(path))
    problem.info = ProblemInfo(*_core.info(path))
    stored = _core.stored_solution(path)
    if stored is not None:
        r, u, v = stored
        problem.stored_solution = StoredSolution(r, u, v if v.size else None)
    return problem


class Sample(NamedTuple):
    """A built-in problem."""

    name: str
    pattern: str
    """The family it belongs to, such as spheres_COUNT: sample() takes any number."""
    summary: str


def samples() -> list[Sample]:
    """The built-in problems.

    >>> import capstan
    >>> [s.name for s in capstan.samples()][:3]
    ['slope', 'slope_sliding', 'stack_10']
    """
    return [Sample(*line) for line in _core.samples()]


def sample(name: str) -> Problem:
    """A built-in problem: one of samples(), or a member of a family with another number.

    >>> import capstan
    >>> capstan.sample("stack_3")
    <capstan.Problem 'stack_3': 12 contacts in dimension 3, 18 dofs>
    """
    if not isinstance(name, str):
        raise TypeError(f"name: is {name!r}, expected a str")
    problem = Problem._of(_core.sample(name))
    problem.info = ProblemInfo(title=name)
    return problem
