"""Ending a run early: Ctrl-C, cancellation; the GIL; forks. No server survives."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from conftest import SERVERS, SMALL, alive, server

import tooltest

ENDLESS = {**SMALL, "max_calls": 10_000_000, "time_limit": 600}


def wait_for(condition: object) -> None:
    """Waits until a condition holds, for as long as it takes: the test's own limit ends it."""
    pause = threading.Event()
    while not condition():  # type: ignore[operator]
        pause.wait(0.01)


def pids(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


SCRIPT = """
    import json, sys
    import tooltest
    target = json.loads(sys.argv[1])
    def ready(event):
        if event.event == "server_ready":
            print("ready", flush=True)
    try:
        tooltest.run(target, on_event=ready, max_calls=10_000_000, time_limit=600, failure_dir="")
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""


@pytest.mark.parametrize("faults", ["", "hang"])
def test_ctrl_c_is_answered_and_ends_the_server(tmp_path: Path, faults: str) -> None:
    log = tmp_path / "pids"
    target = json.dumps(server(faults, PID_FILE=str(log)))
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(SCRIPT), target], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert process.wait() == 130
    wait_for(lambda: not any(alive(pid) for pid in pids(log)))


def test_ctrl_c_ends_the_command_with_its_result(tmp_path: Path) -> None:
    log = tmp_path / "pids"
    command = [sys.executable, "-m", "tooltest", "run", "--max-calls", "10000000", "--time-limit", "600", "--failure-dir", "", "--env", f"PID_FILE={log}"]
    command += ["--command", f"{sys.executable} {SERVERS / 'tasks_server.py'}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: pids(log) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    wait_for(lambda: not any(alive(pid) for pid in pids(log)))


def test_cancelling_the_task_ends_the_server_first(tmp_path: Path) -> None:
    log = tmp_path / "pids"

    async def scenario() -> list[str]:
        ready = asyncio.Event()
        seen = []

        def note(event: tooltest.Event) -> None:
            seen.append(event.event)
            if event.event == "server_ready":
                ready.set()

        task = asyncio.create_task(tooltest.run_async(server(PID_FILE=str(log)), on_event=note, **ENDLESS))
        await ready.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not any(alive(pid) for pid in pids(log))
        return seen

    assert "server_ready" in asyncio.run(scenario())
    assert pids(log)


def test_a_timeout_of_asyncio_ends_the_run() -> None:
    async def scenario() -> None:
        await asyncio.wait_for(tooltest.run_async(server(), **ENDLESS), 1)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(scenario())


def test_runs_go_on_side_by_side_in_one_loop() -> None:
    async def scenario() -> list[tooltest.RunResult]:
        return await asyncio.gather(*(tooltest.run_async(server(), **SMALL) for _ in range(3)))

    assert [result.outcome for result in asyncio.run(scenario())] == ["passed"] * 3


def test_an_exception_of_an_async_callback_is_passed_on() -> None:
    def stop(event: tooltest.Event) -> None:
        raise LookupError(event.event)

    async def scenario() -> None:
        await tooltest.run_async(server(), on_event=stop, **ENDLESS)

    with pytest.raises(LookupError, match="run_started"):
        asyncio.run(scenario())


def test_other_threads_go_on_meanwhile() -> None:
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.wait(0.001):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    tooltest.run(server(), **SMALL)
    done.set()
    thread.join()
    assert turns > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_the_process_can_fork_afterwards() -> None:
    script = """
        import json, os, sys
        import tooltest
        target = json.loads(sys.argv[1])
        tooltest.run(target, max_calls=20, failure_dir="")
        if (child := os.fork()) == 0:
            result = tooltest.run(target, max_calls=20, failure_dir="")
            os._exit(0 if result.outcome == "passed" else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert subprocess.run([sys.executable, "-c", textwrap.dedent(script), json.dumps(server())]).returncode == 0
