"""Writes a test vector from a frames.bin: its bytes and the numbers in it.

    python3 test/make_vector.py RUN/frames.bin test/vectors/NAME.json

Independent of the viewer's decoder on purpose: plain loops after docs/runs.md, and the zstd program.
"""

import base64
import json
import struct
import subprocess
import sys
import zlib


def wrap(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def planes(self, n):
        values = [0] * n
        for plane in range(self.take("B")[0]):
            for k, byte in enumerate(self.data[self.at:self.at + n]):
                values[k] |= byte << (8 * plane)
            self.at += n
        return values


def differences_undone(values):
    result, last = [], 0
    for value in values:
        last = wrap(last + unzigzag(value))
        result.append(last)
    return result


def undo_within_pairs(values, a, b):
    for k, value in enumerate(values):
        same = k > 0 and a[k] == a[k - 1] and b[k] == b[k - 1]
        values[k] = wrap((values[k - 1] if same else 0) + unzigzag(value))


def places(reader, counts, frames):
    size = 3 * sum(counts)
    order = reader.take("B")[0]
    values = reader.planes(size * frames)
    points = []
    for f in range(frames):
        now, k = [], f * size
        for _axis in range(3):
            for count in counts:
                residual = slope = 0
                for _ in range(count):
                    slope = (slope if order == 2 else 0) + unzigzag(values[k])
                    residual += slope
                    i = len(now)
                    forecast = 0 if f == 0 else points[0][i] if f == 1 else 2 * points[f - 1][i] - points[f - 2][i]
                    now.append(wrap(forecast + residual))
                    k += 1
        points.append(now)
    return points


def mesh_values(reader, count, frames):
    coded = reader.planes(count * frames)
    values = [[0] * count]
    for f in range(frames):
        values.append([(values[f][k] + unzigzag(coded[f * count + k])) & 255 for k in range(count)])
    return values[1:]


def decode(unpacked, header, times):
    reader = Reader(unpacked)
    frames = len(times)
    points = places(reader, header["points_per_strand"], frames)
    poses = [list(reader.take(f"{12 * header['obstacles']}d")) for _ in range(frames)]
    numbers = [reader.take("I")[0] for _ in range(frames)]
    columns = [reader.planes(sum(numbers)) for _ in range({1: 8, 2: 9, 3: 15, 4: 16}[header["version"]])]
    for column in (0, 1, 2, 6, 7, 10, 11):
        if column < len(columns):
            columns[column] = differences_undone(columns[column])
    for column in columns[12:15]:
        undo_within_pairs(column, columns[6], columns[7])
    for column in (3, 4, 5):
        columns[column] = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in columns[column]]
    soft = {}
    if "points_per_mesh" in header:
        soft["mesh_points"] = places(reader, header["points_per_mesh"], frames)
        soft["mesh_values"] = mesh_values(reader, sum(header["points_per_mesh"]), frames)
    assert reader.at == len(unpacked)
    result, k = [], 0
    for f in range(frames):
        contacts = []
        for _ in range(numbers[f]):
            row = [column[k] for column in columns]
            contact = {"x": row[0:3], "f": row[3:6], "a": row[6], "b": row[7]}
            if len(row) > 8:
                contact["state"] = row[8]
            if len(row) > 9:
                contact["cone"] = {"known": row[9], "mu": [row[10], row[10] + row[11]], "normal": row[12:14], "tangent": row[14]}
            if len(row) > 15:
                contact["beta"] = row[15]
            contacts.append(contact)
            k += 1
        result.append({"time": times[f], "points": points[f], "poses": poses[f], "contacts": contacts, **{name: numbers[f] for name, numbers in soft.items()}})
    return result


def main(source, target):
    data = open(source, "rb").read()
    reader = Reader(data)
    magic, version, per_chunk, step, obstacles, strands = reader.take("8sIIdII")
    assert magic == b"capframe"
    points = list(reader.take(f"{strands}I"))
    header = {"version": version, "per_chunk": per_chunk, "step": step, "obstacles": obstacles, "points_per_strand": points}
    if version >= 4:
        header["points_per_mesh"] = list(reader.take(f"{reader.take('I')[0]}I"))
    header["id"] = zlib.crc32(data[:reader.at])
    assert reader.take("I")[0] == header["id"]
    frames = []
    while reader.at < len(data):
        start = reader.at
        _magic, run, first, count, size, crc, own = reader.take("IIIIQII")
        assert run == header["id"] and first == len(frames) and zlib.crc32(data[start:start + 28]) == own
        payload = data[reader.at:reader.at + size]
        assert zlib.crc32(payload) == crc
        reader.at += size
        times = struct.unpack_from(f"<{count}d", payload)
        unpacked = subprocess.run(["zstd", "-dc"], input=payload[8 * count:], stdout=subprocess.PIPE, check=True).stdout
        frames += decode(unpacked, header, times)
    vector = {"frames_bin": base64.b64encode(data).decode(), "header": header, "frames": frames}
    with open(target, "w") as out:
        out.write('{"frames_bin": ' + json.dumps(vector["frames_bin"]) + ',\n"header": ' + json.dumps(header) + ',\n"frames": [\n')
        out.write(",\n".join(json.dumps(frame) for frame in frames) + "]}\n")


main(*sys.argv[1:])
