#!/usr/bin/env python3
"""Kills runs at random moments, resumes them, and compares the bits with runs that were never stopped.

    bench/kill_resume.py [--program build/release/bin/capstan] [--kills 1000] [--seed 1] [SCENE.toml ...]

A life of a run is a few stops, each after a random time and by SIGKILL (usually), SIGTERM or SIGINT, and then
a resume to the end. After each life the frames, the statistics (without times), the state at the end and the
list of files must be those of a run that was not stopped. Without scenes two short ones are written: rods and
balls that fall, and hair on a turning ball. Prints a summary and exits with 1 if anything differs.
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FALLING = """
[simulation]
duration = 0.5
fps = 60
dt = 4e-3
[[obstacle]]
name = "floor"
shape = "plane"
[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.03
repeat = [2, 2, 1]
spacing = [0.062, 0.062, 0.062]
position = [0, 0, 0.2]
spin = [0, 5, 0]
[[bundle]]
name = "rods"
model = "discrete_elastic"
material = "nylon"
collision_radius = 3e-3
count = 3
elements = 6
length = 0.15
center = [0.05, 0, 0.1]
spacing = 2e-3
"""

HAIR = """
[simulation]
duration = 0.5
fps = 60
dt = 4e-3
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.1
oscillation = [{ frequency = 1, rotation = [0, 0, 1] }]
[[groom]]
name = "hair"
material = "hair_wavy"
collision_radius = 2e-3
on = "ball"
count = 6
elements = 4
length = 0.1
"""


def written_scenes(folder):
    scenes = []
    for name, text in {"falling": FALLING, "hair": HAIR}.items():
        path = folder / f"{name}.toml"
        path.write_text(text)
        scenes.append(path)
    return scenes


def statistics(run):
    """Rows of stats.csv without the columns that come from the clock."""
    rows = [line.split(",") for line in (run / "stats.csv").read_text().splitlines()]
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith("seconds_")]
    return [[row[k] for k in kept] for row in rows]


def files_of(run):
    return sorted(str(path.relative_to(run)) for path in run.rglob("*"))


def differences(run, reference):
    """What differs between a run and the one that was not stopped, in words."""
    found = []
    if files_of(run) != files_of(reference):
        found.append(f"files: {sorted(set(files_of(run)) ^ set(files_of(reference)))}")
    for name in ("frames.bin", "frames.journal", "manifest.json"):
        if (run / name).read_bytes() != (reference / name).read_bytes():
            found.append(name)
    if statistics(run) != statistics(reference):
        found.append("stats.csv")
    last = sorted((reference / "checkpoints").iterdir())[-1].name
    if (run / "checkpoints" / last).read_bytes() != (reference / "checkpoints" / last).read_bytes():
        found.append(f"checkpoints/{last}")
    return found


class Killer:
    def __init__(self, program, random_numbers):
        self.program, self.random = program, random_numbers
        self.kills = 0
        self.too_late = 0
        self.by_signal = {}

    def command(self, scene, run):
        return [self.program, "run", str(scene), "-o", str(run), "--resume", "--threads", "1", "--json"]

    def finish(self, scene, run):
        done = subprocess.run(self.command(scene, run), capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{run}: exit code {done.returncode}: {done.stderr}")

    def stop_once(self, scene, run, seconds):
        """Starts or resumes a run and stops it after a random part of the time that it takes as a whole.
        Returns whether it was stopped before its end."""
        how = self.random.choices([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], [0.8, 0.1, 0.1])[0]
        process = subprocess.Popen(self.command(scene, run), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.random.uniform(0, seconds))
        process.send_signal(how)
        code = process.wait()
        if code == 0:
            self.too_late += 1
            return False
        # Before the program is ready to end cleanly a signal ends it as it does every program.
        if code not in (-how, 128 + how):
            raise RuntimeError(f"{run}: exit code {code} after signal {how}")
        self.kills += 1
        self.by_signal[how.name] = self.by_signal.get(how.name, 0) + 1
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    parser.add_argument("--program", default=str(root / "build/release/bin/capstan"))
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    killer = Killer(os.path.abspath(arguments.program), random.Random(arguments.seed))
    wrong, lives = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        references = []
        for scene in arguments.scenes or written_scenes(folder):
            reference = folder / f"{scene.stem}_whole"
            begin = time.monotonic()
            killer.finish(scene, reference)
            references.append((scene, reference, time.monotonic() - begin))
        while killer.kills < arguments.kills:
            scene, reference, seconds = references[lives % len(references)]
            run = folder / f"life_{lives}"
            lives += 1
            for _ in range(killer.random.randint(1, 6)):
                if not killer.stop_once(scene, run, seconds):
                    break
            killer.finish(scene, run)
            found = differences(run, reference)
            if found:
                wrong += 1
                print(f"{run.name} ({scene.stem}): {', '.join(found)}", flush=True)
            shutil.rmtree(run)
            if lives % 20 == 0:
                print(f"{killer.kills} kills in {lives} lives, {wrong} differ", file=sys.stderr, flush=True)
    print(f"{killer.kills} kills ({killer.by_signal}) in {lives} lives of {len(references)} scenes; "
          f"{killer.too_late} came too late; {wrong} lives differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
