"""The wheel: CMake builds the library and the module, setuptools packs them. `python3 -m build --wheel --no-isolation` needs no network.

SINEW_PYTHON_MODULE names a module that is built already (build/release/python/sinew/_native.abi3.so).
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class BuildModule(build_ext):
    """sinew._native by CMake."""

    def build_extension(self, ext: Extension) -> None:
        module = os.environ.get("SINEW_PYTHON_MODULE") or self.built()
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(module, target)

    def built(self) -> str:
        folder = Path(self.build_temp).resolve()
        configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                     "-DSINEW_CLI=OFF", "-DSINEW_BENCH=OFF", "-DSINEW_WITH_PYTHON=ON"]
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "sinew_python", "-j", str(os.cpu_count() or 1)], check=True)
        return str(folder / "python" / "sinew" / "_native.abi3.so")


def version() -> str:
    text = (ROOT / "include" / "sinew" / "base.h").read_text()
    return ".".join(re.search(rf"SNW_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))  # type: ignore[index]


setup(
    version=version(),
    ext_modules=[Extension("sinew._native", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildModule},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
