"""Scenes as dictionaries: written as the TOML that a scene file would be, so that one reader checks both."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping

import numpy as np

from ._core import InputError

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def _key(name: object, where: str) -> str:
    if not isinstance(name, str):
        raise InputError(f"{where or 'scene'}: has the key {name!r}, expected a text")
    return name if name and set(name) <= _BARE else _text(name)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _number(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def toml_value(value: Any, where: str = "") -> str:
    """One value, on one line."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, os.PathLike):
        return _text(os.fspath(value))
    if isinstance(value, Mapping):
        inner = [f"{_key(k, where)} = {toml_value(v, f'{where}.{k}')}" for k, v in value.items()]
        return "{ " + ", ".join(inner) + " }" if inner else "{}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(v, f"{where}[{k}]") for k, v in enumerate(value)) + "]"
    raise InputError(f"{where}: is a {type(value).__name__}, expected a number, text, list or dictionary")


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(v, Mapping) for v in value)


def to_toml(scene: Mapping[str, Any]) -> str:
    """A scene given as a dictionary, as the text of a scene file.

    Tables are dictionaries, [[...]] are lists of them; numbers, texts, lists, numpy arrays and paths may be
    in them. docs/scene.md has all keys.

    >>> import capstan
    >>> print(capstan.to_toml({"title": "one ball", "rigid": [{"shape": "sphere", "radius": 0.1}]}), end="")
    title = "one ball"
    <BLANKLINE>
    [[rigid]]
    shape = "sphere"
    radius = 0.1
    """
    values, tables = [], []
    for name, value in scene.items():
        key = _key(name, "")
        parts = value if _is_tables(value) else [value]
        if isinstance(parts[0], Mapping):
            head = f"[[{key}]]" if _is_tables(value) else f"[{key}]"
            for part in parts:
                lines = [f"{_key(k, name)} = {toml_value(v, f'{name}.{k}')}" for k, v in part.items()]
                tables.append("\n".join(["", head, *lines]))
        else:
            values.append(f"{key} = {toml_value(value, name)}")
    return "\n".join(values + tables).lstrip("\n") + "\n"
