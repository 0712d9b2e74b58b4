/**
 * The switch for the seeded bugs, which only serve to measure testers of MCP servers. The bugs themselves are in `faults/`;
 * without `TOOLTEST_BUG` in the environment none of that code runs.
 */
import { appendFileSync } from "node:fs";

/** The id in `TOOLTEST_BUG`, if a bug is to be switched on. */
export function seeded(): string | undefined {
  return process.env["TOOLTEST_BUG"] || undefined;
}

/** Whether this is the bug that is switched on. */
export function active(id: string): boolean {
  return seeded() === id;
}

/** Notes in the file named by `TOOLTEST_TRIGGER_FILE` that the faulty path of a bug ran and made a difference. */
export function trigger(id: string): void {
  const file = process.env["TOOLTEST_TRIGGER_FILE"];
  if (file) appendFileSync(file, `${id}\n`);
}
