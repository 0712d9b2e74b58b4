/** Every seeded bug: its witness shows it on the mutant, and not on the clean server. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { IteratrTools } from "iteratr-tools";
import { FAULT_IDS } from "iteratr-tools/faults";
import { withFolder } from "./clients.js";
import { rawHttp, rawStdio, type Era, type RawClient } from "./raw.js";
import { countCalls, play, type Bug, type Played } from "./witness.js";

const BUGS = JSON.parse(readFileSync(new URL("../../bugs.json", import.meta.url), "utf8")) as Bug[];

test("the catalogue has every bug once, with the depth of its witness", () => {
  assert.deepEqual(BUGS.map((bug) => bug.id).sort(), FAULT_IDS);
  for (const bug of BUGS) {
    const calls = countCalls(bug.witness);
    // What parallel calls have lost is seen by reading afterwards, which does not count.
    assert.ok(bug.concurrency ? bug.depth <= calls : bug.depth === calls, bug.id);
  }
});

describe("witnesses", { concurrency: 2 }, () => {
  for (const bug of BUGS) {
    const eras: Era[] = bug.era === "any" ? ["legacy", "modern"] : [bug.era];
    for (const era of eras) {
      test(`${bug.id}, ${bug.transport}, ${era}`, async () => {
        const faulty = await run(bug, era, bug.id);
        assert.deepEqual(faulty.broken, [], "the mutant shows the bug");
        assert.ok(faulty.triggers.length > 0 && faulty.triggers.every((id) => id === bug.id), "the trigger is marked");
        const clean = await run(bug, era);
        assert.notDeepEqual(clean.broken, [], "the clean server does not show it");
        assert.deepEqual(clean.triggers, []);
        for (const seen of clean.results) assert.ok(!seen.exited && !seen.junk, JSON.stringify(seen));
      });
    }
  }
});

test("a bug that does not exist is refused", () => {
  process.env["TOOLTEST_BUG"] = "no_such_bug";
  try {
    assert.throws(() => new IteratrTools({ session: "x", memory: true }), /TOOLTEST_BUG is no_such_bug, which is no seeded bug/);
  } finally {
    delete process.env["TOOLTEST_BUG"];
  }
});

function run(bug: Bug, era: Era, switchedOn?: string): Promise<Played & { triggers: string[] }> {
  return withFolder(async (folder) => {
    const file = join(folder, "triggers");
    const env = { TOOLTEST_TRIGGER_FILE: file, ...(switchedOn && { TOOLTEST_BUG: switchedOn }) };
    const client: RawClient = await (bug.transport === "http" ? rawHttp : rawStdio)(era, env);
    try {
      const played = await play(client, bug.witness, switchedOn !== undefined);
      const triggers = await readFile(file, "utf8").catch(() => "");
      return { ...played, triggers: triggers.split("\n").filter(Boolean) };
    } finally {
      await client.close();
    }
  });
}
