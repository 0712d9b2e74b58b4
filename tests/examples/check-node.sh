#!/usr/bin/env bash
# Installs tooltest's npm packages with an example project into a fresh folder, and tests both twins of its server.
# usage: check-node.sh PROJECT [FOLDER]   FOLDER holds packages made by bindings-node/scripts/pack.mjs; without it they are made
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=${1%/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $project in
  node-jest) bug='no_crash in read_note' step='→ delete_note' ;;
  node-vitest) bug='duplicate_id_issued in add_note' step='→ delete_note' ;;
  *) echo "check-node.sh: there is no project $project" >&2; exit 2 ;;
esac
packs=${2:-$work/packs}
[ $# -gt 1 ] || node "$here/../../bindings-node/scripts/pack.mjs" "$packs" >/dev/null
cp -r "$here/$project" "$work/project"
cd "$work/project"
npm install --save-dev --ignore-scripts --no-audit --no-fund --loglevel=error "$packs"/*.tgz >/dev/null
export NO_COLOR=1 FORCE_COLOR=0

fail() { echo "check-node.sh: $1" >&2; cat "$work/out" >&2; exit 1; }

echo "$project: the fixed server passes"
npm test >"$work/out" 2>&1 || fail "the fixed server does not pass"
for test in add_note read_note delete_note lints; do
  grep -q "✓.*$test" "$work/out" || fail "there is no test $test"
done

echo "$project: the seeded bug is found and shown"
if FAULTY=1 npm test >"$work/out" 2>&1; then fail "the bug was not found"; fi
grep -q "$bug" "$work/out" || fail "the failure is not the seeded one"
grep -q -- "$step" "$work/out" || fail "the smallest case is not shown"
grep -q 'tooltest replay' "$work/out" || fail "the replay line is not shown"
if grep -q 'node_modules/tooltest' "$work/out"; then fail "a stack of ours is shown"; fi
sed -n "/Error: .*toPassTooltest\|expect(server).toPassTooltest/,/tooltest replay/p" "$work/out" | head -60

echo "$project: the command is there"
npx --no-install tooltest --version | grep -q '^tooltest ' || fail "there is no command"
if ls .tooltest/failures/*.json >/dev/null 2>&1 && [ "$project" = node-jest ]; then
  failure=$(ls .tooltest/failures/no_crash-read_note-*.json | head -1)
  if npx --no-install tooltest replay "$failure" >"$work/out" 2>&1; then fail "the replay does not fail"; fi
  npx --no-install tooltest replay "$failure" -- node dist/src/main.js >"$work/out" 2>&1 || fail "the fixed server fails the replay"
fi
echo "$project: all is well"
