"""The pytest plugin of tooltest, as pytest loads it in every session: options and nothing else.

It stands beside the package, so that the package and its extension module are only imported where a test asks for them.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tooltest._pytest import Tester

MARKER = "tooltest(**options): options for the servers that this test checks with the fixture `tooltest`, for example max_calls=200"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares what users can set."""
    group = parser.getgroup("tooltest", "tooltest: property-based tests of MCP servers")
    group.addoption(
        "--tooltest", action="append", default=[], metavar="TARGET",
        help="test an MCP server, a command or a URL: one test for each tool and one for the lints; may be given several times",
    )
    group.addoption(
        "--tooltest-option", action="append", default=[], metavar="NAME=VALUE",
        help="an option of all runs of tooltest, as in max_calls=200 or tool_blocklist='[\"drop_*\"]'; the value is JSON or a string; beats every other place",
    )
    group.addoption("--tooltest-seed", type=int, metavar="N", help="short for --tooltest-option seed=N: repeats the run that reported this seed")
    group.addoption("--tooltest-fail-on", choices=["error", "warning"], help="the level of findings that fail a test (default: error)")
    parser.addini("tooltest_targets", "MCP servers to test, a command or a URL each: one test for each tool and one for the lints", type="linelist", default=[])
    parser.addini("tooltest_options", "options of all runs of tooltest, NAME=VALUE each", type="linelist", default=[])
    parser.addini("tooltest_fail_on", "the level of findings that fail a test: error or warning", default="error")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and the zero-code mode where there are targets."""
    config.addinivalue_line("markers", MARKER)
    if config.getoption("--tooltest") or config.getini("tooltest_targets"):
        from tooltest._pytest import Targets

        config.pluginmanager.register(Targets(config), "tooltest-targets")


@pytest.fixture
def tooltest(request: pytest.FixtureRequest) -> Tester:
    """Checks MCP servers: ``tooltest("python server.py")`` fails the test with the report of what it found.

    Takes everything that ``tooltest.run`` takes, and returns its result.
    """
    from tooltest._pytest import Tester

    return Tester(request)


def pytest_report_header(config: pytest.Config) -> Any:
    """Names the servers that are tested."""
    targets = [*config.getoption("--tooltest"), *config.getini("tooltest_targets")]
    return f"tooltest: {', '.join(targets)}" if targets else None
