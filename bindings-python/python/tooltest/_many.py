"""Many servers at once, on any executor."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union, cast

from . import _native
from ._api import Target, plain, render, run
from ._native import TooltestError
from .types import Finding, RunResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from .types import Options

TEXT = ("human", "markdown", "github")


@dataclass(frozen=True)
class ManyResults(Mapping[str, Union[RunResult, TooltestError]]):
    """The results of many servers, by the names of their targets and in their order.

    Where a server could not be tested, its error stands in place of a result.
    """

    by_name: dict[str, RunResult | TooltestError] = field(default_factory=dict)

    @property
    def results(self) -> dict[str, RunResult]:
        """Those that there are."""
        return {name: got for name, got in self.by_name.items() if isinstance(got, RunResult)}

    @property
    def errors(self) -> dict[str, TooltestError]:
        """Why there is no result, for those that could not be tested."""
        return {name: got for name, got in self.by_name.items() if isinstance(got, TooltestError)}

    @property
    def findings(self) -> list[tuple[str, Finding]]:
        """Every finding at level error with the name of its target."""
        return [(name, finding) for name, result in self.results.items() for finding in result.findings]

    @property
    def passed(self) -> bool:
        """Whether every server was tested and passed."""
        return not self.errors and all(result.outcome == "passed" for result in self.results.values())

    def render(self, format: str = "human", **look: Any) -> str:
        """One report over all servers: ``human``, ``markdown``, ``github``, ``json``, ``ndjson``, ``junit`` or ``sarif``."""
        reports = {name: render(result, "json" if format == "ndjson" else format, **look) for name, result in self.results.items()}
        if format in TEXT:
            return _text(self, reports, format)
        if format == "junit":
            return _junit(self, reports)
        if format == "sarif":
            return _sarif(reports)
        if format not in ("json", "ndjson"):
            raise _input(f"format: many servers have no report in `{format}`")
        parts: list[dict[str, Any]] = [{"target": name, "result": json.loads(report)} for name, report in reports.items()]
        parts += [{"target": name, "error": {"kind": error.kind, "message": str(error)}} for name, error in self.errors.items()]
        if format == "ndjson":
            return "".join(json.dumps(part, ensure_ascii=False) + "\n" for part in parts)
        return json.dumps({"targets": parts}, ensure_ascii=False, indent=2) + "\n"

    def __getitem__(self, name: str) -> RunResult | TooltestError:
        return self.by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)


def run_many(
    targets: Iterable[Target] | Mapping[str, Target],
    *,
    executor: Any = None,
    on_result: Callable[[str, RunResult | TooltestError], object] | None = None,
    **options: Unpack[Options],
) -> ManyResults:
    """Tests many servers, each as :func:`run` does, and waits for all of them.

    ``targets`` are a list, or a mapping from names of your own. ``executor`` is any ``concurrent.futures.Executor``, or an
    object that has one (``get_executor()``, as a Dask client); by default the processors of this machine share the work.
    Targets and options are sent to the executor's workers, where tooltest must be installed: for workers in other
    processes a server object must be a function of a module. ``on_result`` is called in this thread as results come in.
    """
    named = dict(targets) if isinstance(targets, Mapping) else {_name(target, number): target for number, target in enumerate(targets, 1)}
    own = ThreadPoolExecutor(os.cpu_count() or 1, "tooltest-many") if executor is None else None
    pool: Executor = own or (executor.get_executor() if hasattr(executor, "get_executor") else executor)
    found: dict[str, RunResult | TooltestError] = {}
    pending: dict[Future[Any], str] = {}
    try:
        for name, target in named.items():
            pending[pool.submit(one, target, dict(options))] = name
        for future in as_completed(pending):
            name = pending[future]
            found[name] = got = cast("RunResult | TooltestError", future.result())
            if on_result is not None:
                on_result(name, got)
    except BaseException:
        for future in pending:
            future.cancel()
        raise
    finally:
        if own is not None:
            own.shutdown()
    return ManyResults({name: found[name] for name in named})


def one(target: Target, options: dict[str, Any]) -> RunResult | TooltestError:
    """The work of one worker."""
    try:
        return run(target, **options)
    except TooltestError as error:
        return error


def merge(results: Iterable[RunResult | Mapping[str, Any]]) -> RunResult:
    """Several results of one server as one: the parts of a run that ``shard`` divided, or repeated runs."""
    return RunResult(json.loads(_native.merge([json.dumps(plain(result)) for result in results])))


def _name(target: Target, number: int) -> str:
    if isinstance(target, str):
        return f"{number}: {target}"
    if isinstance(target, (list, tuple)):
        return f"{number}: {' '.join(map(str, target))}"
    if isinstance(target, Mapping):
        return f"{number}: {target.get('command') or target.get('url') or 'server'}"
    return f"{number}: {getattr(target, 'name', None) or getattr(target, '__name__', type(target).__name__)}"


def _text(whole: ManyResults, reports: dict[str, str], format: str) -> str:
    head = {"human": "═══ {} ═══\n", "markdown": "# {}\n\n", "github": "::group::{}\n"}[format]
    foot = {"human": "\n", "markdown": "\n", "github": "::endgroup::\n"}[format]
    parts = [head.format(name) + report + foot for name, report in reports.items()]
    parts += [head.format(name) + f"could not be tested: {error}\n" + foot for name, error in whole.errors.items()]
    outcomes = [result.outcome for result in whole.results.values()]
    counts = [f"{outcomes.count(outcome)} {outcome}" for outcome in dict.fromkeys(outcomes)]
    if whole.errors:
        counts.append(f"{len(whole.errors)} could not be tested")
    return "".join(parts) + f"{len(whole)} servers: {', '.join(counts)}\n"


def _junit(whole: ManyResults, reports: dict[str, str]) -> str:
    from xml.etree import ElementTree

    root = ElementTree.Element("testsuites")
    for name, report in reports.items():
        for suite in ElementTree.fromstring(report):
            suite.set("name", f"{name}: {suite.get('name')}")
            suite.set("id", str(len(root)))
            root.append(suite)
    for name, error in whole.errors.items():
        suite = ElementTree.SubElement(root, "testsuite", name=name, id=str(len(root)), tests="1", failures="0", errors="1", skipped="0")
        case = ElementTree.SubElement(suite, "testcase", name="(server)", classname=name)
        ElementTree.SubElement(case, "error", type=error.kind, message=str(error))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _sarif(reports: dict[str, str]) -> str:
    whole: dict[str, Any] = {"version": "2.1.0", "runs": []}
    for report in reports.values():
        part = json.loads(report)
        whole = {**part, "runs": whole["runs"] + part["runs"]}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _input(message: str) -> TooltestError:
    error = TooltestError(message)
    error.kind = "input"
    return error
