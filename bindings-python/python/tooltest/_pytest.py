"""What the pytest plugin does once a test asks for it: the fixture, and tests for servers that nobody wrote tests for."""
from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from . import _api
from ._native import TooltestError
from .types import Finding, RunResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from _pytest.outcomes import Failed
else:
    Failed = pytest.fail.Exception

LINTS = "lints"
"""The name of the test for what no single tool is to blame for."""


class TooltestWarning(pytest.PytestWarning):
    """A finding at level warning."""


class ServerFailed(Failed):
    """A server has findings; shown as the report of those findings, without a traceback."""

    __module__ = "builtins"

    def __init__(self, message: str, result: RunResult | None = None) -> None:
        super().__init__(message, pytrace=False)
        self.result = result


def options_of(config: pytest.Config, *layers: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a run: those of the configuration file, then the layers, then those of the command line."""
    found: dict[str, Any] = {}
    found.update(_pair(text) for text in config.getini("tooltest_options"))
    for layer in layers:
        found.update(layer)
    found.update(_pair(text) for text in config.getoption("--tooltest-option"))
    seed = config.getoption("--tooltest-seed")
    if seed is not None:
        found["seed"] = seed
    found.setdefault("failure_dir", str(config.rootpath / ".tooltest" / "failures"))
    return found


def _pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise pytest.UsageError(f"tooltest: expected NAME=VALUE, not `{text}`")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()


def fails_on(config: pytest.Config) -> str:
    """The level of findings that fail a test."""
    level = config.getoption("--tooltest-fail-on") or config.getini("tooltest_fail_on")
    if level not in ("error", "warning"):
        raise pytest.UsageError(f"tooltest_fail_on: must be error or warning, not `{level}`")
    return cast("str", level)


def judged(config: pytest.Config, result: RunResult) -> tuple[list[Finding], list[Finding]]:
    """The findings that fail tests, and those that only warn."""
    if fails_on(config) == "warning":
        return [*result.findings, *result.warnings], []
    return result.findings, result.warnings


def report(config: pytest.Config, findings: list[Finding]) -> str:
    """The text of a failure; its first line says it all."""
    heads = [f"{finding.lint}{f' in {finding.tool}' if finding.tool else ''}" for finding in findings]
    colour = config.getoption("color") == "yes"
    shown = [_api.render_finding(finding, colour=colour).rstrip("\n") for finding in findings]
    if len(findings) == 1:
        return f"{heads[0]}: {findings[0].message}\n\n{shown[0]}"
    parts = [f"{number}. {head}\n\n{text}" for number, (head, text) in enumerate(zip(heads, shown, strict=True), 1)]
    return "\n\n".join([f"{len(findings)} findings: {', '.join(heads)}", *parts])


class Tester:
    """The fixture ``tooltest``."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node
        self._config = request.config

    def __call__(self, target: _api.Target, *, check: bool = True, on_event: Any = None, **options: Any) -> RunResult:
        """Tests a server as ``tooltest.run`` does; findings fail the test unless ``check`` is false."""
        __tracebackhide__ = True
        return self._judge(_api.run(target, on_event=on_event, **self._options(options)), check)

    def lint(self, target: _api.Target, *, check: bool = True, on_event: Any = None, **options: Any) -> RunResult:
        """Judges what a server lists, without calling a tool."""
        __tracebackhide__ = True
        return self._judge(_api.lint(target, on_event=on_event, **self._options(options)), check, calls=False)

    async def run_async(self, target: _api.Target, *, check: bool = True, on_event: Any = None, **options: Any) -> RunResult:
        """As a call, for async tests: a server object runs in the test's own event loop."""
        __tracebackhide__ = True
        return self._judge(await _api.run_async(target, on_event=on_event, **self._options(options)), check)

    def _options(self, options: Mapping[str, Any]) -> Any:
        markers = list(self._node.iter_markers("tooltest"))
        return options_of(self._config, *(marker.kwargs for marker in reversed(markers)), options)

    def _judge(self, result: RunResult, check: bool, calls: bool = True) -> RunResult:
        __tracebackhide__ = True
        self._node.user_properties.append(("tooltest_seed", result.seed))
        findings, lesser = judged(self._config, result)
        for finding in lesser:
            warn(self._node, finding)
        if check and findings:
            raise ServerFailed(report(self._config, findings), result)
        if check and calls and result.outcome != "passed" and not result.findings:
            raise ServerFailed(f"{result.outcome}: {result.reason}\n\n{_api.render(result)}", result)
        return result


def warn(node: pytest.Item, finding: Finding) -> None:
    """Puts a finding into pytest's summary of warnings."""
    where = f" in {finding.tool}" if finding.tool else ""
    also = f" (also in {', '.join(finding.also)})" if finding.also else ""
    warning = TooltestWarning(f"{finding.lint}{where}: {finding.message}{also}")
    warnings.warn_explicit(warning, None, filename=node.nodeid, lineno=0)


class Targets:
    """The zero-code mode: tests for the servers that the command line and the configuration name."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._worker = getattr(config, "workerinput", None)
        self._collected = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tells workers of pytest-xdist what only the main process knows."""
        node.workerinput["tooltest_configured"] = self._configured()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Adds the tests, before anything selects among them."""
        if not self._collected:
            self._collected = True
            root = Root.from_parent(session, name="tooltest", nodeid="tooltest")
            for target in dict.fromkeys([*self._config.getoption("--tooltest"), *self._configured()]):
                items.extend(ServerUnderTest.from_parent(root, name=target).tests())

    def _configured(self) -> list[str]:
        """The configuration's targets, unless the command line asks for certain tests."""
        if self._worker is not None:
            return cast("list[str]", self._worker["tooltest_configured"])
        chosen = self._config.args_source is pytest.Config.ArgsSource.ARGS
        whole = {str(self._config.rootpath), str(self._config.invocation_params.dir)}
        if chosen and not whole & {str(Path(argument).resolve()) for argument in self._config.args}:
            return []
        return cast("list[str]", self._config.getini("tooltest_targets"))


class Root(pytest.Collector):
    """The place of all these tests in node ids."""

    def collect(self) -> list[pytest.Item]:
        """Its tests are added by `Targets`."""
        return []


class ServerUnderTest(pytest.Collector):
    """One server: its tools are listed when tests are collected, and it is tested once, when its first test runs."""

    _result: RunResult | None = None
    _error: TooltestError | None = None

    def collect(self) -> list[pytest.Item]:
        """Its tests are added by `Targets`."""
        return []

    def tests(self) -> Iterator[pytest.Item]:
        """A test for each tool and one for the lints; only the latter where the server does not start."""
        try:
            tools = _api.list_tools(self._target(), **self._options(listing=True))
        except TooltestError as error:
            self._error, tools = error, []
        names = dict.fromkeys(tool["name"] for tool in tools if isinstance(tool.get("name"), str))
        for name in names:
            yield ToolTest.from_parent(self, name=name)
        yield LintsTest.from_parent(self, name=LINTS)

    def _target(self) -> dict[str, Any]:
        """The target; commands are relative to the project."""
        target = _api.read_target(self.name)
        if "stdio" in target:
            target["stdio"].setdefault("cwd", str(self.config.rootpath))
        return target

    def _options(self, listing: bool = False) -> dict[str, Any]:
        options = options_of(self.config, {"keep_going": True})
        return {name: value for name, value in options.items() if not listing or name.endswith("timeout") or name == "protocol_version"}

    def result(self) -> RunResult:
        """The result of the one run; raises where there is none."""
        if self._error is not None:
            raise ServerFailed(f"{self._error.kind}: {self._error}")
        if self._result is None:
            try:
                self._result = self._shared() if hasattr(self.config, "workerinput") else self._run()
            except TooltestError as error:
                self._error = error
                return self.result()
        return self._result

    def _run(self) -> RunResult:
        return _api.run(self._target(), **cast("Any", self._options()))

    def _shared(self) -> RunResult:
        """The result that the workers of pytest-xdist share: one of them runs, the others wait for it."""
        run_id = self.config.workerinput["testrunuid"]  # type: ignore[attr-defined]
        key = hashlib.sha256(self.name.encode()).hexdigest()[:16]
        path = Path(tempfile.gettempdir(), f"tooltest-{run_id}-{key}.json")
        try:
            os.close(os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            until = time.monotonic() + 2 * float(self._options().get("time_limit", 60)) + 60
            while not path.exists() and time.monotonic() < until:
                time.sleep(0.05)
            if path.exists():
                return RunResult(json.loads(path.read_text(encoding="utf-8")))
            return self._run()
        try:
            result = self._run()
            partial = path.with_suffix(".partial")
            partial.write_text(json.dumps(result.to_dict()), encoding="utf-8")
            partial.replace(path)
        except BaseException:
            path.with_suffix(".lock").unlink(missing_ok=True)
            raise
        return result


class ServerTest(pytest.Item):
    """A test of a server."""

    @property
    def server(self) -> ServerUnderTest:
        """The server."""
        return cast("ServerUnderTest", self.parent)

    def reportinfo(self) -> tuple[Path, int, str]:
        """What failures are headed with."""
        return self.config.rootpath / "tooltest", 0, f"{self.server.name} · {self.name}"

    def runtest(self) -> None:
        """Fails with this test's findings."""
        result = self.server.result()
        self.user_properties.append(("tooltest_seed", result.seed))
        findings, lesser = judged(self.config, result)
        for finding in lesser:
            if self.concerns(finding, result):
                warn(self, finding)
        if found := [finding for finding in findings if self.concerns(finding, result)]:
            raise ServerFailed(report(self.config, found), result)
        self.passed(result)

    def concerns(self, finding: Finding, result: RunResult) -> bool:
        """Whether this test is the one to show a finding."""
        raise NotImplementedError

    def passed(self, result: RunResult) -> None:
        """Called where there is no finding."""


class ToolTest(ServerTest):
    """The test of a tool."""

    def concerns(self, finding: Finding, result: RunResult) -> bool:
        """Findings that this tool is to blame for, alone or with others."""
        return finding.tool == self.name or self.name in finding.also

    def passed(self, result: RunResult) -> None:
        """A tool that never had a success was not judged: it must not count as passed."""
        coverage = next((tool for tool in result.coverage if tool.tool == self.name), None)
        if coverage is None or coverage.ok == 0:
            reason = coverage.reason if coverage else None
            raise pytest.skip.Exception(reason or "no call succeeded, so it was not judged", _use_item_location=True)


class LintsTest(ServerTest):
    """The test of everything that no tool of the list is to blame for."""

    def concerns(self, finding: Finding, result: RunResult) -> bool:
        """Findings of the handshake, the lists and the whole session."""
        tools = {tool.tool for tool in result.coverage}
        return not tools.intersection([finding.tool, *finding.also])
