"""Captures that the command makes, once, in a folder of their own, which is where doctests and tests run."""
from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

COMMAND = os.environ.get("SINEW", "sinew")


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captures")
    made = {"walk.c3d": ["--seconds", "1"], "hand.c3d": ["--motion", "gestures", "--hand", "right", "--seconds", "1"],
            "trackers.c3d": ["--trackers", "3", "--seconds", "2"], "long.c3d": ["--seconds", "6", "--path", "straight"],
            "gaps.c3d": ["--seconds", "3", "--gaps", "LKNE@100+30", "--gaps", "RELB@any+40", "--seed", "4"]}
    for name, options in made.items():
        subprocess.run([COMMAND, "synth", str(folder / name), *options], check=True, capture_output=True)
    return folder


@pytest.fixture(autouse=True)
def inside(captures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(captures)


@pytest.fixture
def run(tmp_path: Path):
    """The command in a folder of its own: run("solve", ..., output="x.bvh") gives the bytes of x.bvh."""

    def call(*arguments: str, output: str = "") -> bytes:
        where = tmp_path / output if output else None
        full = [COMMAND, *(str(where) if a == "OUT" else a for a in arguments)]
        done = subprocess.run(full, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return where.read_bytes() if where else done.stdout

    return call
