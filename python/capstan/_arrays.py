"""From what users give to what capstan._core reads: float64, in place where it is that, else converted.

Whatever is wrong is an InputError or a TypeError that begins with the name of the argument.
"""

from __future__ import annotations

import operator
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import CompressedRows, InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

_INT32_MAX = np.iinfo(np.int32).max


def is_sparse(value: object) -> bool:
    """Whether it is one of scipy's sparse matrices or arrays; without importing scipy."""
    return hasattr(value, "tocsr") and hasattr(value, "nnz")


def _float64(name: str, array: NDArray[Any]) -> Floats:
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: has dtype {array.dtype}, expected real numbers")
    return array.astype(np.float64, copy=False)


def check_shape(name: str, found: Sequence[int], expected: Sequence[int], why: str = "") -> None:
    """Raises unless the shapes are the same; `why` explains the expected one."""
    if tuple(found) != tuple(expected):
        raise InputError(f"{name}: has shape {tuple(found)}, expected {tuple(expected)}{why and ', ' + why}")


def array_of(name: str, value: Optional[ArrayLike], ndim: Optional[int] = None) -> Floats:
    """An array of that many dimensions (None: any), in any order in memory."""
    if value is None:
        raise InputError(f"{name}: is missing")
    if is_sparse(value):
        raise TypeError(f"{name}: is a sparse matrix, expected a numpy array")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InputError(f"{name}: is no array of numbers: {error}") from None
    array = _float64(name, array)
    if ndim is not None and array.ndim != ndim:
        raise InputError(f"{name}: has shape {array.shape}, expected {ndim} dimension{'s' * (ndim > 1)}")
    # Steps back and steps by parts of a number are nothing that Eigen could walk in.
    if not array.flags.aligned or any(s < 0 or s % array.itemsize for s in array.strides):
        array = np.ascontiguousarray(array)
    return array


def vector_of(name: str, value: Optional[ArrayLike], size: int, why: str = "") -> Floats:
    """A contiguous vector of that size."""
    array = np.ascontiguousarray(array_of(name, value, 1))
    check_shape(name, array.shape, (size,), why)
    return array


def check_finite(name: str, array: Floats) -> None:
    finite = np.isfinite(array)
    if not finite.all():
        at = np.unravel_index(int(np.argmin(finite)), array.shape)
        where = int(at[0]) if array.ndim == 1 else tuple(int(k) for k in at)
        raise InputError(f"{name}: entry {where} is {array[at]}, expected a finite number")


def _int32(name: str, indices: NDArray[Any]) -> Ints:
    if indices.size and indices.max() > _INT32_MAX:
        raise InputError(f"{name}: has indices above {_INT32_MAX}")
    return np.ascontiguousarray(indices, dtype=np.int32)


def compressed(name: str, matrix: Any) -> tuple[Ints, Ints, Floats]:
    """indptr, indices and data of scipy's CSR or BSR; blocks one after the other, each row by row."""
    data = np.ascontiguousarray(_float64(name, matrix.data)).reshape(-1)
    return _int32(name, matrix.indptr), _int32(name, matrix.indices), data


def shape_of(name: str, matrix: Any) -> tuple[int, int]:
    """Of a dense or sparse matrix."""
    if is_sparse(matrix):
        rows, columns = matrix.shape
    else:
        rows, columns = array_of(name, matrix, 2).shape
    return int(rows), int(columns)


def rows_of(name: str, matrix: Any) -> CompressedRows:
    """A dense or sparse matrix by its rows."""
    if not is_sparse(matrix):
        return CompressedRows.from_dense(array_of(name, matrix, 2))
    rows, columns = shape_of(name, matrix)
    return CompressedRows(name, rows, columns, *compressed(name, matrix.tocsr()))


def int_of(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: is {value!r}, expected a whole number") from None


def float_of(name: str, value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: is {value!r}, expected a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: is {value!r}, expected a number") from None
