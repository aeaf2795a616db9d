#!/usr/bin/env python3
"""Runs tasks as boxes over a Ray cluster, and prints a line of JSON about each (docs/fleet.md).

    ray_boxes.py TASKS [--tries N] [--nodes N] [--kill COUNT]

TASKS has a task per line: {"id": "t1", "command": "wc -l </tmp/input", "input": "a\\n", "answer": "1\\n"}. It scores 1
if the command ends with 0 and prints the answer, else 0. A lost node, worker or box and a failure of zs give no score:
the task runs again, in a new box. Exit status: 0 if every task has a score, else 125.

It joins the cluster of RAY_ADDRESS. --nodes starts one on this machine, and --kill kills a node after so many results.

This file is not ray.py: Python looks for `import ray` in the folder of the script first, and would find the script.
"""

import argparse
import contextlib
import json
import os
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would send statistics to its makers

import ray
from ray.exceptions import RayError
from ray.experimental.sandbox import SandboxTimeoutError
from zs_sandbox.ray_runtime import ZsRuntime

CANNOT_ENFORCE = 125
LOOPBACK = "127.0.0.2"  # for 127.0.0.1 Ray takes another address of this machine


@ray.remote(num_cpus=1, max_retries=0)
def attempt(task):
    """One try, on any node. An exception means that there is no result."""
    runtime = ZsRuntime(limits={"wall": "10m"})
    sandbox = runtime.create("/")
    try:
        runtime.write_file(sandbox, "/tmp/input", task["input"])
        done = runtime.exec(sandbox, task["command"], timeout=60)
    except SandboxTimeoutError:
        done = None
    finally:
        runtime.delete(sandbox)
    right = done is not None and done.exit_code == 0 and done.stdout == task["answer"]
    return {"score": int(right), "exit": done and done.exit_code, "node": ray.get_runtime_context().get_node_id()}


def run(tasks, tries):
    """Yields a line for each task as it ends. lost: why the tries before had no result."""
    waiting = {attempt.remote(task): (task, []) for task in tasks}
    while waiting:
        for ref in ray.wait(list(waiting), num_returns=len(waiting), timeout=0.2)[0]:
            task, lost = waiting.pop(ref)
            try:
                result = ray.get(ref)
            except RayError as error:
                lost.append("%s: %s" % (type(error).__name__, str(error).strip().splitlines()[-1]))
                if len(lost) < tries:
                    waiting[attempt.remote(task)] = task, lost
                    continue
                result = {"score": None, "exit": None, "node": None}
            yield {"id": task["id"], **result, "lost": lost}


@contextlib.contextmanager
def cluster_of(nodes):
    """Yields a function that kills a node with its workers, but not the first one, which holds the cluster."""
    import psutil  # which Ray brings
    from ray.cluster_utils import Cluster

    cluster = Cluster()

    def kill(name):
        found = [node for node in cluster.worker_nodes if node.node_id == name]
        for node in found:
            workers = psutil.Process(node.all_processes["raylet"][0].process.pid).children()
            for worker in workers:
                worker.suspend()  # as a machine without power: Ray would let it send its result
            cluster.remove_node(node, allow_graceful=False)
            for worker in workers:
                worker.kill()
        return bool(found)

    try:
        for _ in range(nodes):
            cluster.add_node(num_cpus=2, node_ip_address=LOOPBACK, include_dashboard=False)
        ray.init(cluster.address, log_to_driver=False, logging_level="error")
        yield kill
    finally:
        ray.shutdown()
        cluster.shutdown()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks")
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--kill", type=int)
    options = parser.parse_args()
    if options.kill and not options.nodes:
        parser.error("--kill needs --nodes")
    with open(options.tasks, encoding="utf-8") as file:
        tasks = [json.loads(line) for line in file]
    scored, results = 0, sys.stdout
    sys.stdout = sys.stderr  # Ray prints, too
    with cluster_of(options.nodes) if options.nodes else ray.init(log_to_driver=False) as kill:
        for count, line in enumerate(run(tasks, options.tries), 1):
            print(json.dumps(line), file=results, flush=True)
            scored += line["score"] is not None
            if options.kill and count >= options.kill and kill(line["node"]):
                options.kill = None
    return 0 if scored == len(tasks) else CANNOT_ENFORCE


if __name__ == "__main__":
    sys.exit(main())
