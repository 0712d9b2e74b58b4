"""Many servers on executors: threads, processes, a Dask cluster."""
from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import SMALL, server

import tooltest

FEW: dict[str, Any] = {**SMALL, "max_calls": 40}


@pytest.fixture(scope="module")
def dask_client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def targets() -> dict[str, Any]:
    return {"sound": server(), "faulty": server("crash"), "absent": "no-such-program-here"}


def check(many: tooltest.ManyResults) -> None:
    assert list(many) == ["sound", "faulty", "absent"]
    assert many.results["sound"].outcome == "passed"
    assert ("faulty", "no_crash") in [(name, finding.lint) for name, finding in many.findings]
    assert many.errors["absent"].kind == "open"
    assert not many.passed


def test_threads_by_default() -> None:
    seen = []
    many = tooltest.run_many(targets(), on_result=lambda name, _: seen.append(name), **SMALL)
    check(many)
    assert sorted(seen) == ["absent", "faulty", "sound"]


def test_a_pool_of_processes() -> None:
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        check(tooltest.run_many(targets(), executor=pool, **SMALL))


def test_a_dask_cluster(dask_client: Any) -> None:
    check(tooltest.run_many(targets(), executor=dask_client, **SMALL))


def test_a_dask_cluster_takes_lists_of_hundreds(dask_client: Any) -> None:
    import distributed

    many = tooltest.run_many([server()] * 30, executor=dask_client.get_executor(), **{**FEW, "phases": ["lists"], "keep_going": True})
    assert isinstance(dask_client, distributed.Client)
    assert len(many.results) == 30


def test_results_merge_into_one_report() -> None:
    many = tooltest.run_many(targets(), **SMALL)
    human = many.render()
    assert human.index("═ sound ═") < human.index("═ faulty ═") < human.index("═ absent ═")
    assert human.endswith("3 servers: 1 passed, 1 failed, 1 could not be tested\n")
    suites = ElementTree.fromstring(many.render("junit"))
    names = [suite.get("name") for suite in suites]
    assert names == ["sound: tasks.tools", "sound: tasks.lints", "faulty: tasks.tools", "faulty: tasks.lints", "absent"]
    assert [suite.get("id") for suite in suites] == ["0", "1", "2", "3", "4"]
    assert len(json.loads(many.render("sarif"))["runs"]) == 2
    assert [part["target"] for part in json.loads(many.render("json"))["targets"]] == ["sound", "faulty", "absent"]
    assert len(many.render("ndjson").splitlines()) == 3
    with pytest.raises(tooltest.TooltestError, match="html"):
        many.render("html")


def test_the_shards_of_a_run_are_merged() -> None:
    parts = [tooltest.run(server(), **{**FEW, "shard": shard}) for shard in ("1/2", "2/2")]
    whole = tooltest.merge(parts)
    assert whole.budget.calls == sum(part.budget.calls for part in parts)
    other = {**parts[0].to_dict(), "server": {**parts[0]["server"], "name": "other"}}
    with pytest.raises(tooltest.TooltestError, match="different servers"):
        tooltest.merge([parts[0], other])
