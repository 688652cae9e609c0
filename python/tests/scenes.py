"""Small scenes that several tests use."""

from __future__ import annotations

import math
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"


def sledge(mu: float = 0.3, slope: float = 0.0, **box):
    """A box of 1 kg on a plane; gravity leans by the slope, along x."""
    return {
        "simulation": {
            "duration": 1,
            "fps": 50,
            "dt": 0.01,
            "tolerance": 1e-10,
            "gravity": [9.81 * math.sin(slope), 0, -9.81 * math.cos(slope)],
        },
        "obstacle": [{"name": "table", "shape": "plane"}],
        "rigid": [{"name": "box", "shape": "box", "size": [0.1] * 3, "position": [0, 0, 0.05], **box}],
        "friction": [{"between": ["box", "table"], "mu": mu}],
    }


def hairy_ball(count: int = 60):
    """Hair that grows on a ball."""
    return {
        "simulation": {"duration": 1, "dt": 4e-3},
        "material": [{"name": "hair", "preset": "hair_wavy", "collision_radius": 4e-3}],
        "obstacle": [{"name": "ball", "shape": "sphere", "radius": 0.1}],
        "groom": [
            {
                "name": "hairdo",
                "material": "hair",
                "on": "ball",
                "count": count,
                "elements": 4,
                "length": 0.15,
            }
        ],
    }


def everything():
    """One of each: strands, a rigid body, cloth, a soft solid, a moving obstacle, glue."""
    return {
        "title": "one of each",
        "simulation": {"duration": 0.3, "fps": 50, "dt": 4e-3, "tolerance": 1e-6},
        "obstacle": [
            {"name": "floor", "shape": "plane"},
            {
                "name": "arm",
                "shape": "sphere",
                "radius": 0.05,
                "position": [0.2, 0, 0.05],
                "keys": [{"t": 0}, {"t": 0.3, "x": [-0.1, 0, 0]}],
            },
        ],
        "rigid": [{"name": "ball", "shape": "sphere", "radius": 0.03, "position": [0.05, 0, 0.03]}],
        "cloth": [
            {
                "name": "cloth",
                "size": [0.2, 0.1],
                "cells": [6, 3],
                "position": [0, 0.3, 0.05],
                "hold": [{"low": [-0.11, 0.2, 0], "high": [-0.09, 0.4, 0.1]}],
            }
        ],
        "soft": [
            {
                "name": "cube",
                "shape": "box",
                "size": [0.05] * 3,
                "cells": [2, 2, 2],
                "position": [0.05, 0, 0.1],
            }
        ],
        "strand": [
            {
                "name": "line",
                "model": "super_helix",
                "material": "nylon",
                "elements": 4,
                "start": [-0.2, -0.1, 0.1],
                "direction": [1, 0, 0],
                "length": 0.2,
                "root": {"hold": "clamped"},
            }
        ],
        "friction": [
            {
                "between": ["ball", "floor"],
                "mu": 0.4,
                "adhesion": {
                    "stiffness": 1e6,
                    "energy": 1,
                    "viscosity": 0.1,
                    "debond_gap": 2e-3,
                    "initial": 1,
                },
            }
        ],
    }
