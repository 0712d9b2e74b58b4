"""run, lint, replay, list_tools: what goes in and what comes out."""
from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SERVERS, SMALL, server

import tooltest


def test_a_sound_server_passes() -> None:
    result = tooltest.run(server(), **SMALL)
    assert (result.outcome, result.findings, result.server.name) == ("passed", [], "tasks")
    assert {tool.tool for tool in result.coverage if tool.ok} == {"add", "repeat"}
    assert result.seed == 7


def test_a_faulty_server_is_found_with_its_smallest_case() -> None:
    result = tooltest.run(server("crash"), **{**SMALL, "max_calls": 600})
    assert result.outcome == "failed"
    finding = next(finding for finding in result.findings if finding.lint == "no_crash")
    assert finding.tool == "add"
    assert finding.case is not None
    step = finding.case.steps[finding.case.failing_step]
    assert step.arguments["a"] > 500
    assert step.arguments["b"] == 0
    text = tooltest.render_finding(finding)
    assert str(step.arguments["a"]) in text and finding.fix.split()[0] in text
    assert "no_crash" in tooltest.render(result)


def test_results_are_plain_data_too() -> None:
    result = tooltest.run(server(), **SMALL)
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert result["server"]["name"] == plain["server"]["name"] == result.server.name
    assert result.coverage[0].to_dict() == plain["coverage"][0]
    again = pickle.loads(pickle.dumps(result))
    assert (again, type(again)) == (result, tooltest.RunResult)
    assert result.baseline is None
    assert result.replayed == []
    with pytest.raises(AttributeError, match="no field 'outcom'"):
        result.outcom  # noqa: B018
    assert "outcome='passed'" in repr(result)


@pytest.mark.parametrize("form", ["line", "words", "tuple", "document", "configuration", "path"])
def test_targets_are_read_in_every_form(form: str, tmp_path: Path) -> None:
    words = [sys.executable, str(SERVERS / "tasks_server.py")]
    forms = {
        "line": " ".join(words),
        "words": words,
        "tuple": tuple(words),
        "document": {"stdio": {"command": words[0], "args": words[1:]}},
        "configuration": {"mcpServers": {"tasks": {"command": words[0], "args": words[1:]}}},
    }
    if form == "path":
        file = tmp_path / ".mcp.json"
        file.write_text("// as editors write it\n" + json.dumps(forms["configuration"]))
        target = tooltest.from_config(file, "tasks")
    else:
        target = forms[form]
    assert [tool["name"] for tool in tooltest.list_tools(target)] == ["add", "repeat"]


def test_lint_calls_no_tool() -> None:
    result = tooltest.lint(server(), **SMALL)
    assert result.server.name == "tasks"
    assert sum(tool.calls for tool in result.coverage) == 0


def test_failures_are_saved_and_replayed() -> None:
    options = {**SMALL, "max_calls": 600, "failure_dir": "saved"}
    result = tooltest.run(server("crash"), **options)
    file = next(finding.failure_file for finding in result.findings if finding.lint == "no_crash")
    assert file
    again = tooltest.replay(file, server("crash"))
    assert [(replay.lint, replay.status) for replay in again.replayed] == [("no_crash", "failing")]
    fixed = tooltest.replay("saved", server())
    assert [replay.status for replay in fixed.replayed] == ["fixed"]
    first = tooltest.run(server("crash"), **{**options, "max_calls": 20})
    assert first.replayed[0].status == "failing"


def test_saved_failures_know_their_server() -> None:
    tooltest.run(server("crash"), **{**SMALL, "max_calls": 600, "failure_dir": "saved"})
    assert [replay.status for replay in tooltest.replay("saved").replayed] == ["failing"]


def test_events_come_in_order_in_this_thread() -> None:
    import threading

    seen = []
    result = tooltest.run(server(), on_event=lambda event: seen.append((event.event, threading.current_thread())), **SMALL)
    names = [name for name, _ in seen]
    assert (names[0], names[-1]) == ("run_started", "run_finished")
    assert {thread for _, thread in seen} == {threading.current_thread()}
    assert result.outcome == "passed"


def test_an_exception_of_the_callback_ends_the_run() -> None:
    def stop(event: tooltest.Event) -> None:
        if event.event == "server_ready":
            assert event.name == "tasks"
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        tooltest.run(server(), on_event=stop, **SMALL)


@pytest.mark.parametrize(
    ("target", "options", "kind", "words"),
    [
        ("no-such-program-here", {}, "open", "no-such-program-here"),
        ("", {}, "input", "empty"),
        (server(), {"max_call": 3}, "input", "did you mean `max_calls`"),
        (server(), {"max_calls": "many"}, "input", "max_calls"),
        (3, {}, "input", "not int"),
        ({"mcpServers": {}}, {}, "input", "target"),
        ("http://127.0.0.1:9/mcp", {"startup_timeout": 5}, "open", "127.0.0.1:9"),
    ],
)
def test_errors_have_a_kind(target: object, options: dict[str, object], kind: str, words: str) -> None:
    with pytest.raises(tooltest.TooltestError, match=words) as caught:
        tooltest.run(target, **options)  # type: ignore[arg-type]
    assert caught.value.kind == kind
    assert pickle.loads(pickle.dumps(caught.value)).kind == kind


def test_every_report_format_is_there() -> None:
    result = tooltest.run(server(), **SMALL)
    assert json.loads(tooltest.render(result, "json"))["outcome"] == "passed"
    for format, words in [("human", "tasks"), ("junit", "<testsuites>"), ("sarif", '"runs"'), ("html", "<html"), ("markdown", "tasks"), ("ndjson", "{")]:
        assert words in tooltest.render(result.to_dict(), format)
    with pytest.raises(tooltest.TooltestError, match="did you mean `junit`"):
        tooltest.render(result, "junitt")


def test_the_command_is_there(capfd: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "tooltest"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    assert tooltest.__version__ in version
    words = [sys.executable, str(SERVERS / "tasks_server.py")]
    run = subprocess.run([*command, "run", "--max-calls", "50", "--failure-dir", "", "--report", "json", "--", *words], capture_output=True, text=True)
    assert (run.returncode, json.loads(run.stdout)["outcome"]) == (0, "passed")
