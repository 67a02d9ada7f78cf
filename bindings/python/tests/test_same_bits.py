"""What Python computes is what the command computes, to the bit."""
import json
import os
from pathlib import Path

import numpy as np
import pytest

import sinew

CORPUS = os.environ.get("SINEW_CORPUS", "")


def real(name: str) -> str:
    path = Path(CORPUS) / name
    if not CORPUS or not path.exists():
        pytest.skip("SINEW_CORPUS is not set")
    return str(path)


@pytest.mark.parametrize("name", ["walk.c3d", "gaps.c3d"])
def test_solve(name, run, tmp_path):
    body = sinew.solve(sinew.read(name)).body
    assert str(body.kept).encode() == run("solve", name, "--save-actor", "OUT", output="joe.actor")
    body.motion.write(tmp_path / "ours.mot")
    assert (tmp_path / "ours.mot").read_bytes() == run("solve", name, "-o", "OUT", output="theirs.mot")


def test_solve_of_a_real_capture(run, tmp_path):
    path = real("c3d_gait/pig_full_walk.c3d")
    solution = sinew.solve(sinew.read(path))
    assert str(solution.body.kept).encode() == run("solve", path, "--save-actor", "OUT", output="joe.actor")
    told = json.loads(run("solve", path, "--json"))
    assert told["verdict"] == solution.verdict


def test_solved_capture(run, tmp_path):
    solution = sinew.solve(sinew.read("gaps.c3d"))
    solution.filled().write(tmp_path / "ours.trc", points="positions")
    assert (tmp_path / "ours.trc").read_bytes() == run("solve", "gaps.c3d", "-o", "OUT", output="theirs.trc")


@pytest.mark.parametrize("method", ["auto", "spline", "body", "smooth"])
def test_fill(method, run, tmp_path):
    filled = sinew.fill(sinew.read("gaps.c3d"), method=method)
    filled.trial.write(tmp_path / "ours.trc")
    assert (tmp_path / "ours.trc").read_bytes() == run("fill", "gaps.c3d", "--method", method, "-o", "OUT", output="theirs.trc")


def test_angles(run):
    theirs = run("angles", "long.c3d", "--convention", "pig", "-o", "OUT", output="angles.csv").decode().splitlines()
    ours = sinew.angles(sinew.read("long.c3d"), convention="pig")
    assert theirs[0].split(",")[1:] == ours.names
    for line, row in zip(theirs[1:], np.degrees(ours.values)):
        for text, value in zip(line.split(",")[1:], row):
            assert (text == "" and np.isnan(value)) or text == f"{value:.5f}" or text == f"{value + 0.0:.5f}"


def test_angles_choose_as_the_command_does(run):
    assert sinew.angles(sinew.read("long.c3d")).convention == json.loads(run("angles", "long.c3d", "--json"))["convention"]


def test_gait(run):
    theirs = json.loads(run("gait", "long.c3d", "--json"))
    ours = sinew.gait(sinew.read("long.c3d"))
    assert len(ours.strides) == len(theirs["strides"]) > 2
    for one, other in zip(ours.strides, theirs["strides"]):
        assert one["length"] == other["length"] and one["cadence"] == other["cadence"]


def test_kinetics_of_a_real_walk(run):
    path = real("c3d_gait/pig_full_walk.c3d")
    theirs = run("kinetics", path, "-o", "OUT", output="kinetics.csv").decode().splitlines()
    ours = sinew.kinetics(sinew.read(path))
    assert theirs[0].split(",")[1:] == ours.names
    row = ours.values[len(ours) // 2]
    line = theirs[1 + len(ours) // 2].split(",")[1:]
    assert [f"{v:.5f}" if np.isfinite(v) else "" for v in row] == line


def test_what_was_read_is_written(run, tmp_path):
    sinew.read("gaps.c3d").write(tmp_path / "ours.c3d")
    assert (tmp_path / "ours.c3d").read_bytes() == run("convert", "gaps.c3d", "-o", "OUT", output="theirs.c3d")


def test_hand(run, tmp_path):
    sinew.hand(sinew.read("hand.c3d"), "right").write(tmp_path / "ours.mot")
    assert (tmp_path / "ours.mot").read_bytes() == run("hand", "hand.c3d", "--side", "right", "-o", "OUT", output="theirs.mot")


def test_avatar(run, tmp_path):
    sinew.avatar(sinew.read("trackers.c3d")).write(tmp_path / "ours.mot")
    assert (tmp_path / "ours.mot").read_bytes() == run("avatar", "trackers.c3d", "-o", "OUT", output="theirs.mot")
