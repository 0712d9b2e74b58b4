/** Plays the witness of a seeded bug: steps as data, whose expectations describe what the bug shows. */
import { isDeepStrictEqual } from "node:util";
import type { Outcome, RawClient } from "./raw.js";

/** A claim about an outcome; `at` is a JSON Pointer. All claims of a witness hold on the mutant, not all on the clean server. */
export type Claim = { at: string } & ({ is: unknown } | { is_not: unknown } | { matches: string } | { absent: true });

/** Strings such as `$0/structuredContent/id` in arguments and claims stand for a part of an earlier outcome. */
export interface CallStep {
  tool: string;
  arguments: Record<string, unknown>;
  session?: string;
  cancel?: boolean;
  expect?: Claim[];
}
export type Step =
  | CallStep
  | { parallel: CallStep[] }
  | { list: "tools"; expect?: Claim[] }
  | { open_session: string }
  | { end_session: string };

export interface Bug {
  id: string;
  depth: number;
  lint: string;
  tool: string | null | (string | null)[];
  concurrency: boolean;
  transport: "stdio" | "http";
  era: "legacy" | "modern" | "any";
  description: string;
  witness: Step[];
}

export interface Played {
  outcomes: Outcome[];
  /** The claims that did not hold, in words. */
  broken: string[];
}

/** How long an answer may take before it counts as none; far longer than any answer that comes. */
const PATIENCE_MS = 4_000;

export async function play(client: RawClient, steps: Step[]): Promise<Played> {
  const outcomes: Outcome[] = [];
  const broken: string[] = [];
  const check = (claims: Claim[] | undefined, outcome: Outcome) => {
    for (const claim of claims ?? []) if (!holds(claim, outcome, outcomes)) broken.push(`${JSON.stringify(claim)} of ${JSON.stringify(outcome)}`);
  };
  const call = (step: CallStep) =>
    client.request("tools/call", { name: step.tool, arguments: resolve(step.arguments, outcomes) }, step.session ?? "a", PATIENCE_MS);
  for (const step of steps) {
    if ("open_session" in step) await client.openSession(step.open_session);
    else if ("end_session" in step) await client.endSession(step.end_session);
    else if ("list" in step) {
      outcomes.push(await client.request("tools/list", {}, "a", PATIENCE_MS));
      check(step.expect, outcomes.at(-1)!);
    } else if ("parallel" in step) {
      const answers = await Promise.all(step.parallel.map(call));
      outcomes.push(...answers);
      step.parallel.forEach((one, index) => check(one.expect, answers[index]!));
    } else if (step.cancel) client.cancelled("tools/call", { name: step.tool, arguments: resolve(step.arguments, outcomes) });
    else {
      outcomes.push(await call(step));
      check(step.expect, outcomes.at(-1)!);
    }
  }
  return { outcomes, broken };
}

/** How many tool calls a witness makes. */
export function countCalls(steps: Step[]): number {
  return steps.reduce((sum, step) => sum + ("parallel" in step ? step.parallel.length : "tool" in step ? 1 : 0), 0);
}

function holds(claim: Claim, outcome: Outcome, outcomes: Outcome[]): boolean {
  const value = at(outcome, claim.at);
  if ("absent" in claim) return value === undefined;
  if ("matches" in claim) return typeof value === "string" && new RegExp(claim.matches).test(value);
  if ("is" in claim) return isDeepStrictEqual(value, resolve(claim.is, outcomes));
  return !isDeepStrictEqual(value, resolve(claim.is_not, outcomes));
}

function resolve<T>(value: T, outcomes: Outcome[]): T {
  if (typeof value === "string") {
    const reference = /^\$(\d+)(\/.*)$/.exec(value);
    return reference === null ? value : (at(outcomes[Number(reference[1])], reference[2]!) as T);
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, outcomes)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, outcomes)])) as T;
}

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], value);
}
