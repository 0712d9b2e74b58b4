#!/usr/bin/env bash
# The two steps of action.yml. Inputs come in variables and are never part of a script's text.
set -euo pipefail

# Uses the command that is there; else installs the Python package into a folder of the job.
install() {
  if command -v tooltest > /dev/null; then
    tooltest --version
    return
  fi
  local folder="${RUNNER_TEMP:-/tmp}/tooltest-environment" bin=bin
  python3 -m venv "$folder" || python -m venv "$folder"
  if [ -d "$folder/Scripts" ]; then bin=Scripts; fi
  "$folder/$bin/python" -m pip install --quiet --disable-pip-version-check "tooltest${TOOLTEST_VERSION:+==$TOOLTEST_VERSION}"
  echo "$folder/$bin" >> "$GITHUB_PATH"
  "$folder/$bin/tooltest" --version
}

run() {
  local reports="${INPUT_REPORTS:-tooltest-reports}" verb=run code=0 line
  if [ "${INPUT_LINT_ONLY:-false}" = true ]; then verb=lint; fi
  local -a words=("$verb")
  while IFS= read -r line; do
    line="${line%$'\r'}"
    if [ -n "$line" ]; then words+=("$line"); fi
  done <<< "${INPUT_ARGS:-}"
  if [ -n "${INPUT_SHARD:-}" ]; then words+=(--shard "$INPUT_SHARD"); fi
  if [ -n "${INPUT_COMMAND:-}" ]; then words+=(--command "$INPUT_COMMAND"); fi
  if [ -n "${INPUT_URL:-}" ]; then words+=("$INPUT_URL"); fi
  if [ -n "${INPUT_SERVER:-}" ]; then words+=(--server "$INPUT_SERVER"); fi
  words+=(
    --fail-on "${INPUT_FAIL_ON:-error}"
    --report "json=$reports/result.json" --report "junit=$reports/junit.xml"
    --report "sarif=$reports/tooltest.sarif" --report "html=$reports/report.html"
  )
  tooltest "${words[@]}" || code=$?
  if [ -f "$reports/result.json" ]; then
    echo "result=$reports/result.json" >> "$GITHUB_OUTPUT"
    sed -n 's/^  "outcome": "\([a-z]*\)",\{0,1\}$/outcome=\1/p' "$reports/result.json" | head -n 1 >> "$GITHUB_OUTPUT"
  fi
  exit "$code"
}

case "${1:-}" in
  install) install ;;
  run) run ;;
  *) echo "usage: action.sh install|run" >&2; exit 2 ;;
esac
