"""Where the points of strands are in the frames of a run: docs/runs.md, frames.bin, versions 2 to 4."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Iterator, Tuple

import numpy as np


def strand_points(folder: Path) -> Tuple[np.ndarray, np.ndarray]:
    """Times (frames,) and places (frames, points, 3), m. Needs the package zstandard."""
    data = (folder / "frames.bin").read_bytes()
    version, _, step, _, strands = struct.unpack_from("<IIdII", data, 8)
    at = 8 + struct.calcsize("<IIdII")
    points = sum(struct.unpack_from(f"<{strands}I", data, at))
    at += 4 * strands
    if version >= 4:
        at += 4 + 4 * struct.unpack_from("<I", data, at)[0]
    if strands != 1:
        raise ValueError(f"{folder}: has {strands} strands, expected one")
    journal = (folder / "frames.journal").read_bytes()
    records = [*read_records(data, at + 4, points), *read_records(journal, 0, points)]
    times = np.concatenate([t for t, _ in records])
    return times, step * np.concatenate([q for _, q in records]).astype(float)


def read_records(data: bytes, at: int, points: int) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
    """Times and integer places of each record."""
    import zstandard

    while at < len(data):
        _, _, _, frames, size, _, _ = struct.unpack_from("<IIIIQII", data, at)
        at += 32
        times = np.frombuffer(data, "<f8", frames, at)
        unpacked = zstandard.ZstdDecompressor().decompressobj().decompress(data[at + 8 * frames : at + size])
        yield times, places(unpacked, frames, points)
        at += size


def places(unpacked: bytes, frames: int, points: int) -> np.ndarray:
    """Differences along the strand are undone first, then those from frame to frame; all wraps at 32 bits."""
    order, count, n = unpacked[0], unpacked[1], 3 * points * frames
    zigzag = np.zeros(n, np.uint32)
    for plane in range(count):
        zigzag |= np.frombuffer(unpacked, np.uint8, n, 2 + plane * n).astype(np.uint32) << np.uint32(
            8 * plane
        )
    q = ((zigzag >> np.uint32(1)) ^ (np.uint32(0) - (zigzag & np.uint32(1)))).reshape(frames, 3, points)
    for _ in range(order):
        q = np.cumsum(q, axis=2, dtype=np.uint32)
    for frame in range(1, frames):
        before = q[frame - 1] if frame == 1 else 2 * q[frame - 1] - q[frame - 2]
        q[frame] += before
    return q.astype(np.int32).transpose(0, 2, 1)
