"""Makes the wheel with the standard library alone (PEP 517), so that setuptools need not be fetched.

The same sources make the same bytes. cmd/package/package.py makes the wheels that carry zs as well.
"""

import base64
import hashlib
import io
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "zs_sandbox"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
ANY = "py3-none-any"
MODULES = ("__init__.py", "harbor_environment.py", "inspect_provider.py", "mini_swe_agent.py", "ray_runtime.py",
    "py.typed")
# inspect_ai finds its sandboxes and approvers by this.
ENTRY_POINTS = "[inspect_ai]\nzs_sandbox = zs_sandbox.inspect_provider\n"


def field(name):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as lines:
        return re.search(r'^%s = "(.*)"$' % name, lines.read(), re.M).group(1)


def read(*names):
    with open(os.path.join(HERE, *names), "rb") as file:
        return file.read()


def make(version, tag=ANY, scripts=None, licences=None, when=LONG_AGO):
    """scripts: programs by name, which pip puts where commands are. licences: texts by name. Returns the wheel's name
    and bytes."""
    name = "%s-%s" % (PACKAGE, version)
    info = name + ".dist-info/"
    metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nRequires-Python: %s\nLicense: MIT\n" % (
        field("name"), version, field("description"), field("requires-python"))
    metadata += "Description-Content-Type: text/markdown\n\n" + read("README.md").decode()
    python, _, platforms = tag.rpartition("-")
    tags = "".join("Tag: %s-%s\n" % (python, platform) for platform in platforms.split("."))
    pure = "true" if tag == ANY else "false"
    files = {"%s/%s" % (PACKAGE, file): read(PACKAGE, file) for file in MODULES}
    programs = {"%s.data/scripts/%s" % (name, file): data for file, data in (scripts or {}).items()}
    files.update(programs)
    files[info + "METADATA"] = metadata.encode()
    files[info + "entry_points.txt"] = ENTRY_POINTS.encode()
    files[info + "WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: %s\n%s" % (pure, tags)).encode()
    files.update({info + "licenses/" + file: data for file, data in (licences or {}).items()})
    record = ""
    for file, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += "%s,sha256=%s,%d\n" % (file, digest, len(content))
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file, max(when, LONG_AGO))
            entry.create_system = 3  # Unix, whose modes pip reads
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if file in programs else 0o100644) << 16
            archive.writestr(entry, content)
    return "%s-%s.whl" % (name, tag), out.getvalue()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    wheel, content = make(field("version"))
    with open(os.path.join(wheel_directory, wheel), "wb") as file:
        file.write(content)
    return wheel
