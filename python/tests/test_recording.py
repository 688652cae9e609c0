"""Recordings: those of Python are those of the command line, byte for byte."""

import os
import subprocess

import numpy as np
import pytest
from scenes import SCENES, everything, hairy_ball, sledge

import capstan

# Frames (12: past the first checkpoint) and what is changed first.
SCENE_FILES = {
    "one_of_each.toml": (12, {}),
    "strands/hair_small.toml": (3, {"groom.0.count": 40}),
    "rigid/stack.toml": (12, {}),
    "adhesion/peel.toml": (2, {"cloth.0.cells": [30, 1]}),
}
HAIR = {"groom.0.count": 20}


def settings(overrides):
    return [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]


def command(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", SCENE_FILES)
def test_the_bits_are_those_of_the_command_line(program, tmp_path, name):
    frames, overrides = SCENE_FILES[name]
    scene = SCENES / name
    if not scene.exists():
        scene = tmp_path / name
        scene.write_text(capstan.to_toml(everything()))
    folder = tmp_path / "by_program"
    command(program, "run", scene, "--frames", frames, "-o", folder, "--threads", 1, *settings(overrides))
    sim = capstan.Simulation(scene, threads=2, overrides=overrides)
    sim.run(frames - 1, output=tmp_path / "by_python")
    for file in ("frames.bin", "manifest.json", "origin.json", os.path.basename(name)):
        ours, theirs = (tmp_path / folder / file for folder in ("by_python", "by_program"))
        assert ours.read_bytes() == theirs.read_bytes(), file
    kept = sorted(path.name for path in (tmp_path / "by_program/checkpoints").iterdir())
    for file in kept:
        ours, theirs = (tmp_path / folder / "checkpoints" / file for folder in ("by_python", "by_program"))
        assert ours.read_bytes() == theirs.read_bytes(), file
    assert sim.checkpoint() == (tmp_path / "by_program/checkpoints" / kept[-1]).read_bytes()
    ours, theirs = (capstan.load_record(tmp_path / folder).stats for folder in ("by_python", "by_program"))
    for column in ours.dtype.names:
        if not column.startswith("seconds"):
            np.testing.assert_array_equal(ours[column], theirs[column], err_msg=column)
    assert len(ours) == sim.steps


def test_a_checkpoint_of_the_command_line_goes_on_here(program, tmp_path):
    scene = tmp_path / "ball.toml"
    scene.write_text(capstan.to_toml(hairy_ball()))
    command(program, "run", scene, "--frames", 3, "-o", tmp_path / "run", *settings(HAIR))
    sim = capstan.Simulation(scene, overrides=HAIR)
    sim.restore(tmp_path / "run")
    assert sim.frames == 3 and sim.t == pytest.approx(2 / sim.fps)
    sim.run(2)
    straight = capstan.Simulation(scene, overrides=HAIR)
    straight.run(4)
    assert sim.checkpoint() == straight.checkpoint()


def test_the_command_line_goes_on_from_here(program, tmp_path):
    scene = SCENES / "rigid/stack.toml"
    capstan.Simulation(scene).run(3, output=tmp_path / "run")
    command(program, "run", scene, "--frames", 8, "-o", tmp_path / "run", "--resume")
    whole = capstan.Simulation(scene)
    whole.run(7)
    other = capstan.Simulation(scene)
    other.restore(tmp_path / "run")
    assert other.checkpoint() == whole.checkpoint()


def test_frames_are_what_was_simulated(tmp_path):
    sim = capstan.Simulation(everything())
    seen = [(sim.strands.positions, sim.rigid.positions)]

    def look(sim):
        if sim.frames == len(seen) + 1:
            seen.append((sim.strands.positions, sim.rigid.positions))

    sim.run(5, output=tmp_path / "run", before_step=look)
    look(sim)
    record = capstan.load_record(tmp_path / "run")
    assert len(record) == len(seen) == 6 and record.problems == ""
    np.testing.assert_allclose(record.times, np.arange(6) / 50, atol=1e-12)
    assert record.solids == ["floor", "arm", "ball"]
    for frame, (strands, rigid) in zip(record, seen):
        np.testing.assert_allclose(frame.strand_points, strands, atol=4e-6)  # kept to 2^-17 m
        np.testing.assert_array_equal(frame.solid_positions[2:], rigid)
    last = record[-1]
    assert len(record[2:4]) == 2 and record.at(0.061).t == pytest.approx(0.06)
    assert record.strand_starts.tolist() == sim.strands.starts.tolist()
    assert record.mesh_starts[-1] == len(last.mesh_points) == len(last.mesh_strain)
    np.testing.assert_allclose(last.mesh_points[: record.mesh_starts[1]], sim.soft[0].positions, atol=4e-6)
    assert len(last.contacts) > 0 and set(last.contacts.states) <= {"open", "stick", "slide"}
    carried = last.contacts.forces[(last.contacts.bodies == [-3, -1]).all(axis=1)]
    ours = sim.contacts.between("rigid", 0) & sim.contacts.between("obstacle", 0)
    np.testing.assert_allclose(
        carried.sum(axis=0), sim.contacts.impulses[ours].sum(axis=0) / sim.report.dt, rtol=1e-3, atol=1e-6
    )
    assert record.picture(3, width=80, height=60, samples=1).std() > 5
    with pytest.raises(IndexError, match="there is no number 6"):
        record[6]


def test_a_block_of_steps_can_be_recorded(tmp_path):
    sim = capstan.Simulation(sledge(velocity=[1, 0, 0]))
    with sim.record(tmp_path / "run"):
        while sim.rigid.velocities[0, 0] > 1e-6:
            sim.step()
    record = capstan.load_record(tmp_path / "run")
    assert len(record) == sim.frames and record.manifest["finished"]
    assert len(record.stats) == sim.steps  # also those of the frame in progress
    sim.run(1)
    assert len(capstan.load_record(tmp_path / "run")) == len(record)


def test_a_recording_that_fails_can_be_read(tmp_path):
    sim = capstan.Simulation(sledge())

    def stop(sim):
        if sim.frames == 4:
            raise KeyError("enough")

    with pytest.raises(KeyError):
        sim.run(10, output=tmp_path / "run", before_step=stop)
    record = capstan.load_record(tmp_path / "run")
    assert len(record) == 4 and not record.manifest["finished"]


def test_recordings_begin_at_the_start(tmp_path):
    sim = capstan.Simulation(sledge())
    sim.run(1, output=tmp_path / "run")
    with pytest.raises(capstan.InputError, match="overwrite=True"):
        capstan.Simulation(sledge()).run(1, output=tmp_path / "run")
    capstan.Simulation(sledge()).run(2, output=tmp_path / "run", overwrite=True)
    assert len(capstan.load_record(tmp_path / "run")) == 3
    with pytest.raises(capstan.InputError, match="expected its start"):
        sim.run(1, output=tmp_path / "late")
    with pytest.raises(FileNotFoundError, match="holds no run"):
        capstan.load_record(tmp_path / "nowhere")


def test_a_dumped_step_is_replayed(program, tmp_path):
    command(
        program,
        "run",
        SCENES / "rigid/stack.toml",
        "--frames",
        3,
        "--dump-problems",
        "every=5",
        "-o",
        tmp_path / "r",
    )
    dumped = sorted((tmp_path / "r/problems").iterdir())
    problem = capstan.load(dumped[-1])
    step = int(dumped[-1].stem.split("_")[1])
    sim = capstan.Simulation(SCENES / "rigid/stack.toml", keep_problem=True)
    while sim.steps < step:
        sim.step()
    assert problem.contacts == sim.problem.contacts
    np.testing.assert_array_equal(problem.f, sim.problem.f)
    np.testing.assert_array_equal(problem.mu, sim.problem.mu)
    assert problem.certify(problem.stored_solution.r).error == sim.certificate.error


def test_progress_is_shown(capsys):
    capstan.Simulation(sledge()).run(10, progress=True)
    assert "frame " in capsys.readouterr().err
