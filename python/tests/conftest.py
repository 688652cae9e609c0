"""What several tests use."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The command line that was installed with the package; CAPSTAN names another one."""
    path = os.environ.get("CAPSTAN") or shutil.which("capstan", path=str(Path(sys.executable).parent))
    assert path and os.access(path, os.X_OK), "the command line has not been installed"
    return path


def falling_boxes(count: int, seed: int = 1):
    """W and b of boxes of 1 kg that hit the floor with four corners, with random velocities: 12 rows for 6 dofs."""
    rng = np.random.default_rng(seed)
    H = np.zeros((12, 6))
    for c in range(4):
        x, y, z = -0.5, (-0.5, 0.5)[c % 2], (-0.5, 0.5)[c // 2]  # normal along x
        H[3 * c : 3 * c + 3, :3] = np.eye(3)
        H[3 * c : 3 * c + 3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
    W = H @ np.diag([1, 1, 1, 6, 6, 6]) @ H.T
    v = 0.3 * rng.standard_normal((count, 6)) - [0.5, 0, 0, 0, 0, 0]
    return np.repeat(W[np.newaxis], count, axis=0), v @ H.T
