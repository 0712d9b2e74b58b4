/** Plays the witness of a seeded bug: steps as data, whose expectations describe what the bug shows. */
import { isDeepStrictEqual } from "node:util";
import type { RawClient, Request, Seen } from "./raw.js";

type Json = Record<string, unknown>;

/** One step. Paths and values of `expect` are as the README describes; strings such as `$0.structured.id` stand for a part of result 0. */
export type Step = Request & { expect?: Json };

export interface Bug {
  id: string;
  depth: number;
  lint: string;
  also?: string[];
  tool: string | null | string[];
  concurrency: boolean;
  transport: "stdio" | "http";
  era: "legacy" | "modern" | "any";
  description: string;
  witness: (Step | { parallel: Step[] })[];
}

export interface Played {
  results: Seen[];
  /** The expectations that did not hold, in words. */
  broken: string[];
}

/** How long a step waits that expects no answer, and any other; both far longer than an answer takes. */
const QUIET_MS = 4_000;
const PATIENCE_MS = 60_000;

export async function play(client: RawClient, witness: Bug["witness"], isFaulty: boolean): Promise<Played> {
  const results: Seen[] = [];
  const broken: string[] = [];
  for (const step of witness) {
    const group = "parallel" in step ? step.parallel : [step];
    const first = results.length;
    const seen = group.map(({ expect, ...request }) => {
      const isSilent = isFaulty && expect?.["outcome"] === "none";
      return client.perform(resolve(request, results), isSilent ? QUIET_MS : PATIENCE_MS);
    });
    results.push(...(await Promise.all(seen)));
    group.forEach(({ expect }, index) => broken.push(...check(expect ?? {}, first + index, results)));
  }
  return { results, broken };
}

/** How many tool calls a witness makes. */
export function countCalls(witness: Bug["witness"]): number {
  return witness.flatMap((step) => ("parallel" in step ? step.parallel : [step])).filter((step) => "tool" in step).length;
}

function check(expect: Json, number: number, results: Seen[]): string[] {
  return Object.entries(expect).flatMap(([path, wanted]) => {
    const seen = lookUp(results[number], path);
    const isMet = holds(seen, resolve(wanted, results));
    return isMet ? [] : [`step ${number}: ${path} is ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`];
  });
}

const OPERATORS: Record<string, (seen: unknown, operand: unknown) => boolean> = {
  absent: (seen, yes) => (seen === undefined) === yes,
  not: (seen, other) => seen !== undefined && !isDeepStrictEqual(seen, other),
  matches: (seen, pattern) => typeof seen === "string" && new RegExp(pattern as string).test(seen),
  length: (seen, length) => Array.isArray(seen) && seen.length === length,
};

/** Whether a value is equal to the one that is wanted, or as an operator such as `{"matches": ...}` says. */
function holds(seen: unknown, wanted: unknown): boolean {
  const [only, ...others] = wanted !== null && typeof wanted === "object" ? Object.entries(wanted) : [];
  const operator = only !== undefined && others.length === 0 ? OPERATORS[only[0]] : undefined;
  return operator === undefined ? isDeepStrictEqual(seen, wanted) : operator(seen, only![1]);
}

function resolve<T>(value: T, results: Seen[]): T {
  if (typeof value === "string") {
    const reference = /^\$(\d+)\.(.+)$/.exec(value);
    // A reference to nothing must not equal anything.
    return reference === null ? value : ((lookUp(results[Number(reference[1])], reference[2]!) ?? `<no ${value}>`) as T);
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, results)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, results)])) as T;
}

function lookUp(value: unknown, path: string): unknown {
  const whole = (value as Json | undefined)?.[path];
  return whole ?? path.split(".").reduce((part, key) => (part as Json | null | undefined)?.[key], value);
}
