"""The pytest plugin, in pytest sessions of its own."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import SERVERS

COMMAND = f"{sys.executable} {SERVERS / 'tasks_server.py'}"
FAULTY = f"env FAULTS=crash {COMMAND}"
SMALL = ("--tooltest-option", "max_calls=400", "--tooltest-option", "time_limit=60", "--tooltest-seed", "7")


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    pytester._monkeypatch.setenv("COLUMNS", "400")  # else the summary's lines are cut
    return pytester.runpytest_subprocess(*SMALL, *args)


def test_a_sound_server_passes_without_a_line_of_code(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--tooltest", COMMAND, "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines([f"tooltest: {COMMAND}", "tooltest::*tasks_server.py::add PASSED*", "*::repeat PASSED*", "*::lints PASSED*"])


def test_a_finding_is_shown_as_a_report_without_a_traceback(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--tooltest", FAULTY)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*no_crash in add: the server exited with code 7*", "*why*", "*fix*", "*replay*tooltest replay *no_crash-add-*", "FAILED *::add - *no_crash in add:*"])
    result.stdout.no_fnmatch_line("*_pytest.py*")
    result.stdout.no_fnmatch_line("*Traceback*")
    assert list((pytester.path / ".tooltest" / "failures").glob("no_crash-add-*.json"))


def test_saved_failures_come_first(pytester: pytest.Pytester) -> None:
    run(pytester, "--tooltest", FAULTY).assert_outcomes(passed=2, failed=1)
    again = pytester.runpytest_subprocess("--tooltest", FAULTY, "--tooltest-option", 'phases=["replay"]')
    again.assert_outcomes(failed=1, skipped=1, passed=1)


def test_selection_works_as_usual(pytester: pytest.Pytester) -> None:
    run(pytester, "--tooltest", FAULTY, "-k", "repeat").assert_outcomes(passed=1, deselected=2)
    run(pytester, "--tooltest", FAULTY, "-x").assert_outcomes(failed=1)
    run(pytester, "--tooltest", FAULTY).assert_outcomes(passed=2, failed=1)
    last = run(pytester, "--tooltest", FAULTY, "--lf")
    last.assert_outcomes(failed=1, deselected=2)


def test_the_server_runs_once_for_all_its_tests(pytester: pytest.Pytester) -> None:
    starts = pytester.path / "starts"
    server = f"env PID_FILE={starts} {COMMAND}"
    run(pytester, "--tooltest", server, "--co").assert_outcomes()
    listing = len(starts.read_text().splitlines())
    run(pytester, "--tooltest", server, "-k", "add").assert_outcomes(passed=1, deselected=2)
    one = len(starts.read_text().splitlines()) - listing
    run(pytester, "--tooltest", server).assert_outcomes(passed=3)
    all_of_them = len(starts.read_text().splitlines()) - listing - one
    # A busy machine costs a start or two, since what looked slow is measured again; three runs would cost three times as many.
    assert listing < all_of_them < 2 * one


def test_the_configuration_names_servers_and_options(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(f"""
        [tool.pytest.ini_options]
        tooltest_targets = ["{COMMAND}", "no-such-program-here"]
        tooltest_options = ["max_calls=100", "tool_blocklist=[\\"rep*\\"]"]
    """)
    pytester.makepyfile(test_own="def test_own(): pass")
    result = pytester.runpytest_subprocess("-v", "-rs")
    result.assert_outcomes(passed=3, skipped=1, failed=1)
    result.stdout.fnmatch_lines(["*::no-such-program-here::lints FAILED*", "*open: *no-such-program-here*", "SKIPPED *tooltest:1: not called: on the blocklist*"])
    pytester.runpytest_subprocess("test_own.py").assert_outcomes(passed=1)
    pytester.runpytest_subprocess("test_own.py::test_own").assert_outcomes(passed=1)


def test_xdist_shares_one_run(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    starts = pytester.path / "starts"
    run(pytester, "--tooltest", f"env PID_FILE={starts} {FAULTY}").assert_outcomes(passed=2, failed=1)
    alone = len(starts.read_text().splitlines())
    starts.unlink()
    run(pytester, "--tooltest", f"env PID_FILE={starts} {FAULTY}", "--co")
    listing = len(starts.read_text().splitlines())
    result = run(pytester, "--tooltest", f"env PID_FILE={starts}.2 {FAULTY}", "-n", "2", "--tooltest-option", "failure_dir=other")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*no_crash in add: the server exited*"])
    shared = len(Path(f"{starts}.2").read_text().splitlines())
    # A busy machine may cost a start or two more: what looked slow is measured again.
    assert shared < alone + listing + alone // 2, "the second worker only lists the tools"


def test_junit_reports_a_case_for_each_tool(pytester: pytest.Pytester) -> None:
    run(pytester, "--tooltest", FAULTY, "--junitxml", "junit.xml")
    cases = list(ElementTree.parse(pytester.path / "junit.xml").iter("testcase"))
    assert [case.get("name") for case in cases] == ["add", "repeat", "lints"]
    failure = cases[0].find("failure")
    assert failure is not None
    assert "no_crash in add" in failure.get("message", "")
    properties = {item.get("name"): item.get("value") for item in cases[0].iter("property")}
    assert properties["tooltest_seed"] == "7"


def test_the_fixture_checks_a_server_in_a_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(f"""
        import pytest

        def test_sound(tooltest):
            result = tooltest({COMMAND!r})
            assert result.seed == 7

        def test_faulty(tooltest):
            tooltest({FAULTY!r})

        def test_unchecked(tooltest):
            assert tooltest({FAULTY!r}, check=False).outcome == "failed"

        def test_lint(tooltest):
            assert tooltest.lint({FAULTY!r}).budget.calls == 0

        @pytest.mark.tooltest(tool_allowlist=["repeat"])
        def test_marked(tooltest):
            result = tooltest({FAULTY!r})
            assert [tool.tool for tool in result.coverage if tool.calls] == ["repeat"]

        @pytest.mark.tooltest(tool_blocklist=["*"])
        def test_nothing_judged_is_not_passed(tooltest):
            tooltest({COMMAND!r})
    """)
    result = run(pytester, "--strict-markers")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["*no_crash in add: the server exited with code 7*", "FAILED *::test_faulty - *no_crash in add*", "FAILED *judged_is_not_passed - *inconclusive*"])
    result.stdout.no_fnmatch_line("*site-packages*")


def test_warnings_are_warnings_or_failures_as_configured(pytester: pytest.Pytester) -> None:
    server = pytester.makepyfile(server=(SERVERS / "tasks_server.py").read_text().replace('"description": "Repeats a text.",', ""))
    result = run(pytester, "--tooltest", f"{sys.executable} {server}")
    assert result.parseoutcomes()["passed"] == 3
    result.stdout.fnmatch_lines(["*TooltestWarning: * in repeat*"])
    run(pytester, "--tooltest", f"{sys.executable} {server}", "--tooltest-fail-on", "warning").stdout.fnmatch_lines(["FAILED *::repeat - *tool_description_present in repeat*"])


def test_nothing_is_imported_where_nothing_is_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import sys

        def test_modules():
            assert not [name for name in sys.modules if name == "tooltest" or name.startswith("tooltest.")]
    """)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_mistakes_in_options_are_usage_errors(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--tooltest", COMMAND, "--tooltest-option", "max_calls")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*expected NAME=VALUE, not `max_calls`*"])
    wrong = run(pytester, "--tooltest", COMMAND, "--tooltest-option", "max_call=3")
    wrong.assert_outcomes(failed=3)
    wrong.stdout.fnmatch_lines(["*did you mean `max_calls`*"])


def test_importing_the_package_is_light() -> None:
    script = "import sys, tooltest; print([name for name in ('asyncio', 'pytest', 'mcp', 'xml.etree') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"
