"""Makes the wheel with the standard library alone (PEP 517), so that setuptools need not be fetched.

The same sources make the same bytes.
"""

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "zs_sandbox"
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def field(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as lines:
        return re.search(r'^%s = "(.*)"$' % name, lines.read(), re.M).group(1)


def read(*names):
    with open(os.path.join(HERE, *names), "rb") as file:
        return file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = field("version")
    info = "%s-%s.dist-info/" % (PACKAGE, version)
    metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nRequires-Python: %s\nLicense: MIT\n" % (
        field("name"), version, field("description"), field("requires-python"))
    metadata += "Description-Content-Type: text/markdown\n\n" + read("README.md").decode()
    files = {"%s/%s" % (PACKAGE, name): read(PACKAGE, name) for name in ("__init__.py", "py.typed")}
    files[info + "METADATA"] = metadata.encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += "%s,sha256=%s,%d\n" % (name, digest, len(content))
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    wheel = "%s-%s-py3-none-any.whl" % (PACKAGE, version)
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel
