"""A machine without namespaces, for one process and those that it starts: it refuses the calls on namespaces that
Docker's seccomp profile refuses.

    box.run_zs("run", "--", "true", preexec_fn=no_namespaces)

docker_profile refuses the other calls of that profile that zs or an agent's command may want."""

import ctypes
import os
import struct
import sys

EPERM, ENOSYS = 1, 38
# unshare, setns, mount, pivot_root, fsopen, open_tree, move_mount; clone; clone3
NUMBERS = {
    "x86_64": ((272, 308, 165, 155, 430, 428, 429), 56, 435),
    "aarch64": ((97, 268, 40, 41, 430, 428, 429), 220, 435),
}
# keyctl, add_key, request_key; umount2, mount_setattr, fsconfig, fsmount, fspick; bpf, perf_event_open, userfaultfd,
# io_uring_setup, io_uring_enter, io_uring_register
FURTHER = {
    "x86_64": (250, 248, 249, 166, 442, 431, 432, 433, 321, 298, 323, 425, 426, 427),
    "aarch64": (219, 217, 218, 39, 442, 431, 432, 433, 280, 241, 282, 425, 426, 427),
}
NEW_NAMESPACES = 0x7E020000  # flags of clone(2)


def program(further=()):
    refused, clone, clone3 = NUMBERS[os.uname().machine]
    allow, eperm, enosys = 0x7FFF0000, 0x00050000 | EPERM, 0x00050000 | ENOSYS

    def statement(code, k):
        return struct.pack("HBBI", code, 0, 0, k)

    def unless(code, k, skipped):
        return struct.pack("HBBI", code, 0, skipped, k)

    load, equal, has_bit, answer = 0x20, 0x15, 0x45, 0x06
    code = [statement(load, 0)]
    for number in (*refused, *further):
        code += [unless(equal, number, 1), statement(answer, eperm)]
    code += [unless(equal, clone3, 1), statement(answer, enosys)]
    code += [unless(equal, clone, 3), statement(load, 16), unless(has_bit, NEW_NAMESPACES, 1), statement(answer, eperm)]
    return code + [statement(answer, allow)]


class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def install(code):
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(b"".join(code))
    filter_ = Program(len(code), ctypes.addressof(buffer))
    # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP with SECCOMP_MODE_FILTER
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.byref(filter_), 0, 0) != 0:
        sys.exit("no_namespaces: %s" % os.strerror(ctypes.get_errno()))


def no_namespaces():
    install(program())


def lacking(box, *more):
    """The promises of the default policy that such a machine cannot keep."""
    return ["protect", "private-tmp", "loopback", "metadata", "processes", *["privileges"] * box.user.is_root, *more]


def without(box, *more):
    """The option that waives them."""
    return ["--without", ",".join(lacking(box, *more))]


def docker_profile():
    install(program(FURTHER[os.uname().machine]))


if __name__ == "__main__":
    docker_profile()
    os.execvp(sys.argv[1], sys.argv[1:])
