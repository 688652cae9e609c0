"""What every contact obeys, beside its friction."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import Floats, array_of, check_finite, check_shape
from ._core import InputError


@dataclass
class Laws:
    """Restitution, shift and traction of contacts: r = S x - E (u + s), y = S (u + s), see docs/solver.md.

    Everything is optional, and what is left out is zero. n contacts in dimension d; in a batch all of them
    may have one more dimension in front, the problem.

    >>> import capstan
    >>> fall = capstan.Laws(restitution=0.5, velocity_before=[-2.0])
    >>> solution = capstan.solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-2, 0, 0], mu=0.3, laws=fall)
    >>> print(solution.u[0])  # what came with 2 m/s goes with half of that
    1.0
    """

    restitution: Optional[ArrayLike] = None
    """Newton's coefficient, from 0 to 1: a number, or one a contact."""
    velocity_before: Optional[ArrayLike] = None
    """Normal relative velocity before the step, m/s, one a contact; those that separate get no bounce."""
    traction: Optional[ArrayLike] = None
    """Diagonal of E, kg (a spring over the step: dt^2 times its stiffness): (d,) for all, or (n, d)."""
    shift: Optional[ArrayLike] = None
    """s, m/s, added to the velocity in the law: (d,) for all contacts or (n, d)."""


def as_laws(laws: Union[Laws, Mapping[str, Any], None]) -> Laws:
    """Laws may also be given as a dictionary."""
    if laws is None:
        return Laws()
    if isinstance(laws, Laws):
        return laws
    if not isinstance(laws, Mapping):
        raise TypeError(f"laws: is a {type(laws).__name__}, expected a capstan.Laws or a dictionary")
    known = [field.name for field in fields(Laws)]
    for key in laws:
        if key not in known:
            raise InputError(f"laws: has no '{key}'; there are {', '.join(known)}")
    return Laws(**laws)


Shape = Tuple[int, ...]


def _one_of(shapes: Sequence[Shape]) -> str:
    """In words; () is a number."""
    *first, last = ["a number" if shape == () else str(shape) for shape in shapes]
    return f"{', '.join(first)} or {last}" if first else last


def _spread(name: str, value: Any, contacts: Shape, axes: Shape, also: Sequence[Shape] = ()) -> Floats:
    """One row a contact, from one for each of them or one for all (in a batch also: for each of a problem).

    `axes` is the shape that belongs to one contact; `also` are shapes that the caller knows how to read.
    """
    array = array_of(name, value)
    known = [contacts[k:] + axes for k in range(len(contacts), -1, -1)]
    if array.shape not in known:
        raise InputError(f"{name}: has shape {array.shape}, expected {_one_of([*known, *also])}")
    check_finite(name, array)
    return np.ascontiguousarray(np.broadcast_to(array, contacts + axes)).reshape((-1,) + axes)


def friction_of(mu: Any, contacts: Shape, dimension: int) -> Floats:
    """(contacts, d - 1) from a number, one a contact, or one a contact and tangent.

    `contacts` is (n,), or (problems, n) in a batch.
    """
    each = contacts + (dimension - 1,)
    array = array_of("mu", mu)
    if dimension == 4 or array.shape == each:
        check_shape(
            "mu",
            array.shape,
            each,
            "a coefficient a tangent" + ", then the one of the torque in m" * (dimension == 4),
        )
        check_finite("mu", array)
        return np.ascontiguousarray(array).reshape(-1, dimension - 1)
    return np.repeat(_spread("mu", array, contacts, (), [each])[:, np.newaxis], dimension - 1, axis=1)


def core_laws(mu: Any, laws: Laws, contacts: Shape, dimension: int) -> _core.Laws:
    """Checked, and one row for each of the contacts of all problems."""
    friction = friction_of(mu, contacts, dimension)
    traction = (
        None if laws.traction is None else _spread("laws.traction", laws.traction, contacts, (dimension,))
    )
    shift = None if laws.shift is None else _spread("laws.shift", laws.shift, contacts, (dimension,))
    restitution = velocity = None
    if laws.restitution is not None:
        restitution = _spread("laws.restitution", laws.restitution, contacts, ())
        if restitution.size and not (restitution.min() >= 0 and restitution.max() <= 1):
            raise InputError("laws.restitution: has an entry outside of [0, 1]")
        if laws.velocity_before is None:
            raise InputError("laws.velocity_before: is missing; restitution needs it")
    if laws.velocity_before is not None:
        if laws.restitution is None:
            raise InputError("laws.restitution: is missing; velocity_before has no meaning without it")
        velocity = array_of("laws.velocity_before", laws.velocity_before, len(contacts))
        check_shape("laws.velocity_before", velocity.shape, contacts, "one a contact")
        check_finite("laws.velocity_before", velocity)
        velocity = np.ascontiguousarray(velocity).reshape(-1)
    return _core.Laws(friction, traction, shift, restitution, velocity)
