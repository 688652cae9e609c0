"""Pictures of simulations and recordings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError

Pixels = NDArray[np.uint8]

_OPTIONS = (
    "width",
    "height",
    "samples",
    "azimuth",
    "elevation",
    "zoom",
    "orthographic",
    "color",
    "strain_high",
    "wireframe",
)


def picture_options(given: Mapping[str, Any]) -> _core.PictureOptions:
    options = _core.PictureOptions()
    options.azimuth = 150.0  # as of `capstan frame`: three-quarter
    for name, value in given.items():
        if name not in _OPTIONS:
            raise InputError(f"picture: has no '{name}'; there are {', '.join(_OPTIONS)}")
        try:
            setattr(options, name, value)
        except TypeError:
            raise TypeError(f"{name}: is {value!r}, expected another type") from None
    return options


def write_png(path: Union[str, os.PathLike[str]], pixels: Pixels) -> None:
    """Saves (height, width, 3) of uint8 as a PNG file; needs no other package.

    >>> import capstan
    >>> import numpy as np, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "black.png"
    >>> capstan.write_png(path, np.zeros((4, 4, 3), np.uint8))
    >>> path.read_bytes()[1:4]
    b'PNG'
    """
    array = np.asarray(pixels)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or not array.size:
        raise InputError(
            f"pixels: has shape {array.shape} and dtype {array.dtype}, expected (height, width, 3) of uint8"
        )
    Path(path).write_bytes(_core.png(np.ascontiguousarray(array)))
