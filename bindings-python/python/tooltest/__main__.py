"""The `tooltest` command."""
from __future__ import annotations

import os
import signal
import sys
import sysconfig


def main() -> int:
    """Runs the command line; returns the exit code."""
    from ._native import main as run

    # `demo` starts the command once more, which an environment that is not activated does not have on its path.
    if sys.argv[1:2] == ["demo"]:
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
    # CPython's handler would only take a note of Ctrl-C; the command has its own.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["tooltest", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
