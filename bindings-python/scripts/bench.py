"""CPU time of the same run through the bindings and through the command: `python scripts/bench.py COMMAND [ROUNDS]`.

COMMAND is the `tooltest` binary; the package must be installed for this Python. Both run by turns, so that what else the machine does
falls on both; the servers they start count for both.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

SCRIPT = """
import json, sys, tooltest
given = json.load(open(sys.argv[1]))
print(json.dumps(tooltest.run(given.pop("target"), **given).to_dict()))
"""


def measure(*command):
    """Seconds of CPU, user and system, of a program and its children; and the calls that it made."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.returncode}\n{done.stderr}")
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, json.loads(done.stdout)["budget"]["calls"]


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    command, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    server = {"stdio": {"command": command, "args": ["demo", "--serve", "--fixed"]}}
    given = {"target": server, "seed": 1, "max_calls": 20_000, "time_limit": 600, "failure_dir": ""}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "input.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(given, file)
        ratios = []
        for number in range(1, rounds + 1):
            cli, cli_calls = measure(command, "run", "--report", "json", "--input", path)
            binding, calls = measure(sys.executable, "-c", SCRIPT, path)
            ratios.append(binding / cli)
            print(f"round {number}: command {cli:.2f} s, {cli_calls} calls; binding {binding:.2f} s, {calls} calls; ratio {ratios[-1]:.3f}")
        print(f"median ratio: {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
