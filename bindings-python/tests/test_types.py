"""The generated types, and what type checkers think of the package."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SMALL, server

import tooltest
from tooltest import _native, types

PACKAGE = Path(__file__).resolve().parent.parent


def test_the_types_are_fresh() -> None:
    script = PACKAGE / "scripts" / "generate_types.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_option_of_the_engine_is_typed() -> None:
    properties = json.loads(_native.schemas())["input"]["properties"]
    assert set(types.Options.__annotations__) == set(properties) - {"target"}


def test_every_member_of_a_result_is_typed() -> None:
    def check(document: types.Document) -> None:
        known = {field.key for field in document._fields.values()}
        assert set(document) <= known, type(document)
        for name in document._fields:
            value = getattr(document, name)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, types.Document):
                    check(item)

    check(tooltest.run(server("crash"), on_event=check, **SMALL))


def test_mypy_is_content_and_notices_mistakes(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    good = 'import tooltest\nresult = tooltest.run("x", max_calls=3, seed=1)\nfor finding in result.findings:\n    words: str = finding.message\n'
    bad = 'import tooltest\ntooltest.run("x", max_call=3)\nresult = tooltest.run("x")\nresult.outcom.upper()\nresult.seed.upper()\n'
    for text, faults in [(good, 0), (bad, 3)]:
        file = tmp_path / "sample.py"
        file.write_text(text)
        out, err, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(file)])
        assert (out.count("error:"), err) == (faults, ""), out
