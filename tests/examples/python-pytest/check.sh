#!/usr/bin/env bash
# Installs tooltest's wheel into a fresh environment and tests both servers with it.
# usage: check.sh [WHEEL]   builds a wheel with maturin when none is given; PYTHON chooses the interpreter, PROFILE the build profile
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1

"${PYTHON:-python3}" -m venv "$work/venv"
python="$work/venv/bin/python"
if [ $# -gt 0 ]; then
  wheel=$1
else
  "$python" -m pip install --quiet 'maturin>=1.16,<2'
  "$python" -m maturin build --quiet --profile "${PROFILE:-dev}" --manifest-path "$root/bindings-python/Cargo.toml" --out "$work/wheels"
  wheel=$(echo "$work"/wheels/*.whl)
fi
"$python" -m pip install --quiet "$wheel" 'mcp>=1.20,<2' 'pytest>=7.4' pytest-xdist
cp -r "$here/." "$work/project"
cd "$work/project"
export PATH="$work/venv/bin:$PATH"

fail() { echo "check.sh: $1" >&2; cat "$work/out" >&2; exit 1; }

echo "the fixed server passes, tested by the fixture"
pytest -q >"$work/out" 2>&1 || fail "the fixed server does not pass"

echo "the fixed server passes, without a line of code"
pytest -q --tooltest "python notes_fixed.py" tests/test_notes.py -k "notes_fixed.py" >"$work/out" 2>&1 || fail "the fixed server does not pass"
grep -q '4 passed' "$work/out" || fail "there is not one test for each tool and one for the lints"

echo "the seeded bug is found and shown"
for how in "" "-n2"; do
  if pytest --tooltest "python notes_faulty.py" -k notes_faulty $how >"$work/out" 2>&1; then fail "the bug was not found"; fi
  grep -q 'FAILED .*::read_note' "$work/out" || fail "the failure is not the tool's"
  grep -q 'no_crash in read_note' "$work/out" || fail "the failure is not a crash"
  grep -q '→ delete_note' "$work/out" || fail "the smallest case is not shown"
  grep -q 'tooltest replay' "$work/out" || fail "the replay line is not shown"
  if grep -q 'Traceback' "$work/out"; then fail "a traceback is shown"; fi
done
sed -n '/^no_crash in/,/^=/p' "$work/out"

echo "the saved failure is found again by the command, and gone on the fixed server"
failure=$(ls .tooltest/failures/no_crash-read_note-*.json)
if tooltest replay "$failure" --command "python notes_faulty.py" >"$work/out" 2>&1; then fail "the replay does not fail"; fi
tooltest replay "$failure" --command "python notes_fixed.py" >"$work/out" 2>&1 || fail "the fixed server fails the replay"
echo "all is well"
