# SPDX-License-Identifier: BSD-2-Clause
"""Builds core and worked examples into the package; the rest of it is in pyproject.toml."""

import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
SAMPLE = ROOT / "analyzer/sctp_rack/sample.pcapng"
VECTORS = ROOT / "tests/vectors"

#: With counts from one small capture, code that it does not reach is compiled as without any.
LEARN = ("-fprofile-partial-training", "-Wno-missing-profile")


class BuildTwice(build_ext):  # type: ignore[misc]
    """Lets the compiler learn from the bundled sample which branches are rare: an eighth faster.

    Where it cannot, as without GCC, the extension is built once.
    """

    def build_extension(self, ext: Extension) -> None:
        options = list(ext.extra_compile_args)
        with tempfile.TemporaryDirectory() as counts:
            if self._can_learn() and self._counted(ext, options, counts):
                ext.extra_compile_args = [*options, f"-fprofile-use={counts}", *LEARN]
            else:
                ext.extra_compile_args = options
            self.force = True
            super().build_extension(ext)

    def _counted(self, ext: Extension, options: list[str], counts: str) -> bool:
        """Whether a build that counts has run over the sample."""
        count = [f"-fprofile-generate={counts}", "-fprofile-update=prefer-atomic"]
        link = list(ext.extra_link_args)
        ext.extra_compile_args, ext.extra_link_args = [*options, *count], [*link, *count]
        super().build_extension(ext)
        ext.extra_link_args = link
        program, extension = ROOT / "analyzer/train_core.py", self.get_ext_fullpath(ext.name)
        return subprocess.run([sys.executable, program, extension, SAMPLE]).returncode == 0

    def _can_learn(self) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "one.c"), Path(folder, "one.so")
            source.write_text("int one(void) { return 1; }\n")
            options = ["-shared", "-fprofile-generate", *LEARN]
            command = [*self.compiler.compiler_so, *options, source, "-o", library]
            done = subprocess.run(command, capture_output=True)
            return done.returncode == 0 and not done.stderr


class WithVectors(build_py):  # type: ignore[misc]
    """Installs the worked examples beside the reference model, which looks them up by name.

    In place it takes them from where they are.
    """

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib, "sctp_rack", "reference", "vectors")
        folder.mkdir(parents=True, exist_ok=True)
        for vector in sorted(VECTORS.glob("*.json")):
            self.copy_file(str(vector), str(folder / vector.name))


setup(
    cffi_modules=["analyzer/build_core.py:ffi"],
    cmdclass={"build_ext": BuildTwice, "build_py": WithVectors},
    # One wheel for every CPython from 3.11 on: cffi writes the extension against the stable ABI.
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
