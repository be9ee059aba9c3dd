# SPDX-License-Identifier: BSD-2-Clause
"""What is in each file of a release and what it needs, as CycloneDX.

Source and page have a library that writes Parquet, the page mbedTLS as well, the wheel OpenSSL's
libcrypto. Python's dependencies stand as pyproject.toml asks for them, in ranges: which version is
used is decided where the package is installed. A list of what happens to be installed here would
say what no user has.
"""

import hashlib
import json
import platform
import re
import tomllib
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from release import archives
from release.source import Source

#: Of CycloneDX; 1.7 adds nothing that stands here.
SCHEMA = SchemaVersion.V1_6

#: What writes into the wheel.
_BUILT_WITH = ("setuptools", "cffi", "auditwheel")


def text(source: Source, files: Iterable[Path]) -> str:
    """The SBOM of those files; it is valid, or this fails."""
    licence = LicenseExpression("BSD-2-Clause AND GPL-2.0-or-later")
    whole = Component(
        name="sctp-rack",
        version=source.version,
        type=ComponentType.APPLICATION,
        bom_ref="sctp-rack",
        licenses=[licence],
        properties=[Property(name="commit", value=source.commit)],
    )
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_OID, source.commit))
    bom.metadata.component = whole
    bom.metadata.timestamp = datetime.fromtimestamp(source.epoch, UTC)
    required, optional = _python(source)
    wireshark, glib = _library("Wireshark"), _library("GLib")
    built_with = [_tool(name) for name in _BUILT_WITH]
    bundled = _bundled(source)
    for each in (*required, *optional, wireshark, glib, *built_with, *bundled):
        bom.components.add(each)
    parts = []
    for path in files:
        part = _file(path)
        parts.append(part)
        bom.components.add(part)
        if part.name.startswith("sctp_rack-"):
            needs = [*required, *optional]
            if openssl := _openssl(path):
                bom.components.add(openssl)
                needs.append(openssl)
        elif "-wireshark-" in part.name:
            needs = [wireshark] if part.name.endswith(".zip") else [wireshark, glib]
        elif part.name.endswith((".html", "-source.tar.gz")):
            needs = list(bundled)
            if mbedtls := _mbedtls(path):
                bom.components.add(mbedtls)
                needs.append(mbedtls)
        else:
            needs = [wireshark] if part.name.endswith(".lua") else []
        bom.register_dependency(part, needs)
    bom.register_dependency(whole, parts)
    written = make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string(indent=2)
    if error := JsonStrictValidator(SCHEMA).validate_str(written):
        raise ValueError(f"the SBOM is not valid: {error}")
    return written + "\n"


def _python(source: Source) -> tuple[list[Component], list[Component]]:
    """What the package needs always, and for its extras that users install."""
    project = tomllib.loads((source.folder / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    optional = {
        line: extra
        for extra in sorted(extras)
        if extra not in ("test", "lint", "release")
        for line in extras[extra]
        if not line.startswith("sctp-rack")
    }
    return (
        [_requirement(line) for line in project["dependencies"]],
        [_requirement(line, extra) for line, extra in optional.items()],
    )


def _requirement(line: str, extra: str = "") -> Component:
    name, wanted = re.fullmatch(r"([\w.-]+)(.*)", line).groups()  # type: ignore[union-attr]
    said = [Property(name="requirement", value=wanted)]
    if extra:
        said.append(Property(name="extra", value=extra))
    return Component(
        name=name,
        bom_ref=f"pypi:{name}",
        purl=PackageURL("pypi", name=name),
        scope=ComponentScope.OPTIONAL if extra else ComponentScope.REQUIRED,
        properties=said,
    )


def _bundled(source: Source) -> list[Component]:
    """What page/parquet/hyparquet-writer.js is made of, as the lock file pins it."""
    lock = json.loads((source.folder / "page" / "parquet" / "package-lock.json").read_text())
    return [
        Component(
            name=name,
            version=(release := lock["packages"][f"node_modules/{name}"]["version"]),
            bom_ref=f"npm:{name}@{release}",
            purl=PackageURL("npm", name=name, version=release),
            scope=ComponentScope.REQUIRED,
            licenses=[LicenseExpression("MIT")],
        )
        for name in ("hyparquet", "hyparquet-writer")
    ]


def _openssl(path: Path) -> Component | None:
    """The OpenSSL that is linked into a wheel, by what its code says of itself."""
    if path.suffix != ".whl":
        return None
    for name, member in archives.of_zip(path.read_bytes()).items():
        if name.endswith(".so") and (found := re.search(rb"OpenSSL (\d+\.\d+\.\d+)", member.data)):
            release = found[1].decode()
            return Component(
                name="openssl",
                version=release,
                bom_ref=f"in-wheel:openssl@{release}",
                purl=PackageURL("generic", name="openssl", version=release),
                scope=ComponentScope.REQUIRED,
                licenses=[LicenseExpression("Apache-2.0")],
            )
    return None


def _mbedtls(path: Path) -> Component | None:
    """The mbedTLS that is compiled into the page, by what its licences say."""
    if path.suffix != ".html" or not (
        found := re.search(r"mbedTLS (\d[\d.]+\d)", path.read_text())
    ):
        return None
    return Component(
        name="mbedtls",
        version=found[1],
        bom_ref=f"in-page:mbedtls@{found[1]}",
        purl=PackageURL("generic", name="mbedtls", version=found[1]),
        scope=ComponentScope.REQUIRED,
        licenses=[LicenseExpression("Apache-2.0")],
    )


def _library(name: str) -> Component:
    """What the user's Wireshark brings, and no file here has."""
    return Component(name=name, bom_ref=name, scope=ComponentScope.REQUIRED)


def _tool(name: str) -> Component:
    return Component(
        name=name,
        version=version(name),
        bom_ref=f"built-with:{name}",
        purl=PackageURL("pypi", name=name, version=version(name)),
        scope=ComponentScope.EXCLUDED,
        properties=[Property(name="python", value=platform.python_version())],
    )


def _file(path: Path) -> Component:
    """A file of the release, with the licences of what is in it."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    name, licence = path.name, "BSD-2-Clause"
    if name.endswith("-source.tar.gz"):
        licence = "BSD-2-Clause AND GPL-2.0-or-later AND MIT"
    elif re.search(r"-wireshark-\d.*\.tar\.gz$", name):
        licence = "BSD-2-Clause AND GPL-2.0-or-later"  # the core, and what shows it in Wireshark
    elif path.suffix == ".lua" or "-wireshark-" in name:
        licence = "GPL-2.0-or-later"
    elif path.suffix == ".html":
        licence = "BSD-2-Clause AND MIT"  # with a C library for WebAssembly, and Parquet
        if _mbedtls(path):
            licence += " AND Apache-2.0"
    elif _openssl(path):
        licence = "BSD-2-Clause AND Apache-2.0"
    return Component(
        name=path.name,
        type=ComponentType.FILE,
        bom_ref=path.name,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[LicenseExpression(licence)],
    )
