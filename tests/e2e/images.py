"""OCI image layouts for tests of --root: written by Python's tarfile, hostile ones too."""

import gzip
import hashlib
import io
import json
import os
import tarfile

TYPES = {"file": tarfile.REGTYPE, "hard": tarfile.LNKTYPE, "link": tarfile.SYMTYPE, "char": tarfile.CHRTYPE,
    "block": tarfile.BLKTYPE, "folder": tarfile.DIRTYPE, "fifo": tarfile.FIFOTYPE}
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
ARCHITECTURE = "arm64" if os.uname().machine == "aarch64" else "amd64"


def layer(*entries, form=tarfile.PAX_FORMAT, tree=None):
    """A tar file. Each entry is (name, kind, text or target, mode). tree: a folder, all of which is added first."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        if tree:
            tar.add(tree, arcname=".")
        for name, kind, *more in entries:
            info = tarfile.TarInfo(name)
            info.type = TYPES[kind]
            info.mode = more[1] if len(more) > 1 else 0o755
            info.mtime = 1000000000
            info.uid = info.gid = 4711
            text = (more[0] if more else "").encode()
            if kind == "file":
                info.size = len(text)
            elif kind in ("hard", "link"):
                info.linkname = text.decode()
            elif kind in ("char", "block"):
                info.devmajor, info.devminor = 1, 5
            tar.addfile(info, io.BytesIO(text) if kind == "file" else None)
    return out.getvalue()


def add_blob(layout, data, kind, **more):
    digest = hashlib.sha256(data).hexdigest()
    folder = layout + "/blobs/sha256"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, digest), "wb") as file:
        file.write(data)
    return {"mediaType": kind, "digest": "sha256:" + digest, "size": len(data), **more}


def write_index(layout, *manifests):
    os.makedirs(layout, exist_ok=True)
    for name, text in (("oci-layout", {"imageLayoutVersion": "1.0.0"}), ("index.json", {"schemaVersion": 2,
            "mediaType": INDEX, "manifests": manifests})):
        with open(os.path.join(layout, name), "w") as file:
            json.dump(text, file)


def add_image(layout, *layers, **more):
    """layers: tar files; every second one is compressed. Returns the manifest's descriptor."""
    blobs = [add_blob(layout, gzip.compress(data, 1), LAYER + "+gzip") if number % 2 else
        add_blob(layout, data, LAYER) for number, data in enumerate(layers)]
    config = add_blob(layout, json.dumps({"architecture": ARCHITECTURE, "os": "linux"}).encode(),
        "application/vnd.oci.image.config.v1+json")
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": blobs}
    return add_blob(layout, json.dumps(manifest).encode(), MANIFEST, **more)


def make_image(layout, *layers):
    """A layout of one image. Returns its digest."""
    manifest = add_image(layout, *layers)
    write_index(layout, manifest)
    return manifest["digest"]
