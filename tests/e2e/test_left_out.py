"""Certificates that variables name are read inside, and nothing else is read in their name. When a command fails, a
line names the configuration of package tools that it did not see."""

import os
import re

from harness import expect, test

CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"
VARIABLES = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
    "PIP_CERT", "CARGO_HTTP_CAINFO", "DENO_CERT", "AWS_CA_BUNDLE")
# authorities.h
MIB_MAX = 4


def reads(box, variable, value, path):
    """Can a command read the path when the variable has this value? It must see the value in any case."""
    script = 'test "$%s" = %s && cat %s' % (variable, value, path)
    env = {variable: value}
    box.run(["sh", "-c", script], add_env=env).expect(exit=0)
    result = box.run_zs("run", "--", "sh", "-c", 'test "$%s" = %s && echo passes; cat %s' % (variable, value, path),
        add_env=env)
    expect(result.stdout.startswith("passes\n"), "the variable does not pass", result)
    return result.exit == 0


@test(needs=["sandbox"])
def a_file_of_certificates_is_read(box):
    box.folder("home/shut", 0o700)
    ca = box.file("home/shut/ca.pem", "# ours\n\n" + CERTIFICATE * 2, 0o600)
    box.denied("cat " + ca)
    for variable in VARIABLES:
        expect(reads(box, variable, ca, ca), variable)
    link = os.path.join(box.home, "link.pem")
    os.symlink(ca, link)
    expect(reads(box, "SSL_CERT_FILE", link, link), "by a link")
    # Only the file, and only to read.
    neighbour = box.file("home/shut/other", "x", 0o600)
    expect(not reads(box, "SSL_CERT_FILE", ca, neighbour), "the file beside it")
    box.denied("echo x >>" + ca, add_env={"SSL_CERT_FILE": ca})
    box.run_zs("run", "--no-default", "read", "--", "cat", ca, add_env={"SSL_CERT_FILE": ca}).expect(exit=1)


@test(needs=["sandbox"])
def nothing_else_is_read_in_its_name(box):
    box.folder("home/shut", 0o700)
    big = CERTIFICATE + "#" * (MIB_MAX << 20)
    for name, text in (("secret", "token\n"), ("late", "token\n" + CERTIFICATE), ("both", CERTIFICATE + KEY),
            ("key", KEY), ("binary", CERTIFICATE + "\0token"), ("big", big), ("empty", "")):
        path = box.file("home/shut/" + name, text, 0o600)
        expect(not reads(box, "SSL_CERT_FILE", path, path), name)
        # Everybody may read the file itself, but not reach it.
        os.chmod(path, 0o644)
        expect(not reads(box, "SSL_CERT_FILE", path, path), name + ", in a shut folder")
    whole = box.file("home/shut/whole", big[:MIB_MAX << 20], 0o600)
    expect(reads(box, "SSL_CERT_FILE", whole, whole), "the largest file")
    both = box.file("outside/both", CERTIFICATE + KEY, 0o644)
    expect(not reads(box, "SSL_CERT_FILE", both, both), "a key that everybody may read")
    for path in (box.home, "/", os.path.dirname(box.key)):
        expect(not reads(box, "SSL_CERT_DIR", path, box.key), path)
    # A command of an earlier run may have put the link there.
    os.symlink(box.key, os.path.join(box.work, "ca.pem"))
    expect(not reads(box, "SSL_CERT_FILE", box.work + "/ca.pem", box.key), "a link to a key")


@test(needs=["sandbox"])
def what_everybody_may_read_is_read(box):
    text = box.file("outside/ca.txt", "Certificate:\n    Data:\n" + CERTIFICATE, 0o644)
    expect(reads(box, "REQUESTS_CA_BUNDLE", text, text), "a file")
    box.file("certs/a.pem", CERTIFICATE, 0o644)
    box.file("certs/shut.pem", KEY, 0o600)
    certs = os.path.join(box.root, "certs")
    expect(reads(box, "SSL_CERT_DIR", "/nowhere:" + certs, certs + "/a.pem"), "a folder")
    expect(not reads(box, "SSL_CERT_DIR", certs, certs + "/shut.pem"), "a file that not everybody may read")
    os.chmod(certs, 0o750)
    expect(not reads(box, "SSL_CERT_DIR", certs, certs + "/a.pem"), "a folder that not everybody may read")


@test(needs=["sandbox"])
def a_failed_command_is_told_what_was_left_out(box):
    head = "zs: left out: %s: the command failed, and did not see %s; if it needs %s, add %s\n"
    for name in ("npmrc", "config/pip/pip.conf", "pip/pip.conf", "cargo/credentials.toml", "m2/settings.xml"):
        path = "~/." + name
        box.file("home/." + name, "x\n", 0o600)
        tool = {"n": "npm", "c": "pip", "p": "pip3", "m": "mvn"}[name[0]] if "cargo" not in name else "cargo"
        script = "%s() { return 3; }; %s install" % (tool, tool)
        line = head % (path, "this", "it", "--ro " + path)
        for zs in (["run", "--", "sh", "-c", script], ["bash", "-c", script],
                ["run", "--verify", "--", "sh", "-c", script]):
            box.run_zs(*zs).expect(exit=3, stderr=line)
        # It says nothing when the command succeeds, when it sees the file, and when it has not to do with the tool.
        box.run_zs("run", "--", "sh", "-c", script + "; true").expect(exit=0, stderr="")
        box.run_zs("run", "--ro", path, "--", "sh", "-c", script).expect(exit=3, stderr="")
        box.run_zs("run", "--", "sh", "-c", "x%s=; exit 3" % tool).expect(exit=3, stderr="")
        box.run_zs("run", "--", "sh", "-c", script.replace("return 3", "kill -9 $$")).expect(exit=137, stderr="")
        os.remove(box.home + path[1:])
        box.run_zs("run", "--", "sh", "-c", script).expect(exit=3, stderr="")


@test(needs=["sandbox"])
def variables_are_named_without_their_value(box):
    script = "npm() { return 1; }; npm ci"
    env = {"NPM_TOKEN": "SECRET", "npm_config_registry": "https://user:SECRET@example.org/", "PIP_INDEX_URL": "x"}
    box.file("home/.npmrc")
    result = box.run_zs("run", "--", "sh", "-c", script, add_env=env).expect(exit=1)
    expect(result.stderr == "zs: left out: ~/.npmrc, npm_config_registry, NPM_TOKEN: the command failed, and did not "
        "see these; if it needs them, add --ro ~/.npmrc --env npm_config_registry --env NPM_TOKEN\n", result)
    options = ["--ro", "~/.npmrc", "--env", "npm_config_registry", "--env", "NPM_TOKEN"]
    box.run_zs("run", *options, "--", "sh", "-c", script, add_env=env).expect(exit=1, stderr="")
    # The variable passes, and its file is not read.
    both = box.file("home/shut/both", CERTIFICATE + KEY, 0o600)
    box.run_zs("run", "--", "sh", "-c", "curl() { return 60; }; curl x", add_env={"CURL_CA_BUNDLE": both}).expect(
        exit=60, stderr=re.compile(r"\Azs: left out: %s: .* add --ro %s\n\Z" % (both, both)))
    # Names that do not fit in the line are left away whole.
    long = box.file("home/" + "/".join(["n" * 100] * 3) + "/ca.pem", KEY, 0o600)
    result = box.run_zs("run", "--", "sh", "-c", script, add_env={**env, "CURL_CA_BUNDLE": long}).expect(exit=1)
    expect(long not in result.stderr and result.stderr.endswith("--env NPM_TOKEN\n"), result)
