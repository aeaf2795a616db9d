#!/usr/bin/env python3
"""Writes what zs is made of, and under which licences.

    sbom.py VERSION ZIGW LICENSE FOLDER NAME=SOURCES...

FOLDER/doc/zs/zs.spdx.json is an SPDX 2.3 document of the pins in zigw and of what is linked in from each;
FOLDER/doc/zs/copyright has the licences' texts, LICENSE (zs's own) first. NAME=SOURCES are the folders that build.zig
was given. The same pins always make the same bytes: the document's time is SOURCE_DATE_EPOCH, or else 1970.
"""

import hashlib
import json
import os
import sys
import time

import pins

NOTHING = "NOASSERTION"


def identifier(text):
    return "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in text)


def package(name, version, licence, **more):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": NOTHING,
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": NOTHING,
        **more}


def pin_name(pin):
    return pin.name + (" for " + pin.platform if pin.platform else "")


def relation(one, kind, other):
    return {"spdxElementId": identifier(one), "relationshipType": kind, "relatedSpdxElement": identifier(other)}


def document(version, read, parts):
    packages = [package("zs", version, "MIT", primaryPackagePurpose="APPLICATION")]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
        "relatedSpdxElement": identifier("zs")}]
    for pin in read:
        compiler = pin.name == "ziglang"
        name = "pin " + pin_name(pin)
        packages.append(package(name, pin.version, "MIT" if compiler else NOTHING,
            checksums=[{"algorithm": "SHA256", "checksumValue": pin.sha256}],
            comment="An archive that zigw fetches and checks: %s." % ("the compiler" if compiler else "sources")))
        relations.append(relation(name, "BUILD_TOOL_OF", "zs") if compiler else relation("zs", "GENERATED_FROM", name))
    for part in parts:
        packages.append(package(part.name, part.version, part.licence,
            comment="Linked into zs; from the archive of %s %s." % (part.pin.name, part.pin.version)))
        relations.append(relation("zs", "STATIC_LINK", part.name))
        relations += [relation("pin " + pin_name(pin), "CONTAINS", part.name) for pin in read
            if pin.name == part.pin.name]
    content = hashlib.sha256(json.dumps([packages, relations]).encode()).hexdigest()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or 0)))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "zs-" + version,
        "documentNamespace": "urn:zs:%s:%s" % (version, content),
        "creationInfo": {"created": created, "creators": ["Tool: zs-cmd-package-sbom.py"]},
        "packages": packages, "relationships": relations}


def copyright(licence, parts):
    out = ["zs is under this licence:\n", licence.strip("\n") + "\n",
        "The parts that are built into it have their own: %s.\n" % ", ".join(part.name for part in parts)]
    for part in parts:
        out.append("%s\n%s %s: %s\n" % ("-" * 80, part.name, part.version, part.licence))
        out += part.texts
    return "\n".join(out)


def main(version, zigw, licence, folder, *sources):
    read = pins.read_pins(zigw)
    parts = pins.read_parts(read, dict(source.split("=", 1) for source in sources))
    doc = os.path.join(folder, "doc/zs")
    os.makedirs(doc, exist_ok=True)
    with open(os.path.join(doc, "zs.spdx.json"), "w", encoding="utf-8") as f:
        json.dump(document(version, read, parts), f, indent=1)
        f.write("\n")
    with open(licence, encoding="utf-8") as own, open(os.path.join(doc, "copyright"), "w", encoding="utf-8") as f:
        f.write(copyright(own.read(), parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
