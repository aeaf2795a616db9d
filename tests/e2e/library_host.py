"""A host of the library in a process of its own: it opens a session or makes a tracker, starts one command in it, and
ends it when its standard input ends. Tests run it as text, since not every user can read this file.

    python3 -c TEXT KIND LIBRARY ZS POLICY WORD...

KIND is session or tracker; POLICY is the policy of a session, in JSON. The command inherits the standard output, and
the host closes it once the command is started."""

import ctypes
import os
import sys

NULL = ctypes.c_void_p()


class Error(ctypes.Structure):
    _fields_ = [("step", ctypes.c_char_p), ("cause", ctypes.c_int), ("object", ctypes.c_char * 512),
        ("what", ctypes.c_char * 256), ("hint", ctypes.c_char * 384)]


class SessionOptions(ctypes.Structure):
    _fields_ = [("executable", ctypes.c_char_p), ("report", ctypes.c_int), ("tmpdir", ctypes.c_char_p),
        ("envp", ctypes.c_void_p)]


class TrackerOptions(ctypes.Structure):
    _fields_ = [("executable", ctypes.c_char_p)]


class SpawnOptions(ctypes.Structure):
    _fields_ = [("executable", ctypes.c_char_p), ("cwd", ctypes.c_char_p), ("stdio", ctypes.c_void_p),
        ("overlay", ctypes.c_int), ("report", ctypes.c_int), ("denials", ctypes.c_int)]


def strings(texts):
    return (ctypes.c_char_p * (len(texts) + 1))(*[os.fsencode(text) for text in texts], None)


class Host:
    def __init__(self, library, zs):
        self.library, self.zs, self.error = ctypes.CDLL(library), os.fsencode(zs), Error()
        self.envp = strings(["%s=%s" % pair for pair in os.environ.items()])

    def call(self, name, *arguments):
        """Adds two arguments, an output and the error. Returns the output's value."""
        output = NULL.__class__()
        r = getattr(self.library, name)(*arguments, ctypes.byref(output), ctypes.byref(self.error))
        if r < 0:
            line = ctypes.create_string_buffer(1536)
            self.library.zs_error_format(ctypes.byref(self.error), line, ctypes.c_size_t(1536))
            sys.exit(os.fsdecode(line.value))
        return output

    def session(self, json, words):
        text = os.fsencode(json)
        policy = self.call("zs_policy_from_json", text, ctypes.c_size_t(len(text)), self.envp)
        sandbox = self.call("zs_sandbox_new", policy)
        options = SessionOptions(self.zs, 0, None, ctypes.addressof(self.envp))
        session = self.call("zs_session_open", sandbox, ctypes.byref(options))
        self.call("zs_session_spawn", session, strings(words), self.envp, None)
        return lambda: self.library.zs_session_close(session)

    def tracker(self, _, words):
        tracker = self.call("zs_tracker_new", ctypes.byref(TrackerOptions(self.zs)))
        options = SpawnOptions(self.zs)
        self.call("zs_tracker_spawn", tracker, None, strings(words), self.envp, ctypes.byref(options))
        return lambda: self.library.zs_tracker_free(tracker)


if __name__ == "__main__":
    end = getattr(Host(sys.argv[2], sys.argv[3]), sys.argv[1])(sys.argv[4], sys.argv[5:])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdin.read()
    end()
