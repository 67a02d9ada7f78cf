"""Every example in a docstring runs, and the types hold."""
import doctest
import importlib
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sinew

MODULES = [m.name for m in pkgutil.iter_modules(sinew.__path__) if m.name != "_native"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    failed, tried = doctest.testmod(importlib.import_module(f"sinew.{name}"))
    assert failed == 0


def test_there_are_examples():
    assert sum(doctest.testmod(importlib.import_module(f"sinew.{name}")).attempted for name in MODULES) > 30


def test_everything_public_is_documented():
    missing = [n for n in sinew.__all__ if not (getattr(sinew, n).__doc__ or "").strip()]
    assert missing == []


def test_types():
    if not shutil.which("mypy"):
        pytest.skip("mypy is not installed")
    source = Path(__file__).parents[1]
    done = subprocess.run(["mypy", "--python-executable", sys.executable, "--config-file", str(source / "pyproject.toml"),
                           "--cache-dir", "/dev/null" if sys.platform == "win32" else str(Path.cwd() / "mypy"), str(source / "sinew")],
                          capture_output=True, text=True, cwd=source)
    assert done.returncode == 0, done.stdout
