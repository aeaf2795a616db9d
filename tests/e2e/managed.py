"""The machine's own settings, which only root can write. Each run gets an /etc of its own, so that no other process of
this machine meets them."""

import subprocess

from harness import TIMEOUT, Result
from settings_files import text_of

# $1: a scratch folder, $2: the file's text, $3: shell text that changes it; then the user's id, and the command.
SCRIPT = """
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" /etc
mkdir -p /etc/zs
[ -z "$2" ] || printf %s "$2" >/etc/zs/settings.json
eval "$3"
user=$4
shift 4
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"
"""


def run_managed(box, settings, *args, change="", argv=None, cwd=None, add_env=None):
    """Runs zs (or argv) as this box's user on a machine with these settings. change: what root does to the file."""
    command = ["unshare", "-m", "--propagation", "private", "sh", "-c", SCRIPT, "sh", box.folder("managed"),
        text_of(settings) if settings is not None else "", change, str(box.user.uid or 0)]
    done = subprocess.run(command + (argv or [box.zs, *args]), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, env=dict(box.env, **(add_env or {})), cwd=cwd or box.work, timeout=TIMEOUT)
    return Result(command[-3:] + list(args), done.returncode, done.stdout.decode("latin-1"),
        done.stderr.decode("latin-1"))
